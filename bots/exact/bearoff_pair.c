#include "bearoff_pair.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "men.h"
#include "stakes.h"

enum { SIDES = BEAROFF_PAIR_SIDES, ROLLS = 21, NEXT_MAX = 64 };

struct entry {
    float cubeless;
    struct stakes rolled; /* without a double now */
};

/* The positions that a side can reach with one roll; the other side cannot disturb it. */
struct reach {
    uint32_t start[SIDES][ROLLS + 1]; /* in next; [ROLLS] the end of the last roll's */
    uint16_t *next;
    size_t used, capacity;
};

struct bearoff_pair {
    struct men men;
    struct entry entry[SIDES][SIDES]; /* [on roll][other] */
};

/* ---- one side's plays ---- */

struct walk {
    const struct men *men;
    uint8_t at[BEAROFF_PAIR_POINTS + 1];
    uint16_t next[NEXT_MAX];
    int count;
};

static void walk_end(struct walk *walk)
{
    int number = men_number(walk->men, walk->at);

    for (int i = 0; i < walk->count; i++) {
        if (walk->next[i] == number) {
            return;
        }
    }
    assert(walk->count < NEXT_MAX);
    walk->next[walk->count++] = (uint16_t)number;
}

/* Every number can be played until all checkers are off: the farthest can always move or go off. */
static void walk_play(struct walk *walk, const int *dice, int count)
{
    int back = BEAROFF_PAIR_POINTS;

    while (back > 0 && walk->at[back] == 0) {
        back--;
    }
    if (count == 0 || back == 0) {
        walk_end(walk);
        return;
    }
    for (int from = back; from >= 1; from--) {
        int to = from > dice[0] ? from - dice[0] : 0;

        if (walk->at[from] > 0 && (from >= dice[0] || from == back)) {
            walk->at[from]--;
            walk->at[to]++;
            walk_play(walk, dice + 1, count - 1);
            walk->at[to]--;
            walk->at[from]++;
        }
    }
}

static void walk_roll(struct walk *walk, int high, int low)
{
    const int four[] = {high, high, high, high}, down[] = {high, low}, up[] = {low, high};

    walk->count = 0;
    if (high == low) {
        walk_play(walk, four, 4);
    } else {
        walk_play(walk, down, 2);
        walk_play(walk, up, 2);
    }
}

static enum bg_status reach_add(struct reach *reach, const struct walk *walk, struct bg_error *err)
{
    if (reach->used + NEXT_MAX > reach->capacity) {
        size_t capacity = 2 * reach->capacity + (1 << 14);
        uint16_t *next = realloc(reach->next, capacity * sizeof *next);

        if (next == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "bear-off plays");
        }
        reach->next = next;
        reach->capacity = capacity;
    }
    memcpy(reach->next + reach->used, walk->next, (size_t)walk->count * sizeof *walk->next);
    reach->used += (size_t)walk->count;
    return BG_OK;
}

static enum bg_status reach_find(struct reach *reach, const struct men *men, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int side = 0; side < SIDES; side++) {
        struct walk walk = {.men = men};
        int roll = 0;

        men_place(walk.at, men, side);
        for (int high = 1; high <= 6; high++) {
            for (int low = 1; low <= high && status == BG_OK; low++) {
                reach->start[side][roll++] = (uint32_t)reach->used;
                walk_roll(&walk, high, low);
                status = reach_add(reach, &walk, err);
            }
        }
        reach->start[side][ROLLS] = (uint32_t)reach->used;
    }
    return status;
}

/* ---- both sides ---- */

/* Sets *best to the mover's values of its best plays of one roll: another play may be the best
 * for another cube. */
