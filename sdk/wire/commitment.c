/* Commitments and reveals: the same two messages in both directions. */
#include <string.h>

#include "pack.h"
#include "unpack.h"

/* ---------------------------------------------------------------- unpacking */

static enum bg_status bytes_read(struct wire_message *out, const ProtobufCBinaryData *bytes,
                                 const char *what, struct bg_error *err)
{
    if (bytes->len > sizeof out->secret) {
        return bg_error_set(err, BG_E_FORMAT, "%s: %zu bytes, at most %zu make sense", what,
                            bytes->len, sizeof out->secret);
    }
    if (bytes->len > 0) {
        memcpy(out->secret, bytes->data, bytes->len);
    }
    out->secret_size = bytes->len;
    return BG_OK;
}

enum bg_status unpack_commitment(struct wire_message *out, const Bgref__V1__Commitment *in,
                                 struct bg_error *err)
{
    enum bg_status status = bytes_read(out, &in->digest, "commitment: digest", err);

    out->content = WIRE_COMMITMENT;
    if (status == BG_OK && in->digest.len != WIRE_SECRET) {
        status = bg_error_set(err, BG_E_FORMAT, "commitment: digest: %zu bytes, %d are needed",
                              in->digest.len, WIRE_SECRET);
    }
    return status != BG_OK
               ? status
               : unpack_text(out->game, sizeof out->game, in->subject, "commitment: subject", err);
}

enum bg_status unpack_reveal(struct wire_message *out, const Bgref__V1__Reveal *in,
                             struct bg_error *err)
{
    enum bg_status status = bytes_read(out, &in->value, "reveal: value", err);

    out->content = WIRE_REVEAL;
    return status != BG_OK
               ? status
               : unpack_text(out->game, sizeof out->game, in->subject, "reveal: subject", err);
}

/* ---------------------------------------------------------------- packing */

static void commitment_fill(Bgref__V1__Commitment *out, const uint8_t digest[WIRE_SECRET],
                            const char *subject)
{
    bgref__v1__commitment__init(out);
    out->digest = (ProtobufCBinaryData){WIRE_SECRET, pack_bytes_lent(digest)};
    out->subject = pack_text_lent(subject);
}

enum bg_status wire_pack_commitment_to_bot(struct wire_buffer *buffer,
                                           const uint8_t digest[WIRE_SECRET], const char *subject,
                                           struct bg_error *err)
{
    Bgref__V1__ToBot envelope = BGREF__V1__TO_BOT__INIT;
    Bgref__V1__Commitment message;

    commitment_fill(&message, digest, subject);
    envelope.content_case = BGREF__V1__TO_BOT__CONTENT_COMMITMENT;
    envelope.commitment = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

enum bg_status wire_pack_commitment_to_referee(struct wire_buffer *buffer,
                                               const uint8_t digest[WIRE_SECRET],
                                               const char *subject, struct bg_error *err)
{
    Bgref__V1__ToReferee envelope = BGREF__V1__TO_REFEREE__INIT;
    Bgref__V1__Commitment message;

    commitment_fill(&message, digest, subject);
    envelope.content_case = BGREF__V1__TO_REFEREE__CONTENT_COMMITMENT;
    envelope.commitment = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

enum bg_status wire_pack_reveal_to_bot(struct wire_buffer *buffer, const char *subject,
                                       struct bg_error *err)
{
    Bgref__V1__ToBot envelope = BGREF__V1__TO_BOT__INIT;
    Bgref__V1__Reveal message = BGREF__V1__REVEAL__INIT;

    message.subject = pack_text_lent(subject);
    envelope.content_case = BGREF__V1__TO_BOT__CONTENT_REVEAL;
    envelope.reveal = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

enum bg_status wire_pack_reveal_to_referee(struct wire_buffer *buffer,
                                           const uint8_t nonce[WIRE_SECRET], const char *subject,
                                           struct bg_error *err)
{
    Bgref__V1__ToReferee envelope = BGREF__V1__TO_REFEREE__INIT;
    Bgref__V1__Reveal message = BGREF__V1__REVEAL__INIT;

    message.value = (ProtobufCBinaryData){WIRE_SECRET, pack_bytes_lent(nonce)};
    message.subject = pack_text_lent(subject);
    envelope.content_case = BGREF__V1__TO_REFEREE__CONTENT_REVEAL;
    envelope.reveal = &message;
    return pack_envelope(buffer, &envelope.base, err);
}
