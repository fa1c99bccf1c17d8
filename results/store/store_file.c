#include "store_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The header of an SQLite file, 100 bytes, and the beginning of its first page; numbers are
 * big-endian. */
enum { HEADER = 105, AT_VERSION = 60, AT_APPLICATION = 68, AT_PAGE = 100, AT_CELLS = 103 };
enum { PAGE_LEAF = 0x0d }; /* a leaf page of the table of tables, used while it has few rows */
static const char magic[] = "SQLite format 3";

static uint32_t number_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Formats the mark: "GPKG" if it is four letters, else 0x0f055112. */
static void application_write(char out[16], uint32_t mark)
{
    char letters[5] = {(char)(mark >> 24), (char)(mark >> 16), (char)(mark >> 8), (char)mark, '\0'};
    bool plain = true;

    for (int i = 0; i < 4; i++) {
        plain = plain && isalnum((unsigned char)letters[i]) != 0;
    }
    if (plain) {
        snprintf(out, 16, "%s", letters);
    } else {
        snprintf(out, 16, "0x%08" PRIx32, mark);
    }
}

static enum bg_status check_header(const char *path, const unsigned char *header, size_t size,
                                   struct bg_error *err)
{
    uint32_t application, version;
    char name[16];
    bool is_empty; /* has no table */

    if (size == 0) {
        return BG_OK;
    }
    if (size < HEADER || memcmp(header, magic, sizeof magic) != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "results %s: not a results database, nor an SQLite database at all; "
                            "choose another name",
                            path);
    }
    application = number_at(header + AT_APPLICATION);
    version = number_at(header + AT_VERSION);
    is_empty = header[AT_PAGE] == PAGE_LEAF && header[AT_CELLS] == 0 && header[AT_CELLS + 1] == 0;
    if (application == STORE_APPLICATION || (application == 0 && version == 0 && is_empty)) {
        return BG_OK;
    }
    application_write(name, application);
    return bg_error_set(err, BG_E_ARGUMENT,
                        "results %s: a database of another program (application %s, user_version "
                        "%" PRIu32 "), not results of bgref; choose another name",
                        path, application == 0 ? "not said" : name, version);
}

/* SQLite opens these files as it finds them, and waits at a FIFO for ever. */
static enum bg_status check_beside(const char *path, struct bg_error *err)
{
    static const char *const ends[] = {"-journal", "-wal", "-shm"};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char name[4096];
        struct stat info;

        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        if (stat(name, &info) == 0 && !S_ISREG(info.st_mode)) {
            return bg_error_set(err, BG_E_ARGUMENT, "results %s: %s is not a plain file; remove it",
                                path, name);
        }
    }
    return BG_OK;
}

enum bg_status store_file_check(const char *path, struct bg_error *err)
{
    unsigned char header[HEADER];
    struct stat info;
    ssize_t size;
    int fd;

    if (check_beside(path, err) != BG_OK) {
        return BG_E_ARGUMENT;
    }
    if (stat(path, &info) != 0) {
        return BG_OK; /* does not exist yet; opening reports other errors */
    }
    if (!S_ISREG(info.st_mode)) {
        return bg_error_set(err, BG_E_ARGUMENT, "results %s: %s; name a file, like %s", path,
                            S_ISDIR(info.st_mode) ? "a folder" : "not a plain file",
                            S_ISDIR(info.st_mode) ? "FOLDER/event.db" : "event.db");
    }
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return BG_OK;
    }
    size = read(fd, header, sizeof header);
    close(fd);
    return size < 0 ? BG_OK : check_header(path, header, (size_t)size, err);
}
