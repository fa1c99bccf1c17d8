/* circuit_text.h - the tables of several events together, as text and as JSON (docs/fields.md). */
#ifndef RESULTS_TABLES_CIRCUIT_TEXT_H
#define RESULTS_TABLES_CIRCUIT_TEXT_H

#include <stdio.h>

#include <sums/circuit.h>
#include <numbers/rating.h>

struct circuit_options {
    struct rating_options rating;      /* the anchor is below */
    const char *anchor;                /* lent; a competitor's name; NULL: the mean */
    const struct points_table *points; /* lent; NULL: none */
    bool history;
    bool explain; /* with all notes */
};

/* Print the joint table, the events, and what the options ask for. BG_E_SYSTEM,
 * BG_E_MISMATCH. */
enum bg_status circuit_text(FILE *out, const struct circuit *circuit,
                            const struct circuit_options *options, struct bg_error *err);
enum bg_status circuit_json(FILE *out, const struct circuit *circuit,
                            const struct circuit_options *options, struct bg_error *err);

#endif
