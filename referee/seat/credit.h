/* credit.h - how much of a bot's delay the referee caused, so that it is not the bot's time. Pure.
 *
 * A frame may have waited while the loop handled others. That is subtracted from the bot's time.
 * Time spent on frames of the same bot is not subtracted: otherwise a bot could think behind its
 * own flood. Stops of the whole process (loop_stalled) are credited in full; the queue only up to a
 * limit, so that two bots cannot give each other time.
 */
#ifndef REFEREE_SEAT_CREDIT_H
#define REFEREE_SEAT_CREDIT_H

#include <stdint.h>

/* Largest credit for the queue, for one decision: well above the longest round of an honest
 * event. */
#define CREDIT_QUEUE_NS INT64_C(20000000)

/* One for each bot, for all its processes together. Starts as {0}. */
struct credit {
    int64_t since_ns;  /* the loop's round that own_ns belongs to */
    int64_t own_ns;    /* time spent in this round on this bot's frames */
    int64_t given_ns;  /* sum of all credits, for display */
    int64_t waited_ns; /* sum of the waits for a core, which are credited besides */
};

/* Returns the credit of a frame for the loop's work before it; lag_ns as in loop.h. */
int64_t credit_for_queue(const struct credit *credit, int64_t received_ns, int64_t lag_ns);

/* Notes that the loop has spent until_ns - received_ns on that frame. */
void credit_note_work(struct credit *credit, int64_t received_ns, int64_t lag_ns, int64_t until_ns);

#endif
