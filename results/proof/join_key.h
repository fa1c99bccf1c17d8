/* join_key.h - Curve25519 keys by which a host and the authors of remote bots know each other.
 *
 * Their use in the key file (key_file.h) is "join". The bytes are those of libzmq's CURVE.
 */
#ifndef RESULTS_PROOF_JOIN_KEY_H
#define RESULTS_PROOF_JOIN_KEY_H

#include "key_file.h"

struct join_public {
    char name[KEY_FILE_NAME];
    unsigned char key[KEY_FILE_BYTES];
};

struct join_secret {
    struct join_public public;
    unsigned char key[KEY_FILE_BYTES]; /* wipe it after use */
};

/* Makes a pair and writes NAME.key and NAME.pub into the folder. Errors as of key_pair_write. */
enum bg_status join_key_make(struct join_public *out, const char *folder, const char *name,
                             struct bg_error *err);

/* Reads a secret key and computes its public one. Errors as of key_file_read. */
enum bg_status join_secret_read(struct join_secret *out, const char *path, struct bg_error *err);
void join_secret_wipe(struct join_secret *secret);

#endif
