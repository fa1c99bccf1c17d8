/* A leg counts when every game of it is judged. */
#include "support/suite.h"

#include <sums/leg_luck.h>

static void judge(struct leg_luck *leg, int game, double luck, bool has_loss)
{
    const struct leg_luck_game judged = {luck, 2 * luck, has_loss};

    leg_luck_add(leg, game, &judged);
}

TEST(a_leg_counts_when_all_its_games_are_judged)
{
    struct leg_luck leg = {.games = 0};

    judge(&leg, 2, 1, true);
    judge(&leg, 0, 0.5, true);
    ck_assert(!leg_luck_is_whole(&leg, 3));
    judge(&leg, 1, -0.25, true);
    ck_assert(leg_luck_is_whole(&leg, 3));
    ck_assert_double_eq(leg.luck, 1.25);
    ck_assert_double_eq(leg.loss, 2.5);
    ck_assert(!leg.lacks_loss);
    leg_luck_deinit(&leg);
}

TEST(a_game_that_is_judged_twice_counts_once)
{
    struct leg_luck leg = {.games = 0};

    for (int i = 0; i < 3; i++) {
        judge(&leg, 40, 1, i != 0);
    }
    ck_assert_int_eq(leg.games, 1);
    ck_assert_double_eq(leg.luck, 1);
    ck_assert_msg(leg.lacks_loss, "the first judgement counts");
    ck_assert(!leg_luck_is_whole(&leg, 41));
    leg_luck_clear(&leg);
    judge(&leg, 40, 3, true);
    ck_assert_double_eq(leg.luck, 3);
    ck_assert(!leg.lacks_loss);
    leg_luck_close(&leg);
    ck_assert_double_eq(leg.luck, 3);
    leg_luck_deinit(&leg);
}
