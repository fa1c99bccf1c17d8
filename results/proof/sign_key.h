/* sign_key.h - Ed25519 keys with which a director signs the result of an event (libsodium).
 *
 * A key file has one line: "bgref-key-1 sign-secret NAME HEX" (the seed; mode 0600) or
 * "bgref-key-1 sign-public NAME HEX". The second word is the use of the key; other uses may follow.
 * NAME has 1 to 64 characters A-Z a-z 0-9 . _ + -
 */
#ifndef RESULTS_PROOF_SIGN_KEY_H
#define RESULTS_PROOF_SIGN_KEY_H

#include <stdbool.h>

#include <bgref/error.h>

enum {
    SIGN_NAME = 65,
    SIGN_PUBLIC = 32,
    SIGN_SECRET = 64,
    SIGN_DIGITS = 2 * SIGN_PUBLIC + 1,
    SIGN_PRINT = 40 /* "1234 5678 ...": eight groups of four digits */
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

/* BLAKE2b-128 of the public key, to be compared by eye. */
void sign_fingerprint(char out[SIGN_PRINT], const struct sign_public *key);

#endif
