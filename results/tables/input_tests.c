/* The kinds that need more than one number from each row of the file. They are apart from
 * input_text.c only because of its size; both are called through one table there, so every
 * function has the same parameters, and `err` is not used where nothing can fail. */
#include "input_tests.h"

#include <math.h>
#include <stdlib.h>

#include "tables/page.h"

static const char *model_name(enum sprt_model model)
{
    static const char *const names[] = {"normal", "binomial", "multinomial", "normalised"};

    return names[model];
}

enum bg_status input_text_sprt(FILE *out, const struct json_input *input, struct bg_error *err)
{
    (void)err;
    fprintf(out, "%-11s %9s %9s %9s %9s %9s %9s %9s  %s\n", "model", "clusters", "h0", "h1", "LLR",
            "Wald", "lower", "upper", "state");
    for (size_t k = 0; k < input->count; k++) {
        const struct json_test *test = &input->test[k];
        struct sprt_bounds bounds = sprt_bounds_of(test->alpha, test->beta);
        double llr = json_test_llr(test);

        fprintf(out, "%-11s", model_name(test->model));
        page_number(out, 10, 0, test->clusters);
        page_number(out, 10, 4, test->h0);
        page_number(out, 10, 4, test->h1);
        page_number(out, 10, 3, llr);
        page_number(
            out, 10, 3,
            test->model == SPRT_NORMAL
                ? sprt_normal_wald(test->clusters, test->mean, test->variance, test->h0, test->h1)
                : NAN);
        page_number(out, 10, 3, bounds.lower);
        page_number(out, 10, 3, bounds.upper);
        fprintf(out, "  %s\n", sprt_state_name(json_test_state(test)));
    }
    return BG_OK;
}

/* The matches are replayed one after the other: a FIBS rating depends on their order, so no sum
 * of them gives the same. */
enum bg_status input_text_fibs(FILE *out, const struct json_input *input, struct bg_error *err)
{
    struct fibs_player *player = json_fibs_players(input);
    int width = input_text_width(input);

    (void)err;
    for (size_t k = 0; k < input->count; k++) {
        const struct json_match *m = &input->match[k];

        fibs_match(&player[m->winner], &player[m->loser], m->length_points, &input->fibs);
    }
    fprintf(out, "%-*s %8s %11s\n", width, "Name", "FIBS", "experience");
    for (int i = 0; i < input->players; i++) {
        page_name(out, width, input->names[i]);
        page_number(out, 9, 1, player[i].rating);
        page_number(out, 12, 0, player[i].experience);
        fputc('\n', out);
    }
    page_wrap(out, 2,
              "* The rating depends on the order of the matches and does not converge (its own "
              "noise is about 40 points); kind ratings gives ratings with error bars.");
    free(player);
    return BG_OK;
}

enum bg_status input_text_errors(FILE *out, const struct json_input *input, struct bg_error *err)
{
    struct errors_sum sum[2];

    (void)err;
    json_errors_sum(sum, input);
    fprintf(out, "side %9s %9s %9s %9s %9s\n", "decisions", "error", "mEMG", "PR", "Snowie");
    for (int side = 0; side < 2; side++) {
        struct errors_rates rates = errors_rates_of(&sum[side], &sum[1 - side]);

        fprintf(out, "%c   ", "AB"[side]);
        page_number(out, 10, 0, sum[side].counted);
        page_number(out, 10, 4, sum[side].error);
        page_number(out, 10, 2, rates.milli);
        page_number(out, 10, 2, rates.pr);
        page_number(out, 10, 2, rates.snowie);
        fputc('\n', out);
    }
    page_wrap(out, 2,
              "* By the judge that found these errors: do not compare rates of different judges, "
              "and do not rank by them.");
    return BG_OK;
}

enum bg_status input_text_luck(FILE *out, const struct json_input *input, struct bg_error *err)
{
    double luck[2], adjusted = 0;
    const char *unit = input->unit == LUCK_POINTS ? "points" : "MWC";

    (void)err;
    json_luck_sum(luck, input);
    adjusted = luck_adjusted(input->result_a, luck[0], luck[1]);
    fprintf(out, "roll side %9s %9s\n", "before", "luck");
    for (size_t k = 0; k < input->count; k++) {
        fprintf(out, "%4zu %c   ", k + 1, "AB"[input->roll[k].side]);
        page_signed(out, 10, 4, input->roll[k].roll.before);
        page_signed(out, 10, 4, input->roll[k].roll.luck);
        fputc('\n', out);
    }
    fprintf(out, "result of A ");
    page_signed(out, 0, 4, input->result_a);
    fprintf(out, ", luck of A ");
    page_signed(out, 0, 4, luck[0]);
    fprintf(out, ", of B ");
    page_signed(out, 0, 4, luck[1]);
    fprintf(out, "\nwithout luck: A ");
    page_signed(out, 0, 4, adjusted);
    fprintf(out, ", B ");
    page_signed(out, 0, 4, luck_other_side(input->unit, adjusted));
    fprintf(out, " (%s)\n", unit);
    return BG_OK;
}
