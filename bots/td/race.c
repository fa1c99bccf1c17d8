/* Races against the table of bear-offs, where each side's distribution of turns is known: exact
 * for who wins, while gammons cannot come any more (both have a checker off). */
#include "race.h"

#include <string.h>

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

bool race_chances(float out[NET_OUTPUTS], const struct bearoff *bearoff,
                  const struct bg_board *board, int seat)
{
    const uint8_t *own = board->at[seat], *other = board->at[1 - seat];
    int here = -1, there = -1;

    if (bearoff != NULL && own[BG_OFF] > 0 && other[BG_OFF] > 0 && last_of(own) <= BEAROFF_POINTS &&
        last_of(other) <= BEAROFF_POINTS) {
        here = bearoff_find(bearoff, own);
        there = bearoff_find(bearoff, other);
    }
    /* Too many checkers for the table: the net for races is asked. */
    if (here < 0 || there < 0) {
        return false;
    }
    memset(out, 0, NET_OUTPUTS * sizeof *out);
    out[NET_WIN] = 1.0F - (float)bearoff_win(bearoff, there, here);
    return true;
}
