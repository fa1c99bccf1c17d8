/* Luck has mean 0 over all dice, whatever the judge believes, so that a result less its luck is
 * fair even with a weak judge: he makes it less exact and not wrong. What depends on his
 * strength is tested apart, in the health below. */
#include "luck.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <bgref/evaluate.h>

#include "ppg.h"
#include "significance.h"

/* Largest remainder of sums of values that cancel exactly. */
static const double RESIDUE = 1e-9;

double luck_other_side(enum luck_unit unit, double value)
{
    return unit == LUCK_POINTS ? -value : 1 - value;
}

int luck_roll_index(int die, int other)
{
    int high = die > other ? die : other, low = die > other ? other : die;

    assert(low >= 1 && high <= 6);
    return high * (high - 1) / 2 + low - 1;
}

int luck_roll_weight(int index)
{
    assert(index >= 0 && index < LUCK_ROLLS);
    /* doubles are at the end of each row of the triangle: 0, 2, 5, 9, 14, 20 */
    for (int row = 1; row <= 6; row++) {
        if (index == row * (row + 1) / 2 - 1) {
            return 1;
        }
    }
    return 2;
}

static bool take_mean(struct luck_roll *out, double sum, double weight, double actual)
{
    *out = (struct luck_roll){NAN, NAN};
    if (!(weight > 0) || isnan(actual)) {
        return false;
    }
    out->before = sum / weight;
    out->luck = actual - out->before;
    return true;
}

bool luck_of_roll(struct luck_roll *out, const double after[LUCK_ROLLS], int index)
{
    double sum = 0, weight = 0;

    for (int i = 0; i < LUCK_ROLLS; i++) {
        if (!isnan(after[i])) {
            sum += luck_roll_weight(i) * after[i];
            weight += luck_roll_weight(i);
        }
    }
    return take_mean(out, sum, weight, after[index]);
}

bool luck_of_throw(struct luck_roll *out, const double after[LUCK_THROWS], int index)
{
    double sum = 0, weight = 0;

    for (int i = 0; i < LUCK_THROWS; i++) {
        if (!isnan(after[i])) {
            sum += bg_throw_weight(i) * after[i];
            weight += bg_throw_weight(i);
        }
    }
    return take_mean(out, sum, weight, after[index]);
}

bool luck_of_opening(struct luck_roll *out, const double after[LUCK_ROLLS],
                     const double other[LUCK_ROLLS], int index, enum luck_unit unit)
{
    double sum = 0, weight = 0;

    for (int i = 0; i < LUCK_ROLLS; i++) {
        if (luck_roll_weight(i) == 2) {
            sum += after[i] + luck_other_side(unit, other[i]);
            weight += 2;
        }
    }
    /* with a missing value there is no mean: NaN passes through the sum */
    return take_mean(out, sum, isnan(sum) || luck_roll_weight(index) == 1 ? 0 : weight,
                     after[index]);
}

double luck_adjusted(double result_a, double luck_a, double luck_b)
{
    return result_a - luck_a + luck_b;
}

void luck_rolls_add(struct luck_rolls *sum, double luck)
{
    /* Welford's step: the sum of squares of millions of small numbers less the square of their
     * sum would be noise. */
    double before = luck - sum->mean;

    sum->rolls++;
    sum->mean += before / sum->rolls;
    sum->squares += before * (luck - sum->mean);
}

void luck_rolls_merge(struct luck_rolls *sum, const struct luck_rolls *more)
{
    double rolls = sum->rolls + more->rolls, apart = more->mean - sum->mean;

    if (more->rolls > 0) {
        sum->squares += more->squares + apart * apart * sum->rolls * more->rolls / rolls;
        sum->mean += apart * more->rolls / rolls;
        sum->rolls = rolls;
    }
}

/* --- fair dice ---------------------------------------------------------------------------- */

enum { ENOUGH = 180 };

void dice_count(struct dice_counts *counts, int die, int other, uint64_t times)
{
    if (die >= 1 && die <= 6 && other >= 1 && other <= 6) {
        counts->roll[luck_roll_index(die, other)] += times;
    }
}

/* P(chi-square > x) for an even number of degrees of freedom: a sum of Poisson probabilities. */
static double tail_of(double x, int df)
{
    double term = exp(-x / 2), sum = 0;

    for (int k = 0; k < df / 2; k++) {
        sum += term;
        term *= x / 2 / (k + 1);
    }
    return sum;
}

/* All 21 rolls in one test and not face by face: dice whose faces are even can still favour
 * doubles. The number of degrees is even, for which the tail is a finite sum. */
