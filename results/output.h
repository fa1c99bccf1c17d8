/* output.h - a file that appears when it is complete, or not at all. */
#ifndef RESULTS_OUTPUT_H
#define RESULTS_OUTPUT_H

#include <stdio.h>

#include <bgref/error.h>

struct output {
    FILE *file;  /* write here */
    char *path;  /* NULL: standard output */
    char *draft; /* beside path until output_close; NULL: written as it is */
};

/* Whether a file of this name may be written: BG_E_ARGUMENT where it is a database, or lies beside
 * one and belongs to it (its key, lock or log). No output may take the place of results. */
enum bg_status output_may_write(const char *path, struct bg_error *err);

/* A device or a pipe is written as it is. path NULL or "-": standard output. path is copied. */
enum bg_status output_open(struct output *output, const char *path, struct bg_error *err);

/* Puts the complete file in its place. On failure nothing is left behind. */
enum bg_status output_close(struct output *output, struct bg_error *err);

/* Drops what was written. Also after output_close, and on a zeroed output. */
void output_discard(struct output *output);

#endif
