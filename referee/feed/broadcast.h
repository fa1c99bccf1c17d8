/* broadcast.h - running games for spectators: a process of ours that shows them as pages (`bgref
 * watch`, started with a socket), and what it is told.
 *
 *     broadcast_open(&broadcast, event, err);       listens for browsers, and prints the address
 *     broadcast_start(broadcast, loop);
 *     broadcast_begin(broadcast, table, &game, NULL); broadcast_step(...)
 *     broadcast_stored(broadcast, game.id);
 *     broadcast_close(broadcast);
 *
 * Play never waits for it. If it ends, it is started anew; if it does not read, what waits for it
 * is dropped, and it is told anew how all games stand. Nothing is told of a game of a duplicate
 * pair before both legs have ended, and nothing that is younger than the event's delay. All
 * functions take NULL: nobody asked for pages.
 */
#ifndef REFEREE_FEED_BROADCAST_H
#define REFEREE_FEED_BROADCAST_H

#include "config/config.h"
#include "loop/loop.h"
#include "public_event.h"

enum { BROADCAST_NAME = 128 };

struct broadcast;

/* *out stays NULL if the event has no page. BG_E_CONFIG: its address cannot be listened to. */
enum bg_status broadcast_open(struct broadcast **out, const struct config_event *event,
                              struct bg_error *err);
/* Starts the process, which reads the event's results: they must be there. */
void broadcast_start(struct broadcast *broadcast, struct loop *loop);
/* Ends it. */
void broadcast_close(struct broadcast *broadcast);

/* A game begins at a table, which is known by its address only. pair: "A|B|PAIR" in a duplicate
 * event, where the pair is told instead of the game. */
void broadcast_begin(struct broadcast *broadcast, const void *table, const struct public_game *game,
                     const char *pair);
void broadcast_step(struct broadcast *broadcast, const void *table, const struct record_made *made);
/* By seat: whose line is lost, and is waited for. */
void broadcast_away(struct broadcast *broadcast, const void *table, const bool is_away[2]);
/* The table's game does not go on; nothing happens if it has ended. */
void broadcast_void(struct broadcast *broadcast, const void *table);
/* The game, or all of the pair, is durable, or the pair is never played. Only now it is told that
 * it has ended: who hears that reads the results, and hears nothing further. */
void broadcast_stored(struct broadcast *broadcast, const char *id);

/* A date of a host's calendar. */
struct broadcast_date {
    char name[BROADCAST_NAME];
    const char *state; /* a word; static */
    int64_t start_s;   /* since 1970 */
};

/* Replaces all dates that are shown; copied. */
void broadcast_dates(struct broadcast *broadcast, const struct broadcast_date *dates, int count);

/* Call regularly: tells what has become old enough. */
void broadcast_pump(struct broadcast *broadcast, int64_t now_ns);

#endif
