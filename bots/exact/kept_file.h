/* kept_file.h - a computed table as a file: a text that people can read, then the values as the
 * machine stores them. Mapped read-only, so all processes share one copy in memory.
 *
 *     kept_file_open(&file, path, &err);
 *     sscanf(file.text, "my table 1\nrows %d\ndigest %llx\n", &rows, &sum) == 2
 *     file.size == rows * sizeof *row && kept_file_digest(file.bytes, file.size) == sum
 *     kept_file_close(&file);
 */
#ifndef BOTS_EXACT_KEPT_FILE_H
#define BOTS_EXACT_KEPT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <bgref/error.h>

enum { KEPT_FILE_PATH = 4096, KEPT_FILE_TEXT = 4096 };

struct kept_file {
    const char *text;  /* the first line says what the file is; the last one is "digest X" */
    const void *bytes; /* aligned like memory of malloc */
    size_t size;       /* of these bytes */
    void *map;
};

/* A sum against damaged and half-written files, not against forgers: it runs at every start. A
 * machine with another order of bytes finds another sum. */
uint64_t kept_file_digest(const void *bytes, size_t size);

/* Writes the file and its folders: text, which ends with a newline, the digest, the bytes. The file
 * appears complete or not at all. BG_E_SYSTEM. */
enum bg_status kept_file_write(const char *path, const char *text, const void *bytes, size_t size,
                               struct bg_error *err);

/* Maps the file and reads all of it into memory. What it holds is the caller's to check.
 * BG_E_SYSTEM: it cannot be read, for example because nobody has made it; BG_E_FORMAT: it is
 * shorter than its text, or no text. */
enum bg_status kept_file_open(struct kept_file *out, const char *path, struct bg_error *err);

/* Accepts a zeroed or closed file. */
void kept_file_close(struct kept_file *file);

#endif
