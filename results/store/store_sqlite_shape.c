#define _GNU_SOURCE /* strcasestr, memmem */
#include "store_sqlite_shape.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <base/memory.h>
#include <base/utc.h>

#include "record/game_id.h"
#include "rules/clean.h"

#define STEPS_MOST UINT64_C(4000000000)

enum {
    STEPS_BETWEEN = 1000000, /* looks at a query after so many steps: some 10 ms */
    STEPS_HURRY = 20000,     /* where its time counts: a file that is not in memory is slow */
    STEPS_FREE = 200000000,  /* of any query: seconds */
    STEPS_A_BYTE = 50,       /* our slowest query takes 3: a join over all games */
    VALUE_BYTES = 256 << 20  /* of one value; the largest that bgref writes is a tenth of it */
};

void sqlite_shape_forbid(sqlite3 *db)
{
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    (void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, VALUE_BYTES);
}

/* ---- what the schema says ---- */

static bool begins_with_word(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

static bool is_in_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '$' || (byte & 0x80) != 0;
}

/* Whether the text has the word AS, without which a column cannot be computed. */
static bool computes(const char *text)
{
    for (const char *at = text; (at = strcasestr(at, "as")) != NULL; at += 2) {
        if ((at == text || !is_in_word(at[-1])) && !is_in_word(at[2])) {
            return true;
        }
    }
    return false;
}

/* Takes the columns that bgref itself computes out of the text. */
static void take_out_own(char *text)
{
    static const char *const own[] = {"AS (" GAME_ID_SQL ")", "AS (" GAME_ID_SQL_LEG ")"};

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        const size_t length = strlen(own[i]);

        for (char *at = text; (at = strstr(at, own[i])) != NULL;) {
            memmove(at, at + length, strlen(at + length) + 1);
        }
    }
}

/* Returns what is wrong with an entry of the schema; NULL: nothing. SQLite obeys the text, whatever
 * the type beside it says. */
static const char *wrong_with(const char *type, char *text)
{
    if (text == NULL) {
        return strcmp(type, "index") == 0 ? NULL : "nothing that bgref makes";
    }
    if (begins_with_word(text, "CREATE INDEX ") || begins_with_word(text, "CREATE UNIQUE INDEX ")) {
        return strcmp(type, "index") == 0 ? NULL : "an index that says it is something else";
    }
    if (begins_with_word(text, "CREATE VIEW ")) {
        return "a view, not a table";
    }
    if (begins_with_word(text, "CREATE TRIGGER ")) {
        return "a trigger";
    }
    if (!begins_with_word(text, "CREATE TABLE ") || strcmp(type, "table") != 0) {
        return begins_with_word(text, "CREATE VIRTUAL ") ? "a virtual table"
                                                         : "nothing that bgref makes";
    }
    take_out_own(text);
    return computes(text) ? "a table with a computed column" : NULL;
}

enum bg_status sqlite_shape_check(sqlite3 *db, const char *path, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    sqlite3_stmt *sql = NULL;

    if (sqlite3_prepare_v2(db, "SELECT type, name, sql FROM sqlite_master", -1, &sql, NULL) !=
        SQLITE_OK) {
        return bg_error_set(err, BG_E_STORE, "results %s: open: %s", path, sqlite3_errmsg(db));
    }
    while (status == BG_OK && sqlite3_step(sql) == SQLITE_ROW) {
        const char *type = (const char *)sqlite3_column_text(sql, 0);
        const char *name = (const char *)sqlite3_column_text(sql, 1);
        const char *text = (const char *)sqlite3_column_text(sql, 2);
        char *copy = memory_text(text);
        const char *wrong = type == NULL || name == NULL ? "not readable" : wrong_with(type, copy);

        if (wrong != NULL) {
            char shown[64];

            clean_write(shown, sizeof shown, name == NULL ? "?" : name,
                        name == NULL ? 1 : strlen(name), CLEAN_LINE);
            status = bg_error_set(err, BG_E_MISMATCH,
                                  "results %s: %s is %s; bgref does not write such a file, take "
                                  "the one that it wrote",
                                  path, shown, wrong);
        }
        free(copy);
    }
    sqlite3_finalize(sql);
    return status;
}

/* ---- steps ---- */

uint64_t sqlite_shape_steps(uint64_t file_bytes)
{
    return file_bytes > (STEPS_MOST - STEPS_FREE) / STEPS_A_BYTE
               ? STEPS_MOST
               : STEPS_FREE + file_bytes * STEPS_A_BYTE;
}

static int on_begun(unsigned event, void *user, void *sql, void *text)
{
    struct sqlite_bound *bound = user;

    (void)event;
    (void)sql;
    (void)text;
    bound->asked = 0;
    bound->begun_ns = bound->patience_ns > 0 ? utc_steady_ns() : 0;
    return 0;
}

/* SQLite adds the steps of a call of sqlite3_step to the query's count when the call returns. Those
 * of the call that runs are known by how often it was asked here since a query began. */
static int is_too_long(void *user)
{
    struct sqlite_bound *bound = user;
    uint64_t before = 0;

    for (sqlite3_stmt *sql = sqlite3_next_stmt(bound->db, NULL); sql != NULL;
         sql = sqlite3_next_stmt(bound->db, sql)) {
        const uint32_t steps = (uint32_t)sqlite3_stmt_status(sql, SQLITE_STMTSTATUS_VM_STEP, 0);
        const uint32_t runs = (uint32_t)sqlite3_stmt_status(sql, SQLITE_STMTSTATUS_RUN, 0);
        const uint64_t mean = steps / (runs > 0 ? runs : 1);

        before = sqlite3_stmt_busy(sql) && mean > before ? mean : before;
    }
    bound->asked++;
    return before > bound->most || bound->asked * bound->each > bound->most ||
           (bound->patience_ns > 0 && utc_steady_ns() - bound->begun_ns > bound->patience_ns);
}

void sqlite_shape_bound(struct sqlite_bound *bound, sqlite3 *db, uint64_t most, int64_t patience_ns)
{
    *bound = (struct sqlite_bound){.db = db,
                                   .most = most,
                                   .each = patience_ns > 0 ? STEPS_HURRY : STEPS_BETWEEN,
                                   .patience_ns = patience_ns};
    sqlite3_trace_v2(db, SQLITE_TRACE_STMT, on_begun, bound);
    sqlite3_progress_handler(db, (int)bound->each, is_too_long, bound);
}
