#define _GNU_SOURCE /* memmem */
/* Positions to be valued and their values: the questions, valid values, and both on the wire. */
#include "support/suite.h"

#include <bgref/evaluate.h>

#include <wire/wire.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct wire_buffer buffer;
static struct wire_reader *reader;
static struct wire_message message;

static void setup(void)
{
    assert_ok(wire_reader_create(&reader, 4 << 20, &error));
}

static void teardown(void)
{
    wire_reader_destroy(reader);
    wire_buffer_deinit(&buffer);
}

/* ---------------------------------------------------------------- rolls */

TEST(rolls_have_the_order_of_the_protocol)
{
    static const char *const order[] = {"11", "21", "22", "31", "32", "33", "41",
                                        "42", "43", "44", "51", "52", "53", "54",
                                        "55", "61", "62", "63", "64", "65", "66"};
    int throws = 0;

    for (int i = 0; i < BG_ROLLS; i++) {
        struct bg_roll roll = bg_roll_at(i);
        struct bg_roll low_first = {{roll.die[1], roll.die[0], 0}};
        char text[8];

        snprintf(text, sizeof text, "%d%d", roll.die[0], roll.die[1]);
        ck_assert_str_eq(text, order[i]);
        ck_assert_int_eq(bg_roll_number(roll), i);
        ck_assert_int_eq(bg_roll_number(low_first), i);
        throws += bg_roll_weight(i);
    }
    ck_assert_int_eq(throws, 36);
    ck_assert_int_eq(bg_roll_number((struct bg_roll){{6, 0, 0}}), -1);
    ck_assert_int_eq(bg_roll_number((struct bg_roll){{7, 1, 0}}), -1);
    ck_assert_int_eq(bg_roll_number((struct bg_roll){{3, 2, 1}}), -1);
}

TEST(throws_of_three_dice_are_numbered_by_all_dice)
{
    int weights = 0, count[BG_THROWS] = {0};

    for (int i = 0; i < BG_THROWS; i++) {
        struct bg_roll roll = bg_throw_at(i);

        ck_assert_int_ge(roll.die[0], roll.die[1]);
        ck_assert_int_ge(roll.die[1], roll.die[2]);
        ck_assert_int_eq(bg_throw_number(roll), i);
        weights += bg_throw_weight(i);
    }
    ck_assert_int_eq(weights, 216);
    for (uint8_t a = 1; a <= 6; a++) {
        for (uint8_t b = 1; b <= 6; b++) {
            for (uint8_t c = 1; c <= 6; c++) {
                count[bg_throw_number((struct bg_roll){{a, b, c}})]++;
            }
        }
    }
    for (int i = 0; i < BG_THROWS; i++) {
        ck_assert_int_eq(count[i], bg_throw_weight(i));
    }
    ck_assert_int_eq(bg_throw_number((struct bg_roll){{3, 2, 0}}), -1);
    ck_assert_int_eq(bg_throw_number((struct bg_roll){{7, 2, 1}}), -1);
}

/* ---------------------------------------------------------------- valuing */

static void ask_fill(struct bg_ask *ask, enum bg_decision kind)
{
    memset(ask, 0, sizeof *ask);
    ask->kind = kind;
    ask->rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    bg_variant_setup(&ask->board, ask->rules.variant);
    ask->cube_owner = BG_CENTRED;
}

/* Own checkers on own 8-point: so the number that each roll can bring there is easy to see. */
static double checkers_on_8(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    (*(int *)user)++;
    ck_assert_int_eq(ask->kind, BG_VALUE_ROLLS);
    return board->at[0][8];
}

TEST(the_best_play_of_every_roll_is_found)
{
    static struct bg_roll_values values;
    struct bg_ask_played played = {.roll = {{6, 5, 0}}};
    struct bg_ask ask;
    int calls = 0;

    ask_fill(&ask, BG_VALUE_ROLLS);
    played.board = ask.board;
    played.board.at[0][8] = 9;
    ask.played = &played;
    bg_value_rolls(&values, &ask, checkers_on_8, &calls);
    ck_assert_int_gt(calls, BG_ROLLS);
    ck_assert_double_eq(values.played, 9.0);
    /* 13/8 with each five; 55 brings no more than two before 8/3 would remove them again. */
    ck_assert_double_eq(values.equity[bg_roll_number((struct bg_roll){{5, 3, 0}})], 4.0);
    ck_assert_double_eq(values.equity[bg_roll_number((struct bg_roll){{2, 1, 0}})], 3.0);
    ck_assert_double_eq(values.equity[bg_roll_number((struct bg_roll){{5, 5, 0}})], 7.0);
    ask.played = NULL;
    bg_value_rolls(&values, &ask, checkers_on_8, &calls);
    ck_assert(isnan(values.played));
}

