/* A file is read whole into jansson's tree and then walked by the reader of its kind: a reader
 * that knows the shape can name the path of what is wrong (input.results[3].a), which a
 * streaming parser could not, because members may come in any order. The members that an input may
 * have are tables and not code, so that unknown ones are refused before any reader and this cannot
 * be forgotten in one: an unknown member that is ignored would answer another question than the one
 * that was asked. Optional members may be missing or null, because programs write null where they
 * have nothing; only a value of another type is refused. */
#include "json_input.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "base/closest.h"
#include "base/memory.h"
#include "base/plain_file.h"
#include "json_read.h"

/* ------------------------------------------------------------------------------- members */

enum { NAMES = 16 };

struct known_members {
    const char *input[NAMES];   /* members of `input` */
    const char *options[NAMES]; /* of input.options */
    const char *rows;           /* a list in `input` whose items are objects */
    const char *row[NAMES];     /* and the members of these objects */
};

/* A test vector has its answer in the same file, so `expected` and `description` are allowed,
 * and are not read. */
static const char *const root_names[NAMES] = {"kind", "input", "name", "description", "expected"};

static const struct known_members known[JSON_KIND_COUNT] = {
    [JSON_RATINGS] = {.input = {"players", "options", "results", "performance"},
                      .options = {"anchor", "anchor_rating", "prior", "mode"},
                      .rows = "results",
                      .row = {"a", "b", "length", "wins_a", "wins_b", "pairs"}},
    [JSON_MONEY] = {.input = {"clusters"}},
    [JSON_INTERVAL] = {.input = {"rows"}, .rows = "rows", .row = {"wins", "matches", "pairs"}},
    [JSON_PPG_TABLE] = {.input = {"players", "encounters"}},
    [JSON_STANDINGS] = {.input = {"players", "encounters"}},
    [JSON_SPRT] = {.input = {"tests"},
                   .rows = "tests",
                   .row = {"model", "alpha", "beta", "min_clusters", "x", "m", "mean", "var",
                           "rows", "h0", "h1", "counts", "length", "s0", "s1"}},
    [JSON_FIBS] = {.input = {"players", "matches", "options"}, .options = {"start", "ramp"}},
    [JSON_ERRORS] = {.input = {"decisions"},
                     .rows = "decisions",
                     .row = {"side", "kind", "forced", "close", "error"}},
    [JSON_LUCK] = {.input = {"result_a", "rolls", "unit", "initial_equity_a", "error_a", "error_b"},
                   .rows = "rolls",
                   .row = {"side", "dice", "after", "other"}},
};

static int count_of(const char *const *names)
{
    int count = 0;

    while (count < NAMES && names[count] != NULL) {
        count++;
    }
    return count;
}

static enum bg_status refuse_member(const struct json_place *at, const char *key,
                                    const char *const *names)
{
    const char *near = closest_name(key, names, count_of(names));
    char what[512];
    size_t used = 0;

    if (near != NULL) {
        snprintf(what, sizeof what, "unknown member; did you mean %s?", near);
        return json_wrong(at, what);
    }
    used = (size_t)snprintf(what, sizeof what, "unknown member; there are");
    for (int i = 0; i < count_of(names); i++) {
        used +=
            (size_t)snprintf(what + used, sizeof what - used, "%s %s", i > 0 ? "," : "", names[i]);
    }
    return json_wrong(at, what);
}

/* If it is not an object, its reader reports that. */
static enum bg_status check_members(const struct json_place *object, const char *const *names)
{
    json_t *value = NULL;
    void *iterator = NULL;

    if (json_is_object(object->value)) {
        /* jansson iterates only over non-const objects; nothing is written */
        memcpy(&value, &object->value, sizeof value);
        iterator = json_object_iter(value);
    }
    for (; iterator != NULL; iterator = json_object_iter_next(value, iterator)) {
        const char *key = json_object_iter_key(iterator);
        bool found = false;

        for (int i = 0; i < NAMES && names[i] != NULL; i++) {
            found = found || strcmp(names[i], key) == 0;
        }
        if (!found) {
            struct json_place at = json_member(object, key);

            return refuse_member(&at, key, names);
        }
    }
    return BG_OK;
}

static enum bg_status check_known(enum json_kind kind, const struct json_place *root,
                                  const struct json_place *input)
{
    const struct known_members *names = &known[kind];
    struct json_place options = json_member(input, "options");
    struct json_place rows = json_member(input, names->rows == NULL ? "" : names->rows);
    enum bg_status status = check_members(root, root_names);

    if (status == BG_OK) {
        status = check_members(input, names->input);
    }
    if (status == BG_OK) {
        status = check_members(&options, names->options);
    }
    for (size_t i = 0; status == BG_OK && i < json_array_size(rows.value); i++) {
        struct json_place row = json_item(&rows, i);

        status = check_members(&row, names->row);
    }
    return status;
}

