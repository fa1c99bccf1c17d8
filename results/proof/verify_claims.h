/* verify_claims.h - compares an event's settings with its records. Private to verify.
 *
 * Tables and reports print the settings; the records were written from them during play. Settings
 * that an older event lacks are not compared.
 */
#ifndef RESULTS_PROOF_VERIFY_CLAIMS_H
#define RESULTS_PROOF_VERIFY_CLAIMS_H

#include "season/season.h"
#include "store/store.h"

struct claims;

enum bg_status claims_read(struct claims **out, struct store *store, struct bg_error *err);
/* The season says which games have other rules than the event: another length, no cube. Lent; NULL:
 * none has. */
void claims_have_terms(struct claims *claims, const struct season *season);
void claims_destroy(struct claims *claims);

/* BG_E_MISMATCH: the record has another clock, other rules, or a program that its bot never had.
 * claims NULL: always BG_OK. */
enum bg_status claims_check(const struct claims *claims, const struct record_view *view,
                            struct bg_error *err);

#endif
