/* pairs.h - legs put together to the clusters of the statistics: two legs of a duplicate pair, or
 * a single leg with plain dice. */
#ifndef REFEREE_FEED_PAIRS_H
#define REFEREE_FEED_PAIRS_H

#include <bgref/error.h>

#include "fixtures/schedule.h"

/* One leg that is over: a money game or a match. */
struct pairs_leg {
    bool unplayed;     /* never to be played; the rest is 0 */
    int winner;        /* 0 A, 1 B, -1 drawn */
    int64_t points[2]; /* won by A and by B over its games */
    int games;
    double luck; /* of A minus luck of B, where a judge has valued its games; else 0 */
};

struct pairs_cluster {
    struct fixture fixture; /* leg is 0 */
    struct pairs_leg leg[2];
    int legs; /* 2 duplicate pair, 1 plain */
};

/* Pairs of which one leg is over. */
struct pairs {
    struct pairs_cluster *open; /* owned */
    int count, room;
    int legs; /* of every pair */
};

void pairs_init(struct pairs *pairs, int legs);
void pairs_deinit(struct pairs *pairs); /* also of a zeroed one */

/* A leg is over. *whole: it completes its pair, which is *out. Each leg once. BG_E_MEMORY. */
enum bg_status pairs_put(struct pairs_cluster *out, bool *whole, struct pairs *pairs,
                         const struct fixture *fixture, const struct pairs_leg *leg,
                         struct bg_error *err);

/* Whether a leg of it was unplayed; then the cluster counts for nothing. */
bool pairs_is_broken(const struct pairs_cluster *cluster);
/* Points of A minus points of B, legs that A won (a draw is half), games. */
int64_t pairs_points(const struct pairs_cluster *cluster);
double pairs_wins(const struct pairs_cluster *cluster);
int pairs_games(const struct pairs_cluster *cluster);
/* Luck of A minus luck of B; 0 where nothing is judged. */
double pairs_luck(const struct pairs_cluster *cluster);

#endif
