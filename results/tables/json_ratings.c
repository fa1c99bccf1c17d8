/* Kind ratings: results, options, performances. Optional members may be missing or null, because
 * programs write null where they have nothing; only a value of another type is refused. */
#include "base/memory.h"
#include "json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum bg_status read_prior(struct rating_options *options, const struct json_place *at)
{
    const char *word = json_string_value(at->value);

    if (json_is_number(at->value)) {
        options->prior = RATING_PRIOR_FIXED;
        return json_need_number(&options->draws, at, 0);
    }
    if (word != NULL && strcmp(word, "none") == 0) {
        options->prior = RATING_PRIOR_FIXED;
        return BG_OK;
    }
    return word != NULL && strcmp(word, "auto") == 0
               ? BG_OK
               : json_wrong(at, "needs auto, none or a number");
}

static enum bg_status read_rating_options(struct json_input *out, const struct json_place *input)
{
    struct json_place object = json_member(input, "options");
    struct json_place at;
    enum bg_status status = BG_OK;

    if (object.value == NULL || json_is_null(object.value)) {
        return BG_OK;
    }
    status = json_need_object(&object);
    if (status != BG_OK) {
        return status;
    }
    at = json_member(&object, "anchor");
    if (at.value != NULL && !json_is_null(at.value) &&
        (!json_is_string(at.value) || strcmp(json_string_value(at.value), "mean") != 0)) {
        status = json_need_player(&out->options.anchor, out, &at);
    }
    at = json_member(&object, "anchor_rating");
    if (status == BG_OK && at.value != NULL && !json_is_null(at.value)) {
        status = json_need_number(&out->options.anchor_rating, &at, -INFINITY);
    }
    at = json_member(&object, "mode");
    if (status == BG_OK && at.value != NULL && !json_is_null(at.value)) {
        static const char *const modes[] = {"formula", "table"};
        int mode = 0;

        status = json_need_word(&mode, modes, 2, &at, "needs formula or table");
        out->table = mode == 1;
    }
    at = json_member(&object, "prior");
    if (status == BG_OK && at.value != NULL && !json_is_null(at.value)) {
        status = read_prior(&out->options, &at);
    }
    return status;
}

/* Reads pairs: three counts by wins of a, or five by its half wins as in `rate --json`. */
static enum bg_status read_pairs(struct rating_row *row, const struct json_place *at)
{
    double n[3] = {0, 0, 0}, half[5] = {0, 0, 0, 0, 0};
    enum bg_status status = BG_OK;

    if (!json_is_array(at->value) || json_array_size(at->value) != 5) {
        status = json_need_pairs(n, at);
        *row = rating_row_pairs(row->a, row->b, row->length_points, n);
        return status;
    }
    for (size_t s = 0; status == BG_OK && s < 5; s++) {
        status = json_item_number(&half[s], at, s, 0);
    }
    *row = rating_row_drawn(row->a, row->b, row->length_points,
                            (double[]){half[0], half[2], half[4]}, (double[]){half[1], half[3]});
    return status;
}

static enum bg_status read_rating_row(struct rating_row *row, const struct json_input *input,
                                      const struct json_place *at)
{
    struct json_place a = json_member(at, "a"), b = json_member(at, "b"),
                      pairs = json_member(at, "pairs");
    enum bg_status status = json_need_object(at);

    if (status == BG_OK) {
        status = json_need_two(&row->a, &row->b, input, &a, &b);
    }
    if (status == BG_OK) {
        status = json_member_number(&row->length_points, at, "length", 1);
    }
    if (status != BG_OK) {
        return status;
    }
    if (pairs.value != NULL) {
        /* Both would count the same matches twice. */
        if (json_object_get(at->value, "wins_a") != NULL ||
            json_object_get(at->value, "wins_b") != NULL) {
            return json_wrong(&pairs, "give pairs or wins_a and wins_b, not both");
        }
        return read_pairs(row, &pairs);
    }
    status = json_member_number(&row->wins_a, at, "wins_a", 0);
    return status == BG_OK ? json_member_number(&row->wins_b, at, "wins_b", 0) : status;
}

static enum bg_status read_performance(struct json_performance *out, const struct json_place *list)
{
    enum bg_status status = json_need_list(list);

    out->count = status == BG_OK ? json_array_size(list->value) : 0;
    out->opponent = memory_zeroed(out->count, sizeof *out->opponent);
    for (size_t j = 0; status == BG_OK && j < out->count; j++) {
        struct rating_opponent *o = &out->opponent[j];
        struct json_place at = json_item(list, j);
        double *const field[] = {&o->rating, &o->length_points, &o->wins, &o->losses};
        static const double least[] = {-HUGE_VAL, 1, 0, 0};

        status = json_need_list(&at);
        if (status == BG_OK && json_array_size(at.value) != 4) {
            status = json_wrong(&at, "needs [opponent's rating, length, wins, losses]");
        }
        for (size_t f = 0; status == BG_OK && f < 4; f++) {
            status = json_item_number(field[f], &at, f, least[f]);
        }
    }
    return status;
}

static enum bg_status read_performances(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "performance");
    enum bg_status status = BG_OK;

    if (list.value == NULL) {
        return BG_OK;
    }
    status = json_need_list(&list);
    if (status != BG_OK) {
        return status;
    }
    out->has_performance = true;
    out->performances = json_array_size(list.value);
    out->performance = memory_zeroed(out->performances, sizeof *out->performance);
    for (size_t i = 0; status == BG_OK && i < out->performances; i++) {
        struct json_place at = json_item(&list, i);

        status = read_performance(&out->performance[i], &at);
    }
    return status;
}

enum bg_status json_read_ratings(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "results");
    enum bg_status status = json_read_players(out, input);

    if (status == BG_OK) {
        status = read_rating_options(out, input);
    }
    if (status == BG_OK) {
        status = json_need_list(&list);
    }
    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->rating = memory_zeroed(out->count, sizeof *out->rating);
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct json_place at = json_item(&list, k);

        status = read_rating_row(&out->rating[k], out, &at);
    }
    return status == BG_OK ? read_performances(out, input) : status;
}
