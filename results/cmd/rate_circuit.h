/* rate_circuit.h - bgref rate of several databases: joint ratings, circuit points, history. */
#ifndef RESULTS_CMD_RATE_CIRCUIT_H
#define RESULTS_CMD_RATE_CIRCUIT_H

#include <stdbool.h>

#include <numbers/rating.h>

enum { RATE_CIRCUIT_EVENTS = 200 };

struct rate_circuit {
    const char *paths[RATE_CIRCUIT_EVENTS]; /* lent, like all strings */
    int count;
    bool json, by_name, history, explain;
    const char *map, *points; /* names of files; NULL none */
    const char *anchor;       /* a competitor; NULL: the mean */
};

/* Says that --anchor names none of the bots, and which name is near. Returns BG_E_ARGUMENT. */
enum bg_status rate_unknown_anchor(const char *name, const char *const *names, int count,
                                   struct bg_error *err);

/* Whether there are several events, or an option that is for several. */
bool rate_circuit_is_wanted(const struct rate_circuit *asked);

/* Prints the tables. BG_E_ARGUMENT: events that cannot be joined, an unknown anchor, a missing
 * file; BG_E_FORMAT: map or points; BG_E_STORE, BG_E_SYSTEM. */
enum bg_status rate_circuit(const struct rate_circuit *asked, const struct rating_options *rating,
                            struct bg_error *err);

#endif
