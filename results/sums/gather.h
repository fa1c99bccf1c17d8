/* gather.h - everything that a report shows of a results database, read once.
 *
 * Safe while a referee writes. The struct owns all strings. They can contain any bytes from
 * outside; paths of this machine are removed.
 */
#ifndef RESULTS_SUMS_GATHER_H
#define RESULTS_SUMS_GATHER_H

#include <numbers/luck.h>
#include <numbers/rating.h>
#include <record/duration_histogram.h>
#include "summary.h"

#include "rating_history.h"
#include "results_set.h"
#include "judged_sums.h"

enum {
    GATHER_SAMPLES = 3,  /* faults shown in full, for each bot, kind and rule */
    GATHER_BLUNDERS = 24 /* positions drawn, for all bots */
};

struct gather_bot {
    struct duration_histogram time;    /* its measured decisions */
    double credited_ns;                /* deducted from its time, over all runs */
    double waited_ns;                  /* the same because it waited for a core */
    int64_t least_left_ns;             /* smallest time left after a game; INT64_MAX: no clock */
    char *version, *program, *options; /* as in its first record; NULL: not played yet */
    bool changed;                      /* a later record has other values */
    uint64_t unplayed;                 /* fixtures marked unplayed because of it */
    char *why;                         /* the last reason; NULL */
};

/* One run of the referee, from its account in the results (`run.N`). Unknown values are NaN: all
 * but the first, if the run was cut off or is not over. */
struct gather_run {
    double begun_s; /* since 1970, UTC */
    double seconds, frames, lag_mean_us, lag_p99_us, lag_most_us, stalled_ms, credited_ms;
    double given_up, exit;
    char *durable;        /* "decision": each decision was stored before the next; NULL: games */
    char *bgref, *system; /* NULL: unknown */
};

struct gather_setting {
    char *key, *value; /* without "event." */
};

/* Faults of one bot, kind and rule. */
struct gather_fault {
    int bot; /* -1: not in the tally */
    enum bg_fault fault;
    char *rule; /* "" none */
    uint64_t count;
    struct store_fault *sample[GATHER_SAMPLES];
    int samples;
};

struct gather {
    struct event_results results;
    struct summary summary;
    struct gather_bot *bot; /* as in the tally */
    struct gather_setting *setting;
    int settings;
    size_t setting_room;
    struct gather_run *run;
    int runs;
    size_t run_room;
    struct gather_fault *fault;
    int faults;
    size_t fault_room;
    uint64_t surplus_faults;      /* faults in games that do not count; not in `fault` */
    struct dice_counts dice;      /* dice of first legs */
    struct legs legs;             /* closed */
    struct rating_course *course; /* owned; filled by the first section that needs it */
    int bootstrap;                /* draws, also for ratings; 0: not requested */
    char *test;       /* state of its sequential test when the referee stopped; NULL: none */
    char *test_judge; /* the judge whose judgements feed the test; NULL */
    char *dice_kind, *dice_digest, *dice_key; /* NULL: not known (yet) */
    char *root;                               /* root of all records as published; NULL: not yet */
    char *command;                            /* of the last run; NULL: unknown */
    char *conditions; /* under which the last run's games repeat; NULL: unknown */
    char *host;       /* from the first record */
    bool running;     /* a referee seems to be running */
    bool kept_back;   /* for spectators while pairs are open: without sums that tell of one game */
    bool decided;     /* its sequential test has ended the event */
    bool final;       /* every fixture is played or given up, or the schedule is over */
    struct judged_sums judged;
    struct blunder *blunder; /* largest error first */
    int blunders;
};

/* judge: whose judgements to use; NULL: the judge with most games. BG_E_ARGUMENT: no such file, not
 * a results database, or no such judge; BG_E_STORE, BG_E_FORMAT. */
enum bg_status gather_open(struct gather *out, const char *path, const char *judge, int bootstrap,
                           struct bg_error *err);
void gather_close(struct gather *gather); /* accepts a zeroed struct */

/* Returns a setting's value; "" if it is not set. */
const char *gather_setting(const struct gather *gather, const char *key);

#endif
