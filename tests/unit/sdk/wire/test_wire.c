#define _GNU_SOURCE /* memmem */
/* The codec: round trips, foreign bytes, ranges. */
#include "support/suite.h"

#include <wire/wire.h>

#include <wire/schema.h>

#include <bgref/variant.h>

#include <bgref.pb-c.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA = 4 << 20, BATCH = 64 };

static struct wire_buffer buffer;
static struct wire_reader *reader;
static struct wire_message message;

static void setup(void)
{
    assert_ok(wire_reader_create(&reader, ARENA, &error));
}

static void teardown(void)
{
    wire_reader_destroy(reader);
    wire_buffer_deinit(&buffer);
}

/* ---------------------------------------------------------------- random numbers, fixed seed */

static uint64_t state = 20260101;

static uint64_t chance(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

static void random_board(struct bg_board *board)
{
    memset(board, 0, sizeof *board);
    for (int seat = 0; seat < 2; seat++) {
        for (int i = 0; i < BG_CHECKERS; i++) {
            board->at[seat][chance(BG_SLOTS)]++;
        }
        if (chance(3) == 0) {
            board->pinned[seat] = chance((uint64_t)1 << BG_SLOTS);
            board->turns[seat] = (uint8_t)chance(4);
            board->may_hit[seat] = (uint8_t)chance(2);
            for (int i = 1; i <= 6; i++) {
                board->stacked[seat][i] = (uint8_t)chance(4);
            }
        }
    }
}

static void random_play(struct bg_play *play)
{
    memset(play, 0, sizeof *play);
    play->moves = (uint8_t)chance(BG_MOVES_MAX + 1);
    for (int i = 0; i < play->moves; i++) {
        play->move[i].from = (uint8_t)(1 + chance(BG_SLOTS - 1));
        play->move[i].to = (uint8_t)chance(BG_SLOTS);
    }
}

static void random_rules(struct bg_rules *rules)
{
    int variants = 0;

    while (bg_variant_at(variants) != NULL) {
        variants++;
    }
    memset(rules, 0, sizeof *rules);
    rules->variant = bg_variant_at((int)chance((uint64_t)variants));
    rules->length_points = (int)chance(10001);
    rules->opening = (enum bg_opening)chance(BG_OPENING_COUNT);
    rules->cube = chance(2);
    rules->jacoby = chance(2);
    rules->beavers = chance(2);
    rules->raises = (int)chance(5) - 1;
    rules->auto_doubles = (int)chance(4);
    rules->crawford = chance(2);
    rules->holland = chance(2);
    rules->forfeit_single = chance(2);
    rules->fault_match = chance(2);
    rules->flag_match = chance(2);
    rules->turn_cap = (int)chance(5000);
    rules->next = (enum bg_next)chance(BG_NEXT_COUNT);
    if (chance(3) == 0) {
        rules->variant = bg_variant_find("gulbara:grace=none,head=1,block=nardi,bear=exact");
    }
    rules->rotation = bg_rotation_at((int)chance(4)); /* after the last: none */
}

static void random_stage(struct bg_stage *stage)
{
    int number = 7;

    memset(stage, 0, sizeof *stage);
    stage->parts = (uint8_t)(1 + chance(3));
    for (int i = 0; i < stage->parts; i++) {
        number -= 1 + (int)chance(2);
        stage->part[i].number = (uint8_t)number;
        stage->part[i].times = (uint8_t)(1 + chance(4));
    }
}

/* Dice as they are kept: high first. */
static uint32_t random_dice(uint8_t die[4], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        die[i] = (uint8_t)(1 + chance(6));
    }
    wire_dice_of_digits(die, wire_digits_of_dice(die, count));
    return wire_digits_of_dice(die, count);
}

static void random_enter(struct bg_ask *ask)
{
    ask->dice = (int)(1 + chance(4));
    ask->own_dice = chance(2);
    ask->opening_dice = chance(2);
    ask->disagreements = (int)chance(4);
    if (chance(2)) {
        random_dice(ask->entered, (size_t)ask->dice);
    }
}

static void random_ask(struct bg_ask *ask)
{
    static const char letters[] = "abcXYZ019|.-+_ ";
    size_t length = chance(BG_GAME_ID);

    memset(ask, 0, sizeof *ask);
    ask->decision = chance(UINT64_MAX);
    for (size_t i = 0; i < length; i++) {
        ask->game[i] = letters[chance(sizeof letters - 1)];
    }
    ask->kind = (enum bg_decision)(1 + chance(BG_DECIDE_COUNT - 1));
    random_rules(&ask->rules);
    random_board(&ask->board);
    if (ask->kind == BG_DECIDE_PLAY || ask->kind == BG_DECIDE_KEEP) {
        random_stage(&ask->stage);
    }
    if (ask->kind == BG_DECIDE_DICE) {
        random_enter(ask);
    }
    ask->cube_log2 = (int)chance(BG_CUBE_LOG2_MAX + 1);
    ask->cube_owner = (int)chance(3) - 1;
    ask->score[0] = (int64_t)chance(1 << 30);
    ask->score[1] = (int64_t)chance(INT64_MAX);
    ask->crawford_game = chance(2);
    ask->post_crawford = chance(2);
    ask->may_raise = chance(2);
    ask->raise = (int)chance(5);
    ask->resign_level = (int)chance(BG_CHECKERS + 1);
    ask->refused_level = (int)chance(BG_CHECKERS + 1);
    ask->turn = (int)chance(4000);
    ask->has_clock = chance(2);
    if (ask->has_clock) {
        ask->left_ns[0] = (int64_t)chance(INT64_MAX);
        ask->left_ns[1] = (int64_t)chance(2);
    }
    ask->ceiling_ns = (int64_t)chance(INT64_MAX);
    ask->increment_ns[chance(2)] = chance(2) ? (int64_t)chance(INT64_MAX) : 0;
    ask->delay_ns[chance(2)] = chance(2) ? (int64_t)chance(INT64_MAX) : 0;
    ask->bot_seed = chance(UINT64_MAX);
    snprintf(ask->opponent, sizeof ask->opponent, "%s", chance(2) ? "rival" : "");
}

static struct bg_ask_result *random_results(struct bg_ask *ask, uint32_t count)
{
    struct bg_ask_result *results = calloc(count, sizeof *results);

    ck_assert_ptr_nonnull(results);
    for (uint32_t i = 0; i < count; i++) {
        random_board(&results[i].board);
        random_play(&results[i].play);
    }
    ask->result_count = count;
    ask->results = results;
    return results;
}

/* ---------------------------------------------------------------- equality, field by field */

static void board_equal(const struct bg_board *a, const struct bg_board *b)
{
    ck_assert_mem_eq(a->at, b->at, sizeof a->at);
    ck_assert_mem_eq(a->pinned, b->pinned, sizeof a->pinned);
    ck_assert_mem_eq(a->turns, b->turns, sizeof a->turns);
    ck_assert_mem_eq(a->may_hit, b->may_hit, sizeof a->may_hit);
    ck_assert_mem_eq(a->stacked, b->stacked, sizeof a->stacked);
}

static void play_equal(const struct bg_play *a, const struct bg_play *b)
{
    ck_assert_uint_eq(a->moves, b->moves);
    ck_assert_mem_eq(a->move, b->move, a->moves * sizeof a->move[0]);
}

static void rules_equal(const struct bg_rules *a, const struct bg_rules *b)
{
    ck_assert_ptr_eq(a->variant, b->variant);
    ck_assert_int_eq(a->length_points, b->length_points);
    ck_assert_int_eq(a->opening, b->opening);
    ck_assert_int_eq(a->cube, b->cube);
    ck_assert_int_eq(a->jacoby, b->jacoby && b->cube); /* it needs a cube */
    ck_assert_int_eq(a->beavers, b->beavers);
    ck_assert_int_eq(a->raises, b->raises);
    ck_assert_int_eq(a->auto_doubles, b->auto_doubles);
    ck_assert_int_eq(a->crawford, b->crawford);
    ck_assert_int_eq(a->holland, b->holland);
    ck_assert_int_eq(a->forfeit_single, b->forfeit_single);
    ck_assert_int_eq(a->fault_match, b->fault_match);
    ck_assert_int_eq(a->flag_match, b->flag_match);
    ck_assert_int_eq(a->turn_cap, b->turn_cap);
    ck_assert_int_eq(a->next, b->next);
    ck_assert_ptr_eq(a->rotation, b->rotation);
}

