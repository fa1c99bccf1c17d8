#include "profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear.h"
#include "ppg.h"
#include "rating.h"

enum { STEPS = 100, ROUNDS = 60 };

static const double NEAR = 1e-7; /* rating points */

struct work {
    const struct profile *of;
    int i, anchor; /* the contrast: i minus the anchor, or minus the mean (anchor -1) */
    double *at;    /* ratings with the largest likelihood for this contrast */
    double *free;  /* the step without the constraint on the contrast, then the step itself */
    double *reach; /* effect of the contrast on each rating */
    double *next;  /* result of a step */
    double *matrix, *copy;
    double slope; /* slope of the profile likelihood along the contrast */
};

static enum bg_status work_init(struct work *work, const struct profile *of, int i, int anchor,
                                struct bg_error *err)
{
    size_t n = (size_t)of->nodes;

    *work = (struct work){.of = of, .i = i, .anchor = anchor};
    work->at = calloc(n, sizeof *work->at);
    work->free = calloc(n, sizeof *work->free);
    work->reach = calloc(n, sizeof *work->reach);
    work->next = calloc(n, sizeof *work->next);
    work->matrix = calloc(n * n, sizeof *work->matrix);
    work->copy = calloc(n * n, sizeof *work->copy);
    if (work->at == NULL || work->free == NULL || work->reach == NULL || work->next == NULL ||
        work->matrix == NULL || work->copy == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "intervals of %d ratings", of->nodes);
    }
    memcpy(work->at, of->top, n * sizeof *work->at);
    return BG_OK;
}

static void work_deinit(struct work *work)
{
    free(work->at);
    free(work->free);
    free(work->reach);
    free(work->next);
    free(work->matrix);
    free(work->copy);
}

static double contrast(const struct work *work, const double *x)
{
    double mean = 0;

    for (int k = 0; work->anchor < 0 && k < work->of->nodes; k++) {
        mean += x[k] / work->of->nodes;
    }
    return x[work->i] - (work->anchor < 0 ? mean : x[work->anchor]);
}

static double likelihood(const struct profile *of, const double *x)
{
    double sum = 0;

    for (size_t k = 0; k < of->terms; k++) {
        const struct profile_term *t = &of->term[k];
        double logit = t->slope * (x[t->a] - x[t->b]);

        /* logarithm of the logistic function, without overflow */
        sum -= t->won * (logit > 0 ? log1p(exp(-logit)) : log1p(exp(logit)) - logit);
        sum -= t->lost * (logit > 0 ? log1p(exp(-logit)) + logit : log1p(exp(logit)));
    }
    return sum;
}

/* Fills `free` with the Newton step and `reach` with the effect of the contrast. */
static bool solve(struct work *work)
{
    const struct profile *of = work->of;
    size_t n = (size_t)of->nodes;

    memset(work->matrix, 0, n * n * sizeof *work->matrix);
    memset(work->free, 0, n * sizeof *work->free);
    for (size_t k = 0; k < n; k++) {
        work->reach[k] = work->anchor < 0 ? -1.0 / of->nodes : 0;
    }
    work->reach[work->i] += 1;
    if (work->anchor >= 0) {
        work->reach[work->anchor] -= 1;
    }
    for (size_t k = 0; k < of->terms; k++) {
        const struct profile_term *t = &of->term[k];
        double logit = t->slope * (work->at[t->a] - work->at[t->b]);
        double p = 1 / (1 + exp(-logit)), q = 1 / (1 + exp(logit));
        double pull = t->slope * (t->won * q - t->lost * p);

        laplacian_add(work->matrix, of->nodes, t->a, t->b,
                      t->slope * t->slope * (t->won + t->lost) * p * q);
        work->free[t->a] += pull;
        work->free[t->b] -= pull;
    }
    memcpy(work->copy, work->matrix, n * n * sizeof *work->copy);
    return laplacian_solve(work->free, work->matrix, of->nodes) &&
           laplacian_solve(work->reach, work->copy, of->nodes);
}

/* Finds the largest likelihood with the contrast at `value`. Returns false if double precision is
 * not enough. */
static bool climb(struct work *work, double value)
{
    const struct profile *of = work->of;

    for (int step = 0; step < STEPS; step++) {
        double apart = value - contrast(work, work->at), pull, before, largest = 0, length = 1;
        bool moved = false;

        if (!solve(work)) {
            return false;
        }
        pull = (contrast(work, work->free) - apart) / contrast(work, work->reach);
        work->slope = pull;
        before = likelihood(of, work->at);
        for (int k = 0; k < of->nodes; k++) {
            work->free[k] -= pull * work->reach[k];
            largest = fmax(largest, fabs(work->free[k]));
        }
        while (!moved && length > 1e-9) {
            for (int k = 0; k < of->nodes; k++) {
                work->next[k] = work->at[k] + length * work->free[k];
            }
            moved = fabs(apart) > NEAR ||
                    likelihood(of, work->next) >= before - 1e-13 * (1 + fabs(before));
            length /= 2;
        }
        if (moved) {
            memcpy(work->at, work->next, (size_t)of->nodes * sizeof *work->at);
        }
        if (largest < NEAR || !moved) {
            return fabs(apart) < 2 * NEAR;
        }
    }
    return false;
}

/* Finds one end. The profile's loss grows faster and faster, so steps from outside stay outside. */
static enum bg_status end_of(double *out, struct work *work, double guess, struct bg_error *err)
{
    const struct profile *of = work->of;
    double top = likelihood(of, of->top), goal = STAT_Z95 * STAT_Z95 / 2;
    double middle = contrast(work, of->top), value = middle + guess, step = INFINITY;

    memcpy(work->at, of->top, (size_t)of->nodes * sizeof *work->at);
    for (int round = 0; round < ROUNDS && fabs(step) > 1e-6; round++) {
        if (!climb(work, value)) {
            return bg_error_set(err, BG_E_MISMATCH,
                                "ratings: results too lopsided for intervals; use a larger prior");
        }
        /* the likelihood falls by `slope` per rating point */
        step = (goal - (top - likelihood(of, work->at))) / -work->slope;
        if (!isfinite(step)) {
            break;
        }
        step = fmax(-fabs(value - middle) / 2, fmin(fabs(value - middle), step));
        value += step;
    }
    if (!(fabs(step) <= 1e-6)) {
        return bg_error_set(err, BG_E_MISMATCH, "ratings: no end of an interval after %d rounds",
                            ROUNDS);
    }
    *out = value;
    return BG_OK;
}

enum bg_status profile_interval(double out[2], const struct profile *profile, int i, int anchor,
                                double se, struct bg_error *err)
{
    struct work work;
    enum bg_status status = work_init(&work, profile, i, anchor, err);

    if (status == BG_OK) {
        status = end_of(&out[0], &work, -STAT_Z95 * se, err);
    }
    if (status == BG_OK) {
        status = end_of(&out[1], &work, STAT_Z95 * se, err);
    }
    work_deinit(&work);
    return status;
}

enum bg_status profile_root(double *out, const struct profile *profile, int a, int b,
                            struct bg_error *err)
{
    struct work work;
    enum bg_status status = work_init(&work, profile, a, b, err);
    double apart = profile->top[a] - profile->top[b];

    if (status == BG_OK && !climb(&work, 0)) {
        status = bg_error_set(err, BG_E_MISMATCH, "ratings: results too lopsided to be compared");
    }
    if (status == BG_OK) {
        double loss = likelihood(profile, profile->top) - likelihood(profile, work.at);

        *out = copysign(sqrt(2 * fmax(0, loss)), apart);
    }
    work_deinit(&work);
    return status;
}