TEST(a_roll_that_cannot_be_played_has_the_value_of_passing)
{
    static struct bg_roll_values values;
    struct bg_ask ask;
    int calls = 0;

    ask_fill(&ask, BG_VALUE_ROLLS);
    memset(&ask.board, 0, sizeof ask.board);
    ask.board.at[0][BG_BAR] = 1;
    ask.board.at[0][8] = 5;
    for (int slot = 1; slot <= 6; slot++) {
        ask.board.at[1][slot] = 2;
    }
    bg_value_rolls(&values, &ask, checkers_on_8, &calls);
    for (int i = 0; i < BG_ROLLS; i++) {
        ck_assert_int_eq(values.best[i].moves, 0);
        ck_assert_double_eq(values.equity[i], 5.0);
    }
}

/* ---------------------------------------------------------------- checking */

static double nothing(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    return 0.25;
}

/* A valid value of every kind. */
static void value_fill(struct bg_value *value, const struct bg_ask *ask)
{
    memset(value, 0, sizeof *value);
    value->size = sizeof *value;
    value->kind = ask->kind;
    if (ask->kind == BG_VALUE_ROLLS) {
        bg_value_rolls(&value->of.rolls, ask, nothing, NULL);
    } else if (ask->kind == BG_VALUE_CUBE) {
        value->of.cube = (struct bg_cube_values){0.75, 0.5, 1.0};
    } else {
        value->of.chances = (struct bg_chances){0.6, 0.2, 0.01, 0.1, 0.005, 0.25};
    }
}

#define SPOILER(what, change)                                                                      \
    static void spoil_##what(struct bg_value *value)                                               \
    {                                                                                              \
        change;                                                                                    \
    }

SPOILER(nothing_at_all, (void)value)
SPOILER(no_size, value->size = 0)
SPOILER(kind, value->kind = BG_VALUE_POSITION)
SPOILER(nan_roll, value->of.rolls.equity[3] = NAN)
SPOILER(infinite_roll, value->of.rolls.equity[20] = INFINITY)
SPOILER(roll_of_two, value->of.rolls.equity[0] = 2.0)
SPOILER(no_best, value->of.rolls.best[0].moves = 0)
SPOILER(illegal_best, value->of.rolls.best[1] = ((struct bg_play){1, {{24, 1}}}))
SPOILER(no_played, value->of.rolls.played = NAN)
SPOILER(nan_cube, value->of.cube.double_take = NAN)
SPOILER(cube_below, value->of.cube.double_pass = -0.1)
SPOILER(win_above, value->of.chances.win = 1.1)
SPOILER(gammon_above_win, value->of.chances.win_gammon = 0.7)
SPOILER(lost_and_won, value->of.chances.lose_gammon = 0.5)
SPOILER(nan_chance, value->of.chances.win_backgammon = NAN)
SPOILER(nan_equity, value->of.chances.equity = NAN)
SPOILER(cannot, value->cannot = true; value->of.rolls.equity[0] = NAN)

