/* The games beyond backgammon: every row of variants.tsv through the interface that bots use, and
 * the broken rule of a refused play, with and without the options that change it. */
#define _GNU_SOURCE
#include <bgref/notation.h>
#include <bgref/play.h>
#include <bgref/variant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

enum { COLUMNS = 5, ROWS = 7500 };

static struct bg_play_list list;

/* One stage to be played. */
struct decision {
    const struct bg_variant *variant;
    struct bg_board board;
    int seat;
    struct bg_stage stage;
};

static struct decision decision_of(const char *game, const char *position, const char *stage)
{
    struct decision decision;

    assert_ok(bg_variant_read(&decision.variant, game, &error) == BG_OK &&
              bg_position_text_read(&decision.board, &decision.seat, decision.variant, position,
                                    &error) == BG_OK &&
              bg_stage_read(&decision.stage, decision.variant, stage, &error));
    return decision;
}

static enum bg_rule judge(struct bg_board *result, const struct decision *decision,
                          const struct bg_play *play)
{
    return bg_play_check(result, decision->variant, &decision->board, decision->seat,
                         &decision->stage, play);
}

/* A listed play is legal as listed, in reverse order, and by its result. */
static void check_play(const struct decision *decision, const struct bg_play *play, const char *row)
{
    struct bg_board made, judged;
    struct bg_play backwards = {.moves = play->moves}, found;
    enum bg_rule rule;

    bg_play_make(&made, decision->variant, &decision->board, decision->seat, play);
    for (int i = 0; i < play->moves; i++) {
        backwards.move[i] = play->move[play->moves - 1 - i];
    }
    rule = judge(&judged, decision, play);
    ck_assert_msg(rule == BG_RULE_NONE && bg_board_equal(&judged, &made), "%s: %s", row,
                  bg_rule_text(rule));
    rule = judge(&judged, decision, &backwards);
    ck_assert_msg(rule == BG_RULE_NONE && bg_board_equal(&judged, &made), "%s: told backwards: %s",
                  row, bg_rule_text(rule));
    rule = bg_play_check_result(&found, decision->variant, &decision->board, decision->seat,
                                &decision->stage, &made);
    ck_assert_msg(rule == BG_RULE_NONE, "%s: by result: %s", row, bg_rule_text(rule));
    bg_play_make(&judged, decision->variant, &decision->board, decision->seat, &found);
    ck_assert_msg(bg_board_equal(&judged, &made), "%s: found another", row);
}

/* Every listed play leads to one of the results; equal numbers of both, with no play twice, make
 * them equal. results begins and ends with ';'. */
static void check_results(const struct decision *decision, const char *results, const char *row)
{
    for (size_t i = 0; i < list.count; i++) {
        char text[BG_POSITION_TEXT], between[BG_POSITION_TEXT + 2];
        struct bg_board after;

        bg_play_make(&after, decision->variant, &decision->board, decision->seat, &list.play[i]);
        bg_position_text_write(text, decision->variant, &after, decision->seat);
        snprintf(between, sizeof between, ";%s;", text);
        ck_assert_msg(strstr(results, between) != NULL, "%s: result %s", row, text);
        if (i % (1 + list.count / 10) == 0) {
            check_play(decision, &list.play[i], row);
        }
    }
}

static void check_row(char *line)
{
    static char results[BG_PLAYS_MAX * BG_POSITION_TEXT];
    char *column[COLUMNS], row[BG_POSITION_TEXT + 64];
    const struct bg_play none = {0};
    struct bg_board after;
    struct decision decision;

    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < COLUMNS; i++) {
        column[i] = strsep(&line, "\t");
        ck_assert_ptr_nonnull(column[i]);
    }
    snprintf(row, sizeof row, "%s %s %s", column[0], column[1], column[2]);
    snprintf(results, sizeof results, ";%s;", column[4]);
    decision = decision_of(column[0], column[1], column[2]);
    bg_play_list(&list, decision.variant, &decision.board, decision.seat, &decision.stage);
    ck_assert_msg(list.count == strtoul(column[3], NULL, 10), "%s: count %zu", row, list.count);
    ck_assert_msg(bg_play_exists(decision.variant, &decision.board, decision.seat,
                                 &decision.stage) == (list.count > 0),
                  "%s: exists", row);
    check_results(&decision, results, row);
    ck_assert_msg((judge(&after, &decision, &none) == BG_RULE_NONE) == (list.count == 0),
                  "%s: no move", row);
}

TEST(rows_of_all_games)
{
    FILE *file = popen("gzip -dc '" TEST_DATA "/variants.tsv.gz'", "r");
    char *line = NULL;
    size_t size = 0;
    int rows = 0;

    ck_assert_ptr_nonnull(file);
    while (getline(&line, &size, file) > 0) {
        if (line[0] != '#') {
            check_row(line);
            rows++;
        }
    }
    free(line);
    ck_assert_int_eq(pclose(file), 0);
    ck_assert_int_eq(rows, ROWS);
}