static void best_of_roll(struct entry *best, const struct bearoff_pair *pair, const uint16_t *next,
                         size_t count, int other)
{
    *best = (struct entry){-2.0f, {{-2.0f, -2.0f, -2.0f, -2.0f}}};
    for (size_t i = 0; i < count; i++) {
        const struct entry *then = &pair->entry[other][next[i]];
        struct stakes decided;

        best->cubeless = -then->cubeless > best->cubeless ? -then->cubeless : best->cubeless;
        stakes_decide(&decided, &then->rolled);
        for (int k = 0; k < STAKE_COUNT; k++) {
            float value = -decided.at[stake_turn((enum stake)k)];

            best->rolled.at[k] = value > best->rolled.at[k] ? value : best->rolled.at[k];
        }
    }
}

static void solve(struct bearoff_pair *pair, const struct reach *reach, int own, int other)
{
    struct entry found = {0};
    int roll = 0;

    if (own == 0 || other == 0) { /* the game is over */
        const float value = own == 0 ? 1.0f : -1.0f;

        pair->entry[own][other] = (struct entry){value, {{value, value, value, value}}};
        return;
    }
    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++, roll++) {
            const uint32_t *start = &reach->start[own][roll];
            const float weight = high == low ? 1.0f / 36.0f : 2.0f / 36.0f;
            struct entry best;

            best_of_roll(&best, pair, reach->next + start[0], start[1] - start[0], other);
            found.cubeless += weight * best.cubeless;
            for (int k = 0; k < STAKE_COUNT; k++) {
                found.rolled.at[k] += weight * best.rolled.at[k];
            }
        }
    }
    pair->entry[own][other] = found;
}

enum bg_status bearoff_pair_create(struct bearoff_pair **out, struct bg_error *err)
{
    struct bearoff_pair *pair = calloc(1, sizeof *pair);
    struct reach *reach = calloc(1, sizeof *reach);
    enum bg_status status = BG_OK;

    if (pair == NULL || reach == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "bear-off of both sides");
        goto done;
    }
    men_init(&pair->men, BEAROFF_PAIR_POINTS, BEAROFF_PAIR_CHECKERS);
    assert(pair->men.ways == SIDES);
    status = reach_find(reach, &pair->men, err);
    if (status != BG_OK) {
        goto done;
    }
    /* A play lowers its side's number, so the sum of both. */
    for (int sum = 0; sum <= 2 * (SIDES - 1); sum++) {
        for (int own = sum < SIDES ? 0 : sum - SIDES + 1; own <= sum && own < SIDES; own++) {
            solve(pair, reach, own, sum - own);
        }
    }
    *out = pair;
    pair = NULL;
done:
    if (reach != NULL) {
        free(reach->next);
    }
    free(reach);
    bearoff_pair_destroy(pair);
    return status;
}

void bearoff_pair_destroy(struct bearoff_pair *pair)
{
    free(pair);
}

int bearoff_pair_find(const struct bearoff_pair *pair, const uint8_t at[BG_SLOTS])
{
    int here = 0;

    for (int slot = 1; slot < BG_SLOTS; slot++) {
        if (at[slot] > 0 && slot > BEAROFF_PAIR_POINTS) {
            return -1;
        }
        here += at[slot];
    }
    return here > BEAROFF_PAIR_CHECKERS ? -1 : men_number(&pair->men, at);
}

static void set(struct bearoff_equities *out, float cubeless, const struct stakes *stakes)
{
    *out = (struct bearoff_equities){.cubeless = cubeless,
                                     .own = stakes->at[STAKE_OWN],
                                     .other = stakes->at[STAKE_OTHER],
                                     .centred = stakes->at[STAKE_MIDDLE]};
}

void bearoff_pair_rolled(struct bearoff_equities *out, const struct bearoff_pair *pair, int own,
                         int other)
{
    const struct entry *entry = &pair->entry[own][other];

    set(out, entry->cubeless, &entry->rolled);
}

void bearoff_pair_before(struct bearoff_equities *out, const struct bearoff_pair *pair, int own,
                         int other)
{
    const struct entry *entry = &pair->entry[own][other];
    struct stakes decided;

    stakes_decide(&decided, &entry->rolled);
    set(out, entry->cubeless, &decided);
}
