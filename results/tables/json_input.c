/* A file is read whole into jansson's tree and then walked by the reader of its kind: a reader
 * that knows the shape can name the path of what is wrong (input.results[3].a), which a
 * streaming parser could not, because members may come in any order. The members that an input may
 * have are rows of a table and not code, so that unknown ones are refused before any reader and
 * this cannot be forgotten in one: an unknown member that is ignored would answer another question
 * than the one that was asked. Optional members may be missing or null, because programs write null
 * where they have nothing; only a value of another type is refused. */
#include "json_input.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "base/memory.h"
#include "base/plain_file.h"
#include "json_place.h"

/* ------------------------------------------------------------------- players and lists */

/* Names become numbers here, once. jansson's object is the index from name to number: it is a hash
 * table that is there anyway, and a search through the list would cost each result of a thousand
 * players a thousand comparisons. */
static void read_players(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "players");
    size_t count = json_need_list(&list);

    out->names = memory_zeroed(count, sizeof *out->names);
    out->index = json_object();
    for (size_t i = 0; i < count && json_is_fine(&list); i++) {
        struct json_place at = json_item(&list, i);
        const char *name = json_string_value(at.value);

        if (name == NULL) {
            json_wrong(&at, "needs a name");
        } else if (clean_find(name, strlen(name), CLEAN_LINE) < strlen(name)) {
            /* Names are printed to terminals, where a control character could act. */
            json_wrong(&at, "a name has an invisible character or a line break");
        } else if (json_object_get(out->index, name) != NULL) {
            json_wrong(&at, "this name is given twice");
        } else {
            out->names[out->players++] = memory_text(name);
            if (json_object_set_new(out->index, name, json_integer((json_int_t)i)) != 0) {
                memory_none(strlen(name));
            }
        }
    }
}

static int need_player(const struct json_input *input, const struct json_place *at)
{
    const char *name = json_string_value(at->value);
    const json_t *number = name == NULL ? NULL : json_object_get(input->index, name);
    char what[96];

    if (name == NULL) {
        json_wrong(at, at->value == NULL ? "missing; needs the name of a player"
                                         : "needs the name of a player");
    } else if (number == NULL) {
        snprintf(what, sizeof what, "\"%.64s\" is not in input.players", name);
        json_wrong(at, what);
    }
    return (int)json_integer_value(number);
}

/* Reads two different players. */
static void need_two(int *a, int *b, const struct json_input *input, const struct json_place *at_a,
                     const struct json_place *at_b)
{
    *a = need_player(input, at_a);
    *b = need_player(input, at_b);
    if (*a == *b) {
        json_wrong(at_b, "a player cannot play itself");
    }
}

/* Reads one item of a list into its row. */
typedef void row_fn(void *row, const struct json_input *input, const struct json_place *at);

/* Returns the rows of a list of the object, each of `size` bytes; the caller owns them. */
static void *read_rows(size_t *count, size_t size, const struct json_input *input,
                       const struct json_place *list, row_fn *read)
{
    size_t items = json_need_list(list);
    char *rows = memory_zeroed(items, size);

    for (size_t k = 0; k < items && json_is_fine(list); k++) {
        struct json_place at = json_item(list, k);

        read(rows + k * size, input, &at);
    }
    *count = items;
    return rows;
}

static void *read_list(struct json_input *out, size_t size, const struct json_place *input,
                       const char *key, row_fn *read)
{
    struct json_place list = json_member(input, key);

    return read_rows(&out->count, size, out, &list, read);
}

/* ---------------------------------------------------------------------------- encounters */

/* Reads a row [a, b, number, number, ...] of `least` to `most` members; null reads as NaN. */
static void read_tuple(int players[2], double *const *number, const size_t sizes[2],
                       const char *shape, const struct json_input *input,
                       const struct json_place *at)
{
    struct json_place first = json_item(at, 0), second = json_item(at, 1);
    size_t size = json_need_list(at);

    if (size < sizes[0] || size > sizes[1]) {
        json_wrong(at, shape);
    }
    need_two(&players[0], &players[1], input, &first, &second);
    for (size_t i = 2; i < size && json_is_fine(at); i++) {
        struct json_place value = json_item(at, i);

        *number[i - 2] = json_is_null(value.value) ? NAN : json_need_number(&value, -HUGE_VAL);
    }
}

