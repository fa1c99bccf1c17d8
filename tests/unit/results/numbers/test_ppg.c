/* Points per game and the money rating table. */
#include <numbers/draw.h>
#include <numbers/ppg.h>
#include <numbers/significance.h>
#include <numbers/strength.h>

#include <math.h>

#include "support/vector.h"
#include "support/suite.h"

enum { UNKNOWN = -1 }; /* stands for NaN in the table, which has no such values */

/* Clusters of up to three games; 0 games ends the list. */
static const struct {
    const char *name;
    size_t count;
    double points[4], games[4];
    double sd;
    double clusters, ppg, se, los;
} cases[] = {
    {"nothing", 0, {0}, {0}, 1, 0, UNKNOWN, UNKNOWN, UNKNOWN},
    {"empty clusters only", 2, {0, 0}, {0, 0}, 1, 0, UNKNOWN, UNKNOWN, UNKNOWN},
    {"one cluster gives only ppg", 1, {3}, {2}, 1, 1, 1.5, UNKNOWN, UNKNOWN},
    {"one real cluster beside empty ones", 3, {0, 3, 0}, {0, 2, 0}, 1, 1, 1.5, UNKNOWN, UNKNOWN},
    {"pairs that cancel", 3, {0, 0, 0}, {2, 2, 2}, 1, 3, 0, 0, 0.5},
    {"always the same win", 3, {1, 1, 1}, {3, 3, 3}, 0, 3, 1.0 / 3, 0, 1},
    {"two unlike games", 2, {3, 1}, {1, 1}, 1.41421356237, 2, 2, 1, 0.977249868},
};

TEST_ROWS(a_few_clusters, cases)
{
    struct ppg ppg;

    ppg_of(&ppg, cases[_i].points, cases[_i].games, cases[_i].count, cases[_i].sd);
    ck_assert_double_eq(ppg.clusters, cases[_i].clusters);
    if (cases[_i].ppg == UNKNOWN) {
        ck_assert_msg(isnan(ppg.ppg), "%s: ppg", cases[_i].name);
    } else {
        ck_assert_double_eq_tol(ppg.ppg, cases[_i].ppg, 1e-12);
    }
    if (cases[_i].se == UNKNOWN) {
        ck_assert_msg(isnan(ppg.se) && isnan(ppg.los) && isnan(ppg.ci[0]) && isnan(ppg.sd_game),
                      "%s: se", cases[_i].name);
    } else {
        ck_assert_double_eq_tol(ppg.se, cases[_i].se, 1e-12);
        ck_assert_double_eq_tol(ppg.los, cases[_i].los, 1e-9);
        ck_assert_double_eq_tol(ppg.ci[1] - ppg.ci[0], 2 * STAT_Z95 * ppg.se, 1e-12);
    }
    ck_assert(!(cases[_i].sd == 0) || isnan(ppg.design_effect));
}

/* Estimates from sums equal those from the clusters. */
TEST(equal_games_have_no_spread)
{
    double games[30];

    for (size_t i = 0; i < 30; i++) {
        games[i] = 3;
    }
    for (size_t n = 2; n <= 30; n++) {
        ck_assert_double_eq(ppg_sd_of_games(games, n), 0);
    }
    ck_assert(isnan(ppg_sd_of_games(games, 1)));
    games[1] = -1;
    ck_assert_double_eq_tol(ppg_sd_of_games(games, 2), ppg_sd_of_sums(2, 2, 10), 1e-12);
}

/* Whole points over clusters of different sizes never leave a residue. */
TEST_LOOP(a_constant_rate_has_no_error, -3, 4)
{
    double points[50], games[50];
    struct ppg ppg;

    for (int c = 0; c < 50; c++) {
        games[c] = 1 + c % 7;
        points[c] = _i * games[c];
    }
    ppg_of(&ppg, points, games, 50, NAN);
    ck_assert_double_eq(ppg.se, 0);
    ck_assert_double_eq(ppg.los, _i > 0 ? 1 : _i < 0 ? 0 : 0.5);
}

