#include <math.h>
#include <stdlib.h>

#include "contrasts.h"
#include "graph.h"
#include "large.h"
#include "profile.h"
#include "strength.h"
#include "student.h"

static const double LN10 = 2.302585092994045684;
static const double BOUND_LEVEL = 0.05;
static const double BOUND_REACH = 100000; /* rating points: larger than any real difference */

/* The work space for the fit of an event's matches. */
struct work {
    struct strength *out;
    const struct rating_row *row;
    size_t rows;
    const struct rating_options *options;
    int *component; /* [bots] strongly connected component over the whole event */
    int components;
    struct graph_edge *beat; /* winner, loser */
    size_t beats;
    double *matches, *wins;           /* [bots] */
    const struct rating_row **inside; /* rows inside one component */
    int *place, *member;              /* [bots]: number inside its component, and back */
    struct contrasts_edge *edge;      /* edges of one component */
    double squares, expected, pairs;  /* over all fitted pairs, for the design effect */
    double parameters;
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

static enum bg_status work_init(struct work *work)
{
    size_t n = (size_t)work->out->bots + 1, rows = work->rows + 1;

    work->component = calloc(n, sizeof(int));
    work->beat = large_array(2 * rows, sizeof *work->beat);
    work->matches = calloc(n, sizeof(double));
    work->wins = calloc(n, sizeof(double));
    work->inside = large_array(rows, sizeof *work->inside);
    work->place = calloc(n, sizeof(int));
    work->member = calloc(n, sizeof(int));
    work->edge = large_array(rows, sizeof *work->edge);
    if (work->component == NULL || work->beat == NULL || work->matches == NULL ||
        work->wins == NULL || work->inside == NULL || work->place == NULL || work->member == NULL ||
        work->edge == NULL) {
        return bg_error_set(work->err, BG_E_MEMORY, "ratings of %d bots", work->out->bots);
    }
    return BG_OK;
}

static void work_deinit(struct work *work)
{
    free(work->component);
    free(work->beat);
    free(work->matches);
    free(work->wins);
    free((void *)work->inside);
    free(work->place);
    free(work->member);
    free(work->edge);
}

/* Finds the groups that have met, and the components connected by wins. */
static enum bg_status find_parts(struct work *work)
{
    int bots = work->out->bots;
    struct graph_edge *met = large_array(work->rows, sizeof *met);
    int *group = calloc((size_t)bots + 1, sizeof *group);
    size_t mets = 0;
    int components = 0;
    enum bg_status status = BG_OK;

    if (met == NULL || group == NULL) {
        status = bg_error_set(work->err, BG_E_MEMORY, "groups of %d bots", bots);
        goto done;
    }
    for (size_t k = 0; k < work->rows; k++) {
        const struct rating_row *row = &work->row[k];

        if (row_matches(row) > 0) {
            met[mets++] = (struct graph_edge){row->a, row->b};
            work->matches[row->a] += row_matches(row);
            work->matches[row->b] += row_matches(row);
            work->wins[row->a] += row->wins_a;
            work->wins[row->b] += row->wins_b;
            work->out->clusters += row->paired ? rating_row_count(row) : row_matches(row);
        }
        if (row->wins_a > 0) {
            work->beat[work->beats++] = (struct graph_edge){row->a, row->b};
        }
        if (row->wins_b > 0) {
            work->beat[work->beats++] = (struct graph_edge){row->b, row->a};
        }
    }
    status = graph_groups(group, &work->out->groups, bots, met, mets, work->err);
    if (status == BG_OK) {
        status = graph_components(work->component, &components, bots, work->beat, work->beats,
                                  work->err);
        work->components = components;
    }
    for (int i = 0; status == BG_OK && i < bots; i++) {
        work->out->bot[i].group = group[i];
        work->out->bot[i].flag = group[i] < 0 ? RATING_UNPLAYED : RATING_OK;
    }
done:
    free(met);
    free(group);
    return status;
}

/* Numbers the components of a group. 0 is the core, the one with most matches; with ties, the one
 * with the smallest bot. number[c]: for strong component c. */
static void number_components(struct work *work, int group, int *number, double *size)
{
    struct strength *out = work->out;
    int core = -1, next = 1;

    for (int c = 0; c < work->components; c++) {
        size[c] = 0;
        number[c] = -1;
    }
    for (int i = 0; i < out->bots; i++) {
        size[work->component[i]] += out->bot[i].group == group ? work->matches[i] : 0;
    }
    for (int i = 0; i < out->bots; i++) {
        int c = work->component[i];

        if (out->bot[i].group == group && (core < 0 || size[c] > size[core])) {
            core = c;
        }
    }
    for (int i = 0; i < out->bots; i++) {
        int c = work->component[i];

        if (out->bot[i].group == group) {
            number[c] = c == core ? 0 : number[c] < 0 ? next++ : number[c];
            out->bot[i].component = number[c];
        }
    }
}

static bool has_outsiders(const struct strength *out)
{
    bool has = false;

    for (int i = 0; i < out->bots && !has; i++) {
        has = out->bot[i].component > 0;
    }
    return has;
}

/* Marks the bots above and below their core. */
static enum bg_status flag_sides(struct work *work)
{
    struct strength *out = work->out;
    size_t n = (size_t)out->bots + 1;
    bool *core = calloc(n, sizeof *core), *below = calloc(n, sizeof *below),
         *above = calloc(n, sizeof *above);
    enum bg_status status = BG_OK;

