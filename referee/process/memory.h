/* memory.h - what a family of processes holds in memory, counted once.
 *
 * A page that several of them share counts once (proportional set size), and what they keep in
 * files in memory counts too: their own /tmp and /dev/shm when they are confined, and memfds,
 * mapped or not. Used by the keepers, so it needs the C library only.
 */
#ifndef REFEREE_PROCESS_MEMORY_H
#define REFEREE_PROCESS_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes that these processes hold. As long as the resident bytes of each, summed, stay within
 * enough, that sum (which counts shared pages several times) is the answer: the exact one takes the
 * kernel some 20 ms a gigabyte. enough 0: always exact. Processes that cannot be read count as
 * nothing. */
uint64_t memory_held(const pid_t *pids, size_t count, uint64_t enough);

#endif
