/* canonical.h - a whole results set as one text that does not depend on how it was produced.
 *
 * Steps and results of every game, sorted by (a, b, pair, leg, game), then the fixtures marked
 * unplayed. The same event with the same seed gives the same bytes at any concurrency and after any
 * number of kills. docs/record.md describes it.
 */
#ifndef RESULTS_PROOF_CANONICAL_H
#define RESULTS_PROOF_CANONICAL_H

#include <stdio.h>

#include "store/store.h"

/* Writes the canonical text. BG_E_MISMATCH: a record (named in the message) does not match its
 * checks, its hash or its id; BG_E_SYSTEM: out cannot be written. */
enum bg_status canonical_write(FILE *out, struct store *store, struct bg_error *err);

/* Writes every record as stored, in the same order. */
enum bg_status canonical_write_records(FILE *out, struct store *store, struct bg_error *err);

#endif