static const struct bad {
    enum bg_decision kind;
    int length;
    void (*spoil)(struct bg_value *value);
    const char *message; /* NULL: valid */
} bads[] = {
    {BG_VALUE_ROLLS, 0, spoil_nothing_at_all, NULL},
    {BG_VALUE_ROLLS, 5, spoil_nothing_at_all, NULL},
    {BG_VALUE_CUBE, 5, spoil_nothing_at_all, NULL},
    {BG_VALUE_POSITION, 0, spoil_nothing_at_all, NULL},
    {BG_VALUE_ROLLS, 0, spoil_cannot, NULL},
    {BG_VALUE_ROLLS, 0, spoil_roll_of_two, NULL},
    {BG_VALUE_CUBE, 0, spoil_no_size, "bg_value of size 0: begin with BG_VALUE_INIT"},
    {BG_VALUE_CUBE, 0, spoil_kind, "a value of kind"},
    {BG_VALUE_ROLLS, 0, spoil_nan_roll, "value of roll 31: not a finite number"},
    {BG_VALUE_ROLLS, 0, spoil_infinite_roll, "value of roll 66: not a finite number"},
    {BG_VALUE_ROLLS, 5, spoil_roll_of_two, "value of roll 11: 2 is not a chance to win the match"},
    {BG_VALUE_ROLLS, 0, spoil_no_best, "best play of 11: breaks rule G6.1"},
    {BG_VALUE_ROLLS, 0, spoil_illegal_best, "best play of 21: breaks rule G"},
    {BG_VALUE_ROLLS, 0, spoil_no_played, "value of the play that was made: not a finite number"},
    {BG_VALUE_CUBE, 0, spoil_nan_cube, "value of a double that is taken: not a finite number"},
    {BG_VALUE_CUBE, 0, spoil_cube_below, NULL},
    {BG_VALUE_CUBE, 3, spoil_cube_below, "value of a double that is passed: -0.1 is not a chance"},
    {BG_VALUE_POSITION, 0, spoil_win_above, "chance to win: 1.1 is not within 0..1"},
    {BG_VALUE_POSITION, 0, spoil_gammon_above_win, "chance to win a gammon: 0.7 is not within 0"},
    {BG_VALUE_POSITION, 0, spoil_lost_and_won, "chance to lose a gammon: 0.5 is not within 0..0.4"},
    {BG_VALUE_POSITION, 0, spoil_nan_chance, "chance to win a backgammon: nan is not within 0"},
    {BG_VALUE_POSITION, 0, spoil_nan_equity, "equity: not a finite number"},
};

TEST_ROWS(invalid_values_are_named, bads)
{
    const struct bad *bad = &bads[_i];
    struct bg_ask_played played = {.roll = {{3, 1, 0}}};
    struct bg_ask ask;
    struct bg_value value;
    enum bg_status status;

    ask_fill(&ask, bad->kind);
    ask.rules.length_points = bad->length;
    played.board = ask.board;
    ask.played = bad->kind == BG_VALUE_ROLLS ? &played : NULL;
    value_fill(&value, &ask);
    bad->spoil(&value);
    error.text[0] = '\0';
    status = bg_value_check(&ask, &value, &error);
    ck_assert_int_eq(status, bad->message == NULL ? BG_OK : BG_E_ARGUMENT);
    ck_assert_msg(bad->message == NULL || strstr(error.text, bad->message) == error.text, "%s",
                  error.text);
}

/* ---------------------------------------------------------------- on the wire */

enum { ITEMS = WIRE_EVALUATE_MAX };

static struct bg_ask asks[ITEMS];
static struct bg_ask_played played;
static const struct bg_ask *list[ITEMS];

static double pips_after(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    return -bg_variant_pips(ask->rules.variant, board, 0);
}

static void asks_fill(void)
{
    static const enum bg_decision kinds[] = {BG_VALUE_ROLLS, BG_VALUE_CUBE, BG_VALUE_POSITION};

    for (int i = 0; i < ITEMS; i++) {
        ask_fill(&asks[i], kinds[i % 3]);
        asks[i].rules.length_points = i % 4 == 0 ? 0 : i;
        asks[i].cube_log2 = i % 5;
        asks[i].cube_owner = i % 3 - 1;
        asks[i].score[0] = i;
        asks[i].score[1] = 2 * i;
        asks[i].crawford_game = i % 7 == 0;
        asks[i].post_crawford = i % 11 == 0;
        list[i] = &asks[i];
    }
    played = (struct bg_ask_played){.roll = {{6, 4, 0}}, .board = asks[0].board};
    played.board.at[0][24] = 1;
    played.board.at[0][14] = 1;
    asks[0].played = &played;
}

TEST(requests_round_trip)
{
    asks_fill();
    assert_ok(wire_pack_evaluate(&buffer, 77, list, ITEMS, false, &error));
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_EVALUATE);
    ck_assert_uint_eq(message.number, 77);
    ck_assert_uint_eq(message.count, ITEMS);
    for (int i = 0; i < ITEMS; i++) {
        const struct bg_ask *got = &message.asks[i], *ask = &asks[i];

        ck_assert_int_eq(got->kind, ask->kind);
        ck_assert_ptr_eq(got->rules.variant, ask->rules.variant);
        ck_assert_int_eq(got->rules.length_points, ask->rules.length_points);
        ck_assert_int_eq(got->rules.jacoby, ask->rules.jacoby);
        ck_assert(bg_board_equal(&got->board, &ask->board));
        ck_assert_int_eq(got->cube_log2, ask->cube_log2);
        ck_assert_int_eq(got->cube_owner, ask->cube_owner);
        ck_assert_int_eq(got->score[0], ask->score[0]);
        ck_assert_int_eq(got->score[1], ask->score[1]);
        ck_assert_int_eq(got->crawford_game, ask->crawford_game);
        ck_assert_int_eq(got->post_crawford, ask->post_crawford);
        ck_assert_int_eq(got->played != NULL, i == 0);
    }
    ck_assert(bg_board_equal(&message.asks[0].played->board, &played.board));
    ck_assert_mem_eq(&message.asks[0].played->roll, &played.roll, sizeof played.roll);
}

