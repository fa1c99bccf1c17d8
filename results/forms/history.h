/* history.h - what the pairing of an event knows: who entered, who met whom, and how it ended.
 *
 * A form of events (circle.h, gauntlet.h, swiss.h, knockout.h, double_knockout.h, ladder.h,
 * league.h) says who meets whom next as a pure function of a history: no clock, no random numbers.
 * So a restart makes the same pairings, and a reader can recompute each of them.
 *
 * Entrants are numbered by seed: 0 is the first seed. One that enters late has the next number.
 */
#ifndef RESULTS_FORMS_HISTORY_H
#define RESULTS_FORMS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FORMS_NOBODY (-1)

enum meeting_kind {
    MEETING_PLAYED,   /* to be played, or played */
    MEETING_BYE,      /* b is FORMS_NOBODY; a wins */
    MEETING_WALKOVER, /* a wins, b was absent or has left */
    MEETING_ABSENT    /* both were absent or have left; nobody wins */
};

/* Which part of the event a round belongs to. All but double_knockout.h use MAIN only, and
 * knockout.h THIRD. */
enum meeting_part { PART_MAIN, PART_LOSERS, PART_FINAL, PART_THIRD };

struct meeting {
    enum meeting_kind kind;
    enum meeting_part part;
    int round; /* from 1, in its part; 0 where a form has no rounds */
    int line;  /* from 0: its place in the round */
    int a, b;
    uint64_t ended; /* when its result came: 1, 2, ... over the event; 0: no result yet */
    double score_a; /* 1 won, 0.5 drawn, 0 lost, by a; b has the rest. Not read of other kinds. */
};

struct entrant {
    bool left;         /* is not paired */
    int rounds_missed; /* rounds that had been paired when it entered; 0: it was there at the start
                        */
};

/* Lent; in the order in which the meetings were paired. */
struct history {
    int entrants;
    const struct entrant *entrant;
    size_t meetings;
    const struct meeting *meeting;
};

/* What the entrant scored in a meeting that has ended: 1 for a win, a bye or a walkover. 0 if the
 * entrant was not in it or the meeting has no result. */
double meeting_score(const struct meeting *meeting, int entrant);

static inline bool meeting_has(const struct meeting *meeting, int entrant)
{
    return meeting->a == entrant || meeting->b == entrant;
}

/* The opponent in a meeting that was played; FORMS_NOBODY in a bye or walkover, or if the entrant
 * was not in it. */
int meeting_opponent(const struct meeting *meeting, int entrant);

/* The last round that was paired, 0: none; and whether a meeting still waits for its result. */
int history_round(const struct history *history);
bool history_is_open(const struct history *history);

#endif
