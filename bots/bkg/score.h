/* score.h - the chance to win a match from a score: from the match equity table of
 * docs/statistics.md, beyond it by a rule of thumb. */
#ifndef BOTS_BKG_SCORE_H
#define BOTS_BKG_SCORE_H

#include <stdbool.h>

enum { SCORE_TABLE = 25 }; /* points away that the table has */

/* A score between two games. */
struct score {
    double own, opponent; /* points that each side still needs; 0 or less: it has won */
    bool crawford_over;   /* the Crawford game has been played, or there is none */
};

/* Returns own's chance, 0..1, to win the match; both sides are equally strong. */
double score_chance(const struct score *score);

#endif
