/* nonce.h - a bot's part in committed dice (docs/protocol.md): a nonce for each pair.
 *
 * Nonces are derived from one secret of this process, so nothing has to be stored between
 * commitment and reveal, and a nonce reveals nothing about the others.
 */
#ifndef SDK_CLIENT_NONCE_H
#define SDK_CLIENT_NONCE_H

#include <stdint.h>

#include "wire/wire.h"

struct nonces {
    uint8_t secret[WIRE_SECRET];
};

/* Draws the secret. */
void nonces_init(struct nonces *nonces);

void nonce_of(uint8_t out[WIRE_SECRET], const struct nonces *nonces, const char *subject);

/* BLAKE2b-256 of a nonce: sent before the nonce itself is revealed. */
void nonce_digest(uint8_t out[WIRE_SECRET], const uint8_t nonce[WIRE_SECRET]);

#endif
