/* matching.h - the largest set of pairs in a graph: edges are allowed pairs, each vertex is in at
 * most one pair.
 *
 * Edmonds' blossom method (Paths, trees, and flowers, 1965): a search takes at most about n^2 steps
 * for n vertices. So it decides exactly, without a limit of steps, whether all vertices can be
 * paired.
 */
#ifndef RESULTS_SEASON_MATCHING_H
#define RESULTS_SEASON_MATCHING_H

#include <stdbool.h>

struct matching {
    int vertices;
    bool *edge;   /* [v * vertices + w], symmetric; owned */
    bool *absent; /* [v]: removed from the graph; owned */
    int *mate;    /* [v]: its partner, -1 none; owned */
    int *kept;    /* [v]: partners before a test; owned */
    int *room;    /* work space for the search; owned */
};

/* Initialises an empty graph. */
void matching_init(struct matching *out, int vertices);
void matching_deinit(struct matching *matching); /* accepts a zeroed struct */

/* Allows or forbids a pair. Separates the two if they are paired. */
void matching_allow(struct matching *matching, int v, int w, bool allowed);

/* Removes a vertex, or puts it back; its partner then has none. */
void matching_remove(struct matching *matching, int v, bool removed);

/* Pairs as many vertices as possible; paired vertices stay paired. Returns how many have no
 * partner. */
int matching_grow(struct matching *matching);

/* After matching_grow: notes in spare[v] whether some largest set of pairs leaves v without a
 * partner (the set D of Gallai and Edmonds). Only two such vertices can gain by an edge between
 * them. */
void matching_spare(bool *spare, const struct matching *matching);

/* Removes two vertices if at most `alone` of the others then have no partner. Returns whether it
 * did; if not, nothing has changed. Quickest after matching_grow. */
bool matching_take(struct matching *matching, int v, int w, int alone);

#endif
