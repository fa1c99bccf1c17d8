/* names.h - names of players for programs that take 31 bytes. */
#ifndef RESULTS_FORMAT_NAMES_H
#define RESULTS_FORMAT_NAMES_H

#include <record/record.h>

enum { FORMAT_NAME = 32 /* with the terminator */ };

/* The names of seat 0 and 1 as people know them: of imported games those of the foreign file, else
 * the names of the bots. Lent by view. */
void format_players(const char *name[2], const struct record_view *view);

/* Cuts the names of both players to what fits, between characters of UTF-8, and keeps two that
 * differ apart: names that would become one end in `~1` and `~2`. An empty name becomes "-". */
void format_names(char out[2][FORMAT_NAME], const char *const name[2]);

#endif
