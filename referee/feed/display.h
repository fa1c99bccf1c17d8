/* display.h - what a person sees while an event runs: the head, the progress, the table. */
#ifndef REFEREE_FEED_DISPLAY_H
#define REFEREE_FEED_DISPLAY_H

#include <stdio.h>

#include <tables/progress.h>

#include "config/config.h"
#include "judge/judge_run.h"
#include "fixtures/ledger.h"
#include "sequential.h"

/* What is shown; all of it is lent. */
struct display_setup {
    const struct config_event *event;
    const char *command; /* the resolved command line */
    bool duel;           /* report as a duel of the first two bots */
    bool quiet;          /* no progress, only the final table */
    struct ledger *ledger;
    uint64_t total; /* fixtures of the event */
};

struct display {
    struct display_setup setup;
    uint64_t done_before; /* settled before this run began */
    uint64_t games_before;
    int64_t began_ns, table_ns; /* when the run began; when the last table was printed */
    uint64_t faults;
    FILE *out;                     /* where tables go: standard output, unless the events have it */
    const struct sequential *test; /* lent; NULL: none */
    const char *judge;             /* lent; how the judge runs, as in "confined (bwrap)" */
    bool terminal;                 /* standard error is one */
    bool line_open;                /* a progress line stands there without its end */
    bool unheard;                  /* standard output failed: no more tables but the last */
    const struct tally *counted;   /* lent; the games that count, when a test has ended the event */
    char leader[PROGRESS_TEXT];    /* who led when the figures were last made */
    int64_t leader_due_ns;         /* when they may be made again */
};

/* Reads nothing but whether standard error is a terminal. */
void display_init(struct display *display, const struct display_setup *setup, int64_t now_ns);

/* Version, settings, digest of the key or the seed, and how to go on: to standard error. */
void display_head(const struct display *display);

/* How far it is: rewritten in place on a terminal, else a plain line. The leader and its figures
 * are those of the table; a field that is long to rate is rated anew only now and then, and for the
 * last line. */
void display_progress(struct display *display, bool last, int64_t now_ns);

/* The same for a judge that works off what was left when play ended, since this time. */
void display_judging(struct display *display, const struct judging_rest *rest, int64_t began_ns,
                     int64_t now_ns);

/* Ends an open progress line, so that other text may follow. */
void display_break(struct display *display);

/* How the run went for this machine: decisions answered, a second, and the referee's own CPU time
 * (this process, all its threads) for each. */
void display_health(struct display *display, uint64_t decisions, int64_t now_ns);

/* The table (or the duel's report), and how the test stands. */
enum bg_status display_table(struct display *display, bool final, int64_t now_ns,
                             struct bg_error *err);

/* After the table: what was given up; a bot that was left out, and why; what is open. Nothing where
 * there is none. */
void display_unplayed(const struct display *display);
void display_absent(const struct display *display, const char *bot, const char *why);
void display_open(const struct display *display);

/* Last: where the results are, and their root when they are complete. */
void display_end(const struct display *display, bool complete, const char *root);

#endif
