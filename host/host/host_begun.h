/* host_begun.h - whether an event's file still says what its results were begun with.
 *
 * The event's process refuses another length or clock, and is started again and again; its director
 * hears it here when he asks for its start. Bots, their programs and what may grow are compared by
 * the process alone.
 */
#ifndef HOST_HOST_HOST_BEGUN_H
#define HOST_HOST_HOST_BEGUN_H

#include "host_config.h"

/* Reads the event's file and its results anew. BG_E_CONFIG: a setting is another one, in the words
 * of the process. BG_OK too without results, or if they cannot be read now. */
enum bg_status host_begun_check(const struct host_config *config, const struct host_event *event,
                                const char *results, struct bg_error *err);

#endif
