/* The secret file has only the secret half; the public one is computed from it, so that the two
 * cannot contradict each other. */
#include "join_key.h"

#include <stdio.h>

#include <sodium.h>

_Static_assert((int)crypto_box_PUBLICKEYBYTES == (int)KEY_FILE_BYTES, "size of a public key");
_Static_assert((int)crypto_box_SECRETKEYBYTES == (int)KEY_FILE_BYTES, "size of a secret key");

static const char USE[] = "join";

enum bg_status join_key_make(struct join_public *out, const char *folder, const char *name,
                             struct bg_error *err)
{
    unsigned char secret[KEY_FILE_BYTES];
    const struct key_pair pair = {.use = USE, .name = name, .public = out->key, .secret = secret};
    enum bg_status status;

    if (sodium_init() < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "no random numbers for a key");
    }
    snprintf(out->name, sizeof out->name, "%s", name);
    crypto_box_keypair(out->key, secret);
    status = key_pair_write(&pair, folder, err);
    /* Not memset, which the compiler may leave out before a return. */
    sodium_memzero(secret, sizeof secret);
    return status;
}

enum bg_status join_secret_read(struct join_secret *out, const char *path, struct bg_error *err)
{
    const struct key_file_kind kind = {.use = USE, .secret = true};
    enum bg_status status = key_file_read(out->public.name, out->key, path, &kind, err);

    if (status == BG_OK && crypto_scalarmult_base(out->public.key, out->key) != 0) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s: not a key that can be used", path);
    }
    return status;
}

void join_secret_wipe(struct join_secret *secret)
{
    sodium_memzero(secret, sizeof *secret);
}
