/* fuzz_wire - foreign bytes into the codec, from both sides of the socket.
 *
 * Accepted messages must lie within the ranges that the headers promise: they are read like a
 * caller reads them, and packed again. The codec for asks and answers is hand-written: the
 * generated code must read the same from an accepted message, and a repacked message must be
 * accepted again. What asks and answers are about is also read without the rest, with the same
 * result. */
#include <wire/wire.h>

#include <bgref.pb-c.h>

#include <string.h>

#include "fuzz.h"

static void ask_visit(const struct bg_ask *ask)
{
    require(ask->kind > BG_DECIDE_NONE && ask->kind < BG_DECIDE_COUNT);
    require(ask->rules.variant != NULL && ask->rules.opening < BG_OPENING_COUNT);
    require(ask->stage.parts <= 3 && (ask->seat == 0 || ask->seat == 1));
    require(ask->cube_owner >= BG_CENTRED && ask->cube_owner <= 1);
    require(memchr(ask->game, 0, sizeof ask->game) != NULL);
    require(bg_board_count(&ask->board, 0) <= BG_CHECKERS);
    require(bg_board_count(&ask->board, 1) <= BG_CHECKERS);
    require((ask->dice != 0) >= (ask->kind == BG_DECIDE_DICE) && ask->dice >= 0 && ask->dice <= 4);
    require(ask->entered[0] == 0 || wire_digits_of_dice(ask->entered, (size_t)ask->dice) != 0);
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
    require(answer->kind != BG_ANSWER_DICE || (answer->value >= 1 && answer->value <= 6666));
    require(answer->kind != BG_ANSWER_RESULT || bg_board_count(&answer->result, 0) <= BG_CHECKERS);
}

/* Whether a value fits its ask, checked without crashing. */
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

/* The short reading, which accepts some that are refused in full, sees the same decisions. */
static void compare_ask_heads(const struct wire_message *message, bool is_whole,
                              const uint8_t *data, size_t size)
{
    static struct wire_ask_head heads[WIRE_BATCH_MAX];
    size_t count;
    bool is_read = wire_read_ask_heads(heads, &count, data, size);

    for (size_t i = 0; is_read && i < count; i++) {
        require(heads[i].game_size < BG_GAME_ID && (const uint8_t *)heads[i].game <= data + size);
    }
    if (is_whole) {
        require(is_read == (message->content == WIRE_ASKS));
        for (size_t i = 0; is_read && i < count; i++) {
            require(count == message->count && heads[i].decision == message->asks[i].decision);
            require(strlen(message->asks[i].game) == heads[i].game_size);
            require(memcmp(message->asks[i].game, heads[i].game, heads[i].game_size) == 0);
        }
    }
}

static void compare_answer_numbers(const struct wire_message *message, bool is_whole,
                                   const uint8_t *data, size_t size)
{
    static uint64_t numbers[WIRE_BATCH_MAX];
    size_t count;
    bool is_read = wire_read_answer_numbers(numbers, &count, data, size);

    if (is_whole) {
        require(is_read == (message->content == WIRE_ANSWERS));
        for (size_t i = 0; is_read && i < count; i++) {
            require(count == message->count && numbers[i] == message->answers[i].decision);
        }
    }
}

/* The generated code reads the same number of asks with the same values; likewise answers. */
static void compare_asks(const struct wire_message *message, const uint8_t *data, size_t size)
{
    Bgref__V1__ToBot *read = bgref__v1__to_bot__unpack(NULL, size, data);

    require(read != NULL && read->content_case == BGREF__V1__TO_BOT__CONTENT_ASKS);
    require(read->asks->n_asks == message->count);
    for (size_t i = 0; i < message->count; i++) {
        const struct bg_ask *ask = &message->asks[i];
        const Bgref__V1__Ask *other = read->asks->asks[i];

        require(other->decision == ask->decision && (int)other->kind == (int)ask->kind);
        require(other->settings < read->asks->n_settings);
        require(read->asks->settings[other->settings]->ceiling_ns == (uint64_t)ask->ceiling_ns);
        require(other->n_numbers == ask->stage.parts && other->turn == (uint32_t)ask->turn);
        require(strcmp(other->game, ask->game) == 0 && other->bot_seed == ask->bot_seed);
        require(other->position->own_pinned == ask->board.pinned[0]);
        require(other->position->opponent.len == 0 ||
                memcmp(other->position->opponent.data, ask->board.at[1],
                       other->position->opponent.len) == 0);
        require(other->n_results == (ask->results == NULL ? 0 : ask->result_count));
    }
    bgref__v1__to_bot__free_unpacked(read, NULL);
}

