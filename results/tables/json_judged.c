/* Kinds luck and errors: a judge's results for the rolls and decisions of a game. Luck and
 * errors are reduced while reading: of 21 values a roll only its luck is kept, so a file of many
 * games does not stay in memory. */
#include "base/memory.h"
#include "json_read.h"

#include <math.h>
#include <stdlib.h>

static enum bg_status need_side(int *out, const struct json_place *object)
{
    static const char *const sides[] = {"A", "B"};
    struct json_place at = json_member(object, "side");

    return json_need_word(out, sides, 2, &at, "needs \"A\" or \"B\"");
}

/* --- luck --------------------------------------------------------------------------------- */

/* Numbers are read as doubles, so a die of 2.5
 * has to be refused here. */
static enum bg_status need_roll(int *index, const struct json_place *at)
{
    double dice[2] = {0, 0};
    enum bg_status status = json_need_numbers(dice, 2, at, 1, false);

    for (int i = 0; status == BG_OK && i < 2; i++) {
        if (dice[i] > 6 || dice[i] != floor(dice[i])) {
            status = json_wrong(at, "needs two dice, 1 to 6");
        }
    }
    if (status == BG_OK) {
        *index = luck_roll_index((int)dice[0], (int)dice[1]);
    }
    return status;
}

static enum bg_status read_judged_roll(struct json_roll *out, enum luck_unit unit,
                                       const struct json_place *at)
{
    struct json_place dice = json_member(at, "dice"), after = json_member(at, "after");
    struct json_place other = json_member(at, "other");
    double mine[LUCK_ROLLS], theirs[LUCK_ROLLS];
    /* The throw of an opening also decides who begins, so its luck needs the values of both
     * ways. */
    bool opening = other.value != NULL && !json_is_null(other.value);
    int index = 0;
    enum bg_status status = json_need_object(at);

    if (status == BG_OK) {
        status = need_side(&out->side, at);
    }
    if (status == BG_OK) {
        status = need_roll(&index, &dice);
    }
    if (status == BG_OK) {
        status = json_need_numbers(mine, LUCK_ROLLS, &after, -HUGE_VAL, true);
    }
    if (status == BG_OK && opening) {
        status = json_need_numbers(theirs, LUCK_ROLLS, &other, -HUGE_VAL, true);
    }
    if (status == BG_OK && !(opening ? luck_of_opening(&out->roll, mine, theirs, index, unit)
                                     : luck_of_roll(&out->roll, mine, index))) {
        status = json_wrong(&dice, "this roll has no value in after");
    }
    return status;
}

enum bg_status json_read_luck(struct json_input *out, const struct json_place *input)
{
    static const char *const units[] = {"points", "mwc"};
    struct json_place list = json_member(input, "rolls"), unit = json_member(input, "unit");
    enum bg_status status = json_need_list(&list);
    int word = 0;

    if (status == BG_OK && unit.value != NULL && !json_is_null(unit.value)) {
        status = json_need_word(&word, units, 2, &unit, "needs points or mwc");
    }
    if (status == BG_OK) {
        status = json_member_number(&out->result_a, input, "result_a", -HUGE_VAL);
    }
    if (status != BG_OK) {
        return status;
    }
    out->unit = (enum luck_unit)word;
    out->count = json_array_size(list.value);
    out->roll = memory_zeroed(out->count, sizeof *out->roll);
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct json_place at = json_item(&list, k);

        status = read_judged_roll(&out->roll[k], out->unit, &at);
    }
    return status;
}

/* --- errors ------------------------------------------------------------------------------- */

static enum bg_status need_flag(bool *out, const struct json_place *object, const char *key)
{
    struct json_place at = json_member(object, key);

    *out = json_is_true(at.value);
    return at.value == NULL || json_is_boolean(at.value) ? BG_OK
                                                         : json_wrong(&at, "needs true or false");
}

static enum bg_status read_decision(struct json_decision *out, const struct json_place *at)
{
    static const char *const kinds[] = {"move", "nodouble", "double", "take", "drop"};
    struct json_place kind = json_member(at, "kind");
    int word = 0;
    enum bg_status status = json_need_object(at);

    if (status == BG_OK) {
        status = need_side(&out->side, at);
    }
    if (status == BG_OK) {
        status =
            json_need_word(&word, kinds, 5, &kind, "needs move, nodouble, double, take or drop");
    }
    if (status == BG_OK) {
        status = need_flag(&out->as.forced, at, "forced");
    }
    if (status == BG_OK) {
        status = need_flag(&out->as.close, at, "close");
    }
    out->as.kind = (enum errors_kind)word;
    return status == BG_OK ? json_member_number(&out->as.error, at, "error", 0) : status;
}

enum bg_status json_read_errors(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "decisions");
    enum bg_status status = json_need_list(&list);

    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->decision = memory_zeroed(out->count, sizeof *out->decision);
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct json_place at = json_item(&list, k);

        status = read_decision(&out->decision[k], &at);
    }
    return status;
}

void json_errors_sum(struct errors_sum sum[2], const struct json_input *input)
{
    sum[0] = sum[1] = (struct errors_sum){0};
    for (size_t k = 0; k < input->count; k++) {
        errors_add(&sum[input->decision[k].side], &input->decision[k].as);
    }
}

void json_luck_sum(double luck[2], const struct json_input *input)
{
    luck[0] = luck[1] = 0;
    for (size_t k = 0; k < input->count; k++) {
        luck[input->roll[k].side] += input->roll[k].roll.luck;
    }
}
