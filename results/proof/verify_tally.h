/* verify_tally.h - compares a store's tally and faults with its games. Private to verify.
 *
 *     recount = recount_create();
 *     recount_game(recount, game, &err);         each game that counts, in the order of exports
 *     recount_compare(recount, store, &err);
 */
#ifndef RESULTS_PROOF_VERIFY_TALLY_H
#define RESULTS_PROOF_VERIFY_TALLY_H

#include "store/store.h"

struct recount;

struct recount *recount_create(void);
void recount_destroy(struct recount *recount);

/* Counts a game whose columns were proved. */
void recount_game(struct recount *recount, const struct store_game *game);

/* BG_E_MISMATCH: a sum of the tally, or the evidence of a fault, does not match the games. *faults:
 * pieces of evidence; *outside: those that belong to no game. */
enum bg_status recount_compare(uint64_t *faults, uint64_t *outside, struct recount *recount,
                               struct store *store, struct bg_error *err);

#endif
