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
    const char *name;
    struct {
        int64_t points;                /* of the first game, of its winner */
        struct count notes[NOTES_MAX]; /* ends with zero times; other kinds may not occur */
    } read;
    const char *text;
} oddities[] = {
    {"plain", {1, {{0, 0}}}, MATCH},
    {"gives up with the other on roll",
     {1, {{FOREIGN_OUT_OF_TURN, 0}}},
     TO(5) GAME "                                      Wins 1 point\n"},
    {"resigns out of turn", {1, {{FOREIGN_OUT_OF_TURN, 1}}}, TO(5) GAME "      Wins 1 point\n"},
    {"both columns speak",
     {1, {{FOREIGN_LOSES, 1}}},
     TO(5) GAME
     "  2)  Doubles => 2                Drops\n  3)  Wins 1 point               Losses 1 "
     "point\n"},
    {"only the loser's column has a result",
     {1, {{FOREIGN_LOSES, 1}}},
     TO(5) GAME
     "  2)  Doubles => 2                Drops\n  3)                             Losses 1 "
     "point\n"},
    {"points capped",
     {1, {{0, 0}}},
     TO(1) GAME "                                      Wins 1 point\n"},
    {"a capped gammon",
     {4, {{FOREIGN_CAPPED, 1}}},
     TO(3) GAME "  2)  Doubles => 2                Takes\n  3) 65: 24/13                    43: "
                "13/9 13/10\n                                      Wins 3 points\n"},
    {"capital letters",
     {1, {{FOREIGN_CAPITALS, 1}}},
     TO(5) " Game 1\n" PLAYERS "  1) 31: 8/5 6/5                 52: 13/11 13/8\n"
           "  2) 64: 24/14*                  33: Bar/22 8/5(2) 6/3\n"
           "                                      Wins 1 point\n"},
    {"concedes",
     {1, {{FOREIGN_CONCEDES, 1}}},
     TO(5) GAME "  2) Concedes\n                                      Wins 1 point\n"},
    {"concedes a roll",
     {1, {{FOREIGN_CONCEDES, 1}}},
     TO(5) GAME "  2) 65: Concedes\n                                      Wins 1 point\n"},
    {"Latin-1",
     {1, {{FOREIGN_LATIN1, 1}}},
     " 5 point match\n\n Game 1\n J\xfcrgen : 0            Bob : 0\n" FIRST DROP},
    {"nameless",
     {1, {{FOREIGN_NAMELESS, 1}}},
     " 5 point match\n\n Game 1\n  : 0            Bob : 0\n" FIRST DROP},
    {"a gammon without a turned cube",
     {2, {{FOREIGN_NO_JACOBY, 1}}},
     TO(0) GAME "                                      Wins 2 points\n"},
    {"a winner by the next score",
     {2, {{FOREIGN_BY_SCORE, 1}}},
     TO(5) GAME "\n Game 2\n Alice : 0                      Bob : 2\n" FIRST DROP},
    {"broken off",
     {1, {{FOREIGN_UNFINISHED, 1}}},
     MATCH " Game 2\n Alice : 1                      Bob : 0\n" FIRST},
    {"a roll that nobody knows is given up",
     {1, {{0, 0}}},
     TO(5) GAME "  2) ????\n                                      Wins 1 point\n"},
    {"a comment behind the moves",
     {1, {{0, 0}}},
     TO(5) " Game 1\n" PLAYERS "  1) 31: 8/5 6/5                 42: 8/4 6/4   ; good\n" DROP},
    {"a comment with a colon behind the moves",
     {1, {{0, 0}}},
     TO(5) " Game 1\n" PLAYERS
           "  1) 31: 8/5 6/5                 42: 8/4 6/4   ; best: 13/9 (-0.1)\n" DROP},
    {"a comment in both columns",
     {1, {{0, 0}}},
     TO(5) " Game 1\n" PLAYERS "  1) 31: 8/5 6/5 ; one           42: 8/4 6/4   ; two\n" DROP},
    {"a comment behind a word",
     {1, {{0, 0}}},
     TO(5) GAME "  2)  Doubles => 2 ; bad: 52%     Drops ; good: 48%\n      Wins 1 point\n\n"},
    {"columns that stand close",
     {2, {{0, 0}}},
     TO(5) GAME
     "  2) Doubles => 2 Takes\n  3) 65: 24/13   Doubles => 4\n  4) Drops Wins 2 points\n"},
    {"a take and the next roll stand close",
     {2, {{0, 0}}},
     TO(5) " Game 1\n" PLAYERS
           "  1) 31: 8/5 6/5                 Doubles => 2\n  2) Takes   42: 8/4 6/4\n"
           "  3) Doubles => 4                Drops\n     Wins 2 points\n"},
    {"the game is over, in words",
     {1, {{FOREIGN_SKIPPED, 1}}},
     MATCH "Game over\n\n; [Site \"Game Server\"]\n" MATCH},
    {"pages", {1, {{0, 0}}}, TO(5) "\f\n" GOOD "\f\n"},
    {"points behind a drop that are not those of the rules",
     {1, {{FOREIGN_POINTS, 1}}},
     TO(5) GAME "  2)  Doubles => 2                Drops Wins 9 points\n"},
    {"a last line that says who won is not cut off",
     {3, {{FOREIGN_OUT_OF_TURN, 1}, {FOREIGN_POINTS, 1}}},
     TO(25) GAME "      Wins 9 points"},
    {"a capped result is given again, with the match",
     {4, {{FOREIGN_LOSES, 1}, {FOREIGN_CAPPED, 1}}},
     TO(3) GAME
     "  2)  Doubles => 2                Takes\n  3) 42: 8/4 6/4                  Doubles "
     "=> 4\n  4)  Takes                      61: 13/7 8/7\n"
     "  5) 61: 13/7 8/7                Losses 3 point\n\n"
     "      Wins 3 point and the match\n"},
    {"a result is given again with other points",
     {1, {{FOREIGN_POINTS, 1}}},
     TO(5) GAME DROP "      Wins 4 points\n"},
    {"the match is given up for a backgammon",
     {3, {{FOREIGN_MATCH_GIVEN, 1}}},
     TO(3) GAME "                                      Wins 5 points and the match\n"},
    {"the match is given up for more than a backgammon",
     {3, {{FOREIGN_MATCH_GIVEN, 1}}},
     TO(7) GAME "                                      Wins 7 points and the match\n"},
    {"the match is given up, without points",
     {2, {{FOREIGN_MATCH_GIVEN, 1}}},
     TO(2) GAME "                                      Wins the match\n"},
    {"a turn whose dice nobody knows",
     {1, {{FOREIGN_LEFT_TURN, 1}}},
     TO(3) " Game 1\n" PLAYERS FIRST
           "  2) \?\?: \?\?\?\?\n                                  Wins 1 point\n"},
    {"points below nothing",
     {1, {{FOREIGN_OUT_OF_TURN, 1}, {FOREIGN_POINTS, 1}}},
     TO(25) GAME "      Wins -3 points"},
    {"a turn that a server timed out",
     {1, {{FOREIGN_LEFT_TURN, 1}}},
     TO(3) " Game 1\n" PLAYERS FIRST
           "  2) 00: \?\?\?\?\n                                  Wins 1 point\n"},
    {"a result before the first roll",
     {1, {{FOREIGN_BEFORE_ROLL, 1}}},
     TO(3) " Game 1\n" PLAYERS "                                  Wins 1 point\n"},
    {"who gives up has had no turn yet",
     {1, {{FOREIGN_OUT_OF_TURN, 1}}},
     TO(3) " Game 1\n" PLAYERS "  1) 31: 8/5 6/5                 42:\n"
           "                                  Wins 1 point\n"},
    {"gnubg: the result behind the left player's roll, which was not played",
     {2, {{FOREIGN_OUT_OF_TURN, 1}}},
     TO(3) GAME "  2) 65:       Wins 2 points\n"},
    {"gnubg: the result behind the right player's roll, which was not played",
     {1, {{FOREIGN_OUT_OF_TURN, 1}}},
     TO(3) GAME "  2) 65: 24/18 18/13             43:  Wins 1 point\n"},
    {"who gives up has had no turn at this cube",
     {4, {{0, 0}}},
     TO(9) GAME "  2)  Doubles => 2                Takes\n  3) 65: 24/13\n"
                "                                 43:\n  4)      Wins 4 points\n"},
    {"the result stands in the other column",
     {1, {{FOREIGN_WINNER, 1}}},
     TO(5) GAME "\n      Wins 1 point\n\n Game 2\n Alice : 0                      Bob : 1\n" FIRST
                "  2)  Doubles => 2                Drops\n      Wins 1 point\n"},
    {"the result of a drop stands in the other column",
     {1, {{FOREIGN_WINNER, 1}}},
     TO(5) GAME "  2)  Doubles => 2                Drops\n"
                "                                 Wins 1 point\n"},
    {"the score does not follow",
     {1, {{FOREIGN_NEW_PART, 1}, {FOREIGN_MID_MATCH, 1}}},
     MATCH " Game 2\n Alice : 3                      Bob : 0\n" FIRST DROP},
    {"a transcription that begins in mid-match",
     {1, {{FOREIGN_MID_MATCH, 1}}},
     TO(5) " Game 4\n Alice : 2                      Bob : 3\n" FIRST DROP},
    {"a transcription that begins with Crawford's game",
     {1, {{FOREIGN_CRAWFORD, 1}}},
     TO(5) " Game 4\n Alice : 4                      Bob : 3\n" FIRST
           "                                  Wins 1 point\n"},
    {"a transcription that begins after Crawford's game",
     {1, {{FOREIGN_CRAWFORD, 1}, {FOREIGN_AFTER_CRAWFORD, 1}}},
     TO(5) " Game 4\n Alice : 4                      Bob : 3\n" FIRST
           "  2) 61: 13/7 8/7                 Doubles => 2\n  3)  Drops\n"
           "                                  Wins 1 point\n"},
    {"the last line is cut off within a play",
     {1, {{FOREIGN_UNFINISHED, 1}}},
     MATCH " Game 2\n Alice : 1                      Bob : 0\n" FIRST
           "  2) 52: 13/8 24/22              64: 24/1"},
    {"the last line is cut off within a number",
     {1, {{FOREIGN_UNFINISHED, 1}}},
     MATCH " Game 2\n Alice : 1                      Bob : 0\n" FIRST
           "  2) 52: 13/8 24/22              6"},
    {"moves with a dash",
     {1, {{0, 0}}},
     TO(5) " Game 1\n" PLAYERS "  1) 31: 8-5 6-5                 42: 8-4 6-4\n" DROP},
    {"other letters",
     {1, {{0, 0}}},
     " 5 POINT MATCH\n\n GAME 1\n" PLAYERS FIRST DROP
     " game 2\n Alice : 1                      Bob "
     ": 0\n" FIRST "                                      Wins 1 point\n"},
    {"the length in other words", {1, {{0, 0}}}, " Match to 5 points\n\n" GOOD},
    {"no length", {1, {{0, 0}}}, "Unlimited Match\n\n" GOOD},
    {"a colon in a name",
     {1, {{0, 0}}},
     " 5 point match\n\n Game 1\n Al:ice: : 0            B:o:b : 0\n" FIRST DROP},
    {"blanks of a page, and the end of a DOS file",
     {1, {{0, 0}}},
     TO(5) " Game 1\n" PLAYERS "  1) 31: 8/5 6/5 \xc2\xa0\xc2\xa0 42: 8/4 6/4\n" DROP "\x1a"},
    {"the winner is said again",
     {1, {{0, 0}}},
     TO(5) GAME "                                      Wins 1 point\n"
                "                                      Wins 1 point\n"},
    {"a line behind the end", {1, {{FOREIGN_SKIPPED, 1}}}, MATCH "analysed by nobody\n"},
    {"variations",
     {1, {{FOREIGN_SECOND_LINE, 1}}},
     TREE(SGF("3", "0", "0", "0") AB "RU[Crawford]RE[W+1]",
          ";W[31hefe](;B[42qusu];W[double];B[drop])(;B[42qusu])")},
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
        int times = expected(oddities[_i].read.notes, kind);

        ck_assert_msg(file.notes[kind] == times && heard.notes[kind] == times,
                      "%s: '%s' %d times, heard %d, expected %d", oddities[_i].name,
                      foreign_note_text((enum foreign_note)kind), file.notes[kind],
                      heard.notes[kind], times);
    }
    ck_assert_int_ge(file.matches, 1);
    ck_assert_msg(file.match[0].game[0].end.result.points == oddities[_i].read.points,
                  "%s: %lld points", oddities[_i].name,
                  (long long)file.match[0].game[0].end.result.points);
    foreign_file_deinit(&file);
}

