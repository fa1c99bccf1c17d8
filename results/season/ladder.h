/* ladder.h - a ranking list: a challenger that wins takes the loser's place. Pure.
 *
 * The challenger is the free entrant below the first with fewest meetings, then with the lowest
 * place. It challenges the free entrant farthest above it within `reach` places. Two entrants do
 * not meet if either was the other's latest opponent. If the challenger has no opponent, the next
 * one is tried; if no one has, rematches are allowed. Places of entrants that have left do not
 * count.
 */
#ifndef RESULTS_SEASON_LADDER_H
#define RESULTS_SEASON_LADDER_H

#include "history.h"

struct ladder_options {
    int reach; /* places above it; usually 2 */
    bool swap; /* winner and loser exchange places; false: the entrants between move down by one */
};

/* Returns the place of an entrant, 0 the best; count: it has none. */
int ladder_place(const int *order, int count, int entrant);

/* A result moves the order: a winner below takes the loser's place. Nothing happens if one of them
 * is not in it. */
void ladder_move(int *order, int count, int winner, int loser, bool swap);

/* Fills order[0..entrants - 1], best first: the seeds, moved by the results in their order. A draw
 * moves no one. */
void ladder_order(int *order, const struct history *history, const struct ladder_options *options);

/* Finds the next challenge; a is the challenger. An entrant in an open meeting is not free, nor is
 * one with busy[entrant]; busy NULL: none. Returns false if there is no challenge now. */
bool ladder_next(struct meeting *out, const struct history *history, const bool *busy,
                 const struct ladder_options *options);

#endif
