/* A copy is made as a draft, checked, and renamed, and its root after it: whoever finds a
 * NAME.root has a whole backup with this name. It is checked by opening it anew, since a copy
 * that SQLite calls done may be unreadable on its disk. */
#include "backup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/memory.h>

#include "draft.h"
#include "base/output.h"
#include "base/plain_file.h"
#include "published.h"
#include "proof/root.h"
#include "store/store_copy.h"

enum { READ_BYTES = 1 << 16, TEXT_BYTES = 1024 };

/* ---- what a backup is of ---- */

static bool count_act(void *user, const struct act *act)
{
    (void)act;
    ++*(uint64_t *)user;
    return true;
}

static enum bg_status read_facts(struct backup *out, struct store *store, struct bg_error *err)
{
    enum bg_status status =
        store_meta_text(out->event, sizeof out->event, store, "event.event", err);

    out->games = out->acts = 0;
    if (status == BG_OK) {
        status = store_count_games(&out->games, store, err);
    }
    if (status == BG_OK) {
        status = store_all_acts(store, count_act, &out->acts, err);
    }
    return status == BG_OK ? root_of_store(out->root, store, err) : status;
}

/* ---- what may be replaced ---- */

static bool exists(const char *path, const char *end)
{
    char *name = memory_print("%s%s", path, end);
    bool there = access(name, F_OK) == 0;

    free(name);
    return there;
}

/* A reader leaves an empty log; a log with contents would be taken for the new file's. */
static bool has_bytes(const char *path, const char *end)
{
    struct stat about;
    char *name = memory_print("%s%s", path, end);
    bool has = stat(name, &about) == 0 && about.st_size > 0;

    free(name);
    return has;
}

static bool is_same_file(const char *x, const char *y)
{
    struct stat first, second;

    return stat(x, &first) == 0 && stat(y, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* An event is known by its name and the digest of its first key. */
static enum bg_status check_same_event(struct store *old, struct store *results, const char *to,
                                       struct bg_error *err)
{
    struct published *now = memory_zeroed(2, sizeof *now);
    struct published *then = now + 1;
    enum bg_status status = published_of_store(now, results, err);

    if (status == BG_OK) {
        status = published_of_store(then, old, err);
    }
    if (status == BG_OK && (strcmp(now->event, then->event) != 0 ||
                            strcmp(now->keys[0].digest, then->keys[0].digest) != 0)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: a backup of another event, '%s'; choose another name", to,
                              then->event);
    }
    free(now);
    return status;
}

static enum bg_status check_old(struct store *old, struct store *results, const char *to,
                                struct bg_error *err)
{
    char text[8];
    bool is_open = false;
    enum bg_status status = old->ops->meta_get(old, STORE_OPEN, text, sizeof text, &is_open, err);

    if (status == BG_OK && is_open) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: an event is played in it, so it is not a backup any more; "
                              "choose another name",
                              to);
    }
    return status == BG_OK ? check_same_event(old, results, to, err) : status;
}

static enum bg_status check_target(const char *to, const char *from, struct store *results,
                                   struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct store *old = NULL;

    if (is_same_file(from, to)) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s: these are the results themselves", to);
    } else if (exists(to, "") && !exists(to, ".root")) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: exists and is not a backup (there is no %s.root); choose "
                              "another name",
                              to, to);
    } else if (has_bytes(to, "-wal") || has_bytes(to, "-journal")) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: there is a log of another database with this name; choose "
                              "another name",
                              to);
    } else if (!exists(to, "")) {
        status = output_may_write(to, err);
    } else {
        status = store_sqlite_open_read(&old, to, err);
        status = status == BG_OK ? check_old(old, results, to, err) : status;
    }
    store_destroy(old);
    return status;
}

/* ---- the copy ---- */

/* Whether the copy is undamaged, and has the root of the results. */
static enum bg_status check_copy(const struct backup *backup, const char *path,
                                 struct bg_error *err)
{
    struct store *copy = NULL;
    struct backup found;
    struct bg_error why;
    enum bg_status status = store_sqlite_open_read(&copy, path, err);

    if (status == BG_OK) {
        status = copy->ops->check(copy, false, &why);
        if (status != BG_OK) {
            bg_error_set(err, status, "the results are damaged (%s); earlier backups are kept",
                         why.text);
        }
    }
    if (status == BG_OK) {
        status = read_facts(&found, copy, err);
    }
    if (status == BG_OK && (found.games != backup->games || found.acts != backup->acts ||
                            strcmp(found.root, backup->root) != 0)) {
        status = bg_error_set(err, BG_E_MISMATCH, "%s: the copy has another root than the results",
                              path);
    }
    store_destroy(copy);
    return status;
}

