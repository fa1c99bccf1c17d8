/* removal.h - removes a folder with files that other programs put into it.
 *
 * Symbolic links are removed, never followed, even if a process replaces a folder by a link
 * meanwhile. Any depth, name and mode is handled; it needs twenty descriptors and almost no memory.
 */
#ifndef REFEREE_LOOP_REMOVAL_H
#define REFEREE_LOOP_REMOVAL_H

#include <stdbool.h>

/* Removes the entries of a folder except `keep` (NULL: all). Returns false if something is left: a
 * mount, a folder that another process keeps filling, or more than a million entries. */
bool removal_empty(int folder, const char *keep);

/* Removes the folder at path, which is not a link, with all its content. Returns false as above. */
bool removal_folder(const char *path);

#endif
