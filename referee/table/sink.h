/* sink.h - stores a table's finished games and the steps of its running one, and returns those of
 * earlier runs.
 *
 * Implementations: sink.c, over a store; tests/unit/referee/table/test_table.c.
 */
#ifndef REFEREE_TABLE_SINK_H
#define REFEREE_TABLE_SINK_H

#include "store/store.h"

struct game_sink {
    /* Takes ownership of a finished game, also on failure. A failure ends the run. */
    enum bg_status (*put_game)(void *user, struct store_game *take, struct bg_error *err);
    /* Calls fn for each game of a leg (leg->game is ignored) in order of `game`, records
     * included, until fn returns false. */
    enum bg_status (*leg_games)(void *user, const struct game_id *leg, store_game_fn fn,
                                void *fn_user, struct bg_error *err);
    /* For games that go on at their open decision after a kill: as the store's functions of these
     * names. NULL, all of them: steps are not kept. */
    enum bg_status (*put_steps)(void *user, struct store_steps *take, struct bg_error *err);
    uint64_t (*put_count)(void *user);
    enum bg_status (*each_steps)(void *user, const struct game_id *game, store_steps_fn fn,
                                 void *fn_user, struct bg_error *err);
    void *user; /* lent, like all of it */
};

/* Returns a store as a sink; the store is lent. */
struct game_sink game_sink_of(struct store *store);

#endif