static void ask_equal(const struct bg_ask *a, const struct bg_ask *b)
{
    ck_assert_uint_eq(a->decision, b->decision);
    ck_assert_str_eq(a->game, b->game);
    ck_assert_int_eq(a->kind, b->kind);
    rules_equal(&a->rules, &b->rules);
    board_equal(&a->board, &b->board);
    ck_assert_mem_eq(&a->stage, &b->stage, sizeof a->stage);
    ck_assert_int_eq(a->seat, b->seat);
    ck_assert_int_eq(a->cube_log2, b->cube_log2);
    ck_assert_int_eq(a->cube_owner, b->cube_owner);
    ck_assert_mem_eq(a->score, b->score, sizeof a->score);
    ck_assert_int_eq(a->crawford_game, b->crawford_game);
    ck_assert_int_eq(a->post_crawford, b->post_crawford);
    ck_assert_int_eq(a->may_raise, b->may_raise);
    ck_assert_int_eq(a->raise, b->raise);
    ck_assert_int_eq(a->resign_level, b->resign_level);
    ck_assert_int_eq(a->refused_level, b->refused_level);
    ck_assert_int_eq(a->turn, b->turn);
    ck_assert_int_eq(a->has_clock, b->has_clock);
    ck_assert_mem_eq(a->left_ns, b->left_ns, sizeof a->left_ns);
    ck_assert_int_eq(a->ceiling_ns, b->ceiling_ns);
    ck_assert_mem_eq(a->increment_ns, b->increment_ns, sizeof a->increment_ns);
    ck_assert_mem_eq(a->delay_ns, b->delay_ns, sizeof a->delay_ns);
    ck_assert_int_eq(a->dice, b->dice);
    ck_assert_int_eq(a->own_dice, b->own_dice);
    ck_assert_int_eq(a->opening_dice, b->opening_dice);
    ck_assert_mem_eq(a->entered, b->entered, sizeof a->entered);
    ck_assert_int_eq(a->disagreements, b->disagreements);
    ck_assert_uint_eq(a->bot_seed, b->bot_seed);
    ck_assert_str_eq(a->opponent, b->opponent);
    ck_assert_uint_eq(a->result_count, b->result_count);
    ck_assert_int_eq(a->results == NULL, b->results == NULL);
    for (uint32_t i = 0; a->results != NULL && i < a->result_count; i++) {
        board_equal(&a->results[i].board, &b->results[i].board);
        play_equal(&a->results[i].play, &b->results[i].play);
    }
}

/* ---------------------------------------------------------------- the schema */

/* The fields that the hand-written codec reads and writes, and their names in the generated
 * code. */
static const struct {
    const ProtobufCMessageDescriptor *message;
    const char *field;
    unsigned number;
} schema_rows[] = {
    {&bgref__v1__to_bot__descriptor, "asks", TO_BOT_ASKS},
    {&bgref__v1__to_referee__descriptor, "answers", TO_REFEREE_ANSWERS},
    {&bgref__v1__asks__descriptor, "settings", ASKS_SETTINGS},
    {&bgref__v1__asks__descriptor, "asks", ASKS_ASKS},
    {&bgref__v1__ask__descriptor, "decision", ASK_DECISION},
    {&bgref__v1__ask__descriptor, "game", ASK_GAME},
    {&bgref__v1__ask__descriptor, "kind", ASK_KIND},
    {&bgref__v1__ask__descriptor, "settings", ASK_SETTINGS},
    {&bgref__v1__ask__descriptor, "position", ASK_POSITION},
    {&bgref__v1__ask__descriptor, "numbers", ASK_NUMBERS},
    {&bgref__v1__ask__descriptor, "bot_seed", ASK_BOT_SEED},
    {&bgref__v1__ask__descriptor, "turn", ASK_TURN},
    {&bgref__v1__ask__descriptor, "own_score", ASK_OWN_SCORE},
    {&bgref__v1__ask__descriptor, "opponent_score", ASK_OPPONENT_SCORE},
    {&bgref__v1__ask__descriptor, "cube_log2", ASK_CUBE_LOG2},
    {&bgref__v1__ask__descriptor, "cube_owner", ASK_CUBE_OWNER},
    {&bgref__v1__ask__descriptor, "clock", ASK_CLOCK},
    {&bgref__v1__ask__descriptor, "result_count", ASK_RESULT_COUNT},
    {&bgref__v1__ask__descriptor, "results", ASK_RESULTS},
    {&bgref__v1__ask__descriptor, "crawford_game", ASK_CRAWFORD_GAME},
    {&bgref__v1__ask__descriptor, "post_crawford", ASK_POST_CRAWFORD},
    {&bgref__v1__ask__descriptor, "may_raise", ASK_MAY_RAISE},
    {&bgref__v1__ask__descriptor, "raise", ASK_RAISE},
    {&bgref__v1__ask__descriptor, "resign_level", ASK_RESIGN_LEVEL},
    {&bgref__v1__ask__descriptor, "refused_level", ASK_REFUSED_LEVEL},
    {&bgref__v1__ask__descriptor, "enter", ASK_ENTER},
    {&bgref__v1__enter_dice__descriptor, "count", ENTER_COUNT},
    {&bgref__v1__enter_dice__descriptor, "own", ENTER_OWN},
    {&bgref__v1__enter_dice__descriptor, "opening", ENTER_OPENING},
    {&bgref__v1__enter_dice__descriptor, "entered", ENTER_ENTERED},
    {&bgref__v1__enter_dice__descriptor, "disagreements", ENTER_DISAGREEMENTS},
    {&bgref__v1__numbers__descriptor, "number", NUMBERS_NUMBER},
    {&bgref__v1__numbers__descriptor, "times", NUMBERS_TIMES},
    {&bgref__v1__clock__descriptor, "own_left_ns", CLOCK_OWN_LEFT_NS},
    {&bgref__v1__clock__descriptor, "opponent_left_ns", CLOCK_OPPONENT_LEFT_NS},
    {&bgref__v1__position__descriptor, "own", POSITION_OWN},
    {&bgref__v1__position__descriptor, "opponent", POSITION_OPPONENT},
    {&bgref__v1__position__descriptor, "own_pinned", POSITION_OWN_PINNED},
    {&bgref__v1__position__descriptor, "opponent_pinned", POSITION_OPPONENT_PINNED},
    {&bgref__v1__position__descriptor, "own_history", POSITION_OWN_HISTORY},
    {&bgref__v1__position__descriptor, "opponent_history", POSITION_OPPONENT_HISTORY},
    {&bgref__v1__result__descriptor, "position", RESULT_POSITION},
    {&bgref__v1__result__descriptor, "moves", RESULT_MOVES},
    {&bgref__v1__answers__descriptor, "answers", ANSWERS_ANSWERS},
    {&bgref__v1__answer__descriptor, "decision", ANSWER_DECISION},
    {&bgref__v1__answer__descriptor, "action", ANSWER_ACTION},
    {&bgref__v1__answer__descriptor, "index", ANSWER_INDEX},
    {&bgref__v1__answer__descriptor, "moves", ANSWER_MOVES},
    {&bgref__v1__answer__descriptor, "result", ANSWER_RESULT},
    {&bgref__v1__answer__descriptor, "name", ANSWER_NAME},
    {&bgref__v1__answer__descriptor, "resign", ANSWER_RESIGN},
    {&bgref__v1__answer__descriptor, "dice", ANSWER_DICE},
    {&bgref__v1__answer__descriptor, "thought", ANSWER_THOUGHT},
    {&bgref__v1__thought__descriptor, "chances", THOUGHT_CHANCES},
    {&bgref__v1__thought__descriptor, "worth", THOUGHT_WORTH},
    {&bgref__v1__thought__descriptor, "candidates", THOUGHT_CANDIDATES},
    {&bgref__v1__thought__descriptor, "plies", THOUGHT_PLIES},
    {&bgref__v1__thought__descriptor, "text", THOUGHT_TEXT},
    {&bgref__v1__thought__descriptor, "unit", THOUGHT_UNIT},
    {&bgref__v1__chances__descriptor, "win", CHANCES_WIN},
    {&bgref__v1__chances__descriptor, "lose_backgammon", CHANCES_LOSE_BACKGAMMON},
    {&bgref__v1__worth__descriptor, "equity", WORTH_EQUITY},
    {&bgref__v1__candidate__descriptor, "action", CANDIDATE_ACTION},
    {&bgref__v1__candidate__descriptor, "moves", CANDIDATE_MOVES},
    {&bgref__v1__candidate__descriptor, "equity", CANDIDATE_EQUITY},
};

