/* absences.h - bots that are left out because they do not start, and retries of their start.
 *
 * While the event is played, one process of an absent bot is started from time to time: 5 s after
 * the bot was given up, then after twice as long each time, at most every 5 min. When that process
 * is ready, the bot is back and plays its remaining games. The event does not wait for it: it ends
 * when all other games are played. A remote bot is waited for `appear` each time, with pauses of 5
 * s; one that has played in this run first at once. The program must be the one that the bot's
 * games were played with; a changed program stays away. What a remote bot loses meanwhile:
 * forfeits.h.
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

/* Stops playing the bot's games until it is back. why: the error of its last start. */
void absences_begin(const struct absences *absences, int bot, const char *why);

/* Starts the bots that are due for a retry. Call regularly while the event is played. */
void absences_sweep(const struct absences *absences, int64_t now_ns);

/* A start of an absent bot failed: schedules the next try; a recalled bot is then only absent. why:
 * the error. Call from the session's listener. */
void absences_failed(const struct absences *absences, struct session *session, const char *why);

/* Starts a bot again that was quarantined, left out, or not started, by the next absences_sweep;
 * its earlier faults are the caller's. A bot that runs stays as it is. The event waits for this one
 * start; if it fails, the bot is absent. */
void absences_recall(const struct absences *absences, int bot);
/* The desk takes the changed program of a bot: that of the version which was kept out, or of this
 * key, "" unchanged. BG_E_ARGUMENT: it has not come with another program. The dry form only looks.
 */
enum bg_status absences_accept(const struct absences *absences, int bot, const char *key,
                               bool dry_run, struct bg_error *err);
/* Starts a bot in the same way that the desk wants to enter, once; if it does not start, all is as
 * before but for was_refused and absent_why. Call again each time that the desk asks: a candidate
 * that nobody has asked for in 10 s is given up. */
void absences_try(const struct absences *absences, int bot);
/* As absences_recall for every bot that was not started and now has a fixture. */
void absences_recall_needed(const struct absences *absences);
/* Returns whether the event waits for such a start. */
bool absences_recalling(const struct absences *absences);

/* The process of an absent bot is ready. Returns true if the bot plays from now on. */
bool absences_ready(const struct absences *absences, struct session *session);

/* A process is ready and plays. If it is another version than before in this run, which the event
 * takes (revisions: same), that is stored. is_playing: the event has begun. */
void absences_note_ready(const struct absences *absences, struct session *session, bool is_playing);

#endif
