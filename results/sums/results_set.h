/* results_set.h - a results database read for a report: settings, counts, progress.
 *
 * Safe while a referee writes: what is read is one moment's finished games.
 */
#ifndef RESULTS_SUMS_RESULTS_SET_H
#define RESULTS_SUMS_RESULTS_SET_H

#include <tally/legs.h>
#include <tally/tally.h>

enum { EVENT_NAME = 128 };

struct event_results {
    struct store *store;   /* owned */
    struct tally tally;    /* all finished games that count, bots in the order of the settings */
    char name[EVENT_NAME]; /* of the event, else the path */
    bool jacoby;           /* gammons count only after a taken double */
    char trust[16];        /* event key `trust`; "" not known: results from before it was */
    uint64_t pairs;        /* planned in each pairing; 0 not known */
    bool duplicate;        /* two legs a pair */
    uint64_t planned;      /* fixtures of the event; 0 not known */
    uint64_t unplayed;     /* fixtures given up */
    uint64_t counted;      /* only pairs below this count (counted.h); UINT64_MAX: all */
    uint64_t surplus;      /* games of later pairs: in no table */
    char *reinstated;      /* owned; bots that were out and play on: who, when, why; NULL none */
    uint64_t begun_anew;   /* pairs, each time */
    uint64_t set_aside;    /* games, by that */
};

/* Opens what a person named for reading. BG_E_ARGUMENT: not there, or no results database, with the
 * path; BG_E_MEMORY. */
enum bg_status event_store_open(struct store **out, const char *path, struct bg_error *err);

/* The same, and reads it. Also BG_E_STORE: reading failed; BG_E_FORMAT: a game does not belong. */
enum bg_status event_results_open(struct event_results *out, const char *path,
                                  struct bg_error *err);
void event_results_close(struct event_results *results); /* also a zeroed one */

/* The legs of a money event one by one, for its tails; of matches only where they are asked for,
 * else none. BG_E_STORE, BG_E_MEMORY. */
enum bg_status event_results_legs(struct legs *out, const struct event_results *results,
                                  bool matches, struct bg_error *err);

#endif
