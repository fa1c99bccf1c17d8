/* Races: which net a position is for, and what is exact. */
#include <math.h>

#include <bgref/evaluate.h>
#include <bgref/play.h>

#include "chance.h"
#include "player.h"
#include "race.h"
#include "support/suite.h"

static struct player player;
static struct bearoff *bearoff;

static void create(void)
{
    ck_assert_int_eq(bearoff_create(&bearoff, BEAROFF_POINTS, NULL), BG_OK);
}

static void destroy(void)
{
    bearoff_destroy(bearoff);
}

static void begin_game(const char *game)
{
    player_begin(&player, bg_variant_find(game));
    player.bearoff = bearoff;
    ck_assert_int_eq(net_create(&player.net, player.encoding.size, 16, NET_SIGMOID, 1, NULL),
                     BG_OK);
    ck_assert_int_eq(net_create(&player.race, player.encoding.size, 32, NET_SIGMOID, 2, NULL),
                     BG_OK);
}

static void begin(void)
{
    begin_game("backgammon");
}

static void end(void)
{
    net_destroy(&player.net);
    net_destroy(&player.race);
}

/* A board with the rest of each side's 15 checkers off: own men on slots a and b, then the other's.
 */
static struct bg_board board_of(int a, int b, int c, int d)
{
    const int slots[2][2] = {{a, b}, {c, d}};
    struct bg_board board = {.at = {{0}}};

    for (int seat = 0; seat < 2; seat++) {
        board.at[seat][BG_OFF] = 15;
        for (int i = 0; i < 2; i++) {
            board.at[seat][slots[seat][i]]++;
            board.at[seat][BG_OFF]--;
        }
    }
    return board;
}

static float win_after(const struct bg_board *board)
{
    float out[NET_OUTPUTS];

    player_chances(out, &player, board, 0);
    return out[NET_WIN];
}

/* Chances that can be counted on the fingers. */
TEST(short_races_are_exact)
{
    const struct bg_board aces = board_of(1, 1, 1, 1), six = board_of(1, 1, 6, BG_OFF);
    const struct bg_board sixes = board_of(1, 1, 6, 6), both = board_of(1, 6, 1, 6);

    ck_assert_float_eq_tol(win_after(&aces), 0.0F, 1e-6F);
    /* the other side misses with 9 throws: 1-1, 1-2, 1-3, 1-4, 2-3 */
    ck_assert_float_eq_tol(win_after(&six), 9.0F / 36.0F, 1e-6F);
    /* it is off with 3-3, 4-4, 5-5, 6-6 only: 3-3 brings two men six pips each */
    ck_assert_float_eq_tol(win_after(&sixes), 32.0F / 36.0F, 1e-6F);
    /* off at once with 6-1 to 6-5 and four doubles: 15 throws; else own side must do it */
    ck_assert_float_gt(win_after(&both), 15.0F / 36.0F * 21.0F / 36.0F);
}

TEST(what_is_not_surely_single_is_left_to_the_net)
{
    struct bg_board board = board_of(1, 2, 3, 4);
    float out[NET_OUTPUTS];

    ck_assert(race_chances(out, bearoff, &board, 0) && race_chances(out, bearoff, &board, 1));
    board.at[1][5] = board.at[1][BG_OFF];
    board.at[1][BG_OFF] = 0;
    ck_assert(!race_chances(out, bearoff, &board, 0) && !race_chances(out, bearoff, &board, 1));
    board = board_of(1, 7, 3, 4);
    ck_assert(!race_chances(out, bearoff, &board, 0));
    ck_assert(!race_chances(out, NULL, &board, 0));
    board = board_of(1, 2, 3, 19);
    ck_assert(!race_chances(out, bearoff, &board, 0));
}

/* Slot s of one side is point 25 - s of the other. */
TEST(a_race_begins_when_the_sides_have_passed)
{
    for (int own = 1; own <= BG_BAR; own++) {
        for (int other = 1; other <= BG_BAR; other++) {
            const struct bg_board board = board_of(own, 1, other, 1);

            ck_assert_msg(race_has_begun(&board) == (own < 25 - other), "%d %d", own, other);
        }
    }
}

