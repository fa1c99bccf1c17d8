/* ahead.h - the chances of a position looked at one roll farther. */
#ifndef BOTS_TD_AHEAD_H
#define BOTS_TD_AHEAD_H

#include "choice.h"

/* The mean, over the rolls of the other side, of the chances after its best play, seen by this
 * seat, which has just played. For games where a turn is one roll, and not yet over. */
void ahead_chances(float out[NET_OUTPUTS], const struct player *player,
                   const struct bg_board *board, int seat);

#endif
