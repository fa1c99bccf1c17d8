/* due.h - which members of a roster have something to do now, and which from a time on.
 *
 * Members are numbered from 0. Neither question walks them all: marks are bits, times a heap. The
 * answers come in the order of the numbers, whatever the order of the news. Pure.
 */
#ifndef REFEREE_SEAT_DUE_H
#define REFEREE_SEAT_DUE_H

#include <bgref/error.h>

#include <stdint.h>

#define DUE_NEVER INT64_MAX

/* Starts as {0}. */
struct due {
    uint64_t *marked, *late; /* owned: a bit a member, marked by due_mark and due_collect */
    int64_t *at_ns;          /* owned: of each member */
    int *heap, *place;       /* owned: members, the earliest first; where each stands in heap */
    int count, room;
};

void due_deinit(struct due *due);

/* Adds member number due->count: not marked, never late. */
enum bg_status due_add(struct due *due, struct bg_error *err);

void due_mark(struct due *due, int member);
/* The first marked member from number `from` on, which is marked no longer; -1: there is none. */
int due_take_marked(struct due *due, int from);

/* The member is late after at_ns: set anew, or only if that is earlier. */
void due_set(struct due *due, int member, int64_t at_ns);
void due_hasten(struct due *due, int member, int64_t at_ns);
/* Finds who is late at now_ns. Each then is never late until it is set anew. */
void due_collect(struct due *due, int64_t now_ns);
/* As due_take_marked, of those that due_collect found. */
int due_take_late(struct due *due, int from);

#endif