static void read_ppg_row(void *row, const struct json_input *input, const struct json_place *at)
{
    struct ppg_encounter *e = row;
    double *const number[] = {&e->ppg, &e->se, &e->games};
    int players[2];

    read_tuple(players, number, (size_t[]){4, 5},
               "needs [a, b, ppg of a, standard error], optionally the number of games", input, at);
    e->a = players[0];
    e->b = players[1];
    if (e->se <= 0 && !(e->games > 0)) {
        json_wrong(at, "the standard error needs to be above 0");
    }
}

static void read_ppg_table(struct json_input *out, const struct json_place *input)
{
    read_players(out, input);
    out->ppg = read_list(out, sizeof *out->ppg, input, "encounters", read_ppg_row);
}

static void read_standings_row(void *row, const struct json_input *input,
                               const struct json_place *at)
{
    struct standings_encounter *e = row;
    double *const number[] = {&e->score_a, &e->score_b, &e->difference};
    int players[2];

    read_tuple(players, number, (size_t[]){5, 5},
               "needs [a, b, score of a, score of b, point difference]", input, at);
    e->a = players[0];
    e->b = players[1];
    if (isnan(e->score_a) || isnan(e->score_b) || isnan(e->difference)) {
        json_wrong(at, "needs numbers, not null");
    }
}

static void read_standings(struct json_input *out, const struct json_place *input)
{
    read_players(out, input);
    out->standings =
        read_list(out, sizeof *out->standings, input, "encounters", read_standings_row);
}

/* ------------------------------------------------------------------------------- ratings */

static void read_prior(struct rating_options *options, const struct json_place *at)
{
    const char *word = json_string_value(at->value);

    if (json_is_number(at->value)) {
        options->prior = RATING_PRIOR_FIXED;
        options->draws = json_need_number(at, 0);
    } else if (word != NULL && strcmp(word, "none") == 0) {
        options->prior = RATING_PRIOR_FIXED;
    } else if (word == NULL || strcmp(word, "auto") != 0) {
        json_wrong(at, "needs auto, none or a number");
    }
}

static void read_rating_options(struct json_input *out, const struct json_place *input)
{
    static const char *const modes[] = {"formula", "table"};
    struct json_place object = json_member(input, "options");
    struct json_place anchor = json_member(&object, "anchor"), mode = json_member(&object, "mode"),
                      prior = json_member(&object, "prior");

    if (!json_is_given(&object)) {
        return;
    }
    json_need_object(&object);
    if (json_is_given(&anchor) &&
        (!json_is_string(anchor.value) || strcmp(json_string_value(anchor.value), "mean") != 0)) {
        out->options.anchor = need_player(out, &anchor);
    }
    out->options.anchor_rating =
        json_member_perhaps(&object, "anchor_rating", -INFINITY, out->options.anchor_rating);
    if (json_is_given(&mode)) {
        out->table = json_need_word(modes, 2, &mode, "needs formula or table") == 1;
    }
    if (json_is_given(&prior)) {
        read_prior(&out->options, &prior);
    }
}

/* Reads pairs: three counts by wins of a, or five by its half wins as in `rate --json`. */
static void read_pairs(struct rating_row *row, const struct json_place *at)
{
    double n[3] = {0, 0, 0}, half[5];

    if (json_array_size(at->value) != 5) {
        json_need_pairs(n, at);
        *row = rating_row_pairs(row->a, row->b, row->length_points, n);
        return;
    }
    json_need_numbers(half, 5, at, 0, false);
    *row = rating_row_drawn(row->a, row->b, row->length_points,
                            (double[]){half[0], half[2], half[4]}, (double[]){half[1], half[3]});
}

