#include "json_input.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* Where we are in the file: one value and how it is called. */
struct place {
    const char *file;
    const json_t *value;
    char path[160];
    struct bg_error *err;
};

static enum bg_status wrong(const struct place *at, const char *what)
{
    return bg_error_set(at->err, BG_E_FORMAT, "%s: %s: %s", at->file, at->path, what);
}

static enum bg_status no_memory(const struct place *at)
{
    return bg_error_set(at->err, BG_E_MEMORY, "%s: %s", at->file, at->path);
}

static struct place item_of(const struct place *list, size_t i)
{
    struct place out = *list;

    snprintf(out.path, sizeof out.path, "%.120s[%zu]", list->path, i);
    out.value = json_array_get(list->value, i);
    return out;
}

/* A member; its value is NULL when there is none. */
static struct place member_of(const struct place *object, const char *key)
{
    struct place out = *object;

    snprintf(out.path, sizeof out.path, "%.120s%s%.30s", object->path,
             object->path[0] == '\0' ? "" : ".", key);
    out.value = json_object_get(object->value, key);
    return out;
}

static enum bg_status need_list(const struct place *at)
{
    if (at->value == NULL) {
        return wrong(at, "missing; needs a list");
    }
    return json_is_array(at->value) ? BG_OK : wrong(at, "needs a list");
}

static enum bg_status need_object(const struct place *at)
{
    if (at->value == NULL) {
        return wrong(at, "missing; needs an object");
    }
    return json_is_object(at->value) ? BG_OK : wrong(at, "needs an object");
}

static enum bg_status need_number(double *out, const struct place *at, double least)
{
    char what[64];

    if (!json_is_number(at->value)) {
        return wrong(at, at->value == NULL ? "missing; needs a number" : "needs a number");
    }
    *out = json_number_value(at->value);
    if (!(*out >= least)) {
        snprintf(what, sizeof what, "is %g, needs at least %g", *out, least);
        return wrong(at, what);
    }
    return BG_OK;
}

static enum bg_status member_number(double *out, const struct place *object, const char *key,
                                    double least)
{
    struct place at = member_of(object, key);

    return need_number(out, &at, least);
}

static enum bg_status item_number(double *out, const struct place *list, size_t i, double least)
{
    struct place at = item_of(list, i);

    return need_number(out, &at, least);
}

/* Three counts. */
static enum bg_status need_pairs(double pairs[3], const struct place *at)
{
    enum bg_status status = need_list(at);

    if (status == BG_OK && json_array_size(at->value) != 3) {
        status = wrong(at, "needs three counts: pairs with 0, 1 and 2 wins");
    }
    for (size_t s = 0; status == BG_OK && s < 3; s++) {
        status = item_number(&pairs[s], at, s, 0);
    }
    return status;
}

static enum bg_status need_player(int *out, const struct json_input *input, const struct place *at)
{
    const char *name = json_string_value(at->value);
    const json_t *number = NULL;
    char what[96];

    if (name == NULL) {
        return wrong(at, at->value == NULL ? "missing; needs the name of a player"
                                           : "needs the name of a player");
    }
    number = json_object_get(input->index, name);
    if (number != NULL) {
        *out = (int)json_integer_value(number);
        return BG_OK;
    }
    snprintf(what, sizeof what, "\"%.64s\" is not in input.players", name);
    return wrong(at, what);
}

static enum bg_status need_two(int *a, int *b, const struct json_input *input,
                               const struct place *at_a, const struct place *at_b)
{
    enum bg_status status = need_player(a, input, at_a);

    if (status == BG_OK) {
        status = need_player(b, input, at_b);
    }
    return status == BG_OK && *a == *b ? wrong(at_b, "a player does not meet itself") : status;
}

static enum bg_status read_players(struct json_input *out, const struct place *input)
{
    struct place list = member_of(input, "players");
    enum bg_status status = need_list(&list);
    size_t count = status == BG_OK ? json_array_size(list.value) : 0;

    out->names = calloc(count + 1, sizeof *out->names);
    out->index = json_object();
    if (out->names == NULL || out->index == NULL) {
        return no_memory(&list);
    }
    for (size_t i = 0; status == BG_OK && i < count; i++) {
        struct place at = item_of(&list, i);
        const char *name = json_string_value(at.value);

        if (name == NULL) {
            return wrong(&at, "needs a name");
        }
        if (json_object_get(out->index, name) != NULL) {
            return wrong(&at, "this name is given twice");
        }
        out->names[i] = strdup(name);
        if (out->names[i] == NULL ||
            json_object_set_new(out->index, name, json_integer((json_int_t)i)) != 0) {
            free(out->names[i]);
            return no_memory(&at);
        }
        out->players++;
    }
    return status;
}

