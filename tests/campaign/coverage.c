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

#include <jansson.h>

#include <numbers/draw.h>
#include <numbers/rating.h>
#include <sums/summary.h>
#include <tally/tally.h>
#include <gather/health.h>
#include <tables/table_json.h>

enum { BOTS = 20, NAME = 16, CELL_PAIRS = 10 };

enum field { EQUAL, SPREAD, WINLESS, UNBEATEN, GROUPS };
static const char *const field_name[] = {"equal", "spread", "winless", "unbeaten", "groups"};

/* Correlation of a pair's legs: both -0.15 and -0.7 in one event. */
#define MIXED (-2.0)

struct scenario {
    int length; /* 0 money */
    int bots, pairs;
    double correlation;
    enum field field;
    int events;
    double starter; /* a lost game becomes a won one with this chance, by the side that began it */
    int draws;      /* of the bootstrap; 0: none */
};

struct world {
    const struct scenario *scenario;
    double strength[BOTS]; /* rating points; money: points a game */
    char name[BOTS][NAME];
    struct draw draw;
    struct legs legs; /* of this event, when its legs are examined */
};

/* One figure, summed over all events: how many were possible and how many were wrong. */
struct figure {
    double cases, misses, shown;
    double event_squares, event_misses; /* spread of misses, by event */
};

enum {
    RATING,
    BOUND,
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

struct counts {
    struct figure figure[FIGURES];
    double now[FIGURES]; /* misses of this event */
};

static void must(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "campaign_coverage: %s\n", what);
        exit(2);
    }
}

/* ---- the simulated event */

static void set_strengths(struct world *world)
{
    const struct scenario *s = world->scenario;
    double logit = 2000 / log(10) / sqrt(s->length == 0 ? 1 : s->length);
    double step = s->length == 0 ? 0.3 : logit;

    for (int i = 0; i < s->bots; i++) {
        double place = s->bots < 2 ? 0 : 2.0 * i / (s->bots - 1) - 1; /* -1 .. 1 */

        snprintf(world->name[i], NAME, "bot%02d", i);
        world->strength[i] = s->field == EQUAL ? 0 : 0.5 * step * place;
    }
    if (s->field == WINLESS) {
        world->strength[s->bots - 1] = s->length == 0 ? -1.2 : -6 * logit;
    } else if (s->field == UNBEATEN) {
        world->strength[0] = world->strength[1] = s->length == 0 ? 1.2 : 6 * logit;
    }
}

static bool meet(const struct scenario *s, int a, int b)
{
    return s->field != GROUPS || (a < s->bots / 2) == (b < s->bots / 2);
}

static double correlation_of(const struct scenario *s, int a, int b)
{
    return s->correlation > MIXED ? s->correlation : (a + b) % 2 == 0 ? -0.15 : -0.7;
}

static double chance(const struct world *world, int a, int b)
{
    return rating_expected(world->strength[a] - world->strength[b], world->scenario->length);
}

/* Whether a wins each of the two legs. */
static void match_pair(bool won[2], struct world *world, int a, int b)
{
    double p = chance(world, a, b), q = 1 - p;
    double both = p * p + correlation_of(world->scenario, a, b) * p * q;
    double x = draw_unit(&world->draw);

    both = fmax(both, fmax(0, 2 * p - 1));
    won[0] = x < p;
    won[1] = x < both || (x >= p && x < 2 * p - both);
}

#define MONEY_MEAN (1.295 * 2.02) /* of the points that money_points draws */

/* Points of a game between equals, with gammons and a cube; heavy tails. */
static int money_points(struct world *world)
{
    double x = draw_unit(&world->draw), y = draw_unit(&world->draw);
    int level = x < 0.72 ? 1 : x < 0.985 ? 2 : 3;
    int cube = y < 0.40 ? 1 : y < 0.85 ? 2 : y < 0.97 ? 4 : 8;

    return draw_unit(&world->draw) < 0.5 ? level * cube : -level * cube;
}

