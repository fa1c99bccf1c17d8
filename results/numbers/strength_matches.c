/* The strengths are fitted twice: the spread of pairs is known only when it is known what each
 * match should give, so a draft with the spread of single matches comes first. */
#include "strength.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#include "field.h"
#include "graph.h"
#include "significance.h"

/* So many pairs that spread like single matches are added to an event's own, and one more for each
 * parameter. A spread that is used only where it is small is too small on average, most of all with
 * few pairs; and an event whose pairs were all split is not certain. Where results choose the
 * opponents, the fit follows them by more than its parameters: in a Swiss of 16 bots with 40 pairs
 * these alone cover a point less (tools/campaign-coverage). */
static const double PRIOR_PAIRS = 2;

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

/* The design effect of pairs whose legs are won with chance p: the event's, but limited, because
 * two legs cannot exclude each other more than their chances allow. */
static double effect_at(double p, double effect)
{
    double most = fmax(p, 1 - p);

    return fmax(effect, (2 * most - 1) / most);
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

        if (rating_row_matches(row) > 0) {
            met[mets++] = (struct graph_edge){row->a, row->b};
            work->matches[row->a] += rating_row_matches(row);
            work->matches[row->b] += rating_row_matches(row);
            work->wins[row->a] += row->wins_a;
            work->wins[row->b] += row->wins_b;
            work->out->clusters += row->paired ? rating_row_count(row) : rating_row_matches(row);
            matches += rating_row_matches(row);
            lengths += rating_row_matches(row) * row->length_points;
        }
    }
    /* Not 1 / rating_slope(): it rounds in another way, and the same games would get other digits
     * than they had in results that are published. */
    work->unit = 2000 / 2.302585092994045684 / sqrt(matches > 0 ? lengths / matches : 1);
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
        share = strength_own_share(count - 1);
        own = rating_row_squares(row, p) / (2 * count * p * (1 - p));
    }
    return share * effect_at(p, own) + (1 - share) * effect_at(p, out->design_effect);
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

        if (rating_row_matches(row) > 0 && out->bot[row->a].group == group) {
            double effect = effect_of(work, row);

            work->result[rows] =
                (struct field_result){.a = work->place[row->a],
                                      .b = work->place[row->b],
                                      .slope = rating_slope(row->length_points) * work->unit,
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
        double n = rating_row_matches(row), beta = rating_slope(row->length_points);

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
    if (status == BG_OK && !work->draft && !work->options->uncompared) {
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
    if (status == BG_OK && !options->uncompared) {
        strength_claim(out);
    }
    work_deinit(&work);
    if (status != BG_OK) {
        strength_deinit(out);
    }
    return status;
}

/* ------------------------------------------------------------------ shares of matches */

/* Whether the rating difference of the row's two bots comes only from their direct results. */
static bool is_alone(const struct strength *strength, const struct rating_row *row)
{
    const struct strength_bot *a = &strength->bot[row->a], *b = &strength->bot[row->b];
    int size = 0;

    for (int i = 0; i < strength->bots && size <= 2; i++) {
        size += strength->bot[i].group == a->group;
    }
    return size == 2 && a->group >= 0 && a->group == b->group && a->bar + b->bar > 0;
}

/* The number of matches in these rows that a bot wins on average if it is so many rating points
 * better. */
static double wins_at(const struct rating_row *rows, size_t count, double better)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++) {
        sum += rating_row_matches(&rows[k]) * rating_expected(better, rows[k].length_points);
    }
    return sum;
}

/* The share of matches between two bots whose ratings come from these matches: converts the
 * interval of their rating difference to a share, so that it contains one half exactly when the
 * ratings find neither bot better. */
static void share_of_rating(struct winrate *out, double *df, const struct strength *strength,
                            const struct rating_row *rows, size_t count, int bot)
{
    const struct strength_bot *me = &strength->bot[bot];
    const struct strength_bot *opponent = &strength->bot[rows->a == bot ? rows->b : rows->a];
    double better = me->rating - opponent->rating, slope = 0;

    *df = fmin(me->bar > 0 ? me->df : (double)INFINITY,
               opponent->bar > 0 ? opponent->df : (double)INFINITY);
    for (size_t k = 0; k < count; k++) {
        double p = rating_expected(better, rows[k].length_points);

        slope += rating_row_matches(&rows[k]) * rating_slope(rows[k].length_points) * p * (1 - p);
    }
    out->se = slope * (me->se + opponent->se) / out->matches;
    out->deff = out->se * out->se * out->matches / (out->rate * (1 - out->rate));
    /* if lengths disagree, the share itself can lie outside the interval */
    out->wilson[0] = fmin(out->rate, wins_at(rows, count, me->low - opponent->high) / out->matches);
    out->wilson[1] = fmax(out->rate, wins_at(rows, count, me->high - opponent->low) / out->matches);
}

