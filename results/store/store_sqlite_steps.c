/* Steps of games that are being played, for events whose decisions survive the end of the referee.
 * A row is what happened between two decisions. The transaction that stores a game deletes its
 * rows, so a finished event has none. They are neither sealed nor part of the root: who goes on
 * from them replays them by the rules and compares their dice with the key.
 */
#include "store_sqlite.h"

#include <stdio.h>

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS step ("
    " a TEXT NOT NULL, b TEXT NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL,"
    " game INTEGER NOT NULL, first INTEGER NOT NULL, steps TEXT NOT NULL,"
    " left0_ns INTEGER NOT NULL, left1_ns INTEGER NOT NULL, delay0_ns INTEGER NOT NULL,"
    " delay1_ns INTEGER NOT NULL, on_clock INTEGER NOT NULL,"
    " PRIMARY KEY (a, b, pair, leg, game, first)) WITHOUT ROWID;";

bool sqlite_steps_make(sqlite3 *db)
{
    return sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK;
}

/* --- writing ------------------------------------------------------------------------------ */

bool sqlite_steps_begin(struct sqlite_store *store)
{
    sqlite3_stmt *sql = NULL;
    bool done = sqlite3_prepare_v2(store->writer, "SELECT EXISTS (SELECT 1 FROM step)", -1, &sql,
                                   NULL) == SQLITE_OK &&
                sqlite3_step(sql) == SQLITE_ROW;

    store->may_have_steps = done && sqlite3_column_int(sql, 0) != 0;
    return sqlite3_finalize(sql) == SQLITE_OK && done;
}

bool sqlite_steps_write(struct sqlite_store *store, const struct store_steps *steps)
{
    sqlite3_stmt *sql = store->sql[SQL_STEPS];

    if (steps == NULL) {
        return sqlite3_exec(store->writer, "DELETE FROM step", NULL, NULL, NULL) == SQLITE_OK;
    }
    store->may_have_steps = true;
    sqlite_bind_text(sql, 1, steps->game.a);
    sqlite_bind_text(sql, 2, steps->game.b);
    sqlite3_bind_int64(sql, 3, (int64_t)steps->game.pair);
    sqlite3_bind_int(sql, 4, steps->game.leg);
    sqlite3_bind_int(sql, 5, steps->game.game);
    sqlite3_bind_int(sql, 6, steps->first);
    sqlite_bind_text(sql, 7, steps->lines);
    sqlite3_bind_int64(sql, 8, steps->left_ns[0]);
    sqlite3_bind_int64(sql, 9, steps->left_ns[1]);
    sqlite3_bind_int64(sql, 10, steps->delay_ns[0]);
    sqlite3_bind_int64(sql, 11, steps->delay_ns[1]);
    sqlite3_bind_int(sql, 12, steps->on_clock);
    return sqlite_run(sql);
}

bool sqlite_steps_drop(struct sqlite_store *store, const struct store_game *game)
{
    sqlite3_stmt *sql = store->sql[SQL_STEPS_DROP];

    if (!store->may_have_steps) {
        return true;
    }
    sqlite_bind_text(sql, 1, game->a);
    sqlite_bind_text(sql, 2, game->b);
    sqlite3_bind_int64(sql, 3, (int64_t)game->pair);
    sqlite3_bind_int(sql, 4, game->leg);
    sqlite3_bind_int(sql, 5, game->game);
    return sqlite_run(sql);
}
