/* history.h - the input of an event's pairing: the entrants, their meetings and the results.
 *
 * A form of events (circle.h, swiss.h, knockout.h, ladder.h, league.h) computes the next meetings
 * as a pure function of a history: no clock, no random numbers. So a restart makes the same
 * pairings, and a reader can recompute each of them.
 *
 * Entrants are numbered by seed: 0 is the first seed. A late entrant has the next number.
 */
#ifndef RESULTS_SEASON_HISTORY_H
#define RESULTS_SEASON_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FORMS_NOBODY (-1)

enum meeting_kind {
    MEETING_PLAYED,   /* to be played, or played */
    MEETING_BYE,      /* b is FORMS_NOBODY; a wins */
    MEETING_WALKOVER, /* a wins, b was absent or has left */
    MEETING_ABSENT    /* both were absent or have left; no winner */
};

/* The part of the event that a round belongs to. Only eliminations use parts other than MAIN, a
 * single one THIRD alone. A play-off for a shared first place is outside the forms. */
enum meeting_part { PART_MAIN, PART_LOSERS, PART_FINAL, PART_THIRD, PART_PLAYOFF };

struct meeting {
    enum meeting_kind kind;
    enum meeting_part part;
    int round; /* from 1, inside its part; 0 if the form has no rounds */
    int line;  /* from 0: place in the round */
    int a, b;
    uint64_t ended; /* order of the results: 1, 2, ...; 0: no result yet */
    double score_a; /* a's score: 1 won, 0.5 drawn, 0 lost; b has the rest. Used only for PLAYED. */
};

struct entrant {
    bool left;         /* left the event: not paired */
    int rounds_missed; /* rounds already paired when it entered; 0: there from the start */
};

/* Lent; meetings in the order of pairing. */
struct history {
    int entrants;
    const struct entrant *entrant;
    size_t meetings;
    const struct meeting *meeting;
};

static inline bool meeting_has(const struct meeting *meeting, int entrant)
{
    return meeting->a == entrant || meeting->b == entrant;
}

/* Returns an entrant's score in a finished meeting: 1 for a win, a bye or a walkover. 0 if it was
 * not in the meeting or there is no result. */
static inline double meeting_score(const struct meeting *meeting, int entrant)
{
    double score = meeting->kind == MEETING_PLAYED ? meeting->score_a : 1;

    if (meeting->ended == 0 || !meeting_has(meeting, entrant) || meeting->kind == MEETING_ABSENT) {
        return 0;
    }
    return meeting->a == entrant ? score : 1 - score;
}

/* The last paired round; 0: none. */
static inline int history_round(const struct history *history)
{
    int last = 0;

    for (size_t i = 0; i < history->meetings; i++) {
        if (history->meeting[i].round > last) {
            last = history->meeting[i].round;
        }
    }
    return last;
}

/* Whether a meeting has no result yet. */
static inline bool history_is_open(const struct history *history)
{
    for (size_t i = 0; i < history->meetings; i++) {
        if (history->meeting[i].ended == 0) {
            return true;
        }
    }
    return false;
}

#endif
