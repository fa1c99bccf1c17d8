/* places.h - the tables of an event: which fixture is played at which place, from asking its bots
 * for their nonces to clearing the table away.
 *
 * As many fixtures as the event allows are played at once. With committed dice the bots of a
 * fixture are asked first (commit.h); it keeps its place and its processes meanwhile. Fixtures may
 * be played elsewhere (elsewhere.h), or come from there (supply.h).
 */
#ifndef REFEREE_EVENT_PLACES_H
#define REFEREE_EVENT_PLACES_H

#include "commit.h"
#include "elsewhere.h"
#include "feed/feed.h"
#include "fixture_queue.h"
#include "offences.h"
#include "config/openings.h"
#include "supply.h"
#include "table/table.h"

struct places_listener {
    /* Asks the store before a fixture begins. Returns false if the fixture has to wait. */
    bool (*heed)(void *user, enum bg_status status, struct bg_error *err);
    /* The referee's own system failed; the run must stop. */
    void (*broken)(void *user, const struct bg_error *err);
};

struct places {
    const struct config_event *event; /* lent, like these */
    const char *host;                 /* how bots run, for the record */
    struct ledger *ledger;
    struct entrants *entrants;
    const struct openings_order *openings;
    struct fixture_queue *queue;
    struct feed *feed;
    struct offences *offences;
    const struct places_listener *listener;
    void *user;
    struct elsewhere elsewhere;
    struct supply supply;
    struct commit *commit; /* owned; NULL: the key alone determines the dice */
    struct table **tables; /* owned; event->concurrency of them, NULL free */
    int live;
    int committing; /* number of fixtures whose bots are being asked for their nonces */
    int *free;      /* owned; the numbers of the concurrency - live free places */
    int *done;      /* owned; the places of the `ended` tables that are done and not cleared */
    int ended;
    uint64_t given_up;          /* number of tables that were removed before they were done */
    struct session_games games; /* for the sessions, from places_init on */
    uint64_t games_by_end[BG_END_COUNT]; /* games of this run that have ended */
    bool is_closed;                      /* no further fixture begins ... */
    bool is_held;                        /* ... or none for now */
    bool has_away;                       /* a bot was away when that was told last */
};

/* The caller sets the members above `commit`. */
void places_init(struct places *places);
void places_deinit(struct places *places); /* also of a zeroed one */

/* Opens the queue over the source, which is lent. */
void places_open_queue(struct places *places, const struct source *source);

int places_taken(const struct places *places); /* also of fixtures that are played elsewhere */
int places_held(const struct places *places);  /* tables whose game is held */
/* Begins fixtures of the queue until all places are taken or the listener returns false. now_ns:
 * as loop_now. */
void places_fill(struct places *places, int64_t now_ns);
/* Whether a fixture is of several games, so that more than its running game can be lost. Not in an
 * event with a form, whose open meetings are walkovers, nor where people roll: a director is there,
 * and games are held. */
bool places_is_match(const struct places *places, const struct fixture *fixture);
/* The bot has left a match for good: if games of it are stored and it is not over, it is lost, by
 * one more game that is stored and ended by BG_FAULT_GONE. No table of it may run. LATER: the store
 * cannot be read or written now (err). NOTHING: no game of it is stored. */
#define PLACES_QUARANTINED "it was quarantined after %d %s: the match is lost"
enum places_loss { PLACES_LOST, PLACES_LATER, PLACES_NOTHING };
enum places_loss places_lose_match(struct places *places, const struct fixture *fixture, int bot,
                                   const char *why, struct bg_error *err);
/* Play begins where it is not here. Errors end the run. */
enum bg_status places_open_elsewhere(struct places *places, struct loop *loop,
                                     struct bg_error *err);
/* Advances the exchanges that ask for nonces. */
void places_settle(struct places *places, int64_t now_ns);

/* Tells spectators whose line is lost, and back. Call regularly. */
void places_tell_away(struct places *places);

/* Lets tables go on that waited for the store. */
void places_on_durable(struct places *places);

/* The tables that places_clear removes: those that are done; also those of bots that no longer
 * play; all. */
enum places_what { PLACES_DONE, PLACES_LEFT, PLACES_ALL };
void places_clear(struct places *places, enum places_what what);
/* Lets no further fixture begin; each table stops after its running game. */
void places_stop(struct places *places);

#endif
