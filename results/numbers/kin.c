#include "kin.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "significance.h"

enum {
    GROUPS = 40,  /* of clusters, left out in turn */
    ALONE = 6,    /* nobody else has decided it */
    SUPPORTS = 7, /* no third choice to look at; none, up to 1/3, up to 2/3, more, all agree */
    ERRORS = 8,   /* right; six sizes of error; not judged */
    UNJUDGED = ERRORS - 1,
    STRATA = SUPPORTS * ERRORS,
    CLUSTERS_FEWEST = 10
};

/* Weighted agreements in a stratum. */
struct kin_cell {
    double weight, same;
};

/* The target: does one choose as the other of the pair did? The control: as a third bot did? By the
 * role of who is looked at. */
struct kin_stratum {
    struct kin_cell target[2], control[2];
};

struct sums {
    struct kin_stratum stratum[STRATA];
};

/* How often a bot of the pair, and a third bot, chose as the rest did, at the pair's positions. */
struct conform {
    double looked[2], third, of; /* looked: by role */
    bool comparable[2];          /* by role */
};

/* Without a judge, bots are comparable if they choose with the rest about equally often. */
#define COMPARABLE 0.07

/* Everything that one pair needs. */
struct kin_work {
    struct conform *conform; /* owned; by third bot */
    struct sums group[GROUPS], all;
    bool used[GROUPS];
};

/* A choice at its position. */
struct kin_entry {
    const struct kin_choice *of;
    int bot, choice; /* its */
    int place;       /* number of its position */
    int alike;       /* so many at this position choose so, it included */
    int size;        /* class of its error */
};

/* All choices by position, and where each bot has its own. For a pair only the positions of its two
 * bots are looked at, and an entry knows its supporters. */
struct kin_table {
    struct kin_entry *entry; /* owned, like all lists here */
    size_t *start;           /* of each position, and the end */
    size_t *first;           /* of each bot, in where; and the end */
    size_t *where;           /* numbers of entries, increasing for each bot */
    size_t positions;
};

/* The upper limits of the sizes of error. */
static const double limits[] = {0.001, 0.01, KIN_WRONG, 0.04, 0.08, 0.16};

static int error_class(double error)
{
    int size = 0;

    while (size < ERRORS - 2 && error >= limits[size]) {
        size++;
    }
    return isnan(error) ? UNJUDGED : size;
}

static int support_class(int agree, int of)
{
    return of == 0               ? 0
           : agree == 0          ? 1
           : agree == of         ? 5
           : 3 * agree <= of     ? 2
           : 3 * agree <= 2 * of ? 3
                                 : 4;
}

static int compare_choices(const void *left, const void *right)
{
    const struct kin_choice *const *a = left, *const *b = right;

    if ((*a)->position != (*b)->position) {
        return (*a)->position < (*b)->position ? -1 : 1;
    }
    if ((*a)->bot != (*b)->bot) {
        return (*a)->bot < (*b)->bot ? -1 : 1;
    }
    return *a < *b ? -1 : 1; /* pointers into one array: the order of the choices */
}

/* How many at the position chose as this one did, without it and two others. */
static int support_of(const struct kin_entry *one, const struct kin_entry *second,
                      const struct kin_entry *third)
{
    return one->alike - 1 - (second->choice == one->choice) - (third->choice == one->choice);
}

static int stratum_of(const struct kin_entry *one, int support, size_t count)
{
    return support_class(support, (int)count - 3) * ERRORS + one->size;
}

static void add_weight(struct kin_cell *cell, double weight, bool same)
{
    cell->weight += weight;
    cell->same += same ? weight : 0;
}

/* The third bots at a position that a pair is compared with: numbers of their entries. The first
 * one depends on position and pair, so that none is looked at more than others. */
