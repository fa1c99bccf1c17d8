/* Rollouts against exact values: races with three checkers a side, by a plain enumeration.
 *
 * Two evaluators play them: an exact one, whose every trial is worth the exact equity once its luck
 * is taken off, and a rough one, whose mistakes in play are enumerated too. */
#include <judge/rollout.h>

#include <numbers/luck.h>

#include <math.h>
#include <string.h>

#include "support/exact_race.h"
#include "support/suite.h"

/* ---------------------------------------------------------------- the rough evaluator */

/* Exact equity of own, about to roll, if both sides play as the rough evaluator does; NAN: not
 * computed yet. */
static double rough_known[EXACT_RACE_PLACES][EXACT_RACE_PLACES];

static double pips_of(const struct bg_board *board, int seat)
{
    return bg_board_pips(board, seat);
}

/* After own's play. Wrong by far, but it knows when the game is over. */
static double rough_after(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    double lead = pips_of(board, 1) - pips_of(board, 0) - 4.0;

    return board->at[0][BG_OFF] == BG_CHECKERS ? 1.0 : tanh(lead / 9.0);
}

static double rough_equity(const struct bg_ask *ask)
{
    double *known =
        &rough_known[exact_race_place(ask->board.at[0])][exact_race_place(ask->board.at[1])];
    struct bg_roll_values rolls;
    double sum = 0.0;

    if (!isnan(*known)) {
        return *known;
    }
    bg_value_rolls(&rolls, ask, rough_after, NULL);
    for (int i = 0; i < BG_ROLLS; i++) {
        struct bg_ask next = *ask;

        bg_play_make(&next.board, ask->rules.variant, &ask->board, 0, &rolls.best[i]);
        bg_board_swap(&next.board, &next.board);
        sum += bg_roll_weight(i) *
               (next.board.at[1][BG_OFF] == BG_CHECKERS ? 1.0 : -rough_equity(&next));
    }
    return *known = sum / 36.0;
}

static void rough_value(struct bg_value *out, const struct bg_ask *ask)
{
    memset(out, 0, sizeof *out);
    out->size = sizeof *out;
    out->kind = ask->kind;
    if (ask->kind == BG_VALUE_ROLLS) {
        bg_value_rolls(&out->of.rolls, ask, rough_after, NULL);
    } else if (ask->kind == BG_VALUE_POSITION) {
        out->of.chances.win = 0.25;
        out->of.chances.equity = -0.5;
    } else {
        out->cannot = true;
        strcpy(out->why, "no cube");
    }
}

static void setup(void)
{
    exact_race_setup();
    for (int i = 0; i < EXACT_RACE_PLACES; i++) {
        for (int k = 0; k < EXACT_RACE_PLACES; k++) {
            rough_known[i][k] = NAN;
        }
    }
}

/* ---------------------------------------------------------------- positions */

/* Seat 0 has its checkers on a, b and c, seat 1 on d, e and f; `mover` rolls. */
static void race(struct trial_start *out, struct bg_rules rules, const char places[7], int mover)
{
    struct bg_start start = {.on_roll = mover, .cube_owner = BG_CENTRED};

    for (int i = 0; i < 6; i++) {
        int seat = i / 3;

        start.board.at[seat][BG_OFF] = BG_CHECKERS - EXACT_RACE_CHECKERS;
    }
    for (int i = 0; i < 6; i++) {
        start.board.at[i / 3][places[i] - '0']++;
    }
    *out = (struct trial_start){.decided = true};
    assert_ok(bg_match_begin_at(&out->match, &rules, &start, &error));
}

static struct bg_rules money(bool cube)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);

    rules.cube = cube;
    return rules;
}

/* The equity of seat 0 when both play as the rough evaluator. */
static double rough_truth(const struct trial_start *start)
{
    int mover = start->match.need.seat;
    struct bg_ask ask = {.rules = start->match.rules, .board = start->match.board};

    if (mover == 1) {
        bg_board_swap(&ask.board, &start->match.board);
    }
    return mover == 0 ? rough_equity(&ask) : -rough_equity(&ask);
}

/* ---------------------------------------------------------------- running */

typedef void (*value_fn)(struct bg_value *out, const struct bg_ask *ask);

