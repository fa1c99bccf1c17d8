/* One SQLite database per results set; docs/record.md has the schema. */
#define _GNU_SOURCE
#include "store_sqlite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/memory.h>
#include <rules/clean.h>

#include "record/game_id.h"
#include "record/record_line.h"
#include "store_file.h"

#define MS_NS INT64_C(1000000)

enum {
    BUSY_MS = 5000,    /* how long to wait for another program's transaction (a shell) */
    PAGE_BYTES = 8192, /* of a new database: a usual game fits into a page */
    CHECKPOINT_PAGES = 2000
};

static const char judgement_schema[] =
    "CREATE TABLE judgement ("
    " judge TEXT NOT NULL, hash TEXT NOT NULL, luck_a REAL NOT NULL, luck_b REAL NOT NULL,"
    " cpu_ns INTEGER NOT NULL, rolls TEXT NOT NULL, choices TEXT,"
    " PRIMARY KEY (judge, hash)) WITHOUT ROWID;";

static const char schema[] =
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE game ("
    " a TEXT NOT NULL, b TEXT NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL,"
    " game INTEGER NOT NULL, length INTEGER NOT NULL, winner INTEGER NOT NULL,"
    " points INTEGER NOT NULL, level INTEGER NOT NULL, ended TEXT NOT NULL, fault TEXT,"
    " turns INTEGER NOT NULL, score_a INTEGER NOT NULL, score_b INTEGER NOT NULL,"
    " match_over INTEGER NOT NULL, match_winner INTEGER NOT NULL, left_a_ns INTEGER NOT NULL,"
    " left_b_ns INTEGER NOT NULL, hash TEXT NOT NULL, record TEXT NOT NULL,"
    " id TEXT GENERATED ALWAYS AS (" GAME_ID_SQL ") VIRTUAL,"
    " PRIMARY KEY (a, b, pair, leg, game));"
    "CREATE TABLE fault ("
    " number INTEGER PRIMARY KEY, game_id TEXT, bot TEXT, fault TEXT NOT NULL, decision INTEGER,"
    " rule TEXT, position_id TEXT, xgid TEXT, dice TEXT, reply TEXT, stderr_tail TEXT, legal TEXT,"
    " reproduce TEXT, story TEXT);"
    "CREATE TABLE unplayed ("
    " a TEXT NOT NULL, b TEXT NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL, bot TEXT,"
    " why TEXT, fixture TEXT GENERATED ALWAYS AS (" GAME_ID_SQL_LEG ") VIRTUAL,"
    " PRIMARY KEY (a, b, pair, leg)) WITHOUT ROWID;";

static int64_t patience_ns; /* of readers; 0: they wait as long as it takes */

void store_sqlite_patience(int64_t query_ns)
{
    patience_ns = query_ns;
}

/* The error of the system, if the file can't be read or synced just now; 0 none. Asks through
 * SQLite's own descriptor: closing another one of the file would drop its locks. */
static int probe(sqlite3 *db)
{
    sqlite3_file *file = NULL;
    char byte;

    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
        file == NULL || file->pMethods == NULL) {
        return 0;
    }
    errno = 0;
    return file->pMethods->xRead(file, &byte, 1, 0) != SQLITE_OK ||
                   file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) != SQLITE_OK
               ? errno
               : 0;
}

/* SQLite takes a page that a failing file system does not return for a damaged one. */
enum bg_status sqlite_story(struct bg_error *err, const char *path, const char *what, sqlite3 *db)
{
    int code = sqlite3_errcode(db), system = sqlite3_system_errno(db);
    bool has_system = system != 0 && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN);
    int error = code == SQLITE_CORRUPT || code == SQLITE_NOTADB ? probe(db) : 0;

    if (error != 0) {
        return bg_error_set(err, BG_E_STORE,
                            "results %s: %s: its file system fails: %s; nothing is known to be "
                            "damaged: the next start checks the whole database and goes on",
                            path, what, strerror(error));
    }
    if (patience_ns > 0 && (code == SQLITE_INTERRUPT || code == SQLITE_BUSY)) {
        return bg_error_set(err, BG_E_TIMEOUT, "results %s: %s: no answer after %lld ms: %s", path,
                            what, (long long)(patience_ns / MS_NS), sqlite3_errmsg(db));
    }
    if (code == SQLITE_INTERRUPT) {
        return bg_error_set(err, BG_E_STORE,
                            "results %s: %s: a query takes more steps than a file of this size "
                            "needs; bgref did not write it so",
                            path, what);
    }
    return bg_error_set(err, BG_E_STORE, "results %s: %s: %s%s%s", path, what, sqlite3_errmsg(db),
                        has_system ? ": " : "", has_system ? strerror(system) : "");
}

