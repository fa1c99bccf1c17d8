/* Results are counted in the order of the schedule and not as they arrive: short games end
 * first, and a test that looked at them would see another mixture of results than the one it was
 * planned for. */
#include "sprt.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "rating.h"

/* A variance smaller than this share of the squared mean is a rounding error of equal scores. */
static const double EQUAL = 1e-24;

struct sprt_waiting {
    uint64_t number;
    double score;
};

/* --- bounds and decisions ---------------------------------------------------------------- */

const char *sprt_state_name(enum sprt_state state)
{
    static const char *const names[] = {"continue", "H0", "H1", "undecided"};

    return names[state];
}

struct sprt_bounds sprt_bounds_of(double alpha, double beta)
{
    return (struct sprt_bounds){log(beta / (1 - alpha)), log((1 - beta) / alpha)};
}

enum sprt_state sprt_decide(double llr, struct sprt_bounds bounds)
{
    return llr >= bounds.upper ? SPRT_H1 : llr <= bounds.lower ? SPRT_H0 : SPRT_CONTINUE;
}

/* --- log likelihood ratios --------------------------------------------------------------- */

static bool has_spread(double m, double mean, double variance)
{
    return m > 0 && variance > EQUAL * mean * mean && isfinite(variance);
}

/* Replaces values beyond double precision by NaN. */
static double finite_or_nan(double x)
{
    return isfinite(x) ? x : NAN;
}

double sprt_normal(double m, double mean, double variance, double h0, double h1)
{
    double d0 = mean - h0, d1 = mean - h1;

    double low = variance + d0 * d0, high = variance + d1 * d1, excess = (low - high) / high;

    if (!has_spread(m, mean, variance)) {
        return NAN;
    }
    /* near 1 the quotient has lost digits that the difference of the squares still has */
    if (fabs(excess) < 0.5) {
        return finite_or_nan(m / 2 * log1p((h1 - h0) * (2 * mean - h0 - h1) / high));
    }
    return finite_or_nan(m / 2 * (log(low) - log(high)));
}

double sprt_normal_wald(double m, double mean, double variance, double h0, double h1)
{
    if (!has_spread(m, mean, variance)) {
        return NAN;
    }
    return finite_or_nan(m * (h1 - h0) * (2 * mean - h0 - h1) / (2 * variance));
}

/* Hypotheses in standard deviations of a cluster about `even`: (mean - even) / deviation. NaN
 * without spread. */
static double sprt_normalised(double m, double mean, double variance, double even, double t0,
                              double t1)
{
    if (!has_spread(m, mean, variance)) {
        return NAN;
    }
    /* the same ratio in units of the deviation */
    return sprt_normal(m, (mean - even) / sqrt(variance), 1, t0, t1);
}

void sprt_moments(double *mean, double *variance, const double *score, size_t count)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < count; i++) {
        sum += score[i];
    }
    *mean = count > 0 ? sum / (double)count : NAN;
    for (size_t i = 0; i < count; i++) {
        squares += (score[i] - *mean) * (score[i] - *mean);
    }
    *variance = count > 0 ? squares / (double)count : NAN;
}

double sprt_binomial(double length_points, double won, double lost, double h0, double h1)
{
    double llr = 0;

    /* a side without games is no evidence, even if that is unlikely */
    if (won > 0) {
        llr +=
            won * (rating_log_expected(h1, length_points) - rating_log_expected(h0, length_points));
    }
    if (lost > 0) {
        llr += lost *
               (rating_log_expected(-h1, length_points) - rating_log_expected(-h0, length_points));
    }
    return finite_or_nan(llr);
}

/* Finds the tilt t with sum p (a - s) / (1 + t (a - s)) = 0. The sum falls from +inf to -inf
 * between the poles, so halving always works; Newton's step is faster and is used if it stays
 * between the bounds. */
static double tilt_of(const double *p, int outcomes, double s)
{
    double low = -1 / (1 - s), high = 1 / s, t = 0, last = NAN;

    while (t > low && t < high && t != last) {
        double sum = 0, slope = 0, next = 0;

        for (int i = 0; i < outcomes; i++) {
            double away = (double)i / (outcomes - 1) - s, share = away / (1 + t * away);

            sum += p[i] * share;
            slope -= p[i] * share * share;
        }
        *(sum > 0 ? &low : &high) = t;
        next = t - sum / slope;
        last = t;
        t = next > low && next < high ? next : (low + high) / 2;
    }
    return t;
}

