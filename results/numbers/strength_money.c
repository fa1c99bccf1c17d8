#include "strength.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#include "field.h"
#include "significance.h"

/* Most pairs of games with the same dice are worth 0 and a few are worth a large cube, so that the
 * variance is known worse than of normal ones: as from a third of the degrees of freedom. With half
 * of them, cells of a Swiss of one pair a meeting held 92.5 %; with a quarter, ratings of a small
 * cup 97.2 % (tools/campaign-coverage). */
static double df_of_points(double df)
{
    return fmin(df, 2 + df / 3);
}

/* With so many degrees of freedom an encounter's own spread has half of its weight's variance. */
static const double WEIGHING_OWN = 300;

/* Below this p one number per bot is not enough. */
static const double REJECTED = 0.01;

/* The work space for the fit of an event's money games. */
struct strength_money_work {
    struct strength *out;
    const struct strength_money *e;
    size_t count;
    struct ppg_rating *rating; /* [bots] least squares */
    struct ppg_encounter *encounter;
    bool *in; /* [bots]: whom one number describes */
    struct bg_error *err;
};

static double ppg_of_encounter(const struct strength_money *e)
{
    return e->points / e->games;
}

/* Squared residuals of an encounter's clusters about its own mean. */
static double squares_of(const struct strength_money *e)
{
    double ppg = ppg_of_encounter(e), squares = e->dd - 2 * ppg * e->dn + ppg * ppg * e->nn;

    /* for whole points, a value this small beside its terms is a rounding error of 0 */
    return squares > 1e-12 * e->dd ? squares : 0;
}

/* Variance of a cluster's points: the event's, and the encounter's own part. Points are skewed: the
 * side that won more than it should has shown a larger spread too, so that weights by the
 * encounters' own spreads pull all differences towards 0. In the weights their part therefore grows
 * slowly (weighing). */
struct spread {
    double own, own_df, variance, share, weighing;
};

static struct spread spread_of(const struct strength *strength, const struct strength_money *e)
{
    struct spread out = {.own_df = e->clusters - 1};
    double shared = strength->pair_sd * strength->pair_sd, share = 0;

    out.share = strength_own_share(out.own_df);
    out.own = out.own_df > 0 ? squares_of(e) / out.own_df : 0;
    out.variance = out.share * out.own + (1 - out.share) * shared;
    share = out.own_df > 0 ? out.own_df / (out.own_df + WEIGHING_OWN) : 0;
    out.weighing = share * out.own + (1 - share) * shared;
    return out;
}

/* Converts the encounters for the least-squares fit, with this variance of a cluster's points (NaN:
 * each encounter's own weight). */
static void encounters_of(struct ppg_encounter *out, const struct strength *strength,
                          const struct strength_money *e, size_t count, double variance)
{
    for (size_t k = 0; k < count; k++) {
        double v = isnan(variance) ? spread_of(strength, &e[k]).weighing : variance;

        out[k] = (struct ppg_encounter){.a = e[k].a,
                                        .b = e[k].b,
                                        .ppg = ppg_of_encounter(&e[k]),
                                        .se = sqrt(v * e[k].clusters) / e[k].games};
    }
}

void strength_money_rows(struct ppg_encounter *out, const struct strength *strength,
                         const struct strength_money *encounters, size_t count)
{
    encounters_of(out, strength, encounters, count, NAN);
}

/* At least 0.6, because bots do not come closer where luck is taken out. The points a game that
 * count as one unit of a field's strengths: a fifth of a game's deviation, so that a field spreads
 * by 0.06 to 2.4 points a game where games spread by 3. */
static double error_unit(const struct strength *out, const struct strength_money *e, size_t count)
{
    double games = 0;

    for (size_t k = 0; k < count; k++) {
        games += e[k].games;
    }
    return fmax(0.6, out->pair_sd * sqrt(out->clusters / games) / 5);
}

/* Rates the bots of one group that one number describes. */
static enum bg_status rate_group(struct strength_money_work *work, int group)
{
    struct strength *out = work->out;
    size_t n = (size_t)out->bots + 1, results = 0;
    int *place = memory_zeroed(n, sizeof *place), *member = memory_zeroed(n, sizeof *member),
        size = 0;
    struct field_result *result = memory_zeroed(work->count, sizeof *result);
    struct strength_scale scale = {error_unit(out, work->e, work->count), 0, -1};
    struct field field = {0};
    enum bg_status status = BG_OK;