/* Answers at most `each` questions at a time, the last one first if backwards. */
static struct rollout *run_in(const struct rollout_setup *setup, value_fn value, size_t each,
                              bool backwards)
{
    enum { MOST = 64 };
    struct rollout *rollout = NULL;
    int slot[MOST];
    const struct bg_ask *ask[MOST];

    assert_ok(rollout_create(&rollout, setup, &error));
    while (!rollout_is_done(rollout)) {
        size_t count = rollout_next(rollout, slot, ask, each);

        for (size_t i = 0; i < count; i++) {
            size_t k = backwards ? count - 1 - i : i;
            struct bg_value answer;

            value(&answer, ask[k]);
            if (rollout_take(rollout, slot[k], &answer, &error) != BG_OK) {
                ck_abort_msg("%s", error.text);
            }
        }
    }
    return rollout;
}

static struct rollout *run(const struct rollout_setup *setup, value_fn value)
{
    return run_in(setup, value, 64, false);
}

static struct rollout_setup setup_of(const struct trial_start *line, int lines)
{
    return (struct rollout_setup){.line = line,
                                  .lines = lines,
                                  .trials = 144,
                                  .reduces = true,
                                  .seed = 7,
                                  .text = "test",
                                  .open_max = 64};
}

/* ---------------------------------------------------------------- tests */

static const char *const races[] = {"666666", "611653", "531421", "222211", "654111"};

enum { RACES = sizeof races / sizeof races[0] };

TEST(exact_evaluator_gives_the_exact_equity_in_every_trial)
{
    for (int i = 0; i < RACES; i++) {
        for (int mover = 0; mover < 2; mover++) {
            struct trial_start line;
            struct rollout_setup setup = setup_of(&line, 1);
            struct rollout *rollout;
            struct bg_board board;
            double truth;

            race(&line, money(false), races[i], mover);
            rollout = run(&setup, exact_race_value);
            board = line.match.board;
            if (mover == 1) {
                bg_board_swap(&board, &line.match.board);
            }
            truth = exact_race_equity(&board, EXACT_RACE_DEAD) * (mover == 0 ? 1.0 : -1.0);
            ck_assert_double_eq_tol(rollout_sums_mean(rollout_sums(rollout), 0), truth, 1e-12);
            ck_assert_double_le(rollout_sums_error(rollout_sums(rollout), 0), 1e-12);
            rollout_destroy(rollout);
        }
    }
}

/* With the cube: no double from the middle, and double with take, in units before the double. */
TEST(exact_evaluator_gives_the_exact_equity_with_the_cube)
{
    for (int i = 0; i < RACES; i++) {
        struct trial_start line[2];
        struct rollout_setup setup = setup_of(line, 2);
        const struct bg_step twice = {.kind = BG_STEP_DOUBLE, .seat = 0};
        const struct bg_step take = {.kind = BG_STEP_TAKE, .seat = 1};
        struct rollout *rollout;

        race(&line[0], money(true), races[i], 0);
        line[1] = line[0];
        ck_assert_int_eq(bg_match_step(&line[1].match, &twice), BG_RULE_NONE);
        ck_assert_int_eq(bg_match_step(&line[1].match, &take), BG_RULE_NONE);
        rollout = run(&setup, exact_race_value);
        ck_assert_double_eq_tol(rollout_sums_mean(rollout_sums(rollout), 0),
                                exact_race_rolling(&line[0].match.board, 2), 1e-12);
        ck_assert_double_eq_tol(rollout_sums_mean(rollout_sums(rollout), 1),
                                2.0 * exact_race_rolling(&line[0].match.board, 1), 1e-12);
        ck_assert_double_le(rollout_sums_error_apart(rollout_sums(rollout), 0, 1), 1e-12);
        rollout_destroy(rollout);
    }
}

/* Without gammons a game of a 1-point match is worth the chance to win it; of a 3-point match at
 * 0-0 with the cube on 1, what the equities of the scores say. */
TEST(matches_are_worth_match_winning_chances)
{
    struct met met;

    assert_ok(met_model(&met, 3, &error));
    for (int length = 1; length <= 3; length += 2) {
        struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), length);
        struct trial_start line;
        struct rollout_setup setup = setup_of(&line, 1);
        struct rollout *rollout;
        double win, truth;

        rules.cube = false;
        race(&line, rules, "531421", 0);
        setup.reduces = length == 1;
        setup.trials = length == 1 ? 36 : 7200;
        rollout = run(&setup, exact_race_value);
        win = (1.0 + exact_race_equity(&line.match.board, EXACT_RACE_DEAD)) / 2.0;
        truth = length == 1 ? win
                            : win * met_chance(&met, 2, 3, MET_NORMAL) +
                                  (1.0 - win) * met_chance(&met, 3, 2, MET_NORMAL);
        ck_assert_double_eq_tol(rollout_sums_mean(rollout_sums(rollout), 0), truth,
                                length == 1 ? 1e-12
                                            : 5.0 * rollout_sums_error(rollout_sums(rollout), 0));
        rollout_destroy(rollout);
    }
    met_deinit(&met);
}

