/* store_disk.c - in place of store.c: the real store_sqlite.c with its thread, in a world in
 * memory. */
#include "sim.h"

#include <stdlib.h>

static struct store *reader;

void sim_store_read(const char *path)
{
    struct bg_error err;

    if (store_sqlite_open_read(&reader, path, &err) != BG_OK) {
        abort();
    }
}

struct store *sim_store(void)
{
    return reader;
}

void sim_store_forget(void)
{
    store_destroy(reader);
    reader = NULL;
}

void sim_store_each_lost(void (*fn)(void *user, const struct store_game *game), void *user)
{
    (void)fn; /* the disk under it is real, and loses nothing */
}

void sim_store_die(uint64_t survive)
{
    abort(); /* not planned */
}

void sim_store_settle(void)
{
    abort(); /* its thread has real time */
}
