/* output.h - an output file that appears complete or not at all. */
#ifndef RESULTS_BASE_OUTPUT_H
#define RESULTS_BASE_OUTPUT_H

#include <stdio.h>

#include <bgref/error.h>

struct output {
    FILE *file;  /* write here */
    char *path;  /* NULL: standard output */
    char *draft; /* beside path until output_close; NULL: written directly */
};

/* Whether a path can be made: BG_E_ARGUMENT, with the remedy, if there is no such folder, or a file
 * in its place. what: begins the message ("write", "make folder"). */
enum bg_status output_has_folder(const char *path, const char *what, struct bg_error *err);

/* Whether a file with this name may be written. BG_E_ARGUMENT: its folder does not exist, it is a
 * folder, it is a database, or it belongs to one beside it (its key, lock or log). Outputs must
 * never replace results. BG_E_SYSTEM: it is new, and its folder may not be written to. */
enum bg_status output_may_write(const char *path, struct bg_error *err);

/* Opens an output; a device or a pipe is written directly, if a pipe has a reader. path NULL or
 * "-": standard output. path is copied. */
enum bg_status output_open(struct output *output, const char *path, struct bg_error *err);

/* Moves the complete file to its path. On failure nothing remains. */
enum bg_status output_close(struct output *output, struct bg_error *err);

/* Drops what was written. Accepts a closed or zeroed output. */
void output_discard(struct output *output);

#endif
