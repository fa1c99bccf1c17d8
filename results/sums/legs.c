/* A leg is kept in few bytes and every leg once, in one array: the bootstrap draws whole pairs
 * again, which sums of encounters cannot give back. */
#include "legs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/game_id.h"
#include "store/counted.h"
#include "store/run.h"

void legs_add(struct legs *legs, const struct leg *leg)
{
    legs->leg = memory_list(legs->leg, &legs->room, legs->count + 1, sizeof *legs->leg);
    legs->leg[legs->count++] = *leg;
}

/* The cube value in the result: points are level times cube. */
static float cube_of(const struct encounter_game *game)
{
    float cube = 1;

    /* The store has no column for it. */
    while (game->level > 0 && 2 * (double)cube * game->level <= (double)game->points) {
        cube *= 2;
    }
    return cube;
}

/* Position of a game: bots by index, pair, number in the leg, starting seat. */
struct legs_place {
    int a, b, game, starter;
    uint64_t pair;
};

static struct leg leg_of(const struct encounter_game *game, const struct legs_place *at)
{
    enum pair_state after = encounter_leg_after(game);
    double first = pair_share(pair_state_of(game->winner));
    struct leg leg = {.a = at->a,
                      .b = at->b,
                      .length_points = game->length_points,
                      .game = at->game,
                      .pair = at->pair,
                      .points = (double)game->points * (2 * first - 1),
                      .won = (float)pair_share(after),
                      .first = (float)first,
                      .cube = cube_of(game),
                      .leg = (int8_t)game->leg,
                      .starter =
                          (int8_t)(at->starter < 0 ? -1 : game_id_bot_at(game->leg, at->starter)),
                      .over = after != PAIR_OPEN};

    return leg;
}

void legs_add_game(struct legs *legs, const struct tally *tally, const struct store_game *game,
                   int starter)
{
    const struct encounter_game facts = encounter_game_of(game);
    const struct legs_place at = {.a = tally_find(tally, game->a),
                                  .b = tally_find(tally, game->b),
                                  .game = game->game,
                                  .starter = starter,
                                  .pair = game->pair};
    const struct leg leg = leg_of(&facts, &at);

    if (leg.a >= 0 && leg.b >= 0) {
        legs_add(legs, &leg);
    }
}

void legs_add_run(struct legs *legs, const struct tally *tally, const struct run *run,
                  uint64_t counted)
{
    int a = tally_find(tally, run->a), b = tally_find(tally, run->b);

    for (size_t i = 0; i < run->games && a >= 0 && b >= 0; i++) {
        const struct run_game *game = &run->game[i];

        if (game->pair < counted) {
            const struct legs_place at = {
                .a = a, .b = b, .game = game->game, .starter = game->starter, .pair = game->pair};
            const struct leg leg = leg_of(&game->facts, &at);

            legs_add(legs, &leg);
        }
    }
}

static int order_of(uint64_t x, uint64_t y)
{
    return (x > y) - (x < y);
}

static int by_place(const void *x, const void *y)
{
    const struct leg *a = x, *b = y;
    int order = a->a != b->a ? a->a - b->a : a->b - b->b;

    if (order == 0) {
        order = a->length_points - b->length_points;
    }
    if (order == 0) {
        order = order_of(a->pair, b->pair);
    }
    if (order == 0) {
        order = a->leg != b->leg ? a->leg - b->leg : a->game - b->game;
    }
    return order;
}

static bool same_encounter(const struct leg *x, const struct leg *y)
{
    return x->a == y->a && x->b == y->b && x->length_points == y->length_points;
}

/* Adds a later game of the same leg. */
static void merge(struct leg *leg, const struct leg *game)
{
    leg->points += game->points;
    leg->cube = fmaxf(leg->cube, game->cube);
    if (game->over) {
        leg->over = true;
        leg->won = game->won;
    }
}

/* A range of legs that is in order. */
struct legs_stretch {
    const struct leg *leg;
    size_t count;
    size_t to; /* where it begins in order */
};

static int by_first(const void *x, const void *y)
{
    const struct legs_stretch *a = x, *b = y;

    return by_place(a->leg, b->leg);
}

/* Finds the ranges that are in order, one for each two bots. Returns how many; stretch NULL: only
 * counts. */
static size_t find_stretches(struct legs_stretch *stretch, const struct legs *legs)
{
    size_t count = 0;

    for (size_t i = 0, next; i < legs->count; i = next) {
        for (next = i + 1; next < legs->count && same_encounter(&legs->leg[i], &legs->leg[next]) &&
                           by_place(&legs->leg[next - 1], &legs->leg[next]) < 0;
             next++) {
        }
        if (stretch != NULL) {
            stretch[count] = (struct legs_stretch){&legs->leg[i], next - i, 0};
        }
        count++;
    }
    return count;
}

static bool is_in_order(const struct legs *legs)
{
    for (size_t i = 1; i < legs->count; i++) {
        if (by_place(&legs->leg[i - 1], &legs->leg[i]) >= 0) {
            return false;
        }
    }
    return true;
}

/* Returns the place of the leg that belongs to place `to` in order. */
static size_t source_of(const struct legs_stretch *stretch, size_t count, const struct leg *first,
                        size_t to)
{
    size_t low = 0, high = count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (stretch[middle].to <= to) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (size_t)(stretch[low].leg - first) + to - stretch[low].to;
}

