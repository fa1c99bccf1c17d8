#include <math.h>
#include <stdlib.h>

#include "contrasts.h"
#include "strength.h"
#include "student.h"

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

/* Variance of a cluster's points: the event's, and the encounter's own part. The fit uses only the
 * event's until an encounter's own is well known. Otherwise one large game among few clusters would
 * reduce its own encounter's weight, and the bars of the other results would be too wide. */
struct spread {
    double own, own_df, variance, share, weighing;
};

static struct spread spread_of(const struct strength *strength, const struct strength_money *e)
{
    struct spread out = {.own_df = e->clusters - 1};
    double shared = strength->pair_sd * strength->pair_sd;

    out.share = contrasts_own_share(out.own_df);
    out.own = out.own_df > 0 ? squares_of(e) / out.own_df : 0;
    out.variance = out.share * out.own + (1 - out.share) * shared;
    out.weighing = e->clusters < STRENGTH_SMALL ? shared : out.variance;
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

/* Estimates the variance of a cluster's points over the event: about the encounters' means if they
 * have enough degrees of freedom, else about the fit of one number per bot. */
static enum bg_status pool(struct strength *out, struct ppg_rating *rating,
                           struct ppg_encounter *work, const struct strength_money *e, size_t count,
                           struct bg_error *err)
{
    double squares = 0, df = 0;
    enum bg_status status = BG_OK;
    struct ppg_table table;

    for (size_t k = 0; k < count; k++) {
        squares += squares_of(&e[k]);
        df += e[k].clusters - 1;
        out->clusters += e[k].clusters;
    }
    encounters_of(work, out, e, count, 1);
    status = ppg_table_fit(rating, &table, out->bots, work, count, err);
    if (status == BG_OK && df < STRENGTH_SMALL) {
        squares += table.chi2;
        df += table.dof;
    }
    if (status == BG_OK && df >= 1) {
        /* at least one pair that did not cancel */
        out->df = df;
        out->pair_sd = sqrt(fmax(squares, 1) / df);
    }
    return status;
}

static struct contrasts_edge edge_of(const struct strength *strength,
                                     const struct strength_money *e, const int *place)
{
    struct spread spread = spread_of(strength, e);
    double weight = e->games * e->games / (e->clusters * spread.weighing);
    double spreads = weight * spread.variance / spread.weighing;
    double own = weight * spread.share * spread.own / spread.weighing;

    return (struct contrasts_edge){.a = place[e->a],
                                   .b = place[e->b],
                                   .weight = weight,
                                   .shared = spreads - own,
                                   .own = own,
                                   .own_df = spread.own_df};
}

static void publish(struct strength *out, const struct contrasts *contrasts, const int *member,
                    int size)
{
    for (int i = 0; i < size; i++) {
        struct strength_bot *bot = &out->bot[member[i]];

        bot->se = contrasts_se(contrasts, i, -1);
        bot->df = contrasts_df(contrasts, i, -1);
        bot->bar = student_t95(bot->df) * bot->se;
        bot->low = bot->rating - bot->bar;
        bot->high = bot->rating + bot->bar;
    }
    strength_compare(out, contrasts, member, 1e-12);
}

/* Computes the error bars of one group. */
static enum bg_status spread_group(struct strength *out, int group, const struct strength_money *e,
                                   size_t count, struct bg_error *err)
{
    size_t n = (size_t)out->bots + 1, edges = 0;
    int *place = calloc(n, sizeof *place), *member = calloc(n, sizeof *member), size = 0;
    struct contrasts_edge *edge = calloc(count + 1, sizeof *edge);
    struct contrasts contrasts = {0};
    enum bg_status status = BG_OK;

    if (place == NULL || member == NULL || edge == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "money ratings of %d bots", out->bots);
        goto done;
    }
    for (int i = 0; i < out->bots; i++) {
        if (out->bot[i].group == group) {
            place[i] = size;
            member[size++] = i;
        }
    }
    for (size_t k = 0; k < count; k++) {
        if (out->bot[e[k].a].group == group) {
            edge[edges++] = edge_of(out, &e[k], place);
        }
    }
    status = contrasts_of(&contrasts, size, edge, edges, out->df, err);
    if (status == BG_OK) {
        publish(out, &contrasts, member, size);
    }
    if (status == BG_OK && out->groups == 1) {
        status = strength_best(out, &contrasts, member, err);
    }
done:
    contrasts_deinit(&contrasts);
    free(place);
    free(member);
    free(edge);
    return status;
}

/* Tests whether one number per bot is enough. An encounter's weight is an estimate: if its own
 * spread came out small it counts too much, on average by this share. */
static void check_fit(struct strength *out, const struct ppg_rating *rating,
                      const struct strength_money *e, size_t count)
{
    double saturated = 0;

    out->chi2 = 0;
    for (size_t k = 0; k < count; k++) {
        struct spread spread = spread_of(out, &e[k]);
        double miss = ppg_of_encounter(&e[k]) - rating[e[k].a].rating + rating[e[k].b].rating;
        double se2 = spread.variance * e[k].clusters / (e[k].games * e[k].games);
        double doubt = spread.own_df > 0 ? 2 * spread.share * spread.share / spread.own_df : 0;

        saturated += spread.own_df;
        out->chi2 += miss * miss / se2 / (1 + doubt);
    }
    if (out->dof > 0 && saturated >= STRENGTH_SMALL) {
        out->chi2_p = student_f_tail(out->chi2 / out->dof, out->dof, saturated);
    }
}

static enum bg_status rate(struct strength *out, struct ppg_rating *rating,
                           struct ppg_encounter *work, const struct strength_money *e, size_t count,
                           struct bg_error *err)
{
    struct ppg_table table = {0};
    enum bg_status status = pool(out, rating, work, e, count, err);

    if (status == BG_OK && isfinite(out->pair_sd)) {
        encounters_of(work, out, e, count, NAN);
        status = ppg_table_fit(rating, &table, out->bots, work, count, err);
        out->dof = table.dof;
    }
    for (int i = 0; status == BG_OK && i < out->bots; i++) {
        struct strength_bot *bot = &out->bot[i];

        bot->rating = rating[i].rating;
        bot->group = rating[i].group;
        bot->component = bot->group < 0 ? -1 : 0;
        bot->flag = bot->group < 0 ? RATING_UNPLAYED : RATING_OK;
        out->groups = bot->group >= out->groups ? bot->group + 1 : out->groups;
    }
    if (status != BG_OK || !isfinite(out->pair_sd)) {
        return status;
    }
    for (int g = 0; status == BG_OK && g < out->groups; g++) {
        status = spread_group(out, g, e, count, err);
    }
    check_fit(out, rating, e, count);
    return status;
}

enum bg_status strength_of_money(struct strength *out, int bots,
                                 const struct strength_money *encounters, size_t count,
                                 struct bg_error *err)
{
    struct ppg_rating *rating = calloc((size_t)bots + 1, sizeof *rating);
    struct ppg_encounter *work = calloc(count + 1, sizeof *work);
    enum bg_status status = strength_create(out, bots, err);

    if (status == BG_OK && (rating == NULL || work == NULL)) {
        status = bg_error_set(err, BG_E_MEMORY, "money ratings of %d bots", bots);
    }
    if (status == BG_OK) {
        status = rate(out, rating, work, encounters, count, err);
    }
    if (status == BG_OK) {
        status = strength_claim(out, err);
    }
    free(rating);
    free(work);
    if (status != BG_OK) {
        strength_deinit(out);
    }
    return status;
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
        doubt += mine > 0 ? mine * mine / spread.own_df : 0;
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
