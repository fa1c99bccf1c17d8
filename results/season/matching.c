/* Edmonds' algorithm for graphs that are not bipartite: in a Swiss anybody may meet anybody, and
 * odd circles of allowed pairs are common. Hundreds of entrants are few, so blossoms are kept as
 * bases in an array and nothing is linked. */
#include "matching.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* One search for an alternating path between two vertices without a partner. */
struct search {
    const struct matching *graph;
    int *parent; /* the even vertex from which an odd one was reached; -1: not reached */
    int *base;   /* base of the blossom that contains the vertex */
    int *queue;
    int *outer; /* 1: even, which means in the queue */
    int *mark;  /* a mark for the current path or blossom */
    int end;
};

static bool is_edge(const struct matching *graph, int v, int w)
{
    return graph->edge[(size_t)v * (size_t)graph->vertices + (size_t)w] && !graph->absent[v] &&
           !graph->absent[w];
}

void matching_init(struct matching *out, int vertices)
{
    size_t n = (size_t)vertices;

    *out = (struct matching){.vertices = vertices,
                             .edge = memory_zeroed(n * n, sizeof(bool)),
                             .absent = memory_zeroed(n, sizeof(bool)),
                             .mate = memory_zeroed(n, sizeof(int)),
                             .kept = memory_zeroed(n, sizeof(int)),
                             .room = memory_zeroed(5 * n, sizeof(int))};
    for (int v = 0; v < vertices; v++) {
        out->mate[v] = -1;
    }
}

void matching_deinit(struct matching *matching)
{
    free(matching->edge);
    free(matching->absent);
    free(matching->mate);
    free(matching->kept);
    free(matching->room);
    *matching = (struct matching){0};
}

static void part(struct matching *matching, int v)
{
    if (matching->mate[v] >= 0) {
        matching->mate[matching->mate[v]] = -1;
        matching->mate[v] = -1;
    }
}

void matching_allow(struct matching *matching, int v, int w, bool allowed)
{
    size_t n = (size_t)matching->vertices;

    matching->edge[(size_t)v * n + (size_t)w] = allowed;
    matching->edge[(size_t)w * n + (size_t)v] = allowed;
    if (!allowed && matching->mate[v] == w) {
        part(matching, v);
    }
}

void matching_remove(struct matching *matching, int v, bool removed)
{
    part(matching, v);
    matching->absent[v] = removed;
}

/* Returns the base of the blossom that the edge v-w closes: the first vertex on both paths to the
 * root. */
static int shared_base(struct search *s, int v, int w)
{
    const int *mate = s->graph->mate;

    memset(s->mark, 0, (size_t)s->graph->vertices * sizeof *s->mark);
    for (;;) {
        v = s->base[v];
        s->mark[v] = 1;
        if (mate[v] < 0) {
            break; /* the root */
        }
        v = s->parent[mate[v]];
    }
    for (w = s->base[w]; !s->mark[w]; w = s->base[w]) {
        w = s->parent[mate[w]];
    }
    return w;
}

/* Marks the bases from v down to the blossom's base, and reverses the path; child is the next
 * vertex on the other side. */
static void mark_way(struct search *s, int v, int base, int child)
{
    const int *mate = s->graph->mate;

    while (s->base[v] != base) {
        s->mark[s->base[v]] = 1;
        s->mark[s->base[mate[v]]] = 1;
        s->parent[v] = child;
        child = mate[v];
        v = s->parent[child];
    }
}

static void contract(struct search *s, int v, int w)
{
    int base = shared_base(s, v, w);

    memset(s->mark, 0, (size_t)s->graph->vertices * sizeof *s->mark);
    mark_way(s, v, base, w);
    mark_way(s, w, base, v);
    for (int u = 0; u < s->graph->vertices; u++) {
        if (s->mark[s->base[u]]) {
            s->base[u] = base;
            if (!s->outer[u]) {
                s->outer[u] = 1;
                s->queue[s->end++] = u;
            }
        }
    }
}

/* Checks all edges of an even vertex. Returns the vertex without partner that it reached; -1:
 * none. */
static int look_around(struct search *s, int root, int v)
{
    const int *mate = s->graph->mate;

    for (int w = 0; w < s->graph->vertices; w++) {
        if (!is_edge(s->graph, v, w) || s->base[v] == s->base[w] || mate[v] == w) {
            continue;
        }
        if (w == root || (mate[w] >= 0 && s->parent[mate[w]] >= 0)) {
            contract(s, v, w);
        } else if (s->parent[w] < 0) {
            s->parent[w] = v;
            if (mate[w] < 0) {
                return w;
            }
            s->outer[mate[w]] = 1;
            s->queue[s->end++] = mate[w];
        }
    }
    return -1;
}

/* Looks for a longer alternating path from a vertex without partner. Returns the path's end; -1:
 * there is none, and then outer[v] is set for all vertices at an even distance. */
static int search_from(struct search *s, int root)
{
    int n = s->graph->vertices, found = -1;

    for (int v = 0; v < n; v++) {
        s->parent[v] = -1;
        s->base[v] = v;
        s->outer[v] = 0;
    }
    s->end = 0;
    s->outer[root] = 1;
    s->queue[s->end++] = root;
    for (int next = 0; next < s->end && found < 0; next++) {
        found = look_around(s, root, s->queue[next]);
    }
    return found;
}

/* One block of memory for all searches: a round asks for thousands of them. */
static struct search search_in(const struct matching *matching)
{
    int n = matching->vertices, *room = matching->room;

    return (struct search){matching, room, room + n, room + 2 * n, room + 3 * n, room + 4 * n, 0};
}

/* Pairs a vertex without partner along a longer alternating path, if there is one. */
static void augment(struct matching *matching, int root)
{
    struct search s = search_in(matching);
    int *mate = matching->mate;

    for (int v = search_from(&s, root); v >= 0;) {
        int before = s.parent[v], other = mate[before];

        mate[v] = before;
        mate[before] = v;
        v = other;
    }
}

static bool is_alone(const struct matching *matching, int v)
{
    return !matching->absent[v] && matching->mate[v] < 0;
}

void matching_spare(bool *spare, const struct matching *matching)
{
    struct search s = search_in(matching);

    memset(spare, 0, (size_t)matching->vertices * sizeof *spare);
    for (int root = 0; root < matching->vertices; root++) {
        if (is_alone(matching, root)) {
            (void)search_from(&s, root);
            for (int v = 0; v < matching->vertices; v++) {
                spare[v] = spare[v] || s.outer[v];
            }
        }
    }
}

int matching_grow(struct matching *matching)
{
    int alone = 0;

    for (int v = 0; v < matching->vertices; v++) {
        if (is_alone(matching, v)) {
            augment(matching, v);
        }
    }
    /* count at the end: a vertex without a path can be paired by a later search */
    for (int v = 0; v < matching->vertices; v++) {
        alone += is_alone(matching, v);
    }
    return alone;
}

bool matching_take(struct matching *matching, int v, int w, int alone)
{
    size_t size = (size_t)matching->vertices * sizeof *matching->mate;
    bool fits;

    memcpy(matching->kept, matching->mate, size);
    matching_remove(matching, v, true);
    matching_remove(matching, w, true);
    fits = matching_grow(matching) <= alone;
    if (!fits) {
        matching->absent[v] = false;
        matching->absent[w] = false;
        memcpy(matching->mate, matching->kept, size);
    }
    return fits;
}