TEST_ROWS(hand_written_field_numbers_equal_those_of_the_schema, schema_rows)
{
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field_by_name(
        schema_rows[_i].message, schema_rows[_i].field);

    ck_assert_msg(field != NULL, "%s has no field %s", schema_rows[_i].message->name,
                  schema_rows[_i].field);
    ck_assert_msg(field->id == schema_rows[_i].number, "%s.%s is field %u, not %u",
                  schema_rows[_i].message->name, field->name, field->id, schema_rows[_i].number);
}

TEST(every_field_of_an_ask_and_of_an_answer_is_handled)
{
    static const struct {
        const ProtobufCMessageDescriptor *message;
        unsigned fields;
    } rows[] = {
        {&bgref__v1__asks__descriptor, ASKS_ASKS},
        {&bgref__v1__ask__descriptor, ASK_FIELDS - 1},
        {&bgref__v1__numbers__descriptor, NUMBERS_TIMES},
        {&bgref__v1__clock__descriptor, CLOCK_OPPONENT_LEFT_NS},
        {&bgref__v1__position__descriptor, POSITION_OPPONENT_HISTORY},
        {&bgref__v1__result__descriptor, RESULT_MOVES},
        {&bgref__v1__answers__descriptor, ANSWERS_ANSWERS},
        {&bgref__v1__answer__descriptor, ANSWER_THOUGHT},
        {&bgref__v1__thought__descriptor, THOUGHT_UNIT},
        {&bgref__v1__chances__descriptor, CHANCES_LOSE_BACKGAMMON},
        {&bgref__v1__worth__descriptor, WORTH_EQUITY},
        {&bgref__v1__candidate__descriptor, CANDIDATE_EQUITY},
        {&bgref__v1__enter_dice__descriptor, ENTER_FIELDS - 1},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_msg(rows[i].message->n_fields == rows[i].fields, "%s has %u fields",
                      rows[i].message->name, rows[i].message->n_fields);
    }
}

/* The generated code reads the message in buffer and would have written the same bytes. */
static void generated_code_agrees(const ProtobufCMessageDescriptor *envelope)
{
    ProtobufCMessage *read = protobuf_c_message_unpack(envelope, NULL, buffer.size, buffer.data);
    uint8_t *bytes;

    ck_assert_ptr_nonnull(read);
    ck_assert_uint_eq(read->n_unknown_fields, 0);
    ck_assert_uint_eq(protobuf_c_message_get_packed_size(read), buffer.size);
    bytes = malloc(buffer.size);
    ck_assert_ptr_nonnull(bytes);
    protobuf_c_message_pack(read, bytes);
    ck_assert_mem_eq(bytes, buffer.data, buffer.size);
    free(bytes);
    protobuf_c_message_free_unpacked(read, NULL);
}

/* ---------------------------------------------------------------- decisions */

static enum bg_status ask_trip(const struct bg_ask *ask)
{
    assert_ok(wire_pack_asks(&buffer, &ask, 1, &error));
    return wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error);
}

TEST(asks_round_trip)
{
    static struct bg_ask asks[BATCH];
    const struct bg_ask *list[BATCH];

    for (int round = 0; round < 60; round++) {
        size_t count = 1 + chance(BATCH);

        for (size_t i = 0; i < count; i++) {
            random_ask(&asks[i]);
            if (chance(4) == 0) {
                random_results(&asks[i], 1 + (uint32_t)chance(30));
            }
            list[i] = &asks[i];
        }
        assert_ok(wire_pack_asks(&buffer, list, count, &error));
        generated_code_agrees(&bgref__v1__to_bot__descriptor);
        assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
        ck_assert_int_eq(message.content, WIRE_ASKS);
        ck_assert_uint_eq(message.count, count);
        for (size_t i = 0; i < count; i++) {
            ask_equal(&message.asks[i], &asks[i]);
            free((void *)(uintptr_t)asks[i].results);
        }
    }
}

TEST(the_largest_ask_fits_its_bound)
{
    static struct bg_ask asks[2];
    const struct bg_ask *list[2] = {&asks[0], &asks[1]};
    struct bg_ask_result *results;

    random_ask(&asks[0]);
    results = random_results(&asks[0], 4096);
    asks[1] = asks[0];
    memset(asks[0].game, 'g', sizeof asks[0].game - 1);
    for (int i = 0; i < 4096; i++) { /* every field of a result at its longest */
        results[i].board.at[0][BG_SLOTS - 1] = results[i].board.at[1][BG_SLOTS - 1] = 1;
        results[i].board.at[0][0] = results[i].board.at[1][0] = 0;
        results[i].board.pinned[0] = results[i].board.pinned[1] = 1;
        results[i].board.stacked[0][6] = results[i].board.stacked[1][6] = 1;
        results[i].play.moves = 4;
        memset(results[i].play.move, 1, sizeof results[i].play.move);
    }
    assert_ok(wire_pack_asks(&buffer, list, 2, &error));
    ck_assert(buffer.data > buffer.memory && buffer.size < buffer.room);
    free(results);
}

TEST(answers_round_trip)
{
    static struct bg_answer answers[BATCH];

    for (int round = 0; round < 100; round++) {
        size_t count = 1 + chance(BATCH);

        memset(answers, 0, sizeof answers);
        for (size_t i = 0; i < count; i++) {
            answers[i].decision = chance(UINT64_MAX);
            answers[i].kind = (enum bg_answer_kind)(1 + chance(BG_ANSWER_COUNT - 1));
            answers[i].value = answers[i].kind == BG_ANSWER_INDEX    ? (uint32_t)chance(4096)
                               : answers[i].kind == BG_ANSWER_NAME   ? (uint32_t)(1 + chance(6))
                               : answers[i].kind == BG_ANSWER_RESIGN ? (uint32_t)(1 + chance(3))
                               : answers[i].kind == BG_ANSWER_DICE
                                   ? random_dice((uint8_t[4]){0}, 1 + chance(4))
                                   : 0;
            random_play(&answers[i].play);
            random_board(&answers[i].result);
        }
        assert_ok(wire_pack_answers(&buffer, answers, count, &error));
        generated_code_agrees(&bgref__v1__to_referee__descriptor);
        assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
        ck_assert_int_eq(message.content, WIRE_ANSWERS);
        ck_assert_uint_eq(message.count, count);
        for (size_t i = 0; i < count; i++) {
            ck_assert_uint_eq(message.answers[i].decision, answers[i].decision);
            ck_assert_int_eq(message.answers[i].kind, answers[i].kind);
            ck_assert_uint_eq(message.answers[i].value, answers[i].value);
            if (answers[i].kind == BG_ANSWER_MOVES) {
                play_equal(&message.answers[i].play, &answers[i].play);
            } else if (answers[i].kind == BG_ANSWER_RESULT) {
                board_equal(&message.answers[i].result, &answers[i].result);
            }
        }
    }
}

/* Exactly as in docs/protocol.md, line by line. */
static const char *const shown_ask[] = {
    "1a 98 01 0a 1e 0a 15 0a 0a 62 61 63 6b 67 61 6d",
    "6d 6f 6e 10 03 20 01 48 01 68 d0 0f 10 80 b0 9d",
    "c2 df 01 12 76 08 80 08 12 20 62 37 36 38 39 63",
    "31 36 31 35 38 37 39 33 33 32 37 37 36 64 64 30",
    "34 32 35 38 65 66 32 66 30 63 18 04 2a 36 0a 19",
    "00 00 00 00 00 00 05 00 03 00 00 00 00 05 00 00",
    "00 00 00 00 00 00 00 00 02 12 19 00 00 00 00 00",
    "00 05 00 03 00 00 00 00 05 00 00 00 00 00 00 00",
    "00 00 00 02 32 04 08 03 10 01 32 04 08 01 10 01",
    "39 ef cd ab 89 67 45 23 01 48 01",
};
static const char shown_answer[] = "1a 0b 0a 09 08 80 08 22 04 08 05 06 05";

