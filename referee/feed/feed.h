/* feed.h - reports an event while it runs, and computes what follows from its finished games.
 *
 * The tournament calls it at each event; the feed writes the event stream and the chess lines, puts
 * legs together to pairs, and feeds the sequential test. Games count here once they are durable,
 * those of earlier runs included, so an interruption changes none of the figures.
 */
#ifndef REFEREE_FEED_FEED_H
#define REFEREE_FEED_FEED_H

#include "broadcast.h"
#include "feed_chess.h"
#include "feed_json.h"
#include "judged_pairs.h"
#include "fixtures/ledger.h"
#include "fixtures/source.h"
#include "pairs.h"
#include "sequential.h"

enum {
    FEED_JUDGE = 1200,
    FEED_LAG = 100 /* money games or matches that the judge of a luck-adjusted test may lag
                    * behind */
};

/* A game of this run is durable. */
typedef void (*feed_game_fn)(void *user, const struct store_game *game);

struct feed {
    const struct config_event *event; /* lent, like all of these */
    struct ledger *ledger;
    const struct source *source;
    struct events events;
    struct chess chess;
    struct broadcast *broadcast; /* owned; NULL: no pages */
    struct pairs pairs;
    struct sequential test;
    bool testing;               /* there is a test */
    bool luck;                  /* it is fed with luck-adjusted results */
    struct judged_pairs judged; /* of a test without luck */
    char judge[FEED_JUDGE];     /* judge of that test; "" not known yet */
    bool *ready;                /* owned; [bot * width + instance]: was ready in this run */
    int width;                  /* most instances of a bot */
    uint64_t games;             /* number of finished games, with those of earlier runs */
    uint64_t faults;            /* in this run */
    int64_t progress_ns;        /* when the last progress was reported */
    struct tally counted;       /* owned; the games that count, see feed_count */
    bool has_counted;
    feed_game_fn on_game; /* NULL: nobody asks */
    void *user;           /* of on_game */
};

/* Opens the streams that the event asks for, before there are results. source is lent; its
 * fixtures may come later. BG_E_ARGUMENT: an invalid target. Call feed_close in every case. */
enum bg_status feed_open(struct feed *out, const struct config_event *event,
                         const struct source *source, struct bg_error *err);
void feed_close(struct feed *feed); /* also of a zeroed one */

/* The event begins or resumes: reads the past games. */
enum bg_status feed_begin(struct feed *feed, struct ledger *ledger, const char *command,
                          const char *const *programs, struct bg_error *err);
/* The desk has changed the results while the event runs, and the ledger has counted again: reports
 * the pairs that are set aside and the fixtures that are given up, and counts on from there. Not
 * for an event with a test. Errors of the store end the run. */
struct feed_change {
    const struct game_id *pairs;
    size_t pair_count;
    const char *const *fixtures; /* "A|B|pair|leg" */
    size_t fixture_count;
    const char *bot;    /* of the fixtures; "-" none */
    const char *reason; /* of the fixtures */
    const char *back;   /* a bot that is reinstated; NULL none */
};
enum bg_status feed_recount(struct feed *feed, const struct feed_change *change,
                            struct bg_error *err);
/* A pair gets other dice, since a game of it was cut off. */
void feed_drawn_anew(struct feed *feed, const struct store_attempt *attempt);

/* The judge's name is known, before it judged anything in this run: writes its judgements of
 * earlier runs to the event stream. BG_E_CONFIG: another judge has fed the event's luck-adjusted
 * test. */
enum bg_status feed_judge(struct feed *feed, const char *judge, struct bg_error *err);

/* Returns whether the test needs a judgement of every game. */
bool feed_needs_judge(const struct feed *feed);
/* Returns whether the test needs judgements and, with this many money games or matches begun,
 * the judge lags so far that no more should begin: FEED_LAG, or twice the tables if that is
 * more. */
bool feed_is_ahead(const struct feed *feed, uint64_t begun);

/* Calls fn for every game of this run once it is durable. */
void feed_listen(struct feed *feed, feed_game_fn fn, void *user);

/* Processes games that have become durable. */
void feed_take(struct feed *feed);

/* Returns whether the sequential test is over: nothing more needs to be played. */
bool feed_is_decided(const struct feed *feed);

/* An instance of a bot has greeted, with the version and the options that its Hello has. */
void feed_ready(struct feed *feed, int bot, int instance, const char *version, const char *options);
void feed_fixture(struct feed *feed, const struct fixture *fixture);
/* The table is known by its address only. */
void feed_game(struct feed *feed, const void *table, const struct fixture *fixture, const char *id,
               const struct bg_match *match);
void feed_fault(struct feed *feed, const struct events_fault *fault);
void feed_held(struct feed *feed, const struct events_held *held);
void feed_absent(struct feed *feed, int bot, const char *why);
void feed_quarantined(struct feed *feed, int bot, int faults, const char *why);
void feed_unplayed(struct feed *feed, const struct fixture *fixture, int bot, const char *why);

/* Returns the number of matches or money games that every two bots play; 0 where the results decide
 * who meets whom. decided: the test that has ended the event, and so their number; NULL: none. */
uint64_t feed_planned_legs(const struct config_event *event, const struct sequential *decided);

/* Call regularly: writes what readers can take, and the progress of the event. */
void feed_pump(struct feed *feed, int64_t now_ns);
enum bg_status feed_standings(struct feed *feed, bool final, struct bg_error *err);

/* Once the test is over: reads the counted games from the results; all others are surplus. Does
 * nothing before that, or when called again. BG_E_STORE, BG_E_FORMAT, BG_E_TIMEOUT. */
enum bg_status feed_count(struct feed *feed, struct bg_error *err);
/* Lent; NULL: all games count, or feed_count has not been called yet. */
const struct tally *feed_counted(const struct feed *feed);

/* Call when play has stopped: stores the test's state in the results. */
enum bg_status feed_keep(const struct feed *feed, struct bg_error *err);
/* Call before the last table, when all games are durable: ends the chess lines with the counted
 * games. Errors as for feed_count. */
enum bg_status feed_final(struct feed *feed, struct bg_error *err);
/* After it: ends the event stream. outcome: "complete", "decided", "interrupted", "failed". */
void feed_end(struct feed *feed, const char *outcome);

/* Returns the test for reports; NULL: none. */
const struct sequential *feed_test(const struct feed *feed);

#endif
