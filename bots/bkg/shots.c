/* Shots are counted by throwing all 36 throws, not by tables of distances: points that are
 * closed on the way, checkers on the bar and combination shots then need no rules of thumb. One
 * of several blots is hit, so the costliest counts. */
#include "shots.h"

enum { DIE = 6, THROWS = 36 };

/* A checker that throws can be on a slot where the other side holds at most one checker. */
static bool is_open(const uint8_t theirs[BG_SLOTS], int slot)
{
    return slot <= 0 || theirs[BG_BAR - slot] < 2;
}

static bool is_blot(const uint8_t theirs[BG_SLOTS], int slot)
{
    return slot > 0 && theirs[BG_BAR - slot] == 1;
}

/* The shots of one throw: the costliest blot that it hits. */
struct throw
{
    const uint8_t *at, *theirs;
    double loss;
    bool hit;
};

static void note_hit(struct throw *throw, int target)
{
    throw->hit = true;
    if (target > throw->loss) {
        throw->loss = target; /* the other side's checker stood 25 - target pips from home */
    }
}

/* Moves one checker from `from` by die, and on by `next` up to `times` times; notes what it hits.
 * A checker left on the bar stops every other one. */
static void walk(struct throw *throw, int from, int die, int next, int times)
{
    int slot = from - die;

    for (int step = 0; slot > 0 && is_open(throw->theirs, slot); step++) {
        if (is_blot(throw->theirs, slot)) {
            note_hit(throw, slot);
        }
        if (step == times) {
            break;
        }
        slot -= next;
    }
}

/* All checkers may move: each with the first number, and on with the others. */
static void walk_all(struct throw *throw, int die, int next, int times)
{
    for (int from = BG_POINTS; from > 1; from--) {
        if (throw->at[from] > 0) {
            walk(throw, from, die, next, times);
        }
    }
}

/* One order of two different numbers. */
static void throw_order(struct throw *throw, int first, int second)
{
    int bar = throw->at[BG_BAR];

    if (bar == 0) {
        walk_all(throw, first, second, 1);
        return;
    }
    if (!is_open(throw->theirs, BG_BAR - first)) {
        return;
    }
    /* Both numbers are needed to enter, so nothing else can hit with this order. */
    if (bar > 1) {
        walk(throw, BG_BAR, first, 0, 0);
        return;
    }
    /* The checker that has entered may go on, or another one plays the second number. */
    walk(throw, BG_BAR, first, second, 1);
    walk_all(throw, second, 0, 0);
}

static void throw_double(struct throw *throw, int die)
{
    int left = 4 - throw->at[BG_BAR];

    if (throw->at[BG_BAR] == 0) {
        walk_all(throw, die, die, 3);
        return;
    }
    if (!is_open(throw->theirs, BG_BAR - die)) {
        return;
    }
    walk(throw, BG_BAR, die, die, left > 0 ? left : 0);
    if (left > 0) {
        walk_all(throw, die, die, left - 1);
    }
}

static bool has_blot(const uint8_t theirs[BG_SLOTS])
{
    for (int slot = 1; slot <= BG_POINTS; slot++) {
        if (theirs[slot] == 1) {
            return true;
        }
    }
    return false;
}

void shots_find(struct shots *out, const uint8_t at[BG_SLOTS], const uint8_t theirs[BG_SLOTS])
{
    *out = (struct shots){0};
    if (!has_blot(theirs)) {
        return;
    }
    for (int high = 1; high <= DIE; high++) {
        for (int low = 1; low <= high; low++) {
            struct throw throw = {.at = at, .theirs = theirs};
            double part = (high == low ? 1.0 : 2.0) / THROWS;

            if (high == low) {
                throw_double(&throw, high);
            } else {
                throw_order(&throw, high, low);
                throw_order(&throw, low, high);
            }
            out->hit += throw.hit ? part : 0.0;
            out->loss += part * throw.loss;
        }
    }
}

double shots_stays_out(const uint8_t theirs[BG_SLOTS])
{
    int closed = 0;

    for (int die = 1; die <= DIE; die++) {
        /* A checker stays out when both dice are closed: the square of the share. */
        closed += is_open(theirs, BG_BAR - die) ? 0 : 1;
    }
    return (double)(closed * closed) / THROWS;
}

/* The lowest slot that one checker reaches with this order of two numbers, or with a double. */
static int lowest(const uint8_t theirs[BG_SLOTS], int slot, int first, int second)
{
    int steps = first == second ? 4 : 2;

    for (int step = 0; step < steps; step++) {
        int next = slot - (step == 0 ? first : second);

        if (!is_open(theirs, next)) {
            break;
        }
        slot = next;
    }
    return slot;
}

double shots_escapes(const uint8_t theirs[BG_SLOTS], int slot, int beyond)
{
    int good = 0;

    for (int first = 1; first <= DIE; first++) {
        for (int second = 1; second <= DIE; second++) {
            good += lowest(theirs, slot, first, second) <= beyond ||
                            lowest(theirs, slot, second, first) <= beyond
                        ? 1
                        : 0;
        }
    }
    return (double)good / THROWS;
}
