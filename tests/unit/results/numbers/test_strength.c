/* Claims about an event's bots: Student's t against known values, Holm's procedure against a plain
 * one that sorts all p-values, and a large event's comparisons against its pairs. */
#include "support/suite.h"

#include <numbers/strength.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <numbers/draw.h>
#include <numbers/quasi.h>
#include <numbers/significance.h>

/* From mpmath 1.3, 40 digits: half of the regularized incomplete beta function. */
static const struct {
    double t, df, tail;
} tails[] = {
    {1, 1, 0.25},
    {2, 100, 0.02410608936556684},
    {0.5, 299.5, 0.30872111708233452},
    {0.5, 300, 0.3087208112771126},
    {3, 300, 0.001463109932033053},
    {8, 300, 1.3675076950769211e-14},
    {2, 1000, 0.02288517324662582},
    {5, 3000, 3.03126357190883e-07},
    {8, 100000, 6.286959938128186e-16},
};

TEST_ROWS(students_t_has_known_tails, tails)
{
    double t = tails[_i].t, df = tails[_i].df, tail = tails[_i].tail;

    ck_assert_double_eq_tol(student_cdf(-t, df), tail, 1e-11 * tail);
    ck_assert_double_eq_tol(student_cdf(t, df), 1 - tail, 1e-14);
}

static const struct {
    double df, t95;
} quantiles[] = {
    {1, 12.706204736174698},  {2, 4.302652729749464}, {5, 2.5705818356363141},
    {30, 2.0422724563012373}, {299, 1.9679296690656}, {1e6, 1.9599663568141070},
    {1e8, 1.959963984540054},
};

TEST_ROWS(students_t_has_known_quantiles, quantiles)
{
    ck_assert_double_eq_tol(student_t95(quantiles[_i].df), quantiles[_i].t95, 1e-9);
}

TEST(a_quantile_leaves_its_tail)
{
    for (double df = 0.05; df < 1e7; df *= 1.3) {
        ck_assert_double_eq_tol(student_cdf(-student_t95(df), df), 0.025, 1e-12);
    }
}

/* --- Holm ---------------------------------------------------------------------------------- */

struct hypothesis {
    double p;
    size_t better, worse;
};

static int by_p(const void *x, const void *y)
{
    double a = ((const struct hypothesis *)x)->p, b = ((const struct hypothesis *)y)->p;

    return (a > b) - (a < b);
}

/* established[] of all pairs, by sorting them all. */
static void claim_plainly(bool *established, const double *los, size_t n)
{
    struct hypothesis *list = calloc(n * n, sizeof *list);
    size_t count = 0;

    memset(established, 0, n * n * sizeof *established);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            double p = los[i * n + j];

            if (!isnan(p)) {
                list[count++] = p >= 0.5 ? (struct hypothesis){2 * (1 - p), i, j}
                                         : (struct hypothesis){2 * p, j, i};
            }
        }
    }
    qsort(list, count, sizeof *list, by_p);
    for (size_t k = 0; k < count && list[k].p <= 0.05 / (double)(count - k); k++) {
        established[list[k].better * n + list[k].worse] = true;
    }
    free(list);
}

/* The distribution of LOS: few values where p-values would be far from every limit. */
static double draw_los(struct draw *draw, int kind, double count)
{
    double unit = draw_unit(draw);

    switch (kind) {
    case 0: /* equal bots */
        return unit;
    case 1: /* near the limits of Holm's procedure */
        return 0.05 / (1 + count * unit) * draw_unit(draw);
    case 2: /* each just below or above its own limit, and ties */
        return 0.025 / (count - floor(count * unit)) * (draw_unit(draw) < 0.98 ? 1 : 1 + 1e-9);
    case 3: /* clear differences */
        return pow(10, -20 * unit);
    default: /* some without any comparison */
        return draw_unit(draw) < 0.3 ? (double)NAN : 0.1 * unit;
    }
}

