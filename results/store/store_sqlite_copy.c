/* A copy by SQLite's online backup. The reader's snapshot is one transaction; without it SQLite
 * would begin again after each commit of the referee, and never end. */
#include "store_copy.h"
#include "store_sqlite.h"

#include <time.h>

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
        int64_t begun_ns = sqlite_now_ns();

        code = sqlite3_backup_step(backup, STEP_PAGES);
        if (code == SQLITE_OK) {
            pause_for(sqlite_now_ns() - begun_ns);
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

static bool is_marked(sqlite3 *db)
{
    int64_t marked;

    return sqlite_first(db, "SELECT 1 FROM meta WHERE key='" STORE_OPEN "'", &marked);
}

static enum bg_status remove_mark(sqlite3 *db, const char *path, const struct sqlite_store *from,
                                  struct bg_error *err)
{
    struct sqlite_store copy = {.writer = db, .path = from->path};
    enum bg_status status = BG_OK;

    if (!is_marked(db)) {
        return BG_OK;
    }
    if (!sqlite_seal_teach(db, copy.seal)) {
        return sqlite_story(err, path, "copy", db);
    }
    status = sqlite_seal_begin(&copy, err);
    if (status == BG_OK && !sqlite_edit(&copy, "DELETE FROM meta WHERE key='" STORE_OPEN "'")) {
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
        sqlite3_exec(to, "PRAGMA synchronous=OFF; PRAGMA cache_size=-1024", NULL, NULL, NULL) !=
            SQLITE_OK) {
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