/* The rough evaluator plays worse than possible: a rollout must give what its own play is worth. */
TEST(mean_is_the_value_of_the_bots_own_play_with_and_without_variance_reduction)
{
    double squares = 0.0;
    int n = 0;

    for (int i = 0; i < RACES; i++) {
        for (int form = 0; form < 4; form++) {
            struct trial_start line;
            struct rollout_setup setup = setup_of(&line, 1);
            struct rollout *rollout;
            double off;

            setup.reduces = form % 2 == 0;
            setup.trials = 3600;
            race(&line, money(false), races[i], form / 2);
            rollout = run(&setup, rough_value);
            off = (rollout_sums_mean(rollout_sums(rollout), 0) - rough_truth(&line)) /
                  rollout_sums_error(rollout_sums(rollout), 0);
            ck_assert_msg(fabs(off) < 4.0, "%s form %d: %.2f errors apart", races[i], form, off);
            squares += off * off;
            n++;
            rollout_destroy(rollout);
        }
    }
    ck_assert_double_lt(squares / n, 2.0);
}

/* How often the truth is within 1.96 standard errors: means and differences. With first throws as
 * strata 95 % (2 % is 1.4 standard errors of these numbers); with few trials, without them, more.
 */
TEST(standard_errors_cover_the_truth)
{
    enum { SEEDS = 100 };
    static const struct {
        uint64_t trials;
        bool reduces;
        double least, most;
    } rows[] = {{288, true, 0.9, 0.98}, {288, false, 0.9, 0.98}, {72, true, 0.93, 1.0}};
    struct trial_start line[2];

    race(&line[0], money(false), "531421", 0);
    race(&line[1], money(false), "431421", 0);
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        double truth[2] = {rough_truth(&line[0]), rough_truth(&line[1])};
        int inside = 0, inside_apart = 0;

        for (int seed = 0; seed < SEEDS; seed++) {
            struct rollout_setup setup = setup_of(line, 2);
            struct rollout *rollout;
            const struct rollout_sums *sums;
            double mean[2];

            setup.trials = rows[row].trials;
            setup.reduces = rows[row].reduces;
            setup.seed = (uint64_t)seed;
            rollout = run(&setup, rough_value);
            sums = rollout_sums(rollout);
            mean[0] = rollout_sums_mean(sums, 0);
            mean[1] = rollout_sums_mean(sums, 1);
            inside += fabs(mean[0] - truth[0]) <= 1.96 * rollout_sums_error(sums, 0);
            inside_apart += fabs(mean[1] - mean[0] - truth[1] + truth[0]) <=
                            1.96 * rollout_sums_error_apart(sums, 0, 1);
            rollout_destroy(rollout);
        }
        ck_assert_msg(inside >= rows[row].least * SEEDS && inside <= rows[row].most * SEEDS,
                      "row %zu: %d of %d means", row, inside, SEEDS);
        ck_assert_msg(inside_apart >= rows[row].least * SEEDS &&
                          inside_apart <= rows[row].most * SEEDS,
                      "row %zu: %d of %d differences", row, inside_apart, SEEDS);
    }
}

TEST(variance_reduction_and_equal_dice_make_errors_smaller)
{
    struct trial_start line[2];
    double error_of[2][2];

    race(&line[0], money(false), "666666", 0);
    race(&line[1], money(false), "665666", 0);
    for (int reduces = 0; reduces < 2; reduces++) {
        struct rollout_setup setup = setup_of(line, 2);
        struct rollout *rollout;

        setup.reduces = reduces == 1;
        setup.trials = 720;
        rollout = run(&setup, rough_value);
        error_of[reduces][0] = rollout_sums_error(rollout_sums(rollout), 0);
        error_of[reduces][1] = rollout_sums_error_apart(rollout_sums(rollout), 0, 1);
        rollout_destroy(rollout);
    }
    ck_assert_double_lt(error_of[1][0], error_of[0][0] / 1.5);
    ck_assert_double_lt(error_of[0][1], error_of[0][0]); /* independent dice: 1.4 times larger */
}

