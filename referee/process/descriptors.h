/* descriptors.h - how many files the referee may have open, and whether that is enough for its
 * bots.
 *
 * The referee raises its soft limit to the hard one. A bot gets few: what it holds in socket
 * buffers is bounded by them, where no controller counts it.
 */
#ifndef REFEREE_PROCESS_DESCRIPTORS_H
#define REFEREE_PROCESS_DESCRIPTORS_H

#include <bgref/error.h>

#include <sys/resource.h>

enum {
    DESCRIPTORS_OWN = 40,     /* for the referee itself: results, sockets' folder, logs, outputs */
    DESCRIPTORS_RESERVE = 24, /* for files open for a moment: a start's pipes, reads of /proc */
    DESCRIPTORS_SEAT = 6,     /* a bot process: door, connection, end of process, stderr */
    DESCRIPTORS_JUDGE = 8,    /* a process of a judge */
    DESCRIPTORS_BOT = 128     /* most of a bot's process, if nothing else is asked; it needs tens */
};

/* Raises the limit; a second call does nothing. */
void descriptors_raise(void);

/* Returns the limits for a bot's process: as many as asked (0: DESCRIPTORS_BOT), not above the hard
 * limit; soft and hard are equal. */
void descriptors_of_bot(struct rlimit *out, int most);

/* BG_E_ARGUMENT: the limit is too low for so many processes of bots and judges; the message has the
 * number needed and the remedy. */
enum bg_status descriptors_suffice(int seats, int judges, struct bg_error *err);

/* Closes every descriptor from first on. Allocates and locks nothing: it may be called between
 * vfork and exec. */
void descriptors_close_from(int first);

/* Closes those of a pipe or a socket pair that are open, which are >= 0. */
void descriptors_close_pair(int ends[2]);

#endif
