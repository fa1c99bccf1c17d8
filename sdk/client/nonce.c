/* The nonce of a game is a keyed hash of its subject: so a bot answers commitment and reveal
 * without keeping one secret for each of many open games, and nobody without `secret` can tell
 * one nonce from another. The secret is new for each process; a bot that is started again is
 * asked for its commitments anew. */
#include "nonce.h"

#include <string.h>

#include <sodium.h>

void nonces_init(struct nonces *nonces)
{
    randombytes_buf(nonces->secret, sizeof nonces->secret);
}

void nonce_of(uint8_t out[WIRE_SECRET], const struct nonces *nonces, const char *subject)
{
    crypto_generichash(out, WIRE_SECRET, (const unsigned char *)subject, strlen(subject),
                       nonces->secret, sizeof nonces->secret);
}

void nonce_digest(uint8_t out[WIRE_SECRET], const uint8_t nonce[WIRE_SECRET])
{
    crypto_generichash(out, WIRE_SECRET, nonce, WIRE_SECRET, NULL, 0);
}
