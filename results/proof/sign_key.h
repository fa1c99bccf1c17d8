/* sign_key.h - Ed25519 keys with which a director signs the result of an event (libsodium).
 *
 * Their use in the key file (key_file.h) is "sign"; the secret file has the seed.
 */
#ifndef RESULTS_PROOF_SIGN_KEY_H
#define RESULTS_PROOF_SIGN_KEY_H

#include <stddef.h>

#include "key_file.h"

enum {
    SIGN_NAME = KEY_FILE_NAME,
    SIGN_PUBLIC = KEY_FILE_BYTES,
    SIGN_SECRET = 64,
    SIGN_BYTES = 64, /* a signature */
    SIGN_DIGITS = KEY_FILE_DIGITS,
    SIGN_PRINT = KEY_FILE_PRINT
};

struct sign_public {
    char name[SIGN_NAME];
    unsigned char key[SIGN_PUBLIC];
};

struct sign_secret {
    struct sign_public public;
    unsigned char key[SIGN_SECRET]; /* wipe it after use */
};

bool sign_name_is_valid(const char *name);

/* Makes a pair and writes NAME.key and NAME.pub into the folder. BG_E_ARGUMENT: an invalid name, or
 * one of the files exists; then nothing is written. BG_E_SYSTEM. */
enum bg_status sign_key_make(struct sign_public *out, const char *folder, const char *name,
                             struct bg_error *err);

/* BG_E_ARGUMENT: no such file, not a key of this kind, or a secret that others may read (the
 * message has the command that mends it). */
enum bg_status sign_secret_read(struct sign_secret *out, const char *path, struct bg_error *err);
enum bg_status sign_public_read(struct sign_public *out, const char *path, struct bg_error *err);
void sign_secret_wipe(struct sign_secret *secret);

/* Signs a text; libsodium must have started. */
void sign_text(unsigned char out[SIGN_BYTES], const char *text, size_t size,
               const struct sign_secret *secret);
/* Returns whether they are the signature of this key under this text. */
bool sign_text_holds(const unsigned char bytes[SIGN_BYTES], const char *text, size_t size,
                     const unsigned char key[SIGN_PUBLIC]);

/* BLAKE2b-128 of the public key, to be compared by eye. */
void sign_fingerprint(char out[SIGN_PRINT], const struct sign_public *key);

#endif
