/* Matches of other programs: each oddity that is not read literally is noted, by kind and with its
 * count. A bad match of a file is left out, the others are kept; likewise a bad game of a money
 * session. tests/process/test_archive.py has whole archives.
 */
#define _GNU_SOURCE
#include "support/suite.h"

#include <format/foreign.h>
#include <format/foreign_names.h>

#include <stdio.h>
#include <string.h>

enum { NOTES_MAX = 4, NONE = -1 };

/* clang-format off */
#define PLAYERS    " Alice : 0                      Bob : 0\n"
#define FIRST      "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
#define TO(n)      " " #n " point match\n\n"
#define GAME       " Game 1\n" PLAYERS FIRST
#define DROP       "  2)  Doubles => 2                Drops\n      Wins 1 point\n\n"
#define GOOD       GAME DROP
#define MATCH      TO(5) GOOD
#define BAD        GAME "  2) 31: 8/5 9/5                 42: 8/4 6/4\n      Wins 1 point\n\n"
#define OTHERS     " 3 point match\n\n Game 1\n Carol : 0                      Dave : 0\n" FIRST \
                   "      Wins 2 points\n\n"
#define WHITE_WON  "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]RE[W+1]\n" \
                   ";W[31hefe];B[42lplq];W[double];B[drop])\n"
#define TREE(root, moves) "(;FF[4]GM[6]" root "\n" moves ")\n"
#define SGF(n, g, a, b)  "MI[length:" n "][game:" g "][ws:" a "][bs:" b "]"
#define AB         "PW[A]PB[B]"
#define MOVES      ";W[31hefe];B[42qusu];W[double];B[drop]"
/* clang-format on */

struct count {
    int kind, times;
};

