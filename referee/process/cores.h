/* cores.h - binds the calling thread to the core it runs on.
 *
 * Threads and processes started by a bound thread would inherit the core. process_start therefore
 * gives the cores from before to every process that has no core of its own. Other threads of the
 * program are not touched. Call these functions from one thread only.
 */
#ifndef REFEREE_PROCESS_CORES_H
#define REFEREE_PROCESS_CORES_H

#include <sched.h>

/* Binds the calling thread to the core on which it runs now. Returns the core; -1 if the system
 * refuses: nothing changes. A second call returns the same core. */
int cores_bind(void);

/* Lets the thread use the cores from before cores_bind; nothing if it is not bound. */
void cores_release(void);

/* Returns the cores from before cores_bind; NULL if the thread is not bound. */
const cpu_set_t *cores_before(void);

#endif
