/* The file has the seed of 32 bytes and not libsodium's secret key of 64, whose second half is
 * the public key: what can be computed is not stored twice. */
#include "sign_key.h"

#include <stdio.h>

#include <sodium.h>

static const char USE[] = "sign";

bool sign_name_is_valid(const char *name)
{
    return key_name_is_valid(name);
}

void sign_secret_wipe(struct sign_secret *secret)
{
    sodium_memzero(secret, sizeof *secret);
}

void sign_fingerprint(char out[SIGN_PRINT], const struct sign_public *key)
{
    key_fingerprint(out, key->key);
}

enum bg_status sign_key_make(struct sign_public *out, const char *folder, const char *name,
                             struct bg_error *err)
{
    unsigned char seed[crypto_sign_SEEDBYTES], secret[SIGN_SECRET];
    const struct key_pair pair = {.use = USE, .name = name, .public = out->key, .secret = seed};
    enum bg_status status;

    if (sodium_init() < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "no random numbers for a key");
    }
    randombytes_buf(seed, sizeof seed);
    snprintf(out->name, sizeof out->name, "%s", name);
    crypto_sign_seed_keypair(out->key, secret, seed);
    status = key_pair_write(&pair, folder, err);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(secret, sizeof secret);
    return status;
}

enum bg_status sign_secret_read(struct sign_secret *out, const char *path, struct bg_error *err)
{
    const struct key_file_kind kind = {.use = USE, .secret = true};
    unsigned char seed[crypto_sign_SEEDBYTES];
    enum bg_status status = key_file_read(out->public.name, seed, path, &kind, err);

    if (status == BG_OK) {
        crypto_sign_seed_keypair(out->public.key, out->key, seed);
    }
    sodium_memzero(seed, sizeof seed);
    return status;
}

enum bg_status sign_public_read(struct sign_public *out, const char *path, struct bg_error *err)
{
    const struct key_file_kind kind = {.use = USE};

    return key_file_read(out->name, out->key, path, &kind, err);
}

void sign_text(unsigned char out[SIGN_BYTES], const char *text, size_t size,
               const struct sign_secret *secret)
{
    crypto_sign_detached(out, NULL, (const unsigned char *)text, size, secret->key);
}

bool sign_text_holds(const unsigned char bytes[SIGN_BYTES], const char *text, size_t size,
                     const unsigned char key[SIGN_PUBLIC])
{
    return crypto_sign_verify_detached(bytes, (const unsigned char *)text, size, key) == 0;
}