double sprt_multinomial(const double *counts, int outcomes, double s0, double s1)
{
    double p[SPRT_OUTCOMES_MAX], n = 0, llr = 0, t0 = 0, t1 = 0;

    assert(outcomes >= 2 && outcomes <= SPRT_OUTCOMES_MAX);
    for (int i = 0; i < outcomes; i++) {
        /* An outcome that has not occurred yet must stay possible: with 0 a mean outside of the
         * seen ones has no likelihood at all. */
        p[i] = counts[i] > 0 ? counts[i] : 0.001;
        n += p[i];
    }
    for (int i = 0; i < outcomes; i++) {
        p[i] /= n;
    }
    t0 = tilt_of(p, outcomes, s0);
    t1 = tilt_of(p, outcomes, s1);
    for (int i = 0; i < outcomes; i++) {
        double a = (double)i / (outcomes - 1);

        llr += p[i] * log((1 + t0 * (a - s0)) / (1 + t1 * (a - s1)));
    }
    return finite_or_nan(n * llr);
}

/* --- planning ---------------------------------------------------------------------------- */

struct sprt_length sprt_length_of(double mean, double variance, double h0, double h1,
                                  struct sprt_bounds bounds)
{
    double step = (h1 - h0) / variance;
    double drift = (mean - (h0 + h1) / 2) * step, spread = step * step * variance;
    double h = -2 * drift / spread, l = bounds.lower, u = bounds.upper;
    struct sprt_length out;

    if (fabs(h) * (u - l) < 1e-6) { /* the drift is close to 0: use the limit */
        out.accept_h1 = -l / (u - l);
        out.clusters = -l * u / spread;
        return out;
    }
    /* (1 - e^(hl)) / (e^(hu) - e^(hl)), written so that no power overflows */
    out.accept_h1 = h > 0 ? exp(-h * u) * expm1(h * l) / expm1(h * (l - u))
                          : expm1(-h * l) / expm1(h * (u - l));
    out.clusters = (out.accept_h1 * u + (1 - out.accept_h1) * l) / drift;
    return out;
}

/* --- a test while it runs ---------------------------------------------------------------- */

/* MULTINOMIAL: the mean score of a hypothesis. */
static double mean_score(const struct sprt_plan *plan, double h)
{
    return plan->length_points > 0 ? rating_expected(h, plan->length_points) : h;
}

static enum bg_status check_plan(const struct sprt_plan *plan, struct bg_error *err)
{
    if (!isfinite(plan->h0) || !isfinite(plan->h1) || !(plan->h0 < plan->h1)) {
        return bg_error_set(err, BG_E_ARGUMENT, "sprt: h0 %g and h1 %g: h0 needs to be below h1",
                            plan->h0, plan->h1);
    }
    if (!(plan->alpha > 0) || !(plan->beta > 0) || !(plan->alpha + plan->beta < 1)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "sprt: alpha %g and beta %g: both need to be above 0, together below 1",
                            plan->alpha, plan->beta);
    }
    if (plan->model == SPRT_BINOMIAL ||
        (plan->model == SPRT_MULTINOMIAL && plan->length_points != 0)) {
        if (!isfinite(plan->length_points) || plan->length_points < 1) {
            return bg_error_set(err, BG_E_ARGUMENT, "sprt: length %g: a match has at least 1 point",
                                plan->length_points);
        }
    }
    if (plan->model == SPRT_MULTINOMIAL &&
        (plan->outcomes < 2 || plan->outcomes > SPRT_OUTCOMES_MAX)) {
        return bg_error_set(err, BG_E_ARGUMENT, "sprt: %d outcomes: there are 2 to %d",
                            plan->outcomes, SPRT_OUTCOMES_MAX);
    }
    if (plan->model == SPRT_MULTINOMIAL &&
        !(mean_score(plan, plan->h0) > 0 && mean_score(plan, plan->h1) < 1 &&
          mean_score(plan, plan->h0) < mean_score(plan, plan->h1))) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "sprt: h0 %g and h1 %g: no two mean scores between 0 and 1", plan->h0,
                            plan->h1);
    }
    if (plan->max_clusters > 0 && plan->max_clusters < plan->min_clusters) {
        return bg_error_set(
            err, BG_E_ARGUMENT, "sprt: at most %llu clusters, but no look before %llu",
            (unsigned long long)plan->max_clusters, (unsigned long long)plan->min_clusters);
    }
    return BG_OK;
}

enum bg_status sprt_init(struct sprt *out, const struct sprt_plan *plan, struct bg_error *err)
{
    enum bg_status status = check_plan(plan, err);