static size_t thirds_of(size_t out[KIN_THIRDS], const struct kin_entry *at, size_t count,
                        const size_t of[2])
{
    size_t taken = 0, x = ((size_t)at->place + 7 * of[0] + 13 * of[1]) % count;

    for (size_t seen = 0; seen < count && taken < KIN_THIRDS; seen++) {
        if (x != of[0] && x != of[1]) {
            out[taken++] = x;
        }
        x = x + 1 == count ? 0 : x + 1;
    }
    return taken;
}

static void add_conform(struct conform *conform, const struct kin_entry *at, size_t count,
                        const size_t of[2])
{
    const struct kin_entry *a = &at[of[0]], *b = &at[of[1]];
    size_t third[KIN_THIRDS], thirds = thirds_of(third, at, count, of);

    for (size_t k = 0; k < thirds; k++) {
        const struct kin_entry *x = &at[third[k]];
        struct conform *one = &conform[x->bot];

        one->looked[0] += support_of(a, b, x);
        one->looked[1] += support_of(b, a, x);
        one->third += support_of(x, a, b);
        one->of += (double)count - 3;
    }
}

/* Finds which third bots can stand for the bot looked at. */
static void compare_conform(struct conform *conform, int bots)
{
    for (struct conform *one = conform; one < conform + bots; one++) {
        for (int role = 0; role < 2; role++) {
            one->comparable[role] =
                one->of > 0 && fabs(one->looked[role] - one->third) <= COMPARABLE * one->of;
        }
    }
}

/* Adds one position to a pair: entries a and b of the position's choices. */
static void add_position(struct sums *sums, const struct conform *conform,
                         const struct kin_entry *at, size_t count, const size_t of[2])
{
    const struct kin_entry *pair[2] = {&at[of[0]], &at[of[1]]};
    bool same = pair[0]->choice == pair[1]->choice;
    size_t list[KIN_THIRDS], thirds = thirds_of(list, at, count, of);
    double weight = 1 / (double)thirds;

    for (size_t k = 0; k < thirds; k++) {
        const struct kin_entry *x = &at[list[k]];
        int third = stratum_of(x, support_of(x, pair[0], pair[1]), count);

        for (int role = 0; role < 2; role++) { /* who is looked at; the other one compares */
            const struct kin_entry *looked = pair[role], *other = pair[1 - role];

            /* A judge's errors make all comparable. */
            if (looked->size != UNJUDGED || conform[x->bot].comparable[role]) {
                int own = stratum_of(looked, support_of(looked, other, x), count);

                add_weight(&sums->stratum[own].target[role], weight, same);
                add_weight(&sums->stratum[third].control[role], weight, other->choice == x->choice);
            }
        }
    }
}

/* Positions of two bots alone: judged choices only. The target is the pair's; a control is a
 * position of a third bot and one of the pair. */
static void add_alone(struct sums *sums, const struct kin_pair *pair, const struct kin_entry *at)
{
    const int bots[2] = {pair->a, pair->b};
    bool same = at[0].of->choice == at[1].of->choice;

    for (int role = 0; role < 2; role++) { /* who is looked at, or whom a third bot stands for */
        for (int i = 0; i < 2; i++) {
            const struct kin_choice *looked = at[i].of, *other = at[1 - i].of;
            struct kin_stratum *stratum =
                &sums->stratum[ALONE * ERRORS + error_class(looked->error)];

            if (isnan(looked->error) || other->bot != bots[1 - role]) {
                continue;
            }
            if (looked->bot == bots[role]) {
                add_weight(&stratum->target[role], 1, same);
            } else {
                add_weight(&stratum->control[role], 1, same);
            }
        }
    }
}

/* What the sums say, without one group (NULL: with all). */
struct outcome {
    double weight, same, expected;
};

static struct outcome outcome_of(const struct sums *all, const struct sums *without)
{
    static const struct sums none;
    const struct sums *less = without == NULL ? &none : without;
    struct outcome out = {0, 0, 0};

