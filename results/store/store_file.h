/* store_file.h - checks whether a file is, or may become, a results database, before anything is
 * locked, created or changed.
 */
#ifndef RESULTS_STORE_STORE_FILE_H
#define RESULTS_STORE_STORE_FILE_H

#include <bgref/error.h>

#include <stdbool.h>

enum { STORE_APPLICATION = 0x62677266 /* "bgrf" */ };

/* BG_OK: the file does not exist, is empty, is ours, or is an SQLite database without tables and
 * mark (from a run killed in its first instant). BG_E_STORE: it is something else, which the
 * message names. */
enum bg_status store_file_check(const char *path, struct bg_error *err);

#endif
