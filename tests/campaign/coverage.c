/* Simulated events through the code that prints: how often does each printed interval contain the
 * true value? Misses are counted over all events, also those in which a figure was not printed.
 *
 * usage: campaign_coverage [--small] [--closer] [--field N] [--money] [--factor F] [--seed N]
 *
 * Exit status 1 when a figure misses its goal by more than chance explains.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <report/health.h>
#include <numbers/rating.h>
#include <numbers/significance.h>
#include <sums/summary.h>
#include <tables/event_table.h>

#include "events.h"

enum { CELL_PAIRS = 10 };

static const char *const strengths_name[] = {"equal", "spread",   "wide",  "normal",   "two",
                                             "far",   "hopeless", "lucky", "unbeaten", "split"};
static const char *const form_name[] = {"circle", "swiss",   "ladder",  "league", "knockout",
                                        "cup",    "stopped", "lengths", "voided"};

/* One figure, summed over all events: how many were possible and how many were wrong. */
struct figure {
    double cases, misses, shown;
    double event_squares, event_misses; /* spread of misses, by event */
};

enum {
    RATING,
    SHARE,
    CELL,
    CLAIM,
    FIT,
    BOOT_RATING, /* from here on in the second table */
    BOOT_PPG,
    SEAT,
    STARTER,
    APART,
    DRIFT,
    FIGURES
};

/* What was said with 85 to 99 %, and how often it was right. */
struct promise {
    double cases, said, right;
};

enum { LOS, BEST, PROMISES };

struct counts {
    struct figure figure[FIGURES];
    double now[FIGURES]; /* misses of this event */
    struct promise promise[PROMISES];
    double clusters;
    double legs[BOTS][BOTS]; /* of this event */
    double field, unknown;   /* variances over all bots: of true strengths, of ratings */
};

/* ---- the printed event */

/* The event as printed by 'bgref rate --json'. */
static json_t *print_event(struct world *world)
{
    const struct scenario *s = world->scenario;
    struct report_options options = REPORT_OPTIONS_INIT;
    struct tally tally;
    struct bg_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json_t *json = NULL;

    world->legs.count = 0;
    tally_init(&tally, s->length);
    tally.any_length = s->form == LENGTHS;
    play(&tally, world);
    legs_close(&world->legs);
    options.decided = world->stopped;
    if (s->draws > 0) {
        options.legs = &world->legs;
        options.bootstrap = s->draws;
    }
    must(out != NULL && report_json_table(out, &tally, &options, &err) == BG_OK, err.text);
    fclose(out);
    json = json_loads(text, 0, NULL);
    must(json != NULL, "no JSON");
    free(text);
    tally_deinit(&tally);
    return json;
}

/* The health of the event as printed in a report. */
static json_t *print_health(struct world *world)
{
    struct doc *doc = doc_create("health");
    struct health health;
    struct tally tally;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json_t *json = NULL;

    tally_init(&tally, world->scenario->length);
    for (int i = 0; i < world->scenario->bots; i++) {
        tally_add_bot(&tally, world->name[i]);
    }
    health_of(&health, &world->legs);
    doc_section(doc, "health", "Health");
    health_tables(doc, &health, &tally);
    must(out != NULL && document_json(out, doc, NULL) == BG_OK, "health as JSON");
    fclose(out);
    json = json_loads(text, 0, NULL);
    must(json != NULL, "no JSON");
    free(text);
    health_deinit(&health);
    doc_destroy(doc);
    tally_deinit(&tally);
    return json;
}

