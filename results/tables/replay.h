/* replay.h - prints one recorded game turn by turn. */
#ifndef RESULTS_TABLES_REPLAY_H
#define RESULTS_TABLES_REPLAY_H

#include <stdio.h>

#include <record/record.h>

/* Draws the position before every play and prints every step; seat 0 is O at the bottom.
 * BG_E_MISMATCH: a step breaks a rule, the message names it; BG_E_FORMAT: the starting position
 * cannot be read. */
enum bg_status replay_write(FILE *out, const struct record_view *view, struct bg_error *err);

#endif