    if (core == NULL || below == NULL || above == NULL) {
        status = bg_error_set(work->err, BG_E_MEMORY, "sides of %d bots", out->bots);
        goto done;
    }
    for (int i = 0; i < out->bots; i++) {
        core[i] = out->bot[i].component == 0;
    }
    status = graph_reach(below, core, out->bots, work->beat, work->beats, false, work->err);
    if (status == BG_OK) {
        status = graph_reach(above, core, out->bots, work->beat, work->beats, true, work->err);
    }
    for (int i = 0; status == BG_OK && i < out->bots; i++) {
        if (out->bot[i].component > 0) {
            out->bot[i].flag = below[i] ? RATING_BELOW : above[i] ? RATING_ABOVE : RATING_APART;
        }
    }
done:
    free(core);
    free(below);
    free(above);
    return status;
}

static bool has_draws(const struct work *work)
{
    return work->options->prior == RATING_PRIOR_FIXED && work->options->draws > 0;
}

/* Finds the cores and the sets outside them. With virtual draws every group is one component. */
static enum bg_status split(struct work *work)
{
    struct strength *out = work->out;
    enum bg_status status = find_parts(work);
    size_t n = (size_t)work->components + 1;
    int *number = calloc(n, sizeof *number);
    double *size = calloc(n, sizeof *size);

    if (status == BG_OK && (number == NULL || size == NULL)) {
        status = bg_error_set(work->err, BG_E_MEMORY, "components of %d bots", out->bots);
    }
    for (int i = 0; status == BG_OK && has_draws(work) && i < out->bots; i++) {
        out->bot[i].component = out->bot[i].group < 0 ? -1 : 0;
    }
    if (status == BG_OK && !has_draws(work)) {
        for (int g = 0; g < out->groups; g++) {
            number_components(work, g, number, size);
        }
        status = has_outsiders(out) ? flag_sides(work) : BG_OK;
    }
    free(number);
    free(size);
    return status;
}

/* Collects the members of bot `first`'s component, and its rows. Returns how many rows. */
static size_t gather(struct work *work, int first, int *size)
{
    struct strength *out = work->out;
    int group = out->bot[first].group, component = out->bot[first].component;
    size_t rows = 0;

    *size = 0;
    for (int i = 0; i < out->bots; i++) {
        if (out->bot[i].group == group && out->bot[i].component == component) {
            work->place[i] = *size;
            work->member[(*size)++] = i;
        }
    }
    if (*size == 1) {
        return 0;
    }
    for (size_t k = 0; k < work->rows; k++) {
        const struct rating_row *row = &work->row[k];
        const struct strength_bot *a = &out->bot[row->a], *b = &out->bot[row->b];

        if (row_matches(row) > 0 && a->group == group && a->component == component &&
            b->component == component) {
            work->inside[rows++] = row;
        }
    }
    return rows;
}

/* Virtual draws that the prior adds to a row. */
static double row_draws(const struct work *work, const struct rating_row *row)
{
    double n = row_matches(row);

    return has_draws(work)
               ? work->options->draws / 2 * (n / work->matches[row->a] + n / work->matches[row->b])
               : 0;
}

/* Adds what the fitted rows say about expected wins and the spread of pairs. */
static void add_spread(struct work *work, size_t rows)
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

/* Computes the ratings of bot `first`'s component from its own results alone. */
static enum bg_status fit_component(struct work *work, int first)
{
    struct strength *out = work->out;
    int size = 0, anchor = -1;
    size_t rows = gather(work, first, &size);
    struct rating_term *term = large_array(rows, sizeof *term);
    double *rating = calloc((size_t)size + 1, sizeof *rating);
    enum bg_status status = BG_OK;