/* ---- the claims */

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    must(value != NULL, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void count(struct counts *counts, int figure, double shown, bool miss)
{
    counts->figure[figure].cases++;
    counts->figure[figure].shown += shown;
    counts->figure[figure].misses += miss;
    counts->now[figure] += miss;
}

static int bot_of(const json_t *row, const char *key)
{
    return atoi(json_string_value(json_object_get(row, key)) + 3);
}

/* A bot's true value on the scale of its printed rating: against the weighted mean of its group. */
static double truth_of(const struct world *world, const json_t *rows, const json_t *row)
{
    double sum = 0;
    size_t i;
    const json_t *other;

    json_array_foreach(rows, i, other)
    {
        if (number(other, "group") == number(row, "group")) {
            double weight = number(other, "anchor_weight");

            sum += isnan(weight) ? 0 : weight * world->strength[bot_of(other, "bot")];
        }
    }
    return world->strength[bot_of(row, "bot")] - sum + (world->scenario->length == 0 ? 0 : 1500);
}

/* A bot's true average against those that it met: points per game, or percent won. */
static double mean_score(const struct counts *counts, const struct world *world, int bot)
{
    const struct scenario *s = world->scenario;
    double sum = 0, legs = 0;

    for (int other = 0; other < s->bots; other++) {
        double truth = s->length == 0 ? world->strength[bot] - world->strength[other]
                                      : 100 * chance(world, bot, other);

        sum += counts->legs[bot][other] * truth;
        legs += counts->legs[bot][other];
    }
    return sum / legs;
}

static void hear(struct promise *promise, double said, bool right)
{
    if (said >= 0.85 && said <= 0.99) {
        promise->cases++;
        promise->said += said;
        promise->right += right;
    }
}

/* 1: the strongest one alone, 0: another one is stronger, -1: one is as strong. */
static int is_strongest(const struct world *world, int bot)
{
    int equals = 0;

    for (int i = 0; i < world->scenario->bots; i++) {
        if (world->strength[i] > world->strength[bot]) {
            return 0;
        }
        equals += world->strength[i] == world->strength[bot];
    }
    return equals == 1 ? 1 : -1;
}

static void judge_row(struct counts *counts, const struct world *world, const json_t *rows,
                      const json_t *row)
{
    const struct scenario *s = world->scenario;
    int bot = bot_of(row, "bot");
    bool money = s->length == 0;
    double low_end = number(row, "rating_low"), high_end = number(row, "rating_high");
    double mean = mean_score(counts, world, bot);
    double low =
        money ? number(row, "ppg") - number(row, "ppg_bar") : number(row, "won_percent_low");
    double high =
        money ? number(row, "ppg") + number(row, "ppg_bar") : number(row, "won_percent_high");

    if (s->strengths != LUCKY || bot != s->bots - 1) { /* of a lucky one the others are judged */
        double truth = truth_of(world, rows, row), bar = (high_end - low_end) / 2;

        counts->unknown += isfinite(bar) ? bar * bar / (STAT_Z95 * STAT_Z95) : 0;
        count(counts, RATING, isfinite(low_end) || isfinite(high_end),
              truth < low_end || truth > high_end); /* one end is open: won nothing, or all */
    }
    if (s->form != LENGTHS && s->strengths != LUCKY && isfinite(mean)) {
        count(counts, SHARE, isfinite(low), mean < low - 1e-9 || mean > high + 1e-9);
    }
    if (is_strongest(world, bot) >= 0) {
        hear(&counts->promise[BEST], number(row, "best_percent") / 100,
             is_strongest(world, bot) == 1);
    }
}

static void judge_encounter(struct counts *counts, const struct world *world, const json_t *row,
                            bool *wrong)
{
    const struct scenario *s = world->scenario;
    bool money = s->length == 0;
    int a = bot_of(row, "bot"), b = bot_of(row, "opponent");
    double difference = world->strength[a] - world->strength[b];
    double truth = money ? difference : chance(world, a, b);
    double low = money ? number(row, "ppg_low") : number(row, "won_percent_low") / 100;
    double high = money ? number(row, "ppg_high") : number(row, "won_percent_high") / 100;
    double los = number(row, "los");

    if (s->form != LENGTHS && s->strengths != LUCKY) {
        count(counts, CELL, isfinite(low), truth < low - 1e-9 || truth > high + 1e-9);
    }
    if (difference != 0) { /* of equals none is stronger */
        hear(&counts->promise[LOS], los, difference > 0);
        hear(&counts->promise[LOS], 1 - los, difference < 0);
    }
    *wrong = *wrong || (json_is_true(json_object_get(row, "established")) && difference <= 0) ||
             (json_is_true(json_object_get(row, "opponent_established")) && difference >= 0);
}

static void note_legs(struct counts *counts, const json_t *event)
{
    const json_t *row;
    size_t i;

    memset(counts->legs, 0, sizeof counts->legs);
    json_array_foreach(json_object_get(event, "encounters"), i, row)
    {
        int a = bot_of(row, "bot"), b = bot_of(row, "opponent");

        counts->legs[a][b] = counts->legs[b][a] = number(row, "legs");
    }
}

/* The mean square against the mean, of the field without those that are put far out of it: one
 * hopeless bot does not make the others less equal. */
static double variance_of(const struct world *world)
{
    int kind = (int)world->scenario->strengths, first = kind == UNBEATEN ? 2 : kind == FAR;
    int end = world->scenario->bots - (kind == FAR || kind == HOPELESS || kind == LUCKY);
    double sum = 0, squares = 0, count = end - first;

    for (int i = first; i < end; i++) {
        sum += world->strength[i];
        squares += world->strength[i] * world->strength[i];
    }
    return squares / count - sum / count * sum / count;
}

static void judge(struct counts *counts, const struct world *world, const json_t *event)
{
    const json_t *rows = json_object_get(event, "standings"), *row;
    double p = number(json_object_get(event, "model"), "chi2_p");
    bool wrong = false;
    size_t i;

    note_legs(counts, event);
    counts->field += variance_of(world) * world->scenario->bots;
    counts->clusters += number(json_object_get(event, "model"), "clusters");
    json_array_foreach(rows, i, row)
    {
        judge_row(counts, world, rows, row);
    }
    json_array_foreach(json_object_get(event, "encounters"), i, row)
    {
        judge_encounter(counts, world, row, &wrong);
    }
    count(counts, CLAIM, 1, wrong);
    if (world->scenario->length == 0) {
        count(counts, FIT, isfinite(p), p < 0.05);
    }
}

static void close_event(struct counts *counts)
{
    for (int f = 0; f < FIGURES; f++) {
        counts->figure[f].event_misses += counts->now[f];
        counts->figure[f].event_squares += counts->now[f] * counts->now[f];
    }
    memset(counts->now, 0, sizeof counts->now);
}

/* Whether the true value lies outside a range that is printed as two keys of a row. */
static bool misses(const json_t *row, const char *low, const char *high, double truth)
{
    return truth < number(row, low) - 1e-9 || truth > number(row, high) + 1e-9;
}

static void judge_bootstrap(struct counts *counts, const struct world *world, const json_t *event)
{
    const json_t *rows = json_object_get(event, "standings"), *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        double mean = mean_score(counts, world, bot_of(row, "bot"));

        count(counts, BOOT_RATING, isfinite(number(row, "rating_boot_low")),
              misses(row, "rating_boot_low", "rating_boot_high", truth_of(world, rows, row)));
        if (world->scenario->length == 0) {
            count(counts, BOOT_PPG, isfinite(number(row, "ppg_boot_low")),
                  misses(row, "ppg_boot_low", "ppg_boot_high", mean));
        }
    }
}