/* As many as a judge sends in one request. */
TEST(throws_round_trip_within_the_message_limit)
{
    enum { MOST = 32 };
    static struct bg_value values[MOST];

    for (int i = 0; i < MOST; i++) {
        ask_fill(&asks[i], BG_VALUE_THROWS);
        asks[i].rules = bg_rules_default(bg_variant_find("tabula"), 0);
        bg_variant_setup(&asks[i].board, asks[i].rules.variant);
        list[i] = &asks[i];
        values[i] = (struct bg_value)BG_VALUE_INIT;
        values[i].kind = BG_VALUE_THROWS;
        bg_value_throws(&values[i].of.throws, &asks[i], pips_after, NULL);
    }
    played = (struct bg_ask_played){.roll = {{6, 4, 2}}, .board = asks[0].board};
    asks[0].played = &played;
    values[0].of.throws.played = 0.5;
    assert_ok(wire_pack_evaluate(&buffer, 77, list, MOST, true, &error));
    assert_ok(wire_unpack_to_bot(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.asks[1].kind, BG_VALUE_THROWS);
    ck_assert_mem_eq(&message.asks[0].played->roll, &played.roll, sizeof played.roll);
    assert_ok(wire_pack_evaluation(&buffer, 78, values, MOST, &error));
    ck_assert_uint_le(buffer.size, 65536);
    assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
    for (int i = 0; i < MOST; i++) {
        const struct bg_throw_values *got = &message.values[i].of.throws;

        assert_ok(bg_value_check(&asks[i], &message.values[i], &error));
        ck_assert_mem_eq(got->equity, values[i].of.throws.equity, sizeof got->equity);
        ck_assert_mem_eq(&got->best[50], &values[i].of.throws.best[50], sizeof got->best[50]);
        ck_assert_int_eq(isnan(got->played) != 0, i != 0);
    }
    values[1].of.throws.best[7].moves = 0;
    ck_assert_int_eq(bg_value_check(&asks[1], &values[1], &error), BG_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, "best play of 331") == error.text, "%s", error.text);
    asks[1].kind = BG_VALUE_ROLLS;
    ck_assert_int_eq(bg_value_check(&asks[1], &values[1], &error), BG_E_ARGUMENT);
}

TEST(values_round_trip_within_the_message_limit)
{
    static struct bg_value values[ITEMS];

    asks_fill();
    for (int i = 0; i < ITEMS; i++) {
        asks[i].kind = i < ITEMS - 3 ? BG_VALUE_ROLLS : asks[i].kind;
        value_fill(&values[i], &asks[i]);
    }
    values[ITEMS - 2].cannot = true;
    memset(values[ITEMS - 2].why, 'x', BG_VALUE_WHY - 1);
    assert_ok(wire_pack_evaluation(&buffer, 78, values, ITEMS, &error));
    ck_assert_uint_le(buffer.size, 65536); /* the largest message taken from a bot */
    assert_ok(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error));
    ck_assert_int_eq(message.content, WIRE_EVALUATION);
    ck_assert_uint_eq(message.number, 78);
    ck_assert_uint_eq(message.count, ITEMS);
    for (int i = 0; i < ITEMS; i++) {
        const struct bg_value *got = &message.values[i];

        ck_assert_int_eq(got->cannot, values[i].cannot);
        if (got->cannot) {
            ck_assert_str_eq(got->why, values[i].why);
            continue;
        }
        assert_ok(bg_value_check(&asks[i], got, &error));
        if (got->kind == BG_VALUE_ROLLS) {
            ck_assert_mem_eq(got->of.rolls.equity, values[i].of.rolls.equity,
                             sizeof got->of.rolls.equity);
            ck_assert_mem_eq(&got->of.rolls.best[5], &values[i].of.rolls.best[5],
                             sizeof got->of.rolls.best[5]);
            ck_assert_int_eq(isnan(got->of.rolls.played) != 0, i != 0);
        } else if (got->kind == BG_VALUE_CUBE) {
            ck_assert_mem_eq(&got->of.cube, &values[i].of.cube, sizeof got->of.cube);
        } else {
            ck_assert_mem_eq(&got->of.chances, &values[i].of.chances, sizeof got->of.chances);
        }
    }
}

