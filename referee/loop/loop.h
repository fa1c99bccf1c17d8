/* loop.h - the one loop: links, descriptors, deadlines, real time.
 *
 * Everything in the referee happens in callbacks of this loop, on one thread. Only loop.c reads a
 * clock. One turn of the loop: take every frame that is there (each stamped when it was taken), run
 * what is due, tell `settle` that the round is over (answers are sent on in batches then), wait.
 * Any number of links takes part, none too: their users come and go by themselves.
 */
#ifndef REFEREE_LOOP_LOOP_H
#define REFEREE_LOOP_LOOP_H

#include "link.h"

typedef void (*loop_fn)(void *user);
typedef void (*loop_timer_fn)(void *user, int64_t now_ns);

/* lag_ns: how long the loop itself had been at work, since it looked at every connection, before it
 * came to this frame; at most so much of the frame's delay is the referee's own fault. The same
 * received_ns - lag_ns is the same round. */
typedef void (*loop_frame_fn)(void *user, const struct link_frame *frame, int64_t received_ns,
                              int64_t lag_ns);

struct loop;

enum bg_status loop_create(struct loop **out, struct bg_error *err);
void loop_destroy(struct loop *loop);

/* Monotonic time in nanoseconds as of now. */
int64_t loop_now(const struct loop *loop);

/* Seconds since 1970, UTC. For people: it may jump, and nothing is decided by it. loop_wall: in
 * nanoseconds. */
int64_t loop_calendar(void);
int64_t loop_wall(void);

/* How long, in all, the loop was held up until now_ns: a round, or a wait that should have ended,
 * that took far too long, because the process was stopped, got no processor or waited for the
 * system; its own work, measured by its processor time, is none of it. What lies between two calls
 * is nobody's thinking time. A wait that ends 20 ms late counts whole, one that ends 5 ms late by
 * what it is late. Where there are deadlines no wait is longer than 50 ms (with a clock the sweep
 * of its flags makes them 5 ms); of a stop no more than that goes unseen. */
int64_t loop_stalled(const struct loop *loop, int64_t now_ns);

/* Calls fn(user) for every frame of link, which is lent until loop_remove_link or the end of the
 * loop. The loop waits inside the link that was added while it had none; of the others it watches
 * frame_fd, which costs a system call more a round in which they have frames, and takes what became
 * too old there within 50 ms. BG_E_MEMORY, BG_E_SYSTEM. */
enum bg_status loop_add_link(struct loop *loop, struct link *link, loop_frame_fn fn, void *user,
                             struct bg_error *err);
/* No frame of link comes any more. Fine inside a callback, and for a link that was never added. A
 * link that was removed does not come back to a loop. */
void loop_remove_link(struct loop *loop, const struct link *link);

/* Called after each round of frames and deadlines, before waiting. */
void loop_on_settle(struct loop *loop, loop_fn fn, void *user);

/* Calls fn(user) whenever fd is readable (or has hung up), until loop_unwatch. */
enum bg_status loop_watch(struct loop *loop, int fd, loop_fn fn, void *user, struct bg_error *err);
void loop_unwatch(struct loop *loop, int fd);

/* Calls fn(user) once after delay_ns. */
enum bg_status loop_after(struct loop *loop, int64_t delay_ns, loop_timer_fn fn, void *user,
                          struct bg_error *err);
/* Forgets the deadlines of user. */
void loop_forget(struct loop *loop, const void *user);

/* Runs until loop_stop. Fails only when the surroundings do. */
enum bg_status loop_run(struct loop *loop, struct bg_error *err);
void loop_stop(struct loop *loop);

#endif
