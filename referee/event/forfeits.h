/* forfeits.h - matches that remote bots lose because they have left them.
 *
 * A bot that is away for too long loses its running games (places.h, absences.h). If it is not back
 * within `grace` of that, it also loses each match of several games that it has begun and that is
 * not over (BG_FAULT_GONE): else an author could leave a match that is being lost, for one game of
 * it. The same holds for a bot that an event started again has waited for in vain.
 *
 * The time runs only while the event waits for the bot. It begins again while the host itself has
 * lent the bot to another event, or keeps it from this one, and while our own door is down. A match
 * of two absent bots is lost by neither: it is decided when one of them is back. Events with a form
 * have walkovers instead.
 */
#ifndef REFEREE_EVENT_FORFEITS_H
#define REFEREE_EVENT_FORFEITS_H

#include "places.h"

struct forfeits {
    const struct config_event *event; /* lent, like these */
    struct entrants *entrants;
    const struct fixture_queue *queue;
    struct places *places;
};

/* Runs the bots' times, and ends the matches that are lost. Call regularly while the event is
 * played, when the games of absent bots have been cleared away. now_ns: of a clock that stands
 * still while the referee is held up (loop_stalled): it hears of nobody's return meanwhile. */
void forfeits_sweep(struct forfeits *forfeits, int64_t now_ns);

/* Whether an absent bot has begun a match that it can lose by this run: the event then waits for
 * it. */
bool forfeits_are_open(const struct forfeits *forfeits);

#endif