    for (int s = 0; s < STRATA; s++) {
        for (int role = 0; role < 2; role++) {
            const struct kin_stratum *of = &all->stratum[s], *no = &less->stratum[s];
            double target = of->target[role].weight - no->target[role].weight;
            double control = of->control[role].weight - no->control[role].weight;

            if (target > 1e-9 && control > 1e-9) {
                double same = of->control[role].same - no->control[role].same;

                out.weight += target;
                out.same += of->target[role].same - no->target[role].same;
                out.expected += target * same / control;
            }
        }
    }
    return out;
}

static double excess_of(const struct outcome *outcome)
{
    return outcome->weight > 0 ? (outcome->same - outcome->expected) / outcome->weight : NAN;
}

static void sum_up(struct sums *all, const struct sums *group)
{
    for (int s = 0; s < STRATA; s++) {
        for (int role = 0; role < 2; role++) {
            all->stratum[s].target[role].weight += group->stratum[s].target[role].weight;
            all->stratum[s].target[role].same += group->stratum[s].target[role].same;
            all->stratum[s].control[role].weight += group->stratum[s].control[role].weight;
            all->stratum[s].control[role].same += group->stratum[s].control[role].same;
        }
    }
}

/* Fills the pair's figures from its sums: the excess, and by leaving out groups of clusters its
 * standard error. */
static void conclude(struct kin_pair *pair, struct kin_work *work)
{
    struct outcome outcome;
    double value[GROUPS], mean = 0, sum = 0, floor;
    int groups = 0;

    for (int g = 0; g < GROUPS; g++) {
        sum_up(&work->all, &work->group[g]);
    }
    outcome = outcome_of(&work->all, NULL);
    pair->share = pair->expected = pair->excess = pair->se = pair->df = pair->p = NAN;
    pair->compared = (size_t)(outcome.weight / 2 + 0.5);
    if (!(outcome.weight > 0)) {
        return;
    }
    pair->share = outcome.same / outcome.weight;
    pair->expected = outcome.expected / outcome.weight;
    pair->excess = excess_of(&outcome);
    for (int g = 0; g < GROUPS; g++) {
        if (work->used[g]) {
            outcome = outcome_of(&work->all, &work->group[g]);
            value[groups] = excess_of(&outcome);
            if (isnan(value[groups])) {
                return;
            }
            mean += value[groups++];
        }
    }
    if (pair->compared < KIN_FEWEST || groups < CLUSTERS_FEWEST) {
        return;
    }
    mean /= groups;
    for (int g = 0; g < groups; g++) {
        sum += (value[g] - mean) * (value[g] - mean);
    }
    /* one position more or less is never beyond doubt */
    floor = 1 / (double)pair->compared;
    pair->se = sqrt(sum * (groups - 1) / groups + floor * floor);
    pair->df = groups - 1;
    pair->p = 1 - student_cdf(pair->excess / pair->se, pair->df);
}

static void count_position(struct kin_pair *pair, const struct kin_choice *a,
                           const struct kin_choice *b)
{
    bool same = a->choice == b->choice;

    pair->both++;
    pair->same += same;
    if (a->error >= KIN_WRONG && b->error >= KIN_WRONG) { /* false for NaN */
        pair->both_wrong++;
        pair->wrong_alike += same;
    }
}

/* of: numbers of the pair's entries in at; from count on, it has not decided the position. */
typedef void (*visit_fn)(struct kin_pair *pair, struct kin_work *work, const struct kin_entry *at,
                         size_t count, const size_t of[2]);

/* Visits the positions that one of the two has decided, in their order. */
static void each_position(struct kin_pair *pair, struct kin_work *work,
                          const struct kin_table *table, visit_fn visit)
{
    size_t i = table->first[pair->a], k = table->first[pair->b];
    const size_t i_end = table->first[pair->a + 1], k_end = table->first[pair->b + 1];

    while (i < i_end || k < k_end) {
        const size_t a = i < i_end ? table->where[i] : SIZE_MAX;
        const size_t b = k < k_end ? table->where[k] : SIZE_MAX;
        const int place = table->entry[a < b ? a : b].place;
        const size_t start = table->start[place], count = table->start[place + 1] - start;
        const size_t of[2] = {a - start, b - start};

        visit(pair, work, table->entry + start, count, of);
        i += of[0] < count;
        k += of[1] < count;
    }
}

