/* foreign_names.h - player names from foreign files: any bytes, converted to UTF-8 for display and
 * to a bot's name for ids.
 */
#ifndef RESULTS_FORMAT_FOREIGN_NAMES_H
#define RESULTS_FORMAT_FOREIGN_NAMES_H

#include "foreign.h"

/* Converts a name's bytes to UTF-8, without surrounding blanks and without a rating after a comma.
 * Bytes that are not UTF-8 are read as Windows-1252, and *latin1 is set; control characters are
 * removed. The result can be "". */
void foreign_display_name(char out[FOREIGN_NAME], bool *latin1, const char *text, size_t length);

/* Makes a bot's name: removes accents from Latin letters; every other character except letters,
 * digits and . _ + - becomes a dash. Never "". */
void foreign_bot_name(char out[65], const char *display);

/* Makes two equal bot names different. */
void foreign_part_names(char one[65], char other[65]);

#endif