TEST_LOOP(holm_rejects_what_sorting_all_rejects, 0, 5)
{
    struct draw draw = DRAW_INIT((uint64_t)_i + 1);
    size_t established = 0;

    for (int round = 0; round < 60; round++) {
        size_t n = 2 + draw_below(&draw, 40);
        bool *expected = calloc(n * n, sizeof *expected);
        struct strength strength;

        strength_create(&strength, (int)n);
        for (size_t i = 0; i < n; i++) {
            strength.bot[i].group = 0;
            for (size_t j = i + 1; j < n; j++) {
                double los = draw_los(&draw, _i, (double)(n * (n - 1) / 2));

                strength.los[i * n + j] = draw_unit(&draw) < 0.5 ? los : 1 - los;
                strength.los[j * n + i] = 1 - strength.los[i * n + j];
            }
        }
        claim_plainly(expected, strength.los, n);
        strength_claim(&strength);
        ck_assert_mem_eq(strength.established, expected, n * n * sizeof *expected);
        for (size_t i = 0; i < n; i++) {
            int low = 1, high = (int)n;

            for (size_t j = 0; j < n; j++) {
                low += expected[j * n + i];
                high -= expected[i * n + j];
                established += expected[i * n + j];
            }
            ck_assert_int_eq(strength.bot[i].rank_low, low);
            ck_assert_int_eq(strength.bot[i].rank_high, high);
        }
        strength_deinit(&strength);
        free(expected);
    }
    ck_assert_uint_gt(established, _i == 0 || _i == 4 ? 0 : 60);
}

TEST(a_stopped_test_asks_more_of_an_established_order)
{
    static const double los[] = {0.96, 0.98, 0.99};
    static const bool plain[] = {false, true, true}, stopped[] = {false, false, true};

    for (int k = 0; k < 3; k++) {
        struct strength strength;

        strength_create(&strength, 2);
        strength.bot[0].group = strength.bot[1].group = 0;
        strength.los[1] = los[k];
        strength.los[2] = 1 - los[k];
        strength_claim(&strength);
        ck_assert(strength.established[1] == plain[k] && !strength.established[2]);
        strength_allow_stop(&strength);
        ck_assert(strength.established[1] == stopped[k] && !strength.established[2]);
        ck_assert_int_eq(strength.bot[0].rank_high, stopped[k] ? 1 : 2);
        ck_assert(strength.los[1] <= los[k] && strength.los[1] >= los[k]);
        strength_deinit(&strength);
    }
}

/* --- a large event ------------------------------------------------------------------------- */

enum { BOTS = 150 }; /* more than one square of the linear algebra */

/* A sum over the encounters for two nodes, by definition: (e_i - e_j)^T V M V (e_i - e_j). */
static double spread_plainly(const struct contrasts *v, const struct contrasts_edge *edge,
                             size_t edges, int i, int j)
{
    double sum = 0;

    for (size_t k = 0; k < edges; k++) {
        const struct contrasts_edge *e = &edge[k];
        double reach = v->variance[i * BOTS + e->a] - v->variance[i * BOTS + e->b] -
                       v->variance[j * BOTS + e->a] + v->variance[j * BOTS + e->b];

        sum += reach * reach * (e->shared + e->own);
    }
    return sum;
}

