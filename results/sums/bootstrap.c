#include "bootstrap.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numbers/draw.h"
#include "numbers/significance.h"

enum {
    KIND_BITS = 13,
    KIND_SLOTS = 1 << KIND_BITS,
    KIND_WORTH = 10 /* cost of drawing one kind, in picks */
};

static const double SINGLES = 0.1;  /* largest share of clusters alone in their encounter */
static const double UNRATED = 0.05; /* largest share of draws without a rating */

/* Equal clusters of one encounter. */
struct bootstrap_kind {
    struct legs_cluster each;
    uint64_t many;
};

/* One encounter: its clusters, and the sums of the current draw. */
struct bootstrap_stratum {
    int a, b;
    double length_points;
    const struct legs_cluster *cluster;
    size_t clusters;
    const struct bootstrap_kind *kind; /* used when clusters are drawn by kind; else NULL */
    size_t kinds;
    struct legs_cluster drawn;
};

/* Sums over a bot's clusters: powers of the distance from the encounter's mean. */
struct moments {
    double squares, fourths;
};

struct bootstrap_work {
    struct bootstrap *out;
    const struct bootstrap_fit *fit;
    bool money;
    struct legs_cluster *cluster;
    struct bootstrap_stratum *stratum;
    struct bootstrap_kind *kind;
    size_t clusters, strata, kinds;
    double *own, *alone, *met_by; /* [bots] clusters, those alone in their encounter, encounters */
    struct moments *moments;      /* [bots] */
    double *points, *legs;        /* [bots] in the current draw */
    double *ppg, *rating;         /* [bots * draws] */
    struct rating_row *row;       /* [strata] */
    struct ppg_encounter *spread; /* [strata] weighted as in the event's fit */
    struct ppg_encounter *met;    /* [strata] in the current draw */
    struct ppg_rating *money_rating; /* [bots] */
    double *drawn_rating;            /* [bots] in the current draw */
    struct bg_error *err;
};

/* Adds the distances of an encounter's clusters from its mean to the moments of both bots. */
static void add_residuals(struct bootstrap_work *work, const struct bootstrap_stratum *s)
{
    double mean = 0, squares = 0, fourths = 0;

    for (size_t k = 0; k < s->clusters; k++) {
        const struct legs_cluster *c = &s->cluster[k];

        mean += (work->money ? c->points : c->wins) / (double)s->clusters;
    }
    for (size_t k = 0; k < s->clusters; k++) {
        const struct legs_cluster *c = &s->cluster[k];
        double d = (work->money ? c->points : c->wins) - mean;

        squares += d * d;
        fourths += d * d * d * d;
    }
    work->moments[s->a].squares += squares;
    work->moments[s->b].squares += squares;
    work->moments[s->a].fourths += fourths;
    work->moments[s->b].fourths += fourths;
}

static void read_clusters(struct bootstrap_work *work, const struct legs *legs)
{
    for (size_t i = 0, end; i < legs->count; i = end) {
        const struct leg *leg = &legs->leg[i];
        struct bootstrap_stratum *s = &work->stratum[work->strata++];

        end = legs_encounter_end(legs, i);
        *s = (struct bootstrap_stratum){
            .a = leg->a, .b = leg->b, .length_points = leg->length_points};
        s->cluster = &work->cluster[work->clusters];
        for (size_t k = i, next; k < end; k = next) {
            next = legs_cluster_sum(&work->cluster[work->clusters++], legs, k);
            s->clusters++;
        }
        work->own[s->a] += (double)s->clusters;
        work->own[s->b] += (double)s->clusters;
        work->met_by[s->a]++;
        work->met_by[s->b]++;
        work->alone[s->a] += s->clusters == 1;
        work->alone[s->b] += s->clusters == 1;
    }
}

