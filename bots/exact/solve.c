/* Value iteration: positions may come back by hits, so there is no order in which all is known
 * before, and values are renewed until none changes by more than `least`. Each sweep goes from few
 * pips to many, because plays without a hit lead downwards: most values are final after few sweeps.
 *
 * Threads share the positions of one step and wait for each other at its end; new values are
 * kept apart until all have read the old ones. So the result does not depend on their number. */
#include "solve.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

enum goal goal_turn(enum goal goal)
{
    static const enum goal turned[GOAL_COUNT] = {
        [GOAL_OWN] = GOAL_OTHER,     [GOAL_OTHER] = GOAL_OWN,         [GOAL_MIDDLE] = GOAL_MIDDLE,
        [GOAL_JACOBY] = GOAL_JACOBY, [GOAL_CUBELESS] = GOAL_CUBELESS, [GOAL_WIN] = GOAL_WIN,
        [GOAL_GAMMON] = GOAL_SAVE,   [GOAL_SAVE] = GOAL_GAMMON,
    };

    return turned[goal];
}

/* Sets *out to what a lost game means for the side on roll, which has lost `level` points. */
static void values_lost(struct values *out, int level)
{
    const float points = (float)level;

    *out = (struct values){{[GOAL_OWN] = -points,
                            [GOAL_OTHER] = -points,
                            [GOAL_MIDDLE] = -points,
                            [GOAL_JACOBY] = -1.0f,
                            [GOAL_CUBELESS] = -points,
                            [GOAL_WIN] = -1.0f,
                            [GOAL_GAMMON] = -1.0f,
                            [GOAL_SAVE] = level > 1 ? -1.0f : 0.0f}};
}

struct solver {
    const struct hyper *hyper;
    struct values *values; /* [other * ways + on roll] */
    size_t ways;
    int *order;                            /* positions by their pips */
    struct values *against[HYPER_SUBSETS]; /* see gather_goals */
    struct values *fresh;                  /* see renew_own */
    pthread_mutex_t gate;                  /* closed until all workers are there */
    pthread_barrier_t barrier;             /* of all workers */
    size_t workers;
};

/* One of the threads: of each step it does the positions number, number +
 * workers, and so on. */
struct solve_worker {
    struct solver *solver;
    pthread_t thread;
    size_t number;
    float change; /* the largest of its positions */
};

/* Where the values after a mover's plays are: for the blots hit, subset i, at start[i] + position
 * of the mover * stride. So a loop over one side's positions reads memory in order. */
struct solve_lookup {
    const struct values *start[HYPER_SUBSETS];
    size_t stride;
    const struct hyper_side *other;
};

static const struct values most = {{4, 4, 4, 4, 4, 4, 4, 4}}; /* above every value */

/* Sets each of *values to the lesser one. Written out for x86, where this is most of the work:
 * compilers leave the loop as it is. */
static inline void values_least(struct values *values, const struct values *with)
{
#ifdef __SSE__
    for (int i = 0; i < GOAL_COUNT; i += 4) {
        _mm_storeu_ps(values->at + i,
                      _mm_min_ps(_mm_loadu_ps(with->at + i), _mm_loadu_ps(values->at + i)));
    }
#else
    for (int i = 0; i < GOAL_COUNT; i++) {
        values->at[i] = with->at[i] < values->at[i] ? with->at[i] : values->at[i];
    }
#endif
}

/* Adds the values of a roll's best plays for the other side, which is then on roll; the mover's
 * best play is the one that leaves it the least. */
static void add_roll(float *sum, const struct solve_lookup *lookup, const struct hyper_play *play,
                     int count)
{
    const struct hyper_side *other = lookup->other;
    struct values least = most;

    for (const struct hyper_play *end = play + count; play < end; play++) {
        unsigned hit = (play->landed & other->blots) == 0 ? 0 : hyper_hit(other, play->landed);
        const struct values *then = lookup->start[hit] + play->to * lookup->stride;

        values_least(&least, then);
    }
    for (int i = 0; i < GOAL_COUNT; i++) {
        sum[i] += least.at[i];
    }
}

/* Sets *out to the values of one position; returns the largest change from
 * `before`. */
