/* scratch.h - a private folder for the time that gnubg takes to start.
 *
 * A bridge that is killed in that moment cannot remove its folder; the next one does.
 */
#ifndef BOTS_GNUBG_SCRATCH_H
#define BOTS_GNUBG_SCRATCH_H

#include <bgref/error.h>

enum {
    SCRATCH_PATH = 1024,
    SCRATCH_LIFE_S = 600 /* no start takes that long: an older folder has lost its owner */
};

/* Creates an empty folder under TMPDIR, else /tmp, and removes those that were left there by
 * others of this user. BG_E_SYSTEM: it cannot be created; *out is then empty. */
enum bg_status scratch_create(char out[SCRATCH_PATH], struct bg_error *err);

/* Removes it with all that is in it and empties path; an empty path is fine. */
void scratch_remove(char path[SCRATCH_PATH]);

#endif
