/* Positions as people paste them: boards of FIBS (the example of its protocol's page and its mirror
 * images), OGIDs, and what gnubg and eXtreme Gammon print around a position. */
#include "support/suite.h"

#include <format/positions.h>

#include <string.h>

#define BOARD      "-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
#define MIRROR     "2:0:0:0:0:-5:0:-3:0:0:0:5:-5:0:0:0:3:0:5:0:0:0:0:-2:0"
#define START      "-b----E-C---eE---c-e----B-"
#define OGID_BOARD "11jjjjjhhhccccc:ooddddd88866666"

static const struct {
    const char *name, *text, *xgid;
} rows[] = {
    {"FIBS: O, from 24 to 1",
     "board:You:someplayer:3:0:1:0:" BOARD ":1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
     START ":0:0:1:62:0:1:0:3:10"},
    {"FIBS: X, from 1 to 24, is seen from the other side",
     "board:You:someplayer:3:0:1:0:" BOARD ":1:0:0:6:2:1:1:1:0:-1:1:25:0:0:0:0:0:2:0:0:0",
     START ":0:0:-1:62:0:1:0:3:10"},
    {"FIBS: X, from 24 to 1",
     "board:You:someplayer:3:0:1:0:" MIRROR ":-1:6:2:0:0:1:1:1:0:-1:-1:0:25:0:0:0:0:2:0:0:0",
     START ":0:0:1:62:0:1:0:3:10"},
    {"FIBS: O, from 1 to 24",
     "board:You:them:3:0:1:0:" MIRROR ":1:0:0:0:0:1:1:1:0:1:1:25:0:0:0:0:0:0:0:0:0",
     START ":0:0:1:00:0:1:0:3:10"},
    {"FIBS: unlimited, the opponent owns a cube of 4 and has doubled",
     "board:You:them:9999:7:9:0:" BOARD ":-1:0:0:0:0:4:0:1:1:1:-1:0:25:0:0:0:0:0:0:0:0",
     START ":2:-1:-1:D:7:9:1:0:10"},
    {"FIBS: checkers on both bars",
     "board:You:them:5:4:0:-1:-2:0:2:2:3:3:2:1:0:0:0:0:1:0:0:1:0:-3:-3:-2:-2:0:-2:0:0:-1:0:0:6:4:1:"
     "1:1:0:1:-1:0:25:0:0:0:1:2:5:0:0",
     "ab-BBCCBA----A--A-ccbb-b--:0:0:-1:64:4:0:1:5:10"},
    {"FIBS: after the Crawford game",
     "board:You:them:5:4:1:0:" BOARD ":1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:0\r\n",
     START ":0:0:1:00:4:1:0:5:10"},
    {"OGID: who acted last is not on roll", OGID_BOARD ":N0N:52:W:IW:0:0:7:0",
     START ":0:0:1:52:0:0:0:7:10"},
    {"OGID: before the first roll White begins", OGID_BOARD ":N0N::W:IW:0:0:1:0",
     START ":0:0:-1:00:0:0:0:1:10"},
    {"OGID: Crawford, cube of Black", "OGID=" OGID_BOARD ":B2N:63:B:R:6:5:7C:12",
     START ":2:1:-1:63:5:6:1:7:10"},
    {"OGID: a double is offered", OGID_BOARD ":W1O::W:D:1:2:5:3", START ":1:-1:-1:D:2:1:0:5:10"},
    {"OGID: bars and checkers off", "00jjjq:66ppp:N0N::B:R:0:0:0:4",
     "b-----B------------c-----C:0:0:-1:00:0:0:1:0:10"},
    {"OGID: only board and cube", OGID_BOARD ":N0N", START ":0:0:1:00:0:0:1:0:10"},
    {"gnubg's text",
     " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : "
     "cAkAAAAAAAAA\n +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg\n",
     START ":0:0:1:00:0:0:1:0:10"},
    {"gnubg's Position ID alone", "Position ID: 4HPwATDgc/ABMA", START ":0:0:1:00:0:0:1:0:10"},
    {"eXtreme Gammon's text",
     "XGID=" START
     ":1:-1:1:52:2:0:0:5:8\n\nX:Player 1   O:Player 2\nScore is X:2 O:0 5 pt.(s) match.\n",
     START ":1:-1:1:52:2:0:0:5:8"},
    {"blanks around", "  4HPwATDgc/ABMA\r\n", START ":0:0:1:00:0:0:1:0:10"},
};

TEST_ROWS(pasted_texts_are_read, rows)
{
    struct position position;
    char xgid[BG_XGID];

    ck_assert_msg(position_read(&position, rows[_i].text, &error) == BG_OK, "%s: %s", rows[_i].name,
                  error.text);
    ck_assert_msg(position_xgid_write(xgid, &position, &error) == BG_OK, "%s: %s", rows[_i].name,
                  error.text);
    ck_assert_msg(strcmp(xgid + strlen("XGID="), rows[_i].xgid) == 0, "%s: %s", rows[_i].name,
                  xgid);
}

static const struct {
    const char *text, *why;
} wrong[] = {
    {"", "not a position"},
    {"hello world", "not a position"},
    {"board:You:them:3", "FIBS board: 4 fields"},
    {"board:You:them:x:0:1:0:" BOARD ":1:6:2:0:0:1:1:1:0:1:-1:0:25", "match length 'x'"},
    {"board:You:them:3:0:1:0:" BOARD ":0:6:2:0:0:1:1:1:0:1:-1:0:25", "the game is over"},
    {"board:You:them:3:0:1:0:" BOARD ":1:6:0:0:0:1:1:1:0:1:-1:0:25", "the dice 6 and 0"},
    {"board:You:them:3:0:1:0:" BOARD ":1:6:2:0:0:3:1:1:0:1:-1:0:25", "cube 3"},
    {"board:You:them:3:0:1:4:" BOARD ":1:6:2:0:0:1:1:1:0:1:-1:0:25", "other bar"},
    {"board:You:them:3:0:1:0:9:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:"
     "0:"
     "1:-1:0:25",
     "24 checkers"},
    {"board:You:them:3:0:1:0:99:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:"
     "0:1:-1:0:25",
     "number of checkers '99'"},
    {OGID_BOARD ":N0N:72:W", "dice '72'"},
    {OGID_BOARD ":N0N:52:X", "colour 'X'"},
    {OGID_BOARD ":N0P:52:W", "game is over"},
    {OGID_BOARD ":N0N:52:W:IW:0:0:x7:0", "match length"},
    {OGID_BOARD ":N0N:52:W:IW:0:0:7:0:12", "number of checkers '12'"},
    {"p1jjjjjhhhccccc:ooddddd88866666:N0N:52:W", "no checker of White can stand at 'p'"},
    {"11jjjjjhhhccccc:1oddddd88866666:N0N:52:W", "both sides are on point 1"},
    {"111jjjjjhhhccccc:ooddddd88866666:N0N:52:W", "16 checkers"},
    {"OGID=hello", "expected WHITE:BLACK:CUBE"},
    {"XGID=" START ":0:0:1:52:0:0", "should follow"},
};

TEST_ROWS(wrong_texts_are_refused_by_their_field, wrong)
{
    struct position position = {.cube_limit = 77};

    ck_assert_msg(position_read(&position, wrong[_i].text, &error) == BG_E_FORMAT, "%s",
                  wrong[_i].text);
    ck_assert_msg(strstr(error.text, wrong[_i].why) != NULL, "%s: %s", wrong[_i].text, error.text);
    ck_assert_int_eq(position.cube_limit, 77);
}