/* The better side's lost games become won ones with some chance. */
static int lean(struct world *world, int points, double better)
{
    bool turn = draw_unit(&world->draw) < fabs(better) / MONEY_MEAN;

    return turn && (points > 0) != (better > 0) ? -points : points;
}

static void money_pair(int points[2], struct world *world, int a, int b)
{
    double better = world->strength[a] - world->strength[b];
    int first = money_points(world);
    bool mirrored = draw_unit(&world->draw) < -correlation_of(world->scenario, a, b);
    int second = mirrored ? -first : money_points(world);

    points[0] = lean(world, first, better);
    points[1] = lean(world, second, better);
}

static void add_leg(struct encounter *total, struct pair *pair, int length, int leg, int points)
{
    struct encounter_game game = {.leg = leg,
                                  .length_points = length,
                                  .winner = points > 0 ? 0 : 1,
                                  .points = abs(points),
                                  .level = 1,
                                  .end = BG_END_OFF,
                                  .turns = 50,
                                  .match_over = length > 0,
                                  .match_winner = points > 0 ? 0 : 1};

    encounter_add_game(total, pair, &game);
}

/* The beginner's lost games become won ones with some chance. */
static int begin(struct world *world, int points, int starter)
{
    bool turn = draw_unit(&world->draw) < world->scenario->starter;

    return turn && (points > 0) != (starter == 0) ? -points : points;
}

/* The legs in a store's order. The same seat begins both. */
static void note_leg(struct world *world, int a, int b, int pair, int leg, int starter, int points)
{
    double won = points > 0 ? 1 : 0;
    struct leg row = {.a = a,
                      .b = b,
                      .length_points = world->scenario->length,
                      .pair = (uint64_t)pair,
                      .leg = (int8_t)(leg),
                      .over = true,
                      .points = points,
                      .won = (float)(won),
                      .first = (float)(won),
                      .cube = 1,
                      .starter = (int8_t)(starter)};

    must(legs_add(&world->legs, &row, NULL) == BG_OK, "legs");
}

static void play_encounter(struct tally *tally, struct world *world, int a, int b)
{
    const struct scenario *s = world->scenario;
    struct encounter total = {0};

    for (int k = 0; k < s->pairs; k++) {
        struct pair pair = {0};
        int points[2] = {0, 0};
        bool won[2];
        int seat = s->draws > 0 || s->starter > 0 ? (int)draw_below(&world->draw, 2) : -1;

        if (s->length == 0) {
            money_pair(points, world, a, b);
        } else {
            match_pair(won, world, a, b);
            points[0] = won[0] ? s->length : -s->length;
            points[1] = won[1] ? s->length : -s->length;
        }
        for (int leg = 0; leg < 2; leg++) {
            if (seat >= 0) {
                points[leg] = begin(world, points[leg], seat ^ leg);
                note_leg(world, a, b, k, leg, seat ^ leg, points[leg]);
            }
            add_leg(&total, &pair, s->length, leg, points[leg]);
        }
    }
    must(tally_add_encounter(tally, world->name[a], world->name[b], s->length, &total, NULL) ==
             BG_OK,
         "tally");
}

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
    for (int i = 0; i < s->bots; i++) {
        must(tally_add_bot(&tally, world->name[i], NULL) == BG_OK, "bots");
    }
    for (int a = 0; a < s->bots; a++) {
        for (int b = a + 1; b < s->bots; b++) {
            if (meet(s, a, b)) {
                play_encounter(&tally, world, a, b);
            }
        }
    }
    legs_close(&world->legs);
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
        must(tally_add_bot(&tally, world->name[i], NULL) == BG_OK, "bots");
    }
    must(health_of(&health, &world->legs, NULL) == BG_OK, "health");
    doc_section(doc, "health", "Health");
    health_tables(doc, &health, &tally);
    must(out != NULL && doc_status(doc, NULL) == BG_OK && document_json(out, doc, NULL) == BG_OK,
         "health as JSON");
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

/* A bot's true value on the scale of its printed rating: against the mean of the bots that it is
 * compared with; a bound is compared with the core. */
