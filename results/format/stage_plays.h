/* stage_plays.h - legal plays of any variant by stage, for bgref plays. */
#ifndef RESULTS_FORMAT_STAGE_PLAYS_H
#define RESULTS_FORMAT_STAGE_PLAYS_H

#include <stdio.h>

#include <bgref/error.h>

/* Reads a row 'VARIANT POSITION STAGE' and prints it with the number of results and the results,
 * sorted by bytes. A position_row (positions.h). */
enum bg_status stage_plays_row(char **column, int columns, FILE *out, struct bg_error *err);

/* The same as a numbered list of plays. */
enum bg_status stage_plays_show(const char *variant, const char *position, const char *stage,
                                FILE *out, struct bg_error *err);

#endif
