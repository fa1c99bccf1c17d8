/* progress.h - the progress line of a running event. Pure: text into a buffer.
 *
 * For a terminal: write "\r", the text, and "\033[K". Otherwise: the text as a line of its own.
 */
#ifndef RESULTS_TABLES_PROGRESS_H
#define RESULTS_TABLES_PROGRESS_H

#include <sums/summary.h>

enum { PROGRESS_TEXT = 256 };

enum progress_end {
    PROGRESS_ALL,     /* when every fixture is finished */
    PROGRESS_TEST,    /* when a sequential test is decided, at the latest with the last fixture */
    PROGRESS_DECIDED, /* it is: what runs is finished, nothing more begins */
};

struct progress {
    const char *leader;    /* the leading bot, from progress_leader; NULL or "": none yet */
    uint64_t done;         /* fixtures played to the end, those of earlier runs included */
    uint64_t unplayed;     /* fixtures that are given up */
    uint64_t total;        /* fixtures of the event */
    uint64_t done_before;  /* fixtures finished before this run began */
    uint64_t games;        /* games finished in this run */
    double elapsed_s;      /* of this run */
    uint64_t faults;       /* in this run */
    enum progress_end end; /* when the event ends */
    const char *test;      /* how its test stands; NULL: there is none */
    int columns;           /* of the terminal, at least 20; 0: not a terminal, as a full line */
};

/* Terminated, without line break, cut to progress->columns characters when that is not 0. */
void progress_format(char out[PROGRESS_TEXT], const struct progress *progress);

/* How far a judge is with the games that were left when play ended, in the same form. */
struct progress_judging {
    uint64_t done, total; /* games; what could not be judged is done, too */
    double elapsed_s;
    int columns; /* as in struct progress */
};
void progress_judging(char out[PROGRESS_TEXT], const struct progress_judging *judging);

/* The first of the table with its figures as the table has them, "gnubg +0.512 ± 0.080 ppg" or
 * "gnubg 71.3 % won (95 %: 68.8 to 73.8)"; "" when nothing is decided yet. */
void progress_leader(char out[PROGRESS_TEXT], const struct summary *summary);

/* "1h 02m", "3m 05s", "12s"; "-" when not known (negative or not finite). */
void progress_duration(char out[32], double seconds);

#endif