/* `kept`: games of each match that is read. */
static const struct {
    const char *name;
    struct {
        int matches, kept[3], left_out;
    } read;
    const char *text, *why; /* why: in the message to the user */
} mixed[] = {
    {"the second of three",
     {2, {1, 1}, 1},
     MATCH TO(7) BAD OTHERS,
     "f:14: game 1: Alice, '31: 8/5 9/5': G"},
    {"the first", {1, {1}, 1}, TO(7) BAD OTHERS, "f:6: game 1: Alice"},
    {"the last", {1, {1}, 1}, MATCH TO(7) BAD, "f:14: "},
    {"a match whose second game is bad keeps its first",
     {2, {1, 1}, 1},
     MATCH " Game 2\n Alice : 1                      Bob : 0\n  1) 31: 7/4 6/5\n\n" OTHERS,
     "f:11: game 2: Alice, '31: 7/4 6/5'"},
    {"the games behind a bad one begin at their own score",
     {3, {1, 1, 1}, 1},
     MATCH " Game 2\n Alice : 1                      Bob : 0\n  1) 31: 7/4 6/5\n\n Game 3\n"
           " Alice : 1                      Bob : 2\n" FIRST DROP OTHERS,
     "f:11: game 2: Alice, '31: 7/4 6/5'"},
    {"an illegal play is told with its position",
     {2, {1, 1}, 1},
     MATCH BAD OTHERS,
     "in XGID=-b--B-D-B---eE---b-db---B-:0:0:-1:31:"},
    {"a play after a roll without one",
     {1, {1}, 1},
     TO(5) " Game 1\n" PLAYERS "  1) 62: 24/18 13/11              61: 13/7* 8/7\n"
           "  2) 66: bar/19 8/2\n     Wins 1 point\n\n" OTHERS,
     "no play is legal with this roll in XGID=aa----EBB---dDa--c-e----B-:0:0:-1:66:"},
    {"another winner behind the end",
     {2, {1, 1}, 1},
     TO(5) GAME "                                      Wins 1 point\n      Wins 1 point\n" OTHERS,
     "follows the end"},
    {"a variation that nobody knows",
     {1, {1}, 1},
     "; [Variation \"Tavli\"]\n" MATCH OTHERS,
     "the variation 'Tavli'"},
    {"a length that nobody plays",
     {1, {1}, 1},
     " 99999 point match\n\n" GOOD OTHERS,
     "99999 points"},
    {"of a money session one game", {1, {2}, 1}, TO(0) GOOD BAD GOOD, "f:12: game 1: Alice"},
    {"of a money session the last game", {1, {2}, 1}, TO(0) GOOD GOOD BAD, "game 1: Alice"},
    {"the loss of a bad game is forgotten",
     {1, {2}, 1},
     TO(0) GOOD GAME "  2) 31: 8/5 9/5\n  3)                             Losses 1 point\n" GOOD,
     "8/5 9/5"},
    {"a word that nobody knows", {1, {2}, 1}, TO(0) GOOD GAME "  2) hello\n" GOOD, "'hello'"},
    {"two bad ones", {1, {1}, 2}, TO(5) BAD OTHERS TO(7) BAD, "f:21: game 1: "},
    {"money games beside a bad match", {1, {1}, 1}, TO(5) BAD TO(0) GOOD, "f:6: "},
    {".sgf: the first game of the first match",
     {2, {1, 1}, 1},
     TREE(SGF("3", "0", "0", "0") AB "RE[W+1]", ";W[31hefd]")
         TREE(SGF("3", "1", "1", "0") AB "RE[W+1]", MOVES)
             TREE(SGF("5", "0", "0", "0") "PW[C]PB[D]RE[W+1]", MOVES),
     "f:2: game 1: A"},
    {".sgf: the second game",
     {2, {1, 1}, 1},
     TREE(SGF("3", "0", "0", "0") AB "RE[W+1]", MOVES)
         TREE(SGF("3", "1", "1", "0") AB "RE[W+1]", ";W[31hefd]")
             TREE(SGF("5", "0", "0", "0") "PW[C]PB[D]RE[W+1]", MOVES),
     "game 2: A"},
    {".sgf: a rematch behind a bad match is another one",
     {1, {1}, 1},
     TREE(SGF("3", "0", "0", "0") AB "RE[W+1]", ";W[31hefd]")
         TREE(SGF("3", "0", "0", "0") AB "RE[W+1]", MOVES),
     "f:2: game 1: A"},
    {".sgf: a root that cannot be read leaves the match before it",
     {1, {1}, 1},
     TREE(SGF("3", "0", "0", "0") AB "RE[W+1]", MOVES)
         TREE(SGF("5", "0", "0", "0") "PW[C]PB[D]RU[Hypergammon1]RE[W+1]", MOVES),
     "'Hypergammon1'"},
    {".sgf: a game of a money session",
     {1, {2}, 1},
     TREE(SGF("0", "0", "0", "0") AB "RE[W+1]", MOVES)
         TREE(SGF("0", "1", "1", "0") AB "RE[W+1]", ";W[31hefd]")
             TREE(SGF("0", "2", "2", "0") AB "RE[W+1]", MOVES),
     "game 2: A"},
};

TEST_ROWS(only_the_bad_match_is_left_out, mixed)
{
    struct foreign_file file;
    struct heard heard;

    ck_assert_msg(read_text(&file, &heard, mixed[_i].text, true, &error) == BG_OK, "%s: %s",
                  mixed[_i].name, error.text);
    ck_assert_msg(file.matches == mixed[_i].read.matches, "%s: %d matches", mixed[_i].name,
                  file.matches);
    for (int i = 0; i < file.matches; i++) {
        ck_assert_msg(file.match[i].games == mixed[_i].read.kept[i], "%s: match %d has %d games",
                      mixed[_i].name, i + 1, file.match[i].games);
    }
    ck_assert_msg(file.left_out == mixed[_i].read.left_out && heard.left_out == file.left_out,
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