/* Bytes of a packed message that are found once and changed. */
static const struct {
    const char *name;
    uint8_t from[10], to[10];
    size_t size;
    const char *message;
} flips[] = {
    {"rolls out of order",
     {0x0a, 2, 3, 1},
     {0x0a, 2, 3, 2},
     4,
     "evaluation: item 0: rolls: number"},
    {"low die first", {0x0a, 2, 6, 5}, {0x0a, 2, 5, 6}, 4, "evaluation: item 0: rolls: number"},
    {"a die of seven", {0x0a, 2, 6, 5}, {0x0a, 2, 7, 5}, 4, "evaluation: item 0: rolls: number"},
    {"a move from off",
     {0x0a, 2, 1, 1, 0x12, 8, 24, 23, 24, 23},
     {0x0a, 2, 1, 1, 0x12, 8, 0, 23, 24, 23},
     10,
     "evaluation: item 0: rolls: 11: impossible moves"},
};

TEST_ROWS(spoiled_values_are_refused_by_the_field, flips)
{
    struct bg_value value;
    uint8_t *place;

    asks_fill();
    value_fill(&value, &asks[0]);
    value.of.rolls.best[0] = (struct bg_play){4, {{24, 23}, {24, 23}, {8, 7}, {8, 7}}};
    assert_ok(wire_pack_evaluation(&buffer, 1, &value, 1, &error));
    place = memmem(buffer.data, buffer.size, flips[_i].from, flips[_i].size);
    ck_assert_ptr_nonnull(place);
    memcpy(place, flips[_i].to, flips[_i].size);
    ck_assert_int_eq(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error),
                     BG_E_FORMAT);
    ck_assert_msg(strstr(error.text, flips[_i].message) == error.text, "%s: %s", flips[_i].name,
                  error.text);
}

TEST(nan_infinity_and_impossible_chances_are_refused)
{
    struct bg_value values[3];

    asks_fill();
    for (int i = 0; i < 3; i++) {
        value_fill(&values[i], &asks[i]);
    }
    values[0].of.rolls.equity[7] = NAN;
    values[1].of.cube.no_double = -INFINITY;
    values[2].of.chances.win = 1.5;
    for (int i = 0; i < 3; i++) {
        assert_ok(wire_pack_evaluation(&buffer, 1, &values[i], 1, &error));
        ck_assert_int_eq(wire_unpack_to_referee(&message, reader, buffer.data, buffer.size, &error),
                         BG_E_FORMAT);
    }
}

TEST(a_request_is_refused_by_its_field)
{
    static const struct {
        uint8_t bytes[24];
        size_t size;
        const char *message;
    } frames[] = {
        {{0x2a, 0x02, 0x12, 0x00}, 4, "evaluate: item 0: rules: missing"},
        {{0x2a, 0x06, 0x12, 0x04, 0x0a, 0x00, 0x48, 0x01},
         8,
         "evaluate: item 0: position: missing"},
        {{0x2a, 0x0a, 0x12, 0x08, 0x0a, 0x00, 0x12, 0x00, 0x48, 0x01, 0x58, 0x01},
         12,
         "evaluate: item 0: all_rolls and cube_actions"},
        {{0x2a, 0x0a, 0x12, 0x08, 0x0a, 0x00, 0x12, 0x00, 0x20, 0x03, 0x48, 0x01},
         12,
         "evaluate: item 0: cube_owner: 3 is above 2"},
        {{0x2a, 0x08, 0x12, 0x06, 0x0a, 0x00, 0x12, 0x00, 0x18, 0x64},
         10,
         "evaluate: item 0: cube_log2: 100 is above"},
        {{0x2a, 0x06, 0x12, 0x04, 0x0a, 0x00, 0x12, 0x00}, 8, "evaluate: item 0: rules: variant"},
    };

    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        ck_assert_int_eq(
            wire_unpack_to_bot(&message, reader, frames[i].bytes, frames[i].size, &error),
            BG_E_FORMAT);
        ck_assert_msg(strstr(error.text, frames[i].message) == error.text, "%zu: %s", i,
                      error.text);
    }
}

SUITE_FIXTURE(setup, teardown)
