/* Wilson intervals. */
#include <numbers/rating.h>
#include <numbers/strength.h>
#include <numbers/significance.h>
#include <numbers/winrate.h>

#include <math.h>

#include "support/vector.h"
#include "support/suite.h"

TEST(without_games_all_rates_are_nan)
{
    static const double none[3] = {0, 0, 0};
    struct winrate rate;

    winrate_of_matches(&rate, 0, 0);
    ck_assert(isnan(rate.rate) && isnan(rate.wilson[0]) && isnan(rate.wilson[1]));
    winrate_of_pairs(&rate, none);
    ck_assert(isnan(rate.rate) && isnan(rate.se) && isnan(rate.wilson[0]));
    ck_assert_double_eq(rate.deff, 1);
}

/* Swapping the sides mirrors the interval; it always contains the rate and stays inside [0, 1]. */
TEST_LOOP(sides_mirror, 0, 5)
{
    for (int n0 = 0; n0 < 5; n0++) {
        for (int n1 = 0; n1 < 5; n1++) {
            double there[3] = {n0, n1, _i}, back[3] = {_i, n1, n0};
            struct winrate x, y;

            winrate_of_pairs(&x, there);
            winrate_of_pairs(&y, back);
            if (n0 + n1 + _i == 0) {
                continue;
            }
            ck_assert_double_eq_tol(x.rate, 1 - y.rate, 1e-12);
            ck_assert_double_eq_tol(x.wilson[0], 1 - y.wilson[1], 1e-12);
            ck_assert_double_eq_tol(x.deff, y.deff, 1e-12);
            ck_assert(x.wilson[0] >= 0 && x.wilson[1] <= 1);
            ck_assert(x.wilson[0] <= x.rate + 1e-12 && x.rate <= x.wilson[1] + 1e-12);
        }
    }
}

/* The lines of docs/events.md. */
TEST(elo_of_pairs_matches_the_documented_example)
{
    const struct winrate_counts counts = {210, 180, 0, {43, 0, 94, 0, 58}};
    struct winrate_stats stats = winrate_stats_of(&counts, true);
    struct winrate_elo elo = winrate_elo_of(&stats, 390);

    ck_assert_int_eq(elo.side, 0);
    ck_assert_double_eq_tol(stats.share, 210 / 390.0, 1e-12);
    ck_assert_double_eq_tol(elo.elo, 26.78, 0.005);
    ck_assert_double_eq_tol(elo.elo_bar, 35.32, 0.005);
    ck_assert_double_eq_tol(elo.nelo, 26.34, 0.005);
    ck_assert_double_eq_tol(elo.nelo_bar, 34.48, 0.005);
    ck_assert_double_eq_tol(winrate_los(&stats, 195), 0.9328, 0.00005);
}

/* All won: Elo is at least that of half a win less; LOS is that of as many coin tosses. */
TEST(elo_of_a_clean_sweep_is_a_bound)
{
    const struct winrate_counts won = {20, 0, 0, {0, 0, 0, 0, 10}}, lost = {0, 20, 0, {10}};
    struct winrate_stats stats = winrate_stats_of(&won, true);
    struct winrate_elo elo = winrate_elo_of(&stats, 20);

    ck_assert_int_eq(elo.side, 1);
    ck_assert_double_eq_tol(elo.elo, 636.43, 0.005);
    ck_assert(isnan(elo.elo_bar) && isnan(elo.nelo) && isnan(stats.se));
    ck_assert_double_eq(winrate_los(&stats, 10), 1 - 1 / 1024.0);
    stats = winrate_stats_of(&lost, true);
    elo = winrate_elo_of(&stats, 20);
    ck_assert_int_eq(elo.side, -1);
    ck_assert_double_eq_tol(elo.elo, -636.43, 0.005);
}

/* Two bots: their share's interval excludes one half exactly if the interval of the rating
 * difference excludes 0, and LOS agrees. */
TEST(share_and_rating_convert_both_ways)
{
    const struct rating_options options = RATING_OPTIONS_INIT;
    int apart = 0, level = 0;

    for (int n0 = 0; n0 <= 12; n0++) {
        for (int n1 = 0; n0 + n1 <= 12; n1++) {
            double pairs[3] = {n0, n1, 12 - n0 - n1}, df = 0;
            struct rating_row row = rating_row_pairs(0, 1, 3, pairs);
            struct winrate a, b;
            struct strength s;
            bool wide;

            ck_assert_int_eq(strength_of_matches(&s, 2, &row, 1, &options, NULL), BG_OK);
            strength_winrate(&a, &df, &s, &row, 1, 0);
            strength_winrate(&b, &df, &s, &row, 1, 1);
            ck_assert_double_eq_tol(a.wilson[0], 1 - b.wilson[1], 1e-9);
            ck_assert(a.wilson[0] >= 0 && a.wilson[0] <= a.rate + 1e-12);
            ck_assert(a.wilson[1] <= 1 && a.wilson[1] >= a.rate - 1e-12);
            if (isfinite(s.bot[0].bar) && s.bot[0].bar > 0) {
                wide = s.bot[0].low <= s.bot[1].high && s.bot[1].low <= s.bot[0].high;
                ck_assert_msg(wide == (a.wilson[0] <= 0.5 && a.wilson[1] >= 0.5),
                              "%d, %d and %.0f pairs: %.4f to %.4f", n0, n1, pairs[2], a.wilson[0],
                              a.wilson[1]);
                ck_assert(wide == (fmin(s.los[1], s.los[2]) >= 0.025));
                *(wide ? &level : &apart) += 1;
            }
            strength_deinit(&s);
        }
    }
    ck_assert_int_gt(apart, 20);
    ck_assert_int_gt(level, 20);
}

