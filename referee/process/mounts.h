/* mounts.h - under which paths a folder can be reached, whatever it is called there.
 *
 * A path says little: a bind mount shows the same folder elsewhere. So a folder is taken for what
 * it is: a device, and a path within that device's file system. All paths given are real ones
 * (realpath: absolute, no links).
 */
#ifndef REFEREE_PROCESS_MOUNTS_H
#define REFEREE_PROCESS_MOUNTS_H

#include <bgref/error.h>

#include <stdbool.h>

struct mounts;

/* Reads this process's mounts. BG_E_SYSTEM: /proc/self/mountinfo cannot be read; BG_E_MEMORY. */
enum bg_status mounts_read(struct mounts **out, struct bg_error *err);
void mounts_free(struct mounts *mounts); /* NULL is fine */

/* True when path is folder or lies below it, by the text of both. */
bool is_below(const char *path, const char *folder);

/* Called with each path, folder or below it, under which secret or a part of it is seen. */
typedef void seen_fn(void *user, const char *path);

/* Where secret can be seen by somebody who sees folder and all that is mounted below it. The path
 * is folder itself when folder is secret or lies in it. */
void mounts_find(const struct mounts *mounts, const char *secret, const char *folder, seen_fn *seen,
                 void *user);

#endif
