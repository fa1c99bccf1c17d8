/* seeds_rated.h - the seeds of an event in the order of an earlier event's table. */
#ifndef REFEREE_CMD_SEEDS_RATED_H
#define REFEREE_CMD_SEEDS_RATED_H

#include "config/config.h"

/* Fills event->rated if `seeds` names a file; call after config_event_check. BG_E_ARGUMENT: the
 * file is missing or no results; BG_E_STORE, BG_E_FORMAT, BG_E_MEMORY. */
enum bg_status seeds_rated(struct config_event *event, struct bg_error *err);

#endif
