/* display.h - what an event prints while it runs: the head, the progress, the table. */
#ifndef REFEREE_FEED_DISPLAY_H
#define REFEREE_FEED_DISPLAY_H

#include <stdio.h>

#include <tables/progress.h>

#include "config/config.h"
#include "season/season.h"
#include "fixtures/ledger.h"
#include "fixtures/source.h"
#include "sequential.h"

/* What is shown; all of it is lent. */
struct display_setup {
    const struct config_event *event;
    const char *command; /* the resolved command line */
    bool duel;           /* report as a duel of the first two bots */
    bool quiet;          /* no progress, only the final table */
    struct ledger *ledger;
    const struct source *source;
};

enum { DISPLAY_ROUND = 96 };

struct display {
    struct display_setup setup;
    uint64_t done_before; /* settled before this run began */
    uint64_t games_before;
    int64_t began_ns, table_ns; /* when the run began; when the last table was printed */
    uint64_t faults;
    FILE *out;                     /* target of tables: standard output, unless the event stream
                                    * uses it */
    const struct sequential *test; /* lent; NULL: none */
    const char *judge;             /* lent; how the judge runs, as in "confined (bwrap)" */
    bool terminal;                 /* standard error is one */
    bool line_open;                /* a progress line is printed and not yet ended */
    bool unheard;                  /* standard output failed: only the last table is printed */
    const struct tally *counted;   /* lent; the games that count, when a test has ended the event */
    char leader[PROGRESS_TEXT];    /* the leader when the figures were last computed */
    int64_t leader_due_ns;         /* earliest time to compute them again */
    char round[DISPLAY_ROUND];     /* "round 2 of 3"; the caller sets it, "" without a schedule */
};

/* Reads nothing but whether standard error is a terminal. */
void display_init(struct display *display, const struct display_setup *setup, int64_t now_ns);

/* The ledger has counted again, perhaps fewer games than at the beginning. */
void display_recount(struct display *display);

/* Prints to standard error: version, settings, digest of the key or the seed, and how to resume. */
void display_head(const struct display *display);

/* Prints the progress: rewritten in place on a terminal, else a plain line. Shows the table's
 * leader and its figures; if rating takes long, computes them again only rarely, and for the last
 * line. */
void display_progress(struct display *display, bool last, int64_t now_ns);

/* The same while a judge finishes: games that it has done, of all that were left when play ended,
 * at began_ns. */
void display_judging(struct display *display, uint64_t done, uint64_t total, int64_t began_ns,
                     int64_t now_ns);

/* Ends an open progress line, so that other text can follow. */
void display_break(struct display *display);

/* Prints the order of every stage and group by its form; nothing of a plain round robin (NULL). */
enum bg_status display_standing(struct display *display, const struct season *season,
                                struct bg_error *err);

/* Says that a signal has come, and what is finished before the end: so many games, or matches. */
void display_interrupted(int live, bool finish_matches);

/* The load of this run: decisions answered, decisions a second, and the referee's own CPU time
 * (this process, all threads) for each. */
void display_health(struct display *display, uint64_t decisions, int64_t now_ns);

/* Prints the table (or the duel's report) and the state of the test. */
enum bg_status display_table(struct display *display, bool final, int64_t now_ns,
                             struct bg_error *err);

/* After the table: prints fixtures given up, bots left out with the reason, and what is open.
 * Prints nothing if there is none. */
void display_unplayed(const struct display *display);
void display_absent(const struct display *display, const char *bot, const char *why);
void display_open(const struct display *display);

/* Last: the path of the results, and their root if they are complete. */
void display_end(const struct display *display, bool complete, const char *root);

#endif
