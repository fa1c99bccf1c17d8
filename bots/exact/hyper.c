/* Hypergammon with 3 checkers a side has few positions of one side (ways), and the plays of a
 * side depend on the other only by the point that it holds: so plays are listed once for each
 * position, block and roll, and the solver only looks them up. What a play hits follows from
 * where it landed. */
#include "hyper.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { HOME = 6, BLOCKS = BG_POINTS + 1, LIST_MAX = 63, COUNT_BITS = 6 };

/* ---- sides ---- */

static void side_find(struct hyper_side *side, const struct men *men, const uint8_t *at)
{
    int blots = 0;

    for (int p = 1; p <= BG_POINTS; p++) {
        uint32_t bit = 1u << (BG_POINTS - p); /* the other side's number is 25 - p */

        side->points |= at[p] > 0 ? bit : 0;
        side->pips = (uint8_t)(side->pips + p * at[p]);
        if (at[p] == 1) {
            side->blots |= bit;
            side->blot[blots++] = bit;
        } else if (at[p] > 1) {
            side->block = (uint8_t)(25 - p);
        }
    }
    side->pips = (uint8_t)(side->pips + BG_BAR * at[BG_BAR]);
    side->level = at[0] == 0 ? 2 : 1;
    for (int p = BG_BAR - HOME; p <= BG_BAR && side->level == 2; p++) {
        side->level = at[p] > 0 ? 3 : 2;
    }
    for (unsigned subset = 0; subset < HYPER_SUBSETS; subset++) {
        uint8_t after[HYPER_PLACES + 1];

        memcpy(after, at, sizeof after);
        for (int i = 0; i < blots; i++) {
            if ((subset >> i & 1) != 0) {
                int p = 1;

                while (side->blot[i] != 1u << (BG_POINTS - p)) {
                    p++;
                }
                after[p] = 0;
                after[BG_BAR]++;
            }
        }
        side->hit[subset] = (uint16_t)men_number(men, after);
    }
}

enum bg_status hyper_init_sides(struct hyper *out, int checkers, struct bg_error *err)
{
    assert(checkers >= 1 && checkers <= HYPER_CHECKERS_MAX);
    memset(out, 0, sizeof *out);
    out->checkers = checkers;
    men_init(&out->men, HYPER_PLACES, checkers);
    out->side = calloc((size_t)out->men.ways, sizeof *out->side);
    out->own_points = calloc((size_t)out->men.ways, sizeof *out->own_points);
    if (out->side == NULL || out->own_points == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "positions of hypergammon");
    }
    for (int i = 0; i < out->men.ways; i++) {
        uint8_t at[HYPER_PLACES + 1];

        men_place(at, &out->men, i);
        side_find(&out->side[i], &out->men, at);
        for (int p = 1; p <= BG_POINTS; p++) {
            out->own_points[i] |= at[p] > 0 ? 1u << (p - 1) : 0;
        }
    }
    return BG_OK;
}

/* ---- plays ---- */

/* The plays of one roll in the making: of those that use the most numbers, and of single numbers
 * the higher one. */
struct hyper_listing {
    const struct men *men;
    uint8_t at[HYPER_PLACES + 1];
    int block;
    int most, number; /* numbers used by what is listed; the number if it is one */
    int count;
    struct hyper_play play[LIST_MAX];
};

static void listing_add(struct hyper_listing *listing, int used, int number, uint32_t landed)
{
    int to = men_number(listing->men, listing->at);

    /* G6.1 and G6.2: most numbers, and of single ones the higher. */
    if (used < listing->most || (used == 1 && listing->most == 1 && number < listing->number)) {
        return;
    }
    if (used > listing->most || number > listing->number) {
        listing->count = 0;
    }
    listing->most = used;
    listing->number = used == 1 ? number : 7;
    for (int i = 0; i < listing->count; i++) {
        if (listing->play[i].to == to && listing->play[i].landed == landed) {
            return;
        }
    }
    assert(listing->count < LIST_MAX);
    listing->play[listing->count++] = (struct hyper_play){landed, (uint16_t)to};
}

static bool may_move(const struct hyper_listing *listing, int from, int number)
{
    int back = BG_BAR, to = from - number;

    while (back > 0 && listing->at[back] == 0) {
        back--;
    }
    if (listing->at[from] == 0 || (back == BG_BAR && from != BG_BAR)) {
        return false;
    }
    return to > 0 ? to != listing->block : back <= HOME && (to == 0 || from == back);
}

