/* matching.h - the largest set of pairs in a graph: who may meet whom, everybody at most once.
 *
 * Edmonds' blossom method (Paths, trees, and flowers, 1965): a search costs at most about n^2 steps
 * for n vertices. So whether all can be paired is decided exactly, without a limit of steps.
 */
#ifndef RESULTS_FORMS_MATCHING_H
#define RESULTS_FORMS_MATCHING_H

#include <bgref/error.h>
#include <stdbool.h>

struct matching {
    int vertices;
    bool *edge;   /* [v * vertices + w], symmetric; owned */
    bool *absent; /* [v]: taken out of the graph; owned */
    int *mate;    /* [v]: its partner, -1 none; owned */
    int *room;    /* of the search; owned */
};

/* An empty graph. BG_E_MEMORY. */
enum bg_status matching_init(struct matching *out, int vertices, struct bg_error *err);
void matching_deinit(struct matching *matching); /* also of a zeroed one */

/* Allows or forbids a pair. A forbidden one is parted. */
void matching_allow(struct matching *matching, int v, int w, bool allowed);

/* Takes a vertex out, or puts it back; its partner is then alone. */
void matching_remove(struct matching *matching, int v, bool removed);

/* Pairs as many as can be paired, keeping who is paired paired. Returns how many are left alone. */
int matching_grow(struct matching *matching);

#endif
