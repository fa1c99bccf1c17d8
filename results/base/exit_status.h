/* exit_status.h - the exit statuses of the program; docs/running.md lists them too. */
#ifndef RESULTS_BASE_EXIT_STATUS_H
#define RESULTS_BASE_EXIT_STATUS_H

#include <bgref/error.h>

enum {
    EXIT_DONE = 0,
    EXIT_CHECK = 1,        /* a check or comparison failed */
    EXIT_MISUSE = 2,       /* misuse, bad configuration, results in use */
    EXIT_START = 3,        /* a bot does not start */
    EXIT_FAULT = 4,        /* stopped by a bot's fault (--strict) */
    EXIT_SURROUNDINGS = 5, /* disk, store, socket */
    EXIT_VERIFY = 6,       /* a record failed verification */
    EXIT_UNPLAYED = 7,     /* the event continued without a bot; some fixtures are not played */
    EXIT_REPLACED = 8,     /* another program has taken the bot's place at the host */
    EXIT_H1 = 10,          /* --exit-verdict: a sequential test accepted H1 ... */
    EXIT_H0 = 11,          /* ... H0 ... */
    EXIT_UNDECIDED = 12,   /* ... or neither, and all its games are played */
    EXIT_HANGUP = 129,
    EXIT_INTERRUPT = 130,
    EXIT_TERMINATE = 143
};

/* Maps a bg_status to an exit status: bad user input is EXIT_MISUSE; see the switch for the rest.
 */
int exit_status_of(enum bg_status status);

/* The same for commands that read results: what does not match there is EXIT_VERIFY. */
int exit_status_of_results(enum bg_status status);

#endif