/* ---------------------------------------------------------------- players and encounters */

static enum bg_status need_player(int *out, const struct json_input *input,
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

static enum bg_status need_two(int *a, int *b, const struct json_input *input,
                               const struct json_place *at_a, const struct json_place *at_b)
{
    enum bg_status status = need_player(a, input, at_a);

    if (status == BG_OK) {
        status = need_player(b, input, at_b);
    }
    return status == BG_OK && *a == *b ? json_wrong(at_b, "a player cannot play itself") : status;
}

static enum bg_status read_players(struct json_input *out, const struct json_place *input)
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
        status = need_two(out->a, out->b, input, &first, &second);
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

static enum bg_status read_encounters(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "encounters");
    enum bg_status status = read_players(out, input);

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

/* ------------------------------------------------------------------------------- ratings */

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
        status = need_player(&out->options.anchor, out, &at);
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
        status = need_two(&row->a, &row->b, input, &a, &b);
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

static enum bg_status read_ratings(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "results");
    enum bg_status status = read_players(out, input);

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

/* ----------------------------------------------------- matches in the order of their end */

static enum bg_status read_fibs_options(struct fibs_options *out, const struct json_place *input)
{
    struct json_place object = json_member(input, "options"), ramp = json_member(&object, "ramp");
    double pair[2] = {out->ramp_top, out->ramp_slope};
    enum bg_status status = BG_OK;

    if (object.value == NULL || json_is_null(object.value)) {
        return BG_OK;
    }
    status = json_need_object(&object);
    if (status == BG_OK) {
        status = json_member_perhaps(&out->start, &object, "start", -HUGE_VAL);
    }
    if (status == BG_OK && ramp.value != NULL) {
        status = json_need_numbers(pair, 2, &ramp, 1, false);
    }
    out->ramp_top = pair[0];
    out->ramp_slope = pair[1];
    return status;
}

static enum bg_status read_match(struct json_match *out, const struct json_input *input,
                                 const struct json_place *at)
{
    struct json_place winner = json_item(at, 0), loser = json_item(at, 1);
    enum bg_status status = json_need_list(at);

    if (status == BG_OK && json_array_size(at->value) != 3) {
        status = json_wrong(at, "needs [winner, loser, length]");
    }
    if (status == BG_OK) {
        status = need_two(&out->winner, &out->loser, input, &winner, &loser);
    }
    return status == BG_OK ? json_item_number(&out->length_points, at, 2, 1) : status;
}

static enum bg_status read_fibs(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "matches");
    enum bg_status status = read_players(out, input);

    if (status == BG_OK) {
        status = read_fibs_options(&out->fibs, input);
    }
    if (status == BG_OK) {
        status = json_need_list(&list);
    }
    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->match = memory_zeroed(out->count, sizeof *out->match);
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct json_place at = json_item(&list, k);

        status = read_match(&out->match[k], out, &at);
    }
    return status;
}

struct fibs_player *json_fibs_players(const struct json_input *input)
{
    struct fibs_player *out = memory_zeroed((size_t)input->players, sizeof *out);

    for (int i = 0; i < input->players; i++) {
        out[i] = fibs_newcomer(&input->fibs);
    }
    return out;
}

/* ---------------------------------------------------------------------- money, intervals */

/* Counts the games of all clusters, to allocate their room. */
static enum bg_status count_games(size_t *games, const struct json_place *list)
{
    *games = 0;
    for (size_t c = 0; c < json_array_size(list->value); c++) {
        struct json_place cluster = json_item(list, c);
        enum bg_status status = json_need_list(&cluster);

        if (status != BG_OK) {
            return status;
        }
        *games += json_array_size(cluster.value);
    }
    return BG_OK;
}

static enum bg_status read_money(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "clusters");
    size_t games = 0;
    enum bg_status status = json_need_list(&list);

    if (status == BG_OK) {
        status = count_games(&games, &list);
    }
    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->points = memory_zeroed(out->count, sizeof *out->points);
    out->games = memory_zeroed(out->count, sizeof *out->games);
    out->game_points = memory_zeroed(games, sizeof *out->game_points);
    for (size_t c = 0; c < out->count; c++) {
        struct json_place cluster = json_item(&list, c);

        for (size_t g = 0; status == BG_OK && g < json_array_size(cluster.value); g++) {
            double *points = &out->game_points[out->game_count++];

            status = json_item_number(points, &cluster, g, -HUGE_VAL);
            out->points[c] += *points;
            out->games[c]++;
        }
    }
    return status;
}

