#include "pairs.h"

#include <stdlib.h>
#include <string.h>

void pairs_init(struct pairs *pairs, int legs)
{
    *pairs = (struct pairs){.legs = legs};
}

void pairs_deinit(struct pairs *pairs)
{
    free(pairs->open);
    pairs->open = NULL;
    pairs->count = pairs->room = 0;
}

/* Returns the pair that has one leg over already, or -1. Few pairs are open at a time, because
 * their legs are played one after the other. Searches from the newest. */
static int find(const struct pairs *pairs, const struct fixture *fixture)
{
    for (int i = pairs->count - 1; i >= 0; i--) {
        const struct fixture *there = &pairs->open[i].fixture;

        if (there->pair == fixture->pair && there->a == fixture->a && there->b == fixture->b) {
            return i;
        }
    }
    return -1;
}

static enum bg_status keep(struct pairs *pairs, const struct pairs_cluster *cluster,
                           struct bg_error *err)
{
    if (pairs->count == pairs->room) {
        int room = pairs->room == 0 ? 16 : 2 * pairs->room;
        struct pairs_cluster *more = realloc(pairs->open, (size_t)room * sizeof *more);

        if (more == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "pairs of which one leg is over");
        }
        pairs->open = more;
        pairs->room = room;
    }
    pairs->open[pairs->count++] = *cluster;
    return BG_OK;
}

enum bg_status pairs_put(struct pairs_cluster *out, bool *whole, struct pairs *pairs,
                         const struct fixture *fixture, const struct pair_leg *leg,
                         struct bg_error *err)
{
    int at = pairs->legs == 2 ? find(pairs, fixture) : -1;

    *whole = pairs->legs == 1 || at >= 0;
    if (at >= 0) {
        *out = pairs->open[at];
        pairs->open[at] = pairs->open[--pairs->count];
    } else {
        *out = (struct pairs_cluster){.fixture = *fixture, .legs = pairs->legs};
        out->fixture.leg = 0;
    }
    out->pair.leg[fixture->leg] = *leg;
    return *whole ? BG_OK : keep(pairs, out, err);
}

void pairs_forget(struct pairs *pairs, const struct fixture *fixture)
{
    int at = find(pairs, fixture);

    if (at >= 0) {
        pairs->open[at] = pairs->open[--pairs->count];
    }
}

bool pairs_is_broken(const struct pairs_cluster *cluster)
{
    return pair_sum_of(&cluster->pair).decided < cluster->legs;
}