/* Sums over a bot's rows, for its share of matches. */
struct won {
    double wins, matches, expected, units, known, shared;
    size_t first, rows; /* of several bots: the place of its first row, and how many it has */
    int opponent;       /* the last one */
    bool several;       /* opponents */
};

/* Adds a row as each of its bots sees it; a bot may be NULL. */
static void add_won(struct won *of_a, struct won *of_b, const struct strength *strength,
                    const struct rating_row *row)
{
    const struct strength_bot *a = &strength->bot[row->a], *b = &strength->bot[row->b];
    double n = rating_row_matches(row), p = row->wins_a / n, known = 0, shared = 0;

    if (a->group == b->group) {
        p = rating_expected(a->rating - b->rating, row->length_points);
    }
    if (row->paired && isfinite(strength->df)) {
        double share = strength_own_share(rating_row_count(row) - 1);

        shared = (1 - share) * n * p * (1 - p) * effect_at(p, strength->design_effect);
        known = share * rating_row_squares(row, p);
    } else {
        known = n * p * (1 - p);
    }
    for (int side = 0; side < 2; side++) {
        struct won *won = side == 0 ? of_a : of_b;

        if (won != NULL) {
            won->wins += side == 0 ? row->wins_a : row->wins_b;
            won->matches += n;
            won->expected += n * (side == 0 ? p : 1 - p);
            won->units += (row->paired ? rating_row_count(row) : n);
            won->known += known;
            won->shared += shared;
        }
    }
}

/* Wins are whole: a total stands for half a win to either side, which is a variance of its own
 * (Sheppard's correction). Without it the shares of bots with ten matches in a Swiss with two bots
 * far out of reach held 92.6 % (tools/campaign-coverage). */
static const double WHOLE_WINS = 1.0 / 12;

static void close_won(struct winrate *out, double *df, const struct won *won,
                      const struct strength *strength)
{
    *df = won->shared > 0 ? strength->df * pow(1 + won->known / won->shared, 2) : INFINITY;
    winrate_of_variance(out, won->wins, won->matches, won->expected,
                        won->known + won->shared + WHOLE_WINS, won->units, student_t95(*df));
}

void strength_winrate(struct winrate *out, double *df, const struct strength *strength,
                      const struct rating_row *rows, size_t count, int bot)
{
    struct won won = {0};
    bool two = count > 0 && is_alone(strength, &rows[0]);

    for (size_t k = 0; k < count; k++) {
        const struct rating_row *row = &rows[k];

        if (rating_row_matches(row) > 0 && (row->a == bot || row->b == bot)) {
            two = two && (row->a == rows->a || row->a == rows->b) &&
                  (row->b == rows->a || row->b == rows->b);
            add_won(row->a == bot ? &won : NULL, row->b == bot ? &won : NULL, strength, row);
        }
    }
    close_won(out, df, &won, strength);
    if (two && won.wins > 0 && won.wins < won.matches) {
        share_of_rating(out, df, strength, rows, count, bot);
    }
}

/* Notes the place of a bot's row, and whether all its rows are against one opponent. */
static void place_won(struct won *won, size_t place, int opponent)
{
    won->first = won->rows == 0 ? place : won->first;
    won->several = won->several || (won->rows > 0 && won->opponent != opponent);
    won->opponent = opponent;
    won->rows++;
}

void strength_winrates(struct winrate *out, const struct strength *strength,
                       const struct rating_row *rows, size_t count)
{
    struct won *won = memory_zeroed((size_t)strength->bots, sizeof *won);
    double df = 0;

    for (size_t k = 0; k < count; k++) {
        if (rating_row_matches(&rows[k]) > 0) {
            place_won(&won[rows[k].a], k, rows[k].b);
            place_won(&won[rows[k].b], k, rows[k].a);
            add_won(&won[rows[k].a], &won[rows[k].b], strength, &rows[k]);
        }
    }
    for (int i = 0; i < strength->bots; i++) {
        if (won[i].rows > 0 && !won[i].several) { /* its rating may come from these rows alone */
            strength_winrate(&out[i], &df, strength, rows + won[i].first, won[i].rows, i);
        } else {
            close_won(&out[i], &df, &won[i], strength);
        }
    }
    free(won);
}
