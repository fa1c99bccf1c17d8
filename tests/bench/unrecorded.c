/* unrecorded.c - the referee without its database, to measure the cost of storing games.
 *
 * bgref-unrecorded is bgref with this store: games are written as records and hashed as usual, and
 * then dropped. The run's own data (settings, the dice key) is stored.
 */

#include "store/store.h"

static const struct store_ops *real;
static struct store_ops ops;
static struct store_listener listener;

static enum bg_status put(struct store *store, struct store_item *item, struct bg_error *err)
{
    if (item->kind != STORE_ITEM_GAME) {
        return real->put(store, item, err);
    }
    if (listener.game != NULL) {
        listener.game(listener.user, item->as.game);
    }
    store_item_free(item);
    return BG_OK;
}

static void listen(struct store *store, const struct store_listener *added)
{
    listener = *added;
    real->listen(store, added);
}

enum bg_status __real_store_sqlite_open(struct store **out, const char *path, struct bg_error *err);
enum bg_status __wrap_store_sqlite_open(struct store **out, const char *path, struct bg_error *err);

enum bg_status __wrap_store_sqlite_open(struct store **out, const char *path, struct bg_error *err)
{
    enum bg_status status = __real_store_sqlite_open(out, path, err);

    if (status == BG_OK) {
        real = (*out)->ops;
        ops = *real;
        ops.put = put;
        ops.listen = listen;
        (*out)->ops = &ops;
    }
    return status;
}
