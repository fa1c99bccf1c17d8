/* foreign_names.h - player names from foreign files: any bytes, converted to UTF-8 for display and
 * to a bot's name for ids.
 */
#ifndef RESULTS_FORMAT_FOREIGN_NAMES_H
#define RESULTS_FORMAT_FOREIGN_NAMES_H

#include "foreign.h"

/* The bytes of a name, without blanks around it and the rating behind a comma, as UTF-8. Bytes that
 * are not UTF-8 are taken as Windows-1252, and *latin1 is set; controls are left out. May become
 * "". */
void foreign_display_name(char out[FOREIGN_NAME], bool *latin1, const char *text, size_t length);

/* A name for a bot: Latin letters lose their accents, everything else that is not a letter, digit
 * or one of . _ + - becomes a dash. Never "". */
void foreign_bot_name(char out[65], const char *display);

/* Makes two equal names of bots different. */
void foreign_part_names(char one[65], char other[65]);

#endif