static void bytes_are_shown(const char *document, const char *const *lines, size_t count)
{
    size_t at = 0;

    for (size_t i = 0; i < count; i++) {
        char line[64] = "\n";

        for (int n = 0; n < 16 && at < buffer.size; n++) {
            sprintf(line + strlen(line), "%s%02x", n > 0 ? " " : "", buffer.data[at++]);
        }
        ck_assert_str_eq(line + 1, lines[i]);
        strcat(line, "\n");
        ck_assert_msg(strstr(document, line) != NULL, "docs/protocol.md lacks %s", line);
    }
    ck_assert_uint_eq(at, buffer.size);
}

TEST(the_documented_bytes_are_correct)
{
    static char document[65536];
    static const char *const answer_lines[] = {shown_answer};
    struct bg_ask ask = {0};
    const struct bg_ask *list = &ask;
    struct bg_answer answer = {.decision = 1024, .kind = BG_ANSWER_MOVES};
    FILE *file = fopen(TEST_DATA "/../../docs/protocol.md", "rb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_gt(fread(document, 1, sizeof document - 1, file), 0);
    fclose(file);
    ask.decision = 1024;
    strcpy(ask.game, "b7689c1615879332776dd04258ef2f0c");
    ask.kind = BG_DECIDE_PLAY;
    ask.rules.variant = bg_variant_find("backgammon");
    ask.rules.length_points = 3;
    ask.rules.cube = ask.rules.crawford = true;
    ask.rules.turn_cap = 2000;
    bg_variant_setup(&ask.board, ask.rules.variant);
    ask.stage = (struct bg_stage){.parts = 2, .part = {{3, 1}, {1, 1}}};
    ask.cube_owner = BG_CENTRED;
    ask.score[0] = 1;
    ask.ceiling_ns = 60000000000;
    ask.bot_seed = 0x0123456789abcdef;
    assert_ok(wire_pack_asks(&buffer, &list, 1, &error));
    bytes_are_shown(document, shown_ask, sizeof shown_ask / sizeof shown_ask[0]);
    answer.play = (struct bg_play){.moves = 2, .move = {{8, 5}, {6, 5}}};
    assert_ok(wire_pack_answers(&buffer, &answer, 1, &error));
    bytes_are_shown(document, answer_lines, 1);
}

/* One field of a good Ask spoiled; the message names it. */
static const struct spoiled {
    const char *name, *message;
} spoiled[] = {
    {"no kind", "kind"},
    {"unknown kind", "kind"},
    {"cube too high", "cube"},
    {"cube owner", "cube_owner"},
    {"sixteen checkers", "position"},
    {"pinned off", "position"},
    {"four turns", "position"},
    {"length", "length"},
    {"opening", "opening"},
    {"raises", "raises"},
    {"no numbers", "numbers"},
    {"number 7", "numbers"},
    {"five times", "numbers"},
    {"low first", "numbers"},
    {"level", "resign_level"},
    {"next", "next"},
};

static void ask_spoil(struct bg_ask *ask, int how)
{
    switch (how) {
    case 0:
        ask->kind = BG_DECIDE_NONE;
        break;
    case 1:
        ask->kind = BG_DECIDE_COUNT;
        break;
    case 2:
        ask->cube_log2 = BG_CUBE_LOG2_MAX + 1;
        break;
    case 3:
        ask->cube_owner = 2;
        break;
    case 4:
        ask->board.at[1][7] = 16;
        break;
    case 5:
        ask->board.pinned[0] = (uint64_t)1 << BG_SLOTS;
        break;
    case 6:
        ask->board.turns[1] = 4;
        break;
    case 7:
        ask->rules.length_points = 10001;
        break;
    case 8:
        ask->rules.opening = BG_OPENING_COUNT;
        break;
    case 9:
        ask->rules.raises = -2;
        break;
    case 10:
        ask->stage.parts = 0;
        break;
    case 11:
        ask->stage.part[0].number = 7;
        break;
    case 12:
        ask->stage.part[0].times = 5;
        break;
    case 13:
        ask->stage.part[1].number = ask->stage.part[0].number;
        break;
    case 14:
        ask->resign_level = BG_CHECKERS + 1;
        break;
    case 15:
        ask->rules.next = BG_NEXT_COUNT;
        break;
    default:
        break;
    }
}

TEST_ROWS(a_spoiled_ask_is_refused_by_the_field, spoiled)
{
    struct bg_ask ask;

    random_ask(&ask);
    ask.kind = BG_DECIDE_PLAY;
    ask.stage = (struct bg_stage){.parts = 2, .part = {{6, 1}, {1, 1}}};
    ck_assert_int_eq(ask_trip(&ask), BG_OK);
    ask_spoil(&ask, _i);
    ck_assert_msg(ask_trip(&ask) == BG_E_FORMAT, "%s was taken", spoiled[_i].name);
    ck_assert_msg(strstr(error.text, spoiled[_i].message) != NULL, "%s: %s", spoiled[_i].name,
                  error.text);
    ck_assert_msg(strstr(error.text, "ask for decision ") != NULL ||
                      strstr(error.text, "settings 0: rules: ") != NULL,
                  "%s: %s", spoiled[_i].name, error.text);
}

/* ---------------------------------------------------------------- settings */

/* Where the envelope's asks begin, and their number of bytes. */
static const uint8_t *content_of(size_t *size)
{
    Bgref__V1__ToBot *read = bgref__v1__to_bot__unpack(NULL, buffer.size, buffer.data);

    ck_assert_ptr_nonnull(read);
    *size = protobuf_c_message_get_packed_size(&read->asks->base);
    bgref__v1__to_bot__free_unpacked(read, NULL);
    return buffer.data + buffer.size - *size;
}

static void settings_copy(struct bg_ask *to, const struct bg_ask *from)
{
    to->rules = from->rules;
    to->ceiling_ns = from->ceiling_ns;
    strcpy(to->opponent, from->opponent);
    memcpy(to->increment_ns, from->increment_ns, sizeof to->increment_ns);
    memcpy(to->delay_ns, from->delay_ns, sizeof to->delay_ns);
}

TEST(common_settings_of_asks_are_sent_once)
{
    static struct bg_ask asks[4];
    const struct bg_ask *list[] = {&asks[0], &asks[1], &asks[2], &asks[3]};
    Bgref__V1__ToBot *read;

    for (int i = 0; i < 4; i++) {
        random_ask(&asks[i]);
        if (i > 0) {
            settings_copy(&asks[i], &asks[0]);
        }
        strcpy(asks[i].opponent, "rival");
    }
    strcpy(asks[2].opponent, "another");
    assert_ok(wire_pack_asks(&buffer, list, 4, &error));
    read = bgref__v1__to_bot__unpack(NULL, buffer.size, buffer.data);
    ck_assert_ptr_nonnull(read);
    ck_assert_uint_eq(read->asks->n_settings, 2);
    ck_assert_str_eq(read->asks->settings[0]->opponent, "rival");
    ck_assert_str_eq(read->asks->settings[1]->opponent, "another");
    ck_assert_uint_eq(read->asks->asks[1]->settings, 0);
    ck_assert_uint_eq(read->asks->asks[2]->settings, 1);
    ck_assert_uint_eq(read->asks->asks[3]->settings, 0);
    bgref__v1__to_bot__free_unpacked(read, NULL);
}

/* Different values make separate settings, also in a buffer that packed others before. */
TEST(different_settings_are_sent_separately)
{
    struct bg_ask asks[2];
    const struct bg_ask *list[] = {&asks[0], &asks[1]};

    for (int round = 0; round < 2000; round++) {
        random_ask(&asks[0]);
        random_ask(&asks[1]);
        settings_copy(&asks[1], &asks[0]);
        if (round % 4 == 0) {
            random_rules(round % 8 ? &asks[1].rules : &asks[0].rules);
        } else if (round % 4 == 1) {
            asks[1].rules.turn_cap++;
        } else if (round % 4 == 2) {
            asks[1].increment_ns[round % 8 == 2] ^= 1;
        } else {
            asks[1].delay_ns[round % 8 == 3] ^= 1;
        }
        assert_ok(wire_pack_asks(&buffer, list, 2, &error));
        assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
        ask_equal(&message.asks[0], &asks[0]);
        ask_equal(&message.asks[1], &asks[1]);
    }
}

TEST(an_ask_whose_settings_are_not_listed_is_refused)
{
    struct bg_ask ask;
    static const uint8_t second[] = {0x20, 0x01}; /* settings: 1 */
    uint8_t frame[4096] = {0x1a};
    const uint8_t *content;
    size_t size, table;

    random_ask(&ask);
    ask.decision = 1024;
    strcpy(ask.game, "g");
    ask.rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    ck_assert_int_eq(ask_trip(&ask), BG_OK);
    content = content_of(&size);
    table = 2 + content[1]; /* the settings, a tag and one byte of length */
    /* The Ask without its table. */
    ck_assert_uint_lt(size, 4000);
    frame[1] = (uint8_t)((size - table) | 0x80);
    frame[2] = (uint8_t)((size - table) >> 7);
    memcpy(frame + 3, content + table, size - table);
    ck_assert_int_eq(wire_unpack_to_bot(&message, reader, frame, 3 + size - table, &error),
                     BG_E_FORMAT);
    ck_assert_str_eq(error.text,
                     "ask for decision 1024: settings: index 0, but the message lists 0");
    /* With the table, and an index without entry: two bytes more. */
    ck_assert_uint_lt(content[table + 1] & 0x7f, 0x7e);
    frame[1] = (uint8_t)((size + sizeof second) | 0x80);
    frame[2] = (uint8_t)((size + sizeof second) >> 7);
    memcpy(frame + 3, content, size);
    memcpy(frame + 3 + size, second, sizeof second);
    frame[3 + table + 1] = (uint8_t)(frame[3 + table + 1] + sizeof second);
    ck_assert_int_eq(wire_unpack_to_bot(&message, reader, frame, 3 + size + sizeof second, &error),
                     BG_E_FORMAT);
    ck_assert_str_eq(error.text,
                     "ask for decision 1024: settings: index 1, but the message lists 1");
}

/* Foreign Asks: other errors of a table. The frames are Asks without an envelope. */
static const struct {
    const char *name;
    uint8_t bytes[40];
    size_t size;
    const char *message;
} table_rows[] = {
    {"settings without rules", {0x0a, 0x02, 0x10, 0x05}, 4, "settings 0: rules: missing"},
    {"empty settings", {0x0a, 0x00}, 2, "settings 0: rules: missing"},
    {"settings that are a number", {0x08, 0x01}, 2, "are not a ToBot"},
    {"cut settings", {0x0a, 0x01, 0x0a}, 3, "settings 0: message: 1 bytes that are not a Settings"},
    {"another game",
     {0x0a, 0x05, 0x0a, 0x03, 0x0a, 0x01, 'x'},
     7,
     "settings 0: rules: variant x: not known here"},
    {"a delay of 2^63 ns",
     {0x0a, 27,   0x0a, 12,   0x0a, 10,   'b',  'a',  'c',  'k',  'g',  'a',  'm',  'm', 'o',
      'n',  0x22, 11,   0x18, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
     29,
     "settings 0: time: own_delay_ns: 9223372036854775808 is above 9223372036854775807"},
    {"an ask and nothing else",
     {0x12, 0x06, 0x08, 0x05, 0x18, 0x01, 0x2a, 0x00},
     8,
     "ask for decision 5: settings: index 0, but the message lists 0"},
};

TEST_ROWS(a_wrong_table_is_refused_by_name, table_rows)
{
    uint8_t frame[64] = {0x1a};

    frame[1] = (uint8_t)table_rows[_i].size;
    memcpy(frame + 2, table_rows[_i].bytes, table_rows[_i].size);
    ck_assert_int_eq(wire_unpack_to_bot(&message, reader, frame, 2 + table_rows[_i].size, &error),
                     BG_E_FORMAT);
    ck_assert_msg(strstr(error.text, table_rows[_i].message) != NULL, "%s: %s", table_rows[_i].name,
                  error.text);
}

TEST(a_table_may_follow_its_asks_and_have_idle_entries)
{
    struct bg_ask ask;
    uint8_t frame[4096] = {0x1a};
    const uint8_t *content;
    size_t size, table;

    random_ask(&ask);
    ask.game[100] = '\0';
    ask.rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    ck_assert_int_eq(ask_trip(&ask), BG_OK);
    content = content_of(&size);
    table = 2 + content[1];
    frame[1] = (uint8_t)((size + table) | 0x80);
    frame[2] = (uint8_t)((size + table) >> 7);
    memcpy(frame + 3, content + table, size - table);
    memcpy(frame + 3 + size - table, content, table);
    memcpy(frame + 3 + size, content, table);
    assert_ok(wire_unpack_to_bot(&message, reader, frame, 3 + size + table, &error));
    ask_equal(&message.asks[0], &ask);
}

TEST(a_table_has_a_limit)
{
    static uint8_t frame[3 + 2 * (WIRE_BATCH_MAX + 1)] = {0x1a, 0x82, 0x10};

    for (size_t i = 3; i < sizeof frame; i += 2) {
        frame[i] = 0x0a;
    }
    ck_assert_int_eq(wire_unpack_to_bot(&message, reader, frame, sizeof frame, &error),
                     BG_E_FORMAT);
    ck_assert_str_eq(error.text, "settings: 1025 in one message, at most 1024");
}

TEST(an_unknown_game_is_named)
{
    struct bg_ask ask;
    uint8_t *name;

    random_ask(&ask);
    ask.rules.variant = bg_variant_find("backgammon");
    ck_assert_int_eq(ask_trip(&ask), BG_OK);
    name = memmem(buffer.data, buffer.size, "backgammon", 10);
    ck_assert_ptr_nonnull(name);
    name[9] = 'x';
    ck_assert_int_eq(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error),
                     BG_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.text, "variant backgammox: not known"));
}

