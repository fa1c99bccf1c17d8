/* Rounds of lessons and fits: the net that plays the next lessons has learned from the last
 * ones. Weights are rounded to what a file keeps after each round, so that what is measured is
 * what will be read. */
#include "polish.h"

#include <stdlib.h>

#include "fit.h"
#include "weights.h"

enum { TIMES = 8 /* that every position is learned in a round */ };

enum bg_status polish_net(struct player *player, const struct lesson_plan *plan, int rounds,
                          struct bg_error *err)
{
    struct lesson_plan now = *plan;
    struct lessons lessons = {.count = 0};
    enum bg_status status = BG_OK;

    for (int round = 0; round < rounds && status == BG_OK; round++) {
        status = lessons_play(&lessons, player, &now, err);
        if (status == BG_OK) {
            status = fit_net(player, &lessons, TIMES, plan->seed + (uint64_t)round, err);
        }
        weights_round(&player->net);
        now.first += now.games;
    }
    free(lessons.at);
    return status;
}
