/* unrecorded.c - the referee without its database, to measure the cost of storing games.
 *
 * bgref-unrecorded is bgref with this store: games are written as records and hashed as usual, and
 * then dropped. The run's own data (settings, the dice key) is stored.
 */
#include <stdlib.h>

#include "store/store.h"

static struct store_ops ops;
static store_durable_fn durable;
static void *durable_user;

enum bg_status __real_store_sqlite_open(struct store **out, const char *path, struct bg_error *err);
enum bg_status __wrap_store_sqlite_open(struct store **out, const char *path, struct bg_error *err);

static enum bg_status put_game(struct store *store, struct store_game *take, struct bg_error *err)
{
    (void)store;
    (void)err;
    if (durable != NULL) {
        durable(durable_user, take);
    }
    store_game_destroy(take);
    return BG_OK;
}

static void on_durable(struct store *store, store_durable_fn fn, void *user)
{
    (void)store;
    durable = fn;
    durable_user = user;
}

enum bg_status __wrap_store_sqlite_open(struct store **out, const char *path, struct bg_error *err)
{
    enum bg_status status = __real_store_sqlite_open(out, path, err);

    if (status == BG_OK) {
        ops = *(*out)->ops;
        ops.put_game = put_game;
        ops.on_durable = on_durable;
        (*out)->ops = &ops;
    }
    return status;
}