    if (size == 1) { /* alone: the reference for the others' bounds */
        out->bot[first].rating =
            out->bot[first].component == 0 ? work->options->anchor_rating : NAN;
        goto done;
    }
    if (term == NULL || rating == NULL) {
        status = bg_error_set(work->err, BG_E_MEMORY, "ratings of %d bots", size);
        goto done;
    }
    for (int i = 0; i < size; i++) {
        anchor = work->member[i] == work->options->anchor ? i : anchor;
    }
    for (size_t k = 0; k < rows; k++) {
        const struct rating_row *row = work->inside[k];
        double half = row_draws(work, row) / 2;

        term[k] =
            (struct rating_term){work->place[row->a], work->place[row->b], sqrt(row->length_points),
                                 row->wins_a + half, row->wins_b + half};
    }
    status = rating_climb(rating, size, anchor, term, rows, work->err);
    for (int i = 0; status == BG_OK && i < size; i++) {
        out->bot[work->member[i]].rating = work->options->anchor_rating + rating[i];
        out->bot[work->member[i]].expected_wins = 0;
    }
    if (status == BG_OK) {
        add_spread(work, rows);
        work->parameters += size - 1;
    }
done:
    free(term);
    free(rating);
    return status;
}

/* Computes one design effect for the event. The legs of a duplicate pair do not make each other
 * more likely, so the model's own variance is an upper bound. It is used if few pairs would give a
 * wider interval, unless the pairs clearly spread more than that. */
static void pool(struct work *work)
{
    struct strength *out = work->out;
    double df = work->pairs - work->parameters, c = NAN;

    out->df = INFINITY;
    if (has_draws(work) || !(df >= 1) || !(work->expected > 0)) {
        return;
    }
    /* at least one pair that was not split, so that an event whose pairs all cancel is not
     * certain */
    c = fmax(work->squares, work->expected / work->pairs * 2) / work->expected * work->pairs / df;
    if (student_t95(df) * sqrt(c) < STAT_Z95 || c > student_chi99(df)) {
        out->design_effect = c;
        out->df = df;
    }
}

static struct contrasts_edge edge_of(const struct work *work, const struct rating_row *row)
{
    const struct strength *out = work->out;
    double difference = out->bot[row->a].rating - out->bot[row->b].rating;
    double p = rating_expected(difference, row->length_points), beta = beta_of(row);
    double weight = beta * beta * (row_matches(row) + row_draws(work, row)) * p * (1 - p);
    struct contrasts_edge edge = {
        .a = work->place[row->a], .b = work->place[row->b], .weight = weight, .known = weight};

    if (row->paired && isfinite(out->df)) {
        edge.own_df = rating_row_count(row) - 1;
        edge.known = 0;
        edge.own = contrasts_own_share(edge.own_df) * beta * beta * rating_row_squares(row, p) *
                   work->pairs / out->df;
        edge.shared = (1 - contrasts_own_share(edge.own_df)) * weight *
                      strength_effect_at(p, out->design_effect);
    }
    return edge;
}

static void publish(struct work *work, const struct contrasts *contrasts, int size)
{
    struct strength *out = work->out;
    int anchor = -1;

    for (int i = 0; i < size; i++) {
        anchor = work->member[i] == work->options->anchor ? i : anchor;
    }
    for (int i = 0; i < size; i++) {
        struct strength_bot *bot = &out->bot[work->member[i]];

        bot->se = contrasts_se(contrasts, i, anchor);
        bot->df = contrasts_df(contrasts, i, anchor);
        bot->bar = bot->se > 0 ? student_t95(bot->df) * bot->se : 0;
        bot->low = bot->rating - bot->bar;
        bot->high = bot->rating + bot->bar;
    }
    strength_compare(out, contrasts, work->member, 1e-6);
}

/* With virtual draws: takes intervals and LOS from the profile likelihood that includes them. */
static enum bg_status take_profile(struct work *work, const struct profile *profile)
{
    struct strength *out = work->out;
    size_t n = (size_t)out->bots;
    enum bg_status status = BG_OK;
    int anchor = -1;