static void visit_both(struct kin_pair *pair, struct kin_work *work, const struct kin_entry *at,
                       size_t count, const size_t of[2])
{
    if (of[0] < count && of[1] < count) {
        count_position(pair, at[of[0]].of, at[of[1]].of);
        if (count > 2) {
            add_conform(work->conform, at, count, of);
        }
    }
}

static void visit_others(struct kin_pair *pair, struct kin_work *work, const struct kin_entry *at,
                         size_t count, const size_t of[2])
{
    const int group = at->of->cluster % GROUPS;

    if (of[0] < count && of[1] < count && count > 2) {
        work->used[group] = true;
        add_position(&work->group[group], work->conform, at, count, of);
    } else if (count == 2) {
        work->used[group] = true;
        add_alone(&work->group[group], pair, at);
    }
}

/* Walks through the positions of one pair. */
static void fill_pair(struct kin_pair *pair, struct kin_work *work, int bots,
                      const struct kin_table *table)
{
    struct conform *conform = work->conform;

    memset(conform, 0, (size_t)bots * sizeof *conform);
    memset(work, 0, sizeof *work);
    work->conform = conform;
    each_position(pair, work, table, visit_both);
    compare_conform(conform, bots);
    each_position(pair, work, table, visit_others);
    conclude(pair, work);
}

/* Sorts, keeps each bot's first choice at a position, and drops positions of one bot. */
static size_t sort(const struct kin_choice **list, size_t count, size_t *positions)
{
    size_t kept = 0, all = 0, end;

    qsort((void *)list, count, sizeof *list, compare_choices);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || list[kept - 1]->position != list[i]->position ||
            list[kept - 1]->bot != list[i]->bot) {
            list[kept++] = list[i];
        }
    }
    *positions = 0;
    for (size_t i = 0; i < kept; i = end) {
        end = i + 1;
        while (end < kept && list[end]->position == list[i]->position) {
            end++;
        }
        if (end - i > 1) {
            memmove((void *)&list[all], (const void *)&list[i], (end - i) * sizeof *list);
            all += end - i;
            ++*positions;
        }
    }
    return all;
}

static void correct(struct kin *kin)
{
    double *p = memory_zeroed(kin->pairs, sizeof *p);

    for (size_t i = 0; i < kin->pairs; i++) {
        p[i] = kin->pair[i].p;
    }
    holm_adjust(p, kin->pairs);
    for (size_t i = 0; i < kin->pairs; i++) {
        kin->pair[i].p_all = p[i];
        kin->pair[i].alike = kin->pair[i].p_all < 0.05;
    }
    free(p);
}

static void table_deinit(struct kin_table *table)
{
    free(table->entry);
    free(table->start);
    free(table->first);
    free(table->where);
}

/* How many at the position choose as this one. */
static int count_alike(const struct kin_choice *const *at, size_t count, size_t bot)
{
    int alike = 0;

    for (size_t i = 0; i < count; i++) {
        alike += at[i]->choice == at[bot]->choice;
    }
    return alike;
}