/* Checkers spread so that most plays have different ends: more results than 15 to the third. */
TEST(widest_stage)
{
    static char text[2][BG_POSITION_TEXT];
    const struct decision decision = decision_of(
        "xii-scripta",
        "w1b1w1b1w1w1/b1w1b1-w1b1/w1b1b1w1w1b1/w1w1b1--w1/b1b1-w1w1b1/-w1b1b1-b1|0,0|0,0|"
        "0,0|w|-",
        "421");

    bg_play_list(&list, decision.variant, &decision.board, decision.seat, &decision.stage);
    bg_play_list_sort(&list, decision.variant, &decision.board, decision.seat);
    ck_assert_int_gt((int)list.count, 15 * 15 * 15);
    for (size_t i = 0; i < list.count; i++) {
        struct bg_board after;

        bg_play_make(&after, decision.variant, &decision.board, decision.seat, &list.play[i]);
        bg_position_text_write(text[i % 2], decision.variant, &after, decision.seat);
        ck_assert_int_lt(i == 0 ? -1 : strcmp(text[1 - i % 2], text[i % 2]), 0);
    }
}

#define NARDI     "w15-----/------/b15-----/------|0,0|0,0|0,0|w|-"
#define GULBARA   "w15-----/------/b15-----/------|0,0|0,0|0,0|w|t=3,3"
#define SIX       "w10-w2w1w1w1/------/b15-----/------|0,0|0,0|0,0|w|-"
#define SIX_AHEAD "w10-w2w1w1w1/-----b1/b14-----/------|0,0|0,0|0,0|w|-"
#define FIRST     "w14-----/w1-----/b15-----/------|0,0|0,0|0,0|w|-"
#define QUARTER   "w2w1w1w1w1-/------/b15--w9--/------|0,0|0,0|0,0|w|-"
#define FOUR      "------/------/b15w1w1w1w1-/w10-w1---|0,0|0,0|0,0|w|-"
#define FIFTH     "------/-----w1/b15w1w1w1w1-/w10-----|0,0|0,0|0,0|w|-"
#define STUCK     "------/------/b15w1w1w1w1w1/w8w2----|0,0|0,0|0,0|w|-"
#define MOTHER    "b1+w1-----/-----w14/------/-----b14|0,0|0,0|0,0|b|-"
#define PINNED    "-----b14/------/------/b1+w1w3----|0,0|0,0|11,0|w|-"
#define HITS      "------/------/-b1----/w1-b1w1-b12|0,0|0,0|13,1|w|-"
#define GATE      "------/------/------/------|0,0|15,15|0,0|w|-"
#define GATE_ONE  "------/w1-----/------/------|0,0|14,15|0,0|w|-"
#define HOME      "------/------/------/w2--w2--|0,0|0,15|11,0|w|-"
#define DUTCH     "--b1---/------/------/------|0,0|15,14|0,0|w|-"
#define DUTCH_IN  "--b1---/------/------/--w1---|0,0|14,14|0,0|w|h=w"
#define DUTCH_ON  "--b1---/------/------/--w1---|0,0|14,14|0,0|w|-"
#define FIVE      "w5w1----/-----b15/------/----w5w4|0,0|0,0|0,0|w|-"
#define EITHER    "------/------/w1-----/-----b2|0,0|0,0|14,13|w|-"
#define PILES     "------/------/------/w3w3w3w2w2w2|0,0|0,0|0,15|w|k=222111/000000"
#define PILES_ONE "------/------/------/w2w2w2w1w1w1|0,0|0,0|6,15|w|k=100000/000000"

