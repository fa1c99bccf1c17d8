/* removal.h - removes a folder with what others have put into it.
 *
 * Symbolic links are removed, never followed, also when somebody exchanges a folder for one
 * meanwhile. Depth, names and modes do not matter; twenty descriptors and hardly any memory are
 * needed.
 */
#ifndef REFEREE_LOOP_REMOVAL_H
#define REFEREE_LOOP_REMOVAL_H

#include <stdbool.h>

/* Removes the entries of a folder but `keep` (NULL: all). False: something is left, because it is a
 * mount, because somebody goes on filling it, or because there are more than a million. */
bool removal_empty(int folder, const char *keep);

/* Removes the folder at path, which is not a link, with all that is in it. False as above. */
bool removal_folder(const char *path);

#endif
