/* A backup is written under another name, its draft, checked, and renamed when it is whole, and its
 * root after it: whoever finds a NAME.root has a whole backup with this name. It is checked by
 * opening it anew, since a copy that SQLite calls done may be unreadable on its disk.
 *
 * The draft's name is always the same, and locked: two at once would write into each other, and a
 * name for each would leave a heap of pieces after crashes. The time in a backup's name sorts as
 * text, so no file is opened to find the oldest, and no time of a file is asked, which a copy would
 * change. */
#define _GNU_SOURCE /* flock: the open file holds it */
#include "backup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/durable.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/plain_file.h"
#include "published.h"
#include "proof/root.h"

enum { READ_BYTES = 1 << 16, TEXT_BYTES = 1024, STAMP = 17 /* with its terminating zero */ };

/* ---- the draft ---- */

struct draft {
    char *path; /* owned */
    int fd;     /* holds the lock; -1: none */
};

#define DRAFT_INIT                                                                                 \
    {                                                                                              \
        .fd = -1                                                                                   \
    }

static enum bg_status failed(struct bg_error *err, const char *what, const char *path)
{
    return bg_error_set(err, BG_E_STORE, "%s %s: %s", what, path, strerror(errno));
}

/* Whether the locked file is still the one with this name: another process may have renamed it. */
static bool is_named(int fd, const char *path)
{
    struct stat locked, named;

    return fstat(fd, &locked) == 0 && stat(path, &named) == 0 && locked.st_ino == named.st_ino &&
           locked.st_dev == named.st_dev;
}

/* SQLite would apply a journal that a killed process has left. */
static void remove_journals(const char *path)
{
    static const char *const ends[] = {"-journal", "-wal", "-shm"};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char *name = memory_print("%s%s", path, ends[i]);

        unlink(name);
        free(name);
    }
}

/* Removes the file unless it was renamed, and gives up the lock. Call after everything else has
 * closed the file. */
static void draft_close(struct draft *draft)
{
    if (draft->path != NULL && draft->fd >= 0) {
        remove_journals(draft->path);
        unlink(draft->path);
    }
    if (draft->fd >= 0) {
        close(draft->fd);
    }
    free(draft->path);
    *draft = (struct draft)DRAFT_INIT;
}

/* Creates `to`.partial, or takes one that was left; it is empty and has these permissions.
 * BG_E_BUSY: a backup is writing it; BG_E_STORE. */
