/* life.h - the states of an event of a host, and the edges between them. */
#ifndef HOST_CALENDAR_LIFE_H
#define HOST_CALENDAR_LIFE_H

#include <stdbool.h>

enum life {
    LIFE_ANNOUNCED, /* its entries are not open yet: the event's instance before it is on */
    LIFE_ENTERING,  /* bots may be entered, until `enter_until` */
    LIFE_RUNNING,
    LIFE_PAUSED,
    LIFE_ENDED,    /* played to its end */
    LIFE_NOT_HELD, /* too few entrants at its start, or its time passed while it could not begin */
    LIFE_CANCELLED,
    LIFE_STATES
};

/* Their words, with NULL at the end. */
extern const char *const life_words[LIFE_STATES + 1];

/* Changes the state if there is such an edge; nothing else changes it. */
bool life_enter(enum life *life, enum life next);

/* Ended (an act may reopen it), not held or cancelled. */
static inline bool life_is_over(enum life life)
{
    return life >= LIFE_ENDED;
}

/* Running or paused. */
static inline bool life_is_on(enum life life)
{
    return life == LIFE_RUNNING || life == LIFE_PAUSED;
}

#endif
