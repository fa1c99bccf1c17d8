/* A setting that cannot be read counts as missing, which counts every game: showing a few games
 * too many is better than no table. */
#include "counted.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/game_id.h"

#define KEY "results.counted"

enum bg_status counted_read(uint64_t *pairs, struct store *store, struct bg_error *err)
{
    char text[32] = "", *end = text;
    enum bg_status status = store_meta_text(text, sizeof text, store, KEY, err);
    uint64_t value = strtoull(text, &end, 10);

    *pairs = end != text && *end == '\0' ? value : UINT64_MAX;
    return status;
}

bool counted_has(uint64_t pairs, const char *game_id)
{
    struct game_id id;

    /* A fault outside of games belongs to no pair, and counts. */
    return game_id == NULL || !game_id_read(&id, game_id) || id.pair < pairs;
}

enum bg_status counted_write(struct store *store, uint64_t pairs, struct bg_error *err)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRIu64, pairs);
    return store_meta_set(store, KEY, text, err);
}
