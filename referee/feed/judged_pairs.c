#include "judged_pairs.h"

#include <stdlib.h>
#include <string.h>

struct judged_leg {
    struct pairs_leg leg;
    bool over; /* leg is filled */
    bool done; /* its pair was handed out */
    int judged;
    uint8_t *seen; /* owned; a bit for each game that was judged; NULL once all are */
    int seen_bytes;
};

void judged_pairs_init(struct judged_pairs *pairs, int legs)
{
    *pairs = (struct judged_pairs){.legs = legs};
}

void judged_pairs_deinit(struct judged_pairs *pairs)
{
    for (size_t i = 0; i < 2 * pairs->room; i++) {
        free(pairs->leg[i].seen);
    }
    free(pairs->leg);
    pairs->leg = NULL;
    pairs->room = 0;
}

/* Both legs of a pair, leg 0 first; NULL: no memory. */
static struct judged_leg *legs_of(struct judged_pairs *pairs, uint64_t pair)
{
    size_t room = pairs->room == 0 ? 256 : pairs->room;

    while (room <= pair) {
        room *= 2;
    }
    if (room > pairs->room) {
        struct judged_leg *more = realloc(pairs->leg, 2 * room * sizeof *more);

        if (more == NULL) {
            return NULL;
        }
        memset(&more[2 * pairs->room], 0, 2 * (room - pairs->room) * sizeof *more);
        pairs->leg = more;
        pairs->room = room;
    }
    return &pairs->leg[2 * pair];
}

static bool is_judged(const struct judged_leg *leg)
{
    return leg->over && (leg->leg.unplayed || leg->judged == leg->leg.games);
}

/* Hands the pair out when nothing of it is missing, for the first time. */
static bool take_whole(struct pairs_cluster *out, const struct judged_pairs *pairs,
                       struct judged_leg legs[2], const struct fixture *fixture)
{
    bool broken = false, whole = true;

    for (int i = 0; i < pairs->legs; i++) {
        whole = whole && is_judged(&legs[i]);
        broken = broken || (legs[i].over && legs[i].leg.unplayed);
    }
    if (legs[0].done || !(whole || broken)) {
        return false;
    }
    legs[0].done = true;
    *out = (struct pairs_cluster){.fixture = *fixture, .legs = pairs->legs};
    out->fixture.leg = 0;
    for (int i = 0; i < pairs->legs; i++) {
        out->leg[i] = legs[i].leg;
    }
    return true;
}

enum bg_status judged_pairs_leg(struct pairs_cluster *out, bool *whole, struct judged_pairs *pairs,
                                const struct fixture *fixture, const struct pairs_leg *leg,
                                struct bg_error *err)
{
    struct judged_leg *legs = legs_of(pairs, fixture->pair), *own;
    double luck;

    *whole = false;
    if (legs == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "judged pairs");
    }
    own = &legs[fixture->leg];
    luck = own->leg.luck;
    own->leg = *leg;
    own->leg.luck = luck;
    own->over = true;
    pairs->judged += is_judged(own);
    *whole = take_whole(out, pairs, legs, fixture);
    return BG_OK;
}

/* Notes that the game is judged. *fresh: it was not before. */
static enum bg_status note_seen(bool *fresh, struct judged_leg *leg, int game, struct bg_error *err)
{
    *fresh = !is_judged(leg);
    if (!*fresh) {
        return BG_OK;
    }
    if (game / 8 >= leg->seen_bytes) {
        int bytes = game / 8 + 4;
        uint8_t *more = realloc(leg->seen, (size_t)bytes);

        if (more == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "judged pairs");
        }
        memset(more + leg->seen_bytes, 0, (size_t)(bytes - leg->seen_bytes));
        leg->seen = more;
        leg->seen_bytes = bytes;
    }
    *fresh = (leg->seen[game / 8] & 1 << game % 8) == 0;
    leg->seen[game / 8] |= (uint8_t)(1 << game % 8);
    return BG_OK;
}

enum bg_status judged_pairs_luck(struct pairs_cluster *out, bool *whole, struct judged_pairs *pairs,
                                 const struct fixture *fixture, int game, double luck,
                                 struct bg_error *err)
{
    struct judged_leg *legs = legs_of(pairs, fixture->pair), *own;
    bool fresh;
    enum bg_status status;

    *whole = false;
    if (legs == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "judged pairs");
    }
    own = &legs[fixture->leg];
    status = note_seen(&fresh, own, game, err);
    if (status != BG_OK || !fresh) {
        return status;
    }
    own->judged++;
    own->leg.luck += luck;
    if (is_judged(own)) {
        pairs->judged++;
        free(own->seen);
        own->seen = NULL;
        own->seen_bytes = 0;
    }
    *whole = take_whole(out, pairs, legs, fixture);
    return BG_OK;
}
