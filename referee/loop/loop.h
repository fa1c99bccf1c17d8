/* loop.h - the referee's only loop: links, descriptors, deadlines, real time.
 *
 * Everything in the referee happens in callbacks of this loop, on one thread. Only loop.c reads a
 * clock. One turn of the loop: take every waiting frame (each gets a time stamp), call what is due,
 * call `settle` at the end of the round (answers are then sent on in batches), wait. The loop can
 * have any number of links, also none; links can be added and removed at any time.
 */
#ifndef REFEREE_LOOP_LOOP_H
#define REFEREE_LOOP_LOOP_H

#include "link.h"

typedef void (*loop_fn)(void *user);
typedef void (*loop_timer_fn)(void *user, int64_t now_ns);

/* lag_ns: how long the loop has worked on other things since it last looked at every connection; at
 * most this much of the frame's delay is the referee's own fault. Frames with the same received_ns
 * - lag_ns belong to the same round. */
typedef void (*loop_frame_fn)(void *user, const struct link_frame *frame, int64_t received_ns,
                              int64_t lag_ns);

struct loop;

enum bg_status loop_create(struct loop **out, struct bg_error *err);
void loop_destroy(struct loop *loop);

/* Monotonic time in nanoseconds as of now. */
int64_t loop_now(const struct loop *loop);

/* Seconds since 1970, UTC. For display only: it may jump, and no decision depends on it. loop_wall:
 * in nanoseconds. */
int64_t loop_calendar(void);
int64_t loop_wall(void);

/* Returns how long the loop was held up in total until now_ns. A hold-up is a round or a wait that
 * took far too long because the process was stopped, got no processor, or waited for the system.
 * The loop's own work, measured as processor time, does not count. The difference of two calls is
 * not a bot's time. Of a round the time counts in which the loop did not work, if it is more than
 * 2 ms. A wait that ends 20 ms late counts as a whole; one that ends 5 ms late counts by its
 * lateness. While there are deadlines no wait is longer than 50 ms (5 ms when clocks are
 * checked for fallen flags), so no longer stop remains unseen. */
int64_t loop_stalled(const struct loop *loop, int64_t now_ns);

/* Calls fn(user) for every frame of link, which is lent until loop_remove_link or the end of the
 * loop. The loop waits inside the first link that was added. For the others it watches frame_fd,
 * which costs one more system call in each round in which they have frames; their time limits are
 * checked every 50 ms. BG_E_SYSTEM. */
enum bg_status loop_add_link(struct loop *loop, struct link *link, loop_frame_fn fn, void *user,
                             struct bg_error *err);
/* Stops the frames of link. Allowed inside a callback, and for a link that was never added. A
 * removed link must not be added again. */
void loop_remove_link(struct loop *loop, const struct link *link);

/* Called after each round of frames and deadlines, before waiting. */
void loop_on_settle(struct loop *loop, loop_fn fn, void *user);

/* Calls fn(user) whenever fd is readable (or has hung up), until loop_unwatch. */
enum bg_status loop_watch(struct loop *loop, int fd, loop_fn fn, void *user, struct bg_error *err);
void loop_unwatch(struct loop *loop, int fd);

/* Calls fn(user) once after delay_ns. */
void loop_after(struct loop *loop, int64_t delay_ns, loop_timer_fn fn, void *user);
/* Removes user's deadlines. */
void loop_forget(struct loop *loop, const void *user);

/* Runs until loop_stop. Fails only if the system fails. */
enum bg_status loop_run(struct loop *loop, struct bg_error *err);
void loop_stop(struct loop *loop);

#endif