TEST(groups_and_idle_engines_of_the_money_table)
{
    struct ppg_encounter rows[] = {
        {4, 3, 1.0, 0.5, 0}, {0, 1, 0.2, 0, 10}, {1, 2, 0.2, 0.1, 0}, {0, 2, NAN, NAN, 1}};
    struct ppg_rating players[6];
    struct ppg_table table;

    ck_assert_int_eq(ppg_table_fit(players, &table, 6, rows, 4, NULL), BG_OK);
    ck_assert_int_eq(table.groups, 2);
    ck_assert_double_eq(table.dof, 0);
    ck_assert_double_eq_tol(table.chi2, 0, 1e-12);
    ck_assert_int_eq(players[0].group, 0);
    ck_assert_int_eq(players[3].group, 1);
    ck_assert_int_eq(players[5].group, -1);
    ck_assert(isnan(players[5].rating) && isnan(players[5].se));
    ck_assert_double_eq_tol(players[0].rating, 0.2, 1e-12);
    ck_assert_double_eq_tol(players[4].rating, 0.5, 1e-12);
    ck_assert_double_eq_tol(players[4].se, 0.25, 1e-12);
}

TEST(an_encounter_without_error_bar_is_refused)
{
    struct ppg_encounter rows[] = {{0, 1, 0.2, 0.1, 0}, {0, 1, 0.2, 0, 0}};
    struct ppg_rating players[2];
    struct ppg_table table;

    ck_assert_int_eq(ppg_table_fit(players, &table, 2, rows, 2, &error), BG_E_ARGUMENT);
    ck_assert_str_eq(error.text,
                     "encounter 1: needs two engines and a standard error above 0, not 0");
}

/* Points of a game between equal sides: few games have large values. */
static double game(struct draw *draw)
{
    double x = draw_unit(draw), points = x < 0.5 ? 1 : x < 0.85 ? 2 : x < 0.97 ? 4 : 16;

    return draw_unit(draw) < 0.5 ? points : -points;
}

/* Equal bots, where the prior covers more than it says; and a field as wide as its games tell
 * apart, in which it has to cover what it says. */
static const struct {
    double sd, most_covered;
} fields[] = {{0, 1}, {0.5, 0.97}};

/* Many bots, five pairs each, of which most cancel: a large game must not reduce its own
 * encounter's weight. Nominal 95 % of the bars; no bar is wider than without a prior. */
TEST_ROWS(a_large_game_does_not_change_its_own_weight, fields)
{
    enum { EVENTS = 80, BOTS = 20, PAIRS = 5 };
    struct draw draw = DRAW_INIT(3);
    double covered = 0, rated = 0, step = fields[_i].sd * sqrt(12.0 / (BOTS * BOTS - 1));

    for (int event = 0; event < EVENTS; event++) {
        struct strength_money e[BOTS * BOTS];
        struct strength s;
        size_t count = 0;

        for (int a = 0; a < BOTS; a++) {
            for (int b = a + 1; b < BOTS; b++, count++) {
                e[count] = (struct strength_money){
                    .a = a, .b = b, .clusters = PAIRS, .games = 2 * PAIRS, .nn = 4 * PAIRS};
                for (int pair = 0; pair < PAIRS; pair++) {
                    double d = draw_unit(&draw) < 0.7 ? 0 : game(&draw) + game(&draw);

                    d += 2 * step * (a - b);
                    e[count].points += d;
                    e[count].dd += d * d;
                    e[count].dn += 2 * d;
                }
            }
        }
        ck_assert_int_eq(strength_of_money(&s, BOTS, e, count, NULL), BG_OK);
        for (int i = 0; i < BOTS; i++) {
            double off = s.bot[i].rating - step * (i - (BOTS - 1) / 2.0);
            double plain = s.pair_sd / 2 * sqrt((BOTS - 1.0) / (PAIRS * BOTS * BOTS));

            if (s.bot[i].flag == RATING_OK) {
                ck_assert_double_le(s.bot[i].se, 1.02 * plain);
                covered += fabs(off) <= s.bot[i].bar;
                rated++;
            }
        }
        strength_deinit(&s);
    }
    ck_assert_double_gt(rated, 0.98 * BOTS * EVENTS);
    ck_assert_double_gt(covered / rated, 0.935);
    ck_assert_double_le(covered / rated, fields[_i].most_covered);
}

void suite_begin(TCase *tests)
{
    vector_add(tests, "m01_money_pairs m02_money_plain p01_ppg_table");
}
