/* Messages of decisions and answers, which are nearly all, are not given to protobuf-c:
 * unpack_ask.c and unpack_answer.c read their fields from the bytes, without an object for each.
 * Everything else is rare, and unpacked by the generated code into the same arena.
 *
 * The arena has a fixed size and is emptied by the next unpacking: no message can make the
 * reader allocate, and nothing has to be freed one by one. */
#include "unpack.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "schema.h"

enum { ALIGN = 16 };

void *unpack_take(void *user, size_t size)
{
    struct wire_reader *reader = user;
    /* As malloc would align: the generated code casts what it gets. */
    size_t start = (reader->used + ALIGN - 1) & ~(size_t)(ALIGN - 1);

    if (start > reader->room || size > reader->room - start) {
        reader->exhausted = true;
        return NULL;
    }
    reader->used = start + size;
    return reader->arena + start;
}

/* Does nothing: the next unpack empties the whole arena. */
static void arena_give_back(void *user, void *pointer)
{
    (void)user;
    (void)pointer;
}

enum bg_status wire_reader_create(struct wire_reader **out, size_t arena_bytes,
                                  struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct wire_reader *reader = calloc(1, sizeof *reader);

    if (reader == NULL || (reader->arena = malloc(arena_bytes)) == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "message arena of %zu bytes", arena_bytes);
        goto done;
    }
    reader->room = arena_bytes;
    reader->allocator = (ProtobufCAllocator){
        .alloc = unpack_take, .free = arena_give_back, .allocator_data = reader};
    *out = reader;
    reader = NULL; /* now the caller's */
done:
    wire_reader_destroy(reader);
    return status;
}

void wire_reader_destroy(struct wire_reader *reader)
{
    if (reader == NULL) {
        return;
    }
    free(reader->arena);
    free(reader);
}

enum bg_status unpack_exhausted(const struct wire_reader *reader, struct bg_error *err)
{
    return bg_error_set(err, BG_E_FORMAT, "message: needs more than the %zu bytes set aside",
                        reader->room);
}

/* ---------------------------------------------------------------- envelopes */

static void reader_restart(struct wire_reader *reader, struct wire_message *out)
{
    reader->used = 0;
    reader->exhausted = false;
    out->content = WIRE_NOTHING;
    out->field = 0;
    out->nonce = 0;
    out->what[0] = out->why[0] = out->game[0] = '\0';
    out->hello = NULL;
    out->welcome = NULL;
    out->number = 0;
    out->secret_size = 0;
    out->count = 0;
    out->asks = NULL;
    out->answers = NULL;
    out->answer_trouble = NULL;
    out->values = NULL;
    out->tells = NULL;
    out->begin = NULL;
}

enum bg_status unpack_garbled(const struct wire_reader *reader, const char *message, size_t size,
                              struct bg_error *err)
{
    if (reader->exhausted) {
        return unpack_exhausted(reader, err);
    }
    return bg_error_set(err, BG_E_FORMAT, "message: %zu bytes that are not a %s", size, message);
}

/* Content that this version does not know stays in the envelope's unknown fields; its field number
 * is returned. */
static enum bg_status unknown_read(struct wire_message *out, const ProtobufCMessage *envelope,
                                   struct bg_error *err)
{
    if (envelope->n_unknown_fields == 0) {
        return bg_error_set(err, BG_E_FORMAT, "message: no content");
    }
    out->content = WIRE_NOTHING;
    out->field = envelope->unknown_fields[0].tag;
    return BG_OK;
}

static enum bg_status to_bot_read(struct wire_message *out, struct wire_reader *reader,
                                  const Bgref__V1__ToBot *in, struct bg_error *err)
{
    enum bg_status status;

    out->field = in->content_case;
    switch (in->content_case) {
    case BGREF__V1__TO_BOT__CONTENT_WELCOME:
        out->content = WIRE_WELCOME;
        return unpack_welcome(out, reader, in->welcome, err);
    case BGREF__V1__TO_BOT__CONTENT_REFUSAL:
        out->content = WIRE_REFUSAL;
        status = unpack_text(out->what, sizeof out->what, in->refusal->what, "refusal: what", err);
        return status != BG_OK
                   ? status
                   : unpack_text(out->why, sizeof out->why, in->refusal->why, "refusal: why", err);
    case BGREF__V1__TO_BOT__CONTENT_NEW_GAME:
        return unpack_new_game(out, reader, in->new_game, err);
    case BGREF__V1__TO_BOT__CONTENT_PING:
        out->content = WIRE_PING;
        out->nonce = in->ping->nonce;
        return BG_OK;
    case BGREF__V1__TO_BOT__CONTENT_GOODBYE:
        out->content = WIRE_GOODBYE;
        out->is_replaced = in->goodbye->parting == BGREF__V1__PARTING__PARTING_REPLACED;
        return unpack_text(out->why, sizeof out->why, in->goodbye->why, "goodbye: why", err);
    case BGREF__V1__TO_BOT__CONTENT_NOT_UNDERSTOOD:
        out->content = WIRE_NOT_UNDERSTOOD;
        out->field = in->not_understood->field;
        return BG_OK;
    case BGREF__V1__TO_BOT__CONTENT_TELLS:
        return unpack_tells(out, reader, in->tells, err);
    case BGREF__V1__TO_BOT__CONTENT_EVALUATE:
        out->content = WIRE_EVALUATE;
        return unpack_evaluate(out, reader, in->evaluate, err);
    case BGREF__V1__TO_BOT__CONTENT_COMMITMENT:
        return unpack_commitment(out, in->commitment, err);
    case BGREF__V1__TO_BOT__CONTENT_REVEAL:
        return unpack_reveal(out, in->reveal, err);
    case BGREF__V1__TO_BOT__CONTENT__NOT_SET:
    default:
        return unknown_read(out, &in->base, err);
    }
}

