/* Sequential tests: worked values, laws of the ratios, and error rates in simulation. */
#include <numbers/sprt.h>

#include <math.h>
#include <string.h>

#include <numbers/rating.h>

#include "support/suite.h"
#include "support/vector.h"

/* --- ratios ------------------------------------------------------------------------------ */

TEST(worked_values)
{
    static const double thirds[] = {90, 300, 110}, fifths[] = {40, 120, 250, 150, 60};
    struct sprt_bounds even = sprt_bounds_of(0.05, 0.05), uneven = sprt_bounds_of(0.05, 0.1);

    ck_assert_double_eq_tol(even.lower, -2.944439, 1e-6);
    ck_assert_double_eq_tol(even.upper, 2.944439, 1e-6);
    ck_assert_double_eq_tol(uneven.lower, -2.251292, 1e-6);
    ck_assert_double_eq_tol(uneven.upper, 2.890372, 1e-6);
    ck_assert_double_eq_tol(sprt_normal(10000, 0.05, 1.44, 0, 0.05), 8.673029, 1e-6);
    ck_assert_double_eq_tol(sprt_normal_wald(10000, 0.05, 1.44, 0, 0.05), 8.680556, 1e-6);
    ck_assert_double_eq_tol(sprt_normal(2500, -0.04, 4, -0.02, 0.02), -0.999500, 1e-6);
    ck_assert_double_eq_tol(sprt_normal_wald(2500, -0.04, 4, -0.02, 0.02), -1, 1e-6);
    ck_assert_double_eq_tol(sprt_binomial(5, 540, 460, 0, 50), 3.079111, 1e-6);
    ck_assert_double_eq_tol(sprt_multinomial(thirds, 3, 0.5, rating_expected(50, 5)), 0.631873,
                            1e-6);
    ck_assert_double_eq_tol(sprt_multinomial(fifths, 5, 0.5, 0.52), 3.359634, 1e-6);
}

/* Values published by a chess match runner for its pairs, at 400 points a decade. */
TEST(published_values)
{
    static const double pairs[] = {223, 9863, 21279, 10037, 246};
    double s0 = 1 / (1 + pow(10, -0.5 / 400)), s1 = 1 / (1 + pow(10, -2.5 / 400));

    ck_assert_double_eq_tol(sprt_multinomial(pairs, 5, s0, s1), -3.07, 0.005);
}

/* From the other side, with the hypotheses exchanged and negated, the ratio changes sign. */
TEST(sides_mirror)
{
    static const double pairs[] = {12, 0, 31, 40, 7}, turned[] = {7, 40, 31, 0, 12};

    ck_assert_double_eq_tol(sprt_normal(50, 0.3, 2, -0.1, 0.4),
                            -sprt_normal(50, -0.3, 2, -0.4, 0.1), 1e-12);
    ck_assert_double_eq_tol(sprt_binomial(7, 30, 20, 5, 90), -sprt_binomial(7, 20, 30, -90, -5),
                            1e-12);
    ck_assert_double_eq_tol(sprt_multinomial(pairs, 5, 0.48, 0.55),
                            -sprt_multinomial(turned, 5, 0.45, 0.52), 1e-9);
}

/* With two outcomes the multinomial ratio is the binomial one. */
TEST(two_outcomes_are_binomial)
{
    static const double counts[] = {320, 410};

    ck_assert_double_eq_tol(
        sprt_multinomial(counts, 2, rating_expected(10, 9), rating_expected(60, 9)),
        sprt_binomial(9, 410, 320, 10, 60), 1e-9);
}