static void work_init(struct bootstrap_work *work, const struct legs *legs)
{
    size_t bots = (size_t)work->out->bots + 1, n = legs->count + 1, strata = 1;

    for (size_t i = 0; i < legs->count; i = legs_encounter_end(legs, i)) {
        strata++;
    }
    work->cluster = memory_zeroed(n, sizeof *work->cluster);
    work->stratum = memory_zeroed(strata, sizeof *work->stratum);
    work->own = memory_zeroed(5 * bots, sizeof(double));
    work->moments = memory_zeroed(bots, sizeof *work->moments);
    work->row = memory_zeroed(strata, sizeof *work->row);
    work->spread = memory_zeroed(strata, sizeof *work->spread);
    work->met = memory_zeroed(strata, sizeof *work->met);
    work->money_rating = memory_zeroed(bots, sizeof *work->money_rating);
    work->drawn_rating = memory_zeroed(bots, sizeof *work->drawn_rating);
    work->alone = work->own + bots;
    work->points = work->own + 2 * bots;
    work->legs = work->own + 3 * bots;
    work->met_by = work->own + 4 * bots;
    read_clusters(work, legs);
}

static bool is_kind(const struct bootstrap_kind *kind, const struct legs_cluster *c)
{
    return kind->each.points == c->points && kind->each.legs == c->legs &&
           kind->each.wins == c->wins;
}

static size_t slot_of(const struct legs_cluster *c)
{
    uint64_t mixed = (uint64_t)(int64_t)(2 * c->points) * 0x9E3779B97F4A7C15u +
                     (uint64_t)(int64_t)(2 * c->wins) * 0xBF58476D1CE4E5B9u +
                     (uint64_t)(int64_t)c->legs * 0x94D049BB133111EBu;

    return (size_t)(mixed >> (64 - KIND_BITS));
}

/* Counts the kinds of an encounter into kind[], which has room for every cluster. slot: KIND_SLOTS
 * places, zeroed here. Returns the number of kinds, or 0 if there are too many for drawing by kind
 * to be faster. */
static size_t count_kinds(struct bootstrap_kind *kind, uint32_t *slot,
                          const struct bootstrap_stratum *s)
{
    size_t kinds = 0;

    memset(slot, 0, KIND_SLOTS * sizeof *slot);
    for (size_t i = 0; i < s->clusters; i++) {
        const struct legs_cluster *c = &s->cluster[i];
        size_t at = slot_of(c);

        while (slot[at] > 0 && !is_kind(&kind[slot[at] - 1], c)) {
            at = (at + 1) % KIND_SLOTS;
        }
        if (slot[at] == 0) {
            if (kinds == KIND_SLOTS / 2) {
                return 0;
            }
            kind[kinds] = (struct bootstrap_kind){*c, 0};
            slot[at] = (uint32_t)++kinds;
        }
        kind[slot[at] - 1].many++;
    }
    return kinds;
}

/* For encounters with very many clusters of few kinds: draws how often each kind comes, instead of
 * each cluster. */
static void find_kinds(struct bootstrap_work *work)
{
    uint32_t *slot = memory_zeroed(KIND_SLOTS, sizeof *slot);

    work->kind = memory_zeroed(work->clusters, sizeof *work->kind);
    for (size_t k = 0; k < work->strata; k++) {
        struct bootstrap_stratum *s = &work->stratum[k];
        size_t kinds = count_kinds(work->kind + work->kinds, slot, s);

        if (kinds > 0 && KIND_WORTH * kinds < s->clusters) {
            s->kind = work->kind + work->kinds;
            s->kinds = kinds;
            work->kinds += kinds;
        }
    }
    free(slot);
}

/* Returns the cost of one draw, in picks. */
static double work_of_draw(const struct bootstrap_work *work)
{
    double picks = 1;

    for (size_t k = 0; k < work->strata; k++) {
        const struct bootstrap_stratum *s = &work->stratum[k];

        picks += s->kind != NULL ? (double)(KIND_WORTH * s->kinds) : (double)s->clusters;
    }
    return picks;
}