/* Takes the sorted choices. */
static void table_make(struct kin_table *out, int bots, const struct kin_choice *const *list,
                       size_t count, size_t positions)
{
    size_t end, sum = 0;

    *out = (struct kin_table){.entry = memory_zeroed(count, sizeof *out->entry),
                              .start = memory_zeroed(positions + 1, sizeof *out->start),
                              .first = memory_zeroed((size_t)bots + 2, sizeof *out->first),
                              .where = memory_zeroed(count, sizeof *out->where)};
    for (size_t i = 0; i < count; i = end) {
        for (end = i; end < count && list[end]->position == list[i]->position; end++) {
            out->first[list[end]->bot + 1]++;
        }
        for (size_t k = i; k < end; k++) {
            out->entry[k] = (struct kin_entry){.of = list[k],
                                               .bot = list[k]->bot,
                                               .choice = list[k]->choice,
                                               .place = (int)out->positions,
                                               .alike = count_alike(list + i, end - i, k - i),
                                               .size = error_class(list[k]->error)};
        }
        out->start[out->positions++] = i;
    }
    out->start[out->positions] = count;
    for (int bot = 0; bot <= bots; bot++) { /* where each bot's list begins */
        sum += out->first[bot];
        out->first[bot] = sum;
    }
    for (size_t k = 0; k < count; k++) {
        out->where[out->first[list[k]->bot]++] = k;
    }
    for (int bot = bots; bot > 0; bot--) { /* each has come to where the next one begins */
        out->first[bot] = out->first[bot - 1];
    }
    out->first[0] = 0;
}

void kin_of(struct kin *out, int bots, const struct kin_choice *choices, size_t count)
{
    const struct kin_choice **list = memory_zeroed(count, sizeof *list);
    struct kin_work *work = memory_zeroed(1, sizeof *work);
    struct conform *conform = memory_zeroed((size_t)bots, sizeof *conform);
    struct kin_table table;

    *out =
        (struct kin){.bots = bots,
                     .pair = memory_zeroed((size_t)bots * (size_t)bots / 2 + 1, sizeof *out->pair)};
    for (size_t i = 0; i < count; i++) {
        list[i] = &choices[i];
    }
    work->conform = conform;
    count = sort(list, count, &out->positions);
    table_make(&table, bots, list, count, out->positions);
    for (int a = 0; a < bots; a++) {
        for (int b = a + 1; b < bots; b++) {
            struct kin_pair *pair = &out->pair[out->pairs++];

            *pair = (struct kin_pair){.a = a, .b = b};
            fill_pair(pair, work, bots, &table);
        }
    }
    correct(out);
    table_deinit(&table);
    free((void *)list);
    free(conform);
    free(work);
}

static double size_of(const struct kin_rare *rare, const struct kin_choice *choices)
{
    double error = choices[rare->choice].error;

    return (isnan(error) ? 0 : error) * 1e6 + rare->others;
}

static void put_rare(struct kin_rare *out, size_t *count, struct kin_rare rare,
                     const struct kin_choice *choices)
{
    size_t place = *count;

    while (place > 0 && size_of(&out[place - 1], choices) < size_of(&rare, choices)) {
        place--;
    }
    if (place < KIN_RARE) {
        *count += *count < KIN_RARE;
        memmove(&out[place + 1], &out[place], (*count - 1 - place) * sizeof *out);
        out[place] = rare;
    }
}

size_t kin_rare_of(struct kin_rare out[KIN_RARE], const struct kin_choice *choices, size_t all,
                   int a, int b)
{
    const struct kin_choice **list = memory_zeroed(all, sizeof *list);
    size_t end, positions, count = 0;

    for (size_t i = 0; i < all; i++) {
        list[i] = &choices[i];
    }
    all = sort(list, all, &positions);
    for (size_t i = 0; i < all; i = end) {
        const struct kin_choice *one = NULL, *other = NULL;
        int third = 0;

        for (end = i; end < all && list[end]->position == list[i]->position; end++) {
            one = list[end]->bot == a ? list[end] : one;
            other = list[end]->bot == b ? list[end] : other;
        }
        for (size_t k = i; one != NULL && k < end; k++) {
            third += list[k] != one && list[k] != other && list[k]->choice == one->choice;
        }
        if (one != NULL && other != NULL && one->choice == other->choice && third == 0 &&
            (isnan(one->error) ? end - i > 2 : one->error >= KIN_WRONG)) {
            put_rare(out, &count, (struct kin_rare){(size_t)(one - choices), (int)(end - i) - 2},
                     choices);
        }
    }
    free((void *)list);
    return count;
}

void kin_deinit(struct kin *kin)
{
    free(kin->pair);
    *kin = (struct kin){.bots = 0};
}
