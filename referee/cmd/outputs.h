/* outputs.h - files of games that duel and tournament write when a run ends: -matout and the like.
 *
 * They belong to the run, not to the event: each holds every game in the results, is written anew
 * by the run that names it, and appears complete or not at all.
 */
#ifndef REFEREE_CMD_OUTPUTS_H
#define REFEREE_CMD_OUTPUTS_H

#include "config/config.h"
#include "format/format.h"

enum { OUTPUTS = 4 };

/* Paths by place of outputs_flag; NULL: not wanted. */
struct outputs {
    char *path[OUTPUTS];
};

/* The flag of place i, "matout", and its help; NULL past the last. Static. */
const char *outputs_flag(int i);
const char *outputs_help(int i);

/* A copy that is the caller's, for outputs_deinit whatever the outcome. BG_E_MEMORY. */
enum bg_status outputs_copy(struct outputs *out, const struct outputs *outputs,
                            struct bg_error *err);
void outputs_deinit(struct outputs *outputs);

/* Whether what is wanted can be, before anything is played: a file holds one match or session.
 * BG_E_ARGUMENT names the flag and the remedy. */
enum bg_status outputs_check(const struct outputs *outputs, const struct config_event *event,
                             struct bg_error *err);

/* Writes them from event->results after a run that ended in exit status `code`; returns that
 * status, or EXIT_SURROUNDINGS if a file could not be written and there was no other failure.
 * Prints failures, and what a format cannot hold, on standard error. */
int outputs_write(const struct outputs *outputs, const struct config_event *event, int code);

#endif
