/* The strengths are fitted twice: the spread of pairs is known only when it is known what each
 * match should give, so a draft with the spread of single matches comes first. */
#include <math.h>
#include <stdlib.h>

#include "contrasts.h"

#include "base/memory.h"
#include "field.h"
#include "graph.h"
#include "strength.h"
#include "student.h"

/* So many pairs that spread like single matches are added to an event's own, and one more for each
 * parameter. A spread that is used only where it is small is too small on average, most of all with
 * few pairs; and an event whose pairs were all split is not certain. Where results choose the
 * opponents, the fit follows them by more than its parameters: in a Swiss of 16 bots with 40 pairs
 * these alone cover a point less (tools/campaign-coverage). */
static const double PRIOR_PAIRS = 6;
static const double LN10 = 2.302585092994045684;

/* The work space for the fit of an event's matches. */
struct strength_matches_work {
    struct strength *out;
    const struct rating_row *row;
    size_t rows;
    const struct rating_options *options;
    double *matches, *wins;           /* [bots] */
    const struct rating_row **inside; /* rows of one group */
    int *place, *member;              /* [bots]: number inside its group, and back */
    struct field_result *result;      /* of the rows of one group */
    double unit;                      /* rating points: one logit of a match of the mean length */
    double squares, expected, pairs;  /* over all pairs, for the design effect */
    double parameters;
    double s;   /* of the draft's last group */
    bool draft; /* no design effect is known yet */
    struct bg_error *err;
};

static double beta_of(const struct rating_row *row)
{
    return LN10 * sqrt(row->length_points) / 2000;
}

static double row_matches(const struct rating_row *row)
{
    return row->wins_a + row->wins_b;
}

static void work_init(struct strength_matches_work *work)
{
    size_t n = (size_t)work->out->bots + 1, rows = work->rows + 1;

    work->matches = memory_zeroed(n, sizeof(double));
    work->wins = memory_zeroed(n, sizeof(double));
    work->inside = memory_zeroed(rows, sizeof *work->inside);
    work->place = memory_zeroed(n, sizeof(int));
    work->member = memory_zeroed(n, sizeof(int));
    work->result = memory_zeroed(rows, sizeof *work->result);
}

static void work_deinit(struct strength_matches_work *work)
{
    free(work->matches);
    free(work->wins);
    free((void *)work->inside);
    free(work->place);
    free(work->member);
    free(work->result);
}

/* Finds the groups that have met, and the unit of their strengths. */
static void find_groups(struct strength_matches_work *work)
{
    int bots = work->out->bots;
    struct graph_edge *met = memory_zeroed(work->rows, sizeof *met);
    int *group = memory_zeroed((size_t)bots, sizeof *group);
    size_t mets = 0;
    double matches = 0, lengths = 0;

    for (size_t k = 0; k < work->rows; k++) {
        const struct rating_row *row = &work->row[k];

        if (row_matches(row) > 0) {
            met[mets++] = (struct graph_edge){row->a, row->b};
            work->matches[row->a] += row_matches(row);
            work->matches[row->b] += row_matches(row);
            work->wins[row->a] += row->wins_a;
            work->wins[row->b] += row->wins_b;
            work->out->clusters += row->paired ? rating_row_count(row) : row_matches(row);
            matches += row_matches(row);
            lengths += row_matches(row) * row->length_points;
        }
    }
    work->unit = 2000 / LN10 / sqrt(matches > 0 ? lengths / matches : 1);
    work->out->groups = graph_groups(group, bots, met, mets);
    for (int i = 0; i < bots; i++) {
        struct strength_bot *bot = &work->out->bot[i];

        bot->group = group[i];
        bot->flag = group[i] < 0                        ? RATING_UNPLAYED
                    : work->wins[i] <= 0                ? RATING_WINLESS
                    : work->wins[i] >= work->matches[i] ? RATING_UNBEATEN
                                                        : RATING_OK;
    }
    free(met);
    free(group);
}

/* How much a row's pairs spread, relative to single matches: the event's design effect; from some
 * pairs on more and more its own. */
static double effect_of(const struct strength_matches_work *work, const struct rating_row *row)
{
    const struct strength *out = work->out;
    double count = rating_row_count(row), own = 0, share = 0, p = 0;

    if (!row->paired || work->draft || !isfinite(out->df)) {
        return 1;
    }
    p = rating_expected(out->bot[row->a].rating - out->bot[row->b].rating, row->length_points);
    if (count >= STRENGTH_SMALL) {
        share = contrasts_own_share(count - 1);
        own = rating_row_squares(row, p) / (2 * count * p * (1 - p));
    }
    return share * strength_effect_at(p, own) +
           (1 - share) * strength_effect_at(p, out->design_effect);
}

