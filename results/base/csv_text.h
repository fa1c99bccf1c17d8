/* csv_text.h - a text as a field of CSV (RFC 4180) that a spreadsheet shows and does not compute.
 */
#ifndef RESULTS_BASE_CSV_TEXT_H
#define RESULTS_BASE_CSV_TEXT_H

#include <stddef.h>

/* Writes the field, in quotes if it needs them, with a terminator. A text that begins with = + - @,
 * a tab or a carriage return gets an apostrophe before it, also the name of a bot: a spreadsheet
 * takes the rest for a formula. What has no room is left out at the text's end. */
void csv_text(char *out, size_t room, const char *text);

#endif