    *out = (struct sprt){.plan = *plan, .llr = NAN, .llr_wald = NAN};
    if (status != BG_OK) {
        return status;
    }
    out->bounds = sprt_bounds_of(plan->alpha, plan->beta);
    if (plan->model == SPRT_BINOMIAL) {
        out->plan.outcomes = 2;
    }
    return BG_OK;
}

void sprt_deinit(struct sprt *test)
{
    free(test->waiting);
    *test = (struct sprt){0};
}

double sprt_variance(const struct sprt *test)
{
    return test->clusters > 0 ? test->squares / (double)test->clusters : NAN;
}

static void count_score(struct sprt *test, double score)
{
    double before = score - test->mean;

    test->clusters++;
    test->mean += before / (double)test->clusters;
    test->squares += before * (score - test->mean);
    if (test->plan.model == SPRT_BINOMIAL || test->plan.model == SPRT_MULTINOMIAL) {
        double place = score * (test->plan.outcomes - 1);
        int outcome = (int)lround(place);

        assert(outcome >= 0 && outcome < test->plan.outcomes && fabs(outcome - place) < 1e-9);
        test->counts[outcome]++;
    }
}

static void look_at_test(struct sprt *test)
{
    const struct sprt_plan *plan = &test->plan;
    double m = (double)test->clusters;

    switch (plan->model) {
    case SPRT_NORMAL:
        test->llr = sprt_normal(m, test->mean, sprt_variance(test), plan->h0, plan->h1);
        test->llr_wald = sprt_normal_wald(m, test->mean, sprt_variance(test), plan->h0, plan->h1);
        break;
    case SPRT_NORMALISED:
        test->llr =
            sprt_normalised(m, test->mean, sprt_variance(test), plan->even, plan->h0, plan->h1);
        break;
    case SPRT_BINOMIAL:
        test->llr = sprt_binomial(plan->length_points, test->counts[1], test->counts[0], plan->h0,
                                  plan->h1);
        break;
    case SPRT_MULTINOMIAL:
        test->llr = sprt_multinomial(test->counts, plan->outcomes, mean_score(plan, plan->h0),
                                     mean_score(plan, plan->h1));
        break;
    }
    if (test->clusters >= plan->min_clusters) {
        test->state = sprt_decide(test->llr, test->bounds);
    }
    if (test->state == SPRT_CONTINUE && plan->max_clusters > 0 &&
        test->clusters >= plan->max_clusters) {
        test->state = SPRT_UNDECIDED;
    }
}

void sprt_add(struct sprt *test, double score)
{
    /* Also for what is left out, so that its gap does not hold up all that follows. */
    test->next++;
    if (test->state == SPRT_CONTINUE && !isnan(score)) {
        count_score(test, score);
        look_at_test(test);
    }
}

/* Returns the place of a number in the waiting list, or the place to insert it. */
static size_t waiting_place(const struct sprt *test, uint64_t number)
{
    size_t low = 0, high = test->waiting_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (test->waiting[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void keep_waiting(struct sprt *test, uint64_t number, double score)
{
    size_t place = waiting_place(test, number);

    /* Put twice it is the same result. */
    if (place < test->waiting_count && test->waiting[place].number == number) {
        return;
    }
    test->waiting = memory_list(test->waiting, &test->waiting_room, test->waiting_count + 1,
                                sizeof *test->waiting);
    memmove(&test->waiting[place + 1], &test->waiting[place],
            (test->waiting_count - place) * sizeof *test->waiting);
    test->waiting[place] = (struct sprt_waiting){number, score};
    test->waiting_count++;
}

/* Counts waiting results up to the first gap; stops at a decision. */
static void close_gap(struct sprt *test)
{
    size_t done = 0;

    while (test->state == SPRT_CONTINUE && done < test->waiting_count &&
           test->waiting[done].number == test->next) {
        sprt_add(test, test->waiting[done++].score);
    }
    if (done > 0) {
        test->waiting_count -= done;
        memmove(test->waiting, &test->waiting[done], test->waiting_count * sizeof *test->waiting);
    }
}

void sprt_put(struct sprt *test, uint64_t number, double score)
{
    /* What was decided stays decided: later results are surplus. */
    if (test->state != SPRT_CONTINUE || number < test->next) {
        return;
    }
    if (number > test->next) {
        keep_waiting(test, number, score);
        return;
    }
    sprt_add(test, score);
    close_gap(test);
}
