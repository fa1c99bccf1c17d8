/* due.h - which members of a roster have something to do now, and which later.
 *
 * Members are numbered from 0. Finding them does not visit every member: marks are bits, times are
 * a heap. Members are returned in the order of their numbers, whatever the order of the marks.
 * Pure.
 */
#ifndef REFEREE_SEAT_DUE_H
#define REFEREE_SEAT_DUE_H

#include <stddef.h>
#include <stdint.h>

#define DUE_NEVER INT64_MAX

/* Starts as {0}. */
struct due {
    uint64_t *marked, *late; /* owned: one bit for each member, set by due_mark and due_collect */
    int64_t *at_ns;          /* owned: one for each member */
    int *heap, *place;       /* owned: members, the earliest first; each member's index in heap */
    int count;
    size_t room, words; /* of marked and late: in words */
};

void due_deinit(struct due *due);

/* Adds member number due->count: not marked, never late. */
void due_add(struct due *due);

void due_mark(struct due *due, int member);
/* Returns the first marked member with number >= from and removes its mark; -1: there is none. */
int due_take_marked(struct due *due, int from);

/* Sets when the member becomes late: always, or only if at_ns is earlier than before. */
void due_set(struct due *due, int member, int64_t at_ns);
void due_hasten(struct due *due, int member, int64_t at_ns);
/* Finds the members that are late at now_ns. Each of them is then never late until it is set
 * again. */
void due_collect(struct due *due, int64_t now_ns);
/* As due_take_marked, for the members that due_collect found. */
int due_take_late(struct due *due, int from);

#endif
