/* store_file.h - the file of a results database, before and while it is open: what it is, who may
 * write to it, and whether it is still at its path.
 *
 * One process writes. PATH.lock separates two writers with the same path: an advisory lock, which
 * ends with the process, in a file that contains its id. The file stays, as long as there are
 * results: who locks it checks that it has still its name, else two processes could lock two files
 * with the same name. Another name of the database (a hard link, a mount) has another lock file. So
 * one byte of the database itself is locked as well, far behind the bytes that SQLite locks.
 */
#ifndef RESULTS_STORE_STORE_FILE_H
#define RESULTS_STORE_STORE_FILE_H

#include <bgref/error.h>

#include <stdbool.h>
#include <sys/types.h>

/* ------------------------------------------------------------------ before it is opened */

enum { STORE_APPLICATION = 0x62677266 /* "bgrf" */ };

/* BG_OK: the file does not exist, is empty, is ours, or is an SQLite database without tables and
 * mark (from a run killed in its first instant). BG_E_STORE: it is something else, which the
 * message names. */
enum bg_status store_file_check(const char *path, struct bg_error *err);

/* ------------------------------------------------------------------ PATH.lock */

/* *out: a descriptor for store_lock_close. BG_E_BUSY: the message has the process that holds the
 * lock. */
enum bg_status store_lock_open(int *out, const char *path, struct bg_error *err);
void store_lock_close(int lock);
/* Removes the file of results that are not there, unless another process holds it. */
void store_lock_remove(const char *path);

/* Whether the last process to hold the lock is still alive, as far as this host can see. Takes no
 * lock, so it disturbs no other process. */
bool store_lock_is_held(const char *path);

/* ------------------------------------------------------------------ the file, while it is open */

/* Of a new file, its log and its lock: for its user only. A first leg shows the dice of the second,
 * and who may read the files can hold their locks. SQLite gives its log the rights of the file. */
enum { STORE_PLACE_MODE = 0600 };

struct store_place {
    int fd;        /* -1: not locked */
    int index;     /* of SQLite's index beside the log; -1: not watched */
    dev_t device;  /* the database's */
    ino_t file;    /* the database's */
    ino_t log;     /* inode of its write-ahead log; 0: not seen yet */
    bool log_lost; /* store_place_check found that the log is missing, or was cut */
    bool log_cut;  /* the latter: what stood only there is nowhere */
};

#define STORE_PLACE_INIT                                                                           \
    {                                                                                              \
        .fd = -1, .index = -1                                                                      \
    }

/* Says why a file cannot be read (error: an errno), and where one of this name is: events without
 * `results` have theirs in bgref-results. BG_E_ARGUMENT: it is not there; BG_E_STORE. */
enum bg_status store_place_missing(const char *path, int error, struct bg_error *err);

/* Creates every missing folder on the path to the file. */
enum bg_status store_place_folders(const char *path, struct bg_error *err);

/* Locks the file, which is made if it is missing; does nothing if it is locked already. BG_E_BUSY:
 * a process writes under another name; BG_E_STORE: the file has several names. */
enum bg_status store_place_take(struct store_place *place, const char *path, struct bg_error *err);

/* Call after SQLite has closed the file: closing any descriptor of it drops SQLite's locks. */
void store_place_leave(struct store_place *place);

/* Begins to watch the index beside the log, which is there once SQLite has the file open. Without
 * it only a log that is gone is noticed, not one that was cut. */
void store_place_watch(struct store_place *place, const char *log);

/* Returns what happened to the file or its log, in words for a sentence ("was removed"); NULL if
 * both are there, and the log has what its index says. Checks the log only once it has been seen.
 */
const char *store_place_check(struct store_place *place, const char *path, const char *log);

/* Whether the file or its log has reached this process's limit (ulimit -f). SQLite reports that as
 * an input or output error, and waiting does not help. */
bool store_place_met_limit(const char *path, const char *log);

/* Whether the file at the log's path is our log. */
bool store_place_has_log(const struct store_place *place, const char *log);

#endif
