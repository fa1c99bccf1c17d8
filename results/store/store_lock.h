/* store_lock.h - one writer a results database.
 *
 * An advisory lock on PATH.lock, which holds the owner's process id. The lock vanishes with the
 * process; the file stays, since removing it would let two processes lock two files of one name.
 */
#ifndef RESULTS_STORE_STORE_LOCK_H
#define RESULTS_STORE_STORE_LOCK_H

#include <stdbool.h>

#include <bgref/error.h>

/* *out: a descriptor to give to store_lock_close. BG_E_BUSY names the process that has the lock. */
enum bg_status store_lock_open(int *out, const char *path, struct bg_error *err);
void store_lock_close(int lock);

/* Whether the process that had the lock last still lives, as far as can be seen from here. Takes no
 * lock, so it disturbs no other process. */
bool store_lock_is_held(const char *path);

#endif
