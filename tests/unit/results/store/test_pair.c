/* Two legs combined into a pair. */
#include "support/suite.h"

#include <store/encounter.h>
#include <store/pair.h>

static struct pair_leg leg_of(enum pair_state state)
{
    return (struct pair_leg){.points = {state == PAIR_WON_A ? 3 : 0, state == PAIR_WON_B ? 2 : 0},
                             .games = state == PAIR_OPEN ? 0 : 1,
                             .state = state};
}

static const struct {
    enum pair_state leg[2];
    int decided, half_wins;
    int64_t net, games;
} cases[] = {
    {{PAIR_OPEN, PAIR_OPEN}, 0, 0, 0, 0},    {{PAIR_WON_A, PAIR_OPEN}, 1, 2, 3, 1},
    {{PAIR_OPEN, PAIR_WON_B}, 1, 0, -2, 1},  {{PAIR_OPEN, PAIR_DRAWN}, 1, 1, 0, 1},
    {{PAIR_WON_B, PAIR_WON_B}, 2, 0, -4, 2}, {{PAIR_DRAWN, PAIR_WON_B}, 2, 1, -2, 2},
    {{PAIR_WON_A, PAIR_WON_B}, 2, 2, 1, 2},  {{PAIR_DRAWN, PAIR_DRAWN}, 2, 2, 0, 2},
    {{PAIR_WON_A, PAIR_DRAWN}, 2, 3, 3, 2},  {{PAIR_WON_A, PAIR_WON_A}, 2, 4, 6, 2},
};

enum { CASES = sizeof cases / sizeof cases[0] };

TEST_LOOP(two_legs_make_a_pair_in_either_order, 0, CASES)
{
    for (int first = 0; first < 2; first++) {
        const struct pair pair = {{leg_of(cases[_i].leg[first]), leg_of(cases[_i].leg[1 - first])}};
        const struct pair_sum sum = pair_sum_of(&pair);

        ck_assert_int_eq(sum.decided, cases[_i].decided);
        ck_assert_int_eq(sum.won + sum.lost + sum.drawn, cases[_i].decided);
        ck_assert_int_eq(pair_half_wins(&sum), cases[_i].half_wins);
        ck_assert_int_eq(sum.net, cases[_i].net);
        ck_assert_int_eq(sum.points[0] - sum.points[1], cases[_i].net);
        ck_assert_int_eq(sum.games, cases[_i].games);
    }
}

/* The points of a match count when it is over. */
TEST(an_open_leg_adds_nothing)
{
    const struct pair pair = {{{.points = {4, 1}, .games = 2, .state = PAIR_OPEN},
                               {.points = {2, 7}, .games = 5, .state = PAIR_WON_B}}};
    const struct pair_sum sum = pair_sum_of(&pair);

    ck_assert_int_eq(sum.decided, 1);
    ck_assert_int_eq(sum.lost, 1);
    ck_assert_int_eq(sum.net, -5);
    ck_assert_int_eq(sum.games, 5);
}

TEST(a_match_is_decided_by_its_last_game_and_a_money_game_by_itself)
{
    const struct encounter_game within = {.length_points = 5, .winner = 0, .match_winner = -1};
    const struct encounter_game last = {
        .length_points = 5, .winner = 0, .match_over = true, .match_winner = 1};
    const struct encounter_game money = {.length_points = 0, .winner = -1, .match_winner = 0};

    ck_assert_int_eq(encounter_leg_after(&within), PAIR_OPEN);
    ck_assert_int_eq(encounter_leg_after(&last), PAIR_WON_B);
    ck_assert_int_eq(encounter_leg_after(&money), PAIR_DRAWN);
    ck_assert(pair_share(PAIR_WON_A) == 1);
    ck_assert(pair_share(PAIR_WON_B) == 0);
    ck_assert(pair_share(PAIR_DRAWN) == 0.5);
}
