/* Before any fit it is asked which bots the results connect at all: ratings of bots that never
 * met, not even over others, have no difference, and a fit would not converge but return
 * numbers. */
#include "graph.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Returns the root of i in a forest of parents; halves the path to speed up the next search. */
static int root_of(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

struct component {
    int root; /* its smallest member */
    int size;
};

static int compare_components(const void *x, const void *y)
{
    const struct component *a = x, *b = y;

    if (a->size != b->size) {
        return a->size > b->size ? -1 : 1;
    }
    return (a->root > b->root) - (a->root < b->root);
}

int graph_groups(int *group, int nodes, const struct graph_edge *edges, size_t count)
{
    int *parent = memory_zeroed((size_t)nodes, sizeof *parent);
    int *number = memory_zeroed((size_t)nodes, sizeof *number);
    struct component *component = memory_zeroed((size_t)nodes, sizeof *component);
    int found = 0;

    for (int i = 0; i < nodes; i++) {
        parent[i] = i;
        component[i] = (struct component){.root = i};
    }
    for (size_t k = 0; k < count; k++) {
        int a = root_of(parent, edges[k].a), b = root_of(parent, edges[k].b);

        parent[a > b ? a : b] = a > b ? b : a; /* the smallest member stays the root */
    }
    for (int i = 0; i < nodes; i++) {
        component[root_of(parent, i)].size++;
    }
    qsort(component, (size_t)nodes, sizeof *component, compare_components);
    while (found < nodes && component[found].size > 1) {
        number[component[found].root] = found;
        found++;
    }
    for (int i = 0; i < nodes; i++) {
        int root = root_of(parent, i);
        bool alone = found == 0 || number[root] >= found || component[number[root]].root != root;

        group[i] = alone ? -1 : number[root];
    }
    free(parent);
    free(number);
    free(component);
    return found;
}

/* Lists the outgoing edges of every node, as offsets into one list. The caller frees both. */
static void list_edges(size_t **first, int **target, int nodes, const struct graph_edge *edges,
                       size_t count, bool reverse)
{
    *first = memory_zeroed((size_t)nodes + 2, sizeof **first);
    *target = memory_zeroed(count, sizeof **target);
    for (size_t k = 0; k < count; k++) {
        (*first)[(reverse ? edges[k].b : edges[k].a) + 2]++;
    }
    for (int i = 0; i < nodes; i++) {
        (*first)[i + 2] += (*first)[i + 1];
    }
    /* filling moved each start to its end, which is the start of the next node */
    for (size_t k = 0; k < count; k++) {
        int from = reverse ? edges[k].b : edges[k].a;

        (*target)[(*first)[from + 1]++] = reverse ? edges[k].a : edges[k].b;
    }
}

/* Marks the nodes that can be reached from the first member of each group. Clears strong[] for
 * groups with a member that cannot be reached. Along wins and against them: a bot that nobody
 * has beaten has no finite rating. */
static void reach(bool *strong, int groups, const int *group, int nodes,
                  const struct graph_edge *edges, size_t count, bool reverse)
{
    size_t *first = NULL;
    int *target = NULL, *queue = memory_zeroed((size_t)nodes, sizeof *queue);
    bool *seen = memory_zeroed((size_t)nodes, sizeof *seen);
    bool *begun = memory_zeroed((size_t)groups, sizeof *begun);
    int head = 0, tail = 0;

    list_edges(&first, &target, nodes, edges, count, reverse);
    for (int i = 0; i < nodes; i++) {
        if (group[i] >= 0 && !begun[group[i]]) {
            begun[group[i]] = true;
            seen[i] = true;
            queue[tail++] = i;
        }
    }
    while (head < tail) {
        int from = queue[head++];

        for (size_t k = first[from]; k < first[from + 1]; k++) {
            if (!seen[target[k]]) {
                seen[target[k]] = true;
                queue[tail++] = target[k];
            }
        }
    }
    for (int i = 0; i < nodes; i++) {
        if (group[i] >= 0 && !seen[i]) {
            strong[group[i]] = false;
        }
    }
    free(first);
    free(target);
    free(queue);
    free(seen);
    free(begun);
}

void graph_strong(bool *strong, int groups, const int *group, int nodes,
                  const struct graph_edge *edges, size_t count)
{
    for (int g = 0; g < groups; g++) {
        strong[g] = true;
    }
    reach(strong, groups, group, nodes, edges, count, false);
    reach(strong, groups, group, nodes, edges, count, true);
}