static enum bg_status read_prior(struct rating_options *options, const struct place *at)
{
    const char *word = json_string_value(at->value);

    if (json_is_number(at->value)) {
        options->prior = RATING_PRIOR_FIXED;
        return need_number(&options->draws, at, 0);
    }
    if (word != NULL && strcmp(word, "none") == 0) {
        options->prior = RATING_PRIOR_FIXED;
        return BG_OK;
    }
    return word != NULL && strcmp(word, "auto") == 0 ? BG_OK
                                                     : wrong(at, "needs auto, none or a number");
}

static enum bg_status read_options(struct json_input *out, const struct place *input)
{
    static const char *const known[] = {"anchor", "anchor_rating", "prior"};
    struct place object = member_of(input, "options");
    struct place at;
    const char *key = NULL;
    json_t *value = NULL;
    enum bg_status status = BG_OK;

    if (object.value == NULL || json_is_null(object.value)) {
        return BG_OK;
    }
    status = need_object(&object);
    if (status != BG_OK) {
        return status;
    }
    /* jansson iterates over non-const objects only; nothing is written */
    json_object_foreach(json_object_get(input->value, "options"), key, value)
    {
        at = member_of(&object, key);
        if (strcmp(key, known[0]) != 0 && strcmp(key, known[1]) != 0 &&
            strcmp(key, known[2]) != 0) {
            return wrong(&at, "unknown option; there are anchor, anchor_rating and prior");
        }
    }
    at = member_of(&object, "anchor");
    if (at.value != NULL && !json_is_null(at.value) &&
        (!json_is_string(at.value) || strcmp(json_string_value(at.value), "mean") != 0)) {
        status = need_player(&out->options.anchor, out, &at);
    }
    at = member_of(&object, "anchor_rating");
    if (status == BG_OK && at.value != NULL && !json_is_null(at.value)) {
        status = need_number(&out->options.anchor_rating, &at, -INFINITY);
    }
    at = member_of(&object, "prior");
    if (status == BG_OK && at.value != NULL && !json_is_null(at.value)) {
        status = read_prior(&out->options, &at);
    }
    return status;
}

static enum bg_status read_rating_row(struct rating_row *row, const struct json_input *input,
                                      const struct place *at)
{
    struct place a = member_of(at, "a"), b = member_of(at, "b"), pairs = member_of(at, "pairs");
    double n[3] = {0, 0, 0};
    enum bg_status status = need_object(at);

    if (status == BG_OK) {
        status = need_two(&row->a, &row->b, input, &a, &b);
    }
    if (status == BG_OK) {
        status = member_number(&row->length_points, at, "length", 1);
    }
    if (status != BG_OK) {
        return status;
    }
    if (pairs.value != NULL) {
        if (json_object_get(at->value, "wins_a") != NULL ||
            json_object_get(at->value, "wins_b") != NULL) {
            return wrong(&pairs, "give pairs or wins_a and wins_b, not both");
        }
        status = need_pairs(n, &pairs);
        *row = rating_row_pairs(row->a, row->b, row->length_points, n);
        return status;
    }
    status = member_number(&row->wins_a, at, "wins_a", 0);
    return status == BG_OK ? member_number(&row->wins_b, at, "wins_b", 0) : status;
}

static enum bg_status read_performance(struct json_performance *out, const struct place *list)
{
    enum bg_status status = need_list(list);

    out->count = status == BG_OK ? json_array_size(list->value) : 0;
    out->opponent = calloc(out->count + 1, sizeof *out->opponent);
    if (out->opponent == NULL) {
        return no_memory(list);
    }
    for (size_t j = 0; status == BG_OK && j < out->count; j++) {
        struct rating_opponent *o = &out->opponent[j];
        struct place at = item_of(list, j);
        double *const field[] = {&o->rating, &o->length_points, &o->wins, &o->losses};
        static const double least[] = {-HUGE_VAL, 1, 0, 0};

        status = need_list(&at);
        if (status == BG_OK && json_array_size(at.value) != 4) {
            status = wrong(&at, "needs [opponent's rating, length, wins, losses]");
        }
        for (size_t f = 0; status == BG_OK && f < 4; f++) {
            status = item_number(field[f], &at, f, least[f]);
        }
    }
    return status;
}

static enum bg_status read_performances(struct json_input *out, const struct place *input)
{
    struct place list = member_of(input, "performance");
    enum bg_status status = BG_OK;

    if (list.value == NULL) {
        return BG_OK;
    }
    status = need_list(&list);
    if (status != BG_OK) {
        return status;
    }
    out->has_performance = true;
    out->performances = json_array_size(list.value);
    out->performance = calloc(out->performances + 1, sizeof *out->performance);
    if (out->performance == NULL) {
        out->performances = 0;
        return no_memory(&list);
    }
    for (size_t i = 0; status == BG_OK && i < out->performances; i++) {
        struct place at = item_of(&list, i);

        status = read_performance(&out->performance[i], &at);
    }
    return status;
}

