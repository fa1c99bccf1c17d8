/* root.h - one digest over a whole results set.
 *
 * BLAKE2b-256 over the line "bgref-root 1" and a line "ID HASH" for every game, each ended by LF,
 * in the order of exports: by names (bytes), pair, leg and game; behind them a line "set-aside
 * ID|ATTEMPT HASH" for every game that was set aside, by names, pair, attempt, leg and game.
 * Whoever knows the root of an event knows whether records shown to him are the ones that were
 * played.
 */
#ifndef ROOT_H
#define ROOT_H

#include <sodium.h>

#include "store.h"

struct root {
    crypto_generichash_state state;
};

void root_begin(struct root *root);
void root_add(struct root *root, const char *game_id, const char *hash);
/* Of a game that was set aside, with the attempt it was played in. */
void root_add_aside(struct root *root, const char *game_id, uint64_t attempt, const char *hash);
void root_end(char out[RECORD_HASH], struct root *root);

/* The root of everything in a store. */
enum bg_status root_of_store(char out[RECORD_HASH], struct store *store, struct bg_error *err);

#endif
