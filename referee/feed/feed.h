/* feed.h - tells of an event while it runs, and what follows from its finished games.
 *
 * The tournament says what happens; the feed passes it on to the event stream and the chess
 * lines, puts legs together to pairs, and feeds the sequential test. Games count here when they are
 * durable, those of earlier runs included, so all of it is the same whatever interrupted the event.
 */
#ifndef REFEREE_FEED_FEED_H
#define REFEREE_FEED_FEED_H

#include "feed_chess.h"
#include "feed_json.h"
#include "judged_pairs.h"
#include "fixtures/ledger.h"
#include "pairs.h"
#include "sequential.h"

enum {
    FEED_JUDGE = 1200,
    FEED_LAG = 100 /* money games or matches that a luck-adjusted test lets its judge fall behind */
};

struct feed {
    const struct config_event *event; /* lent, like all of these */
    struct ledger *ledger;
    const struct schedule *schedule;
    struct events events;
    struct chess chess;
    struct pairs pairs;
    struct sequential test;
    bool testing;               /* there is a test */
    bool luck;                  /* it is fed with luck-adjusted results */
    struct judged_pairs judged; /* of a test without luck */
    char judge[FEED_JUDGE];     /* whose judgements feed that test; "" not known yet */
    bool *ready;                /* owned; [bot * width + instance]: was ready in this run */
    int width;                  /* most instances of a bot */
    uint64_t games;             /* finished, those of earlier runs included */
    uint64_t faults;            /* in this run */
    int64_t progress_ns;        /* when the last progress was told */
    struct tally counted;       /* owned; the games that count, see feed_count */
    bool has_counted;
    enum bg_status status;
    struct bg_error trouble; /* of a callback */
};

/* Opens what the event asks for, before there are results. schedule is lent and filled later.
 * BG_E_ARGUMENT: a target that cannot be. feed_close whatever the outcome. */
enum bg_status feed_open(struct feed *out, const struct config_event *event,
                         const struct schedule *schedule, struct bg_error *err);
void feed_close(struct feed *feed); /* also of a zeroed one */

/* The event begins, or goes on: past games are taken in. */
enum bg_status feed_begin(struct feed *feed, struct ledger *ledger, const char *command,
                          const char *const *programs, struct bg_error *err);
/* ledger_begin has stored what the event is from now on; returns how many pairs it began anew. */
uint64_t feed_begun(struct feed *feed, struct ledger *ledger);

/* The judge's name is known, before it has judged anything in this run: its judgements of earlier
 * runs go to the event stream. BG_E_CONFIG: the event has a luck-adjusted test that another judge
 * has fed. */
enum bg_status feed_judge(struct feed *feed, const char *judge, struct bg_error *err);

/* Whether the test needs a judgement of every game. */
bool feed_needs_judge(const struct feed *feed);
/* Whether it does, and with this many money games or matches begun the judge is so far behind that
 * none more should begin: FEED_LAG, or twice the tables where that is more. */
bool feed_is_ahead(const struct feed *feed, uint64_t begun);

/* Takes in what has become durable. */
enum bg_status feed_take(struct feed *feed, struct bg_error *err);

/* Whether the sequential test is over: nothing more needs to be played. */
bool feed_is_decided(const struct feed *feed);

void feed_ready(struct feed *feed, const struct session *session);
void feed_fixture(struct feed *feed, const struct fixture *fixture);
void feed_game(struct feed *feed, const struct fixture *fixture, const char *id,
               const struct bg_match *match);
void feed_fault(struct feed *feed, const struct events_fault *fault);
void feed_absent(struct feed *feed, int bot, const char *why);
void feed_quarantined(struct feed *feed, int bot, int faults, const char *why);
enum bg_status feed_unplayed(struct feed *feed, const struct fixture *fixture, int bot,
                             const char *why, struct bg_error *err);

/* Now and then: writes what readers can take, and how far the event is. */
void feed_pump(struct feed *feed, int64_t now_ns);
enum bg_status feed_standings(struct feed *feed, bool final, struct bg_error *err);

/* Once the test is over: reads the games that count from the results. All other ones are surplus.
 * Nothing before, nor a second time. BG_E_STORE, BG_E_FORMAT, BG_E_MEMORY, BG_E_TIMEOUT. */
enum bg_status feed_count(struct feed *feed, struct bg_error *err);
/* Lent; NULL: all games count, or nobody has asked for feed_count yet. */
const struct tally *feed_counted(const struct feed *feed);

/* Play has stopped: how the test stands is kept in the results. */
enum bg_status feed_keep(const struct feed *feed, struct bg_error *err);
/* Before the last table, when all is durable: the chess lines end, with the games that count.
 * Errors as of feed_count. */
enum bg_status feed_final(struct feed *feed, struct bg_error *err);
/* After it: the stream of events ends. outcome: "complete", "decided", "interrupted", "failed". */
void feed_end(struct feed *feed, const char *outcome);

/* The test for reports; NULL: there is none. */
const struct sequential *feed_test(const struct feed *feed);

#endif
