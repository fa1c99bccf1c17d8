/* names.h - player names for programs that accept at most 31 bytes. */
#ifndef RESULTS_FORMAT_NAMES_H
#define RESULTS_FORMAT_NAMES_H

#include <record/record.h>

enum { FORMAT_NAME = 32 /* including the terminator */ };

/* Returns the display names of seats 0 and 1: for imported games the foreign file's, else the bots'
 * names. Lent by view. */
void format_players(const char *name[2], const struct record_view *view);

/* Cuts both names to the allowed length, between UTF-8 characters, and keeps different names
 * different: names that would become equal end in `~1` and `~2`. An empty name becomes "-",
 * and a colon, at which gnubg's reader of .mat ends its program, '_'. */
void format_names(char out[2][FORMAT_NAME], const char *const name[2]);

#endif
