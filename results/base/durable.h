/* durable.h - a file that is replaced as a whole: after a power cut it is the old or the new one,
 * and once the call has returned it is the new one. */
#ifndef RESULTS_BASE_DURABLE_H
#define RESULTS_BASE_DURABLE_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stdio.h>

/* Brings a closed file to the disk. False: errno says why. */
bool durable_sync(const char *path);

/* Renames a closed file, or a folder, that is whole. First it brings the file to the disk (of a
 * folder only its names), then the new name: without the first a power cut leaves an empty file,
 * without the second none under the new name. Every rename of the program is done here. False:
 * errno says why. */
bool durable_rename(const char *from, const char *to);

/* Writes the content; errors of out are noticed by the caller. */
typedef void (*durable_fn)(FILE *out, const void *user);

/* Writes PATH.new (mode 0600) and renames it. BG_E_SYSTEM; on failure there is no PATH.new. */
enum bg_status durable_write(const char *path, durable_fn fn, const void *user,
                             struct bg_error *err);

/* Takes a line; it may change it. *is_known: whether it belongs to such a file. Its other errors
 * are those of the reader. */
typedef enum bg_status (*durable_line_fn)(void *user, char *line, bool *is_known,
                                          struct bg_error *err);

/* How such a file is read: its first line is magic, take gets the others. */
struct durable_reader {
    const char *magic, *what; /* what: for messages, like "a host's gate" */
    durable_line_fn take;
    void *user;
};

/* BG_E_FORMAT, with place and line: one that take does not know, or has a byte 0; also a file
 * without any line, which the program never writes. */
enum bg_status durable_read(const struct durable_reader *reader, FILE *in, const char *where,
                            struct bg_error *err);
/* The file of this name; one that is not there has no lines. BG_E_FORMAT, BG_E_SYSTEM. */
enum bg_status durable_load(const struct durable_reader *reader, const char *path,
                            struct bg_error *err);

#endif
