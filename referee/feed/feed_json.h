/* feed_json.h - what happens in an event as JSON lines (docs/events.md, docs/events.schema.json).
 *
 * Every function writes one line into the stream, and does nothing when the stream is closed. Bots
 * and fixtures are indices into the event. The kinds of lines, their members and what they mean are
 * a promise: members may be added, else EVENTS_VERSION rises.
 */
#ifndef REFEREE_FEED_FEED_JSON_H
#define REFEREE_FEED_FEED_JSON_H

#include "pairs.h"
#include "store/entry.h"
#include "store/store.h"
#include "record/record_times.h"
#include "sequential.h"
#include "stream.h"
#include "sums/summary.h"

#include "sums/tally.h"

#include "config/config.h"

enum { EVENTS_VERSION = 2 };

struct events {
    struct stream *stream;            /* owned; NULL: no stream was asked for */
    const struct config_event *event; /* lent */
    uint64_t lines;
    int64_t began_ns; /* monotonic */
};

/* event->events names the target; with "" nothing will be written. Errors as stream_open. */
enum bg_status events_open(struct events *out, const struct config_event *event,
                           struct bg_error *err);
void events_close(struct events *events); /* also of a zeroed one */

static inline bool events_is_open(const struct events *events)
{
    return stream_is_open(events->stream);
}

/* The state in which the run begins. */
struct events_start {
    const char *command, *dice_kind, *dice_digest, *trust;
    uint64_t fixtures, settled, games; /* in total; over before this run; games stored before */
    const char *const *programs;       /* digests by bot */
};
void events_started(struct events *events, const struct events_start *start);
void events_bot_ready(struct events *events, int bot, int instance, const char *version,
                      const char *options, bool again);
void events_game_started(struct events *events, const struct fixture *fixture, const char *id,
                         const struct bg_match *match);
/* stored: it was finished in an earlier run. */
void events_game_finished(struct events *events, const struct fixture *fixture,
                          const struct store_game *game, const struct move_times *times,
                          bool stored);
/* Writes a judge's result for game number `game`. */
void events_judged(struct events *events, const struct fixture *fixture, int game,
                   const struct judgement *judgement, bool stored);
void events_match_finished(struct events *events, const struct fixture *fixture,
                           const struct store_game *last, bool stored);
void events_pair_finished(struct events *events, const struct pairs_cluster *pair, bool stored);

/* A bot's fault; game_id NULL: outside a game. */
struct events_fault {
    int bot;
    enum bg_fault fault;
    const char *game_id, *message, *rule, *reply;
    int count; /* of this bot in all runs */
};
void events_fault(struct events *events, const struct events_fault *fault);

/* A game in which nobody is asked any more: its operators do not agree on a roll. By seat. */
struct events_held {
    const char *game_id;
    int bot[2];
    uint32_t said[2]; /* digits of the dice */
};
void events_held(struct events *events, const struct events_held *held);
void events_absent(struct events *events, int bot, const char *why); /* from this run */
void events_quarantined(struct events *events, int bot, int faults, const char *why);
void events_unplayed(struct events *events, const struct fixture *fixture, const char *bot,
                     const char *why, bool stored);
void events_set_aside(struct events *events, const struct store_attempt *attempt);
void events_reinstated(struct events *events, const char *bot, const struct reinstated *act);
void events_sprt(struct events *events, const struct sequential *sequential);
/* The progress of an event: fixtures over or given up, how many of them were given up, how many
 * exist; finished games. Once a test is over: only what counts; surplus: finished games that do
 * not count. */
struct events_state {
    uint64_t settled, unplayed, fixtures, games, surplus;
};
void events_progress(struct events *events, const struct events_state *state, uint64_t faults);
/* Statuses of summary_of. */
enum bg_status events_standings(struct events *events, const struct tally *tally,
                                const struct summary_options *options, struct bg_error *err);
void events_ended(struct events *events, const char *outcome, const struct events_state *state,
                  const struct sequential *sequential);

#endif
