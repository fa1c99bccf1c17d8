/* Kind sprt: tests of four models, reduced to moments, rows and counts. Each model is reduced to
 * the few sums that its likelihood ratio needs, so text and JSON compute from the same, and
 * json_test_llr is the one place that knows which function belongs to which model. */
#include "base/memory.h"
#include "json_read.h"

#include <math.h>
#include <stdlib.h>

static const char NO_MODEL[] = "needs normal, normal_summary, binomial or multinomial";

/* alpha + beta of 1 or more would put the lower bound above the upper one: every test would stop
 * at once. */
static enum bg_status read_errors(struct json_test *out, const struct json_place *at)
{
    enum bg_status status = json_member_perhaps(&out->alpha, at, "alpha", 0);

    if (status == BG_OK) {
        status = json_member_perhaps(&out->beta, at, "beta", 0);
    }
    if (status == BG_OK) {
        status = json_member_perhaps(&out->min_clusters, at, "min_clusters", 0);
    }
    if (status == BG_OK && !(out->alpha > 0 && out->beta > 0 && out->alpha + out->beta < 1)) {
        status = json_wrong(at, "alpha and beta need to be above 0, together below 1");
    }
    return status;
}

static enum bg_status read_hypotheses(struct json_test *out, const struct json_place *at,
                                      const char *h0, const char *h1)
{
    struct json_place upper = json_member(at, h1);
    enum bg_status status = json_member_number(&out->h0, at, h0, -HUGE_VAL);

    if (status == BG_OK) {
        status = json_member_number(&out->h1, at, h1, -HUGE_VAL);
    }
    return status == BG_OK && !(out->h0 < out->h1)
               ? json_wrong(&upper, "needs to be above the other hypothesis")
               : status;
}

/* Cluster means. */
static enum bg_status read_normal(struct json_test *out, const struct json_place *at)
{
    struct json_place x = json_member(at, "x");
    enum bg_status status = json_need_list(&x);
    size_t count = status == BG_OK ? json_array_size(x.value) : 0;
    double *score = memory_zeroed(count, sizeof *score);

    if (status == BG_OK) {
        status = json_need_numbers(score, count, &x, -HUGE_VAL, false);
    }
    if (status == BG_OK) {
        out->clusters = (double)count;
        sprt_moments(&out->mean, &out->variance, score, count);
        status = read_hypotheses(out, at, "h0", "h1");
    }
    free(score);
    return status;
}

static enum bg_status read_summary(struct json_test *out, const struct json_place *at)
{
    enum bg_status status = json_member_number(&out->clusters, at, "m", 0);

    if (status == BG_OK) {
        status = json_member_number(&out->mean, at, "mean", -HUGE_VAL);
    }
    if (status == BG_OK) {
        status = json_member_number(&out->variance, at, "var", 0);
    }
    return status == BG_OK ? read_hypotheses(out, at, "h0", "h1") : status;
}

/* Reads rows [length, won, lost]. */
static enum bg_status read_binomial(struct json_test *out, const struct json_place *at)
{
    struct json_place rows = json_member(at, "rows");
    enum bg_status status = json_need_list(&rows);

    if (status == BG_OK) {
        out->rows = json_array_size(rows.value);
        out->row = memory_zeroed(out->rows, sizeof *out->row);
        status = read_hypotheses(out, at, "h0", "h1");
    }
    for (size_t i = 0; status == BG_OK && i < out->rows; i++) {
        struct json_place row = json_item(&rows, i), length = json_item(&row, 0);
        double number[3];

        status = json_need_numbers(number, 3, &row, 0, false);
        if (status == BG_OK && number[0] < 1) {
            status = json_wrong(&length, "a match has at least 1 point");
        }
        if (status == BG_OK) {
            out->row[i] = (struct json_test_row){number[0], number[1], number[2]};
            out->clusters += number[1] + number[2];
        }
    }
    return status;
}

