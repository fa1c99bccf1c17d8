/* Joint ratings from luck-adjusted results. */
#include "support/suite.h"

#include <numbers/quasi.h>
#include <numbers/rating.h>
#include <sums/adjusted.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static const struct quasi_options five = {5, -1, 1500, NULL};
static uint64_t state;

static double uniform(void)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (double)(state >> 11) * 0x1p-53;
}

/* A pair of matches of two bots with this difference, adjusted by a judge that leaves some
 * spread. */
static void add_pair(struct quasi_encounter *e, double difference, double length, double spread)
{
    double d = 2 * rating_expected(difference, length), n = 2;

    for (int i = 0; i < 4; i++) {
        d += spread * (uniform() - 0.5);
    }
    e->clusters++;
    e->matches += n;
    e->sum += d;
    e->dd += d * d;
    e->dn += d * n;
    e->nn += n * n;
}

/* If results are counts, the score equations are those of maximum likelihood. */
TEST(whole_wins_give_the_plain_ratings)
{
    static const double wins[3] = {30, 45, 12};
    static const int a[3] = {0, 1, 0}, b[3] = {1, 2, 2};
    struct quasi_encounter e[3];
    struct rating_row rows[3];
    struct quasi_bot bot[3];
    struct rating_fit fit;
    const struct rating_options options = RATING_OPTIONS_INIT;

    for (int k = 0; k < 3; k++) {
        e[k] = (struct quasi_encounter){a[k], b[k], 60, 60, wins[k], wins[k], wins[k], 60};
        rows[k] = (struct rating_row){
            .a = a[k], .b = b[k], .length_points = 5, .wins_a = wins[k], .wins_b = 60 - wins[k]};
    }
    ck_assert_int_eq(quasi_fit(bot, 3, e, 3, &five, NULL), BG_OK);
    ck_assert_int_eq(rating_fit(&fit, 3, rows, 3, &options, NULL), BG_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(bot[i].rating, fit.player[i].rating, 1e-6);
        ck_assert_double_eq_tol(bot[i].se / fit.player[i].se, 1, 0.15); /* binomial spread */
    }
    rating_fit_deinit(&fit);
}

/* Nominal 95 % of bars around the truth, also with few pairs: against the mean of all, against a
 * weighted mean, and against a bot. */
TEST_LOOP(bars_cover_the_truth, 0, 3)
{
    static const double truth[4] = {1600, 1540, 1480, 1380};
    static const double weight[4] = {2, 2, 0, 0};
    static const struct {
        struct quasi_options options;
        double zero; /* called anchor_rating */
    } rows[] = {
        {{7, -1, 1500, NULL}, 1500}, {{7, -1, 1700, weight}, 1570}, {{7, 2, 0, weight}, 1480}};
    const struct quasi_options *options = &rows[_i].options;
    int covered[4] = {0};

    state = 5;
    for (int event = 0; event < 400; event++) {
        struct quasi_encounter e[6];
        struct quasi_bot bot[4];
        size_t count = 0;

        for (int a = 0; a < 4; a++) {
            for (int b = a + 1; b < 4; b++) {
                e[count] = (struct quasi_encounter){.a = a, .b = b};
                for (int pair = 0; pair < 4 + 6 * (event % 5); pair++) {
                    add_pair(&e[count], truth[a] - truth[b], 7, 0.4);
                }
                count++;
            }
        }
        ck_assert_int_eq(quasi_fit(bot, 4, e, count, options, NULL), BG_OK);
        for (int i = 0; i < 4; i++) {
            double place = truth[i] - rows[_i].zero + options->anchor_rating;

            if (i == options->anchor) {
                ck_assert_double_eq_tol(bot[i].rating, options->anchor_rating, 1e-9);
                ck_assert_double_eq(bot[i].bar, 0);
            } else {
                covered[i] += fabs(bot[i].rating - place) <= bot[i].bar;
            }
        }
    }
    /* 400 events: 3 standard deviations are 3.3 % */
    for (int i = 0; i < 4; i++) {
        if (i != options->anchor) {
            ck_assert_int_ge(covered[i], 367);
            ck_assert_int_le(covered[i], 394);
        }
    }
}

/* Its mean is above 1, so the result is a lower bound; against only one opponent there would be no
 * claim. */
TEST(a_mean_outside_0_to_1_gives_a_bound)
{
    struct quasi_encounter e[3] = {{.a = 0, .b = 1}, {.a = 2, .b = 0}, {.a = 2, .b = 1}};
    struct quasi_bot bot[3];

    state = 9;
    for (int pair = 0; pair < 40; pair++) {
        add_pair(&e[0], 50, 5, 0.3);
        add_pair(&e[1], 3000, 5, 0.3);
        add_pair(&e[2], 3000, 5, 0.3);
    }
    for (int k = 1; k < 3; k++) { /* the judge has seen a little too much bad luck */
        double more = e[k].matches + 0.5 - e[k].sum;

        e[k].sum += more;
        e[k].dn += 2 * more;
    }
    ck_assert_int_eq(quasi_fit(bot, 3, e, 3, &five, NULL), BG_OK);
    ck_assert(isnan(bot[2].rating) && bot[2].group == -1);
    ck_assert_int_eq(bot[2].side, 1);
    ck_assert_double_gt(bot[2].bound, 2000);
    ck_assert_double_lt(bot[2].bound, 5000);
    ck_assert_double_eq_tol(bot[0].rating + bot[1].rating, 3000, 1e-6);
    ck_assert_double_gt(bot[0].rating, bot[1].rating);
}

/* The last of three bots has won nothing, but was unlucky: it is rated from adjusted results, and
 * counts little in the mean, as in the plain ratings. */
TEST(the_mean_is_that_of_the_plain_rating)
{
    enum { MATCHES = 40 };
    static const int a[3] = {0, 0, 1}, b[3] = {1, 2, 2};
    const struct rating_options anchored = {2, 1000, RATING_PRIOR_AUTO, 0, false};
    struct luck_result result[3][MATCHES];
    struct judged_encounter encounter[3];
    struct judged_sums sums = {
        .length_points = 5, .unit = LUCK_MWC, .bots = 3, .encounter = encounter, .encounters = 3};
    struct adjusted adjusted;

    for (int e = 0; e < 3; e++) {
        encounter[e] = (struct judged_encounter){
            .a = a[e], .b = b[e], .result = result[e], .results = MATCHES};
        for (int i = 0; i < MATCHES; i++) {
            double won = e > 0 || i % 2 == 0 ? 1 : 0, luck = won > 0 ? 0.2 : -0.2;

            result[e][i] = (struct luck_result){
                .cluster = (uint64_t)i, .result = won, .luck = luck + 0.01 * (i % 3 - 1)};
        }
    }
    ck_assert_int_eq(adjusted_of(&adjusted, &sums, NULL, NULL), BG_OK);
    ck_assert_double_eq_tol(adjusted.bot[0].rating + adjusted.bot[1].rating, 3000, 50);
    ck_assert(isfinite(adjusted.bot[2].rating) && adjusted.bot[2].rating < 1400);
    adjusted_deinit(&adjusted);
    ck_assert_int_eq(adjusted_of(&adjusted, &sums, &anchored, NULL), BG_OK);
    ck_assert_double_eq_tol(adjusted.bot[2].rating, 1000, 1e-6);
    ck_assert_double_gt(adjusted.bot[0].rating, 1200);
    adjusted_deinit(&adjusted);
}
