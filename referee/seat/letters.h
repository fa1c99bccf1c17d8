/* letters.h - requests to a bot other than decisions: nonces of committed dice, and positions to
 * evaluate. */
#ifndef REFEREE_SEAT_LETTERS_H
#define REFEREE_SEAT_LETTERS_H

#include "session.h"

/* letters_commit sends the digest of the event's key and asks for the digest of the bot's nonce;
 * letters_reveal asks for the nonce. Both do nothing if the bot is not ready. */
void letters_commit(struct session *session, const char *subject,
                    const uint8_t key_digest[WIRE_SECRET]);
void letters_reveal(struct session *session, const char *subject);

/* Sends at most WIRE_EVALUATE_MAX positions, lent for the call, to a ready evaluator. An error is
 * reported as a fault, perhaps before the call returns. */
void letters_evaluate(struct session *session, uint64_t number, const struct bg_ask *const *asks,
                      size_t count);

/* Passes a message of a ready bot to the listener that waits for it. Returns false if none does. */
bool letters_take(const struct session_listener *listener, void *user, struct session *session,
                  const struct wire_message *message);

#endif
