/* race.h - the last positions of a race, exactly: both sides have all checkers on their last six
 * points, and each has at least one off, so gammons are out of reach.
 *
 * In games with backgammon's bearing off. Each side is played for the fewest turns on average
 * (../exact/bearoff.h).
 */
#ifndef BOTS_TD_RACE_H
#define BOTS_TD_RACE_H

#include "../exact/bearoff.h"
#include "net.h"

/* Returns whether the two sides have passed each other. For games with one board of 24 points and
 * opposite directions. */
bool race_has_begun(const struct bg_board *board);

/* Sets the chances after a play of this seat, and returns true; false: it is not such a position,
 * or there is no table (bearoff NULL). */
bool race_chances(float out[NET_OUTPUTS], const struct bearoff *bearoff,
                  const struct bg_board *board, int seat);

#endif
