/* store.c - the double of store_sqlite.c: one memory store a world, whose writing fails by plan. */
#include "sim.h"

#include <stdlib.h>

#include "support/store_memory.h"

static struct store *memory;
static struct store_ops ops;
static const struct store_ops *real;
static int puts_until_failure;

struct store *sim_store(void)
{
    return memory;
}

static void stay(struct store *store)
{
    (void)store; /* the results outlive the run */
}

static enum bg_status put_game(struct store *store, struct store_game *take, struct bg_error *err)
{
    if (sim_plan()->store_fails_every > 0 && --puts_until_failure < 0) {
        puts_until_failure = sim_plan()->store_fails_every;
        store_game_destroy(take);
        return bg_error_set(err, BG_E_STORE, "sim: the disk is full");
    }
    return real->put_game(store, take, err);
}

enum bg_status store_sqlite_open(struct store **out, const char *path, struct bg_error *err)
{
    (void)path;
    if (memory == NULL) {
        memory = store_memory_create();
        if (memory == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "memory store");
        }
        real = memory->ops;
        ops = *real;
        ops.destroy = stay;
        ops.put_game = put_game;
        memory->ops = &ops;
        puts_until_failure = sim_plan()->store_fails_every;
    }
    *out = memory;
    return BG_OK;
}

void sim_store_forget(void)
{
    if (memory != NULL) {
        memory->ops = real;
        store_destroy(memory);
        memory = NULL;
    }
}