/* strength_winrates gives each bot what strength_winrate gives it alone, also the two bots 4 and 5
 * that played only each other, at two lengths, and bot 6 without a match. */
TEST(all_shares_at_once_are_the_single_ones)
{
    enum { BOTS = 7 };
    const struct rating_options options = RATING_OPTIONS_INIT;
    const double x[3] = {2, 7, 3}, y[3] = {4, 5, 2}, z[3] = {1, 6, 8};
    const struct rating_row row[] = {rating_row_pairs(0, 1, 3, x), rating_row_pairs(0, 2, 3, y),
                                     rating_row_pairs(1, 2, 3, z), rating_row_pairs(2, 3, 3, x),
                                     rating_row_pairs(4, 5, 3, y), rating_row_pairs(4, 5, 7, z)};
    const size_t rows = sizeof row / sizeof *row;
    struct winrate all[BOTS];
    struct strength s;

    ck_assert_int_eq(strength_of_matches(&s, BOTS, row, rows, &options, NULL), BG_OK);
    strength_winrates(all, &s, row, rows);
    for (int bot = 0; bot < BOTS; bot++) {
        struct rating_row own[sizeof row / sizeof *row];
        struct winrate one;
        size_t count = 0;
        double df = 0;

        for (size_t k = 0; k < rows; k++) {
            if (row[k].a == bot || row[k].b == bot) {
                own[count++] = row[k];
            }
        }
        strength_winrate(&one, &df, &s, own, count, bot);
        ck_assert_double_eq(one.matches, all[bot].matches);
        ck_assert_double_eq(one.wins, all[bot].wins);
        if (count == 0) {
            ck_assert(isnan(all[bot].rate));
            continue;
        }
        ck_assert_double_eq_tol(one.se, all[bot].se, 1e-12);
        ck_assert_double_eq_tol(one.deff, all[bot].deff, 1e-12);
        ck_assert_double_eq_tol(one.wilson[0], all[bot].wilson[0], 1e-12);
        ck_assert_double_eq_tol(one.wilson[1], all[bot].wilson[1], 1e-12);
    }
    strength_deinit(&s);
}

/* Chances of a bot to win 0, 1, 2 of a pair, each with chance p, with correlated legs. */
static void chances(double out[3], double p, double correlation)
{
    out[2] = fmax(p * p + correlation * p * (1 - p), fmax(0, 2 * p - 1));
    out[1] = 2 * (p - out[2]);
    out[0] = 1 - out[1] - out[2];
}

/* Chance that the interval of this many pairs contains p, if the variance is known; exact, over all
 * possible results. */
static double coverage(int pairs, double p, double correlation)
{
    double q[3], sum = 0;

    chances(q, p, correlation);
    for (int n0 = 0; n0 <= pairs; n0++) {
        for (int n1 = 0; n0 + n1 <= pairs; n1++) {
            int n2 = pairs - n0 - n1;
            double n = 2 * pairs, wins = n1 + 2 * n2;
            double ways = exp(lgamma(pairs + 1) - lgamma(n0 + 1) - lgamma(n1 + 1) - lgamma(n2 + 1));
            double variance = pairs * (q[1] + 4 * q[2] - 4 * p * p);
            struct winrate rate;

            winrate_of_variance(&rate, wins, n, n * p, variance, pairs, student_t95(INFINITY));
            if (rate.wilson[0] <= p && p <= rate.wilson[1]) {
                sum += ways * pow(q[0], n0) * pow(q[1], n1) * pow(q[2], n2);
            }
        }
    }
    return sum;
}

/* A cell of the crosstable has few possible results: over all strengths it has its nominal
 * coverage. */
TEST(intervals_of_few_pairs_cover)
{
    static const struct {
        int pairs;
        double least, most;
    } rows[] = {{2, 0.98, 0.995}, {5, 0.95, 0.965}, {10, 0.945, 0.96}, {40, 0.945, 0.955}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int k = 0; k < 3; k++) {
            double sum = 0;

            for (int step = 0; step <= 40; step++) {
                sum += coverage(rows[i].pairs, 0.3 + 0.01 * step, -0.15 - 0.25 * k) / 41;
            }
            ck_assert_msg(sum >= rows[i].least && sum <= rows[i].most, "%d pairs: %.4f",
                          rows[i].pairs, sum);
        }
    }
}

void suite_begin(TCase *tests)
{
    vector_add(tests, "i01_intervals");
}