static void read_rating_row(void *out, const struct json_input *input, const struct json_place *at)
{
    struct rating_row *row = out;
    struct json_place a = json_member(at, "a"), b = json_member(at, "b"),
                      pairs = json_member(at, "pairs");

    json_need_object(at);
    need_two(&row->a, &row->b, input, &a, &b);
    row->length_points = json_member_number(at, "length", 1);
    if (pairs.value == NULL) {
        row->wins_a = json_member_number(at, "wins_a", 0);
        row->wins_b = json_member_number(at, "wins_b", 0);
    } else if (json_object_get(at->value, "wins_a") != NULL ||
               json_object_get(at->value, "wins_b") != NULL) {
        /* Both would count the same matches twice. */
        json_wrong(&pairs, "give pairs or wins_a and wins_b, not both");
    } else if (json_is_fine(at)) {
        read_pairs(row, &pairs);
    }
}

static void read_opponent(void *row, const struct json_input *input, const struct json_place *at)
{
    struct rating_opponent *o = row;

    (void)input;
    if (json_need_list(at) != 4) {
        json_wrong(at, "needs [opponent's rating, length, wins, losses]");
    }
    o->rating = json_item_number(at, 0, -HUGE_VAL);
    o->length_points = json_item_number(at, 1, 1);
    o->wins = json_item_number(at, 2, 0);
    o->losses = json_item_number(at, 3, 0);
}

static void read_performance(void *row, const struct json_input *input, const struct json_place *at)
{
    struct json_performance *out = row;

    out->opponent = read_rows(&out->count, sizeof *out->opponent, input, at, read_opponent);
}

static void read_ratings(struct json_input *out, const struct json_place *input)
{
    struct json_place performance = json_member(input, "performance");

    read_players(out, input);
    read_rating_options(out, input);
    out->rating = read_list(out, sizeof *out->rating, input, "results", read_rating_row);
    out->has_performance = performance.value != NULL;
    if (out->has_performance) {
        out->performance = read_rows(&out->performances, sizeof *out->performance, out,
                                     &performance, read_performance);
    }
}

/* ------------------------------------------------------------------ FIBS, match by match */

static void read_match(void *row, const struct json_input *input, const struct json_place *at)
{
    struct json_match *out = row;
    struct json_place winner = json_item(at, 0), loser = json_item(at, 1);

    if (json_need_list(at) != 3) {
        json_wrong(at, "needs [winner, loser, length]");
    }
    need_two(&out->winner, &out->loser, input, &winner, &loser);
    out->length_points = json_item_number(at, 2, 1);
}

/* The list is kept as it stands, and not summed to encounters as for kind ratings: a FIBS rating
 * depends on the order of the matches. */
static void read_fibs(struct json_input *out, const struct json_place *input)
{
    struct json_place options = json_member(input, "options"), ramp = json_member(&options, "ramp");
    double pair[2] = {out->fibs.ramp_top, out->fibs.ramp_slope};

    read_players(out, input);
    if (json_is_given(&options)) {
        json_need_object(&options);
        out->fibs.start = json_member_perhaps(&options, "start", -HUGE_VAL, out->fibs.start);
    }
    if (ramp.value != NULL) {
        json_need_numbers(pair, 2, &ramp, 1, false);
    }
    out->fibs.ramp_top = pair[0];
    out->fibs.ramp_slope = pair[1];
    out->match = read_list(out, sizeof *out->match, input, "matches", read_match);
}

/* ---------------------------------------------------------------------- money, intervals */

/* The games are counted before they are read: the spread of a game is computed from one array over
 * all clusters, which must not move while it is filled. */
