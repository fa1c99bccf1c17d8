/* outputs.h - files of games that duel and tournament write when a run ends: -matout and the like.
 *
 * They belong to the run, not to the event: each has every game in the results. The run that names
 * a file replaces it; the file appears complete or not at all.
 */
#ifndef REFEREE_CMD_OUTPUTS_H
#define REFEREE_CMD_OUTPUTS_H

#include "config/config.h"
#include "format/format.h"

enum { OUTPUTS = 4 };

/* Paths by index of outputs_flag; NULL: not wanted. */
struct outputs {
    char *path[OUTPUTS];
};

/* Returns the name ("matout") and the help of flag i; NULL past the last one. Static. */
const char *outputs_flag(int i);
const char *outputs_help(int i);

/* Makes a copy that the caller owns, for outputs_deinit. */
void outputs_copy(struct outputs *out, const struct outputs *outputs);
void outputs_deinit(struct outputs *outputs);

/* Checks before play whether the outputs are possible: a file holds one match or session.
 * BG_E_ARGUMENT names the flag and the remedy. */
enum bg_status outputs_check(const struct outputs *outputs, const struct config_event *event,
                             struct bg_error *err);

/* Writes the files from event->results after a run that ended with exit status `code`. Returns that
 * status, or EXIT_SURROUNDINGS if a file could not be written and there was no other failure.
 * Prints failures, and what a format cannot hold, on standard error. */
int outputs_write(const struct outputs *outputs, const struct config_event *event, int code);

#endif