TEST(the_result_count_must_match_the_listed_results)
{
    static const uint8_t counted[] = {0x70, 0x03, 0x7a}; /* result_count: 3, and the first */
    struct bg_ask ask;
    struct bg_ask_result *results;
    uint8_t *at;

    random_ask(&ask);
    results = random_results(&ask, 3);
    ck_assert_int_eq(ask_trip(&ask), BG_OK);
    at = memmem(buffer.data, buffer.size, counted, sizeof counted);
    ck_assert_ptr_nonnull(at);
    at[1] = 4;
    ck_assert_int_eq(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error),
                     BG_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.text, "results: 3 listed, result_count 4"));
    free(results);
}

/* Answers with a readable number and unreadable content: bytes of one Answer after decision 9. */
static const struct {
    const char *name;
    uint8_t bytes[24];
    size_t size;
    enum bg_answer_kind kind;
} answer_rows[] = {
    {"a roll", {0x10, 0x01}, 2, BG_ANSWER_ROLL},
    {"nothing", {0}, 0, BG_ANSWER_NONE},
    {"action none", {0x10, 0x00}, 2, BG_ANSWER_NONE},
    {"action 10", {0x10, 0x0a}, 2, BG_ANSWER_NONE},
    {"action -1",
     {0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
     11,
     BG_ANSWER_NONE},
    {"index 0", {0x18, 0x00}, 2, BG_ANSWER_INDEX},
    {"no moves", {0x22, 0x00}, 2, BG_ANSWER_MOVES},
    {"half a move", {0x22, 0x03, 8, 5, 6}, 5, BG_ANSWER_NONE},
    {"five moves", {0x22, 0x0a, 8, 5, 6, 5, 8, 5, 6, 5, 6, 5}, 12, BG_ANSWER_NONE},
    {"slots the rules judge", {0x22, 0x02, 200, 99}, 4, BG_ANSWER_MOVES},
    {"an empty position", {0x2a, 0x00}, 2, BG_ANSWER_RESULT},
    {"16 checkers", {0x2a, 0x04, 0x0a, 0x02, 0, 16}, 6, BG_ANSWER_NONE},
    {"name 6", {0x30, 0x06}, 2, BG_ANSWER_NAME},
    {"name 0", {0x30, 0x00}, 2, BG_ANSWER_NONE},
    {"name 7", {0x30, 0x07}, 2, BG_ANSWER_NONE},
    {"resign 3", {0x38, 0x03}, 2, BG_ANSWER_RESIGN},
    {"resign 260", {0x38, 0x84, 0x02}, 3, BG_ANSWER_NONE},
    {"dice", {0x42, 0x02, 3, 6}, 4, BG_ANSWER_DICE},
    {"four dice", {0x42, 0x04, 3, 6, 1, 1}, 6, BG_ANSWER_DICE},
    {"no dice", {0x42, 0x00}, 2, BG_ANSWER_NONE},
    {"five dice", {0x42, 0x05, 3, 6, 1, 1, 1}, 7, BG_ANSWER_NONE},
    {"a die of 0", {0x42, 0x02, 0, 6}, 4, BG_ANSWER_NONE},
    {"a die of 7", {0x42, 0x02, 1, 7}, 4, BG_ANSWER_NONE},
    {"an unknown content", {0x50, 0x01}, 2, BG_ANSWER_NONE},
    {"a thought of garbage", {0x10, 0x01, 0x4a, 0x03, 0xff, 0xff, 0xff}, 7, BG_ANSWER_ROLL},
    {"a thought that is a number", {0x10, 0x01, 0x48, 0x07}, 4, BG_ANSWER_ROLL},
    {"two contents, the last counts", {0x10, 0x01, 0x30, 0x02}, 4, BG_ANSWER_NAME},
};

TEST_ROWS(an_unreadable_answer_keeps_its_number, answer_rows)
{
    uint8_t frame[64] = {0x1a, 0, 0x0a, 0, 0x08, 9}; /* answers { answers { decision: 9 ... } } */
    size_t size = answer_rows[_i].size;

    memcpy(frame + 6, answer_rows[_i].bytes, size);
    frame[1] = (uint8_t)(size + 4);
    frame[3] = (uint8_t)(size + 2);
    ck_assert_msg(wire_unpack_to_referee(&message, reader, frame, size + 6, &error) == BG_OK,
                  "%s: %s", answer_rows[_i].name, error.text);
    ck_assert_uint_eq(message.count, 1);
    ck_assert_uint_eq(message.answers[0].decision, 9);
    ck_assert_msg(message.answers[0].kind == answer_rows[_i].kind, "%s: kind %d",
                  answer_rows[_i].name, (int)message.answers[0].kind);
    ck_assert_msg((message.answer_trouble[0] != NULL) == (answer_rows[_i].kind == BG_ANSWER_NONE),
                  "%s: it is said why", answer_rows[_i].name);
}

/* ---------------------------------------------------------------- thoughts */

static struct bg_thought full_thought(void)
{
    struct bg_thought thought = BG_THOUGHT_INIT;

    thought.has_chances = thought.has_equity = true;
    thought.chances = (struct bg_chances){0.6213, 0.25, 0.01, 0.125, 0.005, -0.875};
    thought.plies = 2;
    thought.unit = BG_EQUITY_POINTS;
    thought.candidate_count = BG_CANDIDATES_MAX;
    for (int i = 0; i < BG_CANDIDATES_MAX; i++) {
        thought.candidate[i].kind = i == 7 ? BG_ANSWER_DOUBLE : BG_ANSWER_MOVES;
        thought.candidate[i].play = (struct bg_play){4, {{24, 20}, {24, 20}, {13, 9}, {6, 0}}};
        thought.candidate[i].equity = -0.5 * (i + 1);
    }
    memset(thought.text, 'a', sizeof thought.text - 1);
    return thought;
}

TEST(thoughts_go_with_their_answers)
{
    const struct bg_answer answers[3] = {{.decision = 1, .kind = BG_ANSWER_ROLL},
                                         {.decision = 2, .kind = BG_ANSWER_TAKE},
                                         {.decision = 3, .kind = BG_ANSWER_PASS}};
    const struct bg_thought told = full_thought();
    struct bg_thought read;
    uint8_t bytes[WIRE_THOUGHT];
    struct wire_bytes thoughts[3] = {{NULL, 0}, {bytes, wire_thought_write(bytes, &told)}};

    assert_ok(wire_pack_thoughts(&buffer, answers, thoughts, 3, &error));
    generated_code_agrees(&bgref__v1__to_referee__descriptor);
    assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_uint_eq(message.count, 3);
    ck_assert_ptr_null(message.answer_thought[0].data);
    ck_assert_ptr_null(message.answer_thought[2].data);
    ck_assert_int_eq(message.answers[1].kind, BG_ANSWER_TAKE);
    ck_assert_ptr_null(wire_thought_read(&read, &message.answer_thought[1]));
    ck_assert(read.has_chances && read.has_equity && read.unit == told.unit);
    ck_assert_mem_eq(&read.chances, &told.chances, sizeof read.chances);
    ck_assert_uint_eq(read.plies, 2);
    ck_assert_str_eq(read.text, told.text);
    ck_assert_uint_eq(read.candidate_count, BG_CANDIDATES_MAX);
    for (int i = 0; i < BG_CANDIDATES_MAX; i++) {
        ck_assert_int_eq(read.candidate[i].kind, told.candidate[i].kind);
        ck_assert(read.candidate[i].equity == told.candidate[i].equity);
        ck_assert(i == 7 || memcmp(&read.candidate[i].play, &told.candidate[i].play,
                                   sizeof read.candidate[i].play) == 0);
    }
}

/* Each row spoils a thought that would be kept. */
static void win_is_not_a_number(struct bg_thought *thought)
{
    thought->chances.win = NAN;
}
static void win_is_170_percent(struct bg_thought *thought)
{
    thought->chances.win = 1.7;
}
static void a_loss_is_negative(struct bg_thought *thought)
{
    thought->chances.lose_gammon = -0.01;
}
static void equity_is_infinite(struct bg_thought *thought)
{
    thought->chances.equity = INFINITY;
}
static void equity_is_no_chance(struct bg_thought *thought)
{
    thought->unit = BG_EQUITY_MATCH;
}
static void unit_is_unknown(struct bg_thought *thought)
{
    thought->unit = BG_EQUITY_UNIT_COUNT;
}
static void plies_are_many(struct bg_thought *thought)
{
    thought->plies = BG_THOUGHT_PLIES_MAX + 1;
}
static void a_candidate_is_not_a_number(struct bg_thought *thought)
{
    thought->candidate[3].equity = NAN;
}
static void a_candidate_is_a_resignation(struct bg_thought *thought)
{
    thought->candidate[3].kind = BG_ANSWER_RESIGN;
}
static void a_candidate_has_no_moves(struct bg_thought *thought)
{
    thought->candidate[3].play.moves = 0;
}
static void a_slot_does_not_exist(struct bg_thought *thought)
{
    thought->candidate[3].play.move[2].from = 200;
}

static const struct {
    void (*spoil)(struct bg_thought *thought);
    const char *words;
} bad_thoughts[] = {
    {win_is_not_a_number, "a chance"},
    {win_is_170_percent, "a chance"},
    {a_loss_is_negative, "a chance"},
    {equity_is_infinite, "an equity"},
    {equity_is_no_chance, "an equity"},
    {unit_is_unknown, "an unknown unit"},
    {plies_are_many, "plies"},
    {a_candidate_is_not_a_number, "a candidate's equity"},
    {a_candidate_is_a_resignation, "a cand"},
    {a_candidate_has_no_moves, "a candidate that"},
    {a_slot_does_not_exist, "a candidate that"},
};

TEST_ROWS(an_impossible_thought_is_dropped, bad_thoughts)
{
    struct bg_thought thought = full_thought(), read;
    uint8_t bytes[WIRE_THOUGHT];
    struct wire_bytes in = {bytes, wire_thought_write(bytes, &thought)};
    const char *why;

    ck_assert_ptr_null(wire_thought_read(&read, &in));
    bad_thoughts[_i].spoil(&thought);
    in.size = wire_thought_write(bytes, &thought);
    why = wire_thought_read(&read, &in);
    ck_assert_ptr_nonnull(why);
    ck_assert_msg(strncmp(why, bad_thoughts[_i].words, strlen(bad_thoughts[_i].words)) == 0, "%s",
                  why);
}

TEST(a_thought_is_cleaned_and_brought_into_its_limits)
{
    struct bg_thought thought = full_thought(), read;
    uint8_t bytes[2 * WIRE_THOUGHT];
    struct wire_bytes in = {bytes, 0};

    strcpy(thought.text, "a\x1b[31mb\xe9");
    thought.chances.win = -1e-6;
    thought.chances.lose_gammon = 0.75;
    thought.chances.lose_backgammon = 0.9;
    in.size = wire_thought_write(bytes, &thought);
    ck_assert_ptr_null(wire_thought_read(&read, &in));
    ck_assert_str_eq(read.text, "a\\x1b[31mb\\xe9");
    ck_assert(read.chances.win == 0.0 && read.chances.win_gammon == 0.0);
    ck_assert(read.chances.lose_backgammon == 0.75);
    /* a ninth candidate, and a text of which only the first 200 bytes are kept */
    memcpy(bytes + in.size, "\x1a\x02\x08\x01", 4);
    in.size += 4;
    ck_assert_str_eq(wire_thought_read(&read, &in), "more than 8 candidates");
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, "\x2a\x90\x03", 3);
    in.size = 3 + 400;
    ck_assert_ptr_null(wire_thought_read(&read, &in));
    ck_assert_uint_eq(strlen(read.text), BG_THOUGHT_TEXT - 1);
    in.size = 0;
    ck_assert_ptr_null(wire_thought_read(&read, &in));
    ck_assert(wire_thought_is_empty(&read));
}

