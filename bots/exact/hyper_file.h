/* hyper_file.h - the solution of hypergammon as a file in the user's cache folder.
 *
 * The file is computed once on each machine (343 MB with three checkers) and never shipped. It is
 * mapped read-only, so all bots of an event share one copy in memory.
 */
#ifndef BOTS_EXACT_HYPER_FILE_H
#define BOTS_EXACT_HYPER_FILE_H

#include <bgref/error.h>

#include "kept_file.h"
#include "solve.h"

enum { HYPER_FILE_PATH = KEPT_FILE_PATH };

/* A solution that belongs to a file. */
struct hyper_file {
    struct solution solution;
    struct kept_file kept;
};

/* Writes the usual path: hypergammon-N.values in the folder $BGREF_CACHE (set by the referee), or
 * $XDG_CACHE_HOME/bgref, or $HOME/.cache/bgref. BG_E_ARGUMENT: none of them is set, or too long. */
enum bg_status hyper_file_find_path(char out[HYPER_FILE_PATH], int checkers, struct bg_error *err);

/* Writes the file and its folders. It appears complete or not at all. BG_E_SYSTEM. */
enum bg_status hyper_file_write(const struct solution *solution, const char *path,
                                struct bg_error *err);

/* Opens the file and checks its digest. BG_E_SYSTEM: it cannot be read, for example because nobody
 * has made it; BG_E_FORMAT: it is not a complete file of this version for so many checkers.
 * hyper_file_close ends it. */
enum bg_status hyper_file_open(struct hyper_file *out, const char *path, int checkers,
                               struct bg_error *err);

/* Accepts a zeroed or closed file. */
void hyper_file_close(struct hyper_file *file);

#endif
