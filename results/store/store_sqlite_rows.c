/* The small tables beside the games: the journal, when games ended, steps of unfinished games. */
#include "store_sqlite.h"

#include <inttypes.h>

/* ------------------------------------------------------------------ the journal */

/* A row for each act on the event, in the order of their numbers. Rows are only added. */
const char sqlite_acts_schema[] =
    "CREATE TABLE IF NOT EXISTS act ("
    " number INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL,"
    " kind TEXT NOT NULL, subject TEXT NOT NULL, reason TEXT NOT NULL,"
    " hash TEXT NOT NULL);";

bool sqlite_acts_begin(struct sqlite_store *store)
{
    int64_t last;
    bool done = sqlite_first(store->writer, "SELECT ifnull(max(number),0) FROM act", &last);

    store->acts = (uint64_t)last;
    return done;
}

bool sqlite_acts_write(struct sqlite_store *store, const struct act *act)
{
    return sqlite_run(store->sql[SQL_ACT],
                      SQLITE_VALUES(sqlite_number((int64_t)act->number), sqlite_text(act->at),
                                    sqlite_text(act->who), sqlite_text(act->kind),
                                    sqlite_text(act->subject), sqlite_text(act->reason),
                                    sqlite_text(act->hash)));
}

/* Against the number in memory and not the table: acts that are queued count too, or two of them
 * could get one number. */
enum bg_status sqlite_acts_check(const struct sqlite_store *store, const struct act *acts,
                                 size_t count, struct bg_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (acts[i].number != store->acts + i + 1) {
            return bg_error_set(err, BG_E_MISMATCH,
                                "results %s: act %" PRIu64 " does not follow act %" PRIu64
                                " in the journal",
                                store->path, acts[i].number, store->acts + i);
        }
    }
    return BG_OK;
}

/* ------------------------------------------------------------------ when games ended */

/* One row for each second in which games ended: the first of them, by its rowid.
 * The games behind it, up to the next row's, ended in the same second. So a date costs nothing in
 * the rows of the games, whose bytes and seals stay as they were. Rowids are in the order of
 * arrival, and VACUUM keeps them, because the table has an index.
 */
const char sqlite_dates_schema[] = "CREATE TABLE IF NOT EXISTS moment ("
                                   " first INTEGER PRIMARY KEY, at INTEGER NOT NULL);";

enum { UNKNOWN = -1 };

void sqlite_dates_forget(struct sqlite_store *store)
{
    store->dated_s = UNKNOWN;
}

bool sqlite_dates_cut(struct sqlite_store *store)
{
    sqlite_dates_forget(store);
    return sqlite3_exec(store->writer,
                        "DELETE FROM moment WHERE first>(SELECT ifnull(max(rowid),0) FROM game)",
                        NULL, NULL, NULL) == SQLITE_OK;
}

/* Reads the time of the last row; 0 without rows. */
static bool read_last(struct sqlite_store *store)
{
    return sqlite_first(store->writer,
                        "SELECT ifnull((SELECT at FROM moment ORDER BY first DESC LIMIT 1),0)",
                        &store->dated_s);
}

bool sqlite_date_game(struct sqlite_store *store, const struct store_game *game)
{
    if (store->dated_s == UNKNOWN && !read_last(store)) {
        return false;
    }
    if (game->at_s == store->dated_s) {
        return true;
    }
    store->dated_s = game->at_s;
    return sqlite_run(store->sql[SQL_DATE],
                      SQLITE_VALUES(sqlite_number(sqlite3_last_insert_rowid(store->writer)),
                                    sqlite_number(game->at_s)));
}

/* ------------------------------------------------------------------ steps */

/* Steps of games that are being played, for events whose decisions survive the end of the referee.
 * A row is what happened between two decisions. The transaction that stores a game deletes its
 * rows, so a finished event has none. They are neither sealed nor part of the root: who goes on
 * from them replays them by the rules and compares their dice with the key.
 */
const char sqlite_steps_schema[] =
    "CREATE TABLE IF NOT EXISTS step ("
    " a TEXT NOT NULL, b TEXT NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL,"
    " game INTEGER NOT NULL, first INTEGER NOT NULL, steps TEXT NOT NULL,"
    " left0_ns INTEGER NOT NULL, left1_ns INTEGER NOT NULL, delay0_ns INTEGER NOT NULL,"
    " delay1_ns INTEGER NOT NULL, on_clock INTEGER NOT NULL,"
    " PRIMARY KEY (a, b, pair, leg, game, first)) WITHOUT ROWID;";

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
