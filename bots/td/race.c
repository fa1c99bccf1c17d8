#include "race.h"

#include <string.h>

#include "../exact/bearoff.h"

static int last_of(const uint8_t at[BG_SLOTS])
{
    int last = BG_HAND;

    while (last > 0 && at[last] == 0) {
        last--;
    }
    return last;
}

bool race_has_begun(const struct bg_board *board)
{
    return last_of(board->at[0]) + last_of(board->at[1]) <= BG_POINTS;
}

static const struct bearoff *table(void)
{
    static struct bearoff *made; /* kept until the program ends */
    static bool tried;

    if (!tried) {
        tried = true;
        (void)bearoff_create(&made, BEAROFF_POINTS, NULL);
    }
    return made;
}

bool race_chances(float out[NET_OUTPUTS], const struct bg_board *board, int seat)
{
    const uint8_t *own = board->at[seat], *other = board->at[1 - seat];
    const struct bearoff *bearoff = NULL;
    int here = -1, there = -1;

    if (own[BG_OFF] > 0 && other[BG_OFF] > 0 && last_of(own) <= BEAROFF_POINTS &&
        last_of(other) <= BEAROFF_POINTS) {
        bearoff = table();
    }
    if (bearoff != NULL) {
        here = bearoff_find(bearoff, own);
        there = bearoff_find(bearoff, other);
    }
    if (here < 0 || there < 0) {
        return false;
    }
    memset(out, 0, NET_OUTPUTS * sizeof *out);
    out[NET_WIN] = 1.0F - (float)bearoff_win(bearoff, there, here);
    return true;
}
