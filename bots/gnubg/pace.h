/* pace.h - how long the bridge may sleep while gnubg has questions.
 *
 * gnubg answers a 0-ply question in less than a tenth of a millisecond. Waking for each answer
 * would cost as much as half of gnubg's own work, so the bridge sleeps until about half of the open
 * questions are answered. Pure: times are arguments.
 */
#ifndef BOTS_GNUBG_PACE_H
#define BOTS_GNUBG_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
    int64_t question_ns; /* time of one question, as measured; 0 unknown */
};

/* Notes that gnubg answered `answered` questions in elapsed_ns, and that it has `open` left. */
void pace_note(struct pace *pace, int answered, int64_t elapsed_ns, int open);

/* Returns how long to sleep with `open` questions at gnubg, at most 10 ms; 0: wait for the next
 * answer instead, because few are open. */
int64_t pace_hold_ns(const struct pace *pace, int open);

#endif
