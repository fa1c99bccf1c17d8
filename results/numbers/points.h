/* points.h - points of a circuit: what a place in an event is worth.
 *
 * A table has lines `PLACE POINTS` or `FIRST-LAST POINTS`; '#' begins a comment. A place without a
 * line is worth 0. Bots that share a place share the points of the places that they take together.
 * Pure.
 */
#ifndef RESULTS_NUMBERS_POINTS_H
#define RESULTS_NUMBERS_POINTS_H

#include <stddef.h>

#include <bgref/error.h>

enum { POINTS_PLACES = 1000 };

struct points_table {
    double worth[POINTS_PLACES]; /* of place i + 1 */
    int places;                  /* the last place with a line */
};

/* Reads the text of a table. BG_E_FORMAT: the message has the line. */
enum bg_status points_read(struct points_table *out, const char *text, struct bg_error *err);

/* out[i]: points of the bot with this rank (from 1; a shared rank stands once for each bot that
 * has it; 0: no place, no points). out and rank need `count` elements. */
void points_share(double *out, const struct points_table *table, const int *rank, size_t count);

#endif
