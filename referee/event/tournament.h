/* tournament.h - runs an event: keeps tables busy, stores finished games, prints the table at the
 * end.
 *
 * The same call on the same results resumes where the last run stopped.
 */
#ifndef REFEREE_EVENT_TOURNAMENT_H
#define REFEREE_EVENT_TOURNAMENT_H

#include <signal.h>

#include "../loop/link.h"
#include "loop/notify.h"
#include "config/config.h"
#include "elsewhere.h"
#include "supply.h"

/* Lets no new match begin, and the running ones end; any other signal lets running games end. */
#define TOURNAMENT_FINISH SIGUSR1

/* Why a host ends an event's process: the value that it sends with SIGTERM. */
enum tournament_end {
    TOURNAMENT_INTERRUPTED, /* the next run goes on; also what a signal without a value means */
    TOURNAMENT_PAUSED,      /* the same, at an unknown time */
    TOURNAMENT_CANCELLED    /* it does not go on: games are not waited for */
};

struct tournament_run {
    const struct config_event *event; /* checked; lent */
    const char *command;              /* the resolved command line, printed and stored */
    bool duel;                        /* report as a duel of the first two bots */
    bool quiet;                       /* no progress, only the final table */
    struct notify *notify;            /* for the service manager; lent. NULL none */
    struct elsewhere elsewhere;       /* where it is played, if not here */
    struct supply supply;             /* what is played, if not the event's own schedule */
};

/* Runs to the end of the event, or until a signal. Data goes to stdout, messages to stderr.
 * Returns the program's exit status (results/cmd/results_commands.h); on failure *err has the
 * message. */
int tournament_run(const struct tournament_run *run, struct bg_error *err);

#endif