static enum bg_status read_ratings(struct json_input *out, const struct place *input)
{
    struct place list = member_of(input, "results");
    enum bg_status status = read_players(out, input);

    if (status == BG_OK) {
        status = read_options(out, input);
    }
    if (status == BG_OK) {
        status = need_list(&list);
    }
    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->rating = calloc(out->count + 1, sizeof *out->rating);
    if (out->rating == NULL) {
        return no_memory(&list);
    }
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct place at = item_of(&list, k);

        status = read_rating_row(&out->rating[k], out, &at);
    }
    return status == BG_OK ? read_performances(out, input) : status;
}

/* All games of all clusters, so that there is room for them. */
static enum bg_status count_games(size_t *games, const struct place *list)
{
    *games = 0;
    for (size_t c = 0; c < json_array_size(list->value); c++) {
        struct place cluster = item_of(list, c);
        enum bg_status status = need_list(&cluster);

        if (status != BG_OK) {
            return status;
        }
        *games += json_array_size(cluster.value);
    }
    return BG_OK;
}

static enum bg_status read_money(struct json_input *out, const struct place *input)
{
    struct place list = member_of(input, "clusters");
    size_t games = 0;
    enum bg_status status = need_list(&list);

    if (status == BG_OK) {
        status = count_games(&games, &list);
    }
    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->points = calloc(out->count + 1, sizeof *out->points);
    out->games = calloc(out->count + 1, sizeof *out->games);
    out->game_points = calloc(games + 1, sizeof *out->game_points);
    if (out->points == NULL || out->games == NULL || out->game_points == NULL) {
        return no_memory(&list);
    }
    for (size_t c = 0; c < out->count; c++) {
        struct place cluster = item_of(&list, c);

        for (size_t g = 0; status == BG_OK && g < json_array_size(cluster.value); g++) {
            double *points = &out->game_points[out->game_count++];

            status = item_number(points, &cluster, g, -HUGE_VAL);
            out->points[c] += *points;
            out->games[c]++;
        }
    }
    return status;
}

static enum bg_status read_interval(struct json_interval *row, const struct place *at)
{
    struct place pairs = member_of(at, "pairs");
    enum bg_status status = need_object(at);

    if (status == BG_OK && pairs.value != NULL) {
        row->paired = true;
        return need_pairs(row->pairs, &pairs);
    }
    if (status == BG_OK) {
        status = member_number(&row->matches, at, "matches", 0);
    }
    if (status == BG_OK) {
        status = member_number(&row->wins, at, "wins", 0);
    }
    if (status == BG_OK && row->wins > row->matches) {
        status = wrong(at, "more wins than matches");
    }
    return status;
}

static enum bg_status read_intervals(struct json_input *out, const struct place *input)
{
    struct place list = member_of(input, "rows");
    enum bg_status status = need_list(&list);

    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->interval = calloc(out->count + 1, sizeof *out->interval);
    if (out->interval == NULL) {
        return no_memory(&list);
    }
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct place at = item_of(&list, k);

        status = read_interval(&out->interval[k], &at);
    }
    return status;
}

/* One row [a, b, number, number, ...] of `least` to `most` members; null reads as NaN. */
static enum bg_status read_tuple(int *a, int *b, double *const *number, size_t least, size_t most,
                                 const struct json_input *input, const struct place *at,
                                 const char *shape)
{
    struct place first = item_of(at, 0), second = item_of(at, 1);
    enum bg_status status = need_list(at);
    size_t size = status == BG_OK ? json_array_size(at->value) : 0;

    if (status == BG_OK && (size < least || size > most)) {
        status = wrong(at, shape);
    }
    if (status == BG_OK) {
        status = need_two(a, b, input, &first, &second);
    }
    for (size_t i = 2; status == BG_OK && i < size; i++) {
        struct place value = item_of(at, i);

        if (json_is_null(value.value)) {
            *number[i - 2] = NAN;
        } else {
            status = need_number(number[i - 2], &value, -HUGE_VAL);
        }
    }
    return status;
}

static enum bg_status read_ppg_row(struct ppg_encounter *e, const struct json_input *input,
                                   const struct place *at)
{
    double *const number[] = {&e->ppg, &e->se, &e->games};
    enum bg_status status =
        read_tuple(&e->a, &e->b, number, 4, 5, input, at,
                   "needs [a, b, ppg of a, standard error] and perhaps the number of games");

    if (status == BG_OK && e->se <= 0 && !(e->games > 0)) {
        status = wrong(at, "the standard error needs to be above 0");
    }
    return status;
}

