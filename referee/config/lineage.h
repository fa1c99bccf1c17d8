/* lineage.h - which bots of an event are one bot under several names (revisions: new_entry).
 *
 * NAME is the first of its line, NAME.2 continues it, and so on; the last one plays. Those that
 * continue another one stand behind all bots of the event file. Pure.
 */
#ifndef REFEREE_CONFIG_LINEAGE_H
#define REFEREE_CONFIG_LINEAGE_H

#include "config.h"

/* Returns the first and the last of a bot's line, by index. A bot that is alone is both. Doors,
 * keys and limits know the first. */
int lineage_first(const struct config_event *event, int bot);
int lineage_last(const struct config_event *event, int bot);

/* Returns the place of a bot in its line, from 1. */
int lineage_place(const struct config_event *event, int bot);

/* Returns how many bots continue no other one: those of the event file, which stand first. */
int lineage_in_file(const struct config_event *event);

#endif
