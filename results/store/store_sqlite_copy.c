/* Copies of a database: one that is asked for while an event writes, and one of what was stored
 * when its file was removed, moved or replaced, which the system keeps for processes that have it
 * open.
 */
#define _GNU_SOURCE
#include "store_sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/durable.h"
#include "base/utc.h"

/* ------------------------------------------------------------------ while an event writes
 * By SQLite's online backup. The reader's snapshot is one transaction; without it SQLite would
 * begin again after each commit of the referee, and never end. */

enum { STEP_PAGES = 256, PAUSE_MOST_NS = 100000000 };

/* Leaves the disk to the referee for as long as the step had it. */
static void pause_for(int64_t step_ns)
{
    struct timespec pause = {.tv_nsec = step_ns < PAUSE_MOST_NS ? (long)step_ns : PAUSE_MOST_NS};

    nanosleep(&pause, NULL);
}

static enum bg_status copy_pages(sqlite3 *to, const char *path, struct sqlite_store *from,
                                 struct bg_error *err)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from->reader, "main");
    int code = SQLITE_OK;

    if (backup == NULL) {
        return sqlite_story(err, path, "copy", to);
    }
    while (code == SQLITE_OK) {
        int64_t begun_ns = utc_steady_ns();

        code = sqlite3_backup_step(backup, STEP_PAGES);
        if (code == SQLITE_OK) {
            pause_for(utc_steady_ns() - begun_ns);
        }
    }
    if (sqlite3_backup_finish(backup) != SQLITE_OK || code != SQLITE_DONE) {
        return bg_error_set(err, BG_E_STORE, "copy %s to %s: %s", from->path, path,
                            sqlite3_errstr(code));
    }
    return BG_OK;
}

/* One file, which nothing else belongs to. */
static bool end_log(sqlite3 *db)
{
    char mode[16];

    return sqlite_answer(mode, sizeof mode, db, "PRAGMA journal_mode=DELETE") &&
           sqlite3_stricmp(mode, "delete") == 0;
}

static enum bg_status remove_mark(sqlite3 *db, const char *path, const struct sqlite_store *from,
                                  struct bg_error *err)
{
    struct sqlite_store copy = {.writer = db, .path = from->path};
    enum bg_status status = BG_OK;

    if (!sqlite_is_marked(db)) {
        return BG_OK;
    }
    if (!sqlite_seal_teach(db, copy.seal)) {
        return sqlite_story(err, path, "copy", db);
    }
    status = sqlite_seal_begin(&copy, err);
    if (status == BG_OK && !sqlite_unmark(&copy)) {
        status = sqlite_story(err, path, "copy", db);
    }
    sqlite3_finalize(copy.sql[SQL_SEAL]);
    return status;
}

enum bg_status store_sqlite_copy(struct store *from, const char *path, struct bg_error *err)
{
    struct sqlite_store *source = sqlite_store_of(from);
    enum bg_status status = BG_OK;
    sqlite3 *to = NULL;

    if (sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
            SQLITE_OK ||
        /* No journal: it would stay where the disk is full, and nobody goes on with a part. */
        sqlite3_exec(to, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-1024",
                     NULL, NULL, NULL) != SQLITE_OK) {
        status = sqlite_story(err, path, "open", to);
        goto done;
    }
    status = copy_pages(to, path, source, err);
    if (status == BG_OK && !end_log(to)) {
        status = sqlite_story(err, path, "end its log", to);
    }
    if (status == BG_OK) {
        status = remove_mark(to, path, source, err);
    }
done:
    sqlite3_close(to);
    return status;
}

/* ------------------------------------------------------------------ when the file is gone */

enum { COPIES_MOST = 100, COPY_PATH = 1200 };

bool sqlite_seems_gone(struct sqlite_store *store)
{
    struct store_place place = store->place;

    return store->gone.status == BG_OK && !store->read_only &&
           store_place_check(&place, store->path, sqlite_log_of(store->writer)) != NULL;
}

bool sqlite_log_is_cut(const struct sqlite_store *store)
{
    struct store_place place = store->place;

    (void)store_place_check(&place, store->path, sqlite_log_of(store->writer));
    return place.log_cut;
}

/* Chooses "PATH.rescued", with "-2" and so on if that exists. */
static bool choose_name(char out[COPY_PATH], const char *path)
{
    for (int i = 1; i < COPIES_MOST; i++) {
        char number[16] = "";

        if (i > 1) {
            snprintf(number, sizeof number, "-%d", i);
        }
        if (snprintf(out, COPY_PATH, "%s.rescued%s", path, number) >= COPY_PATH) {
            return false;
        }
        if (access(out, F_OK) != 0) {
            return true;
        }
    }
    return false;
}

/* The copy gets no mark, because it was never open. */
static enum bg_status copy_to(const char *copy, struct sqlite_store *store, struct bg_error *err)
{
    enum bg_status status = store_place_folders(copy, err);

    int fd;

    if (status != BG_OK) {
        return status;
    }
    fd = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, STORE_PLACE_MODE);
    if (fd >= 0) { /* else SQLite reports the error */
        close(fd);
    }
    if (!sqlite_unmark(store) ||
        !sqlite_do(store->writer, "VACUUM INTO ?", SQLITE_VALUES(sqlite_text(copy)))) {
        status = sqlite_story(err, store->path, "copy", store->writer);
    } else if (!durable_sync(copy)) {
        status = bg_error_set(err, BG_E_STORE, "results %s: copy: %s", copy, strerror(errno));
    }
    return status;
}

/* When a file is moved, SQLite's log stays where it is, and SQLite would use it for the next file
 * with this name. So copies the log into the old file, which may only have been moved, and removes
 * it. */
static void remove_log(struct sqlite_store *store)
{
    const char *log = sqlite_log_of(store->writer);
    char index[COPY_PATH];

    sqlite3_wal_checkpoint_v2(store->writer, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    if (store_place_has_log(&store->place, log)) {
        snprintf(index, sizeof index, "%.*s-shm", (int)strlen(log) - 4, log);
        unlink(log);
        unlink(index);
    }
}

bool sqlite_is_gone(struct sqlite_store *store, struct bg_error *gone)
{
    struct store_place place = store->place; /* only this thread changes it */
    const char *deed = store_place_check(&place, store->path, sqlite_log_of(store->writer));
    char copy[COPY_PATH];
    struct bg_error err = {0};

    pthread_mutex_lock(&store->mutex);
    store->place = place;
    pthread_mutex_unlock(&store->mutex);
    if (deed == NULL) {
        return false;
    }
    if (place.log_cut) { /* nothing can be copied: what stood only there is lost */
        bg_error_set(gone, BG_E_STORE,
                     "results %s: the log of the database was cut while the event used it; what "
                     "stood only there is lost: start the event again, it plays those games again",
                     store->path);
        return true;
    }
    if (!choose_name(copy, store->path)) {
        bg_error_set(&err, BG_E_STORE, "no free name for a copy");
    } else {
        copy_to(copy, store, &err);
    }
    if (err.status == BG_OK) {
        remove_log(store);
    }
    if (err.status == BG_OK) {
        bg_error_set(gone, BG_E_STORE,
                     "results %s: the %s %s while the event used it; all that was stored is kept "
                     "in %s: move it to the old name to continue",
                     store->path, place.log_lost ? "log of the database" : "file", deed, copy);
    } else {
        bg_error_set(gone, BG_E_STORE,
                     "results %s: the %s %s while the event used it, and no copy could be made: "
                     "%.200s",
                     store->path, place.log_lost ? "log of the database" : "file", deed, err.text);
    }
    return true;
}
