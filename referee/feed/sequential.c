/* The test is about the event's first bot, while fixtures have the smaller name first; `flip`
 * says that these differ. Clusters are put in under their pair's number, and the test itself
 * waits for those before it (numbers/sprt.h). */
#include "sequential.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "numbers/rating.h"
#include "base/plural.h"

/* Matches use a discrete model (multinomial for pairs, binomial for single matches); money games
 * and luck-adjusted results use the normal model.
 */
static enum sprt_model model_of(const struct config_event *event)
{
    switch (event->sprt.model) {
    case CONFIG_SPRT_NORMAL:
        return event->sprt.unit == CONFIG_SPRT_NORMALISED ? SPRT_NORMALISED : SPRT_NORMAL;
    case CONFIG_SPRT_BINOMIAL:
        return SPRT_BINOMIAL;
    case CONFIG_SPRT_MULTINOMIAL:
        return SPRT_MULTINOMIAL;
    case CONFIG_SPRT_AUTO:
        break;
    }
    if (event->sprt.unit == CONFIG_SPRT_NORMALISED) {
        return SPRT_NORMALISED;
    }
    if (event->rules.length_points == 0 || event->sprt.luck) {
        return SPRT_NORMAL;
    }
    return event->duplicate ? SPRT_MULTINOMIAL : SPRT_BINOMIAL;
}

/* Returns a hypothesis in the model's unit. */
static double hypothesis_of(const struct config_event *event, enum sprt_model model, double h)
{
    double length = event->rules.length_points;

    switch (event->sprt.unit) {
    case CONFIG_SPRT_NORMALISED: /* the mean of two games deviates sqrt(2) times less than one */
        return h * log(10) / 800 * sqrt(event->duplicate ? 2 : 1);
    case CONFIG_SPRT_CHESS: /* the same expectation in FIBS points */
        h *= 5 / sqrt(length);
        break;
    case CONFIG_SPRT_FIBS:
    case CONFIG_SPRT_PPG:
    case CONFIG_SPRT_UNITS:
        break;
    }
    return model == SPRT_NORMAL && event->sprt.unit != CONFIG_SPRT_PPG ? rating_expected(h, length)
                                                                       : h;
}

enum bg_status sequential_init(struct sequential *out, const struct config_event *event,
                               struct bg_error *err)
{
    const struct config_sprt *sprt = &event->sprt;
    struct sprt_plan plan = SPRT_PLAN_INIT;
    int length = event->rules.length_points;

    memset(out, 0, sizeof *out);
    out->event = event;
    out->flip = strcmp(event->bots[0].name, event->bots[1].name) > 0;
    plan.model = model_of(event);
    plan.h0 = hypothesis_of(event, plan.model, sprt->h0);
    plan.h1 = hypothesis_of(event, plan.model, sprt->h1);
    plan.even = length == 0 ? 0 : 0.5;
    plan.alpha = sprt->alpha;
    plan.beta = sprt->beta;
    plan.length_points = length;
    plan.min_clusters = sprt->min_clusters;
    plan.max_clusters = event->pairs;
    return sprt_init(&out->test, &plan, err);
}

void sequential_deinit(struct sequential *sequential)
{
    sprt_deinit(&sequential->test);
}

/* Returns the cluster's score for the event's first bot: points a game, or the share of its
 * matches; without luck if the test is luck-adjusted. */
static double score_of(const struct sequential *sequential, const struct pairs_cluster *cluster)
{
    bool money = sequential->event->rules.length_points == 0;
    const struct pair_sum sum = pair_sum_of(&cluster->pair);
    double luck = sequential->event->sprt.luck ? cluster->luck : 0;
    double wins = (pair_half_wins(&sum) / 2.0 - luck) / cluster->legs;
    double points = ((double)sum.net - luck) / (double)sum.games;

    if (pairs_is_broken(cluster)) {
        return NAN;
    }
    if (money) {
        return sequential->flip ? -points : points;
    }
    return sequential->flip ? 1 - wins : wins;
}

bool sequential_put(struct sequential *sequential, const struct pairs_cluster *cluster)
{
    uint64_t before = sequential->test.clusters;

    sprt_put(&sequential->test, cluster->fixture.pair, score_of(sequential, cluster));
    return sequential->test.clusters != before;
}

bool sequential_is_over(const struct sequential *sequential)
{
    return sequential->test.state != SPRT_CONTINUE;
}

