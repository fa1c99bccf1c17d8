/* Values come from programs that judge others, so each number is looked at: a NaN or an infinity
 * would spread through every sum that it enters. Chances may lie beyond 0 and 1 by rounding
 * (1e-5), as nets and floats give them. */
#include "unpack.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- requests */

/* Reads two dice, or three, high first. */
static bool dice_read(struct bg_roll *out, const ProtobufCBinaryData *in)
{
    if ((in->len != 2 && in->len != 3) || in->data[0] < in->data[1] ||
        (in->len == 3 && in->data[1] < in->data[2])) {
        return false;
    }
    *out = (struct bg_roll){{in->data[0], in->data[1], in->len == 3 ? in->data[2] : 0}};
    return in->len == 3 ? bg_throw_number(*out) >= 0 : bg_roll_number(*out) >= 0;
}

static enum bg_status played_read(struct bg_ask *out, struct wire_reader *reader,
                                  const Bgref__V1__Played *in, struct bg_error *err)
{
    struct bg_ask_played *played;

    if (in == NULL) {
        return BG_OK;
    }
    if (out->kind != BG_VALUE_ROLLS && out->kind != BG_VALUE_THROWS) {
        return bg_error_set(err, BG_E_FORMAT, "played: without all_rolls");
    }
    played = unpack_take(reader, sizeof *played);
    if (played == NULL) {
        return unpack_exhausted(reader, err);
    }
    if (!dice_read(&played->roll, &in->dice) ||
        (played->roll.die[2] == 0) != (out->kind == BG_VALUE_ROLLS)) {
        return bg_error_set(err, BG_E_FORMAT, "played: dice are not %s dice, high first",
                            out->kind == BG_VALUE_ROLLS ? "two" : "three");
    }
    if (in->position == NULL || !unpack_position(&played->board, in->position)) {
        return bg_error_set(err, BG_E_FORMAT, "played: position: impossible");
    }
    out->played = played;
    return BG_OK;
}

static enum bg_status item_check(const Bgref__V1__EvaluateItem *in, struct bg_error *err)
{
    const struct unpack_range ranges[] = {
        {"cube_log2", in->cube_log2, BG_CUBE_LOG2_MAX},
        {"cube_owner", (uint32_t)in->cube_owner, BGREF__V1__CUBE_OWNER__CUBE_OPPONENT},
        {"own_score", in->own_score, INT64_MAX},
        {"opponent_score", in->opponent_score, INT64_MAX},
    };

    if (in->rules == NULL || in->position == NULL) {
        return bg_error_set(err, BG_E_FORMAT, "%s: missing", in->rules ? "position" : "rules");
    }
    if (in->all_rolls && in->cube_actions) {
        return bg_error_set(err, BG_E_FORMAT, "all_rolls and cube_actions: one at a time");
    }
    return unpack_ranges(ranges, sizeof ranges / sizeof ranges[0], err);
}

static enum bg_status item_read(struct bg_ask *out, struct wire_reader *reader,
                                const Bgref__V1__EvaluateItem *in, struct bg_error *err)
{
    static const int owners[] = {BG_CENTRED, 0, 1}; /* by enum CubeOwner */
    enum bg_status status = item_check(in, err);

    if (status != BG_OK) {
        return status;
    }
    memset(out, 0, sizeof *out);
    out->kind = in->all_rolls      ? BG_VALUE_ROLLS
                : in->cube_actions ? BG_VALUE_CUBE
                                   : BG_VALUE_POSITION;
    out->cube_log2 = (int)in->cube_log2;
    out->cube_owner = owners[in->cube_owner];
    out->score[0] = (int64_t)in->own_score;
    out->score[1] = (int64_t)in->opponent_score;
    out->crawford_game = in->crawford_game;
    out->post_crawford = in->post_crawford;
    if (!unpack_position(&out->board, in->position)) {
        return bg_error_set(err, BG_E_FORMAT, "position: impossible");
    }
    status = unpack_rules(&out->rules, reader, in->rules, err);
    if (status == BG_OK && in->all_rolls && bg_variant_dice(out->rules.variant) == 3) {
        out->kind = BG_VALUE_THROWS;
    }
    return status != BG_OK ? status : played_read(out, reader, in->played, err);
}

