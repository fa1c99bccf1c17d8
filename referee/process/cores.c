/* No core is chosen here: the scheduler has just placed this thread, and knows better which one
 * is free. */
#define _GNU_SOURCE /* sched_getcpu, sched_setaffinity */
#include "cores.h"

#include <stdbool.h>
#include <stddef.h>

static cpu_set_t before;
static bool is_bound;
static int bound_core;

int cores_bind(void)
{
    int core = sched_getcpu();
    cpu_set_t one;

    if (is_bound) {
        return bound_core;
    }
    if (core < 0 || core >= CPU_SETSIZE || sched_getaffinity(0, sizeof before, &before) != 0) {
        return -1;
    }
    CPU_ZERO(&one);
    CPU_SET((size_t)core, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) {
        return -1;
    }
    is_bound = true;
    bound_core = core;
    return core;
}

void cores_release(void)
{
    if (is_bound) {
        /* If it fails, the system has taken cores away meanwhile and has placed the thread itself.
         */
        (void)sched_setaffinity(0, sizeof before, &before);
        is_bound = false;
    }
}

const cpu_set_t *cores_before(void)
{
    return is_bound ? &before : NULL;
}