    for (int i = 0; i < out->bots; i++) {
        if (out->bot[i].group == group && work->in[i]) {
            place[i] = size;
            member[size++] = i;
        }
    }
    for (size_t k = 0; k < work->count; k++) {
        const struct strength_money *e = &work->e[k];

        if (out->bot[e->a].group == group && work->in[e->a] && work->in[e->b]) {
            double se2 = spread_of(out, e).weighing * e->clusters / e->games / e->games;

            result[results++] = (struct field_result){.a = place[e->a],
                                                      .b = place[e->b],
                                                      .weight = scale.unit * scale.unit / se2,
                                                      .better = ppg_of_encounter(e) / scale.unit};
        }
    }
    if (size >= 2) {
        status = field_fit(&field, size, result, results, false, work->err);
    }
    if (size >= 2 && status == BG_OK) {
        strength_publish(out, &field, member, &scale);
        strength_compare(out, &field, member);
    }
    field_deinit(&field);
    free(place);
    free(member);
    free(result);
    return status;
}

/* Fits one number to each bot that is in, by least squares. */
static enum bg_status fit_in(struct strength_money_work *work, struct ppg_table *table,
                             double variance)
{
    size_t met = 0;

    for (size_t k = 0; k < work->count; k++) {
        if (work->in[work->e[k].a] && work->in[work->e[k].b]) {
            encounters_of(&work->encounter[met++], work->out, &work->e[k], 1, variance);
        }
    }
    return ppg_table_fit(work->rating, table, work->out->bots, work->encounter, met, work->err);
}

/* Tests whether one number is enough for each bot that is in. An encounter's weight is an estimate:
 * if its own spread came out small it counts too much, on average by this share. misfit[i]: what
 * the encounters of bot i add. Returns p; NaN: not tested. */
static double check_fit(struct strength_money_work *work, double dof, double *chi2, double *misfit)
{
    double saturated = 0;

    *chi2 = 0;
    for (int i = 0; i < work->out->bots; i++) {
        misfit[i] = 0;
    }
    for (size_t k = 0; k < work->count; k++) {
        const struct strength_money *e = &work->e[k];

        if (work->in[e->a] && work->in[e->b]) {
            struct spread spread = spread_of(work->out, e);
            double miss =
                ppg_of_encounter(e) - work->rating[e->a].rating + work->rating[e->b].rating;
            double se2 = spread.variance * e->clusters / (e->games * e->games);
            double doubt = spread.own_df > 0 ? 2 * spread.share * spread.share / spread.own_df : 0;
            double share = miss * miss / se2 / (1 + doubt);

            saturated += spread.own_df;
            misfit[e->a] += share;
            misfit[e->b] += share;
            *chi2 += share;
        }
    }
    return dof > 0 && saturated >= STRENGTH_SMALL ? student_f_tail(*chi2 / dof, dof, saturated)
                                                  : (double)NAN;
}

/* Leaves out the bot that fits worst, again and again, until one number describes each of the
 * others. Fewer than three would always fit: then nobody is in. */
static enum bg_status find_core(struct strength_money_work *work, double *misfit)
{
    struct ppg_table table = {0};
    enum bg_status status = BG_OK;
    int left = 0;
    double p = 0, chi2 = 0;

    for (int i = 0; i < work->out->bots; i++) {
        work->in[i] = work->out->bot[i].group >= 0;
        left += work->in[i];
    }
    while (status == BG_OK && left > 0 && p < REJECTED) {
        int worst = -1;

        for (int i = 0; i < work->out->bots; i++) {
            worst = work->in[i] && (worst < 0 || misfit[i] > misfit[worst]) ? i : worst;
        }
        work->in[worst] = false;
        left--;
        for (int i = 0; left < 3 && i < work->out->bots; i++) {
            work->in[i] = false;
        }
        left = left < 3 ? 0 : left;
        status = fit_in(work, &table, NAN);
        p = status == BG_OK && left > 0 ? check_fit(work, table.dof, &chi2, misfit) : 0;
        p = table.groups == work->out->groups ? p : 0;
    }
    for (int i = 0; status == BG_OK && i < work->out->bots; i++) {
        if (work->out->bot[i].group >= 0 && !work->in[i]) {
            work->out->bot[i].flag = RATING_APART;
        }
    }
    return status;
}

/* Compares bots that have no ratings by the games between them. */
static void compare_directly(struct strength_money_work *work)
{
    size_t n = (size_t)work->out->bots;

    for (size_t k = 0; k < work->count; k++) {
        const struct strength_money *e = &work->e[k];
        const int side = 1;
        struct ppg ppg;
        double df = 0;

        if (!work->in[e->a] || !work->in[e->b]) {
            strength_ppg(&ppg, &df, work->out, e, &side, 1);
            work->out->los[(size_t)e->a * n + (size_t)e->b] = ppg.los;
            work->out->los[(size_t)e->b * n + (size_t)e->a] = 1 - ppg.los;
        }
    }
}

/* Estimates the variance of a cluster's points over the event: about the encounters' means if they
 * have enough degrees of freedom, else about the fit of one number per bot. */
static enum bg_status pool(struct strength_money_work *work)
{
    struct strength *out = work->out;
    double squares = 0, df = 0;
    struct ppg_table table = {0};
    enum bg_status status = fit_in(work, &table, 1);

