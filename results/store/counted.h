/* counted.h - which pairs of an event count after a sequential test has ended.
 *
 * A test decides on the longest beginning of the schedule without gaps. Games of later pairs that
 * are still being played are finished and kept as surplus. Their number depends on the concurrency,
 * so no table uses them, and every table is the same for any concurrency.
 */
#ifndef RESULTS_STORE_COUNTED_H
#define RESULTS_STORE_COUNTED_H

#include "store.h"

/* Pairs numbered below *pairs count; UINT64_MAX: all. */
enum bg_status counted_read(uint64_t *pairs, struct store *store, struct bg_error *err);
/* Whether things that happened in this game count. NULL or an unknown id means outside a game,
 * which counts. */
bool counted_has(uint64_t pairs, const char *game_id);
enum bg_status counted_write(struct store *store, uint64_t pairs, struct bg_error *err);

#endif