static double truth_of(const struct world *world, const json_t *rows, const json_t *row, bool bound)
{
    double sum = 0, count = 0;
    size_t i;
    const json_t *other;

    json_array_foreach(rows, i, other)
    {
        bool with = number(other, "group") == number(row, "group") &&
                    number(other, "component") == (bound ? 0 : number(row, "component"));

        sum += with ? world->strength[bot_of(other, "bot")] : 0;
        count += with;
    }
    return world->strength[bot_of(row, "bot")] - sum / count +
           (world->scenario->length == 0 ? 0 : 1500);
}

/* A bot's true average against all its opponents: points per game, or percent won. */
static double mean_score(const struct world *world, int bot)
{
    const struct scenario *s = world->scenario;
    double sum = 0, games = 0;

    for (int opponent = 0; opponent < s->bots; opponent++) {
        if (opponent != bot && meet(s, bot, opponent)) {
            sum += s->length == 0 ? world->strength[bot] - world->strength[opponent]
                                  : 100 * chance(world, bot, opponent);
            games++;
        }
    }
    return sum / games;
}

static void judge_row(struct counts *counts, const struct world *world, const json_t *rows,
                      const json_t *row)
{
    bool money = world->scenario->length == 0;
    double rating = number(row, "rating"), bar = number(row, "rating_bar");
    double bound = number(row, "bound"), truth = truth_of(world, rows, row, isfinite(bound));
    double mean = mean_score(world, bot_of(row, "bot"));
    double low =
        money ? number(row, "ppg") - number(row, "ppg_bar") : number(row, "won_percent_low");
    double high =
        money ? number(row, "ppg") + number(row, "ppg_bar") : number(row, "won_percent_high");
    bool upper = isfinite(bound) &&
                 strcmp(json_string_value(json_object_get(row, "bound_side")), "upper") == 0;

    count(counts, RATING, isfinite(bar) && bar > 0,
          isfinite(bar) && bar > 0 && isnan(bound) && fabs(rating - truth) > bar);
    if (!money) {
        count(counts, BOUND, isfinite(bound),
              isfinite(bound) && (upper ? truth > bound : truth < bound));
    }
    count(counts, SHARE, isfinite(low), mean < low - 1e-9 || mean > high + 1e-9);
}

static void judge_encounter(struct counts *counts, const struct world *world, const json_t *row,
                            bool *wrong)
{
    bool money = world->scenario->length == 0;
    int a = bot_of(row, "bot"), b = bot_of(row, "opponent");
    double difference = world->strength[a] - world->strength[b];
    double truth = money ? difference : chance(world, a, b);
    double low = money ? number(row, "ppg_low") : number(row, "won_percent_low") / 100;
    double high = money ? number(row, "ppg_high") : number(row, "won_percent_high") / 100;

    count(counts, CELL, isfinite(low), truth < low - 1e-9 || truth > high + 1e-9);
    *wrong = *wrong || (json_is_true(json_object_get(row, "established")) && difference <= 0) ||
             (json_is_true(json_object_get(row, "opponent_established")) && difference >= 0);
}