static const struct {
    const char *name, *text;
    struct count notes[NOTES_MAX]; /* ends with zero times; other kinds may not occur */
    int64_t points;                /* of the first game, of its winner */
} oddities[] = {
    {"plain", MATCH, {{0, 0}}, 1},
    {"gives up with the other on roll",
     TO(5) GAME "                                      Wins 1 point\n",
     {{FOREIGN_OUT_OF_TURN, 0}},
     1},
    {"resigns out of turn", TO(5) GAME "      Wins 1 point\n", {{FOREIGN_OUT_OF_TURN, 1}}, 1},
    {"both columns speak",
     TO(5) GAME
     "  2)  Doubles => 2                Drops\n  3)  Wins 1 point               Losses 1 "
     "point\n",
     {{FOREIGN_LOSES, 1}},
     1},
    {"only the loser's column has a result",
     TO(5) GAME
     "  2)  Doubles => 2                Drops\n  3)                             Losses 1 "
     "point\n",
     {{FOREIGN_LOSES, 1}},
     1},
    {"points capped",
     TO(1) GAME "                                      Wins 1 point\n",
     {{0, 0}},
     1},
    {"a capped gammon",
     TO(3) GAME "  2)  Doubles => 2                Takes\n  3) 65: 24/13                    43: "
                "13/9 13/10\n                                      Wins 3 points\n",
     {{FOREIGN_CAPPED, 1}},
     4},
    {"capital letters",
     TO(5) " Game 1\n" PLAYERS "  1) 31: 8/5 6/5                 52: 13/11 13/8\n"
           "  2) 64: 24/14*                  33: Bar/22 8/5(2) 6/3\n"
           "                                      Wins 1 point\n",
     {{FOREIGN_CAPITALS, 1}},
     1},
    {"concedes",
     TO(5) GAME "  2) Concedes\n                                      Wins 1 point\n",
     {{FOREIGN_CONCEDES, 1}},
     1},
    {"concedes a roll",
     TO(5) GAME "  2) 65: Concedes\n                                      Wins 1 point\n",
     {{FOREIGN_CONCEDES, 1}},
     1},
    {"Latin-1",
     " 5 point match\n\n Game 1\n J\xfcrgen : 0            Bob : 0\n" FIRST DROP,
     {{FOREIGN_LATIN1, 1}},
     1},
    {"nameless",
     " 5 point match\n\n Game 1\n  : 0            Bob : 0\n" FIRST DROP,
     {{FOREIGN_NAMELESS, 1}},
     1},
    {"a gammon without a turned cube",
     TO(0) GAME "                                      Wins 2 points\n",
     {{FOREIGN_NO_JACOBY, 1}},
     2},
    {"a winner by the next score",
     TO(5) GAME "\n Game 2\n Alice : 0                      Bob : 2\n" FIRST DROP,
     {{FOREIGN_BY_SCORE, 1}},
     2},
    {"broken off",
     MATCH " Game 2\n Alice : 1                      Bob : 0\n" FIRST,
     {{FOREIGN_UNFINISHED, 1}},
     1},
    {"a roll that nobody knows is given up",
     TO(5) GAME "  2) ????\n                                      Wins 1 point\n",
     {{0, 0}},
     1},
    {"a comment behind the moves",
     TO(5) " Game 1\n" PLAYERS "  1) 31: 8/5 6/5                 42: 8/4 6/4   ; good\n" DROP,
     {{0, 0}},
     1},
    {"a comment with a colon behind the moves",
     TO(5) " Game 1\n" PLAYERS
           "  1) 31: 8/5 6/5                 42: 8/4 6/4   ; best: 13/9 (-0.1)\n" DROP,
     {{0, 0}},
     1},
    {"a comment in both columns",
     TO(5) " Game 1\n" PLAYERS "  1) 31: 8/5 6/5 ; one           42: 8/4 6/4   ; two\n" DROP,
     {{0, 0}},
     1},
    {"a comment behind a word",
     TO(5) GAME "  2)  Doubles => 2 ; bad: 52%     Drops ; good: 48%\n      Wins 1 point\n\n",
     {{0, 0}},
     1},
    {"columns that stand close",
     TO(5) GAME
     "  2) Doubles => 2 Takes\n  3) 65: 24/13   Doubles => 4\n  4) Drops Wins 2 points\n",
     {{0, 0}},
     2},
    {"a take and the next roll stand close",
     TO(5) " Game 1\n" PLAYERS
           "  1) 31: 8/5 6/5                 Doubles => 2\n  2) Takes   42: 8/4 6/4\n"
           "  3) Doubles => 4                Drops\n     Wins 2 points\n",
     {{0, 0}},
     2},
    {"the game is over, in words",
     MATCH "Game over\n\n; [Site \"Game Server\"]\n" MATCH,
     {{FOREIGN_SKIPPED, 1}},
     1},
    {"pages", TO(5) "\f\n" GOOD "\f\n", {{0, 0}}, 1},
    {"points behind a drop that are not those of the rules",
     TO(5) GAME "  2)  Doubles => 2                Drops Wins 9 points\n",
     {{FOREIGN_POINTS, 1}},
     1},
    {"a last line that says who won is not cut off",
     TO(25) GAME "      Wins 9 points",
     {{FOREIGN_OUT_OF_TURN, 1}, {FOREIGN_POINTS, 1}},
     3},
    {"a capped result is given again, with the match",
     TO(3) GAME
     "  2)  Doubles => 2                Takes\n  3) 42: 8/4 6/4                  Doubles "
     "=> 4\n  4)  Takes                      61: 13/7 8/7\n"
     "  5) 61: 13/7 8/7                Losses 3 point\n\n"
     "      Wins 3 point and the match\n",
     {{FOREIGN_LOSES, 1}, {FOREIGN_CAPPED, 1}},
     4},
    {"a result is given again with other points",
     TO(5) GAME DROP "      Wins 4 points\n",
     {{FOREIGN_POINTS, 1}},
     1},
    {"the match is given up for a backgammon",
     TO(3) GAME "                                      Wins 5 points and the match\n",
     {{FOREIGN_MATCH_GIVEN, 1}},
     3},
    {"the match is given up for more than a backgammon",
     TO(7) GAME "                                      Wins 7 points and the match\n",
     {{FOREIGN_MATCH_GIVEN, 1}},
     3},
    {"the match is given up, without points",
     TO(2) GAME "                                      Wins the match\n",
     {{FOREIGN_MATCH_GIVEN, 1}},
     2},
    {"a turn whose dice nobody knows",
     TO(3) " Game 1\n" PLAYERS FIRST
           "  2) \?\?: \?\?\?\?\n                                  Wins 1 point\n",
     {{FOREIGN_LEFT_TURN, 1}},
     1},
    {"points below nothing",
     TO(25) GAME "      Wins -3 points",
     {{FOREIGN_OUT_OF_TURN, 1}, {FOREIGN_POINTS, 1}},
     1},
    {"a turn that a server timed out",
     TO(3) " Game 1\n" PLAYERS FIRST
           "  2) 00: \?\?\?\?\n                                  Wins 1 point\n",
     {{FOREIGN_LEFT_TURN, 1}},
     1},
    {"a result before the first roll",
     TO(3) " Game 1\n" PLAYERS "                                  Wins 1 point\n",
     {{FOREIGN_BEFORE_ROLL, 1}},
     1},
    {"who gives up has had no turn yet",
     TO(3) " Game 1\n" PLAYERS "  1) 31: 8/5 6/5                 42:\n"
           "                                  Wins 1 point\n",
     {{FOREIGN_OUT_OF_TURN, 1}},
     1},
    {"gnubg: the result behind the left player's roll, which was not played",
     TO(3) GAME "  2) 65:       Wins 2 points\n",
     {{FOREIGN_OUT_OF_TURN, 1}},
     2},
    {"gnubg: the result behind the right player's roll, which was not played",
     TO(3) GAME "  2) 65: 24/18 18/13             43:  Wins 1 point\n",
     {{FOREIGN_OUT_OF_TURN, 1}},
     1},
    {"who gives up has had no turn at this cube",
     TO(9) GAME "  2)  Doubles => 2                Takes\n  3) 65: 24/13\n"
                "                                 43:\n  4)      Wins 4 points\n",
     {{0, 0}},
     4},
    {"the result stands in the other column",
     TO(5) GAME "\n      Wins 1 point\n\n Game 2\n Alice : 0                      Bob : 1\n" FIRST
                "  2)  Doubles => 2                Drops\n      Wins 1 point\n",
     {{FOREIGN_WINNER, 1}},
     1},
    {"the result of a drop stands in the other column",
     TO(5) GAME "  2)  Doubles => 2                Drops\n"
                "                                 Wins 1 point\n",
     {{FOREIGN_WINNER, 1}},
     1},
    {"the score does not follow",
     MATCH " Game 2\n Alice : 3                      Bob : 0\n" FIRST DROP,
     {{FOREIGN_NEW_PART, 1}, {FOREIGN_MID_MATCH, 1}},
     1},
    {"a transcription that begins in mid-match",
     TO(5) " Game 4\n Alice : 2                      Bob : 3\n" FIRST DROP,
     {{FOREIGN_MID_MATCH, 1}},
     1},
    {"a transcription that begins with Crawford's game",
     TO(5) " Game 4\n Alice : 4                      Bob : 3\n" FIRST
           "                                  Wins 1 point\n",
     {{FOREIGN_CRAWFORD, 1}},
     1},
    {"a transcription that begins after Crawford's game",
     TO(5) " Game 4\n Alice : 4                      Bob : 3\n" FIRST
           "  2) 61: 13/7 8/7                 Doubles => 2\n  3)  Drops\n"
           "                                  Wins 1 point\n",
     {{FOREIGN_CRAWFORD, 1}, {FOREIGN_AFTER_CRAWFORD, 1}},
     1},
    {"the last line is cut off within a play",
     MATCH " Game 2\n Alice : 1                      Bob : 0\n" FIRST
           "  2) 52: 13/8 24/22              64: 24/1",
     {{FOREIGN_UNFINISHED, 1}},
     1},
    {"the last line is cut off within a number",
     MATCH " Game 2\n Alice : 1                      Bob : 0\n" FIRST
           "  2) 52: 13/8 24/22              6",
     {{FOREIGN_UNFINISHED, 1}},
     1},
    {"moves with a dash",
     TO(5) " Game 1\n" PLAYERS "  1) 31: 8-5 6-5                 42: 8-4 6-4\n" DROP,
     {{0, 0}},
     1},
    {"other letters",
     " 5 POINT MATCH\n\n GAME 1\n" PLAYERS FIRST DROP
     " game 2\n Alice : 1                      Bob "
     ": 0\n" FIRST "                                      Wins 1 point\n",
     {{0, 0}},
     1},
    {"the length in other words", " Match to 5 points\n\n" GOOD, {{0, 0}}, 1},
    {"no length", "Unlimited Match\n\n" GOOD, {{0, 0}}, 1},
    {"a colon in a name",
     " 5 point match\n\n Game 1\n Al:ice: : 0            B:o:b : 0\n" FIRST DROP,
     {{0, 0}},
     1},
    {"blanks of a page, and the end of a DOS file",
     TO(5) " Game 1\n" PLAYERS "  1) 31: 8/5 6/5 \xc2\xa0\xc2\xa0 42: 8/4 6/4\n" DROP "\x1a",
     {{0, 0}},
     1},
    {"the winner is said again",
     TO(5) GAME "                                      Wins 1 point\n"
                "                                      Wins 1 point\n",
     {{0, 0}},
     1},
    {"a line behind the end", MATCH "analysed by nobody\n", {{FOREIGN_SKIPPED, 1}}, 1},
    {"variations",
     TREE(SGF("3", "0", "0", "0") AB "RU[Crawford]RE[W+1]",
          ";W[31hefe](;B[42qusu];W[double];B[drop])(;B[42qusu])"),
     {{FOREIGN_SECOND_LINE, 1}},
     1},
};

