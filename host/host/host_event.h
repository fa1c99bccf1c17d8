/* host_event.h - one item of the list `events` of HOST.yaml, with its event file. */
#ifndef HOST_HOST_HOST_EVENT_H
#define HOST_HOST_HOST_EVENT_H

#include "config/config.h"
#include "host_config.h"

struct registry;

/* Reads an item. registry: NULL: its event file is not read, and the event has no name. host: the
 * sections; with a door of the host the event's remote bots come by that.
 * BG_E_CONFIG. The caller frees out->bots, also on failure. */
enum bg_status host_event_read(struct host_event *out, struct agenda_event *rule,
                               const struct yaml *yaml, int item, const struct registry *registry,
                               const struct host_config *host, struct bg_error *err);

/* Reads an event file as this host would play it: with its door, and the keys of its own list. An
 * event with fewer than two bots gets the others by `enter`; then it is checked when it begins. The
 * caller calls config_event_deinit, also on failure. BG_E_CONFIG. */
enum bg_status host_event_file(struct config_event *event, const char *path,
                               const struct registry *registry, const struct host_config *host,
                               struct bg_error *err);

/* Checks the events against each other: names, what they follow, results, doors. */
enum bg_status host_events_check(const struct host_config *config, const struct yaml *yaml,
                                 int list, struct bg_error *err);

#endif
