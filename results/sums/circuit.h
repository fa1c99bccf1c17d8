/* circuit.h - several events as one: who is who, one tally of all games, and points for places.
 *
 *     circuit_open(&circuit, paths, count, &who, &err);
 *     circuit_tally(&tally, &circuit, circuit.events, &err);
 *     ...tables of `tally`, as of one event...
 *     circuit_close(&circuit);
 *
 * A competitor is a program: bots of two events with the same files and the same options are one
 * competitor, whatever their names (store/entry.h). Two bots of one event are never one
 * competitor; where they have the same program, their names decide too. Or names decide alone, with
 * a map for those that changed.
 */
#ifndef RESULTS_SUMS_CIRCUIT_H
#define RESULTS_SUMS_CIRCUIT_H

#include "results_set.h"

struct circuit_event {
    struct event_results results; /* owned */
    const char *path;             /* lent */
    char file[EVENT_NAME];        /* the file's name without folders and ".db" */
    int64_t begun_s, ended_s;     /* of its first and last run, seconds since 1970; 0 unknown */
    int *competitor;              /* owned; by bot of results.tally: index of its competitor */
};

struct circuit {
    struct circuit_event *event; /* owned; by date of their end, else as given */
    int events;
    char **name; /* owned; of each competitor, unique */
    int competitors;
    char *notes; /* owned; lines about rules that differ but can be joined; "" none */
};

/* How bots are recognised. */
struct circuit_who {
    bool by_name;         /* the same name is the same competitor */
    const char *map;      /* text of a map (docs/running.md); NULL none; needs by_name */
    const char *map_name; /* for messages */
    bool any_rules;       /* events that no formula joins are not refused */
};

/* Opens the events. BG_E_ARGUMENT: a path as in event_results_open, the same event twice, rules
 * that no formula joins, a bot without a known program; BG_E_FORMAT: the map, with its line;
 * BG_E_STORE. */
enum bg_status circuit_open(struct circuit *out, const char *const *paths, int count,
                            const struct circuit_who *who, struct bg_error *err);
void circuit_close(struct circuit *circuit); /* accepts a zeroed struct */

/* Adds up the first `events` events. Its bots are the competitors seen until then, in order.
 * BG_E_FORMAT. */
enum bg_status circuit_tally(struct tally *out, const struct circuit *circuit, int events,
                             struct bg_error *err);

/* Adds the encounters and faults of one event's tally, whose bot i has the name name[i]; several
 * bots may not have the same name. BG_E_FORMAT. */
enum bg_status circuit_add(struct tally *out, const struct tally *event, const char *const *name,
                           struct bg_error *err);

/* Sets each event's competitors and the circuit's names; only for circuit_open. */
enum bg_status circuit_name(struct circuit *circuit, const struct circuit_who *who,
                            struct bg_error *err);

/* --- points: what a place in an event is worth --------------------------------------------- */

/* A table has lines `PLACE POINTS` or `FIRST-LAST POINTS`; '#' begins a comment. A place without a
 * line is worth 0. Bots that share a place share the points of the places that they take together.
 */
enum { POINTS_PLACES = 1000 };

struct points_table {
    double worth[POINTS_PLACES]; /* of place i + 1 */
    int places;                  /* the last place with a line */
};

/* Reads the text of a table. BG_E_FORMAT: the message has the line. */
enum bg_status points_read(struct points_table *out, const char *text, struct bg_error *err);

/* out[i]: points of the bot with this rank (from 1; a shared rank stands once for each bot that
 * has it; 0: no place, no points). out and rank need `count` elements. */
void points_share(double *out, const struct points_table *table, const int *rank, size_t count);

#endif
