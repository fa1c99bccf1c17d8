/* The only place that knows which state may follow which. Ends are not final for the two from
 * which a director may want to go on; an event that was not held has nothing that could. */
#include "life.h"

#include <stddef.h>

const char *const life_words[LIFE_STATES + 1] = {"announced", "entering", "running",   "paused",
                                                 "ended",     "not held", "cancelled", NULL};

static const bool edges[LIFE_STATES][LIFE_STATES] = {
    [LIFE_ANNOUNCED] = {[LIFE_ENTERING] = true, [LIFE_CANCELLED] = true},
    [LIFE_ENTERING] = {[LIFE_RUNNING] = true, [LIFE_NOT_HELD] = true, [LIFE_CANCELLED] = true},
    [LIFE_RUNNING] = {[LIFE_PAUSED] = true, [LIFE_ENDED] = true, [LIFE_CANCELLED] = true},
    [LIFE_PAUSED] = {[LIFE_RUNNING] = true, [LIFE_CANCELLED] = true},
    [LIFE_ENDED] = {[LIFE_RUNNING] = true},     /* reopened: what was left is played */
    [LIFE_CANCELLED] = {[LIFE_RUNNING] = true}, /* reopened: it was a mistake */
};

bool life_enter(enum life *life, enum life next)
{
    if (!edges[*life][next]) {
        return false;
    }
    *life = next;
    return true;
}