static const struct {
    const char *game, *position, *stage, *play;
    enum bg_rule rule;
} checks[] = {
    /* V4 */
    {"long-nardi", NARDI, "63", "24/18 24/21", BG_RULE_HEAD},
    {"long-nardi", NARDI, "63", "24/15", BG_RULE_NONE},
    {"long-nardi:head=any", NARDI, "63", "24/18 24/21", BG_RULE_NONE},
    {"long-nardi:head=need", NARDI, "63", "24/18 24/21", BG_RULE_HEAD},
    {"long-nardi", NARDI, "66", "24/18(2)", BG_RULE_NONE},
    {"long-nardi", NARDI, "55", "24/19(2)", BG_RULE_HEAD},
    {"long-nardi:head=any", NARDI, "55", "24/19(2)", BG_RULE_MOST},
    {"long-nardi", NARDI, "33", "24/15 24/21", BG_RULE_NONE},
    {"long-nardi", NARDI, "33", "24/18(2)", BG_RULE_NONE},
    {"long-nardi", NARDI, "65", "24/12", BG_RULE_DISTANCE},
    {"long-nardi", NARDI, "66", "24/12", BG_RULE_BLOCKED},
    {"long-nardi", SIX, "21", "24/22/21", BG_RULE_NONE},
    {"long-nardi", SIX, "21", "24/23 22/20", BG_RULE_SIX_BLOCK},
    {"long-nardi", SIX_AHEAD, "21", "24/23 22/20", BG_RULE_NONE},
    {"long-nardi:block=all", SIX_AHEAD, "21", "24/23 22/20", BG_RULE_SIX_BLOCK},
    {"long-nardi:block=end", SIX, "21", "24/23 22/20", BG_RULE_SIX_BLOCK},
    {"long-nardi:block=end", SIX, "21", "24/23/21", BG_RULE_NONE},
    {"long-nardi", SIX, "21", "24/23/21", BG_RULE_SIX_BLOCK},
    /* V8, V9 */
    {"fevga", FIRST, "63", "24/18 24/21", BG_RULE_FIRST_CHECKER},
    {"fevga", FIRST, "63", "18/15 24/18", BG_RULE_FIRST_CHECKER},
    {"moultezim:first=outer", FIRST, "63", "18/15 24/18", BG_RULE_NONE},
    {"fevga", QUARTER, "51", "24/19 9/8", BG_RULE_QUARTER},
    {"moultezim", QUARTER, "51", "24/19 9/8", BG_RULE_NONE},
    {"moultezim", FOUR, "21", "9/7 11/10", BG_RULE_NONE},
    {"moultezim", FIFTH, "61", "13/7 6/5", BG_RULE_START_TABLE},
    {"fevga", FOUR, "21", "6/4 6/5", BG_RULE_NONE},
    {"fevga", STUCK, "21", "6/4 6/5", BG_RULE_PRIME},
    {"fevga", STUCK, "21", "11/9 6/5", BG_RULE_NONE},
    /* V7 */
    {"plakoto", MOTHER, "21", "24/22 24/23", BG_RULE_NONE},
    {"plakoto", PINNED, "65", "5/off 5/off", BG_RULE_BEAR_PINNED},
    {"plakoto:bear-pinned=on", PINNED, "65", "5/off 6/off", BG_RULE_PINNED},
    {"plakoto:bear-pinned=on", PINNED, "55", "5/off(3)", BG_RULE_NONE},
    /* V13 */
    {"tavla", HITS, "21", "6/4*/3", BG_RULE_HIT_RUN},
    {"tavla:hit-run=on", HITS, "21", "6/4*/3", BG_RULE_NONE},
    {"portes", HITS, "21", "6/4*/3", BG_RULE_NONE},
    {"portes:hit-run=off", HITS, "21", "6/4*/3", BG_RULE_HIT_RUN},
    /* V15 */
    {"asodio", GATE, "63", "", BG_RULE_NONE},
    {"asodio", GATE, "63", "hand/19 hand/22", BG_RULE_GATE},
    {"asodio", GATE, "33", "hand/22(4)", BG_RULE_NONE},
    {"asodio", GATE, "21", "hand/23 hand/24", BG_RULE_NONE},
    {"asodio", GATE_ONE, "63", "hand/19 hand/22", BG_RULE_NONE},
    {"asodio:gate=always", GATE_ONE, "63", "hand/19 hand/22", BG_RULE_GATE},
    {"asodio", HOME, "65", "6/1 3/off", BG_RULE_BEAR_EXACT},
    {"asodio", HOME, "65", "6/off 6/1", BG_RULE_NONE},
    /* V16, V19 */
    {"russian", GATE_ONE, "63", "18/12 18/15", BG_RULE_NO_CHECKER},
    {"russian", GATE_ONE, "63", "18/9", BG_RULE_NONE},
    {"russian:enter-all=on", GATE_ONE, "63", "18/9", BG_RULE_ENTER_ALL},
    {"tabula", GATE_ONE, "652", "18/5", BG_RULE_NONE},
    {"tabula:enter-all=half", GATE_ONE, "652", "18/5", BG_RULE_ENTER_ALL},
    /* V17 */
    {"old-english", FIVE, "61", "2/1 24/18", BG_RULE_NONE},
    {"old-english", FIVE, "31", "23/20 24/23", BG_RULE_NONE},
    {"old-english", FIVE, "11", "2/1(2) 24/23(2)", BG_RULE_POINT_FULL},
    {"old-english", FIVE, "61", "24/18", BG_RULE_MOST},
    {"old-english:free=stop", FIVE, "61", "24/18", BG_RULE_NONE},
    {"old-english:free=stop", FIVE, "61", "", BG_RULE_NONE},
    /* V21: 24 - 2 is a blot of Black's */
    {"dutch", DUTCH, "32", "hand/22* hand/23", BG_RULE_HIT_RIGHT},
    {"dutch", DUTCH_IN, "32", "hand/22* hand/23", BG_RULE_NONE},
    {"dutch", DUTCH_ON, "32", "hand/22* hand/23", BG_RULE_HIT_RIGHT},
    {"dutch:hit-right=present", DUTCH_ON, "32", "hand/22* hand/23", BG_RULE_NONE},
    /* V24 */
    {"backgammon", EITHER, "65", "12/7", BG_RULE_HIGHER},
    {"hoyle-1870", EITHER, "65", "12/7", BG_RULE_NONE},
    /* V23 */
    {"kiz-tavlasi", PILES, "63", "6/6 3/3", BG_RULE_NONE},
    {"kiz-tavlasi", PILES, "63", "6/off 3/3", BG_RULE_STACKED},
    {"kiz-tavlasi", PILES, "33", "3/3", BG_RULE_NONE},
    {"kiz-tavlasi", PILES_ONE, "63", "6/6 3/off", BG_RULE_NONE},
    {"kiz-tavlasi", PILES_ONE, "66", "6/6 6/off(2)", BG_RULE_NONE},
    {"kiz-tavlasi", PILES_ONE, "66", "6/off(2)", BG_RULE_STACKED},
    {"kiz-tavlasi", PILES_ONE, "63", "3/off 6/6", BG_RULE_NONE},
    {"kiz-tavlasi", PILES_ONE, "63", "6/6", BG_RULE_MOST},
    {"kiz-tavlasi", PILES_ONE, "63", "6/3", BG_RULE_DISTANCE},
    /* V11 */
    {"gulbara", GULBARA, "63", "24/18 24/21", BG_RULE_NONE},
    {"gulbara:head=1", GULBARA, "63", "24/18 24/21", BG_RULE_HEAD},
};