enum bg_status unpack_evaluate(struct wire_message *out, struct wire_reader *reader,
                               const Bgref__V1__EvaluateRequest *in, struct bg_error *err)
{
    struct bg_ask *asks;

    if (in->n_items > WIRE_EVALUATE_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "evaluate: %zu items, at most %d", in->n_items,
                            WIRE_EVALUATE_MAX);
    }
    asks = unpack_take(reader, in->n_items * sizeof *asks);
    if (asks == NULL) {
        return unpack_exhausted(reader, err);
    }
    for (size_t i = 0; i < in->n_items; i++) {
        struct bg_error story = {0};
        enum bg_status status = item_read(&asks[i], reader, in->items[i], &story);

        if (status != BG_OK) {
            return bg_error_set(err, status, "evaluate: item %zu: %s", i, story.text);
        }
    }
    out->number = in->number;
    out->asks = asks;
    out->count = in->n_items;
    return BG_OK;
}

/* ---------------------------------------------------------------- values */

static enum bg_status numbers_check(const double *numbers, size_t count, const char *what,
                                    struct bg_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            return bg_error_set(err, BG_E_FORMAT, "%s: not a finite number", what);
        }
    }
    return BG_OK;
}

static enum bg_status chances_read(struct bg_value *out, const Bgref__V1__Outcome *in,
                                   struct bg_error *err)
{
    const double numbers[] = {
        in->win,         in->win_gammon,      in->win_backgammon,
        in->lose_gammon, in->lose_backgammon, in->equity,
    };

    for (size_t i = 0; i + 1 < sizeof numbers / sizeof numbers[0]; i++) {
        if (!(numbers[i] >= -1e-5 && numbers[i] <= 1.0 + 1e-5)) {
            return bg_error_set(err, BG_E_FORMAT, "position: chance %g is not within 0..1",
                                numbers[i]);
        }
    }
    out->kind = BG_VALUE_POSITION;
    out->of.chances = (struct bg_chances){
        .win = in->win,
        .win_gammon = in->win_gammon,
        .win_backgammon = in->win_backgammon,
        .lose_gammon = in->lose_gammon,
        .lose_backgammon = in->lose_backgammon,
        .equity = in->equity,
    };
    return numbers_check(&in->equity, 1, "position: equity", err);
}

/* Checks that the next in the list is this roll. */
static enum bg_status dice_expect(int number, struct bg_roll expected,
                                  const Bgref__V1__RollValue *in, struct bg_error *err)
{
    const char third[2] = {(char)(expected.die[2] == 0 ? '\0' : '0' + expected.die[2]), '\0'};
    struct bg_roll roll;

    /* The list has a fixed order, so that a bot that leaves out a roll is found, and not
     * believed for all later ones. */
    if (!dice_read(&roll, &in->dice) || memcmp(&roll, &expected, sizeof roll) != 0) {
        return bg_error_set(err, BG_E_FORMAT, "rolls: number %d is not %d%d%s", number,
                            expected.die[0], expected.die[1], third);
    }
    return BG_OK;
}

static enum bg_status roll_read(double *equity, struct bg_play *best,
                                const Bgref__V1__RollValue *in, struct bg_error *err)
{
    if (!unpack_moves(best, in->moves.data, in->moves.len) || !unpack_slots_exist(best)) {
        const uint8_t *dice = in->dice.data;
        const char third[2] = {(char)(in->dice.len == 2 ? '\0' : '0' + dice[2]), '\0'};

        return bg_error_set(err, BG_E_FORMAT, "rolls: %d%d%s: impossible moves", dice[0], dice[1],
                            third);
    }
    *equity = in->equity;
    return numbers_check(equity, 1, "rolls: equity", err);
}

