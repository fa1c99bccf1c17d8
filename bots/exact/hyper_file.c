#define _GNU_SOURCE /* MAP_POPULATE */
#include "hyper_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A text that people can read, filled up with zeros; then the values as the machine stores them. A
 * machine with another order of bytes finds another digest. */
enum { HEADER = 4096, LANES = 8 };

#define FORMAT                                                                                     \
    "bgref hypergammon values 1\ncheckers %d\nways %d\nsweeps %d\nchange %g\ndigest %016llx\n"

/* A sum against damaged and half-written files, not against forgers: it runs at every start. */
static uint64_t digest(const void *bytes, size_t size)
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

enum bg_status hyper_file_find_path(char out[HYPER_FILE_PATH], int checkers, struct bg_error *err)
{
    const char *own = getenv("BGREF_CACHE"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME"), *below = "";
    const char *folder = NULL;

    if (own != NULL && own[0] == '/') {
        folder = own;
    } else if (cache != NULL && cache[0] == '/') { /* XDG: relative paths are ignored */
        folder = cache;
        below = "/bgref";
    } else if (home != NULL && home[0] == '/') {
        folder = home;
        below = "/.cache/bgref";
    }
    if (folder == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "no cache folder: HOME is not set");
    }
    if (snprintf(out, HYPER_FILE_PATH, "%s%s/hypergammon-%d.values", folder, below, checkers) >=
        HYPER_FILE_PATH) {
        return bg_error_set(err, BG_E_ARGUMENT, "the name of the cache folder is too long");
    }
    return BG_OK;
}

/* ---- writing ---- */

static void make_folders(const char *path)
{
    char folder[HYPER_FILE_PATH];

    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(folder, 0755); /* what fails here fails again when the file is opened */
        *slash = '/';
    }
}

static bool put(int file, const void *bytes, size_t size)
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

static size_t values_size(int ways)
{
    return (size_t)ways * (size_t)ways * sizeof(struct values);
}

enum bg_status hyper_file_write(const struct solution *solution, const char *path,
                                struct bg_error *err)
{
    char draft[HYPER_FILE_PATH + 8], header[HEADER] = {0};
    size_t size = values_size(solution->ways);
    bool written;
    int file;

    make_folders(path);
    snprintf(draft, sizeof draft, "%s.XXXXXX", path);
    file = mkstemp(draft);
    if (file < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "write %s: %s", path, strerror(errno));
    }
    snprintf(header, sizeof header, FORMAT, solution->checkers, solution->ways, solution->sweeps,
             (double)solution->change, (unsigned long long)digest(solution->values, size));
    written = put(file, header, sizeof header) && put(file, solution->values, size) &&
              fchmod(file, 0644) == 0 && fsync(file) == 0;
    written = close(file) == 0 && written;
    if (!written || rename(draft, path) != 0) {
        enum bg_status status =
            bg_error_set(err, BG_E_SYSTEM, "write %s: %s", path, strerror(errno));

        unlink(draft);
        return status;
    }
    return BG_OK;
}

/* ---- reading ---- */

static enum bg_status check(struct hyper_file *file, const char *path, int checkers,
                            struct bg_error *err)
{
    struct solution *solution = &file->solution;
    unsigned long long sum = 0;

    if (file->size < HEADER || memchr(file->map, '\0', HEADER) == NULL ||
        sscanf(file->map, FORMAT, &solution->checkers, &solution->ways, &solution->sweeps,
               &solution->change, &sum) != 5) {
        return bg_error_set(err, BG_E_FORMAT, "%s: not a file of hypergammon values", path);
    }
    if (solution->checkers != checkers || solution->ways < 1 || solution->ways > 3276 ||
        file->size != HEADER + values_size(solution->ways)) {
        return bg_error_set(err, BG_E_FORMAT, "%s: not complete, or not for %d checkers", path,
                            checkers);
    }
    solution->values = (struct values *)(void *)((char *)file->map + HEADER);
    if (digest(solution->values, values_size(solution->ways)) != sum) {
        return bg_error_set(err, BG_E_FORMAT, "%s: damaged, its digest differs", path);
    }
    return BG_OK;
}

enum bg_status hyper_file_open(struct hyper_file *out, const char *path, int checkers,
                               struct bg_error *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    enum bg_status status = BG_OK;

    memset(out, 0, sizeof *out);
    if (file < 0 || fstat(file, &about) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
        goto done;
    }
    if (about.st_size == 0) {
        status = bg_error_set(err, BG_E_FORMAT, "%s: not a file of hypergammon values", path);
        goto done;
    }
    out->size = (size_t)about.st_size;
    out->map = mmap(NULL, out->size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
    if (out->map == MAP_FAILED) {
        out->map = NULL;
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
        goto done;
    }
    status = check(out, path, checkers, err);
done:
    if (file >= 0) {
        close(file);
    }
    if (status != BG_OK) {
        hyper_file_close(out);
    }
    return status;
}

void hyper_file_close(struct hyper_file *file)
{
    if (file->map != NULL) {
        munmap(file->map, file->size);
    }
    memset(file, 0, sizeof *file);
}
