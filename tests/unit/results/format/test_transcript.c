/* Complete games judged row by row. The games of vectors/variants-games.tsv were played by another
 * program; the changed rows below follow docs/rules.md. */
#define _GNU_SOURCE
#include "format/transcript.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

static int judge(const char *rows, char **out, char **talk)
{
    size_t out_size, talk_size;
    FILE *in = fmemopen((void *)(uintptr_t)rows, strlen(rows), "r");
    FILE *verdicts = open_memstream(out, &out_size), *messages = open_memstream(talk, &talk_size);
    int status;

    ck_assert(in != NULL && verdicts != NULL && messages != NULL);
    status = transcript_judge(in, "rows", verdicts, messages);
    fclose(in);
    fclose(verdicts);
    fclose(messages);
    return status;
}

/* Three checkers each: short games that can be written down. Positions from absolute 24 to 1. */
#define HYPER_BEGIN                                                                                \
    "hypergammon\t7\t1\tb\topen\tw3b4\tw1w1w1---/------/------/---b1b1b1|0,0|0,0|0,0|b|-\n"
#define HYPER_TWO                                                                                  \
    "hypergammon\t7\t2\tb\troll\t43\tw1w1w1---/------/-----b1/-b1---b1|0,0|0,0|0,0|b|-\n"

static const struct {
    const char *name, *rows;
    int status;
    const char *out, *talk; /* talk: a part of the message */
} cases[] = {
    {"a dropped last row is told at its place", HYPER_BEGIN, EXIT_CHECK,
     "hypergammon\t7\tbad\t2\tG9\n",
     "rows:1: hypergammon, game 7, row 2: the row 'end' is missing"},
    {"a game begins with its opening", "backgammon\t1\t1\tb\troll\t43\tx\n", EXIT_CHECK,
     "backgammon\t1\tbad\t1\tG8\n", "rows:1:"},
    {"rows count from one", "backgammon\t1\t2\tb\troll\t43\tx\n", EXIT_CHECK,
     "backgammon\t1\tbad\t2\tG7\n", "row 1 is expected"},
    {"the lower die does not begin",
     "hypergammon\t7\t1\tw\topen\tw3b4\tw1w1w1---/------/------/---b1b1b1|0,0|0,0|0,0|w|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t1\tG8\n", "do not make w begin"},
    {"opening dice are 1 to 6",
     "hypergammon\t7\t1\tb\topen\tw3b7\tw1w1w1---/------/------/---b1b1b1|0,0|0,0|0,0|b|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t1\tG8\n", ""},
    {"after the decision no opening dice are rolled",
     "hypergammon\t7\t1\tb\topen\tw3b4,w3b5\tw1w1w1---/------/------/---b1b1b1|0,0|0,0|0,0|b|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t1\tG8\n", ""},
    {"equal opening dice decide nothing",
     "hypergammon\t7\t1\tb\topen\tw3b3\tw1w1w1---/------/------/---b1b1b1|0,0|0,0|0,0|b|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t1\tG8\n", ""},
    {"nobody keeps where there is no choice",
     "hypergammon\t7\t1\tb\topen\tw3b4,keep\tw1w1w1---/------/------/---b1b1b1|0,0|0,0|0,0|b|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t1\tG8\n", ""},
    {"a choice is made",
     "russian\t1\t1\tb\topen\tw3b4\t------/------/------/------|0,0|15,15|0,0|b|-\n", EXIT_CHECK,
     "russian\t1\tbad\t1\tG8\n", ""},
    {"kept dice are the first roll",
     "russian\t1\t1\tb\topen\tw3b4,keep\t------/------/------/------|0,0|15,15|0,0|b|-\n"
     "russian\t1\t2\tb\troll\t53\t---b1-/------/------/------|0,0|15,14|0,0|b|-\n",
     EXIT_CHECK, "russian\t1\tbad\t2\tG7\n", "expected b: roll 43"},
    {"another set-up",
     "hypergammon\t7\t1\tb\topen\tw3b4\tw1w1-w1--/------/------/---b1b1b1|0,0|0,0|0,0|b|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t1\tV3\n", ""},
    {"the opening dice are played",
     HYPER_BEGIN
     "hypergammon\t7\t2\tb\troll\t53\tw1w1w1---/------/-----b1/-b1---b1|0,0|0,0|0,0|b|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t2\tG7\n", "expected b: roll 43"},
    {"no legal result",
     HYPER_BEGIN
     "hypergammon\t7\t2\tb\troll\t43\tw1w1w1---/------/----b1-/-b1--b1-|0,0|0,0|0,0|b|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t2\tG6\n", "row 2"},
    {"the position has the side of the row",
     HYPER_BEGIN
     "hypergammon\t7\t2\tb\troll\t43\tw1w1w1---/------/-----b1/-b1---b1|0,0|0,0|0,0|w|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t2\tN3\n", ""},
    {"a position that is none",
     HYPER_BEGIN "hypergammon\t7\t2\tb\troll\t43\tw1w1w1|0,0|0,0|0,0|b|-\n", EXIT_CHECK,
     "hypergammon\t7\tbad\t2\tN3\n", ""},
    {"a roll is written high first",
     HYPER_BEGIN HYPER_TWO
     "hypergammon\t7\t3\tw\troll\t12\tw1w1w1---/------/-----b1/-b1---b1|0,0|0,0|0,0|w|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t3\tG8\n", "high first"},
    {"dice beyond six", HYPER_BEGIN HYPER_TWO "hypergammon\t7\t3\tw\troll\t71\tx\n", EXIT_CHECK,
     "hypergammon\t7\tbad\t3\tG8\n", ""},
    {"an end before the end",
     HYPER_BEGIN HYPER_TWO
     "hypergammon\t7\t3\tb\tend\t1:single\tw1w1w1---/------/-----b1/-b1---b1|0,0|0,0|0,0|b|-\n",
     EXIT_CHECK, "hypergammon\t7\tbad\t3\tG9\n", "the game continues with w: roll"},
    {"a stage that the game does not have",
     HYPER_BEGIN HYPER_TWO "hypergammon\t7\t3\tb\tnext\t4x4\tx\n", EXIT_CHECK,
     "hypergammon\t7\tbad\t3\tG7\n", "expected w: roll"},
    {"too few columns", "backgammon\t1\t1\tb\topen\n", EXIT_MISUSE, "",
     "rows:1: less than the 7 columns"},
    {"too many columns", "backgammon\t1\t1\tb\topen\tw3b4\tx\ty\n", EXIT_MISUSE, "",
     "rows:1: more than the 7 columns"},
    {"an empty line", HYPER_BEGIN "\n", EXIT_MISUSE, "", "rows:2: less than the 7 columns"},
    {"an unknown game", "backgamon\t1\t1\tb\topen\tw3b4\tx\n", EXIT_MISUSE, "", "\"backgamon\""},
    {"an unknown option", "gul:x=y\t1\t1\tb\topen\tw3b4\tx\n", EXIT_MISUSE, "", "rows:1:"},
    {"a game number that is none", "gul\t0\t1\tb\topen\tw3b4\tx\n", EXIT_MISUSE, "", "column 2"},
    {"a row number that is none", "gul\t1\t1x\tb\topen\tw3b4\tx\n", EXIT_MISUSE, "", "column 3"},
    {"a number without end", "gul\t99999999999999999999\t1\tb\topen\tw3b4\tx\n", EXIT_MISUSE, "",
     "column 2"},
    {"a side that is none", "gul\t1\t1\tB\topen\tw3b4\tx\n", EXIT_MISUSE, "", "column 4: side 'B'"},
    {"a kind that is none", "gul\t1\t1\tb\tplay\tw3b4\tx\n", EXIT_MISUSE, "",
     "column 5: kind 'play'"},
    {"comments are skipped, and nothing else is nothing", "# only this\n", EXIT_MISUSE, "",
     "contains no game"},
};

