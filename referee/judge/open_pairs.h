/* open_pairs.h - a stored event's pairs with one leg ended and the other not: with trust: strangers
 * a judge does not get their games, because they contain the dice of the unfinished leg.
 */
#ifndef REFEREE_JUDGE_OPEN_PAIRS_H
#define REFEREE_JUDGE_OPEN_PAIRS_H

#include <stddef.h>

#include "store/store.h"

struct open_pair;

struct open_pairs {
    struct open_pair *list; /* owned; in the order of the store's games */
    size_t count, room;
    uint64_t games; /* in them */
};

/* Finds them; none unless trust is "strangers". No other process may write to the store meanwhile.
 * BG_E_STORE, BG_E_MEMORY. */
enum bg_status open_pairs_find(struct open_pairs *out, struct store *store, struct bg_error *err);
void open_pairs_deinit(struct open_pairs *pairs); /* also of a zeroed one */

bool open_pairs_has(const struct open_pairs *pairs, const struct store_game *game);

#endif
