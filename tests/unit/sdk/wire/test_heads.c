/* What asks and answers are about, read without the rest: tests/fuzz/fuzz_wire.c compares it with
 * the whole reading of every message; here are the messages that differ in one thing. */
#include "support/suite.h"

#include <wire/wire.h>

#include <string.h>

static struct wire_ask_head heads[WIRE_BATCH_MAX];
static uint64_t numbers[WIRE_BATCH_MAX];
static size_t count;

#define BYTES(...) .bytes = {__VA_ARGS__}, .size = sizeof((uint8_t[]){__VA_ARGS__})

/* As the schema says: Asks and Answers are field 3 of the frame (1a), an Ask is field 2 of Asks
 * (12), an Answer field 1 of Answers (0a); decision and game are fields 1 (08) and 2 (12). */
static const struct {
    const char *what;
    uint8_t bytes[20];
    size_t size, count; /* 0: refused */
    uint64_t first;
    const char *game;
} to_bot[] = {
    {"an ask", BYTES(0x1a, 7, 0x12, 5, 8, 9, 0x12, 1, 'g'), 1, 9, "g"},
    {"in another order", BYTES(0x1a, 7, 0x12, 5, 0x12, 1, 'g', 8, 9), 1, 9, "g"},
    {"the last of two counts", BYTES(0x1a, 9, 0x12, 7, 8, 9, 8, 5, 0x12, 1, 'g'), 1, 5, "g"},
    {"two, and settings between", BYTES(0x1a, 10, 0x12, 2, 8, 9, 0x0a, 0, 0x12, 2, 8, 4), 2, 9, ""},
    {"other fields", BYTES(0x1a, 8, 0x12, 6, 8, 9, 0x18, 1, 0x40, 3), 1, 9, ""},
    {"a frame of a later version", BYTES(0xc2, 0x3e, 0, 0x1a, 4, 0x12, 2, 8, 9), 1, 9, ""},
    {"nothing", .size = 0},
    {"another message", BYTES(0x3a, 2, 8, 7), 0},
    {"asks, and another message", BYTES(0x1a, 4, 0x12, 2, 8, 9, 0x3a, 2, 8, 7), 0},
    {"asks twice", BYTES(0x1a, 4, 0x12, 2, 8, 9, 0x1a, 4, 0x12, 2, 8, 9), 0},
    {"an ask that is a number", BYTES(0x1a, 2, 0x10, 2), 0},
    {"a decision that is text", BYTES(0x1a, 5, 0x12, 3, 0x0a, 1, 'g'), 0},
    {"a game that is a number", BYTES(0x1a, 4, 0x12, 2, 0x10, 9), 0},
    {"a cut ask", BYTES(0x1a, 3, 0x12, 2, 8), 0},
    {"a cut field in an ask", BYTES(0x1a, 3, 0x12, 1, 8), 0},
};

TEST_ROWS(asks_are_read_or_refused, to_bot)
{
    bool is_read = wire_read_ask_heads(heads, &count, to_bot[_i].bytes, to_bot[_i].size);

    ck_assert_msg(is_read == (to_bot[_i].count > 0), "%s", to_bot[_i].what);
    if (is_read) {
        ck_assert_msg(count == to_bot[_i].count, "%s: %zu", to_bot[_i].what, count);
        ck_assert_msg(heads[0].decision == to_bot[_i].first, "%s", to_bot[_i].what);
        ck_assert_uint_eq(heads[0].game_size, strlen(to_bot[_i].game));
        ck_assert_mem_eq(heads[0].game, to_bot[_i].game, heads[0].game_size);
    }
}

static const struct {
    const char *what;
    uint8_t bytes[20];
    size_t size, count; /* 0: refused */
    uint64_t first;
} to_referee[] = {
    {"an answer", BYTES(0x1a, 6, 0x0a, 4, 8, 9, 0x10, 1), 1, 9},
    {"in another order", BYTES(0x1a, 6, 0x0a, 4, 0x10, 1, 8, 9), 1, 9},
    {"the last of two counts", BYTES(0x1a, 6, 0x0a, 4, 8, 9, 8, 5), 1, 5},
    {"two", BYTES(0x1a, 8, 0x0a, 2, 8, 9, 0x0a, 2, 8, 5), 2, 9},
    {"without a number", BYTES(0x1a, 4, 0x0a, 2, 0x10, 1), 1, 0},
    {"another message", BYTES(0x3a, 2, 8, 7), 0},
    {"answers, and another message", BYTES(0x1a, 4, 0x0a, 2, 8, 9, 0x3a, 2, 8, 7), 0},
    {"a decision that is text", BYTES(0x1a, 5, 0x0a, 3, 0x0a, 1, 'g'), 0},
    {"an answer that is a number", BYTES(0x1a, 2, 8, 9), 0},
    {"a cut answer", BYTES(0x1a, 3, 0x0a, 2, 8), 0},
};

TEST_ROWS(answers_are_read_or_refused, to_referee)
{
    bool is_read =
        wire_read_answer_numbers(numbers, &count, to_referee[_i].bytes, to_referee[_i].size);

    ck_assert_msg(is_read == (to_referee[_i].count > 0), "%s", to_referee[_i].what);
    if (is_read) {
        ck_assert_msg(count == to_referee[_i].count, "%s: %zu", to_referee[_i].what, count);
        ck_assert_msg(numbers[0] == to_referee[_i].first, "%s", to_referee[_i].what);
    }
}

/* Writes a frame with so many empty asks, or answers. Returns its size. */
static size_t write_many(uint8_t *out, uint8_t tag, size_t many)
{
    size_t length = 2 * many, at = 0;

    out[at++] = 0x1a;
    out[at++] = (uint8_t)(length & 0x7f) | 0x80;
    out[at++] = (uint8_t)(length >> 7);
    for (size_t i = 0; i < many; i++) {
        out[at++] = tag;
        out[at++] = 0;
    }
    return at;
}

TEST(more_than_the_most_are_refused)
{
    uint8_t frame[3 + 2 * (WIRE_BATCH_MAX + 1)];

    ck_assert(wire_read_ask_heads(heads, &count, frame, write_many(frame, 0x12, WIRE_BATCH_MAX)));
    ck_assert_uint_eq(count, WIRE_BATCH_MAX);
    ck_assert(
        !wire_read_ask_heads(heads, &count, frame, write_many(frame, 0x12, WIRE_BATCH_MAX + 1)));
    ck_assert(
        wire_read_answer_numbers(numbers, &count, frame, write_many(frame, 0x0a, WIRE_BATCH_MAX)));
    ck_assert_uint_eq(count, WIRE_BATCH_MAX);
    ck_assert(!wire_read_answer_numbers(numbers, &count, frame,
                                        write_many(frame, 0x0a, WIRE_BATCH_MAX + 1)));
}

TEST(a_game_that_is_too_long_is_refused)
{
    enum { HEAD = 9 };
    uint8_t frame[HEAD + BG_GAME_ID] = {0x1a, 0, 1, 0x12, 0, 1, 0x12, 0, 1};

    for (int longer = 0; longer < 2; longer++) {
        size_t size = BG_GAME_ID - 1 + (size_t)longer;

        frame[1] = (uint8_t)(size + 6) | 0x80;
        frame[4] = (uint8_t)(size + 3) | 0x80;
        frame[7] = (uint8_t)size | 0x80;
        ck_assert_int_eq(wire_read_ask_heads(heads, &count, frame, HEAD + size), longer == 0);
    }
}
