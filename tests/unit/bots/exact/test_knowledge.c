/* What the bot exact answers, from a solution with two checkers a side: its answers must follow
 * from each other as the rules of the cube say. test_hyper proves the solution itself. */

#include <math.h>
#include <stdlib.h>

#include <bgref/variant.h>

#include "exact/knowledge.h"
#include "support/suite.h"

enum { TRIALS = 300 };

static struct knowledge knowledge;
static struct solution solution;

static void create(void)
{
    struct hyper hyper;

    assert_ok(hyper_init(&hyper, 2, &error));
    assert_ok(
        solve(&solution, &hyper, &(struct solve_settings){1e-6f, 100, 1, NULL, NULL}, &error));
    hyper_deinit(&hyper);
    assert_ok(hyper_init_sides(&knowledge.sides, 2, &error));
    knowledge.file.solution = solution;
}

static void destroy(void)
{
    hyper_deinit(&knowledge.sides);
    solution_deinit(&solution);
}

/* A position that a game can have, own on roll. */
static struct bg_ask ask_of(enum bg_decision kind, int length)
{
    struct bg_ask ask = {.kind = kind, .cube_owner = BG_CENTRED};
    int own, other;

    do {
        own = 1 + rand() % (knowledge.sides.men.ways - 1);
        other = 1 + rand() % (knowledge.sides.men.ways - 1);
    } while (!hyper_fits(&knowledge.sides, own, other));
    men_place(ask.board.at[0], &knowledge.sides.men, own);
    men_place(ask.board.at[1], &knowledge.sides.men, other);
    ask.rules = bg_rules_default(bg_variant_find("hypergammon"), length);
    return ask;
}

static struct bg_value valued(struct bg_ask *ask, enum bg_decision kind)
{
    struct bg_value value = BG_VALUE_INIT;

    ask->kind = value.kind = kind;
    knowledge_value(&value, &knowledge, ask);
    if (kind == BG_VALUE_ROLLS) {
        value.of.rolls.played = NAN;
    }
    assert_ok(bg_value_check(ask, &value, &error));
    return value;
}

static double mean_of_rolls(struct bg_ask *ask)
{
    struct bg_value value = valued(ask, BG_VALUE_ROLLS);
    double sum = 0.0;

    for (int i = 0; i < BG_ROLLS; i++) {
        sum += bg_roll_weight(i) * value.of.rolls.equity[i] / 36.0;
    }
    return sum;
}

/* Before the cube decision a position is worth the better of rolling and doubling; the other side
 * chooses what is worse for us. */
TEST(test_equity_is_that_of_the_best_action)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        struct bg_ask ask = ask_of(BG_VALUE_CUBE, 0);
        struct bg_cube_values cube;
        double equity, best;

        ask.rules.jacoby = trial % 2 == 0;
        ask.cube_owner = trial % 3 == 0 ? BG_CENTRED : 0;
        ask.cube_log2 = trial % 4;
        cube = valued(&ask, BG_VALUE_CUBE).of.cube;
        equity = valued(&ask, BG_VALUE_POSITION).of.chances.equity;
        best = fmax(cube.no_double, fmin(cube.double_take, 1.0));
        ck_assert_double_eq(cube.double_pass, 1.0);
        ck_assert_double_eq_tol(cube.no_double, mean_of_rolls(&ask), 1e-9);
        ck_assert_double_eq_tol(equity, best, 5e-6);
        if (fabs(cube.no_double - fmin(cube.double_take, 1.0)) > 1e-5) {
            ck_assert_int_eq(knowledge_doubles(&knowledge, &ask), equity > cube.no_double + 1e-5);
        }
    }
}

