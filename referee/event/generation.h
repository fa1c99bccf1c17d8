/* generation.h - how long the processes of an event live where strangers compete.
 *
 * A process that has seen the rolls of one leg of a pair must not live while the other leg is
 * played. So all processes of the event live together: a generation is started and plays the
 * fixtures that the queue lets it begin. All its processes have ended before the next generation
 * starts.
 *
 *     STARTING -> PLAYING -> ENDING -> STARTING ...
 *
 * The costs are measured: the starts, the ends, and the empty places while a generation's last
 * matches end. A generation begins new pairs for GENERATION_WORTH times as long. Which pairs it
 * begins does not influence any game.
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
    int64_t since_ns; /* when this state began */
    int64_t idle_ns;  /* since when a place is empty and nothing may begin; -1: no such place */
    int64_t start_cost_ns, end_cost_ns, drain_cost_ns; /* as last measured */
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
