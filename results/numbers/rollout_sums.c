#include "rollout_sums.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "luck.h"

enum { STRATUM_MIN = 8 /* trials in each: with fewer the spread within them is too uncertain */ };

void rollout_sums_init(struct rollout_sums *out, int lines)
{
    size_t n = (size_t)lines;

    *out = (struct rollout_sums){.lines = lines};
    out->base = memory_zeroed(n, sizeof *out->base);
    out->sum = memory_zeroed(LUCK_ROLLS * n, sizeof *out->sum);
    out->product = memory_zeroed(LUCK_ROLLS * n * n, sizeof *out->product);
}

void rollout_sums_deinit(struct rollout_sums *sums)
{
    free(sums->base);
    free(sums->sum);
    free(sums->product);
    *sums = (struct rollout_sums){.lines = 0};
}

void rollout_sums_add(struct rollout_sums *sums, int first_roll, const double *value)
{
    int lines = sums->lines;
    double *sum = &sums->sum[first_roll * lines];
    double *product = &sums->product[first_roll * lines * lines];

    if (sums->trials == 0) {
        memcpy(sums->base, value, (size_t)lines * sizeof *value);
    }
    for (int i = 0; i < lines; i++) {
        /* Sums of differences from the first trial: values are near each other, and their
         * squares would lose the digits in which they differ. */
        double x = value[i] - sums->base[i];

        sum[i] += x;
        for (int j = 0; j < lines; j++) {
            product[i * lines + j] += x * (value[j] - sums->base[j]);
        }
    }
    sums->count[first_roll]++;
    sums->trials++;
}

/* Returns true if the first rolls are used as strata. */
static bool is_stratified(const struct rollout_sums *sums)
{
    for (int i = 0; i < LUCK_ROLLS; i++) {
        if (sums->count[i] < STRATUM_MIN) {
            return false;
        }
    }
    return true;
}

double rollout_sums_mean(const struct rollout_sums *sums, int line)
{
    bool stratified = is_stratified(sums);
    double mean = 0.0;

    for (int i = 0; i < LUCK_ROLLS; i++) {
        double weight = stratified ? luck_roll_weight(i) / 36.0 / (double)sums->count[i]
                                   : 1.0 / (double)sums->trials;

        mean += weight * sums->sum[i * sums->lines + line];
    }
    return sums->trials == 0 ? NAN : sums->base[line] + mean;
}

/* The sum and the sum of squares of line - other in one stratum; other -1: of line. */
static void moments(double *sum, double *squares, const struct rollout_sums *sums, int stratum,
                    int line, int other)
{
    const double *s = &sums->sum[stratum * sums->lines];
    const double *p = &sums->product[stratum * sums->lines * sums->lines];
    int n = sums->lines;

    *sum = s[line] - (other < 0 ? 0.0 : s[other]);
    *squares = p[line * n + line];
    if (other >= 0) {
        *squares += p[other * n + other] - 2.0 * p[line * n + other];
    }
}

static double error_of(const struct rollout_sums *sums, int line, int other)
{
    bool stratified = is_stratified(sums);
    double all = 0.0, all_squares = 0.0, variance = 0.0;
    double n = (double)sums->trials;

    if (sums->trials < 2) {
        return NAN;
    }
    for (int i = 0; i < LUCK_ROLLS; i++) {
        double sum, squares, count = (double)sums->count[i], weight = luck_roll_weight(i) / 36.0;

        moments(&sum, &squares, sums, i, line, other);
        all += sum;
        all_squares += squares;
        if (stratified) {
            variance +=
                weight * weight * fmax(squares - sum * sum / count, 0.0) / (count - 1.0) / count;
        }
    }
    if (!stratified) {
        variance = fmax(all_squares - all * all / n, 0.0) / (n - 1.0) / n;
    }
    return sqrt(variance);
}

double rollout_sums_error(const struct rollout_sums *sums, int line)
{
    return error_of(sums, line, -1);
}

double rollout_sums_error_apart(const struct rollout_sums *sums, int line, int other)
{
    return error_of(sums, line, other);
}

double rollout_sums_covariance(const struct rollout_sums *sums, int line, int other)
{
    double error = rollout_sums_error(sums, line), error_other = rollout_sums_error(sums, other);
    double apart = rollout_sums_error_apart(sums, line, other);

    if (sums->trials < 2) {
        return 0.0;
    }
    return (error * error + error_other * error_other - apart * apart) / 2.0;
}
