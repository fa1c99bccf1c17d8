/* generation.h - how long the processes of an event live where strangers compete.
 *
 * A process that has seen the rolls of one leg of a pair must not live while the other leg is
 * played. So all processes of the event live together: a generation is started, plays what the
 * queue of fixtures lets it begin, and has ended, every process of it, before the next one starts.
 *
 *     STARTING -> PLAYING -> ENDING -> STARTING ...
 *
 * What this costs, the starts, the ends and the places that stay empty while the last matches of a
 * generation end, is measured; a generation begins new pairs for GENERATION_WORTH times as long.
 * Which pairs it gets to has no influence on any game.
 */
#ifndef REFEREE_EVENT_GENERATION_H
#define REFEREE_EVENT_GENERATION_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GENERATION_WORTH = 15 /* so the cost is 1 in 16, below 10 % with room for a bad estimate */
};

enum generation_state { GENERATION_STARTING, GENERATION_PLAYING, GENERATION_ENDING };

struct generation {
    enum generation_state state;
    int number;       /* from 0 */
    int64_t since_ns; /* of this state */
    int64_t idle_ns;  /* since when a place is empty and nothing may begin; -1: no such place */
    int64_t start_cost_ns, end_cost_ns, drain_cost_ns; /* of the last time */
};

/* The first generation's processes are being started. */
void generation_begin(struct generation *generation, int64_t now_ns);

/* Every process is ready or failed to start. */
void generation_ready(struct generation *generation, int64_t now_ns);

/* Returns true once new pairs are no longer worth their time before the restart. */
bool generation_is_long_enough(const struct generation *generation, int64_t now_ns);

/* A place is empty and no more fixtures may begin. */
void generation_idle(struct generation *generation, int64_t now_ns);

/* The last match has ended; the processes are being ended. */
void generation_end(struct generation *generation, int64_t now_ns);

/* All processes have ended; the next ones are being started. */
void generation_next(struct generation *generation, int64_t now_ns);

#endif