TEST(errors_of_a_large_event_are_those_of_the_definition)
{
    static struct contrasts_edge edge[BOTS * BOTS / 2];
    struct contrasts plain = {0}, spread = {0};
    struct draw draw = DRAW_INIT(7);
    size_t edges = 0;

    for (int a = 0; a < BOTS; a++) {
        for (int b = a + 1; b < BOTS; b++) {
            double weight = 0.1 + draw_unit(&draw);

            edge[edges++] =
                (struct contrasts_edge){.a = a, .b = b, .weight = weight, .shared = weight};
        }
    }
    ck_assert_int_eq(contrasts_of(&plain, BOTS, edge, edges, INFINITY, NULL), BG_OK);
    for (size_t k = 0; k < edges; k++) { /* half of the model's own variance */
        edge[k].shared = edge[k].weight / 2;
    }
    ck_assert_int_eq(contrasts_of(&spread, BOTS, edge, edges, INFINITY, NULL), BG_OK);
    ck_assert_double_eq_tol(contrasts_se(&spread, 3, 140) * sqrt(2), contrasts_se(&plain, 3, 140),
                            1e-12);
    contrasts_deinit(&spread);
    for (size_t k = 0; k < edges; k++) {
        edge[k].shared = edge[k].weight * draw_unit(&draw);
        edge[k].own = edge[k].weight * draw_unit(&draw);
        edge[k].own_df = 3;
    }
    ck_assert_int_eq(contrasts_of(&spread, BOTS, edge, edges, 50, NULL), BG_OK);
    for (int i = 0; i < BOTS; i += 7) {
        for (int j = i + 1; j < BOTS; j += 5) {
            ck_assert_double_eq_tol(pow(contrasts_se(&spread, i, j), 2),
                                    spread_plainly(&plain, edge, edges, i, j), 1e-12);
        }
    }
    contrasts_deinit(&plain);
    contrasts_deinit(&spread);
}

/* Points of one game with a cube that is turned as often as bots turn it: most games win one or two
 * points, one in fifty 16. */
static double cube_points(struct draw *draw)
{
    double size = draw_unit(draw), sign = draw_unit(draw) < 0.5 ? -1 : 1;

    return sign * (size < 0.45 ? 1 : size < 0.75 ? 2 : size < 0.92 ? 4 : size < 0.98 ? 8 : 16);
}

/* With the same dice the second game mostly takes back what the first gave: most pairs are worth 0.
 */
static double pair_points(struct draw *draw)
{
    double first = cube_points(draw);

    return draw_unit(draw) < 0.7 ? 0 : first + cube_points(draw);
}

/* Equal bots that each meet five others in one pair of games: a bot's points a game hang on a few
 * large cubes. */
TEST(intervals_of_few_money_games_hold_with_large_cubes)
{
    enum { EVENTS = 200, FIELD = 16, ROUNDS = 5, MET = FIELD / 2 * ROUNDS };
    struct draw draw = DRAW_INIT(4);
    int held = 0;

    for (int event = 0; event < EVENTS; event++) {
        struct strength_money met[MET];
        struct strength strength;

        for (int i = 0; i < MET; i++) {
            int round = i / (FIELD / 2), a = i % (FIELD / 2);
            double points = pair_points(&draw);

            met[i] = (struct strength_money){.a = a,
                                             .b = FIELD / 2 + (a + round) % (FIELD / 2),
                                             .clusters = 1,
                                             .games = 2,
                                             .points = points,
                                             .dd = points * points,
                                             .dn = 2 * points,
                                             .nn = 4};
        }
        ck_assert_int_eq(strength_of_money(&strength, FIELD, met, MET, NULL), BG_OK);
        for (int bot = 0; bot < FIELD; bot++) {
            struct strength_money own[ROUNDS];
            int side[ROUNDS], count = 0;
            struct ppg ppg;
            double df;

            for (int i = 0; i < MET; i++) {
                if (met[i].a == bot || met[i].b == bot) {
                    own[count] = met[i];
                    side[count++] = met[i].a == bot ? 1 : -1;
                }
            }
            strength_ppg(&ppg, &df, &strength, own, side, (size_t)count);
            held += fabs(ppg.ppg) <= student_t95(df) * ppg.se;
        }
        strength_deinit(&strength);
    }
    printf("intervals that hold the truth: %.2f %%\n", 100.0 * held / (EVENTS * FIELD));
    ck_assert_int_ge(held, EVENTS * FIELD * 945 / 1000);
    ck_assert_int_le(held, EVENTS * FIELD * 970 / 1000);
}

/* Whether the legs of a meeting cancel more than elsewhere is not known from one pair, however much
 * is known of the event: its spread counts like one of thirty pairs. */
