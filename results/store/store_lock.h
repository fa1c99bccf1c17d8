/* store_lock.h - one writer per results database.
 *
 * An advisory lock on PATH.lock, which contains the owner's process id. The lock ends with the
 * process. The file stays, as long as there are results: who locks it checks that it has still its
 * name, else two processes could lock two files with the same name.
 */
#ifndef RESULTS_STORE_STORE_LOCK_H
#define RESULTS_STORE_STORE_LOCK_H

#include <stdbool.h>

#include <bgref/error.h>

/* *out: a descriptor for store_lock_close. BG_E_BUSY: the message has the process that holds the
 * lock. */
enum bg_status store_lock_open(int *out, const char *path, struct bg_error *err);
void store_lock_close(int lock);
/* Removes the file of results that are not there, unless another process holds it. */
void store_lock_remove(const char *path);

/* Whether the last process to hold the lock is still alive, as far as this host can see. Takes no
 * lock, so it disturbs no other process. */
bool store_lock_is_held(const char *path);

#endif
