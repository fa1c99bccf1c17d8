/* When games ended. One row for each second in which games ended: the first of them, by its rowid.
 * The games behind it, up to the next row's, ended in the same second. So a date costs nothing in
 * the rows of the games, whose bytes and seals stay as they were. Rowids are in the order of
 * arrival, and VACUUM keeps them, because the table has an index.
 */
#include "store_sqlite.h"

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
