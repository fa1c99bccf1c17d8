/* legs.h - the decided legs of an event one by one; a tally has only their sums.
 *
 *     struct legs legs = {0};
 *     legs_read(&legs, store, &tally, &err);        or legs_add_game for each, then legs_close
 *     for (size_t i = 0; i < legs.count; i = end) {
 *   end = legs_encounter_end(&legs, i);       one encounter: clusters in schedule order
 *   ...
 *     }
 *     legs_deinit(&legs);
 *
 * A leg is a money game or a match. Its cluster is its pair.
 */
#ifndef RESULTS_SUMS_LEGS_H
#define RESULTS_SUMS_LEGS_H

#include "tally.h"

struct run; /* store/run.h */

/* Small, because there can be millions. won, first and cube are halves and powers of two, which a
 * float holds exactly. */
struct leg {
    int a, b;          /* bots as in the tally; A's name is smaller by bytes */
    int length_points; /* 0 money */
    int game;          /* number of the leg's first game */
    uint64_t pair;     /* in schedule order */
    double points;     /* A's net points over the leg's games */
    float won;         /* by A: 1, 0, or 0.5 drawn */
    float first;       /* the same for the leg's first game */
    float cube;        /* the largest cube value that counted */
    int8_t leg;        /* leg 0 has A on seat 0 */
    int8_t starter;    /* in the first game: 0 A, 1 B, -1 unknown */
    bool over;         /* decided */
};

struct legs {
    struct leg *leg; /* owned; after legs_close sorted by (a, b, length, pair, leg) */
    size_t count, room;
};

/* Adds a leg as given. */
void legs_add(struct legs *legs, const struct leg *leg);
/* Adds a finished game; any order. Ignores games of bots that are not in the tally. starter: the
 * seat that began; -1 unknown. */
void legs_add_game(struct legs *legs, const struct tally *tally, const struct store_game *game,
                   int starter);
/* Adds a run's games, for pairs below `counted`. Ignores games of bots that are not in the tally.
 */
void legs_add_run(struct legs *legs, const struct tally *tally, const struct run *run,
                  uint64_t counted);
/* Sorts, joins games into legs, and removes undecided legs. */
void legs_close(struct legs *legs);
/* Adds all games of a store and closes. The starter is unknown if the store has no runs.
 * BG_E_STORE. */
enum bg_status legs_read(struct legs *legs, struct store *store, const struct tally *tally,
                         struct bg_error *err);
void legs_deinit(struct legs *legs); /* accepts a zeroed struct */

/* Return the first leg after `from` that belongs to another encounter (or length), or to another
 * cluster. */
size_t legs_encounter_end(const struct legs *legs, size_t from);
size_t legs_cluster_end(const struct legs *legs, size_t from);

/* What the decided legs of a cluster add up to, from A's view. */
struct legs_cluster {
    double points, legs, wins; /* net points; legs; of these won by A, a drawn one is half */
};

/* Sums up the cluster that begins at leg `from`; returns its end. */
size_t legs_cluster_sum(struct legs_cluster *out, const struct legs *legs, size_t from);

/* Returns a number computed from all legs: the seed for random draws from them. */
uint64_t legs_seed(const struct legs *legs);

#endif
