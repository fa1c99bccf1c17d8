/* key_file.h - the file of a key: one line, "bgref-key-1 USE-secret NAME HEX" (mode 0600) or
 * "bgref-key-1 USE-public NAME HEX".
 *
 * USE is what the key is for: "sign" (sign_key.h) or "join" (join_key.h). NAME has 1 to 64
 * characters A-Z a-z 0-9 . _ + - and does not begin with a dot.
 */
#ifndef RESULTS_PROOF_KEY_FILE_H
#define RESULTS_PROOF_KEY_FILE_H

#include <stdbool.h>

#include <bgref/error.h>

enum {
    KEY_FILE_NAME = 65,
    KEY_FILE_BYTES = 32,
    KEY_FILE_DIGITS = 2 * KEY_FILE_BYTES + 1,
    KEY_FILE_PRINT = 40 /* "1234 5678 ...": eight groups of four digits */
};

struct key_file_kind {
    const char *use; /* "sign" or "join" */
    bool secret;     /* or the public key of the pair */
};

/* All is lent. */
struct key_pair {
    const char *use, *name;
    const unsigned char *public, *secret; /* KEY_FILE_BYTES each; of a signing key the seed */
};

bool key_name_is_valid(const char *name);

/* Writes NAME.key and NAME.pub into the folder. BG_E_ARGUMENT: an invalid name, or one of the files
 * exists; then nothing is written. BG_E_SYSTEM. */
enum bg_status key_pair_write(const struct key_pair *pair, const char *folder,
                              struct bg_error *err);

/* Reads a key file. BG_E_ARGUMENT: no such file, not a key of this kind, or a secret key that
 * others may read (the message has the command that mends it); key then has no secret. */
enum bg_status key_file_read(char name[KEY_FILE_NAME], unsigned char key[KEY_FILE_BYTES],
                             const char *path, const struct key_file_kind *kind,
                             struct bg_error *err);

/* Reads the digits of a key. Returns false if they are not 64 hexadecimal digits. */
bool key_read_hex(unsigned char out[KEY_FILE_BYTES], const char *text);

/* BLAKE2b-128 of a public key, to be compared by eye. */
void key_fingerprint(char out[KEY_FILE_PRINT], const unsigned char key[KEY_FILE_BYTES]);

#endif
