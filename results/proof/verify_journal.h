/* verify_journal.h - the chain of the journal's rows. Private to verify.
 *
 * BG_E_MISMATCH: the message has the first row that does not follow from the rows before it.
 */
#ifndef RESULTS_PROOF_VERIFY_JOURNAL_H
#define RESULTS_PROOF_VERIFY_JOURNAL_H

#include "verify.h"

/* Sets acts and journal in *sum. */
enum bg_status verify_journal_of_store(struct verify_sum *sum, struct store *store,
                                       struct bg_error *err);

/* The same from the lines of a root's head; NULL: no journal. */
enum bg_status verify_journal_of_head(struct verify_sum *sum, const char *head,
                                      struct bg_error *err);

#endif
