/* Steps of games that are being played, for events whose decisions survive the end of the referee.
 * A row is what happened between two decisions. The transaction that stores a game deletes its
 * rows, so a finished event has none. They are neither sealed nor part of the root: who goes on
 * from them replays them by the rules and compares their dice with the key.
 */
#include "store_sqlite.h"

const char sqlite_steps_schema[] =
    "CREATE TABLE IF NOT EXISTS step ("
    " a TEXT NOT NULL, b TEXT NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL,"
    " game INTEGER NOT NULL, first INTEGER NOT NULL, steps TEXT NOT NULL,"
    " left0_ns INTEGER NOT NULL, left1_ns INTEGER NOT NULL, delay0_ns INTEGER NOT NULL,"
    " delay1_ns INTEGER NOT NULL, on_clock INTEGER NOT NULL,"
    " PRIMARY KEY (a, b, pair, leg, game, first)) WITHOUT ROWID;";

/* --- writing ------------------------------------------------------------------------------ */

bool sqlite_steps_begin(struct sqlite_store *store)
{
    int64_t has;
    bool done = sqlite_first(store->writer, "SELECT EXISTS (SELECT 1 FROM step)", &has);

    store->may_have_steps = has != 0;
    return done;
}

bool sqlite_steps_write(struct sqlite_store *store, const struct store_steps *steps)
{
    if (steps == NULL) {
        return sqlite3_exec(store->writer, "DELETE FROM step", NULL, NULL, NULL) == SQLITE_OK;
    }
    store->may_have_steps = true;
    return sqlite_run(
        store->sql[SQL_STEPS],
        SQLITE_VALUES(sqlite_text(steps->game.a), sqlite_text(steps->game.b),
                      sqlite_number((int64_t)steps->game.pair), sqlite_number(steps->game.leg),
                      sqlite_number(steps->game.game), sqlite_number(steps->first),
                      sqlite_text(steps->lines), sqlite_number(steps->left_ns[0]),
                      sqlite_number(steps->left_ns[1]), sqlite_number(steps->delay_ns[0]),
                      sqlite_number(steps->delay_ns[1]), sqlite_number(steps->on_clock)));
}

bool sqlite_steps_drop(struct sqlite_store *store, const struct store_game *game)
{
    return !store->may_have_steps ||
           sqlite_run(store->sql[SQL_STEPS_DROP],
                      SQLITE_VALUES(sqlite_text(game->a), sqlite_text(game->b),
                                    sqlite_number((int64_t)game->pair), sqlite_number(game->leg),
                                    sqlite_number(game->game)));
}
