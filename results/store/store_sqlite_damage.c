/* What a machine that failed may have done to a database: found before more is built on it. A
 * page that was half written may still be a page to SQLite. So after an unclean end every record
 * is compared with its hash and every table with its seal: going on from a damaged row would
 * spread it into sums, which no later check could tell from true ones. */
#include "store_sqlite.h"

#include <stdio.h>
#include <string.h>

#include "record/record_text.h"

enum { SQL_MOST = 2048 };

/* A record ends with a line of its hash, which the row has too. */
static bool fits_hash(const char *record, size_t size, const char *hash)
{
    char now[RECORD_HASH], last[sizeof "hash \n" + RECORD_HASH];
    size_t end = (size_t)snprintf(last, sizeof last, "hash %.*s\n", RECORD_HASH - 1, hash);

    if (size < end || memcmp(record + size - end, last, end) != 0) {
        return false;
    }
    record_hash_text(now, record, size - end);
    return strcmp(now, hash) == 0;
}

/* The name of the first game whose record is not the one that was written; "" none. */
static bool find_record(char *out, size_t room, struct sqlite_store *store, enum seal_table table)
{
    char text[SQL_MOST], sum[SQL_MOST / 2];
    sqlite3 *db = store->writer;
    sqlite3_stmt *sql = NULL;
    int code;

    *out = '\0';
    sqlite_seal_summing(sum, sizeof sum, store, table);
    snprintf(text, sizeof text, "SELECT id,hash,record,%s FROM %s", sum,
             table == SEAL_GAME ? "game" : "set_aside");
    code = sqlite3_prepare_v2(db, text, -1, &sql, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(sql)) == SQLITE_ROW && *out == '\0') {
        const char *hash = (const char *)sqlite3_column_text(sql, 1);
        const char *record = (const char *)sqlite3_column_text(sql, 2);

        code = SQLITE_OK;
        if (hash == NULL || record == NULL ||
            !fits_hash(record, (size_t)sqlite3_column_bytes(sql, 2), hash)) {
            const char *id = (const char *)sqlite3_column_text(sql, 0);

            snprintf(out, room, "the record of game %.120s", id == NULL ? "?" : id);
        }
    }
    return sqlite3_finalize(sql) == SQLITE_OK && (code == SQLITE_DONE || *out != '\0');
}

/* SQLite's own view of the file; "" if it is whole. quick_check and not integrity_check, which
 * also compares indexes with rows and takes longer; the seal does that part. */
static bool find_page(char *out, size_t room, sqlite3 *db)
{
    bool has = sqlite_answer(out, room, db, "PRAGMA quick_check(1)");

    if (has && strcmp(out, "ok") == 0) {
        *out = '\0';
    }
    for (char *at = out; *at != '\0'; at++) {
        *at = *at == '\n' ? ' ' : *at;
    }
    return has || sqlite3_errcode(db) == SQLITE_CORRUPT || sqlite3_errcode(db) == SQLITE_NOTADB;
}

enum bg_status sqlite_damage_check(struct sqlite_store *store, struct bg_error *err)
{
    sqlite3 *db = store->writer;
    char what[200];
    const char *table = NULL;
    bool done = find_page(what, sizeof what, db);

    if (done && what[0] == '\0') {
        done = find_record(what, sizeof what, store, SEAL_GAME);
    }
    if (done && what[0] == '\0') {
        done = find_record(what, sizeof what, store, SEAL_ASIDE);
    }
    if (done && what[0] == '\0') {
        done = sqlite_seal_find(&table, store);
        snprintf(what, sizeof what, "%s%s", table == NULL ? "" : "rows of table ",
                 table == NULL ? "" : table);
    }
    if (!done) {
        return sqlite_story(err, store->path, "check", db);
    }
    return what[0] == '\0'
               ? BG_OK
               : bg_error_set(err, BG_E_STORE,
                              "results %s: damaged while an earlier run was cut off, or since then "
                              "(%s); nothing is built on it: continue with a backup, and keep this "
                              "file: bgref verify and sqlite3 .recover show what is left",
                              store->path, what);
}
