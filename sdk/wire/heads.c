/* Who passes messages on, or wants to know which decisions one has, need not unpack positions
 * and plays: numbers are read from the encoded fields alone. They are read as unpack_ask.c and
 * unpack_answer.c would: what is refused there as garbled is refused here. */
#include "schema.h"
#include "unpack.h"

/* Reads the number and the game of one Ask. Returns false if it cannot be an Ask. */
static bool head_read(struct wire_ask_head *out, const struct wire_field *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field;

    *out = (struct wire_ask_head){.game = ""};
    while (fields_next(&fields, &field)) {
        if (field.number == ASK_DECISION && field.type == FIELD_VARINT) {
            out->decision = field.value;
        } else if (field.number == ASK_GAME && field.type == FIELD_BYTES) {
            out->game = (const char *)field.data;
            out->game_size = field.size;
        } else if (field.number <= ASK_GAME) {
            return false;
        }
    }
    return !fields.malformed && out->game_size < BG_GAME_ID;
}

bool wire_read_ask_heads(struct wire_ask_head out[WIRE_BATCH_MAX], size_t *count, const void *data,
                         size_t size)
{
    struct wire_field asks, field;
    struct fields fields;

    *count = 0;
    if (unpack_content(&asks, TO_BOT_ASKS, BGREF__V1__TO_BOT__CONTENT_NOT_UNDERSTOOD, data, size) !=
        1) {
        return false;
    }
    fields = fields_of(asks.data, asks.size);
    while (fields_next(&fields, &field)) {
        /* Fields that a later version adds are passed over, as protobuf wants. */
        if (field.number > ASKS_ASKS) {
            continue;
        }
        if (field.type != FIELD_BYTES ||
            (field.number == ASKS_ASKS &&
             (*count == WIRE_BATCH_MAX || !head_read(&out[(*count)++], &field)))) {
            return false;
        }
    }
    return !fields.malformed;
}

/* Reads the number of one Answer. */
static bool head_number(uint64_t *out, const struct wire_field *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field;

    *out = 0;
    while (fields_next(&fields, &field)) {
        if (field.number == ANSWER_DECISION && field.type != FIELD_VARINT) {
            return false;
        }
        *out = field.number == ANSWER_DECISION ? field.value : *out;
    }
    return !fields.malformed;
}

bool wire_read_answer_numbers(uint64_t out[WIRE_BATCH_MAX], size_t *count, const void *data,
                              size_t size)
{
    struct wire_field answers, field;
    struct fields fields;

    *count = 0;
    if (unpack_content(&answers, TO_REFEREE_ANSWERS, BGREF__V1__TO_REFEREE__CONTENT_NOT_UNDERSTOOD,
                       data, size) != 1) {
        return false;
    }
    fields = fields_of(answers.data, answers.size);
    while (fields_next(&fields, &field)) {
        if (field.number != ANSWERS_ANSWERS) {
            continue;
        }
        if (field.type != FIELD_BYTES || *count == WIRE_BATCH_MAX ||
            !head_number(&out[(*count)++], &field)) {
            return false;
        }
    }
    return !fields.malformed;
}