static void read_money(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "clusters");
    size_t games = 0;

    out->count = json_need_list(&list);
    for (size_t c = 0; c < out->count; c++) {
        struct json_place cluster = json_item(&list, c);

        games += json_need_list(&cluster);
    }
    out->points = memory_zeroed(out->count, sizeof *out->points);
    out->games = memory_zeroed(out->count, sizeof *out->games);
    out->game_points = memory_zeroed(games, sizeof *out->game_points);
    for (size_t c = 0; c < out->count && json_is_fine(&list); c++) {
        struct json_place cluster = json_item(&list, c);

        for (size_t g = 0; g < json_array_size(cluster.value); g++) {
            double points = json_item_number(&cluster, g, -HUGE_VAL);

            out->game_points[out->game_count++] = points;
            out->points[c] += points;
            out->games[c]++;
        }
    }
}

static void read_interval(void *out, const struct json_input *input, const struct json_place *at)
{
    struct json_interval *row = out;
    struct json_place pairs = json_member(at, "pairs");

    (void)input;
    json_need_object(at);
    row->paired = pairs.value != NULL;
    if (row->paired) {
        json_need_pairs(row->pairs, &pairs);
        return;
    }
    row->matches = json_member_number(at, "matches", 0);
    row->wins = json_member_number(at, "wins", 0);
    if (row->wins > row->matches) {
        json_wrong(at, "more wins than matches");
    }
}

static void read_intervals(struct json_input *out, const struct json_place *input)
{
    out->interval = read_list(out, sizeof *out->interval, input, "rows", read_interval);
}

/* --------------------------------------------------------------------- sequential tests */

static void read_hypotheses(struct json_test *out, const struct json_place *at, const char *h0,
                            const char *h1)
{
    struct json_place upper = json_member(at, h1);

    out->h0 = json_member_number(at, h0, -HUGE_VAL);
    out->h1 = json_member_number(at, h1, -HUGE_VAL);
    if (!(out->h0 < out->h1)) {
        json_wrong(&upper, "needs to be above the other hypothesis");
    }
}

/* Cluster means. */
static void read_normal(struct json_test *out, const struct json_place *at)
{
    struct json_place x = json_member(at, "x");
    size_t count = json_need_list(&x);
    double *score = memory_zeroed(count, sizeof *score);

    json_need_numbers(score, count, &x, -HUGE_VAL, false);
    out->clusters = (double)count;
    sprt_moments(&out->mean, &out->variance, score, count);
    read_hypotheses(out, at, "h0", "h1");
    free(score);
}

static void read_summary(struct json_test *out, const struct json_place *at)
{
    out->clusters = json_member_number(at, "m", 0);
    out->mean = json_member_number(at, "mean", -HUGE_VAL);
    out->variance = json_member_number(at, "var", 0);
    read_hypotheses(out, at, "h0", "h1");
}

/* Reads a row [length, won, lost]. */
static void read_lengths(void *row, const struct json_input *input, const struct json_place *at)
{
    struct json_test_row *out = row;
    struct json_place length = json_item(at, 0);
    double number[3];

    (void)input;
    json_need_numbers(number, 3, at, 0, false);
    if (number[0] < 1) {
        json_wrong(&length, "a match has at least 1 point");
    }
    *out = (struct json_test_row){number[0], number[1], number[2]};
}

static void read_binomial(struct json_test *out, const struct json_place *at)
{
    struct json_place rows = json_member(at, "rows");

    json_need_list(&rows);
    read_hypotheses(out, at, "h0", "h1");
    out->row = read_rows(&out->rows, sizeof *out->row, NULL, &rows, read_lengths);
    for (size_t i = 0; i < out->rows; i++) {
        out->clusters += out->row[i].won + out->row[i].lost;
    }
}

/* Reads mean scores directly, or from rating differences at a length. The multinomial model
 * compares mean scores, so rating differences are converted with the length here and not at each
 * use. */
static void read_scores(struct json_test *out, const struct json_place *at)
{
    if (json_object_get(at->value, "s0") != NULL || json_object_get(at->value, "s1") != NULL) {
        read_hypotheses(out, at, "s0", "s1");
    } else {
        double length = json_member_number(at, "length", 1);

        read_hypotheses(out, at, "h0", "h1");
        out->h0 = rating_expected(out->h0, length);
        out->h1 = rating_expected(out->h1, length);
    }
    if (!(out->h0 > 0 && out->h1 < 1 && out->h0 < out->h1)) {
        json_wrong(at, "needs two mean scores between 0 and 1");
    }
}

