/* The journal: a row for each act on the event, in the order of their numbers. Rows are only added.
 */
#include "store_sqlite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char schema[] = "CREATE TABLE IF NOT EXISTS act ("
                             " number INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL,"
                             " kind TEXT NOT NULL, subject TEXT NOT NULL, reason TEXT NOT NULL,"
                             " hash TEXT NOT NULL);";

bool sqlite_acts_make(sqlite3 *db)
{
    return sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK;
}

/* --- writing ------------------------------------------------------------------------------ */

bool sqlite_acts_begin(struct sqlite_store *store)
{
    sqlite3_stmt *sql = NULL;
    bool done = sqlite3_prepare_v2(store->writer, "SELECT ifnull(max(number),0) FROM act", -1, &sql,
                                   NULL) == SQLITE_OK &&
                sqlite3_step(sql) == SQLITE_ROW;

    store->acts = done ? (uint64_t)sqlite3_column_int64(sql, 0) : 0;
    return sqlite3_finalize(sql) == SQLITE_OK && done;
}

bool sqlite_acts_write(struct sqlite_store *store, const struct act *act)
{
    sqlite3_stmt *sql = store->sql[SQL_ACT];
    bool done;

    sqlite3_bind_int64(sql, 1, (int64_t)act->number);
    sqlite_bind_text(sql, 2, act->at);
    sqlite_bind_text(sql, 3, act->who);
    sqlite_bind_text(sql, 4, act->kind);
    sqlite_bind_text(sql, 5, act->subject);
    sqlite_bind_text(sql, 6, act->reason);
    sqlite_bind_text(sql, 7, act->hash);
    done = sqlite3_step(sql) == SQLITE_DONE;
    sqlite3_reset(sql);
    return done;
}

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
