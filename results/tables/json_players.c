/* Reads the names, and the encounters between named players as tuples. Names become numbers
 * here, once. jansson's object is the index from name to number: it is a hash table that is
 * there anyway, and a search through
 * the list would cost each result of a thousand players a thousand comparisons. */
#include "base/memory.h"
#include "json_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

enum bg_status json_need_player(int *out, const struct json_input *input,
                                const struct json_place *at)
{
    const char *name = json_string_value(at->value);
    const json_t *number = NULL;
    char what[96];

    if (name == NULL) {
        return json_wrong(at, at->value == NULL ? "missing; needs the name of a player"
                                                : "needs the name of a player");
    }
    number = json_object_get(input->index, name);
    if (number != NULL) {
        *out = (int)json_integer_value(number);
        return BG_OK;
    }
    snprintf(what, sizeof what, "\"%.64s\" is not in input.players", name);
    return json_wrong(at, what);
}

enum bg_status json_need_two(int *a, int *b, const struct json_input *input,
                             const struct json_place *at_a, const struct json_place *at_b)
{
    enum bg_status status = json_need_player(a, input, at_a);

    if (status == BG_OK) {
        status = json_need_player(b, input, at_b);
    }
    return status == BG_OK && *a == *b ? json_wrong(at_b, "a player cannot play itself") : status;
}

enum bg_status json_read_players(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "players");
    enum bg_status status = json_need_list(&list);
    size_t count = status == BG_OK ? json_array_size(list.value) : 0;

    out->names = memory_zeroed(count, sizeof *out->names);
    out->index = json_object();
    for (size_t i = 0; status == BG_OK && i < count; i++) {
        struct json_place at = json_item(&list, i);
        const char *name = json_string_value(at.value);

        if (name == NULL) {
            return json_wrong(&at, "needs a name");
        }
        /* Names are printed to terminals, where a control character could act. */
        if (clean_find(name, strlen(name), CLEAN_LINE) < strlen(name)) {
            return json_wrong(&at, "a name has an invisible character or a line break");
        }
        if (json_object_get(out->index, name) != NULL) {
            return json_wrong(&at, "this name is given twice");
        }
        out->names[i] = memory_text(name);
        out->players++;
        if (json_object_set_new(out->index, name, json_integer((json_int_t)i)) != 0) {
            memory_none(strlen(name));
        }
    }
    return status;
}

/* Result of reading a row [a, b, number, number, ...]; null reads as NaN. */
struct tuple {
    int *a, *b;
    double *const *number;
    size_t least, most; /* number of members, including the two players */
    const char *shape;  /* the shape in words */
};

static enum bg_status read_tuple(const struct tuple *out, const struct json_input *input,
                                 const struct json_place *at)
{
    struct json_place first = json_item(at, 0), second = json_item(at, 1);
    enum bg_status status = json_need_list(at);
    size_t size = status == BG_OK ? json_array_size(at->value) : 0;

    if (status == BG_OK && (size < out->least || size > out->most)) {
        status = json_wrong(at, out->shape);
    }
    if (status == BG_OK) {
        status = json_need_two(out->a, out->b, input, &first, &second);
    }
    for (size_t i = 2; status == BG_OK && i < size; i++) {
        struct json_place value = json_item(at, i);

        if (json_is_null(value.value)) {
            *out->number[i - 2] = NAN;
        } else {
            status = json_need_number(out->number[i - 2], &value, -HUGE_VAL);
        }
    }
    return status;
}

static enum bg_status read_ppg_row(struct ppg_encounter *e, const struct json_input *input,
                                   const struct json_place *at)
{
    double *const number[] = {&e->ppg, &e->se, &e->games};
    const struct tuple row = {
        &e->a, &e->b, number,
        4,     5,     "needs [a, b, ppg of a, standard error], optionally the number of games"};
    enum bg_status status = read_tuple(&row, input, at);

    if (status == BG_OK && e->se <= 0 && !(e->games > 0)) {
        status = json_wrong(at, "the standard error needs to be above 0");
    }
    return status;
}

static enum bg_status read_standings_row(struct standings_encounter *e,
                                         const struct json_input *input,
                                         const struct json_place *at)
{
    double *const number[] = {&e->score_a, &e->score_b, &e->difference};
    const struct tuple row = {
        &e->a, &e->b, number, 5, 5, "needs [a, b, score of a, score of b, point difference]"};
    enum bg_status status = read_tuple(&row, input, at);

    if (status == BG_OK && (isnan(e->score_a) || isnan(e->score_b) || isnan(e->difference))) {
        status = json_wrong(at, "needs numbers, not null");
    }
    return status;
}

enum bg_status json_read_encounters(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "encounters");
    enum bg_status status = json_read_players(out, input);

    if (status == BG_OK) {
        status = json_need_list(&list);
    }
    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->ppg = memory_zeroed(out->count, sizeof *out->ppg);
    out->standings = memory_zeroed(out->count, sizeof *out->standings);
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct json_place at = json_item(&list, k);

        status = out->kind == JSON_PPG_TABLE ? read_ppg_row(&out->ppg[k], out, &at)
                                             : read_standings_row(&out->standings[k], out, &at);
    }
    return status;
}
