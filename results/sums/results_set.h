/* results_set.h - a results database opened for a report: settings, counts, progress.
 *
 * Safe while a referee writes: reads the games finished at one moment.
 */
#ifndef RESULTS_SUMS_RESULTS_SET_H
#define RESULTS_SUMS_RESULTS_SET_H

#include <sums/legs.h>
#include <sums/tally.h>

struct report_options; /* summary.h */
struct season;

enum { EVENT_NAME = 128 };

struct event_results {
    struct store *store;   /* owned */
    struct tally tally;    /* all finished games that count; bots in the order of the settings */
    char name[EVENT_NAME]; /* the event's name, or else the path */
    bool jacoby;           /* gammons count only after a taken double */
    char trust[16];        /* event key `trust`; "" unknown: results older than this key */
    uint64_t pairs;        /* planned in each pairing; 0 unknown */
    bool duplicate;        /* two legs per pair */
    uint64_t planned;      /* fixtures of the event; 0 unknown */
    uint64_t unplayed;     /* fixtures given up */
    uint64_t counted;      /* only pairs below this number count (counted.h); UINT64_MAX: all */
    uint64_t surplus;      /* games of later pairs, in no table */
    const char *held;      /* "paused" or "cancelled" by a host's director, else "" */
    char *reinstated;      /* owned; reinstated bots with time and reason; NULL none */
    int *place;            /* owned; by bot: in the standing of the event's form (season_places), 0
                              none; NULL: the event has no form */
    uint64_t begun_anew;   /* restarted pairs, each restart counted */
    uint64_t set_aside;    /* games set aside by restarts */
};

/* Opens the results at a user's path for reading. BG_E_ARGUMENT: missing, or not a results
 * database, with the path. */
enum bg_status event_store_open(struct store **out, const char *path, struct bg_error *err);

/* Opens and reads them. Also BG_E_STORE: reading failed; BG_E_FORMAT: a game does not belong to the
 * event. */
enum bg_status event_results_open(struct event_results *out, const char *path,
                                  struct bg_error *err);
void event_results_close(struct event_results *results); /* accepts a zeroed struct */

/* Reads the single legs of a money event, for its tails; of matches only if requested, else none.
 * BG_E_STORE. */
enum bg_status event_results_legs(struct legs *out, const struct event_results *results,
                                  bool matches, struct bg_error *err);

/* Fills *out, which the caller frees, with the places of the tally's bots in the standing of the
 * event's form (season_places), 0 none; NULL: there is no season (NULL), or no form. */
enum bg_status event_places(int **out, const struct season *season, const struct tally *tally,
                            struct bg_error *err);

/* Returns the options for this event's table: title, planned legs, whether it has ended. */
struct report_options event_results_options(const struct event_results *results);

#endif