/* What is kept of a thought is kept again. Returns whether there is one. */
static bool thought_visit(const struct wire_bytes *bytes)
{
    struct bg_thought thought, again;
    uint8_t packed[WIRE_THOUGHT];
    struct wire_bytes in = {packed, 0};

    if (bytes->data != NULL && wire_thought_read(&thought, bytes) == NULL) {
        in.size = wire_thought_write(packed, &thought);
        require(wire_thought_read(&again, &in) == NULL);
        require(memcmp(&again.chances, &thought.chances, sizeof again.chances) == 0);
        require(strcmp(again.text, thought.text) == 0);
        require(again.candidate_count == thought.candidate_count);
    }
    return bytes->data != NULL;
}

static void compare_answers(const struct wire_message *message, const uint8_t *data, size_t size)
{
    Bgref__V1__ToReferee *read = bgref__v1__to_referee__unpack(NULL, size, data);
    bool thinks = false;

    for (size_t i = 0; i < message->count; i++) {
        thinks |= thought_visit(&message->answer_thought[i]);
    }
    if (thinks && read == NULL) { /* its garbage does not make the answer invalid */
        return;
    }
    require(read != NULL && read->content_case == BGREF__V1__TO_REFEREE__CONTENT_ANSWERS);
    require(read->answers->n_answers == message->count);
    for (size_t i = 0; i < message->count; i++) {
        require(read->answers->answers[i]->decision == message->answers[i].decision);
    }
    bgref__v1__to_referee__free_unpacked(read, NULL);
}

static void visit_asks(struct wire_buffer *buffer, struct wire_reader *again,
                       const struct wire_message *message)
{
    const struct bg_ask *list[WIRE_BATCH_MAX];
    struct wire_message second;
    struct bg_error err;

    for (size_t i = 0; i < message->count; i++) {
        ask_visit(&message->asks[i]);
        list[i] = &message->asks[i];
    }
    require(wire_pack_asks(buffer, list, message->count, &err) == BG_OK);
    require(wire_unpack_to_bot(&second, again, buffer->data, buffer->size, &err) == BG_OK);
    require(second.count == message->count);
    for (size_t i = 0; i < message->count; i++) {
        require(strcmp(second.asks[i].opponent, list[i]->opponent) == 0);
        require(second.asks[i].rules.variant == list[i]->rules.variant);
        require(second.asks[i].rules.turn_cap == list[i]->rules.turn_cap);
        require(bg_board_equal(&second.asks[i].board, &list[i]->board));
    }
}

static void visit(struct wire_buffer *buffer, struct wire_reader *again,
                  const struct wire_message *message)
{
    struct bg_error err;

    if (message->content == WIRE_ASKS) {
        visit_asks(buffer, again, message);
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
    static struct wire_reader *reader, *again;
    static struct wire_buffer buffer;
    struct wire_message message;
    struct bg_error err;
    bool is_whole;

    if (reader == NULL) {
        require(wire_reader_create(&reader, 1 << 20, &err) == BG_OK);
        require(wire_reader_create(&again, 4 << 20, &err) == BG_OK);
    }
    is_whole = wire_unpack_to_bot(&message, reader, data, size, &err) == BG_OK;
    compare_ask_heads(&message, is_whole, data, size);
    if (is_whole) {
        if (message.content == WIRE_ASKS) {
            compare_asks(&message, data, size);
        }
        visit(&buffer, again, &message);
    }
    is_whole = wire_unpack_to_referee(&message, reader, data, size, &err) == BG_OK;
    compare_answer_numbers(&message, is_whole, data, size);
    if (is_whole) {
        if (message.content == WIRE_ANSWERS) {
            compare_answers(&message, data, size);
        }
        visit(&buffer, again, &message);
    }
    return 0;
}
