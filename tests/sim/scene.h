/* scene.h - what is played in one simulated world, from its seed: bots, rules, clock, and what goes
 * wrong. */
#ifndef SCENE_H
#define SCENE_H

#include "config/config.h"
#include "sim.h"

enum { SCENE_BOTS = 5 };

struct scene {
    uint64_t seed;
    struct config_event event; /* concurrency and instances are the caller's */
    struct competitor bots[SCENE_BOTS];
    struct sim_plan plan;
};

void scene_make(struct scene *scene, uint64_t seed);

/* Plays the event in the world that has begun, to its end and across its interruptions. The table
 * that was printed last, for the caller to free; runs: how many it took. Needs sim_hush. */
char *scene_play(uint64_t *runs, const struct scene *scene);

/* The next number below `below` of the sequence that *state begins. */
uint64_t scene_draw(uint64_t *state, uint64_t below);

/* Says what does not hold in this world, and ends the program. */
_Noreturn void scene_break(const struct scene *scene, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Needs a `scene` in sight. */
#define MUST(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            scene_break(scene, __VA_ARGS__);                                                       \
        }                                                                                          \
    } while (0)

#endif