/* Moves every leg to its place, without a second copy of all: there can be millions. moved: a bit
 * for each. */
static void move_all(struct legs *legs, const struct legs_stretch *stretch, size_t count,
                     unsigned char *moved)
{
    for (size_t i = 0; i < legs->count; i++) {
        const struct leg held = legs->leg[i];
        size_t at = i;

        while ((moved[at / 8] >> at % 8 & 1) == 0) {
            size_t from = source_of(stretch, count, legs->leg, at);

            moved[at / 8] |= (unsigned char)(1U << at % 8);
            legs->leg[at] = from == i ? held : legs->leg[from];
            at = from;
        }
    }
}

/* Runs come sorted by names, so only the encounters have to be reordered. Returns false if that is
 * not enough. */
static bool order_stretches(struct legs *legs)
{
    size_t count = find_stretches(NULL, legs);
    struct legs_stretch *stretch = memory_zeroed(count, sizeof *stretch);
    /* With many short ranges the sort of all is as fast. */
    bool done = 8 * count <= legs->count;

    find_stretches(stretch, legs);
    qsort(stretch, count, sizeof *stretch, by_first);
    for (size_t i = 1; i < count && done; i++) {
        const struct legs_stretch *before = &stretch[i - 1];

        stretch[i].to = before->to + before->count;
        done = by_place(&before->leg[before->count - 1], stretch[i].leg) < 0;
    }
    if (done) {
        unsigned char *moved = memory_zeroed(legs->count / 8 + 1, 1);

        move_all(legs, stretch, count, moved);
        free(moved);
    }
    free(stretch);
    return done;
}

void legs_close(struct legs *legs)
{
    size_t kept = 0;

    if (!is_in_order(legs) && !order_stretches(legs)) {
        qsort(legs->leg, legs->count, sizeof *legs->leg, by_place);
    }
    for (size_t i = 0, end; i < legs->count; i = end) {
        struct leg leg = legs->leg[i];

        for (end = i + 1; end < legs->count && same_encounter(&leg, &legs->leg[end]) &&
                          legs->leg[end].pair == leg.pair && legs->leg[end].leg == leg.leg;
             end++) {
            merge(&leg, &legs->leg[end]);
        }
        if (leg.over) {
            legs->leg[kept++] = leg;
        }
    }
    legs->count = kept;
}

struct legs_reading {
    struct legs *legs;
    const struct tally *tally;
    uint64_t counted; /* only pairs below this count */
};

static bool read_run(void *user, const struct run *run)
{
    struct legs_reading *reading = user;

    legs_add_run(reading->legs, reading->tally, run, reading->counted);
    return true;
}

enum bg_status legs_read(struct legs *legs, struct store *store, const struct tally *tally,
                         struct bg_error *err)
{
    struct legs_reading reading = {legs, tally, 0};
    enum bg_status status = counted_read(&reading.counted, store, err);

    if (status == BG_OK) {
        status = store_all_runs(store, false, read_run, &reading, err);
    }
    if (status == BG_OK) {
        legs_close(legs);
    } else {
        legs_deinit(legs);
    }
    return status;
}

void legs_deinit(struct legs *legs)
{
    free(legs->leg);
    *legs = (struct legs){0};
}

/* They are sorted: by steps that double while they stay in the encounter, and then by halves. */
size_t legs_encounter_end(const struct legs *legs, size_t from)
{
    size_t end = from + 1, step = 1;

    while (end + step <= legs->count &&
           same_encounter(&legs->leg[from], &legs->leg[end + step - 1])) {
        end += step;
        step *= 2;
    }
    for (; step > 0; step /= 2) {
        if (end + step <= legs->count &&
            same_encounter(&legs->leg[from], &legs->leg[end + step - 1])) {
            end += step;
        }
    }
    return end;
}

size_t legs_cluster_end(const struct legs *legs, size_t from)
{
    size_t end = from + 1;

    while (end < legs->count && same_encounter(&legs->leg[from], &legs->leg[end]) &&
           legs->leg[from].pair == legs->leg[end].pair) {
        end++;
    }
    return end;
}

size_t legs_cluster_sum(struct legs_cluster *out, const struct legs *legs, size_t from)
{
    size_t end = legs_cluster_end(legs, from);

    *out = (struct legs_cluster){.legs = (double)(end - from)};
    for (size_t i = from; i < end; i++) {
        out->points += legs->leg[i].points;
        out->wins += legs->leg[i].won;
    }
    return end;
}

/* FNV-1a, one number per step. */
static uint64_t mix_number(uint64_t seed, uint64_t value)
{
    return (seed ^ value) * 0x100000001B3u;
}

/* From the games and not from the clock: the same games give the same drawn samples and so the
 * same report. */
uint64_t legs_seed(const struct legs *legs)
{
    uint64_t seed = 0xCBF29CE484222325u;

    for (size_t i = 0; i < legs->count; i++) {
        const struct leg *leg = &legs->leg[i];

        seed =
            mix_number(mix_number(mix_number(seed, (uint64_t)leg->a), (uint64_t)leg->b), leg->pair);
        seed = mix_number(mix_number(seed, (uint64_t)leg->leg), (uint64_t)(int64_t)leg->points);
        seed = mix_number(seed, (uint64_t)(2 * leg->won));
    }
    return seed;
}