/* One roll deep, with the luck taken off, every trial is the mean of 21 values. */
TEST(cut_off_trials_end_with_the_bots_value)
{
    struct trial_start line;
    struct rollout_setup setup = setup_of(&line, 1);
    struct rollout *rollout;
    struct bg_chances chances;
    struct bg_roll_values rolls;
    double mean = 0.0;

    race(&line, money(false), "654654", 0);
    bg_value_rolls(&rolls, &(struct bg_ask){.rules = line.match.rules, .board = line.match.board},
                   rough_after, NULL);
    for (int i = 0; i < BG_ROLLS; i++) {
        mean += bg_roll_weight(i) * rolls.equity[i] / 36.0;
    }
    setup.plies = 1;
    setup.chances = true;
    for (int reduces = 0; reduces < 2; reduces++) {
        setup.reduces = reduces == 1;
        rollout = run(&setup, rough_value);
        /* all throws come first equally often: exact either way */
        ck_assert_double_eq_tol(rollout_sums_mean(rollout_sums(rollout), 0), mean, 1e-12);
        ck_assert(rollout_chances(&chances, rollout, 0));
        /* 55 and 66 win at once; after the others the opponent has 0.25. */
        ck_assert_double_eq_tol(chances.win, (34 * 0.75 + 2) / 36, 1e-12);
        rollout_destroy(rollout);
    }
}

TEST(result_does_not_depend_on_the_order_of_answers)
{
    struct trial_start line[3];
    struct rollout_setup setup = setup_of(line, 3);
    struct rollout *expected, *rollout;
    static const struct {
        int open;
        size_t each;
        bool backwards;
    } ways[] = {{1, 1, false}, {5, 3, true}, {200, 64, true}, {64, 7, false}};

    race(&line[0], money(false), "654654", 1);
    race(&line[1], money(false), "644654", 1);
    race(&line[2], money(false), "555654", 1);
    setup.until = 0.05;
    setup.trials = 100000;
    expected = run(&setup, rough_value);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        setup.open_max = ways[i].open;
        rollout = run_in(&setup, rough_value, ways[i].each, ways[i].backwards);
        ck_assert_uint_eq(rollout_sums(rollout)->trials, rollout_sums(expected)->trials);
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq(rollout_sums_mean(rollout_sums(rollout), k),
                                rollout_sums_mean(rollout_sums(expected), k));
            ck_assert_double_eq(rollout_sums_error(rollout_sums(rollout), k),
                                rollout_sums_error(rollout_sums(expected), k));
        }
        rollout_destroy(rollout);
    }
    /* It has stopped after whole blocks, and not a block too late. */
    ck_assert_uint_eq(rollout_sums(expected)->trials % ROLLOUT_BLOCK, 0);
    ck_assert_uint_lt(rollout_sums(expected)->trials, 100000);
    for (int k = 0; k < 3; k++) {
        int best = rollout_best(expected);

        ck_assert(k == best ||
                  rollout_sums_error_apart(rollout_sums(expected), best, k) <= setup.until);
    }
    rollout_destroy(expected);
}

TEST(a_play_that_ends_the_game_has_no_error)
{
    struct trial_start line[2];
    struct rollout_setup setup = setup_of(line, 2);
    const struct bg_step roll = {.kind = BG_STEP_ROLL, .seat = 0, .die = {1, 1}};
    struct rollout *rollout;

    race(&line[0], money(false), "100421", 0);
    line[0].match.board.at[0][BG_OFF] = BG_CHECKERS - 1;
    line[0].match.board.at[0][0] = BG_CHECKERS - 1;
    line[1] = line[0];
    ck_assert_int_eq(bg_match_step(&line[1].match, &roll), BG_RULE_NONE);
    ck_assert_int_eq(
        bg_match_step(&line[1].match, &(struct bg_step){.kind = BG_STEP_PLAY,
                                                        .seat = 0,
                                                        .play = {.moves = 1, .move = {{1, 0}}}}),
        BG_RULE_NONE);
    setup.chances = true;
    rollout = run(&setup, rough_value);
    for (int k = 0; k < 2; k++) {
        struct bg_chances chances;

        ck_assert_double_eq_tol(rollout_sums_mean(rollout_sums(rollout), k), 1.0, 1e-12);
        ck_assert_double_le(rollout_sums_error(rollout_sums(rollout), k), 1e-12);
        ck_assert(rollout_chances(&chances, rollout, k));
        ck_assert_double_eq(chances.win, 1.0);
        ck_assert_double_eq(chances.win_gammon, 0.0);
    }
    rollout_destroy(rollout);
}

SUITE_FIXTURE(setup, NULL)
