/* Questions of other programs to our bots: the owner of score, cube and board. */
#include "check/fibs.h"
#include "check/ubgi.h"
#include "support/suite.h"

#include <string.h>

#include <bgref/notation.h>

#define SETUP "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:"
#define TAIL  ":1:-1:0:25:0:0:0:0:0:0:"
/* The positive side has a checker on the bar and one borne off, the negative side two on its ace
 * point. */
#define UNEVEN "0:0:0:0:0:0:13:0:0:0:0:0:0:0:0:0:0:0:-13:0:0:0:0:0:-2:1:"

static void read_line(struct fibs *out, const char *line)
{
    ck_assert_msg(fibs_read(out, line, &error) == BG_OK, "%s: %s", line, error.text);
}

/* Player 0 has the first score and the negative checkers; after a double names and scores are
 * exchanged, and turn is the doubler's. */
static const struct {
    const char *line;
    int need;
    int64_t own, opponent;
    int cube_log2, cube_owner;
    bool crawford;
} rows[] = {
    {"board:A:B:5:3:1:" SETUP "-1:3:1:3:1:1:1:1:0" TAIL "0:1", BG_NEED_PLAY, 3, 1, 0, BG_CENTRED,
     0},
    {"board:A:B:5:3:1:" SETUP "1:3:1:3:1:1:1:1:0" TAIL "0:1", BG_NEED_PLAY, 1, 3, 0, BG_CENTRED, 0},
    {"board:A:B:7:3:1:" SETUP "-1:0:0:0:0:2:0:1:0" TAIL "0:1", BG_NEED_DOUBLE, 3, 1, 1, 0, 0},
    {"board:A:B:7:3:1:" SETUP "-1:6:1:6:1:2:1:0:0" TAIL "0:1", BG_NEED_PLAY, 3, 1, 1, 1, 0},
    /* B, player 1, doubles: A takes with its own score, the second. */
    {"board:B:A:5:1:3:" SETUP "1:0:0:0:0:1:1:1:1" TAIL "0:1", BG_NEED_TAKE, 3, 1, 0, BG_CENTRED, 0},
    /* A, player 0, doubles: B takes, its score is the first. */
    {"board:B:A:5:1:3:" SETUP "-1:0:0:0:0:1:1:1:1" TAIL "0:1", BG_NEED_TAKE, 1, 3, 0, BG_CENTRED,
     0},
    {"board:A:B:5:4:1:" SETUP "-1:3:1:3:1:1:1:1:0" TAIL "0:0", BG_NEED_PLAY, 4, 1, 0, BG_CENTRED,
     1},
    {"board:A:B:5:4:1:" SETUP "-1:3:1:3:1:1:1:1:0" TAIL "1:1", BG_NEED_PLAY, 4, 1, 0, BG_CENTRED,
     0},
    {"board:A:B:0:7:2:" SETUP "-1:3:1:3:1:1:1:1:0" TAIL "0:1", BG_NEED_PLAY, 0, 0, 0, BG_CENTRED,
     0},
};

TEST_ROWS(test_question_fields, rows)
{
    struct fibs fibs;

    read_line(&fibs, rows[_i].line);
    ck_assert_msg(
        fibs.match.need.kind == (enum bg_need_kind)rows[_i].need && fibs.match.need.seat == 0,
        "row %d: %s of seat %d", _i, bg_need_name(fibs.match.need.kind), fibs.match.need.seat);
    ck_assert_int_eq(fibs.match.score[0], rows[_i].own);
    ck_assert_int_eq(fibs.match.score[1], rows[_i].opponent);
    ck_assert_int_eq(fibs.match.cube_log2, rows[_i].cube_log2);
    ck_assert_int_eq(fibs.match.cube_owner, rows[_i].cube_owner);
    ck_assert_int_eq(fibs.match.crawford_game, rows[_i].crawford);
}

TEST(test_board_from_both_sides)
{
    struct fibs fibs;

    read_line(&fibs, "board:A:B:0:0:0:" UNEVEN "1:0:0:0:0:1:1:1:0" TAIL "0:1");
    ck_assert_int_eq(fibs.match.board.at[0][BG_BAR], 1);
    ck_assert_int_eq(fibs.match.board.at[0][BG_OFF], 1);
    ck_assert_int_eq(fibs.match.board.at[0][6], 13);
    ck_assert_int_eq(fibs.match.board.at[1][1], 2);
    ck_assert_int_eq(fibs.match.board.at[1][7], 13);
    read_line(&fibs, "board:A:B:0:0:0:" UNEVEN "-1:0:0:0:0:1:1:1:0" TAIL "0:1");
    ck_assert_int_eq(fibs.match.board.at[0][1], 2);
    ck_assert_int_eq(fibs.match.board.at[1][BG_BAR], 1);
}

TEST(test_crawford_game_has_no_double)
{
    struct fibs fibs;

    read_line(&fibs, "board:A:B:5:4:1:" SETUP "1:0:0:0:0:1:1:1:0" TAIL "0:0");
    ck_assert(fibs.rolls_only);
    read_line(&fibs, "board:A:B:5:4:1:" SETUP "1:0:0:0:0:1:1:1:0" TAIL "1:1");
    ck_assert(!fibs.rolls_only);
}

TEST(test_ubgi_context)
{
    static struct ubgi ubgi;
    static const char *const lines[] = {"newsession type match length 5 crawford on",
                                        "setscore 4 1", "setcube value 2 owner p1",
                                        "position gnubgid 4HPwATDgc/ABMA", "dice 1 3"};

    ubgi_init(&ubgi, "x");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ck_assert_int_eq(ubgi_obey(&ubgi, lines[i]), UBGI_SAY);
        ck_assert_str_eq(ubgi.text, "");
    }
    ck_assert_int_eq(ubgi_obey(&ubgi, "go"), UBGI_ASK);
    ck_assert_int_eq(ubgi.match.need.kind, BG_NEED_PLAY);
    ck_assert_int_eq(ubgi.match.score[0], 4);
    ck_assert_int_eq(ubgi.match.score[1], 1);
    ck_assert_int_eq(ubgi.match.cube_owner, 1);
    ck_assert(ubgi.match.crawford_game);
    ubgi_obey(&ubgi, "setcube value 1 owner center");
    ck_assert_int_eq(ubgi_obey(&ubgi, "go role cube"), UBGI_SAY);
    ck_assert_str_eq(ubgi.text, "bestcube nodouble\n");
    ubgi_obey(&ubgi, "newsession crawford off");
    ubgi_obey(&ubgi, "setscore 1 4");
    ck_assert_int_eq(ubgi_obey(&ubgi, "go role cube"), UBGI_ASK);
    ck_assert(ubgi.match.crawford_done);
    ck_assert_int_eq(ubgi_obey(&ubgi, "newgame"), UBGI_NEW_GAME);
    ck_assert_int_eq(ubgi.position.length_points, 0);
    ck_assert(!ubgi.has_position);
}
