#include "solve.h"

#include <assert.h>
#include <math.h>
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

void values_lost(struct values *out, int level)
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
    struct values *against[HYPER_SUBSETS]; /* see gather */
};

/* Where the values after a mover's plays are: for the blots hit, subset i, at start[i] + position
 * of the mover * stride. So a loop over one side's positions reads memory in order. */
struct lookup {
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
static void add_roll(float *sum, const struct lookup *lookup, const struct hyper_play *play,
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

/* Sets *values, which are those of one position; returns the largest change. */
static float renew(struct values *values, const struct solver *solver, const struct lookup *lookup,
                   int own)
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
        float by = fabsf(rolled.at[i] - values->at[i]);

        change = by > change ? by : change;
    }
    *values = rolled;
    return change;
}

static struct values *place(const struct solver *solver, int own, int other)
{
    return &solver->values[(size_t)other * solver->ways + (size_t)own];
}

/* Renews all positions in which `last` is on roll against the n-th position or one before it. */
static float renew_own(struct solver *solver, size_t n, int last)
{
    float change = 0.0f;

    for (size_t k = 1; k <= n; k++) {
        const int other = solver->order[k];
        struct lookup lookup = {.stride = solver->ways, .other = &solver->hyper->side[other]};

        if (hyper_fits(solver->hyper, last, other)) {
            for (int i = 0; i < HYPER_SUBSETS; i++) {
                lookup.start[i] = solver->values + lookup.other->hit[i];
            }
            change = fmaxf(change, renew(place(solver, last, other), solver, &lookup, last));
        }
    }
    return change;
}

/* Copies the values of `last` and of what it is after hits, on roll against all others, which are
 * far apart in memory, into rows. */
static void gather(struct solver *solver, int last)
{
    const struct hyper_side *side = &solver->hyper->side[last];

    for (int i = 0; i < HYPER_SUBSETS; i++) {
        if (i > 0 && side->hit[i] == side->hit[i & (i - 1)]) {
            continue; /* no such blot: never looked up */
        }
        for (size_t other = 0; other < solver->ways; other++) {
            solver->against[i][other] = *place(solver, side->hit[i], (int)other);
        }
    }
}

/* Renews all positions in which one before the n-th is on roll against `last`. */
static float renew_others(struct solver *solver, size_t n, int last)
{
    struct lookup lookup = {.stride = 1, .other = &solver->hyper->side[last]};
    float change = 0.0f;

    gather(solver, last);
    for (int i = 0; i < HYPER_SUBSETS; i++) {
        lookup.start[i] = solver->against[i];
    }
    for (size_t k = 1; k < n; k++) {
        const int own = solver->order[k];

        if (hyper_fits(solver->hyper, own, last)) {
            change = fmaxf(change, renew(place(solver, own, last), solver, &lookup, own));
        }
    }
    return change;
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
static float sweep(struct solver *solver)
{
    float change = 0.0f;

    for (size_t n = 1; n < solver->ways; n++) { /* the first is all off */
        change = fmaxf(change, renew_own(solver, n, solver->order[n]));
        change = fmaxf(change, renew_others(solver, n, solver->order[n]));
    }
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
    return has && solver->values != NULL && solver->order != NULL;
}

static void solver_deinit(struct solver *solver)
{
    free(solver->values);
    free(solver->order);
    for (int i = 0; i < HYPER_SUBSETS; i++) {
        free(solver->against[i]);
    }
}

enum bg_status solve(struct solution *out, const struct hyper *hyper, float least, int sweeps_max,
                     solve_told_fn told, void *user, struct bg_error *err)
{
    struct solver solver = {.hyper = hyper, .ways = (size_t)hyper->men.ways};
    enum bg_status status = BG_OK;

    *out = (struct solution){.checkers = hyper->checkers, .ways = hyper->men.ways};
    if (!solver_allocate(&solver)) {
        status = bg_error_set(err, BG_E_MEMORY, "values of hypergammon");
        goto done;
    }
    sort_by_pips(&solver);
    for (size_t i = 1; i < solver.ways; i++) { /* the other side is off */
        values_lost(&solver.values[i], hyper->side[i].level);
    }
    do {
        out->change = sweep(&solver);
        out->sweeps++;
        if (told != NULL) {
            told(user, out->sweeps, out->change);
        }
    } while (out->change >= least && out->sweeps < sweeps_max);
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
