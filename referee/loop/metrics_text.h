/* metrics_text.h - numbers for monitoring in Prometheus' text format, version 0.0.4.
 *
 *     metrics_family(out, "bgref_games_total", METRICS_COUNTER, "Games stored by this run.");
 *     metrics_number(out, "bgref_games_total", &label, 1, 12);
 *
 * A family is written once, with all its samples behind it. The caller checks the file for errors.
 */
#ifndef REFEREE_LOOP_METRICS_TEXT_H
#define REFEREE_LOOP_METRICS_TEXT_H

#include <stdio.h>

#include "record/duration_histogram.h"

enum metrics_kind { METRICS_COUNTER, METRICS_GAUGE, METRICS_HISTOGRAM };

struct metrics_label {
    const char *name, *value; /* lent; any text is allowed as value */
};

/* help: one line. */
void metrics_family(FILE *out, const char *name, enum metrics_kind kind, const char *help);
void metrics_number(FILE *out, const char *name, const struct metrics_label *labels, int count,
                    double value);
/* Writes buckets, sum and count of durations, in seconds. The bounds are powers of two of a
 * nanosecond, from 1 us to 69 s by a factor of 4: there the histogram is exact, but a duration of
 * exactly a bound counts as longer. labels: at most METRICS_LABELS - 1. */
enum { METRICS_LABELS = 4 };
void metrics_durations(FILE *out, const char *name, const struct metrics_label *labels, int count,
                       const struct duration_histogram *durations);

#endif