struct heard {
    int notes[FOREIGN_NOTES], left_out;
    enum bg_status status;
    char why[512];
};

static void note(void *user, enum foreign_note kind, const char *sentence)
{
    ck_assert_msg(strstr(sentence, foreign_note_text(kind)) != NULL && sentence[0] == 'f',
                  "note %d: '%s'", kind, sentence);
    ((struct heard *)user)->notes[kind]++;
}

static void leave_out(void *user, enum bg_status status, const char *why)
{
    struct heard *heard = user;

    heard->left_out++;
    heard->status = status;
    snprintf(heard->why + strlen(heard->why), sizeof heard->why - strlen(heard->why), "%s\n", why);
}

static enum bg_status read_text(struct foreign_file *file, struct heard *heard, const char *text,
                                bool goes_on, struct bg_error *err)
{
    struct foreign_user user = {
        .user = heard, .noted = note, .left_out = goes_on ? leave_out : NULL};

    *heard = (struct heard){.left_out = 0};
    return foreign_read(file, text, strlen(text), "f", &user, err);
}

static int expected(const struct count notes[NOTES_MAX], int kind)
{
    for (int i = 0; i < NOTES_MAX; i++) {
        if (notes[i].times > 0 && notes[i].kind == kind) {
            return notes[i].times;
        }
    }
    return 0;
}

