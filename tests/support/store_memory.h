/* store_memory.h - a store in memory only: the double of store_sqlite.c for simulations and tests.
 *
 * Everything is durable immediately, on the caller's thread; there is no descriptor to wait for.
 */
#ifndef STORE_MEMORY_H
#define STORE_MEMORY_H

#include <store/store.h>

/* Returns NULL if memory runs out. Destroy it with store_destroy. */
struct store *store_memory_create(void);

#endif