static void room_for_draws(struct bootstrap_work *work)
{
    size_t bots = (size_t)work->out->bots + 1;
    int draws = work->out->draws;

    if (draws == 0) {
        draws = (int)fmin(BOOTSTRAP_DRAWS, BOOTSTRAP_WORK / work_of_draw(work));
        draws = draws < BOOTSTRAP_LEAST ? BOOTSTRAP_LEAST : draws;
    }
    work->out->draws = draws;
    work->ppg = memory_zeroed(bots * (size_t)draws, sizeof(double));
    work->rating = work->fit == NULL ? NULL : memory_zeroed(bots * (size_t)draws, sizeof(double));
    work->out->ppg = memory_zeroed(bots, sizeof *work->out->ppg);
    work->out->rating = work->fit == NULL ? NULL : memory_zeroed(bots, sizeof *work->out->rating);
}

static void work_deinit(struct bootstrap_work *work)
{
    free(work->cluster);
    free(work->stratum);
    free(work->kind);
    free(work->own);
    free(work->moments);
    free(work->row);
    free(work->spread);
    free(work->met);
    free(work->money_rating);
    free(work->drawn_rating);
    free(work->ppg);
    free(work->rating);
}

static void draw_kinds(struct bootstrap_stratum *s, size_t picks, double weight, struct draw *draw)
{
    uint64_t left = picks, rest = s->clusters;

    for (size_t i = 0; i < s->kinds && left > 0; i++) {
        const struct bootstrap_kind *kind = &s->kind[i];
        uint64_t drawn = draw_binomial(draw, left, (double)kind->many / (double)rest);
        double times = weight * (double)drawn;

        s->drawn.points += times * kind->each.points;
        s->drawn.legs += times * kind->each.legs;
        s->drawn.wins += times * kind->each.wins;
        left -= drawn;
        rest -= kind->many;
    }
}

/* Makes one draw of every encounter. */
static void draw_all(struct bootstrap_work *work, struct draw *draw)
{
    for (size_t k = 0; k < work->strata; k++) {
        struct bootstrap_stratum *s = &work->stratum[k];
        size_t picks = s->clusters > 1 ? s->clusters - 1 : 1;
        double weight = (double)s->clusters / (double)picks;

        s->drawn = (struct legs_cluster){0};
        if (s->kind != NULL) {
            draw_kinds(s, picks, weight, draw);
            continue;
        }
        for (size_t i = 0; i < picks; i++) {
            const struct legs_cluster *c = &s->cluster[draw_below(draw, s->clusters)];

            s->drawn.points += weight * c->points;
            s->drawn.legs += weight * c->legs;
            s->drawn.wins += weight * c->wins;
        }
    }
}

static void note_ppg(struct bootstrap_work *work, int turn)
{
    size_t bots = (size_t)work->out->bots;

    memset(work->points, 0, bots * sizeof(double));
    memset(work->legs, 0, bots * sizeof(double));
    for (size_t k = 0; k < work->strata; k++) {
        const struct bootstrap_stratum *s = &work->stratum[k];

        work->points[s->a] += s->drawn.points;
        work->points[s->b] -= s->drawn.points;
        work->legs[s->a] += s->drawn.legs;
        work->legs[s->b] += s->drawn.legs;
    }
    for (size_t i = 0; i < bots; i++) {
        work->ppg[i * (size_t)work->out->draws + (size_t)turn] = work->points[i] / work->legs[i];
    }
}

/* Keeps the draw's ratings; the anchor of each group is where it is in the event's ratings. */
static void keep_ratings(struct bootstrap_work *work, int turn, const double *rating, double anchor)
{
    const struct strength *strength = work->fit->strength;

    for (int group = 0; group < strength->groups; group++) {
        double mean = 0;

        for (int i = 0; i < strength->bots; i++) {
            const struct strength_bot *bot = &strength->bot[i];

            mean +=
                bot->group == group && bot->anchor_weight > 0 ? bot->anchor_weight * rating[i] : 0;
        }
        for (int i = 0; i < strength->bots; i++) {
            if (strength->bot[i].group == group) {
                work->rating[(size_t)i * (size_t)work->out->draws + (size_t)turn] =
                    rating[i] - mean + anchor;
            }
        }
    }
}

