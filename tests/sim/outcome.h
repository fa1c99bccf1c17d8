/* outcome.h - the results of a simulated world, and the checks on them. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "record/record.h"
#include "sim_event.h"

struct outcome {
    struct record text; /* the canonical texts, concatenated */
    uint64_t clocks;    /* a sum over the remaining clock times of all games */
    uint64_t games, unplayed, runs;
    uint64_t faults[SIM_KINDS]; /* games lost by a fault, by kind of bot */
    uint64_t outside;           /* faults that did not cost a game */
};

/* Checks the store of the world that has ended; fills all fields except runs. table: the last
 * printed table. Ends the program if a check fails. */
void outcome_check(struct outcome *outcome, const struct sim_event *sim, const char *table);

/* Checks that exactly those games were played again which the store's double lost with a
 * machine. */
void outcome_check_replays(const struct outcome *outcome, const struct sim_event *sim);

#endif
