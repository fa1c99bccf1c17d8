/* sim_event.h - what is played in one simulated world, from its seed: bots, rules, clock, and what
 * goes wrong. */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "config/config.h"
#include "sim.h"

enum { SIM_EVENT_BOTS = 5 };

struct sim_event {
    uint64_t seed;
    struct config_event event; /* concurrency and instances are the caller's */
    struct competitor bots[SIM_EVENT_BOTS];
    struct sim_plan plan;
};

void sim_event_make(struct sim_event *sim, uint64_t seed);

/* Plays the event in the world that has begun, to its end and across its interruptions. The table
 * that was printed last, for the caller to free; runs: how many it took. Needs sim_hush. */
char *sim_event_play(uint64_t *runs, const struct sim_event *sim);

/* The next number below `below` of the sequence that *state begins. */
uint64_t sim_event_draw(uint64_t *state, uint64_t below);

/* Says what does not hold in this world, and ends the program. */
_Noreturn void sim_event_break(const struct sim_event *sim, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Needs a `sim` in sight. */
#define MUST(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            sim_event_break(sim, __VA_ARGS__);                                                     \
        }                                                                                          \
    } while (0)

#endif
