/* plain_file.h - the one way in which a file is opened for reading whose place others may fill.
 *
 * Opening a FIFO waits for a writer, reading a device may never end, and opening some devices acts
 * on them. So only a plain file is opened, and one of known size. Standard input is the caller's:
 * who starts a command may wait for a pipe there.
 */
#ifndef RESULTS_BASE_PLAIN_FILE_H
#define RESULTS_BASE_PLAIN_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PLAIN_PATH = 4096 }; /* PATH_MAX of Linux: the system opens no longer one */

#define PLAIN_FILE_ANY UINT64_MAX /* no limit: read in pieces, never held whole */

/* Opens the plain file for reading if it has at most `most` bytes. Returns NULL, or why not, in
 * words that stand behind "PATH: ". The words are lent until this thread's next call; errno is that
 * of the failure (ENOENT: there is no such file), 0 if only the kind or the size is wrong. *out is
 * NULL then, otherwise the caller's to close. */
const char *plain_file_open(FILE **out, const char *path, uint64_t most);

/* Whether a folder, or a link to one, has this name. */
bool plain_is_folder(const char *path);

/* Whether it is a file of SQLite; an empty one is none yet. */
bool plain_is_database(const char *path);

/* Writes the folder in which the path lies: "." or "/" where it names no other. */
void plain_folder_of(char out[PLAIN_PATH], const char *path);

/* Returns the folder of this program, wherever it was started from; "": unknown. Static. */
const char *plain_own_folder(void);

#endif
