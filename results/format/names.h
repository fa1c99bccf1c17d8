/* names.h - player names for programs that accept at most 31 bytes. */
#ifndef RESULTS_FORMAT_NAMES_H
#define RESULTS_FORMAT_NAMES_H

#include <record/record.h>

enum { FORMAT_NAME = 32 /* with the terminator */ };

/* The display names of seats 0 and 1: in imported games those of the foreign file, else the bots'
 * names. Lent by view. */
void format_players(const char *name[2], const struct record_view *view);

/* Cuts the names of both players to what fits, between characters of UTF-8, and keeps two that
 * differ apart: names that would become one end in `~1` and `~2`. An empty name becomes "-". */
void format_names(char out[2][FORMAT_NAME], const char *const name[2]);

#endif