static enum bg_status read_standings_row(struct standings_encounter *e,
                                         const struct json_input *input, const struct place *at)
{
    double *const number[] = {&e->score_a, &e->score_b, &e->difference};
    enum bg_status status = read_tuple(&e->a, &e->b, number, 5, 5, input, at,
                                       "needs [a, b, score of a, score of b, point difference]");

    if (status == BG_OK && (isnan(e->score_a) || isnan(e->score_b) || isnan(e->difference))) {
        status = wrong(at, "needs numbers, not null");
    }
    return status;
}

static enum bg_status read_encounters(struct json_input *out, const struct place *input)
{
    struct place list = member_of(input, "encounters");
    enum bg_status status = read_players(out, input);

    if (status == BG_OK) {
        status = need_list(&list);
    }
    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->ppg = calloc(out->count + 1, sizeof *out->ppg);
    out->standings = calloc(out->count + 1, sizeof *out->standings);
    if (out->ppg == NULL || out->standings == NULL) {
        return no_memory(&list);
    }
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct place at = item_of(&list, k);

        status = out->kind == JSON_PPG_TABLE ? read_ppg_row(&out->ppg[k], out, &at)
                                             : read_standings_row(&out->standings[k], out, &at);
    }
    return status;
}

static const struct {
    const char *name;
    enum bg_status (*read)(struct json_input *out, const struct place *input);
} kinds[JSON_KIND_COUNT] = {
    [JSON_RATINGS] = {"ratings", read_ratings},
    [JSON_MONEY] = {"money", read_money},
    [JSON_INTERVAL] = {"interval", read_intervals},
    [JSON_PPG_TABLE] = {"ppg_table", read_encounters},
    [JSON_STANDINGS] = {"standings", read_encounters},
};

static enum bg_status read_root(struct json_input *out, const struct place *root)
{
    struct place kind = member_of(root, "kind"), input = member_of(root, "input");
    const char *word = json_string_value(kind.value);
    const char *title = json_string_value(json_object_get(root->value, "name"));
    enum bg_status status = BG_OK;

    if (!json_is_object(root->value)) {
        return bg_error_set(root->err, BG_E_FORMAT, "%s: needs an object with kind and input",
                            root->file);
    }
    if (word == NULL) {
        return wrong(&kind, "missing; ratings, money, interval, ppg_table or standings");
    }
    status = need_object(&input);
    if (status != BG_OK) {
        return status;
    }
    out->title = strdup(title != NULL ? title : root->file);
    if (out->title == NULL) {
        return no_memory(root);
    }
    for (int k = 0; k < JSON_KIND_COUNT; k++) {
        if (strcmp(kinds[k].name, word) == 0) {
            out->kind = (enum json_kind)k;
            return kinds[k].read(out, &input);
        }
    }
    return bg_error_set(root->err, BG_E_FORMAT,
                        "%s: kind %.40s is not supported; there are ratings, money, interval, "
                        "ppg_table and standings",
                        root->file, word);
}

enum bg_status json_input_read(struct json_input *out, const char *path, struct bg_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *file = standard ? "standard input" : path;
    FILE *in = standard ? stdin : fopen(path, "r");
    enum bg_status status = BG_OK;
    json_error_t trouble;
    json_t *json = NULL;
    struct place root = {.file = file, .err = err};

    *out = (struct json_input){.options = RATING_OPTIONS_INIT};
    if (in == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "open %s: %s", path, strerror(errno));
    }
    json = json_loadf(in, JSON_REJECT_DUPLICATES, &trouble);
    if (json == NULL && ferror(in)) {
        status = bg_error_set(err, BG_E_SYSTEM, "read %s: %s", file, strerror(errno));
    } else if (json == NULL) {
        status = bg_error_set(err, BG_E_FORMAT, "%s:%d:%d: %s", file, trouble.line, trouble.column,
                              trouble.text);
    } else {
        root.value = json;
        status = read_root(out, &root);
    }
    json_decref(json);
    if (!standard) {
        fclose(in);
    }
    if (status != BG_OK) {
        json_input_deinit(out);
    }
    return status;
}

void json_input_deinit(struct json_input *input)
{
    for (int i = 0; i < input->players; i++) {
        free(input->names[i]);
    }
    for (size_t i = 0; i < input->performances; i++) {
        free(input->performance[i].opponent);
    }
    json_decref(input->index);
    free(input->title);
    free((void *)input->names);
    free(input->rating);
    free(input->performance);
    free(input->points);
    free(input->games);
    free(input->game_points);
    free(input->interval);
    free(input->ppg);
    free(input->standings);
    *input = (struct json_input){0};
}