static enum bg_status draft_open(struct draft *out, const char *to, mode_t mode,
                                 struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct draft draft = DRAFT_INIT;

    draft.path = memory_print("%s.partial", to);
    /* O_NOFOLLOW: in a folder where others may write, a link could point anywhere. */
    draft.fd = open(draft.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (draft.fd < 0) {
        status = failed(err, "create", draft.path);
        goto done;
    }
    if (flock(draft.fd, LOCK_EX | LOCK_NB) != 0 || !is_named(draft.fd, draft.path)) {
        status = bg_error_set(err, BG_E_BUSY, "%s: another backup is writing it", draft.path);
        close(draft.fd);
        draft.fd = -1;
        goto done;
    }
    remove_journals(draft.path);
    /* Only now, with the lock: the file may be the draft that another process was writing a
     * moment ago. */
    if (ftruncate(draft.fd, 0) != 0 || fchmod(draft.fd, mode) != 0) {
        status = failed(err, "prepare", draft.path);
        goto done;
    }
    *out = draft;
    draft = (struct draft)DRAFT_INIT; /* now the caller's */
done:
    draft_close(&draft);
    return status;
}

/* Brings the file to the disk and renames it to `to`. Keeps the lock. */
static enum bg_status draft_finish(struct draft *draft, const char *to, struct bg_error *err)
{
    if (!durable_rename(draft->path, to)) {
        return failed(err, "write", to);
    }
    free(draft->path);
    draft->path = NULL;
    return BG_OK;
}

/* Whether the file at this path was left by a killed process: it has no lock. */
static bool draft_is_left(const char *path)
{
    int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    bool left = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;

    if (fd >= 0) {
        close(fd);
    }
    return left;
}

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
        status = failed(err, "write", path);
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

/* ---- names, and which are removed ---- */

static const char form[] = "dddddddd.dddddd.";

/* "20261123T093000Z" */
static void write_stamp(char out[STAMP], int64_t now_s)
{
    char text[UTC_TEXT];
    size_t size = 0;

    utc_write(text, now_s);
    for (const char *at = text; *at != '\0' && size + 1 < STAMP; at++) {
        if (*at != '-' && *at != ':') {
            out[size++] = *at;
        }
    }
    out[size] = '\0';
}

static bool is_stamp(const char *text)
{
    bool is = text[8] == 'T' && text[15] == 'Z';

    for (int i = 0; i < STAMP - 1 && is; i++) {
        is = form[i] != 'd' || (text[i] >= '0' && text[i] <= '9');
    }
    return is;
}

/* The name of the results without folder and ".db"; *size: its length. */
static const char *stem_of(size_t *size, const char *results)
{
    const char *stem = base_of(results);

    *size = strlen(stem);
    if (*size > 3 && strcmp(stem + *size - 3, ".db") == 0) {
        *size -= 3;
    }
    return stem;
}

enum bg_status backup_name(char *out, size_t room, const char *folder, const char *results,
                           int64_t now_s, struct bg_error *err)
{
    char stamp[STAMP];
    size_t size;
    const char *stem = stem_of(&size, results);

    write_stamp(stamp, now_s);
    if ((size_t)snprintf(out, room, "%s/%.*s-%s.db", folder, (int)size, stem, stamp) >= room) {
        return bg_error_set(err, BG_E_ARGUMENT, "backup in %.200s: its name is too long", folder);
    }
    return BG_OK;
}

/* A folder of backups, and those of one event in it, sorted: the oldest first. */
struct backups {
    const char *folder; /* lent */
    char **name;        /* owned */
    size_t count, room;
};

static void found_deinit(struct backups *found)
{
    for (size_t i = 0; i < found->count; i++) {
        free(found->name[i]);
    }
    free(found->name);
}

static void found_add(struct backups *found, const char *name)
{
    found->name = memory_list(found->name, &found->room, found->count + 1, sizeof *found->name);
    found->name[found->count++] = memory_text(name);
}

static bool has_end(const struct backups *found, const char *name, const char *end)
{
    char *path = memory_print("%s/%s%s", found->folder, name, end);
    bool has = access(path, F_OK) == 0;

    free(path);
    return has;
}

/* *removed counts it if it was there. */
static enum bg_status remove_file(int *removed, const struct backups *found, const char *name,
                                  const char *end, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char *path = memory_print("%s/%s%s", found->folder, name, end);

    if (unlink(path) == 0) {
        ++*removed;
    } else if (errno != ENOENT) {
        status = bg_error_set(err, BG_E_SYSTEM, "remove %s: %s", path, strerror(errno));
    }
    free(path);
    return status;
}

static enum bg_status remove_left(const struct backups *found, const char *name,
                                  struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char *path = memory_print("%s/%s", found->folder, name);
    int removed = 0;

    if (draft_is_left(path)) {
        status = remove_file(&removed, found, name, "-journal", err);
        status = status == BG_OK ? remove_file(&removed, found, name, "", err) : status;
    }
    free(path);
    return status;
}

/* Takes one name of the folder. */
static enum bg_status take_backup(struct backups *found, const char *name, const char *results,
                                  struct bg_error *err)
{
    size_t size;
    const char *stem = stem_of(&size, results);
    const char *end = name + size + STAMP; /* behind "STEM-STAMP" */

    if (strncmp(name, stem, size) != 0 || strlen(name) < size + STAMP + 3 || name[size] != '-' ||
        !is_stamp(name + size + 1)) {
        return BG_OK;
    }
    if (strcmp(end, ".db.partial") == 0 || strcmp(end, ".db.root.partial") == 0) {
        return remove_left(found, name, err);
    }
    /* Without its root a backup is not finished and must not count as one of those that are
     * kept. */
    if (strcmp(end, ".db") == 0 && has_end(found, name, ".root")) {
        found_add(found, name);
    }
    return BG_OK;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Finds the backups of these results, the oldest first, and removes what killed ones have left.
 * found is the caller's also on failure. */
static enum bg_status find_all(struct backups *found, const char *results, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    DIR *names = opendir(found->folder);
    const struct dirent *each;

    if (names == NULL) {
        return bg_error_set(err, BG_E_SYSTEM, "open %s: %s", found->folder, strerror(errno));
    }
    while (status == BG_OK && (each = readdir(names)) != NULL) {
        status = take_backup(found, each->d_name, results, err);
    }
    closedir(names);
    if (found->count > 0) {
        qsort(found->name, found->count, sizeof *found->name, by_name);
    }
    return status;
}

/* How many of the sorted names are not later than this one. */
static size_t count_until(const struct backups *found, const char *name)
{
    size_t count = found->count;

    while (count > 0 && strcmp(found->name[count - 1], name) > 0) {
        count--;
    }
    return count;
}

/* The backups that are removed: from the first of the later ones on, around to the oldest. */
static enum bg_status remove_oldest(int *removed, const struct backups *found, size_t until,
                                    int keep, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int roots = 0;

    for (size_t i = 0; status == BG_OK && i + (size_t)keep < found->count; i++) {
        const char *name = found->name[(until + i) % found->count];

        /* The database first: what is killed between the two leaves a root without a backup,
         * which is not counted, and not a backup without its root. */
        status = remove_file(removed, found, name, "", err);
        status = status == BG_OK ? remove_file(&roots, found, name, ".root", err) : status;
    }
    return status;
}

enum bg_status backup_prune(int *removed, const char *newest, const char *results, int keep,
                            struct bg_error *err)
{
    char folder[PLAIN_PATH];
    struct backups found = {.folder = folder};
    enum bg_status status;

    plain_folder_of(folder, newest);
    status = find_all(&found, results, err);

    *removed = 0;
    if (status == BG_OK) {
        status = remove_oldest(removed, &found, count_until(&found, base_of(newest)), keep, err);
    }
    found_deinit(&found);
    return status;
}
