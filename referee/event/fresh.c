#include "fresh.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "anything.h"
#include "store/store.h"

enum { NAMES_MOST = 1000 };

/* Opened for writing: nobody else does, and closing leaves one file, unless somebody reads. */
static enum bg_status find_played(bool *played, const char *path, struct bg_error *err)
{
    char log[FRESH_PATH + 8];
    struct store *store = NULL;
    enum bg_status status = store_sqlite_open(&store, path, err);

    *played = false;
    if (status == BG_OK) {
        status = anything_played(played, store, err);
    }
    store_destroy(store);
    snprintf(log, sizeof log, "%s-wal", path);
    if (status == BG_OK && *played && access(log, F_OK) == 0) {
        status = bg_error_set(err, BG_E_BUSY,
                              "results %s: another program reads them; end it, then --fresh can "
                              "move them",
                              path);
    }
    return status;
}

/* "DIR/NAME.2026-11-22T091045Z.db", with "-2" ... where that is taken. */
static bool choose_name(struct fresh *fresh, int64_t now_s)
{
    time_t time = (time_t)now_s;
    const char *dot = strrchr(fresh->path, '.'), *slash = strrchr(fresh->path, '/');
    char when[32] = "";
    struct tm utc;
    int stem;

    if (dot == NULL || (slash != NULL && dot < slash)) {
        dot = fresh->path + strlen(fresh->path);
    }
    stem = (int)(dot - fresh->path);
    if (gmtime_r(&time, &utc) != NULL) {
        strftime(when, sizeof when, "%Y-%m-%dT%H%M%SZ", &utc);
    }
    for (int i = 1; i < NAMES_MOST; i++) {
        char number[16] = "";

        if (i > 1) {
            snprintf(number, sizeof number, "-%d", i);
        }
        if (snprintf(fresh->kept, sizeof fresh->kept, "%.*s.%s%s%s", stem, fresh->path, when,
                     number, dot) >= (int)sizeof fresh->kept) {
            return false;
        }
        if (access(fresh->kept, F_OK) != 0) {
            return true;
        }
    }
    return false;
}

/* The database and, where there is one, its key. */
static enum bg_status move(const char *from, const char *to, struct bg_error *err)
{
    char from_key[FRESH_PATH + 8], to_key[FRESH_PATH + 8];

    snprintf(from_key, sizeof from_key, "%s.key", from);
    snprintf(to_key, sizeof to_key, "%s.key", to);
    if (rename(from_key, to_key) != 0 && errno != ENOENT) {
        return bg_error_set(err, BG_E_SYSTEM, "move %s: %s", from_key, strerror(errno));
    }
    if (rename(from, to) != 0) {
        bg_error_set(err, BG_E_SYSTEM, "move %s to %s: %s", from, to, strerror(errno));
        if (rename(to_key, from_key) != 0) {
            errno = 0; /* there was none */
        }
        return BG_E_SYSTEM;
    }
    return BG_OK;
}

enum bg_status fresh_begin(struct fresh *fresh, const char *path, int64_t now_s,
                           struct bg_error *err)
{
    bool played;
    enum bg_status status;

    *fresh = (struct fresh){.kept = ""};
    if (access(path, F_OK) != 0 ||
        snprintf(fresh->path, sizeof fresh->path, "%s", path) >= (int)sizeof fresh->path) {
        return BG_OK;
    }
    status = find_played(&played, path, err);
    if (status != BG_OK || !played) {
        return status;
    }
    if (!choose_name(fresh, now_s)) {
        fresh->kept[0] = '\0';
        return bg_error_set(err, BG_E_SYSTEM, "%s: no free name for the old results", path);
    }
    status = move(path, fresh->kept, err);
    if (status != BG_OK) {
        fresh->kept[0] = '\0';
    }
    return status;
}

enum bg_status fresh_undo(struct fresh *fresh, struct bg_error *err)
{
    static const char *const beside[] = {"-wal",
                                         "-shm"}; /* of what was begun, and is worth nothing */
    char path[FRESH_PATH + 8];

    if (fresh->kept[0] == '\0') {
        return BG_OK;
    }
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        snprintf(path, sizeof path, "%s%s", fresh->path, beside[i]);
        if (unlink(path) != 0) {
            errno = 0; /* there is none */
        }
    }
    memcpy(path, fresh->kept, sizeof fresh->kept);
    fresh->kept[0] = '\0';
    return move(path, fresh->path, err);
}