static void judge(struct counts *counts, const struct world *world, const json_t *event)
{
    const json_t *rows = json_object_get(event, "standings"), *row;
    double p = number(json_object_get(event, "model"), "chi2_p");
    bool wrong = false;
    size_t i;

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
        double mean = mean_score(world, bot_of(row, "bot"));

        count(
            counts, BOOT_RATING, isfinite(number(row, "rating_boot_low")),
            misses(row, "rating_boot_low", "rating_boot_high", truth_of(world, rows, row, false)));
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

/* Standard error of a share of misses, from the events. */
static double error_of(const struct figure *figure, int events)
{
    double mean = figure->event_misses / events;
    double least = fmax(mean / 4, 1.0 / events); /* zero misses do not prove a rate of zero */
    double variance = fmax(figure->event_squares / events - mean * mean, least);

    return sqrt(variance * events) / figure->cases;
}

/* Whether a figure reaches its goal, with three standard errors of the simulation allowed. */
static bool is_good(int f, const struct figure *figure, const struct scenario *s, int clusters)
{
    double misses = figure->misses / figure->cases, slack = 3 * error_of(figure, s->events);

    switch (f) {
    case CLAIM:
    case DRIFT:
        return misses <= 0.06 + slack;
    case FIT:
        return misses <= 0.08 + slack;
    case BOUND:
        return misses <= 0.07 + slack;
    case RATING: /* where bounds replace ratings, fewer ratings can miss */
        return misses <= 0.07 + slack &&
               (clusters < 30 || figure->shown < 0.99 * figure->cases || misses >= 0.03 - slack);
    default:
        /* few pairs of matches have few outcomes: 91 or 100 % of two pairs, nothing between */
        return misses <= 0.07 + slack &&
               (clusters < 30 || (f == CELL && s->pairs < CELL_PAIRS) || misses >= 0.03 - slack);
    }
}

static const int first_table[] = {RATING, BOUND, SHARE, CELL, CLAIM, FIT, FIGURES};
static const int second_table[] = {RATING,  SHARE, BOOT_RATING, BOOT_PPG, SEAT,
                                   STARTER, APART, DRIFT,       FIGURES};

static bool counts_alarms(int figure)
{
    return figure == CLAIM || figure == FIT || figure == DRIFT;
}

static bool print_figures(const struct counts *counts, const int *figures, const struct scenario *s,
                          int clusters)
{
    bool good = true;

    for (; *figures != FIGURES; figures++) {
        const struct figure *figure = &counts->figure[*figures];
        double misses = 100 * figure->misses / figure->cases;
        bool fine = figure->cases <= 0 || is_good(*figures, figure, s, clusters);

        if (figure->shown > 0 || (figure->cases > 0 && figures[0] < BOOT_RATING)) {
            printf(" %6.1f%s", counts_alarms(*figures) ? misses : 100 - misses, fine ? " " : "!");
        } else {
            printf(" %6s ", "-");
        }
        good = good && fine;
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

static bool run(const struct scenario *s, uint64_t seed, const int *figures)
{
    struct world world = {.scenario = s, .draw = DRAW_INIT(seed)};
    struct counts counts = {0};
    char correlation[16];
    int encounters = 0;

    set_strengths(&world);
    for (int a = 0; a < s->bots; a++) {
        for (int b = a + 1; b < s->bots; b++) {
            encounters += meet(s, a, b);
        }
    }
    for (int event = 0; event < s->events; event++) {
        play_event(&counts, &world);
    }
    legs_deinit(&world.legs);
    snprintf(correlation, sizeof correlation, s->correlation > MIXED ? "%.2f" : "both",
             s->correlation);
    printf("%6d %4d %5d %6s %-8s %6d %8d", s->length, s->bots, s->pairs, correlation,
           field_name[s->field], s->events, encounters * s->pairs);
    return print_figures(&counts, figures, s, encounters * s->pairs);
}

static int events_for(const struct scenario *s, double factor)
{
    double work = s->bots * (s->bots - 1) / 2.0 * (s->pairs + 20) + 400;

    return (int)fmax(60, fmin(4000, factor * 1.2e6 / work));
}

static const int lengths[] = {1, 3, 7, 0};
static const double correlations[] = {-0.15, -0.7, MIXED};
static const struct {
    int bots, pairs;
    enum field field;
} fields[] = {{2, 2, EQUAL},     {2, 10, EQUAL},   {2, 30, SPREAD},   {2, 100, SPREAD},
              {5, 2, EQUAL},     {5, 10, SPREAD},  {5, 40, SPREAD},   {5, 10, WINLESS},
              {6, 10, UNBEATEN}, {8, 10, GROUPS},  {10, 5, SPREAD},   {20, 2, EQUAL},
              {20, 5, SPREAD},   {20, 5, WINLESS}, {20, 5, UNBEATEN}, {20, 40, SPREAD}};

/* Events examined leg by leg: effects with a starter who gains, intervals drawn from the pairs. */
static const struct scenario closer[] = {
    {0, 2, 30, -0.15, SPREAD, 0, 0.05, 0}, {0, 2, 100, -0.70, EQUAL, 0, 0.05, 0},
    {0, 5, 40, MIXED, SPREAD, 0, 0.05, 0}, {0, 20, 5, MIXED, SPREAD, 0, 0.05, 0},
    {1, 2, 30, -0.15, SPREAD, 0, 0.05, 0}, {3, 2, 100, -0.70, EQUAL, 0, 0.05, 0},
    {7, 5, 40, MIXED, SPREAD, 0, 0.05, 0}, {7, 20, 5, MIXED, WINLESS, 0, 0.05, 0},
    {0, 2, 40, -0.15, SPREAD, 0, 0, 400},  {0, 2, 100, -0.70, SPREAD, 0, 0, 400},
    {0, 5, 10, MIXED, SPREAD, 0, 0, 400},  {0, 5, 40, MIXED, EQUAL, 0, 0, 400},
    {0, 20, 5, -0.15, SPREAD, 0, 0, 400},  {1, 2, 40, -0.15, EQUAL, 0, 0, 400},
    {3, 2, 100, -0.70, SPREAD, 0, 0, 400}, {3, 5, 10, MIXED, SPREAD, 0, 0, 400},
    {7, 5, 40, MIXED, EQUAL, 0, 0, 400},   {7, 8, 20, -0.15, GROUPS, 0, 0, 400},
};

static int closer_events(const struct scenario *s, double factor)
{
    double work = s->bots * (s->bots - 1) / 2.0 * (s->pairs + 20) * (1 + s->draws / 20.0) + 400;

    return (int)fmax(s->draws > 0 ? 20 : 60, fmin(4000, factor * 8e6 / work));
}

static bool run_closer(double factor, uint64_t seed, bool small, size_t only)
{
    bool good = true;

    printf("\nlength bots pairs  corr. field    events clusters  rating ppg/won b.rating   b.ppg"
           "    seat starter   apart drift-%%\n");
    for (size_t i = 0; i < sizeof closer / sizeof closer[0]; i++) {
        struct scenario s = closer[i];

        s.events = closer_events(&s, factor);
        good = ((small && i % 4 != 2) || (only > 0 && only != i + 1) ||
                run(&s, seed + 7000 + i, second_table)) &&
               good;
    }
    return good;
}

static bool run_first(double factor, uint64_t seed, bool small, size_t only, bool money)
{
    bool good = true;
    int number_of = 0;

    printf("length bots pairs  corr. field    events clusters  rating   bound ppg/won    cell "
           "false-%% chi2-%%\n");
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            for (size_t c = 0; c < sizeof correlations / sizeof correlations[0]; c++) {
                struct scenario s = {
                    lengths[l],
                    fields[f].bots,
                    fields[f].pairs,
                    correlations[c],
                    fields[f].field,
                    0,
                    0,
                    0,
                };
                bool wanted = (!small || ++number_of % 7 == 0) && (only == 0 || only == f + 1) &&
                              (!money || lengths[l] == 0);

                s.events = events_for(&s, factor);
                good = (!wanted || run(&s, seed + f * 100 + l * 10 + c, first_table)) && good;
            }
        }
    }
    return good;
}

int main(int argc, char **argv)
{
    double factor = 1;
    uint64_t seed = 1;
    size_t only = 0;
    bool small = false, closer_only = false, money = false, good = true;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--small") == 0) {
            small = true;
        } else if (strcmp(argv[i], "--closer") == 0) {
            closer_only = true;
        } else if (strcmp(argv[i], "--money") == 0) {
            money = true;
        } else if (strcmp(argv[i], "--field") == 0 && i + 1 < argc) {
            only = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--factor") == 0 && i + 1 < argc) {
            factor = atof(argv[++i]);
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            seed = strtoull(argv[++i], NULL, 10);
        } else {
            must(false, "usage: campaign_coverage [--small] [--closer] [--field N] [--money] "
                        "[--factor F] [--seed N]");
        }
    }
    if (closer_only) {
        good = run_closer(factor, seed, small, only);
    } else {
        good = run_first(factor, seed, small, only, money);
        good = (only > 0 || money || run_closer(factor, seed, small, 0)) && good;
    }
    return good ? 0 : 1;
}
