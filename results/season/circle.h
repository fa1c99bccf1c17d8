/* circle.h - rounds that no result decides: of a round robin, by the circle method or by Berger's
 * tables, and of a gauntlet; and a round robin whose rounds are all open at once. Pure.
 *
 * n entrants have n - 1 rounds; with an odd number n rounds, and one entrant rests in each. Further
 * cycles repeat the rounds.
 */
#ifndef RESULTS_SEASON_CIRCLE_H
#define RESULTS_SEASON_CIRCLE_H

#include "history.h"

enum circle_table {
    CIRCLE_SEEDS, /* the first seed stays, the others move by one place; first meets last */
    CIRCLE_BERGER /* the last seed stays, the others move by half the table */
};

int circle_rounds(int entrants, int cycles);

/* Returns the meetings of a round, including byes: half the entrants, rounded up. */
int circle_lines(int entrants);

/* Fills out[0..circle_lines - 1] with round 1 <= round <= circle_rounds. */
void circle_round(struct meeting *out, int entrants, int round, enum circle_table table);

/* Pairing q of all of them, 0 <= q < round_robin_pairings, when all are open at once: those of a
 * round of the circle method stand together, without byes. And a pairing's number, the inverse. */
void circle_pairing(int *a, int *b, int entrants, uint64_t q);
uint64_t circle_number(int entrants, int a, int b);

/* Fills out[0..heroes - 1] for a round of a gauntlet, 1 <= round <= challengers: hero h meets
 * challenger (round - 1 + h) mod challengers, so that unfinished tables can be compared. hero and
 * challenger list entrants. Returns the number of meetings: heroes. */
int gauntlet_round(struct meeting *out, const int *hero, int heroes, const int *challenger,
                   int challengers, int round);

#endif
