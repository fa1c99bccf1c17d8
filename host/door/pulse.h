/* pulse.h - how the gateway tells its own stops to those whose clocks run: a page of shared memory.
 *
 * The gateway stands between a referee's clock and a remote bot. When it is stopped, or has no
 * core, what the bot sends waits in it. It notes each round in the page, and so also how long it
 * was held up; a reader sees a stop that has not ended yet by the age of the last round. A message
 * could not tell that, and would come by another way than the answers: too late.
 */
#ifndef HOST_DOOR_PULSE_H
#define HOST_DOOR_PULSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* While it has connections no round of the gateway waits longer than this; a stop shorter than
 * that is not seen. */
enum { PULSE_MS = 50 };

/* A stop that may have cost lines that are silent for too long (GATEWAY_DEAD_MS), and how long
 * after it they may break. */
#define PULSE_LONG_NS  INT64_C(5000000000)
#define PULSE_AFTER_NS INT64_C(20000000000)

/* In the file. A gateway that is started again goes on with its predecessor's sums. */
struct pulse_page {
    _Atomic int64_t beat_ns;    /* the last round, monotonic; 0: it has no connection, and waits */
    _Atomic int64_t stalled_ns; /* sum of the stops that have ended */
    _Atomic int64_t long_ns;    /* when the last long one ended; 0: none has */
};

/* Maps the page of the door with this endpoint ("ipc://PATH"), and makes its file if there is none.
 * NULL: that is not possible, and stops are not known. Not for a process that may open no files. */
struct pulse_page *pulse_open(const char *endpoint);
void pulse_close(struct pulse_page *page); /* NULL is fine */
/* The path of that file, lent until the next call. */
const char *pulse_path(const char *endpoint);

/* Returns how much of the time between two rounds counts as a stop: all of it, since when it began
 * is not known, or nothing. */
int64_t pulse_stop(int64_t passed_ns);

/* For the gateway, at the beginning of a round; page may be NULL. *beat_ns: the last round before,
 * 0 none. Returns how long it was held up. */
int64_t pulse_beat(struct pulse_page *page, int64_t *beat_ns, int64_t now_ns);
/* The next wait has no end. */
void pulse_rest(struct pulse_page *page, int64_t *beat_ns);

/* For the others. NULL: no stop is known. Returns the sum of all stops until now, also of one that
 * has not ended. */
int64_t pulse_stalled(const struct pulse_page *page, int64_t now_ns);
/* Returns whether lines may break now that are lost by a stop of ours. */
bool pulse_was_long(const struct pulse_page *page, int64_t now_ns);

#endif
