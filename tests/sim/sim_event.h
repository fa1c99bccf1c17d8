/* sim_event.h - the event of a simulated world, from its seed: bots, rules, clock and failures. */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "config/config.h"
#include "sim.h"

enum { SIM_EVENT_BOTS = 5 };

struct sim_event {
    uint64_t seed;
    struct config_event event; /* concurrency and instances are set by the caller */
    struct competitor bots[SIM_EVENT_BOTS];
    struct sim_plan plan;
};

void sim_event_make(struct sim_event *sim, uint64_t seed);

/* Plays the event in the current world to its end, across its interruptions. Returns the last
 * printed table; the caller frees it. *runs: the number of runs. Needs sim_hush. */
char *sim_event_play(uint64_t *runs, const struct sim_event *sim);

/* The next number below `below` of the sequence with the state *state. */
uint64_t sim_event_draw(uint64_t *state, uint64_t below);

/* Prints the failed check of this world, and ends the program. */
_Noreturn void sim_event_break(const struct sim_event *sim, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Needs a variable `sim` in scope. */
#define MUST(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            sim_event_break(sim, __VA_ARGS__);                                                     \
        }                                                                                          \
    } while (0)

#endif
