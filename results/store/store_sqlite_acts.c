/* The journal: a row for each act on the event, in the order of their numbers. Rows are only added.
 */
#include "store_sqlite.h"

#include <inttypes.h>

const char sqlite_acts_schema[] =
    "CREATE TABLE IF NOT EXISTS act ("
    " number INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL,"
    " kind TEXT NOT NULL, subject TEXT NOT NULL, reason TEXT NOT NULL,"
    " hash TEXT NOT NULL);";

/* --- writing ------------------------------------------------------------------------------ */

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
