/* sequential.h - the sequential test of a duel: its clusters and its decision.
 *
 * Its clusters are the pairs of the schedule in their order, whatever order they end in: the test
 * uses only the longest complete prefix. So its outcome is a pure function of the games, the same
 * at any concurrency and after any number of interruptions. The formulas are in numbers/sprt.h.
 */
#ifndef REFEREE_FEED_SEQUENTIAL_H
#define REFEREE_FEED_SEQUENTIAL_H

#include <stdio.h>

#include "numbers/sprt.h"
#include "store/store.h"
#include "pairs.h"

#include "config/config.h"

struct sequential {
    const struct config_event *event; /* lent */
    struct sprt test;
    bool flip; /* the event's first bot is B in the pairs */
};

/* event->sprt is on, and config_event_check has passed. BG_E_ARGUMENT. */
enum bg_status sequential_init(struct sequential *out, const struct config_event *event,
                               struct bg_error *err);
void sequential_deinit(struct sequential *sequential); /* also of a zeroed one */

/* Adds a complete pair. Returns true if more clusters count than before, so the ratio has changed.
 */
bool sequential_put(struct sequential *sequential, const struct pairs_cluster *cluster);

bool sequential_is_over(const struct sequential *sequential);

/* Return the hypotheses' unit ("points per game", "FIBS points", "chess Elo", "normalised Elo") and
 * the model's name. */
const char *sequential_unit(const struct sequential *sequential);
const char *sequential_model(const struct sequential *sequential);

/* Prints the outcome as lines of text: verdict, ratio, bounds, and how reliable an estimate after a
 * sequential test is. */
void sequential_write(FILE *out, const struct sequential *sequential);

/* Writes "LLR: 1.20 (40.8%) (-2.94, 2.94) [0.00, 5.00] FIBS points", without a line break. */
enum { SEQUENTIAL_LINE = 160 };
void sequential_line(char out[SEQUENTIAL_LINE], const struct sequential *sequential);

/* Stores its state in the results (`sprt.outcome`), for reports. */
enum bg_status sequential_keep(const struct sequential *sequential, struct store *store,
                               struct bg_error *err);

/* Writes for the progress line: "LLR 1.20 (-2.94, 2.94) 140 pairs". */
void sequential_short(char out[SEQUENTIAL_LINE], const struct sequential *sequential);

#endif