TEST(nothing_is_ever_infinite)
{
    static const double won[] = {0, 0, 0, 0, 900}, lost[] = {900, 0, 0, 0, 0}, none[] = {0, 0, 0};

    ck_assert(isnan(sprt_normal(0, NAN, NAN, 0, 1)));
    ck_assert(isnan(sprt_normal(1, 2, 0, 0, 1)));
    ck_assert(isnan(sprt_normal_wald(100, 2, 0, 0, 1)));
    ck_assert(isfinite(sprt_normal(100, 0, 1e-300, 0, 1)));
    ck_assert_double_lt(sprt_normal(100, 0, 1e-20, 0, 1), -1000);
    ck_assert_double_eq(sprt_binomial(1, 0, 0, 0, 50), 0);
    ck_assert(isfinite(sprt_binomial(64, 1000, 0, -1e6, 1e6)));
    ck_assert(isfinite(sprt_binomial(64, 0, 1000, -1e6, 1e6)));
    ck_assert_double_gt(sprt_multinomial(won, 5, 0.5, 0.55), 10);
    ck_assert_double_lt(sprt_multinomial(lost, 5, 0.5, 0.55), -10);
    ck_assert(isfinite(sprt_multinomial(none, 3, 0.001, 0.999)));
    ck_assert_int_eq(sprt_decide(NAN, sprt_bounds_of(0.05, 0.05)), SPRT_CONTINUE);
}

/* --- length ------------------------------------------------------------------------------ */

TEST(expected_length)
{
    struct sprt_bounds bounds = sprt_bounds_of(0.05, 0.05);
    double variance = 2 * 3.0 * 3.0; /* any */
    struct sprt_length at_h0 = sprt_length_of(0, variance, 0, 0.05, bounds);
    struct sprt_length middle = sprt_length_of(0.025, variance, 0, 0.05, bounds);
    struct sprt_length near = sprt_length_of(0.025 + 1e-7, variance, 0, 0.05, bounds);
    struct sprt_length far = sprt_length_of(1e6, variance, 0, 0.05, bounds);
    struct sprt_length below = sprt_length_of(-1e6, variance, 0, 0.05, bounds);

    ck_assert_double_eq_tol(at_h0.accept_h1, 0.05, 1e-9);
    ck_assert_double_eq_tol(at_h0.clusters * 0.05 * 0.05 / variance, 5.3, 0.01);
    ck_assert_double_eq_tol(sprt_length_of(0.05, variance, 0, 0.05, bounds).accept_h1, 0.95, 1e-9);
    ck_assert_double_eq_tol(middle.accept_h1, 0.5, 1e-9);
    ck_assert_double_eq_tol(near.clusters / middle.clusters, 1, 1e-4);
    ck_assert(far.accept_h1 == 1 && below.accept_h1 == 0);
    ck_assert(far.clusters > 0 && below.clusters > 0 && far.clusters < 1 && below.clusters < 1);
}

/* --- a running test ------------------------------------------------------------------------ */

/* A small generator of its own, so that the runs are the same on every machine. */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 33) + 0.5) / 2147483648.0;
}

TEST(order_of_completion_does_not_matter)
{
    enum { CLUSTERS = 400 };
    struct sprt_plan plan = SPRT_PLAN_INIT;
    struct sprt straight, strewn;
    double score[CLUSTERS], mean = 0, variance = 0;
    uint64_t dice = 7;

    plan.h1 = 0.001; /* not decided in this time */
    ck_assert_int_eq(sprt_init(&straight, &plan, NULL), BG_OK);
    ck_assert_int_eq(sprt_init(&strewn, &plan, NULL), BG_OK);
    for (int i = 0; i < CLUSTERS; i++) {
        score[i] = floor(9 * uniform(&dice)) - 4;
        sprt_add(&straight, score[i]);
    }
    for (int block = 0; block < CLUSTERS; block += 8) {
        for (int i = 7; i >= 0; i--) {
            ck_assert_uint_eq(strewn.clusters, (uint64_t)block);
            sprt_put(&strewn, (uint64_t)(block + i), score[block + i]);
            sprt_put(&strewn, (uint64_t)(block + i), 77);
        }
    }
    sprt_moments(&mean, &variance, score, CLUSTERS);
    ck_assert_uint_eq(strewn.clusters, CLUSTERS);
    ck_assert_double_eq(strewn.llr, straight.llr);
    ck_assert_double_eq_tol(strewn.llr, sprt_normal(CLUSTERS, mean, variance, 0, 0.001), 1e-9);
    ck_assert_double_eq_tol(strewn.llr_wald, sprt_normal_wald(CLUSTERS, mean, variance, 0, 0.001),
                            1e-9);
    sprt_deinit(&straight);
    sprt_deinit(&strewn);
}