void dice_test_of(struct dice_test *out, const struct dice_counts *counts)
{
    *out = (struct dice_test){.chi2 = NAN, .p = NAN};
    for (int i = 0; i < LUCK_ROLLS; i++) {
        out->rolls += (double)counts->roll[i];
    }
    /* A double is expected in one of 36 rolls: five of each are needed for chi-square. */
    if (out->rolls < ENOUGH) {
        return;
    }
    out->chi2 = 0;
    for (int i = 0; i < LUCK_ROLLS; i++) {
        double expected = out->rolls * luck_roll_weight(i) / 36;
        double apart = (double)counts->roll[i] - expected;

        out->chi2 += apart * apart / expected;
    }
    out->p = tail_of(out->chi2, DICE_TEST_DF);
}

/* --- a set of games ---------------------------------------------------------------------- */

/* One value per result, summed over clusters. */
struct series {
    double *value;          /* one per result */
    double *points, *games; /* one per cluster */
    int *against;           /* one per cluster */
    const struct luck_result *result;
    size_t count;
};

static size_t fill_clusters(const struct series *series)
{
    size_t clusters = 0;

    for (size_t i = 0; i < series->count; i++) {
        if (i == 0 || series->result[i].cluster != series->result[i - 1].cluster) {
            series->points[clusters] = series->games[clusters] = 0;
            series->against[clusters] = series->result[i].against;
            clusters++;
        }
        series->points[clusters - 1] += series->value[i];
        series->games[clusters - 1]++;
    }
    return clusters;
}

/* Sums the squares of the clusters from `first` to `end`, all against one opponent, about their own
 * mean. */
static double squares_of(const struct series *series, size_t first, size_t end)
{
    double points = 0, games = 0, sum = 0;

    for (size_t c = first; c < end; c++) {
        points += series->points[c];
        games += series->games[c];
    }
    for (size_t c = first; c < end; c++) {
        double residual = series->points[c] - series->games[c] * points / games;

        sum += residual * residual;
    }
    return sum;
}

/* Returns the end of the clusters against the opponent of cluster `first`. */
static size_t opponent_end(const struct series *series, size_t first, size_t clusters)
{
    size_t end = first + 1;

    while (end < clusters && series->against[end] == series->against[first]) {
        end++;
    }
    return end;
}

/* Computes the standard error of the mean and its degrees of freedom. An opponent met in only one
 * cluster is given the spread of the others. */
static void spread_of(struct luck_mean *out, const struct series *series, size_t clusters)
{
    double all = 0, pooled_df = 0, games = (double)series->count, variance = 0, doubt = 0, ones = 0;

    out->se = out->df = NAN;
    for (size_t c = 0, end; c < clusters; c = end) {
        double m, squares;

        end = opponent_end(series, c, clusters);
        m = (double)(end - c);
        squares = squares_of(series, c, end);
        all += squares;
        pooled_df += m - 1;
        ones += m == 1;
        if (m > 1) {
            double part = m / (m - 1) * squares;

            variance += part;
            doubt += part * part / (m - 1);
        }
    }
    if (!(pooled_df > 0)) {
        return;
    }
    doubt += 2 * variance * ones * all / (pooled_df * pooled_df) +
             pow(ones * all / pooled_df, 2) / pooled_df;
    variance += ones * all / pooled_df;
    out->se = sqrt(variance) / games;
    out->df = doubt > 0 ? variance * variance / doubt : pooled_df;
}

/* Computes the mean of the series against `even`. Pairs of identical bots cancel except for
 * rounding: such small errors and differences are set to 0. */
static void mean_of(struct luck_mean *out, const struct series *series, double even)
{
    size_t clusters = fill_clusters(series);
    double sum = 0, apart;

    *out = (struct luck_mean){NAN, NAN, {NAN, NAN}, NAN, NAN, NAN};
    for (size_t c = 0; c < clusters; c++) {
        sum += series->points[c];
    }
    if (clusters > 0) {
        out->mean = fabs(sum) < RESIDUE ? 0 : sum / (double)series->count;
        spread_of(out, series, clusters);
    }
    out->se = out->se < RESIDUE ? 0 : out->se;
    out->ci[0] = out->mean - student_t95(out->df) * out->se;
    out->ci[1] = out->mean + student_t95(out->df) * out->se;
    out->sd = ppg_sd_of_games(series->value, series->count);
    apart = fabs(out->mean - even) < RESIDUE ? 0 : out->mean - even;
    out->los = out->se > 0 ? student_cdf(apart / out->se, out->df) : stat_los(apart, out->se);
}

/* Returns the result; if give_back is set, adds what errors have cost. */
static double played(const struct luck_result *result, bool give_back)
{
    return result->result + (give_back ? result->loss : 0);
}

