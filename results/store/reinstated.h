/* reinstated.h - bots that were out of an event and may play on.
 *
 * The desk reinstates a bot (proof/desk.h). Fixtures that were given up because of it are open
 * again, and its faults until then no longer count toward a quarantine. Games do not change. Each
 * act is kept in the setting "reinstated.NAME", one line each, with five fields separated by "|":
 * time, number of the last fault that no longer counts, number of reopened fixtures, the root
 * published until then ("-" none), reason.
 */
#ifndef RESULTS_STORE_REINSTATED_H
#define RESULTS_STORE_REINSTATED_H

#include "store.h"

#define REINSTATED "reinstated."

enum { REINSTATED_REASON = 201, REINSTATED_TIME = 24, REINSTATED_KEY = 80 };

struct reinstated {
    char at[REINSTATED_TIME]; /* UTC, "2026-11-22T08:30:00Z" */
    uint64_t fault;           /* number of a struct store_fault; 0 none */
    uint64_t fixtures;
    char root[RECORD_HASH]; /* "-": none had been published */
    char reason[REINSTATED_REASON];
};

/* The act is lent. */
typedef void (*reinstated_fn)(void *user, const char *bot, const struct reinstated *act);

/* Calls fn for every act, sorted by bot, then by time. */
enum bg_status reinstated_each(struct store *store, reinstated_fn fn, void *user,
                               struct bg_error *err);

/* Sets fixtures and fault: what was given up because of the bot, and its last fault. */
enum bg_status reinstated_count(struct reinstated *act, struct store *store, const char *bot,
                                struct bg_error *err);

/* Writes the setting that has the bot's earlier acts and this one: its name into key, its value
 * into *out, which the caller frees. BG_E_STORE: no room for more. */
enum bg_status reinstated_line(char **out, char key[REINSTATED_KEY], struct store *store,
                               const char *bot, const struct reinstated *act, struct bg_error *err);

#endif