TEST(no_decision_before_the_first_look_and_none_after_the_last)
{
    struct sprt_plan plan = SPRT_PLAN_INIT;
    struct sprt test;

    plan.model = SPRT_BINOMIAL;
    plan.h1 = 400;
    plan.length_points = 11;
    plan.min_clusters = 40;
    ck_assert_int_eq(sprt_init(&test, &plan, NULL), BG_OK);
    for (int i = 0; i < 39; i++) {
        sprt_add(&test, 1);
        ck_assert_int_eq(test.state, SPRT_CONTINUE);
    }
    sprt_add(&test, NAN); /* never played: counts for nothing */
    ck_assert_uint_eq(test.clusters, 39);
    ck_assert_int_eq(test.state, SPRT_CONTINUE);
    sprt_add(&test, 1);
    ck_assert_int_eq(test.state, SPRT_H1);
    for (int i = 0; i < 500; i++) {
        sprt_add(&test, 0);
    }
    ck_assert_int_eq(test.state, SPRT_H1);
    ck_assert_uint_eq(test.clusters, 40);
    sprt_deinit(&test);
}

TEST(without_variance_the_test_ends_at_its_maximum_length)
{
    struct sprt_plan plan = SPRT_PLAN_INIT;
    struct sprt test;

    plan.h1 = 0.05;
    plan.max_clusters = 300;
    ck_assert_int_eq(sprt_init(&test, &plan, NULL), BG_OK);
    for (int i = 0; i < 300; i++) {
        ck_assert_int_eq(test.state, SPRT_CONTINUE);
        sprt_add(&test, 0.1);
        ck_assert(isnan(test.llr) && isnan(test.llr_wald));
    }
    ck_assert_int_eq(test.state, SPRT_UNDECIDED);
    sprt_deinit(&test);
}

static const struct {
    const char *name;
    struct sprt_plan plan;
} impossible[] = {
    {"hypotheses exchanged", {.h0 = 0.1, .h1 = 0, .alpha = 0.05, .beta = 0.05}},
    {"equal hypotheses", {.h0 = 0.1, .h1 = 0.1, .alpha = 0.05, .beta = 0.05}},
    {"no number", {.h0 = NAN, .h1 = 0.1, .alpha = 0.05, .beta = 0.05}},
    {"alpha 0", {.h1 = 0.1, .alpha = 0, .beta = 0.05}},
    {"alpha and beta 1 together", {.h1 = 0.1, .alpha = 0.5, .beta = 0.5}},
    {"a match of no points", {.model = SPRT_BINOMIAL, .h1 = 9, .alpha = 0.05, .beta = 0.05}},
    {"mean scores beyond 1",
     {.model = SPRT_MULTINOMIAL, .h0 = 0.5, .h1 = 1, .alpha = 0.05, .beta = 0.05, .outcomes = 3}},
    {"ten outcomes",
     {.model = SPRT_MULTINOMIAL,
      .h0 = 0.5,
      .h1 = 0.6,
      .alpha = 0.05,
      .beta = 0.05,
      .outcomes = 10}},
    {"an end before the first look",
     {.h1 = 1, .alpha = 0.05, .beta = 0.05, .min_clusters = 100, .max_clusters = 99}},
};

TEST_ROWS(invalid_plans_are_refused, impossible)
{
    struct sprt test;

    ck_assert_msg(sprt_init(&test, &impossible[_i].plan, &error) == BG_E_ARGUMENT, "%s",
                  impossible[_i].name);
    ck_assert(strncmp(error.text, "sprt: ", 6) == 0);
    sprt_deinit(&test);
}

/* --- error rates ------------------------------------------------------------------------- */

enum truth { AT_H0, BETWEEN, AT_H1 };

/* Rates of accepting H1 in simulated tests, with the true value at H0, halfway and at H1. The
 * bounds are those of a continuous walk: overshoot makes the true rates slightly better. */
struct simulated {
    const char *name;
    struct sprt_plan plan;
    /* A random score if the truth is h. */
    double (*score)(const struct sprt_plan *plan, double h, uint64_t *dice);
};

