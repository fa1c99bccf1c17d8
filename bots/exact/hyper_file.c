/* The file lies in the user's cache (XDG), as it can be made again at any time and is the same
 * for each user. Its header is text with the parameters that it was solved for: a file of
 * another number of checkers is told apart before its values are read. */
#include "hyper_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "bgref hypergammon values 1\ncheckers %d\nways %d\nsweeps %d\nchange %g\n"

enum bg_status hyper_file_find_path(char out[HYPER_FILE_PATH], int checkers, struct bg_error *err)
{
    const char *own = getenv("BGREF_CACHE"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME"), *below = "";
    const char *folder = NULL;

    /* BGREF_CACHE names the folder itself, without a part of ours below it. */
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

static size_t values_size(int ways)
{
    return (size_t)ways * (size_t)ways * sizeof(struct values);
}

enum bg_status hyper_file_write(const struct solution *solution, const char *path,
                                struct bg_error *err)
{
    char text[200];

    snprintf(text, sizeof text, FORMAT, solution->checkers, solution->ways, solution->sweeps,
             (double)solution->change);
    return kept_file_write(path, text, solution->values, values_size(solution->ways), err);
}

static enum bg_status check_header(struct hyper_file *file, const char *path, int checkers,
                                   struct bg_error *err)
{
    struct solution *solution = &file->solution;
    unsigned long long sum = 0;

    if (sscanf(file->kept.text, FORMAT "digest %llx\n", &solution->checkers, &solution->ways,
               &solution->sweeps, &solution->change, &sum) != 5) {
        return bg_error_set(err, BG_E_FORMAT, "%s: not a file of hypergammon values", path);
    }
    if (solution->checkers != checkers || solution->ways < 1 || solution->ways > 3276 ||
        file->kept.size != values_size(solution->ways)) {
        return bg_error_set(err, BG_E_FORMAT, "%s: not complete, or not for %d checkers", path,
                            checkers);
    }
    solution->values = (struct values *)(void *)((char *)file->kept.map + KEPT_FILE_TEXT);
    if (kept_file_digest(file->kept.bytes, file->kept.size) != sum) {
        return bg_error_set(err, BG_E_FORMAT, "%s: damaged, its digest differs", path);
    }
    return BG_OK;
}

enum bg_status hyper_file_open(struct hyper_file *out, const char *path, int checkers,
                               struct bg_error *err)
{
    enum bg_status status;

    memset(out, 0, sizeof *out);
    status = kept_file_open(&out->kept, path, err);
    if (status == BG_OK) {
        status = check_header(out, path, checkers, err);
    }
    if (status != BG_OK) {
        hyper_file_close(out);
    }
    return status;
}

void hyper_file_close(struct hyper_file *file)
{
    kept_file_close(&file->kept);
    memset(file, 0, sizeof *file);
}
