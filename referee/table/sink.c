/* A table knows these five operations of the store and no others, so that a test can be its
 * sink, and a worker can send games elsewhere. */
#include "sink.h"

#include "record/game_id.h"

static enum bg_status sink_game(void *user, struct store_game *take, struct bg_error *err)
{
    struct store *store = user;

    return store_put_game(store, take, err);
}

static enum bg_status leg_games(void *user, const struct game_id *leg, store_game_fn fn,
                                void *fn_user, struct bg_error *err)
{
    struct store *store = user;

    return store_leg_games(store, leg->a, leg->b, leg->pair, leg->leg, fn, fn_user, err);
}

static enum bg_status put_steps(void *user, struct store_steps *take, struct bg_error *err)
{
    struct store *store = user;

    return store_put_steps(store, take, err);
}

static uint64_t put_count(void *user)
{
    struct store *store = user;
    uint64_t put;

    store->ops->progress(store, &put, NULL, NULL);
    return put;
}

static enum bg_status each_steps(void *user, const struct game_id *game, store_steps_fn fn,
                                 void *fn_user, struct bg_error *err)
{
    struct store *store = user;

    return store_each_steps(store, game, fn, fn_user, err);
}

struct game_sink game_sink_of(struct store *store)
{
    return (struct game_sink){.put_game = sink_game,
                              .leg_games = leg_games,
                              .put_steps = put_steps,
                              .put_count = put_count,
                              .each_steps = each_steps,
                              .user = store};
}
