/* fuzz_wire - foreign bytes into the codec, from both sides of the socket.
 *
 * What is accepted must lie within the ranges that the headers promise: it is read as a caller
 * reads it, plays are listed on accepted positions, and it is packed again. */
#include <wire/wire.h>

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

static void ask_visit(const struct bg_ask *ask)
{
    require(ask->kind > BG_DECIDE_NONE && ask->kind < BG_DECIDE_COUNT);
    require(ask->rules.variant != NULL && ask->rules.opening < BG_OPENING_COUNT);
    require(ask->stage.parts <= 3 && (ask->seat == 0 || ask->seat == 1));
    require(ask->cube_owner >= BG_CENTRED && ask->cube_owner <= 1);
    require(memchr(ask->game, 0, sizeof ask->game) != NULL);
    require(bg_board_count(&ask->board, 0) <= BG_CHECKERS);
    require(bg_board_count(&ask->board, 1) <= BG_CHECKERS);
    for (uint32_t i = 0; ask->results != NULL && i < ask->result_count; i++) {
        require(ask->results[i].play.moves <= BG_MOVES_MAX);
        require(bg_board_count(&ask->results[i].board, 0) <= BG_CHECKERS);
    }
}

static void answer_visit(const struct bg_answer *answer)
{
    require(answer->kind < BG_ANSWER_COUNT && answer->play.moves <= BG_MOVES_MAX);
    require(answer->kind != BG_ANSWER_NAME || (answer->value >= 1 && answer->value <= 6));
    require(answer->kind != BG_ANSWER_RESIGN ||
            (answer->value >= 1 && answer->value <= BG_CHECKERS));
    require(answer->kind != BG_ANSWER_RESULT || bg_board_count(&answer->result, 0) <= BG_CHECKERS);
}

/* Whether a value fits its ask: decided by reading values, not by a crash. */
static void value_visit(const struct bg_value *value)
{
    struct bg_ask ask = {.kind = value->kind,
                         .rules = bg_rules_default(bg_variant_find("backgammon"), 0)};
    struct bg_error err;

    bg_variant_setup(&ask.board, ask.rules.variant);
    require(memchr(value->why, 0, sizeof value->why) != NULL);
    (void)bg_value_check(&ask, value, &err);
}

static void visit_values(struct wire_buffer *buffer, const struct wire_message *message)
{
    const struct bg_ask *list[WIRE_BATCH_MAX];
    struct bg_error err;

    if (message->content == WIRE_EVALUATE) {
        for (size_t i = 0; i < message->count; i++) {
            const struct bg_ask *ask = &message->asks[i];

            require(ask->kind >= BG_VALUE_POSITION && ask->kind <= BG_VALUE_CUBE);
            require(ask->rules.variant != NULL && ask->cube_owner <= 1);
            require(ask->played == NULL || bg_roll_number(ask->played->roll) >= 0);
            list[i] = ask;
        }
        require(wire_pack_evaluate(buffer, message->number, list, message->count, false, &err) ==
                BG_OK);
    } else if (message->content == WIRE_EVALUATION) {
        for (size_t i = 0; i < message->count; i++) {
            value_visit(&message->values[i]);
        }
        require(wire_pack_evaluation(buffer, message->number, message->values, message->count,
                                     &err) == BG_OK);
    }
}

static void visit(struct wire_buffer *buffer, const struct wire_message *message)
{
    const struct bg_ask *list[WIRE_BATCH_MAX];
    struct bg_error err;

    if (message->content == WIRE_ASKS) {
        for (size_t i = 0; i < message->count; i++) {
            ask_visit(&message->asks[i]);
            list[i] = &message->asks[i];
        }
        require(wire_pack_asks(buffer, list, message->count, &err) == BG_OK);
    } else if (message->content == WIRE_ANSWERS) {
        for (size_t i = 0; i < message->count; i++) {
            answer_visit(&message->answers[i]);
        }
        require(wire_pack_answers(buffer, message->answers, message->count, &err) == BG_OK);
    } else if (message->content == WIRE_HELLO) {
        require(wire_pack_hello(buffer, message->hello, &err) == BG_OK);
    } else if (message->content == WIRE_WELCOME) {
        require(wire_pack_welcome(buffer, message->welcome, &err) == BG_OK);
    } else {
        visit_values(buffer, message);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct wire_reader *reader;
    static struct wire_buffer buffer;
    struct wire_message message;
    struct bg_error err;

    if (reader == NULL) {
        require(wire_reader_create(&reader, 1 << 20, &err) == BG_OK);
    }
    if (wire_unpack_to_bot(&message, reader, data, size, &err) == BG_OK) {
        visit(&buffer, &message);
    }
    if (wire_unpack_to_referee(&message, reader, data, size, &err) == BG_OK) {
        visit(&buffer, &message);
    }
    return 0;
}
