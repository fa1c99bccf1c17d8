/* td's values with the cube against a plain mean over 36 throws and all plays, and its cube
 * decisions where nobody disputes them. */
#include <bgref/play.h>
#include <math.h>

#include "chance.h"
#include "support/suite.h"
#include "values.h"

enum { PLACES = 10 };

static struct bg_play_list plays;

static struct player *player_of(const char *game)
{
    static bool read;
    char games[1000];

    if (!read) {
        assert_ok(values_begin(games, sizeof games, TD_NETS, &error));
        read = true;
    }
    return values_player(bg_variant_find(game));
}

static struct bg_ask ask_of(const char *game, int length, int owner)
{
    struct bg_ask ask = {.kind = BG_VALUE_ROLLS, .cube_owner = owner};

    ask.rules = bg_rules_default(bg_variant_find(game), length);
    ask.rules.cube = true;
    ask.score[0] = length / 3;
    return ask;
}

/* ---- slowly ---- */

static double plain_after(const struct player *player, const struct bg_ask *ask,
                          const struct bg_board *board, int seat, struct cube_at at)
{
    struct outlook outlook;

    if (board->at[seat][BG_OFF] == player->checkers) {
        const int most = cube_levels(ask, at.owner);
        const int level = bg_variant_level(player->variant, board, seat);
        const double points = ldexp(level < most ? level : most, at.turns);

        return cube_points(ask, seat == 0 ? points : -points);
    }
    values_outlook(&outlook, player, board, 1 - seat);
    return cube_turn(ask, &outlook, at, 1 - seat);
}

static double plain_before(const struct player *player, const struct bg_ask *ask,
                           const struct bg_board *board, int roller, struct cube_at at)
{
    double sum = 0.0;

    for (int throw = 0; throw < 36; throw ++) {
        const struct bg_roll roll = {{(uint8_t)(1 + throw / 6), (uint8_t)(1 + throw % 6), 0}};
        const struct bg_stage stage = bg_stage_of_roll(player->variant, roll);
        double best = plain_after(player, ask, board, roller, at);

        bg_play_list(&plays, player->variant, board, roller, &stage);
        for (size_t i = 0; i < plays.count; i++) {
            struct bg_board after;
            double worth;

            bg_play_make(&after, player->variant, board, roller, &plays.play[i]);
            worth = plain_after(player, ask, &after, roller, at);
            if (i == 0 || (roller == 0 ? worth > best : worth < best)) {
                best = worth;
            }
        }
        sum += best;
    }
    return sum / 36.0;
}

/* Plays at random for the side to move. */
static void wander(struct bg_board *board, int seat, const struct bg_variant *variant,
                   struct chance *chance)
{
    struct bg_stage stage = bg_stage_of_roll(variant, bg_roll_at(chance_below(chance, BG_ROLLS)));

    bg_play_list(&plays, variant, board, seat, &stage);
    if (plays.count > 0) {
        bg_play_make(board, variant, board, seat,
                     &plays.play[chance_below(chance, (int)plays.count)]);
    }
}

/* Hypergammon has no sieve, and its games are short. */
TEST(before_a_roll_is_the_mean_over_all_throws)
{
    static const int lengths[] = {0, 3, 9};
    const struct player *player = player_of("hypergammon");
    struct chance chance;
    struct bg_board board;

    chance_begin(&chance, 21);
    bg_variant_setup(&board, player->variant);
    for (int i = 0; i < PLACES; i++) {
        const int owner = i % 3 == 0 ? BG_CENTRED : i % 3 - 1;
        struct bg_ask ask = ask_of("hypergammon", lengths[i % 2 + i / 5], owner);

        ask.rules.jacoby = i % 4 == 0 && ask.rules.length_points == 0;
        ask.board = board;
        for (int roller = 0; roller < 2; roller++) {
            for (int turns = 0; turns < 2; turns++) {
                const struct cube_at at = {turns, turns == 0 ? owner : roller};

                ck_assert_double_eq_tol(values_before(player, &ask, &board, roller, at),
                                        plain_before(player, &ask, &board, roller, at), 2e-4);
            }
        }
        wander(&board, 0, player->variant, &chance);
        wander(&board, 1, player->variant, &chance);
        if (board.at[0][BG_OFF] == player->checkers || board.at[1][BG_OFF] == player->checkers) {
            bg_variant_setup(&board, player->variant);
        }
    }
}

/* Luck is what a roll's value has more than the mean of all: the judge's values of a cube decision
 * and of the rolls after it are of one piece. */
TEST(holding_the_cube_is_worth_the_mean_of_the_rolls)
{
    struct bg_ask ask = ask_of("backgammon", 0, BG_CENTRED);
    struct bg_value rolls = BG_VALUE_INIT, cube = BG_VALUE_INIT;
    double mean = 0.0;

    player_of("backgammon");
    bg_variant_setup(&ask.board, ask.rules.variant);
    values_find(&rolls, &ask);
    ask.kind = BG_VALUE_CUBE;
    values_find(&cube, &ask);
    for (int i = 0; i < BG_ROLLS; i++) {
        mean += bg_roll_weight(i) * rolls.of.rolls.equity[i] / 36.0;
    }
    ck_assert_double_eq_tol(cube.of.cube.no_double, mean, 1e-5);
    ck_assert_double_eq_tol(cube.of.cube.double_pass, 1.0, 1e-12);
}

/* One checker each: own throws once, then the other side is off. */
TEST(the_last_throw_is_doubled_and_taken_by_the_exact_chance)
{
    static const struct {
        int own;    /* slot of the last checker */
        double win; /* thirty-sixths that bear it off */
        bool takes; /* a quarter is enough: the cube is dead after it */
    } row[] = {{6, 27, true}, {5, 31, false}, {4, 34, false}};
    const struct player *player = player_of("backgammon");

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct bg_ask ask = ask_of("backgammon", 0, BG_CENTRED);
        struct bg_cube_values values;

        ask.board.at[0][row[i].own] = ask.board.at[1][1] = 1;
        ask.board.at[0][BG_OFF] = ask.board.at[1][BG_OFF] = BG_CHECKERS - 1;
        values_cube(&values, player, &ask);
        ck_assert_double_eq_tol(values.double_take, 2.0 * (2.0 * row[i].win / 36.0 - 1.0), 1e-6);
        ck_assert_double_gt(values.double_take, values.no_double);
        ck_assert_int_eq(values.double_take <= values.double_pass, row[i].takes);
    }
}