/* ---------------------------------------------------------------- greeting and small messages */

static void hello_fill(struct wire_hello *hello)
{
    memset(hello, 0, sizeof *hello);
    hello->protocols[0] = 2;
    hello->protocols[1] = 1;
    hello->protocol_count = 2;
    hello->pid = 4711;
    strcpy(hello->token, "c0ffee");
    strcpy(hello->name, "probe");
    strcpy(hello->version, "1.2-β");
    strcpy(hello->author, "J. Ångström");
    strcpy(hello->variants, "backgammon nackgammon");
    hello->option_count = WIRE_OPTIONS_MAX;
    for (int i = 0; i < WIRE_OPTIONS_MAX; i++) {
        struct wire_option *option = &hello->options[i];

        option->type = (enum wire_option_type)(i % 5);
        snprintf(option->name, sizeof option->name, "Option%d", i);
        snprintf(option->value, sizeof option->value, "%d", i);
        strcpy(option->min, "-1");
        strcpy(option->max, "99");
        strcpy(option->choices, i % 2 ? "a|b b|c" : "");
        strcpy(option->help, "what it does");
    }
    hello->max_in_flight = 64;
    hello->stateful = true;
    hello->want_tells = true;
    hello->want_pairings = true;
    hello->enters_dice = true;
}

