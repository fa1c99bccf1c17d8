/* tournament.h - runs an event: keeps tables busy, stores what is final, ends in a table.
 *
 * The same call on the same results goes on where the last run stopped.
 */
#ifndef REFEREE_EVENT_TOURNAMENT_H
#define REFEREE_EVENT_TOURNAMENT_H

#include "config/config.h"

struct tournament_run {
    const struct config_event *event; /* checked; lent */
    const char *command;              /* the resolved command line, printed and stored */
    bool duel;                        /* report as a duel of the first two bots */
    bool quiet;                       /* no progress, only the final table */
};

/* Runs to the end of the event, or until a signal. Data goes to stdout, talk to stderr. Returns the
 * exit status of the program (results/cmd/results_commands.h); on failure the story is in *err. */
int tournament_run(const struct tournament_run *run, struct bg_error *err);

#endif
