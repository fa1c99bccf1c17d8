/* reinstated.h - bots that were out of an event and may play on.
 *
 * A person reinstates a bot between two runs: the fixtures that were given up for its sake are open
 * again, and faults that it was charged with until then count for no quarantine. Games stay as they
 * are. Each act is kept in the setting "reinstated.NAME", a line each, of five fields with "|"
 * between: time, number of the last fault that counts no more, fixtures that are open again, the
 * root that the results had published ("-" none), reason.
 */
#ifndef RESULTS_STORE_REINSTATED_H
#define RESULTS_STORE_REINSTATED_H

#include "store.h"

#define REINSTATED "reinstated."

enum { REINSTATED_REASON = 201, REINSTATED_TIME = 24, REINSTATED_KEY = 80 };

struct reinstated {
    char at[REINSTATED_TIME]; /* UTC, "2026-11-22T08:30:00Z" */
    uint64_t fault;           /* struct store_fault, number; 0 none */
    uint64_t fixtures;
    char root[RECORD_HASH]; /* "-": none was published */
    char reason[REINSTATED_REASON];
};

/* The act is lent. */
typedef void (*reinstated_fn)(void *user, const char *bot, const struct reinstated *act);

/* Every act, by bots' names, each bot's in the order of time. */
enum bg_status reinstated_each(struct store *store, reinstated_fn fn, void *user,
                               struct bg_error *err);

/* Reinstates a bot at once, or changes nothing: opens its fixtures and withdraws what the results
 * have said of the whole (the root, a sequential test's end). *act: at and reason are given, the
 * rest is filled. BG_E_ARGUMENT: the results know no such bot, with the nearest one, or it is not
 * out. */
enum bg_status reinstate(struct store *store, const char *bot, struct reinstated *act,
                         struct bg_error *err);

#endif