    for (size_t k = 0; k < work->count; k++) {
        squares += squares_of(&work->e[k]);
        df += work->e[k].clusters - 1;
        out->clusters += work->e[k].clusters;
    }
    if (status == BG_OK && df < STRENGTH_SMALL) {
        squares += table.chi2;
        df += table.dof;
    }
    if (status == BG_OK && df >= 1) {
        /* at least one pair that did not cancel */
        out->df = df_of_points(df);
        out->pair_sd = sqrt(fmax(squares, 1) / df);
    }
    for (int i = 0; status == BG_OK && i < out->bots; i++) {
        struct strength_bot *bot = &out->bot[i];

        bot->group = work->rating[i].group;
        bot->flag = bot->group < 0 ? RATING_UNPLAYED : RATING_OK;
        out->groups = bot->group >= out->groups ? bot->group + 1 : out->groups;
    }
    return status;
}

static enum bg_status rate(struct strength_money_work *work, double *misfit)
{
    struct strength *out = work->out;
    struct ppg_table table = {0};
    enum bg_status status = pool(work);

    if (status != BG_OK || !isfinite(out->pair_sd)) {
        return status;
    }
    status = fit_in(work, &table, NAN);
    if (status == BG_OK) {
        out->dof = table.dof;
        out->chi2_p = check_fit(work, table.dof, &out->chi2, misfit);
        out->rejected = out->chi2_p < REJECTED;
    }
    if (status == BG_OK && out->rejected) {
        status = find_core(work, misfit);
    }
    for (int g = 0; status == BG_OK && g < out->groups; g++) {
        status = rate_group(work, g);
    }
    compare_directly(work);
    return status;
}

/* Only what strength_ppg needs. */
static enum bg_status find_spread(struct strength_money_work *work, double *misfit)
{
    (void)misfit;
    return pool(work);
}

static enum bg_status
strength_by(enum bg_status (*fit)(struct strength_money_work *work, double *misfit),
            struct strength *out, int bots, const struct strength_money *encounters, size_t count,
            struct bg_error *err)
{
    size_t n = (size_t)bots + 1;
    struct strength_money_work work = {.out = out,
                                       .e = encounters,
                                       .count = count,
                                       .rating = memory_zeroed(n, sizeof *work.rating),
                                       .encounter = memory_zeroed(count, sizeof *work.encounter),
                                       .in = memory_zeroed(n, sizeof *work.in),
                                       .err = err};
    double *misfit = memory_zeroed(n, sizeof *misfit);
    enum bg_status status;

    strength_create(out, bots);
    for (int i = 0; i < bots; i++) {
        work.in[i] = true;
    }
    status = fit(&work, misfit);
    free(work.rating);
    free(work.encounter);
    free(work.in);
    free(misfit);
    if (status != BG_OK) {
        strength_deinit(out);
    }
    return status;
}

enum bg_status strength_of_money(struct strength *out, int bots,
                                 const struct strength_money *encounters, size_t count,
                                 struct bg_error *err)
{
    enum bg_status status = strength_by(rate, out, bots, encounters, count, err);

    if (status == BG_OK) {
        strength_claim(out);
    }
    return status;
}

enum bg_status strength_spread_of_money(struct strength *out, int bots,
                                        const struct strength_money *encounters, size_t count,
                                        struct bg_error *err)
{
    return strength_by(find_spread, out, bots, encounters, count, err);
}

void strength_ppg(struct ppg *out, double *df, const struct strength *strength,
                  const struct strength_money *encounters, const int *side, size_t count)
{
    double variance = 0, shared = 0, own = 0, doubt = 0;

    *out = (struct ppg){
        .ppg = NAN, .se = NAN, .ci = {NAN, NAN}, .los = NAN, .sd_game = NAN, .design_effect = NAN};
    *df = NAN;
    for (size_t k = 0; k < count; k++) {
        const struct strength_money *e = &encounters[k];
        struct spread spread = spread_of(strength, e);
        double mine = e->clusters * spread.share * spread.own;

        out->clusters += e->clusters;
        out->games += e->games;
        out->points += side[k] * e->points;
        variance += e->clusters * spread.variance;
        shared += e->clusters * spread.variance - mine;
        own += mine;
        /* The encounter's own spread is as far from the event's as its weight says: known like
         * from STRENGTH_OWN clusters before its own. */
        doubt += pow(e->clusters * spread.variance, 2) / (STRENGTH_OWN + spread.own_df);
    }
    if (out->games > 0) {
        out->ppg = out->points / out->games;
    }
    if (out->games > 0 && isfinite(variance)) {
        doubt += (shared * shared + 2 * shared * own) / strength->df;
        *df = variance * variance / doubt;
        out->se = sqrt(variance) / out->games;
        out->ci[0] = out->ppg - student_t95(*df) * out->se;
        out->ci[1] = out->ppg + student_t95(*df) * out->se;
        out->los = student_cdf(out->ppg / out->se, *df);
    }
}
