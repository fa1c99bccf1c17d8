/* memory.h - the memory of a family of processes, counted once.
 *
 * A page that several of them share counts once (proportional set size). Files in memory count too:
 * a confined bot's own /tmp and /dev/shm, and memfds, mapped or not. Used by the keepers, so it
 * needs the C library only.
 */
#ifndef REFEREE_PROCESS_MEMORY_H
#define REFEREE_PROCESS_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns the bytes that these processes hold. If the sum of their resident bytes (which counts
 * shared pages several times) is at most `enough`, returns that sum: the exact number takes the
 * kernel about 20 ms a gigabyte. enough 0: always exact. Processes that cannot be read count as
 * 0. */
uint64_t memory_held(const pid_t *pids, size_t count, uint64_t enough);

#endif
