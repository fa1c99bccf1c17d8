/* An open leg adds nothing, also not the games that it has: a pair counts by its decided legs,
 * so that a running match cannot move the table back and forth. */
#include "pair.h"

struct pair_sum pair_sum_of(const struct pair *pair)
{
    struct pair_sum sum = {.decided = 0};

    for (int i = 0; i < 2; i++) {
        const struct pair_leg *leg = &pair->leg[i];

        if (leg->state == PAIR_OPEN) {
            continue;
        }
        sum.decided++;
        sum.won += leg->state == PAIR_WON_A;
        sum.lost += leg->state == PAIR_WON_B;
        sum.drawn += leg->state == PAIR_DRAWN;
        sum.points[0] += leg->points[0];
        sum.points[1] += leg->points[1];
        sum.net += leg->points[0] - leg->points[1];
        sum.games += leg->games;
    }
    return sum;
}
