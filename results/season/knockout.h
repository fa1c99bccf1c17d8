/* knockout.h - eliminations: in a single one the loser is out, in a double one who has lost twice.
 * Pure.
 *
 * The number of lines is the next power of two. The seeds are in the order 1; 1 2; 1 4 2 3; 1 8 4 5
 * 2 7 3 6; ... Missing seeds are byes, so the first seeds get them. The winners of lines 2i and 2i
 * + 1 meet in line i of the next round. If both entrants of a meeting are absent, it has no winner,
 * and the next opponent has a bye. The losers of the two semi-finals can play for third place: part
 * THIRD of the last round.
 *
 * A double one has two brackets. Winners': part MAIN, rounds as above. Losers': part LOSERS. Its
 * round 1 pairs the losers of neighbouring meetings of the winners' round 1. Round 2r - 2, r >= 2:
 * survivor i meets a loser of the winners' round r; these are taken in reversed order for even r
 * and with exchanged halves for odd r. Round 2r - 1 pairs neighbouring survivors. A missing entrant
 * is a bye. Part FINAL, round 1, is between the two brackets' winners; if the one from the losers'
 * bracket wins, round 2 decides.
 */
#ifndef RESULTS_SEASON_KNOCKOUT_H
#define RESULTS_SEASON_KNOCKOUT_H

#include "history.h"

/* Number of rounds until one entrant is left. */
int knockout_rounds(int entrants);

/* Fills out, room for `entrants`, with the meetings that can be paired now and are not in the
 * history, and returns their number. If one side has left, the meeting is a walkover. After a drawn
 * result the better seed continues. place[entrant], from 1: the losers of one round share their
 * best place; 0: not known yet. All places are known when the event is over. out, place: NULL if
 * not needed. */
int knockout_next(struct meeting *out, int *place, const struct history *history, bool third_place);

/* As knockout_next. Places: losers of one round of the losers' bracket share a place. */
int double_knockout_next(struct meeting *out, int *place, const struct history *history);

#endif
