/* gather.h - everything that a report shows of a results database, read once.
 *
 * Safe while a referee writes. All strings are owned by the gathering and may hold any bytes of
 * strangers; paths of this machine are cut from them.
 */
#ifndef RESULTS_GATHER_GATHER_H
#define RESULTS_GATHER_GATHER_H

#include <numbers/dice_test.h>
#include <numbers/fibs.h>
#include <record/spread.h>
#include <sums/summary.h>
#include "fibs_order.h"

#include "blunder.h"
#include "sums/results_set.h"
#include <sums/judged_sums.h>

enum {
    GATHER_SAMPLES = 3,  /* faults of one bot, kind and rule that are shown in full */
    GATHER_BLUNDERS = 24 /* positions that are drawn, of all bots */
};

struct gather_bot {
    struct spread time;                /* of its measured decisions */
    struct fibs_player fibs;           /* match play; matches in the order of the schedule */
    double credited_ns;                /* taken off its time, in all runs */
    int64_t least_left_ns;             /* on its clock after a game; INT64_MAX: no clock */
    char *version, *program, *options; /* as in its first record; NULL: it has not played */
    bool changed;                      /* a later record has others */
    uint64_t unplayed;                 /* fixtures marked so for its sake */
    char *why;                         /* of the last of them; NULL */
};

/* One run of the referee, from its account in the results (`run.N`). What is not known is NaN: all
 * but the first, when the run was cut off or is not over. */
struct gather_run {
    double begun_s; /* since 1970, UTC */
    double seconds, frames, lag_mean_us, lag_p99_us, lag_most_us, stalled_ms, credited_ms;
    double given_up, exit;
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
    struct gather_bot *bot;  /* as in the tally */
    struct fibs_order order; /* matches, for the incremental ratings */
    struct gather_setting *setting;
    int settings, setting_room;
    struct gather_run *run;
    int runs, run_room;
    struct gather_fault *fault;
    int faults, fault_room;
    uint64_t surplus_faults; /* in games that count nowhere; none of `fault` */
    struct dice_counts dice; /* of first legs */
    struct legs legs;        /* closed */
    int bootstrap;           /* draws for ratings too; 0: not asked for */
    char *test;       /* how its sequential test stood when the referee stopped; NULL: none */
    char *test_judge; /* whose judgements feed it; NULL */
    char *dice_kind, *dice_digest, *dice_key; /* NULL: unknown (yet) */
    char *root;                               /* of all records, as published; NULL: not yet */
    char *command;                            /* of the last run; NULL: not known */
    char *host;                               /* of the first record */
    bool running;                             /* a referee is at it, as far as can be seen */
    bool decided;                             /* its sequential test has ended it */
    bool final;                               /* every fixture is played or given up */
    struct judged_sums judged;
    struct blunder *blunder; /* the largest errors first */
    int blunders;
    enum bg_status status; /* of the reading callbacks */
    struct bg_error *err;
};

/* judge: whose judgements to use; NULL: those of the judge with the most games. BG_E_ARGUMENT: not
 * there, no results, no such judge; BG_E_STORE, BG_E_FORMAT, BG_E_MEMORY. */
enum bg_status gather_open(struct gather *out, const char *path, const char *judge, int bootstrap,
                           struct bg_error *err);
void gather_close(struct gather *gather); /* also a zeroed one */

/* A setting's value, "" when there is none. */
const char *gather_setting(const struct gather *gather, const char *key);

#endif