const char *sequential_unit(const struct sequential *sequential)
{
    static const char *const names[CONFIG_SPRT_UNITS] = {
        [CONFIG_SPRT_PPG] = "points per game",
        [CONFIG_SPRT_FIBS] = "FIBS points",
        [CONFIG_SPRT_CHESS] = "chess Elo",
        [CONFIG_SPRT_NORMALISED] = "normalised Elo",
    };

    return names[sequential->event->sprt.unit];
}

const char *sequential_model(const struct sequential *sequential)
{
    static const char *const names[] = {[SPRT_NORMAL] = "normal",
                                        [SPRT_NORMALISED] = "normal",
                                        [SPRT_BINOMIAL] = "binomial",
                                        [SPRT_MULTINOMIAL] = "multinomial"};

    return names[sequential->test.plan.model];
}

void sequential_line(char out[SEQUENTIAL_LINE], const struct sequential *sequential)
{
    const struct sprt *test = &sequential->test;
    const struct config_sprt *sprt = &sequential->event->sprt;
    double llr = isfinite(test->llr) ? test->llr : 0;
    double bound = llr < 0 ? test->bounds.lower : test->bounds.upper;

    snprintf(out, SEQUENTIAL_LINE, "LLR: %.2f (%.1f%%) (%.2f, %.2f) [%.2f, %.2f] %s", llr,
             100 * llr / bound * (llr < 0 ? -1 : 1), test->bounds.lower, test->bounds.upper,
             sprt->h0, sprt->h1, sequential_unit(sequential));
}

void sequential_short(char out[SEQUENTIAL_LINE], const struct sequential *sequential)
{
    const struct sprt *test = &sequential->test;

    snprintf(out, SEQUENTIAL_LINE, "LLR %.2f (%.2f, %.2f) %" PRIu64 " %s",
             isfinite(test->llr) ? test->llr : 0, test->bounds.lower, test->bounds.upper,
             test->clusters, sequential->event->duplicate ? "pairs" : "games");
}

void sequential_write(FILE *out, const struct sequential *sequential)
{
    const struct sprt *test = &sequential->test;
    const struct config_sprt *sprt = &sequential->event->sprt;
    const char *a = sequential->event->bots[0].name, *b = sequential->event->bots[1].name;
    const char *unit = sequential_unit(sequential);
    bool h1 = test->state == SPRT_H1;
    char line[SEQUENTIAL_LINE];

    switch (test->state) {
    case SPRT_H0:
    case SPRT_H1:
        fprintf(out,
                "   SPRT %s was accepted after %" PRIu64 " cluster%s: %s against %s is worth\n"
                "        %g rather than %g %s\n",
                sprt_state_name(test->state), test->clusters, plural_s(test->clusters), a, b,
                h1 ? sprt->h1 : sprt->h0, h1 ? sprt->h0 : sprt->h1, unit);
        break;
    case SPRT_UNDECIDED:
        fprintf(out,
                "   SPRT undecided: the last game allowed is played, after %" PRIu64 " cluster%s\n",
                test->clusters, plural_s((uint64_t)test->clusters));
        break;
    case SPRT_CONTINUE:
        fprintf(out, "   SPRT goes on: %" PRIu64 " cluster%s so far\n", test->clusters,
                plural_s((uint64_t)test->clusters));
        break;
    }
    sequential_line(line, sequential);
    fprintf(out, "%s\n", line);
    fprintf(out,
            "  * %s model, %s results, pairs in the order of the schedule; alpha %g, beta %g.\n",
            sequential_model(sequential), sprt->luck ? "luck-adjusted" : "plain", sprt->alpha,
            sprt->beta);
    if (test->state == SPRT_H0 || test->state == SPRT_H1) {
        fprintf(out,
                "  * A test that stops by itself overstates the difference: trust the verdict, "
                "not the estimate.\n");
    }
}

enum bg_status sequential_keep(const struct sequential *sequential, struct store *store,
                               struct bg_error *err)
{
    const struct sprt *test = &sequential->test;
    const struct config_event *event = sequential->event;
    char text[600];

    snprintf(text, sizeof text,
             "state=%s a=%s b=%s h0=%g h1=%g alpha=%g beta=%g llr=%.9g lower=%.9g upper=%.9g "
             "clusters=%" PRIu64 " mean=%.9g model=%s statistic=%s unit=%s",
             sprt_state_name(test->state), event->bots[0].name, event->bots[1].name, event->sprt.h0,
             event->sprt.h1, event->sprt.alpha, event->sprt.beta,
             isfinite(test->llr) ? test->llr : 0, test->bounds.lower, test->bounds.upper,
             test->clusters, test->mean, sequential_model(sequential),
             event->sprt.luck ? "luck" : "plain", sequential_unit(sequential));
    return store_meta_set(store, "sprt.outcome", text, err);
}
