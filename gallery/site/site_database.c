/* The database of an event that is over, as a download. A file that is sent piece by piece must not
 * change meanwhile, as a judge or a desk act would change it; so it is copied once, to a file that
 * has no name and goes with the last who reads it. Everything else waits for the copy: larger ones
 * are for `bgref publish`. */
#define _GNU_SOURCE /* mkdtemp, F_DUPFD_CLOEXEC */
#include "site_page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* Some 0.7 s, half of them pauses of the copy, which streams wait once. */
#define MOST_BYTES (256 << 20)

bool site_has_database(const struct site *site, const struct site_event *event)
{
    return site->has_databases && event->is_read && !event->gather.running && event->gather.final &&
           event->gather.root != NULL &&
           (site->is_folder || event->stamp.size[0] + event->stamp.size[1] <= MOST_BYTES);
}

void site_copy_drop(struct site *site)
{
    if (site->copy.event != NULL) {
        close(site->copy.fd);
        site->copy.event = NULL;
    }
}

/* Whether the copy is of the results that the page tells of, and over as they are. */
static enum bg_status check_copy(const char *path, const char *root, struct bg_error *err)
{
    struct store *store = NULL;
    char now[RECORD_HASH] = "";
    enum bg_status status = event_store_open(&store, path, err);

    if (status == BG_OK) {
        status = store_meta_text(now, sizeof now, store, "results.root", err);
    }
    if (status == BG_OK && strcmp(now, root) != 0) {
        status = bg_error_set(err, BG_E_TIMEOUT, "the results change at the moment");
    }
    store_destroy(store);
    return status;
}

/* Makes the copy at a path and opens it. */
static enum bg_status fill_copy(struct site_copy *copy, const struct site_page *page,
                                const char *path, struct bg_error *err)
{
    struct store *store = page->store;
    struct stat made;
    enum bg_status status = store->ops->snapshot(store, true, err);

    if (status == BG_OK) {
        status = store_sqlite_copy(store, path, err);
    }
    if (status == BG_OK) {
        status = check_copy(path, copy->root, err);
    }
    copy->fd = status == BG_OK ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (status == BG_OK && (copy->fd < 0 || fstat(copy->fd, &made) != 0)) {
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    copy->bytes = status == BG_OK ? (uint64_t)made.st_size : 0;
    return status;
}

static enum bg_status make_copy(struct site_page *page)
{
    const char *place = getenv("TMPDIR") == NULL ? "/tmp" : getenv("TMPDIR");
    char *folder = memory_print("%s/bgref-pages-XXXXXX", place), *path;
    struct site_copy copy = {.event = page->event, .fd = -1};
    enum bg_status status;
    int fd;

    snprintf(copy.root, sizeof copy.root, "%s", page->event->gather.root);
    if (mkdtemp(folder) == NULL) {
        status = bg_error_set(&page->err, BG_E_SYSTEM, "%s: %s", folder, strerror(errno));
        free(folder);
        return status;
    }
    path = memory_print("%s/copy.db", folder);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    status = fd < 0 ? bg_error_set(&page->err, BG_E_SYSTEM, "%s: %s", path, strerror(errno))
                    : fill_copy(&copy, page, path, &page->err);
    (void)close(fd);
    (void)unlink(path);
    (void)rmdir(folder);
    if (status == BG_OK) {
        site_copy_drop(page->site);
        page->site->copy = copy;
    } else if (copy.fd >= 0) {
        close(copy.fd);
    }
    free(path);
    free(folder);
    return status;
}

void site_database(struct site_page *page)
{
    const struct site_event *event = page->event;
    const struct site_copy *copy = &page->site->copy;
    enum bg_status status = site_event_read(page);
    int fd = -1;

    if (status == BG_OK && (page->is_json || !site_has_database(page->site, event))) {
        site_none(page, "no such database: the event is not over, or its file is too large for "
                        "pages");
        return;
    }
    if (status == BG_OK && (copy->event != event || strcmp(copy->root, event->gather.root) != 0)) {
        status = site_event_open(page);
        status = status == BG_OK ? make_copy(page) : status;
    }
    if (status == BG_OK && (fd = fcntl(copy->fd, F_DUPFD_CLOEXEC, 0)) < 0) {
        status = bg_error_set(&page->err, BG_E_TIMEOUT, "no descriptor: %s", strerror(errno));
    }
    if (status != BG_OK) {
        site_error(page, status);
        return;
    }
    site_text(page, "application/vnd.sqlite3", "");
    page->answer->file = fd;
    page->answer->file_bytes = copy->bytes;
    snprintf(page->answer->etag, sizeof page->answer->etag, "%s", copy->root);
    snprintf(page->answer->file_name, sizeof page->answer->file_name, "%.90s.db", event->name);
}
