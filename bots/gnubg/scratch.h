/* scratch.h - a private folder for gnubg while it starts.
 *
 * If the bridge is killed in that time it cannot remove its folder; the next bridge does.
 */
#ifndef BOTS_GNUBG_SCRATCH_H
#define BOTS_GNUBG_SCRATCH_H

#include <bgref/error.h>

enum {
    SCRATCH_PATH = 1024,
    SCRATCH_LIFE_S = 600 /* no start takes that long: an older folder has lost its owner */
};

/* Creates an empty folder under TMPDIR, else /tmp, and removes old ones that other bridges of this
 * user left there. BG_E_SYSTEM: it cannot be created; *out is then empty. */
enum bg_status scratch_create(char out[SCRATCH_PATH], struct bg_error *err);

/* Removes the folder with its content and empties path; an empty path is fine. */
void scratch_remove(char path[SCRATCH_PATH]);

#endif
