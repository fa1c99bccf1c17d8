/* A duel's pairs are numbered from 0, so both legs are found by index. Only a duel has such a
 * test; for an event of many bots the list would be as long as its largest pair number for
 * nothing. */
#include "judged_pairs.h"

#include <stdlib.h>

#include <base/memory.h>

#include "sums/leg_luck.h"

struct judged_leg {
    struct pair_leg leg;
    bool over; /* leg is filled; if it is open, it is never played */
    bool done; /* its pair was handed out */
    struct leg_luck luck;
};

void judged_pairs_init(struct judged_pairs *pairs, int legs)
{
    *pairs = (struct judged_pairs){.legs = legs};
}

void judged_pairs_deinit(struct judged_pairs *pairs)
{
    for (size_t i = 0; i < 2 * pairs->room; i++) {
        leg_luck_deinit(&pairs->leg[i].luck);
    }
    free(pairs->leg);
    pairs->leg = NULL;
    pairs->room = 0;
}

/* Returns both legs of a pair, leg 0 first. */
static struct judged_leg *legs_of(struct judged_pairs *pairs, uint64_t pair)
{
    size_t before = pairs->room;

    pairs->leg = memory_list(pairs->leg, &pairs->room, (size_t)pair + 1, 2 * sizeof *pairs->leg);
    for (size_t i = 2 * before; i < 2 * pairs->room; i++) {
        pairs->leg[i] = (struct judged_leg){.over = false};
    }
    return &pairs->leg[2 * pair];
}

static bool is_unplayed(const struct judged_leg *leg)
{
    return leg->over && leg->leg.state == PAIR_OPEN;
}

static bool is_judged(const struct judged_leg *leg)
{
    return is_unplayed(leg) || (leg->over && leg_luck_is_whole(&leg->luck, (int)leg->leg.games));
}

/* Returns the pair once, as soon as it is complete. */
static bool take_whole(struct pairs_cluster *out, const struct judged_pairs *pairs,
                       struct judged_leg legs[2], const struct fixture *fixture)
{
    bool broken = false, whole = true;

    for (int i = 0; i < pairs->legs; i++) {
        whole = whole && is_judged(&legs[i]);
        broken = broken || is_unplayed(&legs[i]);
    }
    if (legs[0].done || !(whole || broken)) {
        return false;
    }
    legs[0].done = true;
    *out = (struct pairs_cluster){.fixture = *fixture, .legs = pairs->legs};
    out->fixture.leg = 0;
    for (int i = 0; i < pairs->legs; i++) {
        out->pair.leg[i] = legs[i].leg;
        out->luck += legs[i].luck.luck;
    }
    return true;
}

bool judged_pairs_leg(struct pairs_cluster *out, struct judged_pairs *pairs,
                      const struct fixture *fixture, const struct pair_leg *leg)
{
    struct judged_leg *legs = legs_of(pairs, fixture->pair), *own = &legs[fixture->leg];

    own->leg = *leg;
    own->over = true;
    pairs->judged += is_judged(own);
    return take_whole(out, pairs, legs, fixture);
}

bool judged_pairs_luck(struct pairs_cluster *out, struct judged_pairs *pairs,
                       const struct fixture *fixture, int game, double luck)
{
    struct judged_leg *legs = legs_of(pairs, fixture->pair), *own = &legs[fixture->leg];

    if (is_judged(own)) {
        return false; /* judged again */
    }
    leg_luck_add(&own->luck, game, &(struct leg_luck_game){.luck = luck});
    if (is_judged(own)) {
        pairs->judged++;
        leg_luck_close(&own->luck);
    }
    return take_whole(out, pairs, legs, fixture);
}