TEST_ROWS(oddities_are_noted_by_kind, oddities)
{
    struct foreign_file file;
    struct heard heard;

    ck_assert_msg(read_text(&file, &heard, oddities[_i].text, false, &error) == BG_OK, "%s: %s",
                  oddities[_i].name, error.text);
    for (int kind = 0; kind < FOREIGN_NOTES; kind++) {
        int times = expected(oddities[_i].notes, kind);

        ck_assert_msg(file.notes[kind] == times && heard.notes[kind] == times,
                      "%s: '%s' %d times, heard %d, expected %d", oddities[_i].name,
                      foreign_note_text((enum foreign_note)kind), file.notes[kind],
                      heard.notes[kind], times);
    }
    ck_assert_int_ge(file.matches, 1);
    ck_assert_msg(file.match[0].game[0].end.result.points == oddities[_i].points, "%s: %lld points",
                  oddities[_i].name, (long long)file.match[0].game[0].end.result.points);
    foreign_file_deinit(&file);
}

/* `kept`: games of each match that is read. */
static const struct {
    const char *name, *text;
    int matches, kept[3], left_out;
    const char *why; /* in the message to the user */
} mixed[] = {
    {"the second of three",
     MATCH TO(7) BAD OTHERS,
     2,
     {1, 1},
     1,
     "f:14: game 1: Alice, '31: 8/5 9/5': G"},
    {"the first", TO(7) BAD OTHERS, 1, {1}, 1, "f:6: game 1: Alice"},
    {"the last", MATCH TO(7) BAD, 1, {1}, 1, "f:14: "},
    {"a match whose second game is bad keeps its first",
     MATCH " Game 2\n Alice : 1                      Bob : 0\n  1) 31: 7/4 6/5\n\n" OTHERS,
     2,
     {1, 1},
     1,
     "f:11: game 2: Alice, '31: 7/4 6/5'"},
    {"the games behind a bad one begin at their own score",
     MATCH " Game 2\n Alice : 1                      Bob : 0\n  1) 31: 7/4 6/5\n\n Game 3\n"
           " Alice : 1                      Bob : 2\n" FIRST DROP OTHERS,
     3,
     {1, 1, 1},
     1,
     "f:11: game 2: Alice, '31: 7/4 6/5'"},
    {"an illegal play is told with its position",
     MATCH BAD OTHERS,
     2,
     {1, 1},
     1,
     "in XGID=-b--B-D-B---eE---b-db---B-:0:0:-1:31:"},
    {"a play after a roll without one",
     TO(5) " Game 1\n" PLAYERS "  1) 62: 24/18 13/11              61: 13/7* 8/7\n"
           "  2) 66: bar/19 8/2\n     Wins 1 point\n\n" OTHERS,
     1,
     {1},
     1,
     "no play is legal with this roll in XGID=aa----EBB---dDa--c-e----B-:0:0:-1:66:"},
    {"another winner behind the end",
     TO(5) GAME "                                      Wins 1 point\n      Wins 1 point\n" OTHERS,
     2,
     {1, 1},
     1,
     "follows the end"},
    {"a variation that nobody knows",
     "; [Variation \"Tavli\"]\n" MATCH OTHERS,
     1,
     {1},
     1,
     "the variation 'Tavli'"},
    {"a length that nobody plays", " 99999 point match\n\n" GOOD OTHERS, 1, {1}, 1, "99999 points"},
    {"of a money session one game", TO(0) GOOD BAD GOOD, 1, {2}, 1, "f:12: game 1: Alice"},
    {"of a money session the last game", TO(0) GOOD GOOD BAD, 1, {2}, 1, "game 1: Alice"},
    {"the loss of a bad game is forgotten",
     TO(0) GOOD GAME "  2) 31: 8/5 9/5\n  3)                             Losses 1 point\n" GOOD,
     1,
     {2},
     1,
     "8/5 9/5"},
    {"a word that nobody knows", TO(0) GOOD GAME "  2) hello\n" GOOD, 1, {2}, 1, "'hello'"},
    {"two bad ones", TO(5) BAD OTHERS TO(7) BAD, 1, {1}, 2, "f:21: game 1: "},
    {"money games beside a bad match", TO(5) BAD TO(0) GOOD, 1, {1}, 1, "f:6: "},
    {".sgf: the first game of the first match",
     TREE(SGF("3", "0", "0", "0") AB "RE[W+1]", ";W[31hefd]")
         TREE(SGF("3", "1", "1", "0") AB "RE[W+1]", MOVES)
             TREE(SGF("5", "0", "0", "0") "PW[C]PB[D]RE[W+1]", MOVES),
     2,
     {1, 1},
     1,
     "f:2: game 1: A"},
    {".sgf: the second game",
     TREE(SGF("3", "0", "0", "0") AB "RE[W+1]", MOVES)
         TREE(SGF("3", "1", "1", "0") AB "RE[W+1]", ";W[31hefd]")
             TREE(SGF("5", "0", "0", "0") "PW[C]PB[D]RE[W+1]", MOVES),
     2,
     {1, 1},
     1,
     "game 2: A"},
    {".sgf: a rematch behind a bad match is another one",
     TREE(SGF("3", "0", "0", "0") AB "RE[W+1]", ";W[31hefd]")
         TREE(SGF("3", "0", "0", "0") AB "RE[W+1]", MOVES),
     1,
     {1},
     1,
     "f:2: game 1: A"},
    {".sgf: a root that cannot be read leaves the match before it",
     TREE(SGF("3", "0", "0", "0") AB "RE[W+1]", MOVES)
         TREE(SGF("5", "0", "0", "0") "PW[C]PB[D]RU[Hypergammon1]RE[W+1]", MOVES),
     1,
     {1},
     1,
     "'Hypergammon1'"},
    {".sgf: a game of a money session",
     TREE(SGF("0", "0", "0", "0") AB "RE[W+1]", MOVES)
         TREE(SGF("0", "1", "1", "0") AB "RE[W+1]", ";W[31hefd]")
             TREE(SGF("0", "2", "2", "0") AB "RE[W+1]", MOVES),
     1,
     {2},
     1,
     "game 2: A"},
};

