/* An answer that makes no sense is a bot's fault, not a broken message: it gets a kind that fits
 * no question, and a text that its author reads. Only bytes that are not an Answer at all refuse
 * the whole message, as then nothing in it can be trusted. */
#include "unpack.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "schema.h"

enum { TROUBLE = 96 };

static bool number_is_good(char *trouble, const char *what, uint32_t value, uint32_t max)
{
    if (value >= 1 && value <= max) {
        return true;
    }
    snprintf(trouble, TROUBLE, "%s %" PRIu32 " is not within 1..%" PRIu32, what, value, max);
    return false;
}

static void moves_read(struct bg_answer *out, char *trouble, const struct wire_field *in)
{
    if (unpack_moves(&out->play, in->data, in->size)) {
        out->kind = BG_ANSWER_MOVES;
        return;
    }
    snprintf(trouble, TROUBLE, "moves has %zu bytes; a move is two (from, to), at most %d in all",
             in->size, 2 * BG_MOVES_MAX);
}

static void result_read(struct bg_answer *out, char *trouble, const Bgref__V1__Position *in)
{
    if (unpack_position(&out->result, in)) {
        out->kind = BG_ANSWER_RESULT;
        return;
    }
    snprintf(trouble, TROUBLE, "result is not a position: at most %d slots and %d checkers a side",
             BG_SLOTS, BG_CHECKERS);
}

static void dice_read(struct bg_answer *out, char *trouble, const struct wire_field *in)
{
    out->value = wire_digits_of_dice(in->data, in->size);
    if (out->value != 0) {
        out->kind = BG_ANSWER_DICE;
        return;
    }
    snprintf(trouble, TROUBLE, "dice are not 1 to %d bytes, each 1 to 6", WIRE_DICE);
}

static void action_read(struct bg_answer *out, char *trouble, int32_t action)
{
    if (action > BGREF__V1__ACTION__ACTION_NONE && action <= BGREF__V1__ACTION__ACTION_REFUSE) {
        out->kind = (enum bg_answer_kind)action; /* same numbers: see pack_ask.c */
        return;
    }
    snprintf(trouble, TROUBLE, "action %" PRId32 " is not one of enum Action", action);
}

/* content: the last one in the frame, as for every oneof; result: its position, if it has one. */
static void content_read(struct bg_answer *out, char *trouble, const struct wire_field *content,
                         const Bgref__V1__Position *result)
{
    const uint32_t value = (uint32_t)content->value;

    switch (content->number) {
    case ANSWER_ACTION:
        action_read(out, trouble, (int32_t)value);
        break;
    case ANSWER_INDEX:
        out->kind = BG_ANSWER_INDEX;
        out->value = value;
        break;
    case ANSWER_MOVES:
        moves_read(out, trouble, content);
        break;
    case ANSWER_RESULT:
        result_read(out, trouble, result);
        break;
    case ANSWER_NAME:
        out->value = value;
        out->kind = number_is_good(trouble, "name", value, 6) ? BG_ANSWER_NAME : BG_ANSWER_NONE;
        break;
    case ANSWER_RESIGN:
        out->value = value;
        out->kind = number_is_good(trouble, "resign", value, BG_CHECKERS) ? BG_ANSWER_RESIGN
                                                                          : BG_ANSWER_NONE;
        break;
    case ANSWER_DICE:
        dice_read(out, trouble, content);
        break;
    default:
        snprintf(trouble, TROUBLE, "it has a number and nothing else that is known here");
        break;
    }
}

/* Returns whether a known field has the type that the schema requires. */
static bool type_fits(const struct wire_field *field)
{
    const bool is_bytes = field->number == ANSWER_MOVES || field->number == ANSWER_RESULT ||
                          field->number == ANSWER_DICE;

    return field->type == (is_bytes ? FIELD_BYTES : FIELD_VARINT);
}

/* An unusable answer gets kind BG_ANSWER_NONE and trouble the reason; otherwise trouble is "". The
 * thought is not looked into: nothing in it may cost a game. Returns false if the bytes are not an
 * Answer. */
static bool answer_read(struct bg_answer *out, struct wire_bytes *thought, char *trouble,
                        const struct wire_field *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field, content = {0};
    Bgref__V1__Position result;

    trouble[0] = '\0';
    out->decision = 0;
    out->kind = BG_ANSWER_NONE;
    out->value = 0;
    out->play.moves = 0;
    *thought = (struct wire_bytes){.data = NULL};
    while (fields_next(&fields, &field)) {
        if (field.number > ANSWER_DICE) {
            if (field.number == ANSWER_THOUGHT) { /* of another type: bytes that are no Thought */
                *thought = field.type == FIELD_BYTES ? (struct wire_bytes){field.data, field.size}
                                                     : (struct wire_bytes){in->data, in->size};
            }
            continue;
        }
        if (!type_fits(&field)) {
            return false;
        }
        if (field.number == ANSWER_DECISION) {
            out->decision = field.value;
            continue;
        }
        if (field.number == ANSWER_RESULT) {
            bgref__v1__position__init(&result);
            if (!unpack_position_fields(&result, field.data, field.size)) {
                return false;
            }
        }
        content = field;
    }
    content_read(out, trouble, &content, &result);
    return !fields.malformed;
}

/* Counts the answers. Returns false if the bytes are not Answers. */
static bool answers_count(size_t *out, const uint8_t *data, size_t size)
{
    struct fields fields = fields_of(data, size);
    struct wire_field field;

    *out = 0;
    while (fields_next(&fields, &field)) {
        if (field.number == ANSWERS_ANSWERS && field.type != FIELD_BYTES) {
            return false;
        }
        *out += field.number == ANSWERS_ANSWERS;
    }
    return !fields.malformed;
}

enum bg_status unpack_answers(struct wire_message *out, struct wire_reader *reader,
                              const uint8_t *data, size_t size, struct bg_error *err)
{
    struct fields fields = fields_of(data, size);
    struct wire_field field;
    struct bg_answer *answers;
    struct wire_bytes *thoughts;
    const char **troubles;
    char trouble[TROUBLE];
    size_t count;

    if (!answers_count(&count, data, size)) {
        return unpack_garbled(reader, "ToReferee", size, err);
    }
    if (count > WIRE_BATCH_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "answers: %zu in one message, at most %d", count,
                            WIRE_BATCH_MAX);
    }
    answers = unpack_take(reader, count * sizeof *answers);
    troubles = (const char **)unpack_take(reader, count * sizeof *troubles);
    thoughts = unpack_take(reader, count * sizeof *thoughts);
    if (answers == NULL || troubles == NULL || thoughts == NULL) {
        return unpack_exhausted(reader, err);
    }
    for (size_t i = 0; fields_next(&fields, &field);) {
        char *kept = NULL;

        if (field.number != ANSWERS_ANSWERS) {
            continue;
        }
        if (!answer_read(&answers[i], &thoughts[i], trouble, &field)) {
            return unpack_garbled(reader, "ToReferee", size, err);
        }
        if (trouble[0] != '\0' && (kept = unpack_take(reader, strlen(trouble) + 1)) == NULL) {
            return unpack_exhausted(reader, err);
        }
        troubles[i++] = kept == NULL ? NULL : strcpy(kept, trouble);
    }
    out->answers = answers;
    out->answer_trouble = troubles;
    out->answer_thought = thoughts;
    out->count = count;
    return BG_OK;
}
