/* Only pairs with one leg over are kept: a pair that is complete is handed out and forgotten, so
 * memory follows the tables and not the event. */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

void pairs_init(struct pairs *pairs, int legs)
{
    *pairs = (struct pairs){.legs = legs};
}

void pairs_deinit(struct pairs *pairs)
{
    free(pairs->open);
    pairs->open = NULL;
    pairs->count = 0;
    pairs->room = 0;
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

bool pairs_put(struct pairs_cluster *out, struct pairs *pairs, const struct fixture *fixture,
               const struct pair_leg *leg)
{
    int at = pairs->legs == 2 ? find(pairs, fixture) : -1;
    bool whole = pairs->legs == 1 || at >= 0;

    if (at >= 0) {
        *out = pairs->open[at];
        pairs->open[at] = pairs->open[--pairs->count];
    } else {
        *out = (struct pairs_cluster){.fixture = *fixture, .legs = pairs->legs};
        out->fixture.leg = 0;
    }
    out->pair.leg[fixture->leg] = *leg;
    if (!whole) {
        pairs->open =
            memory_list(pairs->open, &pairs->room, (size_t)pairs->count + 1, sizeof *pairs->open);
        pairs->open[pairs->count++] = *out;
    }
    return whole;
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
