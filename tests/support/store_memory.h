/* store_memory.h - a store that forgets: the double of store_sqlite.c for simulations and tests.
 *
 * Everything is durable at once and on the caller's thread; there is no descriptor to wait for.
 */
#ifndef STORE_MEMORY_H
#define STORE_MEMORY_H

#include <store/store.h>

/* NULL without memory. Destroy with store_destroy. */
struct store *store_memory_create(void);

#endif