/* --- opening and closing ----------------------------------------------------------------- */

static void sqlite_store_destroy(struct sqlite_store *store)
{
    if (store == NULL) {
        return;
    }
    sqlite_write_end(store);
    if (store->has_mark && store->gone.status == BG_OK) {
        sqlite_unmark(store);
    }
    sqlite3_finalize(store->sql[SQL_SEAL]);
    /* Close the writer last: that copies the write-ahead log into the database. */
    sqlite3_close(store->reader);
    sqlite3_close(store->writer);
    store_place_leave(&store->place);
    store_lock_close(store->lock);
    sqlite_tally_free(store);
    sqlite_runs_free(store);
    store_queue_deinit(&store->queue);
    store_queue_deinit(&store->batch);
    free(store->path);
    free(store);
}

static void sqlite_destroy(struct store *base)
{
    sqlite_store_destroy(sqlite_store_of(base));
}

static const struct store_ops sqlite_store_ops = {
    .destroy = sqlite_destroy,
    .meta_get = sqlite_meta_get,
    .each = sqlite_each,
    .put = sqlite_put,
    .change = sqlite_change,
    .listen = sqlite_listen,
    .progress = sqlite_progress,
    .settled_fd = sqlite_settled_fd,
    .settled = sqlite_settled,
    .flush = sqlite_flush,
    .snapshot = sqlite_snapshot,
    .check = sqlite_check,
};

/* Checks that the database is a results database. *is_empty: it has no tables. Changes nothing. */
static enum bg_status check_schema(bool *is_empty, sqlite3 *db, const char *path,
                                   struct bg_error *err)
{
    int64_t application, version, tables;

    if (!sqlite_first(db, "PRAGMA application_id", &application) ||
        !sqlite_first(db, "PRAGMA user_version", &version) ||
        !sqlite_first(db, "SELECT count(*) FROM sqlite_master", &tables)) {
        int code = sqlite3_errcode(db);

        if (code == SQLITE_IOERR || code == SQLITE_FULL || code == SQLITE_CANTOPEN ||
            code == SQLITE_NOMEM || code == SQLITE_BUSY) { /* the file may be good */
            return sqlite_story(err, path, "open", db);
        }
        if (code == SQLITE_CORRUPT) { /* so a database whose log was removed may be too */
            return bg_error_set(err, BG_E_STORE,
                                "results %s: damaged (%s): continue with a backup, and keep this "
                                "file: sqlite3 .recover shows what is left",
                                path, sqlite3_errmsg(db));
        }
        return bg_error_set(err, BG_E_ARGUMENT, "results %s: not a results database: %s", path,
                            sqlite3_errmsg(db));
    }
    bool fresh = application == 0 && version == 0 && tables == 0;

    *is_empty = fresh;
    if (!fresh && application != STORE_APPLICATION) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "results %s: a database of another program, not results of bgref; "
                            "choose another name",
                            path);
    }
    if (!fresh && version != SCHEMA_NOW) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "results %s: written by %s bgref (schema version %lld, this program "
                            "knows %d); use that program or another name",
                            path, version > SCHEMA_NOW ? "a newer" : "an older", (long long)version,
                            SCHEMA_NOW);
    }
    return BG_OK;
}

static enum bg_status make_schema(struct sqlite_store *store, struct bg_error *err)
{
    const char *const schemas[] = {schema,
                                   judgement_schema,
                                   sqlite_tally_schema,
                                   sqlite_aside_schema,
                                   sqlite_runs_schema,
                                   sqlite_rows_schema};
    sqlite3 *db = store->writer;
    char marks[96];
    bool done =
        sqlite_exec(db, "BEGIN IMMEDIATE"); /* a kill in between leaves the database empty */

    /* The marks are set last in the transaction, so that a database with this version has all of
     * its tables. */
    snprintf(marks, sizeof marks, "PRAGMA application_id=%d; PRAGMA user_version=%d",
             STORE_APPLICATION, SCHEMA_NOW);
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0] && done; i++) {
        done = sqlite_exec(db, schemas[i]);
    }
    if (!done || !sqlite_seal_make(store) || !sqlite_exec(db, marks) ||
        !sqlite_exec(db, "COMMIT")) {
        return sqlite_story(err, store->path, "create", db);
    }
    return BG_OK;
}

