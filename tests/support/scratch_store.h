/* scratch_store.h - the real store on a new database, in a folder that the process removes at its
 * end.
 *
 * Where a test needs a store that fails, or sees what is put, it copies the store's functions,
 * replaces single ones, and sets the store's `ops` to the copy.
 */
#ifndef SUPPORT_SCRATCH_STORE_H
#define SUPPORT_SCRATCH_STORE_H

#include <store/store.h>

enum { SCRATCH_PATH = 64 };

/* A path in the folder at which there is nothing yet. */
void scratch_path(char out[SCRATCH_PATH]);

/* Aborts on failure. Destroy it with store_destroy. */
struct store *scratch_store_create(void);

#endif