static void judge_health(struct counts *counts, const struct world *world, const json_t *report)
{
    const json_t *tables = json_object_get(report, "tables"), *row;
    const json_t *effects = json_object_get(json_object_get(tables, "effects"), "rows");
    const json_t *drift = json_object_get(json_object_get(tables, "drift"), "rows");
    const struct scenario *s = world->scenario;
    bool alarm = false;
    size_t i;

    json_array_foreach(effects, i, row)
    {
        const char *key = json_string_value(json_object_get(row, "effect"));
        int figure = strcmp(key, "seat") == 0            ? SEAT
                     : strcmp(key, "starter") == 0       ? STARTER
                     : strcmp(key, "starter_apart") == 0 ? APART
                                                         : -1;
        double truth = figure != STARTER ? 0 : s->starter * (s->length == 0 ? MONEY_MEAN : 0.5);

        if (figure >= 0) {
            count(counts, figure, isfinite(number(row, "low")), misses(row, "low", "high", truth));
        }
    }
    json_array_foreach(drift, i, row)
    {
        alarm = alarm || number(row, "p_holm") < HEALTH_LEVEL;
    }
    count(counts, DRIFT, json_array_size(drift) > 0, alarm);
}

/* ---- the table */

/* Standard error of a share of misses, from the events; at least that of independent cases of which
 * three percent miss, the lower bound that is_good() asks about: a few events without a miss say
 * nothing about how much events differ. */
