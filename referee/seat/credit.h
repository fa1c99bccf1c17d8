/* credit.h - how much of a bot's delay is the referee's own, so not its time. Pure.
 *
 * A frame may have waited while the loop was at work on others. That is taken off the mover's time;
 * what the loop spent on frames of the same bot is not, or a bot could think behind its own flood.
 * Stops of the whole process (loop_stalled) are credited in full; the queue to a limit, so that no
 * two bots can give each other time.
 */
#ifndef REFEREE_SEAT_CREDIT_H
#define REFEREE_SEAT_CREDIT_H

#include <stdint.h>

/* Of the queue, for one decision: well above the longest round of an honest event. */
#define CREDIT_QUEUE_NS INT64_C(20000000)

/* Of a bot, all its processes together. Starts as {0}. */
struct credit {
    int64_t since_ns; /* the round of the loop that own_ns is of */
    int64_t own_ns;   /* spent in it on this bot's frames */
    int64_t given_ns; /* in all, for people */
};

/* What a frame is credited for the loop's work before it; lag_ns as in loop.h. */
int64_t credit_for_queue(const struct credit *credit, int64_t received_ns, int64_t lag_ns);

/* The loop has spent until_ns - received_ns on that frame. */
void credit_note_work(struct credit *credit, int64_t received_ns, int64_t lag_ns, int64_t until_ns);

#endif