/* c = cov(result, luck) / var(luck). */
static double fit_coefficient(const struct luck_result *result, size_t count, bool give_back)
{
    double mean = 0, luck = 0, product = 0, square = 0;

    for (size_t i = 0; i < count; i++) {
        mean += played(&result[i], give_back) / (double)count;
        luck += result[i].luck / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        product += (played(&result[i], give_back) - mean) * (result[i].luck - luck);
        square += (result[i].luck - luck) * (result[i].luck - luck);
    }
    return square > RESIDUE * RESIDUE ? product / square : NAN;
}

/* Returns the variance of single plain results divided by that of the other results; NaN if these
 * do not vary but for the rounding of a judge's single floats. */
static double ratio_of(double plain_sd, double other_sd)
{
    return other_sd > RESIDUE && other_sd > 1e-5 * plain_sd
               ? plain_sd * plain_sd / (other_sd * other_sd)
               : NAN;
}

/* Fills in the test of the judge against itself. */
static void fill_itself(struct luck_summary *out, const struct series *series, double even)
{
    const struct luck_result *result = series->result;
    double sd;
    bool known = series->count > 0;

    out->itself = (struct luck_mean){NAN, NAN, {NAN, NAN}, NAN, NAN, NAN};
    out->own_coefficient = out->own_ratio = NAN;
    for (size_t i = 0; i < series->count; i++) {
        known = known && result[i].has_loss;
        series->value[i] = played(&result[i], true);
    }
    if (!known) {
        return;
    }
    sd = ppg_sd_of_games(series->value, series->count);
    for (size_t i = 0; i < series->count; i++) {
        series->value[i] = played(&result[i], true) - result[i].luck;
    }
    mean_of(&out->itself, series, even);
    out->itself.los = NAN;
    out->own_ratio = ratio_of(sd, out->itself.sd);
    out->own_coefficient = fit_coefficient(result, series->count, true);
}

static bool is_strong(const struct luck_result *result)
{
    return result->has_loss && result->error <= LUCK_STRONG;
}

/* Fills in the judge's own fit over the results of strong play. */
static void fill_strong(struct luck_summary *out, const struct series *series)
{
    const struct luck_result *result = series->result;
    double mean = 0, luck = 0, product = 0, square = 0, sd;
    size_t count = 0, last = 0;

    for (size_t i = 0; i < series->count; i++) {
        if (is_strong(&result[i])) {
            out->strong.clusters += count == 0 || result[i].cluster != result[last].cluster ? 1 : 0;
            series->value[count++] = played(&result[i], true);
            mean += played(&result[i], true);
            luck += result[i].luck;
            last = i;
        }
    }
    out->strong.results = (double)count;
    sd = ppg_sd_of_games(series->value, count);
    count = 0;
    for (size_t i = 0; i < series->count; i++) {
        if (is_strong(&result[i])) {
            double apart = result[i].luck - luck / out->strong.results;

            product += (played(&result[i], true) - mean / out->strong.results) * apart;
            square += apart * apart;
            series->value[count++] = played(&result[i], true) - result[i].luck;
        }
    }
    out->strong.sd = ppg_sd_of_games(series->value, count);
    out->strong.ratio = ratio_of(sd, out->strong.sd);
    out->strong.coefficient = square > RESIDUE * RESIDUE ? product / square : NAN;
}

static void fill_means(struct luck_summary *out, const struct series *series)
{
    const struct luck_result *result = series->result;
    double even = out->unit == LUCK_POINTS ? 0 : 0.5;

    for (size_t i = 0; i < series->count; i++) {
        series->value[i] = result[i].result;
    }
    mean_of(&out->plain, series, even);
    for (size_t i = 0; i < series->count; i++) {
        series->value[i] = result[i].result - result[i].luck;
    }
    mean_of(&out->adjusted, series, even);
    for (size_t i = 0; i < series->count; i++) {
        series->value[i] = -result[i].luck;
    }
    mean_of(&out->difference, series, 0);
    out->difference.los = NAN;
    out->coefficient = fit_coefficient(result, series->count, false);
    for (size_t i = 0; i < series->count; i++) {
        series->value[i] = result[i].result - out->coefficient * result[i].luck;
    }
    out->ratio = ratio_of(out->plain.sd, out->adjusted.sd);
    out->ratio_fitted = ratio_of(out->plain.sd, ppg_sd_of_games(series->value, series->count));
    out->clusters = (double)fill_clusters(series);
    fill_itself(out, series, even);
    fill_strong(out, series);
}

