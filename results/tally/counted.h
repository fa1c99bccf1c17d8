/* counted.h - which pairs of an event count, where a sequential test has ended it.
 *
 * A test decides on the longest complete beginning of the schedule. Games of later pairs that were
 * under way are finished and kept, as surplus: how many there are depends on the concurrency, so
 * they are in no table, and every table is the same however the event was played.
 */
#ifndef RESULTS_TALLY_COUNTED_H
#define RESULTS_TALLY_COUNTED_H

#include "store/store.h"

/* Pairs numbered below *pairs count; UINT64_MAX: all. */
enum bg_status counted_read(uint64_t *pairs, struct store *store, struct bg_error *err);
/* Whether events in this game count. NULL or an unknown name means outside a game, which counts. */
bool counted_has(uint64_t pairs, const char *game_id);
enum bg_status counted_write(struct store *store, uint64_t pairs, struct bg_error *err);

#endif