static float renew(struct values *out, const struct values *before, const struct solver *solver,
                   const struct solve_lookup *lookup, int own)
{
    float twice[GOAL_COUNT] = {0}, once[GOAL_COUNT] = {0}, change = 0.0f;
    struct values rolled;
    int roll = 0, count;

    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++, roll++) {
            const struct hyper_play *plays =
                hyper_list(&count, solver->hyper, own, lookup->other->block, roll);

            add_roll(high == low ? once : twice, lookup, plays, count);
        }
    }
    for (int i = 0; i < GOAL_COUNT; i++) {
        const enum goal theirs = goal_turn((enum goal)i);

        rolled.at[i] = -(once[theirs] + 2.0f * twice[theirs]) / 36.0f;
    }
    values_decide(&rolled, &rolled);
    for (int i = 0; i < GOAL_COUNT; i++) {
        float by = fabsf(rolled.at[i] - before->at[i]);

        change = by > change ? by : change;
    }
    *out = rolled;
    return change;
}

static struct values *cell_at(const struct solver *solver, int own, int other)
{
    return &solver->values[(size_t)other * solver->ways + (size_t)own];
}

/* Waits until all workers have come as far. */
static void wait_for_all(struct solve_worker *worker)
{
    pthread_barrier_wait(&worker->solver->barrier);
}

/* Renews all positions in which `last` is on roll against the n-th position or
 * one before it. The new values are kept apart until all workers have read the
 * old ones, so their number changes nothing. */
static void renew_own(struct solve_worker *worker, size_t n, int last)
{
    struct solver *solver = worker->solver;

    for (size_t k = 1 + worker->number; k <= n; k += solver->workers) {
        const int other = solver->order[k];
        struct solve_lookup lookup = {.stride = solver->ways, .other = &solver->hyper->side[other]};

        solver->fresh[k] = *cell_at(solver, last, other);
        if (hyper_fits(solver->hyper, last, other)) {
            float change;

            for (int i = 0; i < HYPER_SUBSETS; i++) {
                lookup.start[i] = solver->values + lookup.other->hit[i];
            }
            change = renew(&solver->fresh[k], cell_at(solver, last, other), solver, &lookup, last);
            worker->change = fmaxf(worker->change, change);
        }
    }
    wait_for_all(worker);
    for (size_t k = 1 + worker->number; k <= n; k += solver->workers) {
        *cell_at(solver, last, solver->order[k]) = solver->fresh[k];
    }
    wait_for_all(worker);
}

/* Copies the values of `last` and of what it is after hits, on roll against all others, which are
 * far apart in memory, into rows. */
static void gather_goals(struct solve_worker *worker, int last)
{
    struct solver *solver = worker->solver;
    const struct hyper_side *side = &solver->hyper->side[last];

    for (int i = 0; i < HYPER_SUBSETS; i++) {
        if (i > 0 && side->hit[i] == side->hit[i & (i - 1)]) {
            continue; /* no such blot: never looked up */
        }
        for (size_t other = worker->number; other < solver->ways; other += solver->workers) {
            solver->against[i][other] = *cell_at(solver, side->hit[i], (int)other);
        }
    }
    wait_for_all(worker);
}

/* Renews all positions in which one before the n-th is on roll against `last`.
 * They depend on the rows alone. */
static void renew_others(struct solve_worker *worker, size_t n, int last)
{
    struct solver *solver = worker->solver;
    struct solve_lookup lookup = {.stride = 1, .other = &solver->hyper->side[last]};

    for (int i = 0; i < HYPER_SUBSETS; i++) {
        lookup.start[i] = solver->against[i];
    }
    for (size_t k = 1 + worker->number; k < n; k += solver->workers) {
        const int own = solver->order[k];

        if (hyper_fits(solver->hyper, own, last)) {
            struct values *values = cell_at(solver, own, last);

            worker->change = fmaxf(worker->change, renew(values, values, solver, &lookup, own));
        }
    }
    wait_for_all(worker);
}

void values_decide(struct values *out, const struct values *rolled)
{
    struct stakes stakes, decided;

    *out = *rolled;
    memcpy(stakes.at, rolled->at, sizeof stakes.at); /* the first goals */
    stakes_decide(&decided, &stakes);
    memcpy(out->at, decided.at, sizeof decided.at);
}

/* All positions once. After step n all are renewed in which neither side has more pips than the
 * n-th position. Within a step the order is that in which plays without a hit lead. */