/* Mean points of a pair: most pairs cancel, some differ by up to two doubled cubes. */
static double money_pair(const struct sprt_plan *plan, double h, uint64_t *dice)
{
    static const double points[] = {-4, -1.5, -1, -0.5, 0, 0, 0, 0, 0, 0, 0.5, 1, 1.5, 4};

    return h + points[(int)(14 * uniform(dice))];
}

static double plain_match(const struct sprt_plan *plan, double h, uint64_t *dice)
{
    return uniform(dice) < rating_expected(h, plan->length_points);
}

/* Two matches with the same dice: seven of ten split. */
static double match_pair(const struct sprt_plan *plan, double h, uint64_t *dice)
{
    double p = rating_expected(h, plan->length_points), x = uniform(dice);

    return x < p - 0.35 ? 1 : x < p + 0.35 ? 0.5 : 0;
}

static const struct simulated simulated[] = {
    {"normal pairs", {.h1 = 0.25, .alpha = 0.05, .beta = 0.05, .min_clusters = 100}, money_pair},
    {"normal pairs, uneven errors",
     {.h0 = -0.1, .h1 = 0.15, .alpha = 0.02, .beta = 0.1, .min_clusters = 100},
     money_pair},
    {"plain matches",
     {.model = SPRT_BINOMIAL, .h1 = 80, .alpha = 0.05, .beta = 0.05, .length_points = 7},
     plain_match},
    {"pairs of matches",
     {.model = SPRT_MULTINOMIAL,
      .h1 = 60,
      .alpha = 0.05,
      .beta = 0.05,
      .length_points = 5,
      .outcomes = 3,
      .min_clusters = 50},
     match_pair},
};

enum { TESTS = 1000 };

static double rate_of_h1(const struct simulated *row, double h, double *clusters, uint64_t seed)
{
    uint64_t dice = seed;
    int accepted = 0;

    *clusters = 0;
    for (int i = 0; i < TESTS; i++) {
        struct sprt test;

        ck_assert_int_eq(sprt_init(&test, &row->plan, NULL), BG_OK);
        while (test.state == SPRT_CONTINUE) {
            sprt_add(&test, row->score(&row->plan, h, &dice));
        }
        accepted += test.state == SPRT_H1;
        *clusters += (double)test.clusters / TESTS;
        sprt_deinit(&test);
    }
    return (double)accepted / TESTS;
}

TEST_ROWS(error_rates_hold, simulated)
{
    const struct simulated *row = &simulated[_i];
    double alpha = row->plan.alpha, beta = row->plan.beta, h0 = row->plan.h0, h1 = row->plan.h1;
    double at[3], clusters[3];

    for (int truth = AT_H0; truth <= AT_H1; truth++) {
        at[truth] = rate_of_h1(row, h0 + truth * (h1 - h0) / 2, &clusters[truth],
                               (uint64_t)(_i * 3 + truth + 1));
    }
    /* upper limit: three binomial standard errors; lower limit: overshoot and the first look may
     * save half */
    ck_assert_msg(at[AT_H0] < alpha + 3 * sqrt(alpha * (1 - alpha) / TESTS), "%s: alpha %g",
                  row->name, at[AT_H0]);
    ck_assert_msg(1 - at[AT_H1] < beta + 3 * sqrt(beta * (1 - beta) / TESTS), "%s: beta %g",
                  row->name, 1 - at[AT_H1]);
    ck_assert_msg(at[AT_H0] > alpha / 4 && 1 - at[AT_H1] > beta / 4, "%s: %g and %g: too good",
                  row->name, at[AT_H0], 1 - at[AT_H1]);
    ck_assert_msg(at[BETWEEN] > 0.3 && at[BETWEEN] < 0.75, "%s: halfway %g", row->name,
                  at[BETWEEN]);
    ck_assert_msg(clusters[BETWEEN] > clusters[AT_H0] && clusters[BETWEEN] > clusters[AT_H1],
                  "%s: %g, %g, %g clusters", row->name, clusters[AT_H0], clusters[BETWEEN],
                  clusters[AT_H1]);
}

void suite_begin(TCase *tests)
{
    vector_add(tests, "s01_sprt");
}
