/* door_value.h - the value of the key `door`: how remote bots reach the event. */
#ifndef REFEREE_CONFIG_DOOR_VALUE_H
#define REFEREE_CONFIG_DOOR_VALUE_H

#include "config.h"

/* Sets one word of the door: listen, key, allow, address, file, appear, grace,
 * per_address, connections, back. BG_E_ARGUMENT. */
enum bg_status door_value_take(struct config_door *door, const char *word, const char *value,
                               struct bg_error *err);
/* Reads "listen=tcp://0.0.0.0:5555 key=host.key allow=allow.yaml", or "off". BG_E_ARGUMENT. */
enum bg_status door_value_read(struct config_door *out, const char *text, struct bg_error *err);
void door_value_write(char *out, size_t size, const struct config_door *door);

/* Sets what was not given: the name of HOST.bgref and the times to appear. BG_E_ARGUMENT: listen,
 * key or allow is missing. */
enum bg_status door_value_complete(struct config_door *door, struct bg_error *err);

#endif