TEST_ROWS(only_the_bad_match_is_left_out, mixed)
{
    struct foreign_file file;
    struct heard heard;

    ck_assert_msg(read_text(&file, &heard, mixed[_i].text, true, &error) == BG_OK, "%s: %s",
                  mixed[_i].name, error.text);
    ck_assert_msg(file.matches == mixed[_i].matches, "%s: %d matches", mixed[_i].name,
                  file.matches);
    for (int i = 0; i < file.matches; i++) {
        ck_assert_msg(file.match[i].games == mixed[_i].kept[i], "%s: match %d has %d games",
                      mixed[_i].name, i + 1, file.match[i].games);
    }
    ck_assert_msg(file.left_out == mixed[_i].left_out && heard.left_out == file.left_out,
                  "%s: %d left out, %d heard", mixed[_i].name, file.left_out, heard.left_out);
    ck_assert_msg(strstr(heard.why, mixed[_i].why) != NULL, "%s: '%s'", mixed[_i].name, heard.why);
    ck_assert(heard.status == BG_E_MISMATCH || heard.status == BG_E_FORMAT);
    foreign_file_deinit(&file);

    /* a reader that does not continue returns the first of them as an error */
    ck_assert(read_text(&file, &heard, mixed[_i].text, false, &error) != BG_OK);
    ck_assert_int_eq(file.matches, 0);
}