static void read_multinomial(struct json_test *out, const struct json_place *at)
{
    struct json_place counts = json_member(at, "counts");
    size_t size = json_need_list(&counts);

    if (size < 2 || size > SPRT_OUTCOMES_MAX) {
        json_wrong(&counts, "needs the counts of 2 to 9 outcomes, worst first");
        return;
    }
    out->outcomes = (int)size;
    json_need_numbers(out->counts, size, &counts, 0, false);
    for (size_t i = 0; i < size; i++) {
        out->clusters += out->counts[i];
    }
    read_scores(out, at);
}

/* Each model is reduced to the few sums that its likelihood ratio needs, so text and JSON compute
 * from the same. */
static void read_test(void *row, const struct json_input *input, const struct json_place *at)
{
    static const char *const models[] = {"normal", "normal_summary", "binomial", "multinomial"};
    static void (*const read[])(struct json_test * out, const struct json_place *at) = {
        read_normal, read_summary, read_binomial, read_multinomial};
    static const enum sprt_model model[] = {SPRT_NORMAL, SPRT_NORMAL, SPRT_BINOMIAL,
                                            SPRT_MULTINOMIAL};
    struct json_test *out = row;
    struct json_place word = json_member(at, "model");
    int kind;

    (void)input;
    json_need_object(at);
    kind =
        json_need_word(models, 4, &word, "needs normal, normal_summary, binomial or multinomial");
    out->model = model[kind];
    out->alpha = json_member_perhaps(at, "alpha", 0, 0.05);
    out->beta = json_member_perhaps(at, "beta", 0, 0.05);
    out->min_clusters = json_member_perhaps(at, "min_clusters", 0, 0);
    /* Their sum of 1 or more would put the lower bound above the upper one: every test would stop
     * at once. */
    if (!(out->alpha > 0 && out->beta > 0 && out->alpha + out->beta < 1)) {
        json_wrong(at, "alpha and beta need to be above 0, together below 1");
    }
    read[kind](out, at);
}

static void read_sprt(struct json_input *out, const struct json_place *input)
{
    out->test = read_list(out, sizeof *out->test, input, "tests", read_test);
}

/* ------------------------------------------------------------------------ luck and errors */

static int need_side(const struct json_place *object)
{
    static const char *const sides[] = {"A", "B"};
    struct json_place at = json_member(object, "side");

    return json_need_word(sides, 2, &at, "needs \"A\" or \"B\"");
}

/* Numbers are read as doubles, so a die of 2.5 has to be refused here. */
static int need_roll(const struct json_place *at)
{
    double dice[2];

    json_need_numbers(dice, 2, at, 1, false);
    for (int i = 0; i < 2; i++) {
        if (dice[i] > 6 || dice[i] != floor(dice[i])) {
            json_wrong(at, "needs two dice, 1 to 6");
        }
    }
    return json_is_fine(at) ? luck_roll_index((int)dice[0], (int)dice[1]) : 0;
}

/* Of 21 values a roll only its luck is kept, so a file of many games does not stay in memory. */
static void read_judged_roll(void *row, const struct json_input *input, const struct json_place *at)
{
    struct json_roll *out = row;
    struct json_place dice = json_member(at, "dice"), after = json_member(at, "after");
    struct json_place other = json_member(at, "other");
    double mine[LUCK_ROLLS], theirs[LUCK_ROLLS];
    /* The throw of an opening also decides who begins, so its luck needs the values of both
     * ways. */
    bool opening = json_is_given(&other);
    int index;

    json_need_object(at);
    out->side = need_side(at);
    index = need_roll(&dice);
    json_need_numbers(mine, LUCK_ROLLS, &after, -HUGE_VAL, true);
    if (opening) {
        json_need_numbers(theirs, LUCK_ROLLS, &other, -HUGE_VAL, true);
    }
    if (json_is_fine(at) &&
        !(opening ? luck_of_opening(&out->roll, mine, theirs, index, input->unit)
                  : luck_of_roll(&out->roll, mine, index))) {
        json_wrong(&dice, "this roll has no value in after");
    }
}