/* In fevga both go the same way: own home board is the other side's 13 to 18. */
TEST(a_race_of_the_same_way_is_exact_too)
{
    const struct bg_board board = board_of(1, 1, 6, BG_OFF), contact = board_of(1, 18, 6, BG_OFF);
    struct bg_board behind = board_of(1, 1, 12, 12);

    end();
    begin_game("fevga");
    ck_assert_float_eq_tol(win_after(&board), 9.0F / 36.0F, 1e-6F);
    ck_assert(player_net(&player, &board) == NULL);
    ck_assert(player_net(&player, &behind) == &player.race);
    behind.at[1][13] = behind.at[1][12]; /* where own checkers stand */
    behind.at[1][12] = 0;
    ck_assert(player_net(&player, &behind) == &player.net);
    ck_assert(player_net(&player, &contact) == &player.net);
}

TEST(who_has_a_checker_off_loses_no_gammon)
{
    struct bg_board board = board_of(8, 9, 3, 20);
    float out[NET_OUTPUTS];

    player_chances(out, &player, &board, 0);
    ck_assert(out[NET_GAMMON] == 0.0F && out[NET_BACKGAMMON] == 0.0F);
    ck_assert(out[NET_LOSE_GAMMON] == 0.0F && out[NET_LOSE_BACKGAMMON] == 0.0F);
    board.at[0][10] = board.at[0][BG_OFF];
    board.at[0][BG_OFF] = 0;
    player_chances(out, &player, &board, 0);
    ck_assert(out[NET_GAMMON] == 0.0F && out[NET_LOSE_GAMMON] > 0.0F);
}

static void check_plays(const struct bg_board *board, int seat, const struct bg_play_list *plays,
                        int *crossings)
{
    const struct bg_board was = *board;
    struct vantage vantage;

    vantage_begin(&vantage, &player, board, seat);
    for (size_t i = 0; i < plays->count; i++) {
        float near[NET_OUTPUTS], alone[NET_OUTPUTS];
        struct bg_board after;

        bg_play_make(&after, player.variant, board, seat, &plays->play[i]);
        vantage_chances(near, &vantage, &after);
        player_chances(alone, &player, &after, seat);
        for (int o = 0; o < NET_OUTPUTS; o++) {
            ck_assert_float_eq_tol(near[o], alone[o], 1e-5F);
        }
        *crossings +=
            player_net(&player, &after) != &player.net && player_net(&player, &was) == &player.net;
    }
}

/* Also for the plays that end the contact. */
TEST_LOOP(a_play_is_valued_alike_alone_and_among_others, 0, 4)
{
    static const char *const names[] = {"backgammon", "dutch", "fevga", "tapa"};
    static struct bg_play_list plays;
    int crossings = 0, games = 0;
    struct bg_board board;
    struct chance chance;

    end();
    begin_game(names[_i]);
    chance_begin(&chance, 3);
    bg_variant_setup(&board, player.variant);
    for (int turn = 0; games < 3 && turn < 3000; turn++) {
        struct bg_roll roll = bg_roll_at(chance_below(&chance, BG_ROLLS));
        struct bg_stage stage = bg_stage_of_roll(player.variant, roll);
        struct bg_board after;

        bg_play_list(&plays, player.variant, &board, turn % 2, &stage);
        if (plays.count == 0) {
            continue;
        }
        check_plays(&board, turn % 2, &plays, &crossings);
        bg_play_make(&after, player.variant, &board, turn % 2,
                     &plays.play[chance_below(&chance, (int)plays.count)]);
        board = after;
        if (board.at[turn % 2][BG_OFF] == 15) {
            bg_variant_setup(&board, player.variant);
            games++;
        }
    }
    ck_assert_int_eq(games, 3);
    ck_assert_int_gt(crossings, 0);
}

void suite_begin(TCase *tests)
{
    tcase_add_unchecked_fixture(tests, create, destroy);
    tcase_add_checked_fixture(tests, begin, end);
}
