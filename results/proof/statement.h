/* statement.h - what a signature says of an event beside its root: the journal, the event's
 * settings, the standing, the dates.
 *
 * The digests are BLAKE2b-256 in hexadecimal digits:
 *
 *     event      over the name and the value of each setting "event.*" and "season.*", sorted by
 *                name, each ended by a zero byte
 *     standing   over the line "bgref-standing 1", and "NAME GAMES WON LOST POINTS" for each bot
 *                that has played a game that counts, sorted by name (bytes), each ended by LF; in
 *                an event with a form instead "STAGE GROUP PLACE NAME SCORE" for each place of each
 *                stage and group (numbers from 1, the score with one decimal)
 */
#ifndef RESULTS_PROOF_STATEMENT_H
#define RESULTS_PROOF_STATEMENT_H

#include "store/store.h"

struct statement {
    uint64_t acts;                     /* rows of the journal */
    char journal[RECORD_HASH];         /* hash of the last one; ACT_ORIGIN: none */
    char event[RECORD_HASH];           /* digest of the event's settings */
    char standing[RECORD_HASH];        /* digest of the standing */
    char begun[ACT_AT], ended[ACT_AT]; /* UTC: the first run, and the last run or act */
};

/* begun and ended are "" in an event without runs and acts. BG_E_STORE. */
enum bg_status statement_read(struct statement *out, struct store *store, struct bg_error *err);

#endif