    for (int i = 0; i < profile->nodes; i++) {
        anchor = work->member[i] == work->options->anchor ? i : anchor;
    }
    for (int i = 0; status == BG_OK && i < profile->nodes; i++) {
        struct strength_bot *bot = &out->bot[work->member[i]];
        double end[2] = {0, 0};

        if (i == anchor) {
            continue;
        }
        status = profile_interval(end, profile, i, anchor, bot->se, work->err);
        bot->low = work->options->anchor_rating + end[0];
        bot->high = work->options->anchor_rating + end[1];
        bot->bar = NAN;
        for (int j = 0; status == BG_OK && j < i; j++) {
            size_t a = (size_t)work->member[i], b = (size_t)work->member[j];
            double root = 0;

            status = profile_root(&root, profile, i, j, work->err);
            out->los[a * n + b] = student_cdf(root, INFINITY);
            out->los[b * n + a] = student_cdf(-root, INFINITY);
        }
    }
    return status;
}

static enum bg_status profile_component(struct work *work, int first)
{
    struct strength *out = work->out;
    int size = 0;
    size_t rows = gather(work, first, &size);
    struct profile_term *term = calloc(rows + 1, sizeof *term);
    double *top = calloc((size_t)size + 1, sizeof *top);
    enum bg_status status = BG_OK;

    if (term == NULL || top == NULL) {
        status = bg_error_set(work->err, BG_E_MEMORY, "intervals of %d bots", out->bots);
        goto done;
    }
    for (int i = 0; i < size; i++) {
        top[i] = out->bot[work->member[i]].rating - work->options->anchor_rating;
    }
    for (size_t k = 0; k < rows; k++) {
        const struct rating_row *row = work->inside[k];
        double half = row_draws(work, row) / 2;

        term[k] = (struct profile_term){work->place[row->a], work->place[row->b], beta_of(row),
                                        row->wins_a + half, row->wins_b + half};
    }
    if (size > 1) {
        struct profile profile = {size, term, rows, top};

        status = take_profile(work, &profile);
    }
done:
    free(term);
    free(top);
    return status;
}

/* Whether the event's strongest bot is certainly in this bot's component: it is the only core, and
 * no bot is above or apart from it. */
static bool is_top(const struct work *work, int bot)
{
    const struct strength *out = work->out;
    bool top = out->groups == 1 && out->bot[bot].component == 0;

    for (int i = 0; i < out->bots; i++) {
        top = top && out->bot[i].flag != RATING_ABOVE && out->bot[i].flag != RATING_APART;
    }
    return top;
}

/* Computes the error bars of bot `first`'s component. */
static enum bg_status spread_component(struct work *work, int first)
{
    struct contrasts contrasts = {0};
    int size = 0;
    size_t rows = gather(work, first, &size);
    enum bg_status status;