static double error_of(const struct figure *figure, int events)
{
    double mean = figure->event_misses / events;
    double least = fmax(mean / 4, fmax(1.0, 0.03 * figure->cases) / events);
    double variance = fmax(figure->event_squares / events - mean * mean, least);

    return sqrt(variance * events) / figure->cases;
}

/* How far apart the field's bots are (but for those far out), in standard errors of their ratings.
 * Under 1 the event hardly sees that they are not equals: intervals hold the truth as often as
 * those of equals, 99 %. */
static double apart_of(const struct counts *counts)
{
    return counts->unknown > 0 ? sqrt(counts->field / counts->unknown) : 0;
}

/* Whether a figure reaches its goal, with three standard errors of the simulation allowed. */
static bool is_good(int f, const struct counts *counts, const struct scenario *s, int clusters)
{
    const struct figure *figure = &counts->figure[f];
    double misses = figure->misses / figure->cases, slack = 3 * error_of(figure, s->events);
    bool may_be_wide = apart_of(counts) < 1 || s->strengths == LUCKY || clusters < 30;

    switch (f) {
    case CLAIM:
    case DRIFT:
        return misses <= 0.06 + slack;
    case FIT:
        return misses <= 0.08 + slack;
    default:
        /* few pairs of matches have few outcomes: 91 or 100 % of two pairs, nothing between */
        return misses <= 0.07 + slack &&
               (may_be_wide || (f == CELL && s->pairs < CELL_PAIRS) || misses >= 0.03 - slack);
    }
}

static const int first_table[] = {RATING, SHARE, CELL, CLAIM, FIT, FIGURES};
static const int second_table[] = {RATING,  SHARE, BOOT_RATING, BOOT_PPG, SEAT,
                                   STARTER, APART, DRIFT,       FIGURES};

static bool counts_alarms(int figure)
{
    return figure == CLAIM || figure == FIT || figure == DRIFT;
}

/* Whether what was said with 85 to 99 % was right within two points; few sayings prove nothing. */
static bool is_kept(const struct promise *promise, double allowed)
{
    double apart = (promise->right - promise->said) / promise->cases;
    double chance_ = promise->said / promise->cases;
    double slack = 3 * sqrt(chance_ * (1 - chance_) / promise->cases);

    return promise->cases < 1 || fabs(apart) <= allowed + slack;
}

static void print_promise(const struct promise *promise)
{
    if (promise->cases < 100) {
        printf("       - ");
    } else {
        printf(" %+7.1f ", 100 * (promise->right - promise->said) / promise->cases);
    }
}

