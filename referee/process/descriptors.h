/* descriptors.h - how many open files the referee may have, and how many bots that is enough for.
 *
 * The referee raises its soft limit to the hard one; its bots get the limit that was there before.
 */
#ifndef REFEREE_PROCESS_DESCRIPTORS_H
#define REFEREE_PROCESS_DESCRIPTORS_H

#include <bgref/error.h>

#include <sys/resource.h>

enum {
    DESCRIPTORS_OWN = 40,     /* of the referee itself: results, sockets' folder, logs, outputs */
    DESCRIPTORS_RESERVE = 24, /* for what is open for a moment: a start's pipes, looks at /proc */
    DESCRIPTORS_SEAT = 6,     /* a bot process: door, connection, its end, what it says */
    DESCRIPTORS_JUDGE = 8,    /* a process of a judge */
};

/* Raises the limit; a second time there is nothing to do. */
void descriptors_raise(void);

/* The limits as they were before: for bots, whose programs may loop over all descriptors. */
const struct rlimit *descriptors_before(void);

/* BG_E_ARGUMENT, with the number needed and the remedy: so many processes of bots and judges are
 * too many for the limit. */
enum bg_status descriptors_suffice(int seats, int judges, struct bg_error *err);

#endif