/* Makes one change to existing rows, sealed, in its own transaction; on the writing thread. */
static bool edit(struct sqlite_store *store, const char *text)
{
    bool done = sqlite_exec(store->writer, "BEGIN IMMEDIATE") && sqlite_exec(store->writer, text) &&
                sqlite_seal_write(store) && sqlite_exec(store->writer, "COMMIT");

    sqlite_seal_settle(store, done);
    if (sqlite3_get_autocommit(store->writer) == 0) {
        sqlite_exec(store->writer, "ROLLBACK");
    }
    return done;
}

bool sqlite_is_marked(sqlite3 *db)
{
    int64_t marked;

    return sqlite_first(db, "SELECT 1 FROM meta WHERE key='" STORE_OPEN "'", &marked);
}

bool sqlite_unmark(struct sqlite_store *store)
{
    return edit(store, "DELETE FROM meta WHERE key='" STORE_OPEN "'");
}

/* Sets the mark that the database is open. If the mark is already there but its log is not, the log
 * was lost, or removed, after a run was cut off. Checkpoints once, so that the tables and the mark
 * are in the file itself. */
static enum bg_status set_mark(struct sqlite_store *store, bool had_log, struct bg_error *err)
{
    if (sqlite_is_marked(store->writer) && !had_log &&
        !edit(store, "INSERT OR REPLACE INTO meta VALUES('" STORE_LOG_LOST "','new')")) {
        return sqlite_story(err, store->path, "open", store->writer);
    }
    if (!edit(store, "INSERT OR REPLACE INTO meta VALUES('" STORE_OPEN "','yes')") ||
        !sqlite_exec(store->writer, "PRAGMA wal_checkpoint(PASSIVE)")) {
        return sqlite_story(err, store->path, "open", store->writer);
    }
    store->has_mark = true;
    return BG_OK;
}

/* Whether there is a log that is not empty. Asked before the first statement, with which SQLite
 * would make a log, or recover the old one. */
static bool has_log(sqlite3 *db)
{
    const char *log = sqlite_log_of(db);
    struct stat info;

    return log != NULL && stat(log, &info) == 0 && info.st_size > 0;
}

static enum bg_status open_writer(struct sqlite_store *store, struct bg_error *err)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    enum bg_status status;
    bool is_empty, had_log;
    char text[96];

    if (sqlite3_open_v2(store->path, &store->writer, flags, NULL) != SQLITE_OK) {
        return sqlite_story(err, store->path, "open", store->writer);
    }
    sqlite3_busy_timeout(store->writer, BUSY_MS);
    had_log = has_log(store->writer);
    /* Before the journal mode is set: that would write into a database which is not ours. */
    status = check_schema(&is_empty, store->writer, store->path, err);
    if (status == BG_OK) {
        sqlite_shape_forbid(store->writer);
        status = sqlite_shape_check(store->writer, store->path, err);
    }
    if (status != BG_OK) {
        /* Closing would copy the log of a run that was cut off into the database and remove it:
         * the program that wrote it would then miss its log. */
        (void)sqlite3_db_config(store->writer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, had_log, NULL);
        return status;
    }
    snprintf(text, sizeof text, "PRAGMA page_size=%d; PRAGMA wal_autocheckpoint=%d", PAGE_BYTES,
             CHECKPOINT_PAGES);
    /* Of what a transaction has changed nothing is written before its end, where it is written
     * once. */
    if (!sqlite_exec(store->writer, text) ||
        !sqlite_exec(store->writer, "PRAGMA journal_mode=WAL") ||
        !sqlite_exec(store->writer, "PRAGMA synchronous=FULL; PRAGMA cache_spill=OFF; "
                                    "PRAGMA cache_size=-1024")) {
        return sqlite_story(err, store->path, "open", store->writer);
    }
    sqlite_dates_forget(store);
    if (!sqlite_seal_teach(store->writer, store->seal)) {
        return sqlite_story(err, store->path, "open", store->writer);
    }
    if (is_empty) {
        status = make_schema(store, err);
    } else if (had_log || sqlite_is_marked(store->writer)) { /* a run that ends removes both */
        status = sqlite_damage_check(store, err);
    }
    if (status == BG_OK) { /* the first write has created the file */
        status = store_place_take(&store->place, store->path, err);
    }
    if (status == BG_OK) {
        status = sqlite_seal_begin(store, err);
    }
    if (status == BG_OK && !(sqlite_acts_begin(store) && sqlite_steps_begin(store))) {
        status = sqlite_story(err, store->path, "open", store->writer);
    }
    status = status == BG_OK ? set_mark(store, had_log, err) : status;
    if (status == BG_OK) {
        store_place_watch(&store->place, sqlite_log_of(store->writer));
    }
    return status;
}