static bool print_figures(const struct counts *counts, const int *figures, const struct scenario *s,
                          int clusters)
{
    bool good = true, first = figures == first_table;

    for (; *figures != FIGURES; figures++) {
        const struct figure *figure = &counts->figure[*figures];
        double misses = 100 * figure->misses / figure->cases;
        bool fine = figure->cases <= 0 || is_good(*figures, counts, s, clusters);

        if (figure->shown > 0 || (figure->cases > 0 && figures[0] < BOOT_RATING)) {
            printf(" %6.1f%s", counts_alarms(*figures) ? misses : 100 - misses, fine ? " " : "!");
        } else {
            printf(" %6s ", "-");
        }
        good = good && fine;
    }
    for (int p = 0; first && p < PROMISES; p++) {
        print_promise(&counts->promise[p]);
    }
    printf("  %s\n", good ? "good" : "BAD");
    fflush(stdout);
    return good;
}

static void play_event(struct counts *counts, struct world *world)
{
    const struct scenario *s = world->scenario;
    json_t *json = print_event(world);

    if (s->starter <= 0) { /* the starter's gain changes the true values of ratings */
        judge(counts, world, json);
    }
    if (s->draws > 0) {
        judge_bootstrap(counts, world, json);
    }
    json_decref(json);
    if (world->legs.count > 0) {
        json = print_health(world);
        judge_health(counts, world, json);
        json_decref(json);
    }
    close_event(counts);
}

/* all: what the lines before have promised, matches and money. */
static bool run(struct promise all[2][PROMISES], const struct scenario *s, uint64_t seed,
                const int *figures)
{
    struct world world = {.scenario = s, .draw = DRAW_INIT(seed)};
    struct counts counts = {0};
    char correlation[16];
    int clusters = 0;

    for (int event = 0; event < s->events; event++) {
        play_event(&counts, &world);
    }
    clusters = (int)(counts.clusters / s->events);
    legs_deinit(&world.legs);
    snprintf(correlation, sizeof correlation, s->correlation > MIXED ? "%.2f" : "both",
             s->correlation);
    printf("%-8s %6d %4d %5d %6s %-8s %6d %8d %5.1f", form_name[s->form], s->length, s->bots,
           s->pairs, correlation, strengths_name[s->strengths], s->events, clusters,
           apart_of(&counts));
    for (int p = 0; p < PROMISES; p++) {
        struct promise *sum = &all[s->length == 0][p];

        sum->cases += counts.promise[p].cases;
        sum->said += counts.promise[p].said;
        sum->right += counts.promise[p].right;
    }
    return print_figures(&counts, figures, s, clusters);
}

static int events_for(const struct scenario *s, double factor)
{
    double work = s->bots * (s->bots - 1) / 2.0 * (s->pairs / 2.0 + 20) + 400;

    return (int)fmax(60, fmin(2000, factor * 1.5e6 / work));
}