/* A file without a good match is an error, with its first mistake. */
static const struct {
    const char *name, *text, *why;
    enum bg_status status;
} hopeless[] = {
    {"one bad match", TO(5) BAD, "f:6: game 1: Alice, '31: 8/5 9/5': G", BG_E_MISMATCH},
    {"two bad matches", TO(5) BAD TO(7) BAD, "f:6: game 1: Alice", BG_E_MISMATCH},
    {"a roll behind a take that breaks a rule",
     TO(5) " Game 1\n" PLAYERS
           "  1) 31: 8/5 6/5                 Doubles => 2\n  2) Takes 66: 24/18 24/18\n"
           "     Wins 2 points\n",
     "Bob, '66: 24/18 24/18'", BG_E_MISMATCH},
    {"a file of eXtreme Gammon", "RGMH\x01\x02", "f: a file of eXtreme Gammon", BG_E_FORMAT},
    {"an archive", "PK\x03\x04", "f: a .zip archive", BG_E_FORMAT},
    {"a web page", "<!doctype html>\n", "f: a web page", BG_E_FORMAT},
    {"no match", "hello\nworld\n", "not a .mat file", BG_E_FORMAT},
    {"a money session of one bad game", TO(0) BAD, "f:6: game 1: Alice", BG_E_MISMATCH},
    {"a variation", "; [Variation \"Tavli\"]\n" MATCH, "the variation 'Tavli'", BG_E_FORMAT},
    {".sgf without an end", "(;FF[4]GM[6]" SGF("3", "0", "0", "0") AB "\n;W[31hefe]",
     "the file ends within a game", BG_E_FORMAT},
};

TEST_ROWS(a_file_without_a_good_match_is_an_error, hopeless)
{
    struct foreign_file file;
    struct heard heard;
    enum bg_status status = read_text(&file, &heard, hopeless[_i].text, true, &error);

    ck_assert_msg(status == hopeless[_i].status, "%s: status %d, %s", hopeless[_i].name, status,
                  error.text);
    ck_assert_msg(strstr(error.text, hopeless[_i].why) != NULL, "%s: '%s'", hopeless[_i].name,
                  error.text);
    ck_assert_int_eq(heard.left_out, 0);
    ck_assert_int_eq(file.matches, 0);
}

TEST(names_in_a_windows_encoding_keep_their_letters)
{
    static const struct {
        const char *bytes, *display, *id;
    } name[] = {{"\x8aime O\x92Neil \x9c", "\u0160ime O\u2019Neil \u0153", "Sime-O-Neil-o"},
                {"J\xfcrgen \x80", "J\u00fcrgen \u20ac", "Jurgen"},
                {"a\x81\x8d\x9f"
                 "b",
                 "a\u0178b", "aYb"}}; /* 81 and 8d are not letters */

    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        char display[FOREIGN_NAME], id[65];
        bool latin1 = false;

        foreign_display_name(display, &latin1, name[i].bytes, strlen(name[i].bytes));
        foreign_bot_name(id, display);
        ck_assert(latin1);
        ck_assert_str_eq(display, name[i].display);
        ck_assert_str_eq(id, name[i].id);
    }
}
