/* values.h - a key's value: read from text into the event, and written back. */
#ifndef REFEREE_CONFIG_VALUES_H
#define REFEREE_CONFIG_VALUES_H

#include "keys.h"

/* Reads text into the key's place. from: CONFIG_FLAG or a line; also noted for other keys that it
 * sets. BG_E_ARGUMENT: err has the error, without the key's name. */
enum bg_status value_read(struct config_event *event, const struct key *key, const char *text,
                          int from, struct bg_error *err);

/* Writes the present value as value_read would read it. out: CONFIG_VALUE bytes are enough. */
void value_write(char *out, size_t size, const struct config_event *event, const struct key *key);

#endif