static const int lengths[] = {1, 3, 7};
static const double correlations[] = {-0.15, -0.7, MIXED};
static const struct {
    enum form form;
    int bots, pairs;
    enum strengths strengths;
} lines[] = {
    {CIRCLE, 2, 2, EQUAL},     {CIRCLE, 2, 10, EQUAL},    {CIRCLE, 2, 30, SPREAD},
    {CIRCLE, 2, 100, SPREAD},  {CIRCLE, 5, 2, EQUAL},     {CIRCLE, 5, 10, SPREAD},
    {CIRCLE, 5, 40, SPREAD},   {CIRCLE, 5, 10, HOPELESS}, {CIRCLE, 5, 40, LUCKY},
    {CIRCLE, 6, 10, UNBEATEN}, {CIRCLE, 8, 10, SPLIT},    {CIRCLE, 10, 5, SPREAD},
    {CIRCLE, 10, 5, NORMAL},   {CIRCLE, 20, 2, EQUAL},    {CIRCLE, 20, 5, WIDE},
    {CIRCLE, 20, 5, TWO},      {CIRCLE, 20, 40, SPREAD},  {SWISS, 16, 1, EQUAL},
    {SWISS, 16, 5, EQUAL},     {SWISS, 16, 20, EQUAL},    {SWISS, 16, 1, WIDE},
    {SWISS, 16, 5, WIDE},      {SWISS, 16, 1, NORMAL},    {SWISS, 16, 5, NORMAL},
    {SWISS, 16, 20, NORMAL},   {SWISS, 16, 1, TWO},       {SWISS, 16, 5, TWO},
    {SWISS, 16, 1, FAR},       {SWISS, 16, 5, FAR},       {SWISS, 16, 5, HOPELESS},
    {SWISS, 8, 5, SPREAD},     {LADDER, 16, 1, EQUAL},    {LADDER, 16, 5, EQUAL},
    {LADDER, 16, 5, WIDE},     {LADDER, 16, 1, NORMAL},   {LADDER, 16, 5, NORMAL},
    {LADDER, 16, 5, TWO},      {LEAGUE, 16, 1, EQUAL},    {LEAGUE, 16, 5, EQUAL},
    {LEAGUE, 16, 5, WIDE},     {LEAGUE, 16, 1, NORMAL},   {LEAGUE, 16, 5, NORMAL},
    {LEAGUE, 16, 5, TWO},      {KNOCKOUT, 16, 1, EQUAL},  {KNOCKOUT, 16, 5, EQUAL},
    {KNOCKOUT, 16, 5, WIDE},   {KNOCKOUT, 16, 1, NORMAL}, {KNOCKOUT, 16, 5, NORMAL},
    {KNOCKOUT, 8, 20, NORMAL}, {CUP, 8, 1, EQUAL},        {CUP, 8, 5, EQUAL},
    {CUP, 8, 5, NORMAL},       {CUP, 12, 5, WIDE},        {STOPPED, 2, 200, EQUAL},
    {STOPPED, 2, 200, SPREAD}, {LENGTHS, 6, 5, SPREAD},   {LENGTHS, 10, 2, EQUAL},
    {LENGTHS, 10, 5, NORMAL},  {VOIDED, 4, 10, EQUAL},    {VOIDED, 6, 10, SPREAD},
};

/* Events examined leg by leg: effects with a starter who gains, intervals drawn from the pairs. */
static const struct scenario closer[] = {
    {0, 2, 30, -0.15, SPREAD, 0, 0.05, 0, CIRCLE}, {0, 2, 100, -0.70, EQUAL, 0, 0.05, 0, CIRCLE},
    {0, 5, 40, MIXED, SPREAD, 0, 0.05, 0, CIRCLE}, {0, 20, 5, MIXED, SPREAD, 0, 0.05, 0, CIRCLE},
    {1, 2, 30, -0.15, SPREAD, 0, 0.05, 0, CIRCLE}, {3, 2, 100, -0.70, EQUAL, 0, 0.05, 0, CIRCLE},
    {7, 5, 40, MIXED, SPREAD, 0, 0.05, 0, CIRCLE}, {7, 20, 5, MIXED, HOPELESS, 0, 0.05, 0, CIRCLE},
    {0, 2, 40, -0.15, SPREAD, 0, 0, 400, CIRCLE},  {0, 2, 100, -0.70, SPREAD, 0, 0, 400, CIRCLE},
    {0, 5, 10, MIXED, SPREAD, 0, 0, 400, CIRCLE},  {0, 5, 40, MIXED, EQUAL, 0, 0, 400, CIRCLE},
    {0, 20, 5, -0.15, SPREAD, 0, 0, 400, CIRCLE},  {1, 2, 40, -0.15, EQUAL, 0, 0, 400, CIRCLE},
    {3, 2, 100, -0.70, SPREAD, 0, 0, 400, CIRCLE}, {3, 5, 10, MIXED, SPREAD, 0, 0, 400, CIRCLE},
    {7, 5, 40, MIXED, EQUAL, 0, 0, 400, CIRCLE},   {7, 8, 20, -0.15, SPLIT, 0, 0, 400, CIRCLE},
};

