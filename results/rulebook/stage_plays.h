/* stage_plays.h - legal plays of any game by stage, for bgref plays. */
#ifndef RESULTS_RULEBOOK_STAGE_PLAYS_H
#define RESULTS_RULEBOOK_STAGE_PLAYS_H

#include <stdio.h>

#include <bgref/error.h>

/* A row 'VARIANT POSITION STAGE': prints these with the count and the results, sorted by their
 * bytes. A position_row (positions.h). */
enum bg_status stage_plays_row(char **column, int columns, FILE *out, struct bg_error *err);

/* The same for people: one numbered play a line. */
enum bg_status stage_plays_show(const char *variant, const char *position, const char *stage,
                                FILE *out, struct bg_error *err);

#endif
