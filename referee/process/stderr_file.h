/* stderr_file.h - a bot's complete standard error, in a file that its author named.
 *
 * Several processes may share the file: each appends. Output of one process after STDERR_FILE_MOST
 * bytes is left out; a last line in the file states it.
 */
#ifndef REFEREE_PROCESS_STDERR_FILE_H
#define REFEREE_PROCESS_STDERR_FILE_H

#include <bgref/error.h>

#include <stddef.h>

enum { STDERR_FILE_MOST = 64 << 20 };

struct stderr_file {
    int fd;      /* -1: none, or it failed */
    size_t left; /* bytes that may still be written */
};

/* path "" or NULL: none. BG_E_START: the file cannot be opened. */
enum bg_status stderr_file_open(struct stderr_file *out, const char *path, struct bg_error *err);
/* A failure to write is logged once and ends the copy, not the bot. */
void stderr_file_add(struct stderr_file *file, const char *bytes, size_t size);
void stderr_file_close(struct stderr_file *file);

#endif