/* Collects a group's members and results. Returns how many rows. */
static size_t gather_rows(struct strength_matches_work *work, int group, int *size)
{
    struct strength *out = work->out;
    size_t rows = 0;

    *size = 0;
    for (int i = 0; i < out->bots; i++) {
        if (out->bot[i].group == group) {
            work->place[i] = *size;
            work->member[(*size)++] = i;
        }
    }
    for (size_t k = 0; k < work->rows; k++) {
        const struct rating_row *row = &work->row[k];

        if (row_matches(row) > 0 && out->bot[row->a].group == group) {
            double effect = effect_of(work, row);

            work->result[rows] = (struct field_result){.a = work->place[row->a],
                                                       .b = work->place[row->b],
                                                       .slope = beta_of(row) * work->unit,
                                                       .won = row->wins_a / effect,
                                                       .lost = row->wins_b / effect};
            work->inside[rows++] = row;
        }
    }
    return rows;
}

/* Adds what the rows say about expected wins and the spread of pairs. */
static void add_spread(struct strength_matches_work *work, size_t rows)
{
    struct strength *out = work->out;

    for (size_t k = 0; k < rows; k++) {
        const struct rating_row *row = work->inside[k];
        struct strength_bot *a = &out->bot[row->a], *b = &out->bot[row->b];
        double p = rating_expected(a->rating - b->rating, row->length_points);
        double n = row_matches(row), beta = beta_of(row);

        a->expected_wins += n * p;
        b->expected_wins += n * (1 - p);
        if (row->paired) {
            work->squares += beta * beta * rating_row_squares(row, p);
            work->expected += beta * beta * 2 * rating_row_count(row) * p * (1 - p);
            work->pairs += rating_row_count(row);
        }
    }
}

/* Computes one design effect for the event. The legs of a duplicate pair do not make each other
 * more likely, so the model's own variance is an upper bound. It is used if few pairs would give a
 * wider interval, unless the pairs clearly spread more than that. */
static void pool(struct strength_matches_work *work)
{
    struct strength *out = work->out;
    double df = work->pairs - work->parameters, prior = PRIOR_PAIRS + work->parameters, c = NAN;

    out->df = INFINITY;
    if (!(df >= 1) || !(work->expected > 0)) {
        return;
    }
    c = work->squares / work->expected * work->pairs + prior;
    df += prior;
    c /= df;
    if (student_t95(df) * sqrt(c) < STAT_Z95 || c > student_chi99(df)) {
        out->design_effect = c;
        out->df = df;
    }
}

/* Puts the draft's strengths and s into the field. */
static void start_from_draft(struct field *field, const struct strength_matches_work *work,
                             int size)
{
    const struct strength_bot *bot = work->out->bot;
    double mean = 0;

    field->strength = memory_zeroed((size_t)size, sizeof(double));
    field->information = memory_zeroed((size_t)size, sizeof(double));
    field->nodes = size;
    for (int i = 0; i < size; i++) {
        field->strength[i] = bot[work->member[i]].rating / work->unit;
        mean += field->strength[i] / size;
    }
    for (int i = 0; i < size; i++) {
        field->strength[i] -= mean;
    }
    field->s = work->s;
}

/* Rates a group; with a draft only its bots' strengths, for the spread of pairs. */
static enum bg_status rate_group(struct strength_matches_work *work, int group)
{
    struct strength *out = work->out;
    struct field field = {0};
    int size = 0;
    size_t rows = gather_rows(work, group, &size);
    enum bg_status status;

    if (!work->draft) {
        start_from_draft(&field, work, size);
    }
    status = field_fit(&field, size, work->result, rows, work->draft, work->err);
    if (status == BG_OK) {
        work->s = field.s;
        strength_publish(out, &field, work->member,
                         &(struct strength_scale){work->unit, work->options->anchor_rating,
                                                  work->options->anchor});
        for (int i = 0; i < size; i++) {
            out->bot[work->member[i]].expected_wins = 0;
        }
        work->parameters += field.effective;
        add_spread(work, rows);
    }
    if (status == BG_OK && !work->draft) {
        strength_compare(out, &field, work->member);
    }
    field_deinit(&field);
    return status;
}

enum bg_status strength_of_matches(struct strength *out, int bots, const struct rating_row *rows,
                                   size_t count, const struct rating_options *options,
                                   struct bg_error *err)
{
    struct strength_matches_work work = {
        .out = out, .row = rows, .rows = count, .options = options, .err = err};
    enum bg_status status = BG_OK;

    strength_create(out, bots);
    work_init(&work);
    find_groups(&work);
    work.draft = true;
    for (int g = 0; status == BG_OK && g < out->groups; g++) {
        status = rate_group(&work, g);
    }
    pool(&work);
    work.draft = false;
    for (int g = 0; status == BG_OK && g < out->groups; g++) {
        status = rate_group(&work, g);
    }
    if (status == BG_OK) {
        strength_claim(out);
    }
    work_deinit(&work);
    if (status != BG_OK) {
        strength_deinit(out);
    }
    return status;
}
