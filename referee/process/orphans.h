/* orphans.h - processes that bots have started and left, and what they hold.
 *
 * A process group is not enough: a grandchild in a session of its own outlives it. It is known by
 * its environment, and, since launcher_begin, by having become our child when its parent ended.
 */
#ifndef PROCESS_ORPHANS_H
#define PROCESS_ORPHANS_H

#include <stdint.h>
#include <sys/types.h>

/* Kills every process whose environment has BGREF_TOKEN=token. */
void orphans_end(const char *token);

/* Kills and reaps every child of this process, and what they leave, until there is none. */
void orphans_end_children(void);

/* Kills processes whose BGREF_ENDPOINT is that of a referee that lives no more; their number. */
int orphans_sweep(void);

/* Resident bytes of a process and its descendants; *count is raised by their number. */
uint64_t orphans_memory(pid_t pid, int *count);

/* Processor time that a process and its living descendants have used, in nanoseconds. */
int64_t orphans_cpu_ns(pid_t pid);

#endif
