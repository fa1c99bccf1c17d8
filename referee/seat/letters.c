/* These requests have no place among the decisions: no clock runs for them, and their answers
 * are found by what they are about (an id of the exchange, a number of the judge). So the
 * listener says whether an answer was wanted. What it does not want counts as a message that
 * answers nothing (flood.h), which bounds it. */
#include "letters.h"

void letters_commit(struct session *session, const char *subject,
                    const uint8_t key_digest[WIRE_SECRET])
{
    struct bg_error err;

    if (session_can_be_asked(session)) {
        enum bg_status packed =
            wire_pack_commitment_to_bot(session_buffer(session), key_digest, subject, &err);

        session_send(session, packed, &err);
    }
}

void letters_reveal(struct session *session, const char *subject)
{
    struct bg_error err;

    if (session_can_be_asked(session)) {
        session_send(session, wire_pack_reveal_to_bot(session_buffer(session), subject, &err),
                     &err);
    }
}

void letters_evaluate(struct session *session, uint64_t number, const struct bg_ask *const *asks,
                      size_t count)
{
    struct bg_error err = {.text = ""};
    enum bg_status packed = wire_pack_evaluate(session_buffer(session), number, asks, count,
                                               session_wants_plays(session), &err);

    session_send(session, packed, &err);
}

bool letters_take(const struct session_listener *listener, void *user, struct session *session,
                  const struct wire_message *message)
{
    if (message->content == WIRE_COMMITMENT && listener->committed != NULL) {
        return listener->committed(user, session, message->game, message->secret);
    }
    if (message->content == WIRE_REVEAL && listener->revealed != NULL) {
        return listener->revealed(user, session, message->game, message->secret,
                                  message->secret_size);
    }
    return message->content == WIRE_NOT_UNDERSTOOD && listener->cannot_commit != NULL &&
           (message->field == WIRE_FIELD_COMMITMENT || message->field == WIRE_FIELD_REVEAL) &&
           listener->cannot_commit(user, session);
}