    if (size < 2) {
        return BG_OK;
    }
    for (size_t k = 0; k < rows; k++) {
        work->edge[k] = edge_of(work, work->inside[k]);
    }
    status = contrasts_of(&contrasts, size, work->edge, rows, work->out->df, work->err);
    if (status == BG_OK) {
        publish(work, &contrasts, size);
        if (is_top(work, first)) {
            status = strength_best(work->out, &contrasts, work->member, work->err);
        }
    }
    contrasts_deinit(&contrasts);
    return status;
}

/* Observations in a row: a pair with both legs won, or both lost, is one. */
static double row_units(const struct rating_row *row)
{
    return row->paired ? rating_row_count(row) : row_matches(row);
}

/* Collects the bot's rows against rated bots. Returns how many. */
static size_t gather_rated(struct work *work, int bot)
{
    const struct strength *out = work->out;
    size_t rows = 0;

    for (size_t k = 0; k < work->rows; k++) {
        const struct rating_row *row = &work->row[k];
        int opponent = row->a == bot ? row->b : row->b == bot ? row->a : -1;

        if (opponent >= 0 && row_units(row) > 0 && out->bot[opponent].component == 0 &&
            out->bot[opponent].group == out->bot[bot].group) {
            work->inside[rows++] = row;
        }
    }
    return rows;
}

/* Logarithm of the probability of the bot's collected results at this rating. */
static double log_chance(const struct work *work, size_t rows, int bot, double rating)
{
    const struct strength *out = work->out;
    double sum = 0;

    for (size_t k = 0; k < rows; k++) {
        const struct rating_row *row = work->inside[k];
        double difference = rating - out->bot[row->a == bot ? row->b : row->a].rating;

        sum += row_units(row) *
               rating_log_expected(out->bot[bot].flag == RATING_ABOVE ? difference : -difference,
                                   row->length_points);
    }
    return sum;
}

/* Computes the one-sided 95 % bound of a bot outside the core, against the core. */
static void bound(struct work *work, int i)
{
    struct strength_bot *bot = &work->out->bot[i];
    bool above = bot->flag == RATING_ABOVE;
    double low = work->options->anchor_rating - BOUND_REACH;
    double high = work->options->anchor_rating + BOUND_REACH;
    size_t rows = 0;

    if (bot->component <= 0 || bot->flag == RATING_APART) {
        return;
    }
    rows = gather_rated(work, i);
    if (rows == 0) {
        return;
    }
    while (high - low > 1e-7) {
        double middle = low + (high - low) / 2;
        bool likely = log_chance(work, rows, i, middle) >= log(BOUND_LEVEL);

        if (likely == above) {
            high = middle;
        } else {
            low = middle;
        }
    }
    bot->bound = (low + high) / 2;
    bot->side = above ? STRENGTH_AT_LEAST : STRENGTH_AT_MOST;
}

/* Compares two bots that no rating compares; their direct results, if any, all went one way. */
static void compare_directly(struct work *work)
{
    struct strength *out = work->out;
    size_t n = (size_t)out->bots;

    for (size_t k = 0; k < work->rows; k++) {
        const struct rating_row *row = &work->row[k];
        size_t ab = (size_t)row->a * n + (size_t)row->b, ba = (size_t)row->b * n + (size_t)row->a;
        double units = row->paired ? rating_row_count(row) : row_matches(row);

        if (units > 0 && out->bot[row->a].component != out->bot[row->b].component) {
            double doubt = isnan(out->los[ab]) ? 1 : fmin(out->los[ab], out->los[ba]);

            doubt *= pow(0.5, units);
            out->los[ab] = row->wins_a > 0 ? 1 - doubt : doubt;
            out->los[ba] = 1 - out->los[ab];
        }
    }
}

/* Flags the bots that won all matches or none. */
static void flag_extremes(struct work *work)
{
    struct strength *out = work->out;

    for (int i = 0; i < out->bots; i++) {
        if (out->bot[i].group >= 0 && work->wins[i] <= 0) {
            out->bot[i].flag = RATING_WINLESS;
        } else if (out->bot[i].group >= 0 && work->wins[i] >= work->matches[i]) {
            out->bot[i].flag = RATING_UNBEATEN;
        }
    }
}

/* Calls fn once for every component with at least two bots, and for every core. */
static enum bg_status each_component(struct work *work,
                                     enum bg_status (*fn)(struct work *work, int first))
{
    struct strength *out = work->out;
    enum bg_status status = BG_OK;

    for (int i = 0; status == BG_OK && i < out->bots; i++) {
        bool first = out->bot[i].group >= 0;

        for (int j = 0; first && j < i; j++) {
            first = out->bot[j].group != out->bot[i].group ||
                    out->bot[j].component != out->bot[i].component;
        }
        if (first) {
            status = fn(work, i);
        }
    }
    return status;
}
enum bg_status strength_of_matches(struct strength *out, int bots, const struct rating_row *rows,
                                   size_t count, const struct rating_options *options,
                                   struct bg_error *err)
{
    struct work work = {.out = out, .row = rows, .rows = count, .options = options, .err = err};
    enum bg_status status = strength_create(out, bots, err);

    if (status != BG_OK) {
        return status;
    }
    out->prior = has_draws(&work) ? options->draws : 0;
    status = work_init(&work);
    if (status == BG_OK) {
        status = split(&work);
    }
    if (status == BG_OK) {
        status = each_component(&work, fit_component);
    }
    if (status == BG_OK) {
        pool(&work);
        status = each_component(&work, spread_component);
    }
    if (status == BG_OK && has_draws(&work)) {
        status = each_component(&work, profile_component);
    }
    if (status == BG_OK) {
        for (int i = 0; i < bots; i++) {
            bound(&work, i);
        }
        compare_directly(&work);
        flag_extremes(&work);
        status = strength_claim(out, err);
    }
    work_deinit(&work);
    if (status != BG_OK) {
        strength_deinit(out);
    }
    return status;
}
