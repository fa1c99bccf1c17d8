#include "generation.h"

#include <assert.h>

static void enter(struct generation *generation, enum generation_state state, int64_t now_ns)
{
    generation->state = state;
    generation->since_ns = now_ns;
    generation->idle_ns = -1;
}

void generation_begin(struct generation *generation, int64_t now_ns)
{
    *generation = (struct generation){.number = 0};
    enter(generation, GENERATION_STARTING, now_ns);
}

void generation_ready(struct generation *generation, int64_t now_ns)
{
    assert(generation->state == GENERATION_STARTING);
    generation->start_cost_ns = now_ns - generation->since_ns;
    enter(generation, GENERATION_PLAYING, now_ns);
}

bool generation_is_long_enough(const struct generation *generation, int64_t now_ns)
{
    int64_t cost_ns =
        generation->start_cost_ns + generation->end_cost_ns + generation->drain_cost_ns;
    int64_t worth_ns = GENERATION_WORTH * cost_ns;

    /* The first generation plays only one leg of each pair; later ones play two. */
    if (generation->number == 0) {
        worth_ns /= 2;
    }
    return now_ns - generation->since_ns >= worth_ns;
}

void generation_idle(struct generation *generation, int64_t now_ns)
{
    if (generation->idle_ns < 0) {
        generation->idle_ns = now_ns;
    }
}

void generation_end(struct generation *generation, int64_t now_ns)
{
    assert(generation->state == GENERATION_PLAYING);
    if (generation->idle_ns >= 0) {
        generation->drain_cost_ns = (now_ns - generation->idle_ns) / 2; /* about half the places */
    }
    enter(generation, GENERATION_ENDING, now_ns);
}

void generation_next(struct generation *generation, int64_t now_ns)
{
    assert(generation->state == GENERATION_ENDING);
    generation->end_cost_ns = now_ns - generation->since_ns;
    generation->number++;
    enter(generation, GENERATION_STARTING, now_ns);
}
