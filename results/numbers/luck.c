#include "luck.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "ppg.h"

/* Sums of values that cancel exactly leave this much at most. */
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
    /* doubles stand at the end of each row of the triangle: 0, 2, 5, 9, 14, 20 */
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
    /* one value that is missing leaves no mean: NaN goes through the sum */
    return take_mean(out, sum, isnan(sum) || luck_roll_weight(index) == 1 ? 0 : weight,
                     after[index]);
}

double luck_adjusted(double result_a, double luck_a, double luck_b)
{
    return result_a - luck_a + luck_b;
}

void luck_rolls_add(struct luck_rolls *sum, double luck)
{
    double before = luck - sum->mean;

    sum->rolls++;
    sum->mean += before / sum->rolls;
    sum->squares += before * (luck - sum->mean);
}

/* --- a set of games ---------------------------------------------------------------------- */

/* A value a result, summed over clusters. */
struct series {
    double *value;          /* of each result */
    double *points, *games; /* of each cluster */
    const struct luck_result *result;
    size_t count;
};

static size_t fill_clusters(const struct series *series)
{
    size_t clusters = 0;

    for (size_t i = 0; i < series->count; i++) {
        if (i == 0 || series->result[i].cluster != series->result[i - 1].cluster) {
            series->points[clusters] = series->games[clusters] = 0;
            clusters++;
        }
        series->points[clusters - 1] += series->value[i];
        series->games[clusters - 1]++;
    }
    return clusters;
}

/* Mean of the series against `even`. Pairs of identical bots cancel but for rounding: such an error
 * is none, and such a difference is none. */
static void mean_of(struct luck_mean *out, const struct series *series, double even)
{
    struct ppg ppg;
    size_t clusters = fill_clusters(series);

    ppg_of(&ppg, series->points, series->games, clusters,
           ppg_sd_of_games(series->value, series->count));
    *out = (struct luck_mean){ppg.ppg, ppg.se, {ppg.ci[0], ppg.ci[1]}, NAN, NAN};
    if (out->se < RESIDUE) {
        out->se = 0;
        out->ci[0] = out->ci[1] = out->mean;
    }
    out->sd = ppg_sd_of_games(series->value, series->count);
    out->los = stat_los(fabs(out->mean - even) < RESIDUE ? 0 : out->mean - even, out->se);
}

/* c = cov(result, luck) / var(luck). */
static double fit_coefficient(const struct luck_result *result, size_t count)
{
    double mean = 0, luck = 0, product = 0, square = 0;

    for (size_t i = 0; i < count; i++) {
        mean += result[i].result / (double)count;
        luck += result[i].luck / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        product += (result[i].result - mean) * (result[i].luck - luck);
        square += (result[i].luck - luck) * (result[i].luck - luck);
    }
    return square > RESIDUE * RESIDUE ? product / square : NAN;
}

/* Variances of single results: of plain ones over those of other ones. */
static double ratio_of(double plain_sd, double other_sd)
{
    return other_sd > RESIDUE ? plain_sd * plain_sd / (other_sd * other_sd) : NAN;
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
    out->coefficient = fit_coefficient(result, series->count);
    for (size_t i = 0; i < series->count; i++) {
        series->value[i] = result[i].result - out->coefficient * result[i].luck;
    }
    out->ratio = ratio_of(out->plain.sd, out->adjusted.sd);
    out->ratio_fitted = ratio_of(out->plain.sd, ppg_sd_of_games(series->value, series->count));
    out->clusters = (double)fill_clusters(series);
}

enum bg_status luck_summary_of(struct luck_summary *out, enum luck_unit unit,
                               const struct luck_result *result, size_t count,
                               const struct luck_rolls rolls[2], struct bg_error *err)
{
    double *work = calloc(3 * count + 1, sizeof *work);
    struct series series;

    if (work == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "luck of %zu games", count);
    }
    series = (struct series){work, work + count, work + 2 * count, result, count};
    *out = (struct luck_summary){.unit = unit, .results = (double)count};
    fill_means(out, &series);
    for (int side = 0; side < 2; side++) {
        double n = rolls == NULL ? 0 : rolls[side].rolls;

        out->roll_mean[side] = n > 0 ? rolls[side].mean : NAN;
        out->roll_se[side] = n > 1 ? sqrt(rolls[side].squares / (n - 1) / n) : NAN;
    }
    free(work);
    return BG_OK;
}

/* Whether a value is further from 0 than three standard errors; not when either is unknown. */
static bool is_far(double value, double se)
{
    return fabs(value) > 3 * se + RESIDUE;
}

unsigned luck_health_of(const struct luck_summary *summary)
{
    unsigned health = LUCK_HEALTHY;

    if (is_far(summary->roll_mean[0], summary->roll_se[0]) ||
        is_far(summary->roll_mean[1], summary->roll_se[1])) {
        health |= LUCK_ROLLS_BIASED;
    }
    if (is_far(summary->difference.mean, summary->difference.se)) {
        health |= LUCK_RESULTS_APART;
    }
    if (fabs(summary->coefficient - 1) > 0.2 || summary->ratio < 3) {
        health |= LUCK_JUDGE_WEAK;
    }
    if (fabs(summary->coefficient - 1) > 0.1) {
        health |= LUCK_SCALE_OFF;
    }
    return health;
}
