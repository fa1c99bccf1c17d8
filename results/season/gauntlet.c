/* Each hero begins one challenger later than the one before, so in a round no challenger meets
 * two heroes, as long as there are at least as many challengers. */
#include "gauntlet.h"

int gauntlet_round(struct meeting *out, const int *hero, int heroes, const int *challenger,
                   int challengers, int round)
{
    for (int h = 0; h < heroes; h++) {
        out[h] = (struct meeting){.round = round,
                                  .line = h,
                                  .a = hero[h],
                                  .b = challenger[(round - 1 + h) % challengers]};
    }
    return heroes;
}
