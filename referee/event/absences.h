/* absences.h - bots that are left out because they do not start, and tried again.
 *
 * While the event is played one process of an absent bot is started now and then, 5 s after it was
 * given up, then after twice as long each time, at most every 5 min. When that process gets ready
 * the bot is back and plays what it has left: at once, or (with generations) from the next
 * generation on. Nobody waits for it: an event of which all the rest is played ends. What plays is
 * the program of the event: one that is not what its games were played with stays away.
 */
#ifndef REFEREE_EVENT_ABSENCES_H
#define REFEREE_EVENT_ABSENCES_H

#include "entrants.h"
#include "fixture_queue.h"

struct absences {
    struct entrants *entrants; /* lent, like these */
    struct fixture_queue *queue;
    struct ledger *ledger;
    struct loop *loop;
};

/* Nothing of the bot is played until it is back. why: what its last start said. */
void absences_begin(const struct absences *absences, int bot, const char *why);

/* Now and then, while the event is played: starts those whose time has come. */
void absences_sweep(const struct absences *absences, int64_t now_ns);

/* A start of an absent bot has failed: it is tried again later. From the session's listener. */
void absences_failed(const struct absences *absences, struct session *session);

/* The process of an absent bot is ready. True: the bot is back, and plays from now on. With
 * generations it is back when the next one begins: absences_return. */
bool absences_ready(const struct absences *absences, struct session *session);

/* With generations: whether somebody comes back with the next one; it begins now, and no process
 * runs. */
bool absences_returning(const struct absences *absences);
void absences_return(const struct absences *absences);

#endif
