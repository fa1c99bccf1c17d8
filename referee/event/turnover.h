/* turnover.h - the generations of an event's processes (generation.h): fills this generation's
 * tables, ends it when nothing more may begin in it, starts the next.
 */
#ifndef REFEREE_EVENT_TURNOVER_H
#define REFEREE_EVENT_TURNOVER_H

#include "absences.h"
#include "forfeits.h"
#include "generation.h"
#include "places.h"
#include "../seat/roster.h"

struct turnover {
    struct generation generation;
    struct fixture_queue *queue; /* lent, like these */
    struct entrants *entrants;
    const struct absences *absences;
    const struct forfeits *forfeits;
    struct places *places;
    struct roster *roster;
};

/* The caller sets the members above. The first processes are being started. */
void turnover_begin(struct turnover *turnover, int64_t now_ns);

/* Call in each round of the loop while the event is played. Without generations it only fills
 * the tables, after starting bots that new fixtures need. BG_E_MEMORY, BG_E_SYSTEM. */
enum bg_status turnover_settle(struct turnover *turnover, int64_t now_ns, struct bg_error *err);

/* Returns true if no bot here has fixtures left, no absent bot can come back, and none has a match
 * to lose. */
bool turnover_is_done(const struct turnover *turnover);

#endif
