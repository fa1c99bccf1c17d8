/* openings_value.h - the value of the key openings: words "file=x.xgid order=random start=3". */
#ifndef REFEREE_CONFIG_OPENINGS_VALUE_H
#define REFEREE_CONFIG_OPENINGS_VALUE_H

#include "config.h"

/* Reads "off", a bare path, or words. BG_E_ARGUMENT names the word. */
enum bg_status openings_value_read(struct config_openings *out, const char *text,
                                   struct bg_error *err);
void openings_value_write(char *out, size_t size, const struct config_openings *openings);

/* The same without the file, because results depend on its content, not on its name. */
void openings_value_order(char *out, size_t size, const struct config_openings *openings);

#endif