TEST(a_cell_of_one_pair_allows_for_a_spread_of_its_own)
{
    enum { FIELD = 6, MEETINGS = FIELD * (FIELD - 1) / 2 };
    struct strength_money met[MEETINGS];
    struct strength strength;
    struct ppg ppg;
    size_t count = 0;
    double df = 0;

    for (int a = 0; a < FIELD; a++) {
        for (int b = a + 1; b < FIELD; b++) {
            double pairs = count == 0 ? 1 : 1000;

            met[count++] = (struct strength_money){.a = a,
                                                   .b = b,
                                                   .clusters = pairs,
                                                   .games = 2 * pairs,
                                                   .dd = pairs,
                                                   .nn = 4 * pairs};
        }
    }
    ck_assert_int_eq(strength_of_money(&strength, FIELD, met, count, NULL), BG_OK);
    ck_assert_double_gt(strength.df, 3000);
    strength_ppg(&ppg, &df, &strength, &met[0], &(int){1}, 1);
    ck_assert_double_eq_tol(df, 30, 0.5);
    strength_ppg(&ppg, &df, &strength, &met[1], &(int){1}, 1);
    ck_assert_double_gt(df, 900);
    strength_deinit(&strength);
}

/* Five pairs of a bot, each split: the share's variance is the event's and that of whole wins. */
TEST(a_share_of_few_matches_is_known_to_half_a_win)
{
    enum { FIELD = 6, MEETINGS = FIELD * (FIELD - 1) / 2, MATCHES = 2 * (FIELD - 1) };
    const struct rating_options options = RATING_OPTIONS_INIT;
    const double split[3] = {0, 1, 0};
    struct rating_row row[MEETINGS];
    struct strength strength;
    struct winrate share;
    size_t count = 0;
    double df = 0;

    for (int a = 0; a < FIELD; a++) {
        for (int b = a + 1; b < FIELD; b++) {
            row[count++] = rating_row_pairs(a, b, 1, split);
        }
    }
    ck_assert_int_eq(strength_of_matches(&strength, FIELD, row, count, &options, NULL), BG_OK);
    strength_winrate(&share, &df, &strength, row, count, 2);
    ck_assert_double_eq_tol(share.rate, 0.5, 1e-12);
    ck_assert_double_eq_tol(share.se * share.se,
                            (strength.design_effect * MATCHES / 4 + 1.0 / 12) / MATCHES / MATCHES,
                            1e-9);
    strength_deinit(&strength);
}

TEST(chances_of_a_large_event_add_up_and_follow_the_errors)
{
    static struct rating_row row[BOTS * BOTS / 2];
    struct rating_options options = RATING_OPTIONS_INIT;
    struct draw draw = DRAW_INIT(9);
    struct strength strength;
    size_t rows = 0;

    for (int a = 0; a < BOTS; a++) {
        for (int b = a + 1; b < BOTS; b++) {
            double p = rating_expected(4.0 * (b - a), 5), pairs[3] = {0, 0, 0};

            for (int k = 0; k < 4; k++) {
                pairs[draw_binomial(&draw, 2, p)]++;
            }
            row[rows++] = rating_row_pairs(a, b, 5, pairs);
        }
    }
    ck_assert_int_eq(strength_of_matches(&strength, BOTS, row, rows, &options, NULL), BG_OK);
    ck_assert(isfinite(strength.df));
    for (int i = 0; i < BOTS; i++) {
        double mean = 0;

        for (int j = 0; j < BOTS; j++) {
            double los = strength.los[i * BOTS + j];

            mean += strength.bot[j].rating * strength.bot[j].anchor_weight;
            ck_assert_double_eq_tol(los + strength.los[j * BOTS + i], 1, 1e-15);
            if (fabs(strength.bot[i].rating - strength.bot[j].rating) > 1) {
                ck_assert((los > 0.5) == (strength.bot[i].rating > strength.bot[j].rating));
            }
        }
        ck_assert_double_eq_tol(mean, RATING_START, 1e-7);
    }
    strength_deinit(&strength);
}

/* The digits that the program of 2026-11-28 printed: a new one must not show other results for the
 * same games, were it by the order in which it multiplies. */
