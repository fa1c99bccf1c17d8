/* verify_judged.h - checks the judgements of a store's games. Private to verify.
 *
 * Only a new judgement can prove that a judge was right. Checked here: the judge's sums are the
 * sums of its rolls, and every roll and choice is in the record.
 */
#ifndef RESULTS_PROOF_VERIFY_JUDGED_H
#define RESULTS_PROOF_VERIFY_JUDGED_H

#include "store/store.h"

/* *judged: number of judgements checked. BG_E_MISMATCH: the message has game and judge. */
enum bg_status verify_judged(uint64_t *judged, struct store *store, struct bg_error *err);

#endif
