/* allow.h - the public keys of remote bots: a YAML list, "- {name: anna, key: 64 digits}".
 *
 * `note` may say anything. Names that are not in the event are passed over, so that one file can
 * serve several events.
 */
#ifndef REFEREE_CONFIG_ALLOW_H
#define REFEREE_CONFIG_ALLOW_H

#include "config.h"

/* Gives each remote bot of the event its key. BG_E_CONFIG: file:line and the mistake: a bot without
 * a key, a name twice, a key that two names have. */
enum bg_status allow_read(struct config_event *event, const char *path, struct bg_error *err);

#endif