TEST(ratings_keep_their_last_digit)
{
    static const double was[] = {1714.6515247773652, 1419.2075581867709, 1390.5273750186841};
    const struct rating_options options = RATING_OPTIONS_INIT;
    const struct rating_row row[] = {
        {.a = 0, .b = 1, .length_points = 3, .wins_a = 5, .wins_b = 2},
        {.a = 1, .b = 2, .length_points = 3, .wins_a = 4, .wins_b = 3},
        {.a = 0, .b = 2, .length_points = 3, .wins_a = 3, .wins_b = 2},
    };
    struct strength strength;

    ck_assert_int_eq(strength_of_matches(&strength, 3, row, 3, &options, NULL), BG_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq(strength.bot[i].rating, was[i]);
    }
    strength_deinit(&strength);
}

/* A mixture's ends against its own probabilities; without skewness one part is Student's t. */
TEST_LOOP(ends_of_a_mixture_leave_their_tails, 0, 2)
{
    static const double share[] = {0.5, 0.3, 0.2}, sure[] = {1};
    const double df = _i == 0 ? 7 : INFINITY, t = student_t95(df);
    struct mixture mixture = {3, share, df, t, {0, 1, -2}, {1, 2, 0.5}, {0, 0.6, -0.6}};
    struct mixture plain = {1, sure, df, t, {5}, {2}, {0}};

    ck_assert_double_eq_tol(mixture_cdf(&mixture, mixture_end(&mixture, false)), 0.025, 1e-9);
    ck_assert_double_eq_tol(mixture_cdf(&mixture, mixture_end(&mixture, true)), 0.975, 1e-9);
    ck_assert_double_eq_tol(mixture_end(&plain, false), 5 - 2 * t, 1e-12);
    ck_assert_double_eq_tol(mixture_end(&plain, true), 5 + 2 * t, 1e-12);
    ck_assert_double_eq_tol(mixture_sd(&plain), 2, 1e-12);
}

/* Of bot 0 in 10 pairs against each of three equals, of which it has won `wins` matches. */
static void rate_weak(struct strength *out, double wins)
{
    const struct rating_options options = RATING_OPTIONS_INIT;
    const double even[3] = {2, 6, 2}, lost[3] = {10, 0, 0}, best[3] = {10 - wins, wins, 0};
    struct rating_row row[6];
    size_t rows = 0;

    for (int a = 0; a < 4; a++) {
        for (int b = a + 1; b < 4; b++) {
            row[rows++] = rating_row_pairs(a, b, 1, a > 0 ? even : b == 1 ? best : lost);
        }
    }
    ck_assert_int_eq(strength_of_matches(out, 4, row, rows, &options, NULL), BG_OK);
}

/* One match won in sixty bounds a strength far better from above than from below. */
TEST(few_wins_say_less_about_how_weak_a_bot_is)
{
    struct strength strength;
    const struct strength_bot *bot = NULL;

    rate_weak(&strength, 1);
    bot = &strength.bot[0];
    ck_assert_double_gt(bot->rating - bot->low, 1.3 * (bot->high - bot->rating));
    ck_assert_double_eq_tol(bot->high - bot->low, 2 * bot->bar, 1e-9);
    strength_deinit(&strength);
    rate_weak(&strength, 0);
    ck_assert(isnan(strength.bot[0].low));
    strength_deinit(&strength);
}

/* Of two equals every eleventh event of two pairs ends 4:0. */
TEST(a_lucky_start_establishes_nothing)
{
    const struct rating_options options = RATING_OPTIONS_INIT;
    const double won[3] = {0, 0, 2};
    struct rating_row row = rating_row_pairs(0, 1, 1, won);
    struct strength strength;

    ck_assert_int_eq(strength_of_matches(&strength, 2, &row, 1, &options, NULL), BG_OK);
    ck_assert(!strength.established[1]);
    ck_assert_double_le(strength.bot[0].low, RATING_START);
    strength_deinit(&strength);
}