/* Defines clean(TEXT) for our queries, see rules/clean.h. Text with several lines keeps them; NULL
 * stays NULL. */
static void sql_clean(sqlite3_context *context, int count, sqlite3_value **value)
{
    const char *text = (const char *)sqlite3_value_text(value[0]);
    size_t size = text == NULL ? 0 : (size_t)sqlite3_value_bytes(value[0]);
    char *out;

    (void)count;
    if (clean_find(text, size, CLEAN_TEXT) == size) {
        sqlite3_result_value(context, value[0]);
        return;
    }
    out = sqlite3_malloc64(CLEAN_GROWTH * size + 1);
    if (out == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    clean_write(out, CLEAN_GROWTH * size + 1, text, size, CLEAN_TEXT);
    sqlite3_result_text(context, out, -1, sqlite3_free);
}

static bool teach_clean(sqlite3 *reader)
{
    sqlite_shape_forbid(reader);
    return sqlite3_create_function(reader, "clean", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                   sql_clean, NULL, NULL) == SQLITE_OK;
}

/* Returns "file:PATH?immutable=1" with special characters escaped. Owned by the caller. */
static char *immutable_uri(const char *path)
{
    static const char hex[] = "0123456789ABCDEF";
    char *uri = memory_zeroed(3 * strlen(path) + 32, 1), *at = line_put(uri, "file:");

    for (; *path != '\0'; path++) {
        unsigned char byte = (unsigned char)*path;

        if (byte == '?' || byte == '#' || byte == '%') {
            *at++ = '%';
            *at++ = hex[byte >> 4];
            *at++ = hex[byte & 15];
        } else {
            *at++ = *path;
        }
    }
    *line_put(at, "?immutable=1") = '\0';
    return uri;
}

/* Opens a database on a read-only medium. SQLite cannot create its shared memory there, and does
 * not need it because nobody writes. If a write-ahead log is left over, `immutable` would hide the
 * last games; then the user has to copy the files. */
static enum bg_status open_immutable(struct sqlite_store *store, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct stat wal;
    char *uri = immutable_uri(store->path);
    char *log = memory_print("%s-wal", store->path);

    if (stat(log, &wal) == 0 && wal.st_size > 0) {
        status =
            bg_error_set(err, BG_E_STORE,
                         "results %s: the last run was cut off and its log cannot be read in a "
                         "read-only folder; copy it together with %s and read the copy",
                         store->path, log);
        goto done;
    }
    sqlite3_close(store->reader);
    store->reader = NULL;
    if (sqlite3_open_v2(uri, &store->reader,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK ||
        !teach_clean(store->reader)) {
        status = sqlite_story(err, store->path, "open", store->reader);
    }
done:
    free(uri);
    free(log);
    return status;
}

static enum bg_status open_reader(struct sqlite_store *store, struct bg_error *err)
{
    int64_t tables;

    if (sqlite3_open_v2(store->path, &store->reader, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK ||
        !teach_clean(store->reader)) {
        return sqlite_story(err, store->path, "open", store->reader);
    }
    sqlite3_busy_timeout(store->reader, patience_ns > 0 ? (int)(patience_ns / MS_NS) : BUSY_MS);
    if (!sqlite_first(store->reader, "SELECT count(*) FROM sqlite_master", &tables)) {
        int code = sqlite3_errcode(store->reader);

        if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) {
            return open_immutable(store, err);
        }
    }
    return BG_OK;
}

/* Nobody asks SQLite how much memory it has; to count it takes a lock with every piece. */
static void count_no_memory(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static struct sqlite_store *create(const char *path)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct sqlite_store *store = memory_zeroed(1, sizeof *store);

    pthread_once(&once, count_no_memory);
    store->base.ops = &sqlite_store_ops;
    store->place = (struct store_place)STORE_PLACE_INIT;
    store->lock = -1;
    store->event = -1;
    store->path = memory_text(path);
    return store;
}

enum bg_status store_sqlite_open(struct store **out, const char *path, struct bg_error *err)
{
    struct sqlite_store *store = create(path);
    enum bg_status status = store_file_check(path, err);

    status = status == BG_OK ? store_place_folders(path, err) : status;
    status = status == BG_OK ? store_lock_open(&store->lock, path, err) : status;
    status = status == BG_OK ? store_place_take(&store->place, path, err) : status;
    status = status == BG_OK ? open_writer(store, err) : status;
    status = status == BG_OK ? open_reader(store, err) : status;
    if (status == BG_OK) {
        /* Beside a writer it reads a leg now and then and the sums at the end: 2 MiB of pages would
         * stay for nothing. */
        (void)sqlite_exec(store->reader, "PRAGMA cache_size=-256");
        /* The thread is started last, when nothing can fail any more that would need it stopped. */
        status = sqlite_write_begin(store, err);
    }
    if (status == BG_OK) {
        *out = &store->base;
        store = NULL; /* now the caller's */
    }
    sqlite_store_destroy(store);
    return status;
}

static uint64_t size_of(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
}

/* What store_sqlite_release has said. */
static struct {
    char *path;
    int64_t delay_s;
} * released;
static size_t released_count, released_room;

/* Returns released_count for a path of which nothing was said. */
static size_t find_released(const char *path)
{
    size_t i = 0;

    while (i < released_count && strcmp(released[i].path, path) != 0) {
        i++;
    }
    return i;
}

void store_sqlite_release(const char *path, int64_t delay_s)
{
    const size_t at = find_released(path);

    if (at == released_count) {
        released = memory_list(released, &released_room, at + 1, sizeof *released);
        released[released_count++].path = memory_text(path);
    }
    released[at].delay_s = delay_s;
}

bool store_sqlite_is_released(const char *path)
{
    return find_released(path) < released_count;
}

/* A view in front of the table: no query of ours, present or later, can forget it. Rowids are in
 * the order in which games ended, as are the moments. Of faults only what everybody may know; and
 * until the root of an event is there, nothing from which its coming dice follow: a seed, its
 * digest, which those who guess a seed could compare, and commands, which may have it. */
static bool hide_unreleased(sqlite3 *db, int64_t delay_s)
{
    char *sql = memory_print(
        "CREATE TEMP VIEW game AS SELECT rowid,* FROM main.game g WHERE rowid<ifnull((SELECT"
        " min(first) FROM main.moment WHERE at>strftime('%%s','now')-%lld),1<<62)"
        " AND (NOT EXISTS(SELECT 1 FROM main.meta WHERE key='event.duplicate' AND value='on') OR"
        " (SELECT count(DISTINCT leg) FROM main.game o WHERE o.a=g.a AND o.b=g.b AND o.pair=g.pair"
        " AND o.match_over)=2);"
        "CREATE TEMP VIEW fault AS SELECT number,game_id,bot,fault,decision,rule,NULL position_id,"
        "NULL xgid,NULL dice,NULL reply,NULL stderr_tail,NULL legal,NULL reproduce,NULL "
        "story,attempt"
        " FROM main.fault;"
        "CREATE TEMP VIEW meta AS SELECT key,iif(key='event.seed' AND value<>'random',"
        "'(told when the event has ended)',value) value FROM main.meta"
        " WHERE key<>'dice.key' AND key NOT GLOB 'command.*' AND (key<>'dice.digest' OR NOT EXISTS("
        "SELECT 1 FROM main.meta WHERE key='dice.kind' AND value='reproducible')) OR EXISTS("
        "SELECT 1 FROM main.meta WHERE key='results.root')",
        (long long)delay_s);
    bool done = sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;

    free(sql);
    return done;
}

enum bg_status store_sqlite_open_read(struct store **out, const char *path, struct bg_error *err)
{
    struct sqlite_store *store = create(path);
    const size_t at = find_released(path);
    bool is_empty;
    enum bg_status status = access(path, R_OK) != 0 ? store_place_missing(path, errno, err) : BG_OK;

    store->read_only = true;
    status = status == BG_OK ? store_file_check(path, err) : status;
    status = status == BG_OK ? open_reader(store, err) : status;
    status = status == BG_OK ? check_schema(&is_empty, store->reader, path, err) : status;
    if (status == BG_OK && is_empty) {
        status = bg_error_set(err, BG_E_ARGUMENT, "results %s: an empty database", path);
    }
    status = status == BG_OK ? sqlite_shape_check(store->reader, path, err) : status;
    if (status == BG_OK && at < released_count &&
        !hide_unreleased(store->reader, released[at].delay_s)) {
        status = sqlite_story(err, path, "release", store->reader);
    }
    if (status == BG_OK) {
        /* Only for readers: a file from elsewhere may have a view or an index that makes one of
         * our queries run for ever. */
        sqlite_shape_bound(&store->bound, store->reader, sqlite_shape_steps(size_of(path)),
                           patience_ns);
        *out = &store->base;
        store = NULL; /* now the caller's */
    }
    sqlite_store_destroy(store);
    return status;
}