static int closer_events(const struct scenario *s, double factor)
{
    double work = s->bots * (s->bots - 1) / 2.0 * (s->pairs + 20) * (1 + s->draws / 20.0) + 400;

    return (int)fmax(s->draws > 0 ? 20 : 60, fmin(2000, factor * 3e6 / work));
}

struct wish {
    double factor;
    uint64_t seed;
    size_t only; /* line; 0: all */
    bool small, closer, money, matches;
};

static bool run_closer(const struct wish *wish)
{
    struct promise all[2][PROMISES] = {0};
    bool good = true;

    printf("\nform     length bots pairs  corr. field    events clusters apart  rating ppg/won "
           "b.rating   b.ppg    seat starter   apart drift-%%\n");
    for (size_t i = 0; i < sizeof closer / sizeof closer[0]; i++) {
        struct scenario s = closer[i];

        s.events = closer_events(&s, wish->factor);
        good = ((wish->small && i % 4 != 2) || (wish->only > 0 && wish->only != i + 1) ||
                run(all, &s, wish->seed + 7000 + i, second_table)) &&
               good;
    }
    return good;
}

static bool print_all(struct promise all[2][PROMISES])
{
    static const char *const name[] = {"LOS", "best %"};
    bool good = true;

    for (int money = 0; money < 2; money++) {
        for (int p = 0; p < PROMISES; p++) {
            const struct promise *sum = &all[money][p];
            bool kept = is_kept(sum, 0.02);

            if (sum->cases > 0) {
                printf("%s: %s of 85 to 99 %% said %.1f %% on average, right %.1f %% of %.0f%s\n",
                       money ? "money" : "matches", name[p], 100 * sum->said / sum->cases,
                       100 * sum->right / sum->cases, sum->cases, kept ? "" : "!");
            }
            good = good && kept;
        }
    }
    return good;
}

static bool run_first(const struct wish *wish)
{
    struct promise all[2][PROMISES] = {0};
    bool good = true;

    printf("form     length bots pairs  corr. field    events clusters apart  rating ppg/won    "
           "cell false-%% chi2-%%     LOS    best\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        for (int money = 0; money < 2; money++) {
            struct scenario s = {money ? 0 : lengths[i % 3],
                                 lines[i].bots,
                                 lines[i].pairs,
                                 correlations[(i + (size_t)money + i / 3) % 3],
                                 lines[i].strengths,
                                 0,
                                 0,
                                 0,
                                 lines[i].form};
            bool wanted = (!wish->small || i % 7 == 5) &&
                          (wish->only == 0 || wish->only == i + 1) &&
                          !(money ? wish->matches || s.form == LENGTHS : wish->money);

            s.events = events_for(&s, wish->factor);
            good =
                (!wanted || run(all, &s, wish->seed + i * 10 + (size_t)money, first_table)) && good;
        }
    }
    return print_all(all) && good;
}

int main(int argc, char **argv)
{
    struct wish wish = {.factor = 1, .seed = 1};
    bool good = true;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--small") == 0) {
            wish.small = true;
        } else if (strcmp(argv[i], "--closer") == 0) {
            wish.closer = true;
        } else if (strcmp(argv[i], "--money") == 0) {
            wish.money = true;
        } else if (strcmp(argv[i], "--matches") == 0) {
            wish.matches = true;
        } else if (strcmp(argv[i], "--line") == 0 && i + 1 < argc) {
            wish.only = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--factor") == 0 && i + 1 < argc) {
            wish.factor = atof(argv[++i]);
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            wish.seed = strtoull(argv[++i], NULL, 10);
        } else {
            must(false, "usage: campaign_coverage [--small] [--closer] [--line N] [--money] "
                        "[--matches] [--factor F] [--seed N]");
        }
    }
    if (wish.closer) {
        good = run_closer(&wish);
    } else {
        good = run_first(&wish);
        good = (wish.only > 0 || wish.money || wish.matches || run_closer(&wish)) && good;
    }
    return good ? 0 : 1;
}
