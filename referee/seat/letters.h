/* letters.h - what a bot is told and asked beside decisions: nonces of committed dice, positions to
 * be valued. */
#ifndef REFEREE_SEAT_LETTERS_H
#define REFEREE_SEAT_LETTERS_H

#include "session.h"

/* Sends a ready bot the digest of the event's key and asks for the digest of its nonce; asks for
 * the nonce. A bot that is not ready is not asked. */
void letters_commit(struct session *session, const char *subject,
                    const uint8_t key_digest[WIRE_SECRET]);
void letters_reveal(struct session *session, const char *subject);

/* Sends positions to be valued, at most WIRE_EVALUATE_MAX, lent for the call, to an evaluator that
 * is ready. What goes wrong is told as a fault, perhaps before it returns. */
void letters_evaluate(struct session *session, uint64_t number, const struct bg_ask *const *asks,
                      size_t count);

/* Hands a message of a ready bot to the listener that waits for such. False: nobody does. */
bool letters_take(const struct session_listener *listener, void *user, struct session *session,
                  const struct wire_message *message);

#endif
