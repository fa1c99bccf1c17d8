/* outcome.h - what came of a simulated world, and whether it is as it must be. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "record/record.h"
#include "sim_event.h"

struct outcome {
    struct record text; /* the canonical texts one after another */
    uint64_t clocks;    /* a sum over what every game left on the clocks */
    uint64_t games, unplayed, runs;
    uint64_t faults[SIM_KINDS]; /* games lost by a fault, by kind of bot */
    uint64_t outside;           /* faults that cost no game */
};

/* Looks through the store of the world that has ended; fills all but runs. table: what the referee
 * printed last. Ends the program when something does not hold. */
void outcome_check(struct outcome *outcome, const struct sim_event *sim, const char *table);

/* That what was played again is what the store's double lost with a machine, and nothing else. */
void outcome_check_replays(const struct outcome *outcome, const struct sim_event *sim);

#endif
