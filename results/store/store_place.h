/* store_place.h - the file of a results database while it is open for writing: locked under all its
 * names, and still at its path.
 *
 * PATH.lock keeps two writers of one name apart. Another name of the same file (a hard link, a
 * mount) has another lock file, so one byte of the database itself is locked as well, far behind
 * those that SQLite locks.
 */
#ifndef RESULTS_STORE_STORE_PLACE_H
#define RESULTS_STORE_STORE_PLACE_H

#include <bgref/error.h>

#include <stdbool.h>
#include <sys/types.h>

struct store_place {
    int fd;        /* -1: not taken */
    dev_t device;  /* of the database */
    ino_t file;    /* likewise */
    ino_t log;     /* of its write-ahead log; 0: not seen yet */
    bool log_lost; /* store_place_check: it is the log that is not there */
};

#define STORE_PLACE_INIT                                                                           \
    {                                                                                              \
        .fd = -1                                                                                   \
    }

/* Makes every missing folder on the way to the file. */
enum bg_status store_place_folders(const char *path, struct bg_error *err);

/* Takes the file, where there is one; does nothing when it is taken already. BG_E_BUSY: somebody
 * writes under another name; BG_E_STORE: it has several names. */
enum bg_status store_place_take(struct store_place *place, const char *path, struct bg_error *err);

/* After SQLite has closed the file: closing any descriptor of it drops SQLite's locks. */
void store_place_leave(struct store_place *place);

/* What has become of the file and of its log, in a word for a sentence ("was removed"); NULL: both
 * are there. The log is looked for once it has been seen. */
const char *store_place_check(struct store_place *place, const char *path, const char *log);

/* Whether the file or its log is as large as this process may make one (ulimit -f): SQLite calls
 * that an input or output error, and no waiting mends it. */
bool store_place_met_limit(const char *path, const char *log);

/* Whether what lies at the log's name is ours. */
bool store_place_has_log(const struct store_place *place, const char *log);

#endif
