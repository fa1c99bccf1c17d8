/* sink.h - stores a table's finished games, and returns those of earlier runs.
 *
 * Implementations: sink.c, over a store; tests/unit/test_table.c.
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
    void *user; /* lent, like all of it */
};

/* Returns a store as a sink; the store is lent. */
struct game_sink game_sink_of(struct store *store);

#endif