/* Rates one draw of money games, with the weights of the event's fit and the bots that it rated. */
static enum bg_status rate_money(struct bootstrap_work *work, int turn)
{
    const struct strength_bot *bot = work->fit->strength->bot;
    struct ppg_table table;
    enum bg_status status;
    size_t met = 0;

    for (size_t k = 0; k < work->strata; k++) {
        const struct bootstrap_stratum *s = &work->stratum[k];

        if (bot[s->a].flag != RATING_APART && bot[s->b].flag != RATING_APART) {
            work->met[met] = work->spread[k];
            work->met[met++].ppg = s->drawn.points / s->drawn.legs;
        }
    }
    status = ppg_table_fit(work->money_rating, &table, work->out->bots, work->met, met, work->err);
    for (int i = 0; status == BG_OK && i < work->out->bots; i++) {
        work->drawn_rating[i] = work->money_rating[i].rating;
    }
    if (status == BG_OK) {
        keep_ratings(work, turn, work->drawn_rating, 0);
    }
    return status;
}

/* Collects the draw's rows. Returns how many. */
static size_t rows_of(struct bootstrap_work *work)
{
    size_t rows = 0;

    for (size_t k = 0; k < work->strata; k++) {
        const struct bootstrap_stratum *s = &work->stratum[k];

        work->row[rows++] = (struct rating_row){.a = s->a,
                                                .b = s->b,
                                                .length_points = s->length_points,
                                                .wins_a = s->drawn.wins,
                                                .wins_b = fmax(0, s->drawn.legs - s->drawn.wins)};
    }
    return rows;
}

/* Rates one draw of matches, by maximum likelihood: without a prior, to compare. A group that this
 * draw does not connect by wins in both directions gets no ratings. */
static enum bg_status rate_matches(struct bootstrap_work *work, int turn)
{
    struct rating_options options = *work->fit->options;
    struct rating_fit fit = {0};
    enum bg_status status;

    if (options.prior != RATING_PRIOR_FIXED) {
        options.prior = RATING_PRIOR_FIXED;
        options.draws = 0;
    }
    status = rating_fit(&fit, work->out->bots, work->row, rows_of(work), &options, work->err);
    for (int i = 0; i < work->out->bots; i++) {
        work->drawn_rating[i] = status == BG_OK ? fit.player[i].rating : (double)NAN;
    }
    keep_ratings(work, turn, work->drawn_rating, options.anchor_rating);
    rating_fit_deinit(&fit);
    return status == BG_E_MISMATCH ? BG_OK : status; /* too lopsided to fit: no ratings either */
}

/* Fills in the encounters with the weights of the event's money ratings. */
static void weigh_money(struct bootstrap_work *work)
{
    for (size_t k = 0; k < work->strata; k++) {
        const struct bootstrap_stratum *s = &work->stratum[k];
        struct strength_money e = {.a = s->a, .b = s->b, .clusters = (double)s->clusters};

        for (size_t i = 0; i < s->clusters; i++) {
            const struct legs_cluster *c = &s->cluster[i];

            e.points += c->points;
            e.games += c->legs;
            e.dd += c->points * c->points;
            e.dn += c->points * c->legs;
            e.nn += c->legs * c->legs;
        }
        strength_money_rows(&work->spread[k], work->fit->strength, &e, 1);
    }
}

