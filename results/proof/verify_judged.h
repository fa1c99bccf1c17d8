/* verify_judged.h - what judges said of the games of a store. Private to verify.
 *
 * That a judge was right nobody can prove without asking it again. What holds or not is that its
 * sums are the sums of its rolls, and that every roll and choice is one that the record has.
 */
#ifndef RESULTS_PROOF_VERIFY_JUDGED_H
#define RESULTS_PROOF_VERIFY_JUDGED_H

#include "store/store.h"

/* *judged: judgements looked at. BG_E_MISMATCH names game and judge. */
enum bg_status verify_judged(uint64_t *judged, struct store *store, struct bg_error *err);

#endif
