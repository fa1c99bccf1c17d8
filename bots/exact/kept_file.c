/* A header of text, then the bytes as they are in memory, mapped and not read: processes that
 * use the same table share one copy. It is written beside its place and renamed when it is on
 * the disk, so a program that starts meanwhile finds the old file or the new one. The bytes are
 * the machine's own: a file is for machines of its kind, and its digest finds the others. */
#define _GNU_SOURCE /* MAP_POPULATE */
#include "kept_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LANES = 8 };

uint64_t kept_file_digest(const void *bytes, size_t size)
{
    static const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t lane[LANES], all = size;
    const uint8_t *at = bytes;

    for (unsigned i = 0; i < LANES; i++) {
        lane[i] = odd * (i + 1);
    }
    for (size_t done = 0; done + sizeof lane <= size; done += sizeof lane) {
        uint64_t word[LANES];

        memcpy(word, at + done, sizeof word);
        for (int i = 0; i < LANES; i++) {
            lane[i] = (lane[i] ^ word[i]) * odd;
            lane[i] ^= lane[i] >> 29;
        }
    }
    for (size_t i = size - size % sizeof lane; i < size; i++) {
        lane[0] = (lane[0] ^ at[i]) * odd;
    }
    for (int i = 0; i < LANES; i++) {
        all = (all ^ lane[i]) * odd;
        all ^= all >> 32;
    }
    return all;
}

/* ---- writing ---- */

static void make_folders(const char *path)
{
    char folder[KEPT_FILE_PATH];

    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(folder, 0755); /* what fails here fails again when the file is opened */
        *slash = '/';
    }
}

static bool put_bytes(int file, const void *bytes, size_t size)
{
    const char *at = bytes;

    while (size > 0) {
        ssize_t done = write(file, at, size);

        if (done < 0 && errno != EINTR) {
            return false;
        }
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

enum bg_status kept_file_write(const char *path, const char *text, const void *bytes, size_t size,
                               struct bg_error *err)
{
    char draft[KEPT_FILE_PATH + 8], header[KEPT_FILE_TEXT] = {0};
    bool written;
    int file;

    make_folders(path);
    snprintf(draft, sizeof draft, "%s.XXXXXX", path);
    file = mkstemp(draft);
    if (file < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "write %s: %s", path, strerror(errno));
    }
    snprintf(header, sizeof header, "%sdigest %016llx\n", text,
             (unsigned long long)kept_file_digest(bytes, size));
    written = put_bytes(file, header, sizeof header) && put_bytes(file, bytes, size) &&
              /* mkstemp gives 0600; the values are no secret. */
              fchmod(file, 0644) == 0 && fsync(file) == 0;
    written = close(file) == 0 && written;
    /* A full disk is told here, and leaves neither a draft nor half a file at its place. */
    if (!written || rename(draft, path) != 0) {
        enum bg_status status =
            bg_error_set(err, BG_E_SYSTEM, "write %s: %s", path, strerror(errno));

        unlink(draft);
        return status;
    }
    return BG_OK;
}

/* ---- reading ---- */

enum bg_status kept_file_open(struct kept_file *out, const char *path, struct bg_error *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    enum bg_status status = BG_OK;

    memset(out, 0, sizeof *out);
    if (file < 0 || fstat(file, &about) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
        goto done;
    }
    if (about.st_size < KEPT_FILE_TEXT) {
        status = bg_error_set(err, BG_E_FORMAT, "%s: not complete, or no file of values", path);
        goto done;
    }
    out->size = (size_t)about.st_size - KEPT_FILE_TEXT;
    /* MAP_POPULATE: page faults while a clock runs would be the bot's time. */
    out->map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
    if (out->map == MAP_FAILED) {
        out->map = NULL;
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
        goto done;
    }
    out->text = out->map;
    out->bytes = (const char *)out->map + KEPT_FILE_TEXT;
    if (memchr(out->text, '\0', KEPT_FILE_TEXT) == NULL) {
        status = bg_error_set(err, BG_E_FORMAT, "%s: not a file of values", path);
    }
done:
    if (file >= 0) {
        close(file);
    }
    if (status != BG_OK) {
        kept_file_close(out);
    }
    return status;
}

void kept_file_close(struct kept_file *file)
{
    if (file->map != NULL) {
        munmap(file->map, file->size + KEPT_FILE_TEXT);
    }
    memset(file, 0, sizeof *file);
}