/* Without a cube, or with the other side's, or with one at its limit, rolling is all there is. */
TEST(test_equity_is_the_mean_of_the_rolls)
{
    double limited = 0.0;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct bg_ask ask = ask_of(BG_VALUE_ROLLS, 0);
        double equity;

        ask.rules.jacoby = false;
        ask.rules.cube = trial % 3 != 0;
        ask.cube_owner = trial % 3 == 1 ? 1 : BG_CENTRED;
        if (trial % 3 == 2) {
            ask.rules.cube_limit = 1;
        }
        equity = valued(&ask, BG_VALUE_POSITION).of.chances.equity;
        ck_assert_double_eq_tol(equity, mean_of_rolls(&ask), 5e-6);
        if (trial % 3 == 2) {
            ask.rules.cube_limit = 0;
            limited =
                fmax(limited, fabs(equity - valued(&ask, BG_VALUE_POSITION).of.chances.equity));
        }
    }
    ck_assert_double_gt(limited, 0.1); /* a cube that can be turned is worth something */
}

/* With Jacoby's rule a gammon counts only after a double. */
TEST(test_jacoby)
{
    double most = 0.0;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct bg_ask ask = ask_of(BG_VALUE_POSITION, 0);
        double with, without;

        with = valued(&ask, BG_VALUE_POSITION).of.chances.equity;
        ask.rules.jacoby = false;
        without = valued(&ask, BG_VALUE_POSITION).of.chances.equity;
        ck_assert_double_le(with, 1.0 + 1e-6);
        most = fmax(most, without - with);
    }
    ck_assert_double_gt(most, 0.2);
}

/* Taking costs the doubler's equity after the double; from 1 on it is a pass, below 0 a beaver. */
TEST(test_takes_by_the_doublers_equity)
{
    int takes = 0, passes = 0, beavers = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct bg_ask theirs = ask_of(BG_VALUE_CUBE, 0), ask;
        double doubled = valued(&theirs, BG_VALUE_CUBE).of.cube.double_take;
        enum bg_answer_kind answer;

        if (fabs(doubled) < 1e-5 || fabs(doubled - 1.0) < 1e-5) {
            continue;
        }
        ask = theirs;
        ask.kind = BG_DECIDE_TAKE;
        bg_board_swap(&ask.board, &theirs.board);
        answer = knowledge_takes(&knowledge, &ask);
        ck_assert_int_eq(answer, doubled > 1.0 ? BG_ANSWER_PASS : BG_ANSWER_TAKE);
        takes += answer == BG_ANSWER_TAKE;
        passes += answer == BG_ANSWER_PASS;
        ask.may_raise = true;
        answer = knowledge_takes(&knowledge, &ask);
        ck_assert_int_eq(answer == BG_ANSWER_RAISE, doubled < 0.0);
        beavers += answer == BG_ANSWER_RAISE;
        /* The doubler, who has been beavered: it gives up 2 to save 4 times its equity. */
        theirs.kind = BG_DECIDE_RAISE;
        theirs.raise = 1;
        if (fabs(doubled + 1.0) > 1e-5) {
            ck_assert_int_eq(knowledge_takes(&knowledge, &theirs),
                             doubled > -1.0 ? BG_ANSWER_TAKE : BG_ANSWER_PASS);
        }
    }
    ck_assert(takes > 10 && passes > 10 && beavers > 10);
}

/* One point to go for both: only the chance to win counts, and it is exact. */
TEST(test_last_point)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        struct bg_ask ask = ask_of(BG_VALUE_POSITION, 1);
        struct bg_chances chances = valued(&ask, BG_VALUE_POSITION).of.chances;

        ck_assert_double_eq_tol(chances.equity, chances.win, 1e-6);
        ck_assert_double_eq_tol(chances.equity, mean_of_rolls(&ask), 5e-6);
    }
}

TEST(test_matches_have_answers)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        struct bg_ask ask = ask_of(BG_VALUE_POSITION, 5);

        ask.score[0] = trial % 5;
        ask.score[1] = trial / 5 % 5;
        ask.cube_log2 = trial % 3;
        ask.cube_owner = trial % 3 == 0 ? BG_CENTRED : 0;
        valued(&ask, BG_VALUE_POSITION);
        valued(&ask, BG_VALUE_CUBE);
        ck_assert_double_ge(mean_of_rolls(&ask), 0.0);
    }
}

void suite_begin(TCase *tests)
{
    tcase_add_unchecked_fixture(tests, create, destroy);
}