static enum bg_status read_interval(struct json_interval *row, const struct json_place *at)
{
    struct json_place pairs = json_member(at, "pairs");
    enum bg_status status = json_need_object(at);

    if (status == BG_OK && pairs.value != NULL) {
        row->paired = true;
        return json_need_pairs(row->pairs, &pairs);
    }
    if (status == BG_OK) {
        status = json_member_number(&row->matches, at, "matches", 0);
    }
    if (status == BG_OK) {
        status = json_member_number(&row->wins, at, "wins", 0);
    }
    if (status == BG_OK && row->wins > row->matches) {
        status = json_wrong(at, "more wins than matches");
    }
    return status;
}

static enum bg_status read_intervals(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "rows");
    enum bg_status status = json_need_list(&list);

    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->interval = memory_zeroed(out->count, sizeof *out->interval);
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct json_place at = json_item(&list, k);

        status = read_interval(&out->interval[k], &at);
    }
    return status;
}

/* ------------------------------------------------------------------------------ the file */

static const struct {
    const char *name;
    enum bg_status (*read)(struct json_input *out, const struct json_place *input);
} kinds[JSON_KIND_COUNT] = {
    [JSON_RATINGS] = {"ratings", read_ratings},
    [JSON_MONEY] = {"money", read_money},
    [JSON_INTERVAL] = {"interval", read_intervals},
    [JSON_PPG_TABLE] = {"ppg_table", read_encounters},
    [JSON_STANDINGS] = {"standings", read_encounters},
    [JSON_SPRT] = {"sprt", json_read_sprt},
    [JSON_FIBS] = {"fibs", read_fibs},
    [JSON_ERRORS] = {"errors", json_read_errors},
    [JSON_LUCK] = {"luck", json_read_luck},
};

/* Returns all kinds: "ratings, money, ... and luck". */
static const char *json_input_kinds(void)
{
    return "ratings, money, interval, ppg_table, standings, sprt, fibs, errors and luck";
}

static enum bg_status read_root(struct json_input *out, const struct json_place *root)
{
    struct json_place kind = json_member(root, "kind"), input = json_member(root, "input");
    const char *word = json_string_value(kind.value);
    const char *title = json_string_value(json_object_get(root->value, "name"));
    char what[128];
    enum bg_status status = BG_OK;

    if (!json_is_object(root->value)) {
        return bg_error_set(root->err, BG_E_FORMAT, "%s: needs an object with kind and input",
                            root->file);
    }
    if (word == NULL) {
        snprintf(what, sizeof what, "missing; there are %s", json_input_kinds());
        return json_wrong(&kind, what);
    }
    status = json_need_object(&input);
    if (status != BG_OK) {
        return status;
    }
    out->title = clean_copy(title != NULL ? title : root->file, CLEAN_LINE);
    if (out->title == NULL) {
        memory_none(strlen(root->file));
    }
    for (int k = 0; k < JSON_KIND_COUNT; k++) {
        if (strcmp(kinds[k].name, word) == 0) {
            out->kind = (enum json_kind)k;
            /* Unknown members first: a mistyped name would otherwise be reported as a missing
             * member, or be left out without a word. */
            status = check_known(out->kind, root, &input);
            return status == BG_OK ? kinds[k].read(out, &input) : status;
        }
    }
    return bg_error_set(root->err, BG_E_FORMAT, "%s: kind %.40s is not supported; there are %s",
                        root->file, word, json_input_kinds());
}

enum { INPUT_MOST = 256 << 20 }; /* a tree takes some twenty times its text */

enum bg_status json_input_read(struct json_input *out, const char *path, struct bg_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *file = standard ? "standard input" : path;
    FILE *in = stdin;
    const char *why = standard ? NULL : plain_file_open(&in, path, INPUT_MOST);
    enum bg_status status = BG_OK;
    json_error_t trouble;
    json_t *json = NULL;
    struct json_place root = {.file = file, .err = err};

    *out = (struct json_input){.options = RATING_OPTIONS_INIT, .fibs = FIBS_OPTIONS_INIT};
    if (why != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: %s", path, why);
    }
    /* Of two members with one name jansson would keep the last and say nothing. */
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
    /* What was read is in plain arrays and copies of names now; nothing points into the tree. */
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
    for (size_t i = 0; input->test != NULL && i < input->count; i++) {
        free(input->test[i].row);
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
    free(input->test);
    free(input->match);
    free(input->decision);
    free(input->roll);
    *input = (struct json_input){0};
}