TEST(hello_round_trips)
{
    struct wire_hello *hello = malloc(sizeof *hello);

    ck_assert_ptr_nonnull(hello);
    hello_fill(hello);
    assert_ok(wire_pack_hello(&buffer, hello, &error));
    assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_HELLO);
    ck_assert_mem_eq(message.hello, hello, sizeof *hello); /* both were zeroed first */
    free(hello);
}

TEST(welcome_round_trips)
{
    struct wire_welcome *welcome = calloc(1, sizeof *welcome);

    ck_assert_ptr_nonnull(welcome);
    welcome->protocol = 1;
    welcome->option_count = 1;
    strcpy(welcome->options[0].name, "Ply");
    strcpy(welcome->options[0].value, "2");
    welcome->limits = (struct wire_limits){.message_bytes = 65536,
                                           .messages_per_second = 1000,
                                           .bytes_per_second = 1 << 20,
                                           .in_flight = 64,
                                           .tables = 4,
                                           .games_a_day = 20,
                                           .hello_bytes = 4096,
                                           .starts_an_hour = 240,
                                           .start_ns = 30000000000,
                                           .new_game_ns = 5000000000,
                                           .decision_ns = 60000000000};
    strcpy(welcome->bot, "probe");
    strcpy(welcome->event, "spring open");
    strcpy(welcome->referee, "bgref 0.1.0");
    assert_ok(wire_pack_welcome(&buffer, welcome, &error));
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_WELCOME);
    ck_assert_mem_eq(message.welcome, welcome, sizeof *welcome);
    free(welcome);
}

TEST(open_games_of_a_welcome_round_trip)
{
    static const char *const games[] = {"b7689c1615879332776dd04258ef2f0c", "other"};
    static const char *const wrong[] = {"a\nb"};
    struct wire_welcome *welcome = calloc(1, sizeof *welcome);

    ck_assert_ptr_nonnull(welcome);
    welcome->resuming = true;
    welcome->open_games = games;
    welcome->open_game_count = 2;
    assert_ok(wire_pack_welcome(&buffer, welcome, &error));
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    ck_assert(message.welcome->resuming);
    ck_assert_uint_eq(message.welcome->open_game_count, 2);
    for (int i = 0; i < 2; i++) {
        ck_assert_str_eq(message.welcome->open_games[i], games[i]);
    }
    welcome->open_games = wrong;
    welcome->open_game_count = 1;
    assert_ok(wire_pack_welcome(&buffer, welcome, &error));
    ck_assert_int_eq(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error),
                     BG_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.text, "open_games"));
    free(welcome);
}

TEST(small_messages_round_trip)
{
    wire_pack_refusal(&buffer, "token", "not\nthe one \xff", &error);
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_REFUSAL);
    ck_assert_str_eq(message.what, "token");
    ck_assert_str_eq(message.why, "not?the one ?"); /* a refusal can always be read */
    wire_pack_goodbye(&buffer, "over", &error);
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_GOODBYE);
    ck_assert_str_eq(message.why, "over");
    wire_pack_ping(&buffer, UINT64_MAX, &error);
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_PING);
    ck_assert_uint_eq(message.nonce, UINT64_MAX);
    wire_pack_not_understood_to_bot(&buffer, 77, &error);
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_NOT_UNDERSTOOD);
    ck_assert_uint_eq(message.field, 77);
    wire_pack_ready(&buffer, "g1", &error);
    assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_READY);
    ck_assert_str_eq(message.game, "g1");
    wire_pack_pong(&buffer, 3, &error);
    assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_PONG);
    ck_assert_uint_eq(message.nonce, 3);
    wire_pack_not_understood_to_referee(&buffer, 5, &error);
    assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_NOT_UNDERSTOOD);
    ck_assert_uint_eq(message.field, 5);
}

/* ---------------------------------------------------------------- foreign bytes */

/* Both directions of a commitment and of a reveal. */
TEST(committed_dice_messages_round_trip)
{
    static const uint8_t secret[WIRE_SECRET] = {1, 2, 3, [31] = 255};
    static const char subject[] = "ann|bob|7";

    wire_pack_commitment_to_bot(&buffer, secret, subject, &error);
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_COMMITMENT);
    ck_assert_uint_eq(message.field, WIRE_FIELD_COMMITMENT);
    ck_assert_mem_eq(message.secret, secret, sizeof secret);
    ck_assert_str_eq(message.game, subject);
    wire_pack_commitment_to_referee(&buffer, secret, subject, &error);
    assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_COMMITMENT);
    ck_assert_mem_eq(message.secret, secret, sizeof secret);
    wire_pack_reveal_to_bot(&buffer, subject, &error);
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_REVEAL);
    ck_assert_uint_eq(message.field, WIRE_FIELD_REVEAL);
    ck_assert_uint_eq(message.secret_size, 0);
    wire_pack_reveal_to_referee(&buffer, secret, subject, &error);
    assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_REVEAL);
    ck_assert_uint_eq(message.secret_size, WIRE_SECRET);
    ck_assert_mem_eq(message.secret, secret, sizeof secret);
    ck_assert_str_eq(message.game, subject);
}

TEST(unknown_message_is_refused_by_field_number)
{
    static const uint8_t field_99[] = {0x9a, 0x06, 0x02, 0x08, 0x01}; /* 99: two bytes */

    assert_ok(wire_unpack_to_bot(&message, reader, field_99, sizeof field_99, &error));
    ck_assert_int_eq(message.content, WIRE_NOTHING);
    ck_assert_uint_eq(message.field, 99);
    assert_ok(wire_unpack_to_referee(&message, reader, field_99, sizeof field_99, &error));
    ck_assert_int_eq(message.content, WIRE_NOTHING);
    ck_assert_uint_eq(message.field, 99);
    ck_assert_int_eq(wire_unpack_to_bot(&message, reader, "", 0, &error), BG_E_FORMAT);
}

