/* knockout.h - a single elimination: who loses is out. Pure.
 *
 * The bracket has the next power of two lines, in the order 1; 1 2; 1 4 2 3; 1 8 4 5 2 7 3 6; ...
 * of seeds. Seeds that nobody has are byes, so the first seeds have them. The winners of lines 2i
 * and 2i + 1 of a round meet in line i of the next. If both of a meeting are absent nobody goes on,
 * and the next opponent goes on without playing. The losers of the two semi-finals may play for the
 * third place: part THIRD of the last round.
 */
#ifndef RESULTS_FORMS_KNOCKOUT_H
#define RESULTS_FORMS_KNOCKOUT_H

#include <bgref/error.h>

#include "history.h"

/* Rounds until one is left. */
int knockout_rounds(int entrants);

/* Fills out, room for `entrants`, with the meetings that can be paired by now and are not in the
 * history. One who has left makes a walkover of it. A drawn result lets the better seed go on.
 * place[entrant], from 1: losers of one round share the best place of them; 0: not known yet. All
 * are known when the event is over. out, place: NULL if not wanted. BG_E_MEMORY. */
enum bg_status knockout_next(struct meeting *out, int *count, int *place,
                             const struct history *history, bool third_place, struct bg_error *err);

#endif