TEST_ROWS(play_is_judged, checks)
{
    const struct decision decision =
        decision_of(checks[_i].game, checks[_i].position, checks[_i].stage);
    struct bg_board result;
    struct bg_play play;
    enum bg_rule rule;

    ck_assert_msg(bg_play_read(&play, checks[_i].play, NULL) == BG_OK, "%s", checks[_i].play);
    rule = judge(&result, &decision, &play);
    ck_assert_msg(rule == checks[_i].rule, "%s %s %s %s: %s, expected %s", checks[_i].game,
                  checks[_i].position, checks[_i].stage, checks[_i].play, bg_rule_text(rule),
                  bg_rule_text(checks[_i].rule));
}

static const struct {
    const char *game, *position, *message;
} refused[] = {
    {"gulbara", NARDI, "not understood at character"},
    {"long-nardi", GULBARA, "not understood at character"},
    {"gulbara", "w15-----/------/b15-----/------|0,0|0,0|0,0|w|t=4,0", "character 49"},
    {"long-nardi", "w14-----/------/b15-----/------|1,0|0,0|0,0|w|-", "no bar in this game"},
    {"backgammon", "w2----b5/-b3---w5/b5---w2-/w5----b2|0,0|1,0|0,0|w|-", "in hand in this game"},
    {"dutch", "------/------/------/------|0,0|15,15|0,0|w|h=bw", "not understood"},
    {"dutch", "------/------/------/------|0,0|15,15|0,0|w|h=", "not understood"},
    {"kiz-tavlasi", "------/------/------/w3w3w3w2w2w2|0,0|0,0|0,15|w|k=322111/000000",
     "not understood"},
    {"kiz-tavlasi", "------/------/------/w3w3w3w2w2w2|0,0|0,0|0,15|w|-", "not understood"},
    {"plakoto", "w2+b2-----/------/------/w13----b13|0,0|0,0|0,0|w|-", "not understood"},
    {"plakoto", "w2+w1-----/------/------/w12----b15|0,0|0,0|0,0|w|-", "not understood"},
    {"tavla", "w2+b1-----/------/------/w13----b14|0,0|0,0|0,0|w|-", "not understood"},
    {"xii-scripta", "------/------/------/------|0,0|15,15|0,0|w|-", "not understood"},
    {"fevga", "w15-----/------/b14-----/------|0,0|0,0|0,0|w|-", "black has 14 checkers, not 15"},
};

TEST_ROWS(position_is_refused, refused)
{
    const struct bg_variant *variant = bg_variant_find(refused[_i].game);
    struct bg_board board;
    int mover;

    ck_assert_int_eq(bg_position_text_read(&board, &mover, variant, refused[_i].position, &error),
                     BG_E_FORMAT);
    ck_assert_msg(strstr(error.text, refused[_i].message) != NULL, "%s", error.text);
}
