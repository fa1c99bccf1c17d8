/* mounts.h - all paths by which a folder can be reached.
 *
 * A path is not enough: a bind mount shows the same folder elsewhere. So a folder is identified by
 * its device and the path within that device's file system. All paths given must be real ones
 * (realpath: absolute, no links).
 */
#ifndef REFEREE_PROCESS_MOUNTS_H
#define REFEREE_PROCESS_MOUNTS_H

#include <bgref/error.h>

#include <stdbool.h>

struct mounts;

/* Reads this process's mounts. BG_E_SYSTEM: /proc/self/mountinfo cannot be read. */
enum bg_status mounts_read(struct mounts **out, struct bg_error *err);
void mounts_free(struct mounts *mounts); /* NULL is fine */

/* Returns true if path is folder or below it, by their text. */
bool is_below(const char *path, const char *folder);

/* Called with each path, folder or below it, at which secret or a part of it is visible. */
typedef void seen_fn(void *user, const char *path);

/* Calls seen for each path at which a process that sees folder, with all mounts below it, sees
 * secret. The path is folder itself if folder is secret or is inside it. */
void mounts_find(const struct mounts *mounts, const char *secret, const char *folder, seen_fn *seen,
                 void *user);

#endif
