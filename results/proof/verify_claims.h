/* verify_claims.h - what the settings of an event say against what its records say. Private to
 * verify.
 *
 * Tables and reports print the settings; the records were written from them while the games were
 * played. What an older event does not have is not compared.
 */
#ifndef RESULTS_PROOF_VERIFY_CLAIMS_H
#define RESULTS_PROOF_VERIFY_CLAIMS_H

#include "store/store.h"

struct claims;

enum bg_status claims_read(struct claims **out, struct store *store, struct bg_error *err);
void claims_destroy(struct claims *claims);

/* BG_E_MISMATCH: the record was played with another clock, by other rules, by a program that its
 * bot never had. NULL holds always. */
enum bg_status claims_check(const struct claims *claims, const struct record_view *view,
                            struct bg_error *err);

#endif
