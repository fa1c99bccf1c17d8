/* legs.h - the decided legs of an event one by one, which the sums of a tally do not hold.
 *
 *     struct legs legs = {0};
 *     legs_read(&legs, store, &tally, &err);        or legs_add_game for each, then legs_close
 *     for (size_t i = 0; i < legs.count; i = end) {
 *         end = legs_encounter_end(&legs, i);       one encounter: clusters in schedule order
 *         ...
 *     }
 *     legs_deinit(&legs);
 *
 * A leg is a money game or a match. Its cluster is its pair.
 */
#ifndef RESULTS_TALLY_LEGS_H
#define RESULTS_TALLY_LEGS_H

#include "tally.h"

struct run; /* store/run.h */

/* Small, since there may be millions: won, first and cube are halves and powers of two, which a
 * float holds exactly. */
struct leg {
    int a, b;          /* bots as in the tally; A's name is the smaller one by bytes */
    int length_points; /* 0 money */
    int game;          /* number of its first game */
    uint64_t pair;     /* in the order of the schedule */
    double points;     /* A's, net over its games */
    float won;         /* of A: 1, 0, 0.5 drawn */
    float first;       /* the same of its first game */
    float cube;        /* the largest value that the cube counted with */
    int8_t leg;        /* leg 0 has A on seat 0 */
    int8_t starter;    /* of its first game: 0 A, 1 B, -1 not known */
    bool over;         /* decided */
};

struct legs {
    struct leg *leg; /* owned; once closed by (a, b, length, pair, leg) */
    size_t count, room;
};

/* A leg as it is. BG_E_MEMORY. */
enum bg_status legs_add(struct legs *legs, const struct leg *leg, struct bg_error *err);
/* A finished game, in any order; games of bots unknown to the tally are left out. starter: the seat
 * that began it, -1 not known. BG_E_MEMORY. */
enum bg_status legs_add_game(struct legs *legs, const struct tally *tally,
                             const struct store_game *game, int starter, struct bg_error *err);
/* The games of a run, of pairs below `counted`; games of bots unknown to the tally are left out.
 * BG_E_MEMORY. */
enum bg_status legs_add_run(struct legs *legs, const struct tally *tally, const struct run *run,
                            uint64_t counted, struct bg_error *err);
/* Sorts, makes legs of games, and leaves out what is not decided. */
void legs_close(struct legs *legs);
/* All games of a store, closed; the starter is unknown if the store has no runs. BG_E_STORE,
 * BG_E_MEMORY. */
enum bg_status legs_read(struct legs *legs, struct store *store, const struct tally *tally,
                         struct bg_error *err);
void legs_deinit(struct legs *legs); /* also of a zeroed one */

/* The first leg after the one at `from` that is of another encounter (or length), of another
 * cluster. */
size_t legs_encounter_end(const struct legs *legs, size_t from);
size_t legs_cluster_end(const struct legs *legs, size_t from);

/* A number made of everything in the legs: the seed of what is drawn from them. */
uint64_t legs_seed(const struct legs *legs);

#endif
