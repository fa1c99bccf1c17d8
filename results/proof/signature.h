/* signature.h - who has signed the result of an event.
 *
 * Signed is one line, without a line end; WORDS are those of the statement (statement.h), ACTS,
 * JOURNAL, SETTINGS, STANDING, BEGUN and ENDED, joined by "|"; a date that is unknown is "-":
 *
 *     bgref-signed-2|NAME|TIME|GAMES|ROOT|WORDS|EVENT
 *
 * The root covers every game and all that tables show beside them (root.h), so the signature does
 * too. It is kept in the results as the setting "signature.HEX" (HEX: the public key), with a line
 * "NAME|TIME|GAMES|ROOT|HEX|WORDS" for each time that this key signed; HEX is the signature. A root
 * that was withdrawn later leaves its signatures there, and they count for nothing. The journal has
 * no row for a signature: it would change the root that was signed.
 */
#ifndef RESULTS_PROOF_SIGNATURE_H
#define RESULTS_PROOF_SIGNATURE_H

#include <stdint.h>

#include "key_pair.h"
#include "statement.h"
#include "store/store.h"

#define SIGNATURE_KEY "signature."

enum {
    SIGNATURE_EVENT = 256,
    SIGNATURE_TIME = 24,
    SIGNATURE_BYTES = SIGN_BYTES,
    SIGNATURE_DIGITS = 2 * SIGNATURE_BYTES + 1
};

struct signature {
    struct key_public by;
    char time[SIGNATURE_TIME]; /* UTC, "2026-11-22T08:30:00Z" */
    uint64_t games;
    char root[RECORD_HASH];
    struct statement statement;
    unsigned char bytes[SIGNATURE_BYTES];
};

/* Whether it is the key's signature of this event's result. */
bool signature_holds(const struct signature *signature, const char *event);

/* Signs the published root of the results, and stores that. signature->time is the caller's; the
 * rest is filled in. BG_E_ARGUMENT: no root was published, because the event has not ended.
 * BG_E_MISMATCH: the results have another root now, or a row of the journal does not follow. */
enum bg_status signature_add(struct signature *out, struct store *store,
                             const struct sign_secret *secret, struct bg_error *err);

/* Calls fn for each signature of the results, by key, then by time; lent. BG_E_MISMATCH: a line
 * that is none. */
typedef enum bg_status (*signature_fn)(void *user, const struct signature *signature,
                                       struct bg_error *err);
enum bg_status signature_each(struct store *store, signature_fn fn, void *user,
                              struct bg_error *err);

/* Who signed the published root: "NAME on TIME, fingerprint PRINT", joined by "; ". NULL: nobody.
 * lapsed: instead the signatures that do not hold for the published root, of an earlier end of the
 * event or forged. *out is owned by the caller. */
enum bg_status signatures_told(char **out, struct store *store, bool lapsed, struct bg_error *err);

/* As text, "NAME TIME KEY SIGNATURE WORD ..." (the statement's words), of exported records; and
 * back. Root and games are the text's. */
enum {
    SIGNATURE_WORDS = 3 * RECORD_HASH + 2 * ACT_AT + 32,
    SIGNATURE_LINE =
        KEY_FILE_NAME + SIGNATURE_TIME + KEY_FILE_DIGITS + SIGNATURE_DIGITS + SIGNATURE_WORDS + 8
};
void signature_write(char out[SIGNATURE_LINE], const struct signature *signature);
bool signature_read(struct signature *out, const char *line);

#endif