static void listing_play(struct hyper_listing *listing, const int *dice, int left, int used,
                         uint32_t landed)
{
    bool moved = false;

    for (int from = BG_BAR; left > 0 && from >= 1; from--) {
        int to = from > dice[0] ? from - dice[0] : 0;

        if (may_move(listing, from, dice[0])) {
            moved = true;
            listing->at[from]--;
            listing->at[to]++;
            listing_play(listing, dice + 1, left - 1, used + 1,
                         to > 0 ? landed | 1u << (to - 1) : landed);
            listing->at[to]--;
            listing->at[from]++;
        }
    }
    if (!moved) {
        listing_add(listing, used, used > 0 ? dice[-1] : 0, landed);
    }
}

static void listing_roll(struct hyper_listing *listing, int high, int low)
{
    const int four[] = {high, high, high, high}, down[] = {high, low}, up[] = {low, high};

    listing->count = 0;
    listing->most = 0;
    listing->number = 0;
    if (high == low) {
        listing_play(listing, four, 4, 0, 0);
    } else {
        listing_play(listing, down, 2, 0, 0);
        listing_play(listing, up, 2, 0, 0);
    }
}

static size_t list_place(const struct hyper *hyper, int position, int block, int roll)
{
    assert(position < hyper->men.ways && block < BLOCKS && roll < HYPER_ROLLS);
    return ((size_t)position * BLOCKS + (size_t)block) * HYPER_ROLLS + (size_t)roll;
}

const struct hyper_play *hyper_list(int *count, const struct hyper *hyper, int position, int block,
                                    int roll)
{
    uint32_t list = hyper->list[list_place(hyper, position, block, roll)];

    *count = (int)(list & ((1u << COUNT_BITS) - 1));
    return hyper->plays + (list >> COUNT_BITS);
}

static enum bg_status keep_listing(struct hyper *hyper, int position, int roll,
                                   const struct hyper_listing *listing, struct bg_error *err)
{
    size_t place = list_place(hyper, position, listing->block, roll);

    if (listing->block > 0) { /* most blocks are in nobody's way */
        int count;
        const struct hyper_play *open = hyper_list(&count, hyper, position, 0, roll);
        bool same = count == listing->count;

        for (int i = 0; i < count && same; i++) {
            same = open[i].to == listing->play[i].to && open[i].landed == listing->play[i].landed;
        }
        if (same) {
            hyper->list[place] = hyper->list[list_place(hyper, position, 0, roll)];
            return BG_OK;
        }
    }
    if (hyper->used + LIST_MAX > hyper->capacity) {
        size_t capacity = hyper->capacity + hyper->capacity / 2 + (1 << 16);
        struct hyper_play *plays = realloc(hyper->plays, capacity * sizeof *plays);

        if (plays == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "plays of hypergammon");
        }
        hyper->plays = plays;
        hyper->capacity = capacity;
    }
    assert(hyper->used < UINT32_MAX >> COUNT_BITS);
    hyper->list[place] = (uint32_t)(hyper->used << COUNT_BITS) | (uint32_t)listing->count;
    for (int i = 0; i < listing->count; i++) {
        hyper->plays[hyper->used++] = listing->play[i];
    }
    return BG_OK;
}

enum bg_status hyper_init(struct hyper *out, int checkers, struct bg_error *err)
{
    enum bg_status status = hyper_init_sides(out, checkers, err);

    if (status != BG_OK) {
        return status;
    }
    out->list = calloc((size_t)out->men.ways * BLOCKS * HYPER_ROLLS, sizeof *out->list);
    if (out->list == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "plays of hypergammon");
    }
    for (int position = 0; position < out->men.ways; position++) {
        struct hyper_listing listing = {.men = &out->men};

        men_place(listing.at, &out->men, position);
        for (int block = 0; block < BLOCKS; block++) {
            int roll = 0;

            listing.block = block;
            for (int high = 1; high <= 6; high++) {
                for (int low = 1; low <= high && status == BG_OK; low++) {
                    listing_roll(&listing, high, low);
                    status = keep_listing(out, position, roll++, &listing, err);
                }
            }
        }
    }
    return status;
}

void hyper_deinit(struct hyper *hyper)
{
    free(hyper->side);
    free(hyper->own_points);
    free(hyper->list);
    free(hyper->plays);
    memset(hyper, 0, sizeof *hyper);
}

int hyper_find(const struct hyper *hyper, const uint8_t at[BG_SLOTS])
{
    return men_number(&hyper->men, at);
}