static enum bg_status to_referee_read(struct wire_message *out, struct wire_reader *reader,
                                      const Bgref__V1__ToReferee *in, struct bg_error *err)
{
    out->field = in->content_case;
    switch (in->content_case) {
    case BGREF__V1__TO_REFEREE__CONTENT_HELLO:
        out->content = WIRE_HELLO;
        return unpack_hello(out, reader, in->hello, err);
    case BGREF__V1__TO_REFEREE__CONTENT_READY:
        out->content = WIRE_READY;
        return unpack_text(out->game, sizeof out->game, in->ready->game, "ready: game", err);
    case BGREF__V1__TO_REFEREE__CONTENT_PONG:
        out->content = WIRE_PONG;
        out->nonce = in->pong->nonce;
        return BG_OK;
    case BGREF__V1__TO_REFEREE__CONTENT_NOT_UNDERSTOOD:
        out->content = WIRE_NOT_UNDERSTOOD;
        out->field = in->not_understood->field;
        return BG_OK;
    case BGREF__V1__TO_REFEREE__CONTENT_EVALUATION:
        out->content = WIRE_EVALUATION;
        return unpack_evaluation(out, reader, in->evaluation, err);
    case BGREF__V1__TO_REFEREE__CONTENT_COMMITMENT:
        return unpack_commitment(out, in->commitment, err);
    case BGREF__V1__TO_REFEREE__CONTENT_REVEAL:
        return unpack_reveal(out, in->reveal, err);
    case BGREF__V1__TO_REFEREE__CONTENT__NOT_SET:
    default:
        return unknown_read(out, &in->base, err);
    }
}

int unpack_content(struct wire_field *out, uint32_t number, uint32_t last, const uint8_t *data,
                   size_t size)
{
    struct fields fields = fields_of(data, size);
    struct wire_field field;
    size_t contents = 0;
    int found = 0;

    while (fields_next(&fields, &field)) {
        contents += field.number <= last;
        if (field.number == number) {
            *out = field;
            found = 1;
        }
    }
    /* A oneof that stands twice in the bytes: protobuf takes the last one, and merges messages.
     * No encoder writes that, so it is refused instead of being done by hand. */
    return fields.malformed || (found == 1 && (contents > 1 || out->type != FIELD_BYTES)) ? -1
                                                                                          : found;
}

enum bg_status wire_unpack_to_bot(struct wire_message *out, struct wire_reader *reader,
                                  const void *data, size_t size, struct bg_error *err)
{
    Bgref__V1__ToBot *envelope;
    struct wire_field asks;
    int found =
        unpack_content(&asks, TO_BOT_ASKS, BGREF__V1__TO_BOT__CONTENT_NOT_UNDERSTOOD, data, size);

    reader_restart(reader, out);
    if (found == 1) {
        out->content = WIRE_ASKS;
        out->field = TO_BOT_ASKS;
        return unpack_asks(out, reader, asks.data, asks.size, err);
    }
    envelope = found < 0 ? NULL : bgref__v1__to_bot__unpack(&reader->allocator, size, data);
    if (envelope == NULL) {
        return unpack_garbled(reader, "ToBot", size, err);
    }
    return to_bot_read(out, reader, envelope, err);
}

enum bg_status wire_unpack_to_referee(struct wire_message *out, struct wire_reader *reader,
                                      const void *data, size_t size, struct bg_error *err)
{
    Bgref__V1__ToReferee *envelope;
    struct wire_field answers;
    int found = unpack_content(&answers, TO_REFEREE_ANSWERS,
                               BGREF__V1__TO_REFEREE__CONTENT_NOT_UNDERSTOOD, data, size);

    reader_restart(reader, out);
    if (found == 1) {
        out->content = WIRE_ANSWERS;
        out->field = TO_REFEREE_ANSWERS;
        return unpack_answers(out, reader, answers.data, answers.size, err);
    }
    envelope = found < 0 ? NULL : bgref__v1__to_referee__unpack(&reader->allocator, size, data);
    if (envelope == NULL) {
        return unpack_garbled(reader, "ToReferee", size, err);
    }
    return to_referee_read(out, reader, envelope, err);
}
