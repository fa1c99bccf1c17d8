/* progress.h - the progress line of a running event. Pure: text into a buffer.
 *
 * On a terminal, write "\r", the text, and "\033[K". Elsewhere, write the text as a separate line.
 */
#ifndef RESULTS_TABLES_PROGRESS_H
#define RESULTS_TABLES_PROGRESS_H

#include <sums/summary.h>

enum { PROGRESS_TEXT = 256 };

enum progress_end {
    PROGRESS_ALL,     /* the event ends when every fixture is finished */
    PROGRESS_TEST,    /* it ends when a sequential test is decided, or with the last fixture */
    PROGRESS_DECIDED, /* the test is decided: games in progress are finished, no new ones begin */
};

struct progress {
    const char *leader;    /* the leading bot, from progress_leader; NULL or "": none yet */
    uint64_t done;         /* finished fixtures, including earlier runs */
    uint64_t unplayed;     /* fixtures given up */
    uint64_t total;        /* fixtures of the event */
    uint64_t done_before;  /* fixtures finished before this run */
    uint64_t games;        /* games finished in this run */
    double elapsed_s;      /* time of this run */
    uint64_t faults;       /* faults in this run */
    enum progress_end end; /* when the event ends */
    const char *test;      /* the test's state; NULL: no test */
    const char
        *round;  /* "round 2 of 3"; more may follow, so no time left is shown; NULL: no rounds */
    int columns; /* of the terminal, at least 20; 0: not a terminal, prints a full line */
};

/* Writes a terminated text without line break, cut to progress->columns characters if that is not
 * 0. */
void progress_format(char out[PROGRESS_TEXT], const struct progress *progress);

/* Progress of a judge with the games left after play ended, as a line of the same form. */
struct progress_judging {
    uint64_t done, total; /* games; those that could not be judged count as done */
    double elapsed_s;
    int columns; /* as in struct progress */
};
void progress_judging(char out[PROGRESS_TEXT], const struct progress_judging *judging);

/* Writes the leader with its figures as in the table, "gnubg +0.512 ± 0.080 ppg" or "gnubg 71.3 %
 * won (95 %: 68.8 to 73.8)"; "" before the first result. */
void progress_leader(char out[PROGRESS_TEXT], const struct summary *summary);

/* Writes "1h 02m", "3m 05s", "12s"; "-" if unknown (negative or not finite). */
void progress_duration(char out[32], double seconds);

#endif
