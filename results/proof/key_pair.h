/* key_pair.h - key pairs, and their files.
 *
 * The use of a pair is "sign": a director signs the result of an event (Ed25519); or "join": a host
 * and the authors of remote bots know each other (Curve25519, as libzmq's CURVE).
 *
 * A file is one line, "bgref-key-1 USE-secret NAME HEX" (NAME.key, mode 0600; to sign it has the
 * seed) or "bgref-key-1 USE-public NAME HEX" (NAME.pub). NAME has 1 to 64 characters
 * A-Z a-z 0-9 . _ + - and does not begin with a dot.
 */
#ifndef RESULTS_PROOF_KEY_PAIR_H
#define RESULTS_PROOF_KEY_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

enum {
    KEY_FILE_NAME = 65,
    KEY_FILE_BYTES = 32,
    KEY_FILE_DIGITS = 2 * KEY_FILE_BYTES + 1,
    KEY_FILE_PRINT = 40, /* "1234 5678 ...": eight groups of four digits */
    SIGN_SECRET = 64,
    SIGN_BYTES = 64 /* a signature */
};

struct key_public {
    char name[KEY_FILE_NAME];
    unsigned char key[KEY_FILE_BYTES];
};

struct join_secret {
    struct key_public public;
    unsigned char key[KEY_FILE_BYTES]; /* wipe it after use */
};

struct sign_secret {
    struct key_public public;
    unsigned char key[SIGN_SECRET]; /* wipe it after use */
};

struct key_file_kind {
    const char *use; /* "sign" or "join" */
    bool secret;     /* or the public key of the pair */
};

bool key_name_is_valid(const char *name);

/* Reads a key file. BG_E_ARGUMENT: no such file, not a key of this kind, or a secret key that
 * others may read (the message has the command that mends it); key then has no secret. */
enum bg_status key_file_read(char name[KEY_FILE_NAME], unsigned char key[KEY_FILE_BYTES],
                             const char *path, const struct key_file_kind *kind,
                             struct bg_error *err);

/* Reads the digits of a key. Returns false if they are not 64 hexadecimal digits. */
bool key_read_hex(unsigned char out[KEY_FILE_BYTES], const char *text);

/* BLAKE2b-128 of a public key, to be compared by eye. */
void key_fingerprint(char out[KEY_FILE_PRINT], const unsigned char key[KEY_FILE_BYTES]);

/* Make a pair and write NAME.key and NAME.pub into the folder. BG_E_ARGUMENT: an invalid name, or
 * one of the files exists; then nothing is written. BG_E_SYSTEM. */
enum bg_status join_key_make(struct key_public *out, const char *folder, const char *name,
                             struct bg_error *err);
enum bg_status sign_key_make(struct key_public *out, const char *folder, const char *name,
                             struct bg_error *err);

/* Read a key of this use; of a secret one also its public half. Errors as of key_file_read. */
enum bg_status join_secret_read(struct join_secret *out, const char *path, struct bg_error *err);
enum bg_status sign_secret_read(struct sign_secret *out, const char *path, struct bg_error *err);
enum bg_status sign_public_read(struct key_public *out, const char *path, struct bg_error *err);
void join_secret_wipe(struct join_secret *secret);
void sign_secret_wipe(struct sign_secret *secret);

/* Signs a text; libsodium must have started. */
void sign_text(unsigned char out[SIGN_BYTES], const char *text, size_t size,
               const struct sign_secret *secret);
/* Returns whether they are the signature of this key under this text. */
bool sign_text_holds(const unsigned char bytes[SIGN_BYTES], const char *text, size_t size,
                     const unsigned char key[KEY_FILE_BYTES]);

#endif