static void read_luck(struct json_input *out, const struct json_place *input)
{
    static const char *const units[] = {"points", "mwc"};
    struct json_place list = json_member(input, "rolls"), unit = json_member(input, "unit");

    json_need_list(&list);
    if (json_is_given(&unit)) {
        out->unit = (enum luck_unit)json_need_word(units, 2, &unit, "needs points or mwc");
    }
    out->result_a = json_member_number(input, "result_a", -HUGE_VAL);
    out->roll = read_list(out, sizeof *out->roll, input, "rolls", read_judged_roll);
}

static bool need_flag(const struct json_place *object, const char *key)
{
    struct json_place at = json_member(object, key);

    if (at.value != NULL && !json_is_boolean(at.value)) {
        json_wrong(&at, "needs true or false");
    }
    return json_is_true(at.value);
}

static void read_decision(void *row, const struct json_input *input, const struct json_place *at)
{
    static const char *const words[] = {"move", "nodouble", "double", "take", "drop"};
    struct json_decision *out = row;
    struct json_place kind = json_member(at, "kind");

    (void)input;
    json_need_object(at);
    out->side = need_side(at);
    out->as.kind = (enum errors_kind)json_need_word(words, 5, &kind,
                                                    "needs move, nodouble, double, take or drop");
    out->as.forced = need_flag(at, "forced");
    out->as.close = need_flag(at, "close");
    out->as.error = json_member_number(at, "error", 0);
}

static void read_errors(struct json_input *out, const struct json_place *input)
{
    out->decision = read_list(out, sizeof *out->decision, input, "decisions", read_decision);
}

/* ----------------------------------------------------------------------------- the kinds */

static const struct json_reader {
    const char *name;
    void (*read)(struct json_input *out, const struct json_place *input);
    const char *input[JSON_NAMES];   /* members of `input` */
    const char *options[JSON_NAMES]; /* of input.options */
    const char *rows;                /* a list in `input` whose items are objects */
    const char *row[JSON_NAMES];     /* and the members of these objects */
} kinds[JSON_KIND_COUNT] = {
    [JSON_RATINGS] = {"ratings",
                      read_ratings,
                      {"players", "options", "results", "performance"},
                      {"anchor", "anchor_rating", "prior", "mode"},
                      "results",
                      {"a", "b", "length", "wins_a", "wins_b", "pairs"}},
    [JSON_MONEY] = {"money", read_money, .input = {"clusters"}},
    [JSON_INTERVAL] =
        {"interval", read_intervals, {"rows"}, .rows = "rows", .row = {"wins", "matches", "pairs"}},
    [JSON_PPG_TABLE] = {"ppg_table", read_ppg_table, .input = {"players", "encounters"}},
    [JSON_STANDINGS] = {"standings", read_standings, .input = {"players", "encounters"}},
    [JSON_SPRT] = {"sprt",
                   read_sprt,
                   {"tests"},
                   .rows = "tests",
                   .row = {"model", "alpha", "beta", "min_clusters", "x", "m", "mean", "var",
                           "rows", "h0", "h1", "counts", "length", "s0", "s1"}},
    [JSON_FIBS] = {"fibs",
                   read_fibs,
                   {"players", "matches", "options"},
                   .options = {"start", "ramp"}},
    [JSON_ERRORS] = {"errors",
                     read_errors,
                     {"decisions"},
                     .rows = "decisions",
                     .row = {"side", "kind", "forced", "close", "error"}},
    [JSON_LUCK] = {"luck",
                   read_luck,
                   {"result_a", "rolls", "unit", "initial_equity_a", "error_a", "error_b"},
                   .rows = "rolls",
                   .row = {"side", "dice", "after", "other"}},
};

