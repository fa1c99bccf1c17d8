/* adjusted_text.h - joint ratings and crosstable of luck-adjusted results, as text and JSON. */
#ifndef RESULTS_TABLES_ADJUSTED_TEXT_H
#define RESULTS_TABLES_ADJUSTED_TEXT_H

#include <stdio.h>

#include <jansson.h>

#include <sums/adjusted.h>

/* games: finished in the event, including unjudged ones. */
void adjusted_text(FILE *out, const struct adjusted *adjusted, uint64_t games);

/* The same from the sums, with the usual anchor. */
enum bg_status adjusted_print(FILE *out, const struct judged_sums *sums, uint64_t games,
                              struct bg_error *err);

/* {"judge", "unit", "games", "ratings": [...], "encounters": [...]}; NULL without memory. */
json_t *adjusted_json(const struct adjusted *adjusted);

#endif
