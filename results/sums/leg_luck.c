/* A bit for each game of a leg: judgements come in any order and may repeat after a restart, and
 * a game must add its luck once. */
#include "leg_luck.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

void leg_luck_add(struct leg_luck *leg, int game, const struct leg_luck_game *judged)
{
    size_t place = (size_t)game / 8, before = leg->seen_bytes;
    uint8_t bit = (uint8_t)(1 << game % 8);

    leg->seen = memory_list(leg->seen, &leg->seen_bytes, place + 1, 1);
    memset(leg->seen + before, 0, leg->seen_bytes - before);
    if ((leg->seen[place] & bit) == 0) {
        leg->seen[place] |= bit;
        leg->games++;
        leg->luck += judged->luck;
        leg->loss += judged->loss;
        leg->lacks_loss = leg->lacks_loss || !judged->has_loss;
    }
}

bool leg_luck_is_whole(const struct leg_luck *leg, int games)
{
    return leg->games == games;
}

/* Keeps its memory, since it is called once for every match of an event. */
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