static void *work(void *user)
{
    struct solve_worker *worker = user;
    struct solver *solver = worker->solver;

    pthread_mutex_lock(&solver->gate);
    pthread_mutex_unlock(&solver->gate);
    worker->change = 0.0f;
    for (size_t n = 1; n < solver->ways; n++) { /* the first is all off */
        renew_own(worker, n, solver->order[n]);
        gather_goals(worker, solver->order[n]);
        renew_others(worker, n, solver->order[n]);
    }
    return NULL;
}

/* One sweep by so many threads, of which this is one, or by fewer if no more
 * can be started. Returns the largest change. */
static float sweep_once(struct solver *solver, int threads)
{
    struct solve_worker worker[SOLVE_THREADS_MAX] = {{.solver = solver}};
    float change;

    pthread_mutex_lock(&solver->gate);
    for (int i = 0; i < threads; i++) {
        worker[i] = (struct solve_worker){.solver = solver, .number = (size_t)i};
    }
    solver->workers = 1;
    while (solver->workers < (size_t)threads &&
           pthread_create(&worker[solver->workers].thread, NULL, work, &worker[solver->workers]) ==
               0) {
        solver->workers++;
    }
    pthread_barrier_init(&solver->barrier, NULL, (unsigned)solver->workers);
    pthread_mutex_unlock(&solver->gate);
    work(&worker[0]);
    change = worker[0].change;
    for (size_t i = 1; i < solver->workers; i++) {
        pthread_join(worker[i].thread, NULL);
        change = fmaxf(change, worker[i].change);
    }
    pthread_barrier_destroy(&solver->barrier);
    return change;
}

/* By counting: pips are small numbers. */
static void sort_by_pips(struct solver *solver)
{
    size_t used = 0;

    for (int pips = 0; pips <= HYPER_CHECKERS_MAX * HYPER_PLACES; pips++) {
        for (size_t i = 0; i < solver->ways; i++) {
            if (solver->hyper->side[i].pips == pips) {
                solver->order[used++] = (int)i;
            }
        }
    }
    assert(used == solver->ways);
}

static bool solver_allocate(struct solver *solver)
{
    bool has = true;

    solver->values = calloc(solver->ways * solver->ways, sizeof *solver->values);
    solver->order = calloc(solver->ways, sizeof *solver->order);
    for (int i = 0; i < HYPER_SUBSETS; i++) {
        solver->against[i] = calloc(solver->ways, sizeof *solver->against[i]);
        has = has && solver->against[i] != NULL;
    }
    solver->fresh = calloc(solver->ways, sizeof *solver->fresh);
    return has && solver->fresh != NULL && solver->values != NULL && solver->order != NULL;
}

static void solver_deinit(struct solver *solver)
{
    free(solver->values);
    free(solver->order);
    for (int i = 0; i < HYPER_SUBSETS; i++) {
        free(solver->against[i]);
    }
    free(solver->fresh);
}

enum bg_status solve(struct solution *out, const struct hyper *hyper,
                     const struct solve_settings *settings, struct bg_error *err)
{
    const float least = settings->least;
    struct solver solver = {
        .hyper = hyper, .ways = (size_t)hyper->men.ways, .gate = PTHREAD_MUTEX_INITIALIZER};
    enum bg_status status = BG_OK;

    assert(settings->threads >= 1 && settings->threads <= SOLVE_THREADS_MAX);
    *out = (struct solution){.checkers = hyper->checkers, .ways = hyper->men.ways};
    if (!solver_allocate(&solver)) {
        status = bg_error_set(err, BG_E_MEMORY, "values of hypergammon");
        goto done;
    }
    sort_by_pips(&solver);
    /* These never change: all other values rest on them. */
    for (size_t i = 1; i < solver.ways; i++) { /* the other side is off */
        values_lost(&solver.values[i], hyper->side[i].level);
    }
    do {
        out->change = sweep_once(&solver, settings->threads);
        out->sweeps++;
        if (settings->told != NULL) {
            settings->told(settings->user, out->sweeps, out->change);
        }
    } while (out->change >= least && out->sweeps < settings->sweeps_max);
    /* A file of values that are not final would be believed by every judge. */
    if (out->change >= least) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "not solved after %d sweeps: a value still changes by %g",
                              out->sweeps, (double)out->change);
        goto done;
    }
    out->values = solver.values;
    solver.values = NULL;
done:
    solver_deinit(&solver);
    return status;
}

void solution_deinit(struct solution *solution)
{
    free(solution->values);
    memset(solution, 0, sizeof *solution);
}
