/* store_copy.h - copies a results database while an event writes to it.
 *
 * The copy is the database as it is in the reader's snapshot, in one file without a log. It has no
 * mark of being open (STORE_OPEN), so it can be used in the place of the database at once.
 */
#ifndef RESULTS_STORE_STORE_COPY_H
#define RESULTS_STORE_STORE_COPY_H

#include "store.h"

/* from: opened by store_sqlite_open_read, with its snapshot on; while the copy is made, other
 * processes read and write as usual. path: a new or empty file; it is overwritten. Makes 256 pages
 * at a time and pauses as long as they took, so that it uses at most half of the disk's time.
 * Not yet on the disk when it returns: call fsync. BG_E_STORE: the message has the file. */
enum bg_status store_sqlite_copy(struct store *from, const char *path, struct bg_error *err);

#endif