static enum bg_status played_value_read(double *out, const Bgref__V1__EvaluatedItem *in,
                                        struct bg_error *err)
{
    /* NAN: the judge did not say. */
    *out = in->played == NULL ? NAN : in->played->equity;
    return in->played == NULL ? BG_OK : numbers_check(out, 1, "played: equity", err);
}

static enum bg_status throws_read(struct bg_value *out, const Bgref__V1__EvaluatedItem *in,
                                  struct bg_error *err)
{
    struct bg_throw_values *throws = &out->of.throws;
    enum bg_status status = BG_OK;

    out->kind = BG_VALUE_THROWS;
    for (int i = 0; i < BG_THROWS && status == BG_OK; i++) {
        status = dice_expect(i, bg_throw_at(i), in->rolls[i], err);
        if (status == BG_OK) {
            status = roll_read(&throws->equity[i], &throws->best[i], in->rolls[i], err);
        }
    }
    return status != BG_OK ? status : played_value_read(&throws->played, in, err);
}

static enum bg_status rolls_read(struct bg_value *out, const Bgref__V1__EvaluatedItem *in,
                                 struct bg_error *err)
{
    struct bg_roll_values *rolls = &out->of.rolls;
    enum bg_status status = BG_OK;

    if (in->n_rolls == BG_THROWS) {
        return throws_read(out, in, err);
    }
    if (in->n_rolls != BG_ROLLS) {
        return bg_error_set(err, BG_E_FORMAT, "rolls: %zu, not %d, or %d of three dice",
                            in->n_rolls, BG_ROLLS, BG_THROWS);
    }
    out->kind = BG_VALUE_ROLLS;
    for (int i = 0; i < BG_ROLLS && status == BG_OK; i++) {
        status = dice_expect(i, bg_roll_at(i), in->rolls[i], err);
        if (status == BG_OK) {
            status = roll_read(&rolls->equity[i], &rolls->best[i], in->rolls[i], err);
        }
    }
    return status != BG_OK ? status : played_value_read(&rolls->played, in, err);
}

static enum bg_status cube_read(struct bg_value *out, const Bgref__V1__CubeValues *in,
                                struct bg_error *err)
{
    const double numbers[] = {in->no_double, in->double_take, in->double_pass};

    out->kind = BG_VALUE_CUBE;
    out->of.cube = (struct bg_cube_values){in->no_double, in->double_take, in->double_pass};
    return numbers_check(numbers, sizeof numbers / sizeof numbers[0], "cube", err);
}

static enum bg_status value_read(struct bg_value *out, const Bgref__V1__EvaluatedItem *in,
                                 struct bg_error *err)
{
    memset(out, 0, sizeof *out);
    out->size = sizeof *out;
    if (in->error[0] != '\0') {
        out->cannot = true;
        return unpack_text(out->why, sizeof out->why, in->error, "error", err);
    }
    if (in->n_rolls > 0) {
        return rolls_read(out, in, err);
    }
    if (in->cube != NULL) {
        return cube_read(out, in->cube, err);
    }
    return in->position != NULL ? chances_read(out, in->position, err)
                                : bg_error_set(err, BG_E_FORMAT, "no value and no error");
}

enum bg_status unpack_evaluation(struct wire_message *out, struct wire_reader *reader,
                                 const Bgref__V1__Evaluation *in, struct bg_error *err)
{
    struct bg_value *values;

    if (in->n_items > WIRE_EVALUATE_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "evaluation: %zu items, at most %d", in->n_items,
                            WIRE_EVALUATE_MAX);
    }
    values = unpack_take(reader, in->n_items * sizeof *values);
    if (values == NULL) {
        return unpack_exhausted(reader, err);
    }
    for (size_t i = 0; i < in->n_items; i++) {
        struct bg_error story = {0};
        enum bg_status status = value_read(&values[i], in->items[i], &story);

        if (status != BG_OK) {
            return bg_error_set(err, status, "evaluation: item %zu: %s", i, story.text);
        }
    }
    out->number = in->number;
    out->values = values;
    out->count = in->n_items;
    return BG_OK;
}
