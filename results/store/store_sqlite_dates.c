/* When games ended. One row for each second in which games ended: the first of them, by its rowid.
 * The games behind it, up to the next row's, ended in the same second. So a date costs nothing in
 * the rows of the games, whose bytes and seals stay as they were. Rowids are in the order of
 * arrival, and VACUUM keeps them, because the table has an index.
 */
#include "store_sqlite.h"

static const char schema[] = "CREATE TABLE IF NOT EXISTS moment ("
                             " first INTEGER PRIMARY KEY, at INTEGER NOT NULL);";

enum { UNKNOWN = -1 };

bool sqlite_dates_make(sqlite3 *db)
{
    return sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK;
}

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
    sqlite3_stmt *sql = NULL;
    int code = sqlite3_prepare_v2(
        store->writer, "SELECT at FROM moment ORDER BY first DESC LIMIT 1", -1, &sql, NULL);

    if (code == SQLITE_OK) {
        code = sqlite3_step(sql);
        store->dated_s = code == SQLITE_ROW ? sqlite3_column_int64(sql, 0) : 0;
    }
    return sqlite3_finalize(sql) == SQLITE_OK && (code == SQLITE_ROW || code == SQLITE_DONE);
}

bool sqlite_date_game(struct sqlite_store *store, const struct store_game *game)
{
    sqlite3_stmt *sql = store->sql[SQL_DATE];
    bool done;

    if (store->dated_s == UNKNOWN && !read_last(store)) {
        return false;
    }
    if (game->at_s == store->dated_s) {
        return true;
    }
    sqlite3_bind_int64(sql, 1, sqlite3_last_insert_rowid(store->writer));
    sqlite3_bind_int64(sql, 2, game->at_s);
    done = sqlite3_step(sql) == SQLITE_DONE;
    store->dated_s = game->at_s;
    return sqlite3_reset(sql) == SQLITE_OK && done;
}