/* Returns the value below which this share of the sorted values lies. */
static double quantile(const double *sorted, int count, double share)
{
    double at = share * (count - 1);
    int low = (int)at, high = low + 1 < count ? low + 1 : low;

    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

/* Returns the middle range of the draws. It holds a little more than 95 % of them where the spread
 * is not well known: as much as Student's t is wider than the normal distribution (Hesterberg's
 * expanded percentiles). */
static struct bootstrap_range middle_of(double *value, int count, double df)
{
    double tail = stat_phi(-student_t95(df));

    qsort(value, (size_t)count, sizeof *value, draw_by_size);
    return (struct bootstrap_range){quantile(value, count, tail), quantile(value, count, 1 - tail)};
}

/* Returns the interval of a rating, from the draws that have one. */
static struct bootstrap_range rated_of(double *value, int draws, double df)
{
    int count = 0;

    for (int turn = 0; turn < draws; turn++) {
        if (!isnan(value[turn])) {
            value[count++] = value[turn];
        }
    }
    return count > 0 && count >= (1 - UNRATED) * draws ? middle_of(value, count, df)
                                                       : (struct bootstrap_range){NAN, NAN};
}

/* Degrees of freedom of a bot's spread: clusters minus encounters, fewer with heavy tails (the
 * variance of a variance follows from the fourth moment; for normal results this is the plain
 * number). */
static double df_of(const struct bootstrap_work *work, int bot)
{
    double df = work->own[bot] - work->met_by[bot];
    const struct moments *of = &work->moments[bot];
    double doubt = of->fourths / (of->squares * of->squares) - 1 / work->own[bot];

    return of->squares > 0 && doubt > 0 ? fmin(df, 2 / doubt) : df;
}

static void publish_ranges(struct bootstrap_work *work)
{
    const struct bootstrap_range none = {NAN, NAN};
    struct bootstrap *out = work->out;

    for (size_t k = 0; k < work->strata; k++) {
        add_residuals(work, &work->stratum[k]);
    }
    for (int i = 0; i < out->bots; i++) {
        size_t first = (size_t)i * (size_t)out->draws;
        double df = df_of(work, i);
        bool enough = work->own[i] >= STRENGTH_SMALL && work->alone[i] <= SINGLES * work->own[i];

        out->ppg[i] = enough && work->money ? middle_of(work->ppg + first, out->draws, df) : none;
        if (out->rating != NULL) {
            enough = enough && work->fit != NULL && work->fit->strength->bot[i].se > 0;
            out->rating[i] = enough ? rated_of(work->rating + first, out->draws, df) : none;
        }
    }
}

enum bg_status bootstrap_of(struct bootstrap *out, int bots, const struct legs *legs, int draws,
                            const struct bootstrap_fit *fit, struct bg_error *err)
{
    struct bootstrap_work work = {.out = out, .fit = fit, .err = err};
    struct draw draw = DRAW_INIT(legs_seed(legs));
    enum bg_status status = BG_OK;

    *out = (struct bootstrap){.bots = bots, .draws = draws};
    work.money = legs->count > 0 && legs->leg[0].length_points == 0;
    if (fit != NULL && work.money && !isfinite(fit->strength->pair_sd)) {
        work.fit = NULL; /* no variation: no rating has an interval */
    }
    work_init(&work, legs);
    if (work.clusters > BOOTSTRAP_MANY) {
        find_kinds(&work);
    }
    room_for_draws(&work);
    if (work.fit != NULL && work.money) {
        weigh_money(&work);
    }
    for (int turn = 0; status == BG_OK && turn < out->draws; turn++) {
        draw_all(&work, &draw);
        note_ppg(&work, turn);
        if (work.fit != NULL) {
            status = work.money ? rate_money(&work, turn) : rate_matches(&work, turn);
        }
    }
    if (status == BG_OK) {
        publish_ranges(&work);
    }
    work_deinit(&work);
    if (status != BG_OK) {
        bootstrap_deinit(out);
    }
    return status;
}

void bootstrap_deinit(struct bootstrap *bootstrap)
{
    free(bootstrap->ppg);
    free(bootstrap->rating);
    *bootstrap = (struct bootstrap){0};
}