/* Reads mean scores directly, or from rating differences at a length. The multinomial model
 * compares mean scores, so rating differences are converted with the length here and not at each
 * use. */
static enum bg_status read_scores(struct json_test *out, const struct json_place *at)
{
    double length = 0;
    enum bg_status status = BG_OK;

    if (json_object_get(at->value, "s0") != NULL || json_object_get(at->value, "s1") != NULL) {
        status = read_hypotheses(out, at, "s0", "s1");
    } else {
        status = json_member_number(&length, at, "length", 1);
        if (status == BG_OK) {
            status = read_hypotheses(out, at, "h0", "h1");
        }
        out->h0 = rating_expected(out->h0, length);
        out->h1 = rating_expected(out->h1, length);
    }
    return status == BG_OK && !(out->h0 > 0 && out->h1 < 1 && out->h0 < out->h1)
               ? json_wrong(at, "needs two mean scores between 0 and 1")
               : status;
}

static enum bg_status read_multinomial(struct json_test *out, const struct json_place *at)
{
    struct json_place counts = json_member(at, "counts");
    enum bg_status status = json_need_list(&counts);
    size_t size = status == BG_OK ? json_array_size(counts.value) : 0;

    if (status == BG_OK && (size < 2 || size > SPRT_OUTCOMES_MAX)) {
        status = json_wrong(&counts, "needs the counts of 2 to 9 outcomes, worst first");
    }
    if (status == BG_OK) {
        out->outcomes = (int)size;
        status = json_need_numbers(out->counts, size, &counts, 0, false);
    }
    for (size_t i = 0; status == BG_OK && i < size; i++) {
        out->clusters += out->counts[i];
    }
    return status == BG_OK ? read_scores(out, at) : status;
}

static enum bg_status read_test(struct json_test *out, const struct json_place *at)
{
    static const char *const models[] = {"normal", "normal_summary", "binomial", "multinomial"};
    static enum bg_status (*const read[])(struct json_test * out, const struct json_place *at) = {
        read_normal, read_summary, read_binomial, read_multinomial};
    static const enum sprt_model model[] = {SPRT_NORMAL, SPRT_NORMAL, SPRT_BINOMIAL,
                                            SPRT_MULTINOMIAL};
    struct json_place word = json_member(at, "model");
    enum bg_status status = json_need_object(at);
    int kind = 0;

    out->alpha = out->beta = 0.05;
    if (status == BG_OK) {
        status = json_need_word(&kind, models, 4, &word, NO_MODEL);
    }
    if (status == BG_OK) {
        status = read_errors(out, at);
    }
    out->model = model[kind];
    return status == BG_OK ? read[kind](out, at) : status;
}

enum bg_status json_read_sprt(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "tests");
    enum bg_status status = json_need_list(&list);

    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->test = memory_zeroed(out->count, sizeof *out->test);
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct json_place at = json_item(&list, k);

        status = read_test(&out->test[k], &at);
    }
    return status;
}

double json_test_llr(const struct json_test *test)
{
    double llr = 0;

    switch (test->model) {
    case SPRT_NORMAL:
        return sprt_normal(test->clusters, test->mean, test->variance, test->h0, test->h1);
    case SPRT_BINOMIAL:
        for (size_t i = 0; i < test->rows; i++) {
            llr += sprt_binomial(test->row[i].length_points, test->row[i].won, test->row[i].lost,
                                 test->h0, test->h1);
        }
        return llr;
    case SPRT_MULTINOMIAL:
        return sprt_multinomial(test->counts, test->outcomes, test->h0, test->h1);
    case SPRT_NORMALISED: /* not available in files */
        break;
    }
    return NAN;
}

enum sprt_state json_test_state(const struct json_test *test)
{
    return test->clusters < test->min_clusters
               ? SPRT_CONTINUE
               : sprt_decide(json_test_llr(test), sprt_bounds_of(test->alpha, test->beta));
}
