/* store_file.h - whether a file may become, or is, a results database: looked at before anything is
 * locked, made or changed. */
#ifndef RESULTS_STORE_STORE_FILE_H
#define RESULTS_STORE_STORE_FILE_H

#include <bgref/error.h>

#include <stdbool.h>

enum { STORE_APPLICATION = 0x62677266 /* "bgrf" */ };

/* BG_OK: there is no such file, it is empty, ours, or an SQLite database without a table and a mark
 * (a run that was killed in its first instant). BG_E_STORE: what else it is, by name. */
enum bg_status store_file_check(const char *path, struct bg_error *err);

#endif