TEST(two_contents_in_one_frame_are_garbled)
{
    static const uint8_t twice[] = {0x1a, 0x00, 0x1a, 0x00};          /* answers, answers */
    static const uint8_t mixed[] = {0x1a, 0x00, 0x3a, 0x02, 0x08, 7}; /* answers, pong */
    static const uint8_t later[] = {0xc2, 0x3e, 0x00, 0x1a, 0x00};    /* field 1000, answers */

    ck_assert_int_eq(wire_unpack_to_referee(&message, reader, twice, sizeof twice, &error),
                     BG_E_FORMAT);
    ck_assert_int_eq(wire_unpack_to_referee(&message, reader, mixed, sizeof mixed, &error),
                     BG_E_FORMAT);
    assert_ok(wire_unpack_to_referee(&message, reader, later, sizeof later, &error));
    ck_assert_int_eq(message.content, WIRE_ANSWERS);
}

TEST(unknown_fields_inside_are_ignored)
{
    static const uint8_t answers[] = {0x1a, 0x0c, 0x98, 0x06, 0x05, 0x0a, 0x07,
                                      0xc2, 0x3e, 0x00, 0x08, 9,    0x10, 0x01}; /* 99, 1000 */

    static const uint8_t pong[] = {0x3a, 0x05, 0x08, 0x07, 0xc2, 0x3e, 0x00}; /* and field 1000 */

    assert_ok(wire_unpack_to_referee(&message, reader, pong, sizeof pong, &error));
    ck_assert_int_eq(message.content, WIRE_PONG);
    ck_assert_uint_eq(message.nonce, 7);
    assert_ok(wire_unpack_to_referee(&message, reader, answers, sizeof answers, &error));
    ck_assert_uint_eq(message.count, 1);
    ck_assert_uint_eq(message.answers[0].decision, 9);
    ck_assert_int_eq(message.answers[0].kind, BG_ANSWER_ROLL);
}

/* Well-formed byte sequences from table 3-7 of the Unicode standard, and sequences next to them. */
static const struct {
    const char *name, *text;
    bool good;
} text_rows[] = {
    {"empty", "", true},
    {"plain", "alpha|beta|0", true},
    {"two bytes, first", "\xc2\xa0", true},
    {"two bytes, last", "\xdf\xbf", true},
    {"three bytes, first", "\xe0\xa0\x80", true},
    {"before the surrogates", "\xed\x9f\xbf", true},
    {"after the surrogates", "\xee\x80\x80", true},
    {"four bytes, first", "\xf0\x90\x80\x80", true},
    {"four bytes, last", "\xf4\x8f\xbf\xbf", true},
    {"lone continuation", "a\x80", false},
    {"overlong slash", "\xc0\xaf", false},
    {"overlong C1", "\xc1\xbf", false},
    {"overlong three", "\xe0\x9f\xbf", false},
    {"overlong four", "\xf0\x8f\xbf\xbf", false},
    {"a surrogate", "\xed\xa0\x80", false},
    {"past the end", "\xf4\x90\x80\x80", false},
    {"five bytes", "\xf8\x88\x80\x80\x80", false},
    {"cut off", "ab\xe2\x82", false},
    {"cut by a letter", "\xe2\x82z", false},
    {"latin-1", "caf\xe9", false},
    {"a bell", "a\x07", false},
    {"an escape", "\x1b[2J", false},
    {"delete", "\x7f", false},
    {"a C1 control", "\xc2\x9b", false},
};

static enum bg_status ready_unpack(const char *game, size_t length)
{
    uint8_t frame[512] = {0x12, 0, 0, 0x0a, 0, 0}; /* two bytes for each length */

    frame[1] = (uint8_t)((length + 3) | 0x80);
    frame[2] = (uint8_t)((length + 3) >> 7);
    frame[4] = (uint8_t)(length | 0x80);
    frame[5] = (uint8_t)(length >> 7);
    memcpy(frame + 6, game, length);
    return wire_unpack_to_referee(&message, reader, frame, length + 6, &error);
}

TEST_ROWS(text_is_checked, text_rows)
{
    enum bg_status expected = text_rows[_i].good ? BG_OK : BG_E_FORMAT;
    enum bg_status status = ready_unpack(text_rows[_i].text, strlen(text_rows[_i].text));

    ck_assert_msg(status == expected, "%s", text_rows[_i].name);
    if (text_rows[_i].good) {
        ck_assert_str_eq(message.game, text_rows[_i].text);
    }
}

TEST(long_text_is_refused)
{
    char game[BG_GAME_ID + 1];

    memset(game, 'x', sizeof game);
    ck_assert_int_eq(ready_unpack(game, BG_GAME_ID - 1), BG_OK);
    ck_assert_uint_eq(strlen(message.game), BG_GAME_ID - 1);
    ck_assert_int_eq(ready_unpack(game, BG_GAME_ID), BG_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.text, "longer than 191 bytes"));
}

TEST(a_cut_message_is_garbled)
{
    struct bg_ask ask;
    uint8_t *copy;
    size_t size;

    random_ask(&ask);
    free(random_results(&ask, 5));
    ask.results = NULL;
    ck_assert_int_eq(ask_trip(&ask), BG_OK);
    size = buffer.size;
    for (size_t cut = 0; cut < size; cut++) {
        copy = malloc(cut + 1); /* own block: a sanitizer detects reads past its end */
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, buffer.data, cut);
        ck_assert_int_eq(wire_unpack_to_bot(&message, reader, copy, cut, &error), BG_E_FORMAT);
        free(copy);
    }
}

/* A message that passes the checks can be packed again to the same bytes. */
static void survivor_check(void)
{
    static struct bg_ask asks[BATCH];
    const struct bg_ask *list[BATCH];
    size_t count = message.count;

    if (message.content != WIRE_ASKS || count > BATCH) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        asks[i] = message.asks[i];
        asks[i].results = NULL; /* lent by the reader */
        list[i] = &asks[i];
    }
    assert_ok(wire_pack_asks(&buffer, list, count, &error));
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    for (size_t i = 0; i < count; i++) {
        ask_equal(&message.asks[i], &asks[i]);
    }
}

TEST(flipped_bytes_are_read_or_refused)
{
    struct bg_ask ask;
    struct bg_ask_result *results;
    uint8_t *good, *copy;
    size_t size;

    random_ask(&ask);
    results = random_results(&ask, 3);
    ck_assert_int_eq(ask_trip(&ask), BG_OK);
    size = buffer.size;
    good = malloc(size);
    copy = malloc(size);
    ck_assert_ptr_nonnull(good);
    ck_assert_ptr_nonnull(copy);
    memcpy(good, buffer.data, size);
    for (int round = 0; round < 20000; round++) {
        memcpy(copy, good, size);
        for (uint64_t flips = 1 + chance(4); flips > 0; flips--) {
            copy[chance(size)] = (uint8_t)chance(256);
        }
        if (wire_unpack_to_bot(&message, reader, copy, size, &error) == BG_OK) {
            survivor_check();
        }
        (void)wire_unpack_to_referee(&message, reader, copy, size, &error);
    }
    free(copy);
    free(good);
    free(results);
}

TEST(an_exhausted_arena_is_an_error)
{
    struct wire_reader *small = NULL;
    static uint8_t frame[2003] = {0x1a, 0xd0, 0x0f}; /* 1,000 empty answers */

    for (size_t i = 3; i < sizeof frame; i += 2) {
        frame[i] = 0x0a;
    }
    assert_ok(wire_reader_create(&small, 4096, &error));
    ck_assert_int_eq(wire_unpack_to_referee(&message, small, frame, sizeof frame, &error),
                     BG_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.text, "4096 bytes set aside"));
    wire_reader_destroy(small);
}

TEST(a_batch_has_a_limit)
{
    static struct bg_answer answers[WIRE_BATCH_MAX + 1];

    for (int i = 0; i <= WIRE_BATCH_MAX; i++) {
        answers[i].kind = BG_ANSWER_ROLL;
    }
    assert_ok(wire_pack_answers(&buffer, answers, WIRE_BATCH_MAX, &error));
    assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
    assert_ok(wire_pack_answers(&buffer, answers, WIRE_BATCH_MAX + 1, &error));
    ck_assert_int_eq(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error),
                     BG_E_FORMAT);
}

SUITE_FIXTURE(setup, teardown)
