#include "leg_luck.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct leg_luck *leg, size_t place)
{
    size_t bytes = place + 4;
    uint8_t *more;

    if (place < leg->seen_bytes) {
        return true;
    }
    more = realloc(leg->seen, bytes);
    if (more == NULL) {
        return false;
    }
    memset(more + leg->seen_bytes, 0, bytes - leg->seen_bytes);
    leg->seen = more;
    leg->seen_bytes = bytes;
    return true;
}

enum bg_status leg_luck_add(struct leg_luck *leg, int game, const struct leg_luck_game *judged,
                            struct bg_error *err)
{
    size_t place = (size_t)game / 8;
    uint8_t bit = (uint8_t)(1 << game % 8);

    if (!make_room(leg, place)) {
        return bg_error_set(err, BG_E_MEMORY, "judged games of a match");
    }
    if ((leg->seen[place] & bit) == 0) {
        leg->seen[place] |= bit;
        leg->games++;
        leg->luck += judged->luck;
        leg->loss += judged->loss;
        leg->lacks_loss = leg->lacks_loss || !judged->has_loss;
    }
    return BG_OK;
}

bool leg_luck_is_whole(const struct leg_luck *leg, int games)
{
    return leg->games == games;
}

void leg_luck_clear(struct leg_luck *leg)
{
    uint8_t *seen = leg->seen;
    size_t bytes = leg->seen_bytes;

    *leg = (struct leg_luck){.seen = seen, .seen_bytes = bytes};
    if (bytes > 0) {
        memset(seen, 0, bytes);
    }
}

void leg_luck_close(struct leg_luck *leg)
{
    free(leg->seen);
    leg->seen = NULL;
    leg->seen_bytes = 0;
}

void leg_luck_deinit(struct leg_luck *leg)
{
    free(leg->seen);
    *leg = (struct leg_luck){.seen = NULL};
}