static enum bg_status hash_file(char out[RECORD_HASH], const char *path, struct bg_error *err)
{
    unsigned char bytes[READ_BYTES], digest[RECORD_HASH / 2];
    crypto_generichash_state state;
    FILE *file;
    const char *why = plain_file_open(&file, path, PLAIN_FILE_ANY);
    enum bg_status status = BG_OK;
    size_t size;

    crypto_generichash_init(&state, NULL, 0, sizeof digest);
    while (file != NULL && (size = fread(bytes, 1, sizeof bytes, file)) > 0) {
        crypto_generichash_update(&state, bytes, size);
    }
    if (file == NULL || ferror(file) != 0) {
        status =
            bg_error_set(err, BG_E_STORE, "read %s: %s", path, why != NULL ? why : strerror(errno));
    }
    crypto_generichash_final(&state, digest, sizeof digest);
    sodium_bin2hex(out, RECORD_HASH, digest, sizeof digest);
    if (file != NULL) {
        fclose(file);
    }
    return status;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* Writes NAME.root, which is renamed last. path: its name. */
static enum bg_status write_root(struct draft *draft, const struct backup *backup, const char *to,
                                 const char *path, mode_t mode, struct bg_error *err)
{
    char text[TEXT_BYTES];
    enum bg_status status = draft_open(draft, path, mode, err);
    int size = snprintf(text, sizeof text,
                        "bgref-backup 1\nevent %s\ntaken %s\ngames %" PRIu64 "\nacts %" PRIu64
                        "\nroot %s\nBLAKE2b-256 (%.255s) = %s\n",
                        backup->event, backup->taken, backup->games, backup->acts, backup->root,
                        base_of(to), backup->file);

    if (status == BG_OK && write(draft->fd, text, (size_t)size) != size) {
        status = bg_error_set(err, BG_E_STORE, "write %s: %s", path, strerror(errno));
    }
    return status;
}

/* Gives the whole copy, and its root, their names. */
static enum bg_status publish_copy(const struct backup *backup, struct draft *copy, const char *to,
                                   mode_t mode, struct bg_error *err)
{
    struct draft root = DRAFT_INIT;
    char *path = memory_print("%s.root", to);
    enum bg_status status = write_root(&root, backup, to, path, mode, err);

    if (status == BG_OK) {
        /* Killed after this, a new name has a database without its root, which is refused as not
         * a backup. */
        status = draft_finish(copy, to, err);
    }
    if (status == BG_OK) {
        status = draft_finish(&root, path, err);
    }
    draft_close(&root);
    free(path);
    return status;
}

/* The results are open, and the draft is locked. */
static enum bg_status copy_results(struct backup *out, struct store *results,
                                   const struct draft *draft, struct bg_error *err)
{
    /* Facts and copy are of one moment, although the event goes on. */
    enum bg_status status = results->ops->snapshot(results, true, err);
    struct bg_error ignored;

    if (status == BG_OK) {
        status = read_facts(out, results, err);
    }
    if (status == BG_OK) {
        status = store_sqlite_copy(results, draft->path, err);
    }
    results->ops->snapshot(results, false, &ignored); /* the referee may empty its log again */
    if (status == BG_OK) {
        status = check_copy(out, draft->path, err);
    }
    return status == BG_OK ? hash_file(out->file, draft->path, err) : status;
}

enum bg_status backup_make(struct backup *out, const char *results, const char *to, int64_t now_s,
                           struct bg_error *err)
{
    struct draft draft = DRAFT_INIT;
    struct store *store = NULL;
    struct stat about = {.st_mode = 0600};
    enum bg_status status = store_sqlite_open_read(&store, results, err);

    *out = (struct backup){.games = 0};
    utc_write(out->taken, now_s);
    if (status == BG_OK) {
        status = check_target(to, results, store, err);
    }
    if (status == BG_OK && stat(results, &about) != 0) {
        status = bg_error_set(err, BG_E_STORE, "%s: %s", results, strerror(errno));
    }
    about.st_mode &= 0777;
    if (status == BG_OK) {
        status = draft_open(&draft, to, about.st_mode, err);
    }
    if (status == BG_OK) {
        status = copy_results(out, store, &draft, err);
    }
    if (status == BG_OK) {
        status = publish_copy(out, &draft, to, about.st_mode, err);
    }
    store_destroy(store);
    draft_close(&draft);
    return status;
}
