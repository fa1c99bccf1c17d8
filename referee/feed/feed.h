/* feed.h - tells of an event while it runs, and what follows from its finished games.
 *
 * The tournament says what happens; the herald passes it on to the event stream and the chess
 * lines, puts legs together to pairs, and feeds the sequential test. Games count here when they are
 * durable, those of earlier runs included, so all of it is the same whatever interrupted the event.
 */
#ifndef REFEREE_FEED_FEED_H
#define REFEREE_FEED_FEED_H

#include "feed_chess.h"
#include "event/entrants.h"
#include "feed_json.h"
#include "judged_pairs.h"
#include "fixtures/ledger.h"
#include "pairs.h"
#include "sequential.h"
#include "event/tournament.h"

enum {
    HERALD_JUDGE = 1200,
    HERALD_LAG =
        100 /* money games or matches that a luck-adjusted test lets its judge fall behind */
};

struct herald {
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
    char judge[HERALD_JUDGE];   /* whose judgements feed that test; "" not known yet */
    bool *ready;                /* owned; [bot * width + instance]: was ready in this run */
    int width;                  /* most instances of a bot */
    uint64_t games;             /* finished, those of earlier runs included */
    uint64_t faults;            /* in this run */
    int64_t progress_ns;        /* when the last progress was told */
    struct tally counted;       /* owned; the games that count, see herald_count */
    bool has_counted;
    enum bg_status status;
    struct bg_error trouble; /* of a callback */
};

/* Opens what the event asks for, before there are results. schedule is lent and filled later.
 * BG_E_ARGUMENT: a target that cannot be. herald_close whatever the outcome. */
enum bg_status herald_open(struct herald *out, const struct config_event *event,
                           const struct schedule *schedule, struct bg_error *err);
void herald_close(struct herald *herald); /* also of a zeroed one */

/* The event begins, or goes on: past games are taken in. */
enum bg_status herald_begin(struct herald *herald, struct ledger *ledger, const char *command,
                            const char *const *programs, struct bg_error *err);
/* ledger_begin has stored what the event is from now on; returns how many pairs it began anew. */
uint64_t herald_begun(struct herald *herald, struct ledger *ledger);

/* The judge's name is known, before it has judged anything in this run: its judgements of earlier
 * runs go to the event stream. BG_E_CONFIG: the event has a luck-adjusted test that another judge
 * has fed. */
enum bg_status herald_judge(struct herald *herald, const char *judge, struct bg_error *err);

/* Whether the test needs a judgement of every game. */
bool herald_needs_judge(const struct herald *herald);
/* Whether it does, and with this many money games or matches begun the judge is so far behind that
 * none more should begin: HERALD_LAG, or twice the tables where that is more. */
bool herald_is_ahead(const struct herald *herald, uint64_t begun);

/* Takes in what has become durable. */
enum bg_status herald_take(struct herald *herald, struct bg_error *err);

/* Whether the sequential test is over: nothing more needs to be played. */
bool herald_is_decided(const struct herald *herald);

void herald_ready(struct herald *herald, const struct session *session);
void herald_fixture(struct herald *herald, const struct fixture *fixture);
void herald_game(struct herald *herald, const struct fixture *fixture, const char *id,
                 const struct bg_match *match);
void herald_fault(struct herald *herald, const struct events_fault *fault);
void herald_absent(struct herald *herald, int bot, const char *why);
void herald_quarantined(struct herald *herald, int bot, int faults, const char *why);
enum bg_status herald_unplayed(struct herald *herald, const struct fixture *fixture, int bot,
                               const char *why, struct bg_error *err);

/* Now and then: writes what readers can take, and how far the event is. */
void herald_pump(struct herald *herald, int64_t now_ns);
enum bg_status herald_standings(struct herald *herald, bool final, struct bg_error *err);

/* Once the test is over: reads the games that count from the results. All other ones are surplus.
 * Nothing before, nor a second time. BG_E_STORE, BG_E_FORMAT, BG_E_MEMORY, BG_E_TIMEOUT. */
enum bg_status herald_count(struct herald *herald, struct bg_error *err);
/* Lent; NULL: all games count, or nobody has asked for herald_count yet. */
const struct tally *herald_counted(const struct herald *herald);

/* Play has stopped: how the test stands is kept in the results. */
enum bg_status herald_keep(const struct herald *herald, struct bg_error *err);
/* Before the last table, when all is durable: the chess lines end, with the games that count.
 * Errors as of herald_count. */
enum bg_status herald_final(struct herald *herald, struct bg_error *err);
/* After it: the stream of events ends. outcome: "complete", "decided", "interrupted", "failed". */
void herald_end(struct herald *herald, const char *outcome);

/* The test for reports; NULL: there is none. */
const struct sequential *herald_test(const struct herald *herald);

#endif