/* Returns all kinds: "ratings, money, ... and luck". */
static const char *json_input_kinds(void)
{
    return "ratings, money, interval, ppg_table, standings, sprt, fibs, errors and luck";
}

/* A test vector has its answer in the same file, so `expected` and `description` are allowed,
 * and are not read. */
static void check_known(const struct json_reader *kind, const struct json_place *root,
                        const struct json_place *input)
{
    static const char *const names[JSON_NAMES] = {"kind", "input", "name", "description",
                                                  "expected"};
    struct json_place options = json_member(input, "options");
    struct json_place rows = json_member(input, kind->rows == NULL ? "" : kind->rows);

    json_check_members(root, names);
    json_check_members(input, kind->input);
    json_check_members(&options, kind->options);
    for (size_t i = 0; i < json_array_size(rows.value) && json_is_fine(root); i++) {
        struct json_place row = json_item(&rows, i);

        json_check_members(&row, kind->row);
    }
}

/* -------------------------------------------------------------------------------- the file */

static void read_root(struct json_input *out, const struct json_place *root)
{
    struct json_file *file = root->file;
    struct json_place kind = json_member(root, "kind"), input = json_member(root, "input");
    const char *word = json_string_value(kind.value);
    const char *title = json_string_value(json_object_get(root->value, "name"));
    char what[128];

    if (!json_is_object(root->value)) {
        file->status = bg_error_set(file->err, BG_E_FORMAT,
                                    "%s: needs an object with kind and input", file->name);
        return;
    }
    if (word == NULL) {
        snprintf(what, sizeof what, "missing; there are %s", json_input_kinds());
        json_wrong(&kind, what);
        return;
    }
    json_need_object(&input);
    out->title = clean_copy(title != NULL ? title : file->name, CLEAN_LINE);
    if (out->title == NULL) {
        memory_none(strlen(file->name));
    }
    for (int k = 0; k < JSON_KIND_COUNT; k++) {
        if (strcmp(kinds[k].name, word) == 0) {
            out->kind = (enum json_kind)k;
            /* Unknown members first: a mistyped name would otherwise be reported as a missing
             * member, or be left out without a word. */
            check_known(&kinds[k], root, &input);
            if (json_is_fine(root)) {
                kinds[k].read(out, &input);
            }
            return;
        }
    }
    if (json_is_fine(root)) {
        file->status =
            bg_error_set(file->err, BG_E_FORMAT, "%s: kind %.40s is not supported; there are %s",
                         file->name, word, json_input_kinds());
    }
}

enum { INPUT_MOST = 256 << 20 }; /* a tree takes some twenty times its text */

enum bg_status json_input_read(struct json_input *out, const char *path, struct bg_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    struct json_file file = {.name = standard ? "standard input" : path, .err = err};
    struct json_place root = {.file = &file};
    FILE *in = stdin;
    const char *why = standard ? NULL : plain_file_open(&in, path, INPUT_MOST);
    json_error_t trouble;
    json_t *json = NULL;

    *out = (struct json_input){.options = RATING_OPTIONS_INIT, .fibs = FIBS_OPTIONS_INIT};
    if (why != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: %s", path, why);
    }
    /* Of two members with one name jansson would keep the last and say nothing. */
    json = json_loadf(in, JSON_REJECT_DUPLICATES, &trouble);
    if (json == NULL && ferror(in)) {
        file.status = bg_error_set(err, BG_E_SYSTEM, "read %s: %s", file.name, strerror(errno));
    } else if (json == NULL) {
        file.status = bg_error_set(err, BG_E_FORMAT, "%s:%d:%d: %s", file.name, trouble.line,
                                   trouble.column, trouble.text);
    } else {
        root.value = json;
        read_root(out, &root);
    }
    /* What was read is in plain arrays and copies of names now; nothing points into the tree. */
    json_decref(json);
    if (!standard) {
        fclose(in);
    }
    if (file.status != BG_OK) {
        json_input_deinit(out);
    }
    return file.status;
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