void luck_summary_of(struct luck_summary *out, enum luck_unit unit,
                     const struct luck_result *result, size_t count,
                     const struct luck_rolls rolls[2])
{
    double *work = memory_zeroed(3 * count, sizeof *work);
    int *against = memory_zeroed(count, sizeof *against);
    struct series series;

    series = (struct series){work, work + count, work + 2 * count, against, result, count};
    *out = (struct luck_summary){.unit = unit, .results = (double)count};
    fill_means(out, &series);
    for (int side = 0; side < 2; side++) {
        double n = rolls == NULL ? 0 : rolls[side].rolls;

        out->roll_mean[side] = n > 0 ? rolls[side].mean : NAN;
        out->roll_se[side] = n > 1 ? sqrt(rolls[side].squares / (n - 1) / n) : NAN;
    }
    free(work);
    free(against);
}

static double within(double x, enum luck_unit unit)
{
    return unit == LUCK_POINTS ? x : x < 0 ? 0 : x > 1 ? 1 : x;
}

struct luck_mean luck_mean_shown(const struct luck_mean *mean, enum luck_unit unit)
{
    struct luck_mean out = *mean;

    out.mean = within(out.mean, unit);
    if (!(out.se > 0)) {
        out.se = out.ci[0] = out.ci[1] = out.los = NAN;
    }
    out.ci[0] = within(out.ci[0], unit);
    out.ci[1] = within(out.ci[1], unit);
    if (!(out.ci[1] > out.ci[0])) { /* no part lies in the range of probabilities */
        out.ci[0] = out.ci[1] = NAN;
    }
    return out;
}

/* --- health ------------------------------------------------------------------------------ */

struct luck_looked {
    double p; /* two-sided */
    size_t row;
};

/* Adds the two-sided p-value of a difference from 0 to the list; skips what is not known. */
static void look_at_value(struct luck_looked *list, size_t *count, size_t row, double value,
                          double se)
{
    if (isfinite(value) && isfinite(se)) {
        double z = fabs(value) <= RESIDUE ? 0 : se > 0 ? fabs(value) / se : INFINITY;

        list[(*count)++] = (struct luck_looked){2 * stat_phi(-z), row};
    }
}

/* A row keeps its smallest p after Holm. */
static void blame(struct luck_checked *out, unsigned what, const struct luck_looked *list,
                  size_t count)
{
    const double limit = 2 * stat_phi(-3);
    double *p = memory_zeroed(count, sizeof *p);

    for (size_t i = 0; i < count; i++) {
        p[i] = list[i].p;
    }
    holm_adjust(p, count);
    for (size_t i = 0; i < count; i++) {
        struct luck_checked *row = &out[list[i].row];
        double *at = what == LUCK_RESULTS_APART ? &row->apart_p : &row->rolls_p;

        *at = fmin(*at, p[i]); /* fmin ignores NaN */
        row->warnings |= p[i] < limit ? what : 0;
    }
    free(p);
}

static bool is_outside(double c, double width)
{
    return fabs(c - 1) > width;
}

static bool is_poor(double coefficient, double ratio)
{
    return is_outside(coefficient, 0.2) || ratio < 3;
}

/* Returns warnings about the quality of a judge on a set. Only strong play shows that a judge is
 * weak: errors stay in an adjusted result, and where they are given back, they are not exact. */
static unsigned advice(const struct luck_summary *s)
{
    bool explained = isfinite(s->itself.mean) && !is_poor(s->own_coefficient, s->own_ratio);

    if (s->strong.clusters >= LUCK_CLUSTERS) {
        return (is_poor(s->strong.coefficient, s->strong.ratio) ? LUCK_JUDGE_WEAK : 0) |
               (is_outside(s->strong.coefficient, 0.1) ? LUCK_SCALE_OFF : 0);
    }
    return is_poor(s->coefficient, s->ratio) && !explained ? LUCK_UNCLEAR : LUCK_HEALTHY;
}

void luck_health_of(struct luck_checked *out, const struct luck_summary *const *rows, size_t count,
                    int sides)
{
    struct luck_looked *apart = memory_zeroed(3 * count, sizeof *apart), *rolls;
    size_t aparts = 0, roll_means = 0;

    rolls = apart + count;
    for (size_t i = 0; i < count; i++) {
        const struct luck_summary *row = rows[i];

        out[i] = (struct luck_checked){LUCK_HEALTHY, NAN, NAN};
        if (row->clusters < LUCK_CLUSTERS) {
            continue;
        }
        out[i].warnings = advice(row);
        look_at_value(apart, &aparts, i, row->difference.mean, row->difference.se);
        for (int side = 0; side < sides; side++) {
            look_at_value(rolls, &roll_means, i, row->roll_mean[side], row->roll_se[side]);
        }
    }
    blame(out, LUCK_RESULTS_APART, apart, aparts);
    blame(out, LUCK_ROLLS_BIASED, rolls, roll_means);
    free(apart);
}