TEST_ROWS(changed_rows_are_bad_or_unreadable, cases)
{
    char *out, *talk;
    int status = judge(cases[_i].rows, &out, &talk);

    ck_assert_msg(status == cases[_i].status, "%s: status %d, expected %d (%s)", cases[_i].name,
                  status, cases[_i].status, talk);
    ck_assert_msg(strcmp(out, cases[_i].out) == 0, "%s: '%s', expected '%s'", cases[_i].name, out,
                  cases[_i].out);
    ck_assert_msg(strstr(talk, cases[_i].talk) != NULL, "%s: '%s' does not tell '%s'",
                  cases[_i].name, talk, cases[_i].talk);
    free(out);
    free(talk);
}

/* The verdicts that the end rows of the file require. */
static char *expected_verdicts(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text, *line = NULL;
    size_t size, room = 0;
    FILE *out = open_memstream(&text, &size);

    ck_assert_msg(file != NULL && out != NULL, "%s", path);
    while (getline(&line, &room, file) >= 0) {
        char variant[64], score[64];
        int game, row;

        if (sscanf(line, "%63[^\t]\t%d\t%d\t%*c\tend\t%63[^\t]", variant, &game, &row, score) ==
            4) {
            fprintf(out, "%s\t%d\tok\t%s\n", variant, game, score);
        }
    }
    free(line);
    fclose(file);
    fclose(out);
    return text;
}

TEST(complete_games_of_all_variants_are_good)
{
    char *expected = expected_verdicts(TEST_UNPACKED "/variants-games.tsv"), *out, *talk;
    size_t out_size, talk_size;
    FILE *in = fopen(TEST_UNPACKED "/variants-games.tsv", "r");
    FILE *verdicts = open_memstream(&out, &out_size), *messages = open_memstream(&talk, &talk_size);

    ck_assert(in != NULL && verdicts != NULL && messages != NULL);
    ck_assert_int_eq(transcript_judge(in, "games", verdicts, messages), EXIT_DONE);
    fclose(in);
    fclose(verdicts);
    fclose(messages);
    ck_assert_uint_gt(strlen(expected), 250 * strlen("gul\t1\tok\t1:single"));
    ck_assert_str_eq(out, expected);
    ck_assert_str_eq(talk, "");
    free(expected);
    free(out);
    free(talk);
}
