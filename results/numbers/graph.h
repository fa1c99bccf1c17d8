/* graph.h - the graph of encounters: which bots can be compared.
 */
#ifndef RESULTS_NUMBERS_GRAPH_H
#define RESULTS_NUMBERS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

struct graph_edge {
    int a, b; /* in directed graphs: a has beaten b */
};

/* group[i]: the connected component of node i, numbered by size (descending), then by smallest
 * member; -1 for a node without an edge. Returns how many. */
int graph_groups(int *group, int nodes, const struct graph_edge *edges, size_t count);

/* strong[g]: every member of group g reaches every other along directed edges. */
void graph_strong(bool *strong, int groups, const int *group, int nodes,
                  const struct graph_edge *edges, size_t count);

#endif
