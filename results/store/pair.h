/* pair.h - the two legs of a duplicate pair put together: the cluster of the statistics.
 *
 *     struct pair pair = {0};                            both legs are open
 *     pair.leg[leg] = ...                                as they are played
 *     const struct pair_sum sum = pair_sum_of(&pair);
 *
 * A leg is a money game or a match. All is seen from A, the bot whose name is smaller by bytes.
 * With plain dice only leg 0 is played, and leg 1 stays open. Pure.
 */
#ifndef RESULTS_STORE_PAIR_H
#define RESULTS_STORE_PAIR_H

#include <stdint.h>

/* State of a leg; open: it is not over, or is never played. */
enum pair_state { PAIR_OPEN, PAIR_WON_A, PAIR_WON_B, PAIR_DRAWN };

struct pair_leg {
    int64_t points[2]; /* won by A over its games, by B */
    uint32_t games;    /* games played */
    enum pair_state state;
};

struct pair {
    struct pair_leg leg[2]; /* leg 0 has A on seat 0 */
};

/* The state of a leg that is over; winner: 0 A, 1 B, -1 drawn. */
static inline enum pair_state pair_state_of(int winner)
{
    return winner < 0 ? PAIR_DRAWN : winner == 0 ? PAIR_WON_A : PAIR_WON_B;
}

/* A's share of a leg that is over: 1 won, 0 lost, 0.5 drawn. */
static inline double pair_share(enum pair_state state)
{
    return state == PAIR_WON_A ? 1 : state == PAIR_WON_B ? 0 : 0.5;
}

/* What the legs of a pair add up to. Open legs add nothing. */
struct pair_sum {
    int decided;          /* legs that are over: 0 to 2 */
    int won, lost, drawn; /* of these: by A */
    int64_t points[2];    /* won by A, by B */
    int64_t net;          /* points of A minus points of B */
    int64_t games;
};

/* An open leg adds nothing, also not the games that it has: a pair counts by its decided legs,
 * so that a running match cannot move the table back and forth. */
static inline struct pair_sum pair_sum_of(const struct pair *pair)
{
    struct pair_sum sum = {.decided = 0};

    for (int i = 0; i < 2; i++) {
        const struct pair_leg *leg = &pair->leg[i];

        if (leg->state == PAIR_OPEN) {
            continue;
        }
        sum.decided++;
        sum.won += leg->state == PAIR_WON_A;
        sum.lost += leg->state == PAIR_WON_B;
        sum.drawn += leg->state == PAIR_DRAWN;
        sum.points[0] += leg->points[0];
        sum.points[1] += leg->points[1];
        sum.net += leg->points[0] - leg->points[1];
        sum.games += leg->games;
    }
    return sum;
}

/* The class of a pair: A's half wins, 0 to 4. A drawn leg is one, a won leg two. */
static inline int pair_half_wins(const struct pair_sum *sum)
{
    return 2 * sum->won + sum->drawn;
}

#endif
