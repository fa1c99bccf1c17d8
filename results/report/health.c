/* Whether the event is sound: every check in one table, and the figures behind them. Every check
 * has its row, also where too little was looked at: a missing row would look like a check that
 * was passed. Effects and drifts are tested for every event, so their p-values are corrected
 * together (Holm): without it, one event in a few would raise an alarm by chance, and alarms would
 * no longer be read. */
#include "health.h"

#include <math.h>
#include <stdlib.h>

#include <base/memory.h>
#include <numbers/significance.h>
#include <numbers/strength.h>

#include "section.h"
#include "tables/notes.h"
#include "tables/standing.h"

/* ---------------------------------------------------------------- seats, openings, drift */

enum { DRIFT_SHOWN = 20 /* encounters shown to users; JSON has them all */ };

static int by_p(const void *x, const void *y)
{
    const struct drift *a = x, *b = y;

    if (a->p != b->p) {
        return a->p < b->p ? -1 : 1;
    }
    return a->a != b->a ? a->a - b->a : a->b - b->b;
}

void health_of(struct health *out, const struct legs *legs)
{
    double p[2];

    *out = (struct health){0};
    effects_of(out->effect, legs);
    out->drift = drift_of(&out->drifts, legs);
    p[0] = out->effect[EFFECT_SEAT].p;
    p[1] = out->effect[EFFECT_STARTER_APART].p;
    holm_adjust(p, 2);
    out->seat_p = p[0];
    out->apart_p = p[1];
    if (out->drifts > 0) {
        qsort(out->drift, out->drifts, sizeof *out->drift, by_p);
    }
}

void health_deinit(struct health *health)
{
    free(health->drift);
    *health = (struct health){0};
}

/* ----------------------------------------------------------------- effects */

enum {
    EFFECT_KEY,
    EFFECT_WHAT,
    EFFECT_CLUSTERS,
    EFFECT_LEGS,
    EFFECT_ESTIMATE,
    EFFECT_LOW,
    EFFECT_HIGH,
    EFFECT_SE,
    EFFECT_DF,
    EFFECT_P,
    EFFECT_UNIT,
    EFFECT_COLUMNS
};

#define EFFECT(member) DOC_SOURCE(struct effect, member, 1)

static const struct doc_column effect_columns[EFFECT_COLUMNS] = {
    [EFFECT_KEY] = {"effect", "", .use = DOC_DATA},
    [EFFECT_WHAT] = {"of", .title = "Effect of"},
    [EFFECT_CLUSTERS] = {"clusters", .title = "Clusters", .from = EFFECT(clusters)},
    [EFFECT_LEGS] = {"legs", "Legs", .use = DOC_DATA, .from = EFFECT(legs)},
    [EFFECT_ESTIMATE] = {"estimate", "Estimate", .decimals = 4, .sign = true,
                         .from = EFFECT(estimate)},
    [EFFECT_LOW] = {"low", "From", "95 %", .decimals = 4, .sign = true, .from = EFFECT(low)},
    [EFFECT_HIGH] = {"high", "To", "95 %", .decimals = 4, .sign = true, .from = EFFECT(high)},
    [EFFECT_SE] = {"se", "SE", .decimals = 5, .use = DOC_DATA, .from = EFFECT(se)},
    [EFFECT_DF] = {"df", "df", .decimals = 1, .use = DOC_DATA, .from = EFFECT(df)},
    [EFFECT_P] = {"p", "p", "no effect", .decimals = 3, .from = EFFECT(p)},
    [EFFECT_UNIT] = {"unit", "in", .use = DOC_DATA},
};

static const struct {
    const char *key, *what;
} effect_names[EFFECT_KINDS] = {
    [EFFECT_SEAT] = {"seat", "seat 0 (named first)"},
    [EFFECT_STARTER] = {"starter", "beginning the first game"},
    [EFFECT_STARTER_GAME] = {"starter_game", "the same, in that game alone"},
    [EFFECT_STARTER_LEG0] = {"starter_leg0", "beginning leg 0"},
    [EFFECT_STARTER_LEG1] = {"starter_leg1", "beginning leg 1"},
    [EFFECT_STARTER_APART] = {"starter_apart", "leg 0 minus leg 1 of it"},
};

static const char *effect_unit(enum effect_kind kind, bool money)
{
    return kind == EFFECT_STARTER_GAME ? "share of games won above 1/2"
           : money                     ? "points per game"
                                       : "share of matches won above 1/2";
}

static void effects_table(struct doc *doc, const struct health *health, bool money)
{
    struct doc_table *table =
        doc_table(doc, "effects",
                  money ? "Advantage of the seat and of the opening roll, over all bots: points "
                          "per game; in that game alone: share of games won above 1/2"
                        : "Advantage of the seat and of the opening roll, over all bots: share of "
                          "matches won above 1/2; in that game alone: of games",
                  effect_columns, EFFECT_COLUMNS);

    bool has_pairs = health->effect[EFFECT_STARTER_LEG1].clusters > 0;
    static const struct doc_pick picks[] = {
        DOC_PICK(EFFECT_WHAT), DOC_PICK_RANGE(EFFECT_ESTIMATE, EFFECT_LOW, EFFECT_HIGH),
        DOC_PICK(EFFECT_P), DOC_PICK(EFFECT_CLUSTERS)};

    table->head = EFFECT_WHAT;
    doc_view(doc, table, table->caption, picks, sizeof picks / sizeof picks[0]);
    for (int kind = 0; kind < EFFECT_KINDS; kind++) {
        const struct effect *effect = &health->effect[kind];

        /* Without pairs there is no second leg, and the first one's row says what the row of all
         * legs says already. */
        if (!(effect->clusters > 0) || (kind == EFFECT_STARTER_LEG0 && !has_pairs)) {
            continue;
        }
        doc_row(table);
        doc_fill(table, effect);
        doc_text(table, EFFECT_KEY, effect_names[kind].key);
        doc_text(table, EFFECT_WHAT, effect_names[kind].what);
        doc_text(table, EFFECT_UNIT, effect_unit((enum effect_kind)kind, money));
    }
    doc_note(doc,
             "Seats and opening: a cluster is a pair, or a match with dice of its own. The legs of "
             "a pair have the same dice with the seats exchanged, so the bots' strength cancels in "
             "means over both legs, and widens those of one. Beginning is an advantage in most "
             "games; a seat should not be, and beginning "
             "should be worth the same in both legs. Intervals from %d clusters on.",
             STRENGTH_SMALL);
}

/* ------------------------------------------------------------------- drift */

enum {
    DRIFT_BOT,
    DRIFT_OPPONENT,
    DRIFT_LENGTH,
    DRIFT_CLUSTERS,
    DRIFT_CHANGE,
    DRIFT_LOW,
    DRIFT_HIGH,
    DRIFT_SE,
    DRIFT_DF,
    DRIFT_P,
    DRIFT_HOLM,
    DRIFT_COLUMNS
};

#define DRIFT(member) DOC_SOURCE(struct drift, member, 1)

static const struct doc_column drift_columns[DRIFT_COLUMNS] = {
    [DRIFT_BOT] = {"bot", "Bot", .bot = true},
    [DRIFT_OPPONENT] = {"opponent", "against", .bot = true},
    [DRIFT_LENGTH] = {"length", "Length", .use = DOC_DATA, .from = DRIFT(length_points)},
    [DRIFT_CLUSTERS] = {"clusters", .title = "Clusters", .from = DRIFT(clusters)},
    [DRIFT_CHANGE] = {"change", "Change", "first to last", .decimals = 3, .sign = true,
                      .from = DRIFT(change)},
    [DRIFT_LOW] = {"low", "From", "95 %", .decimals = 3, .sign = true, .from = DRIFT(low)},
    [DRIFT_HIGH] = {"high", "To", "95 %", .decimals = 3, .sign = true, .from = DRIFT(high)},
    [DRIFT_SE] = {"se", "SE", .decimals = 4, .use = DOC_DATA, .from = DRIFT(se)},
    [DRIFT_DF] = {"df", "df", .decimals = 1, .use = DOC_DATA, .from = DRIFT(df)},
    [DRIFT_P] = {"p", "p alone", .decimals = 4, .from = DRIFT(p)},
    [DRIFT_HOLM] = {"p_holm", "p after Holm", .decimals = 4, .from = DRIFT(p_holm)},
};

static void drift_row(struct doc_table *table, const struct drift *drift, const struct tally *tally)
{
    doc_row(table);
    doc_fill(table, drift);
    doc_text(table, DRIFT_BOT, tally->bot[drift->a].name);
    doc_text(table, DRIFT_OPPONENT, tally->bot[drift->b].name);
}

static void drift_table(struct doc *doc, const struct health *health, const struct tally *tally)
{
    struct doc_table *table =
        doc_table(doc, "drift",
                  tally->length_points == 0
                      ? "Change of points per game from the first pair to the last, by encounter"
                      : "Change of the share won from the first pair to the last, by encounter",
                  drift_columns, DRIFT_COLUMNS);

    static const struct doc_pick picks[] = {DOC_PICK(DRIFT_BOT),
                                            DOC_PICK(DRIFT_OPPONENT),
                                            DOC_PICK_RANGE(DRIFT_CHANGE, DRIFT_LOW, DRIFT_HIGH),
                                            DOC_PICK(DRIFT_HOLM),
                                            DOC_PICK(DRIFT_P),
                                            DOC_PICK(DRIFT_CLUSTERS)};

    /* A thousand bots have half a million encounters: then the warnings name what drifts, and the
     * table is for programs. */
    if (health->drifts <= DRIFT_SHOWN) {
        doc_view(doc, table, table->caption, picks, sizeof picks / sizeof picks[0]);
    }
    for (size_t i = 0; i < health->drifts; i++) {
        drift_row(table, &health->drift[i], tally);
    }
    table->data = true;
    if (health->drifts == 0) {
        doc_note(doc, "Drift: no two bots have %d clusters with different results.",
                 STRENGTH_SMALL);
    } else {
        doc_note(doc,
                 "Drift: a line through the results of two bots in the order of the schedule, "
                 "errors after White (HC3). %zu encounter%s looked at, smallest p after Holm %.3f. "
                 "Shows bots that learn, get worse or were changed.",
                 health->drifts, health->drifts == 1 ? " was" : "s were", health->drift[0].p_holm);
    }
}

static void warn(struct doc *doc, const struct health *health, const struct tally *tally)
{
    if (health->seat_p < HEALTH_RARE) {
        doc_warn(doc, "One seat has better results than the other (p = %.2g): check the dice.",
                 health->seat_p);
    }
    if (health->apart_p < HEALTH_RARE) {
        doc_warn(doc,
                 "Beginning is worth more in one leg than in the other (p = %.2g): the legs are "
                 "not played in the same way.",
                 health->apart_p);
    }
    for (size_t i = 0; i < health->drifts && health->drift[i].p_holm < HEALTH_LEVEL; i++) {
        const struct drift *drift = &health->drift[i];

        doc_warn(doc,
                 "%s against %s changes during the event: %+.3f from first to last (p = %.2g after "
                 "Holm).",
                 tally_shown(tally, drift->a), tally_shown(tally, drift->b), drift->change,
                 drift->p_holm);
    }
}

void health_tables(struct doc *doc, const struct health *health, const struct tally *tally)
{
    effects_table(doc, health, tally->length_points == 0);
    drift_table(doc, health, tally);
    warn(doc, health, tally);
}

/* -------------------------------------------------------------------------------- checks */

enum { KEY, CHECK, LOOKED, P, VERDICT, COLUMNS };

static const struct doc_column columns[COLUMNS] = {
    [KEY] = {"key", "", .use = DOC_DATA},
    [CHECK] = {"check", .title = "Check"},
    [LOOKED] = {"looked_at", .title = "Looked at"},
    [P] = {"p", "Least p", "after Holm", .decimals = 4},
    [VERDICT] = {"verdict", .title = "Verdict"},
};

/* looked: number of results checked, 0: too few. alarm: the verdict if something is wrong. */
static void add_check(struct doc_table *table, const char *key, const char *what, double looked,
                      double p, const char *alarm)
{
    doc_row(table);
    doc_text(table, KEY, key);
    doc_text(table, CHECK, what);
    doc_number(table, LOOKED, looked);
    doc_number(table, P, p);
    doc_text(table, VERDICT, !(looked > 0) ? "too few" : alarm != NULL ? alarm : "good");
    if (!(looked > 0)) {
        doc_fold(table);
    }
}

/* ------------------------------------------------------- the judge against itself */

enum {
    ITSELF_BOT,
    ITSELF_RESULTS,
    ITSELF_CLUSTERS,
    ITSELF_MEAN,
    ITSELF_LOW,
    ITSELF_HIGH,
    ITSELF_SE,
    ITSELF_P,
    ITSELF_COLUMNS
};

static const struct doc_column itself_columns[ITSELF_COLUMNS] = {
    [ITSELF_BOT] = {"bot", "Bot", .bot = true},
    [ITSELF_RESULTS] = {"judged_legs", .title = "Judged"},
    [ITSELF_CLUSTERS] = {"clusters", .title = "Clusters"},
    [ITSELF_MEAN] = {"difference", "Difference", .decimals = 4, .sign = true},
    [ITSELF_LOW] = {"low", "From", "95 %", .decimals = 4, .sign = true},
    [ITSELF_HIGH] = {"high", "To", "95 %", .decimals = 4, .sign = true},
    [ITSELF_SE] = {"se", "SE", .decimals = 5, .use = DOC_DATA},
    [ITSELF_P] = {"p_holm", "p after Holm", .decimals = 4},
};

/* p-value that the judge's own error about a bot is 0, as for a perfect judge; NaN: unknown, or too
 * few clusters. */
static double itself_p(const struct luck_summary *luck, double mean)
{
    if (luck->clusters < LUCK_CLUSTERS || isnan(luck->itself.se)) {
        return NAN;
    }
    return luck->itself.se > 0 ? 2 * student_cdf(-fabs(mean) / luck->itself.se, luck->clusters - 1)
                               : 1;
}

static double itself_of(const struct luck_summary *luck)
{
    return luck->itself.mean - (luck->unit == LUCK_MWC ? 0.5 : 0);
}

static void itself_row(struct doc_table *table, const struct report *report, int bot, double p)
{
    const struct luck_summary *luck = &report->gather->judged.bot[bot].luck;
    double mean = itself_of(luck), bar = NAN;

    if (luck->clusters >= LUCK_CLUSTERS) {
        bar = student_t95(luck->clusters - 1) * luck->itself.se;
    }
    doc_row(table);
    doc_text(table, ITSELF_BOT, section_bot(report, bot));
    doc_number(table, ITSELF_RESULTS, luck->results);
    doc_number(table, ITSELF_CLUSTERS, luck->clusters);
    doc_number(table, ITSELF_MEAN, mean);
    doc_number(table, ITSELF_LOW, mean - bar);
    doc_number(table, ITSELF_HIGH, mean + bar);
    doc_number(table, ITSELF_SE, luck->itself.se);
    doc_number(table, ITSELF_P, p);
}

/* Returns each bot's p after Holm, in rank order; the caller frees it. */
static double *itself_ps(const struct report *report)
{
    size_t count = (size_t)report->count;
    double *p = memory_zeroed(count, sizeof *p);

    for (size_t i = 0; i < count; i++) {
        const struct luck_summary *luck = &report->gather->judged.bot[report->order[i]].luck;

        p[i] = itself_p(luck, itself_of(luck));
    }
    holm_adjust(p, count);
    return p;
}

static void check_itself(struct report *report, struct doc_table *checks, const double *p)
{
    double looked = 0, least = NAN;

    for (int i = 0; i < report->count; i++) {
        looked += !isnan(p[i]);
        least = fmin(least, p[i]); /* fmin ignores NaN */
    }
    add_check(checks, "judge_itself", "judge against itself, by bot", looked, least,
              least < HEALTH_LEVEL ? "favours a bot" : NULL);
}

static bool any_errors(const struct report *report)
{
    for (int i = 0; report->gather->judged.judge != NULL && i < report->count; i++) {
        if (isfinite(report->gather->judged.bot[i].luck.itself.mean)) {
            return true;
        }
    }
    return false;
}

static void itself_table(struct report *report, const double *p)
{
    struct doc_table *table =
        doc_table(report->doc, "judge_itself",
                  report->money ? "The judge against itself: luck-adjusted result minus the errors "
                                  "that it found, points per game"
                                : "The judge against itself: luck-adjusted result minus the errors "
                                  "that it found, MWC per match",
                  itself_columns, ITSELF_COLUMNS);

    static const struct doc_pick picks[] = {
        DOC_PICK(ITSELF_BOT), DOC_PICK_RANGE(ITSELF_MEAN, ITSELF_LOW, ITSELF_HIGH),
        DOC_PICK(ITSELF_P), DOC_PICK(ITSELF_RESULTS), DOC_PICK(ITSELF_CLUSTERS)};

    doc_view(report->doc, table, table->caption, picks, sizeof picks / sizeof picks[0]);
    for (int i = 0; i < report->count; i++) {
        if (isfinite(report->gather->judged.bot[report->order[i]].luck.itself.mean)) {
            itself_row(table, report, report->order[i], p[i]);
        }
    }
    doc_note(
        report->doc,
        "The judge against itself: 0 in every game for a judge without mistakes. Above 0 a bot did "
        "better than its errors show: the judge charged it too much, or its opponents too little.");
}

/* ----------------------------------------------------------------- the judge */

static void check_luck(struct report *report, struct doc_table *checks)
{
    size_t count = (size_t)report->count;
    const struct luck_summary **rows = memory_zeroed(count, sizeof *rows);
    struct luck_checked *health = memory_zeroed(count, sizeof *health);
    double looked = 0, rolls_p = NAN, apart_p = NAN;
    unsigned all = 0;

    for (size_t i = 0; i < count; i++) {
        rows[i] = &report->gather->judged.bot[report->order[i]].luck;
        looked += rows[i]->clusters >= LUCK_CLUSTERS;
    }
    luck_health_of(health, rows, count, 1);
    for (size_t i = 0; i < count; i++) {
        all |= health[i].warnings;
        rolls_p = fmin(rolls_p, health[i].rolls_p); /* fmin ignores NaN */
        apart_p = fmin(apart_p, health[i].apart_p);
    }
    add_check(checks, "luck_rolls", "luck per roll is 0, by bot", looked, rolls_p,
              (all & LUCK_ROLLS_BIASED) != 0 ? "biased rolls" : NULL);
    add_check(checks, "luck_apart", "adjusted equals plain, by bot", looked, apart_p,
              (all & LUCK_RESULTS_APART) != 0 ? "apart" : NULL);
    free(rows);
    free(health);
}

/* --------------------------------------------------------------------- tails */

static const enum standing_field tail_fields[] = {
    STANDING_BOT,           STANDING_PPG,    STANDING_PPG_BAR,      STANDING_PPG_BOOT_LOW,
    STANDING_PPG_BOOT_HIGH, STANDING_MEDIAN, STANDING_LARGEST_CUBE, STANDING_LARGEST_GAME,
    STANDING_LARGEST_SHARE, STANDING_HEAVY,
};
static const enum standing_field rating_fields[] = {
    STANDING_BOT,
    STANDING_RATING,
    STANDING_RATING_BAR,
    STANDING_RATING_BOOT_LOW,
    STANDING_RATING_BOOT_HIGH,
};

static void check_tails(struct report *report, struct doc_table *checks)
{
    bool heavy = false;
    double looked = 0;

    for (int i = 0; i < report->count; i++) {
        const struct tails *tails = &report->gather->summary.bot[report->order[i]].tails;

        looked += tails->games > 0;
        heavy = heavy || tails->heavy;
    }
    add_check(checks, "tails", "no heavy tails, by bot", looked, NAN, heavy ? "heavy" : NULL);
}

/* first: the first field to print; earlier fields are in the standings. */
static void standing_rows(struct report *report, const char *name, const char *caption,
                          const enum standing_field *fields, int count, int first)
{
    struct doc_table *table =
        standing_table(report->doc, name, caption, report->money, fields, count);
    struct doc_pick *picks = doc_array(report->doc, (size_t)count, sizeof *picks);

    for (int i = 0; picks != NULL && i <= count - first; i++) {
        picks[i].main = i == 0 ? 0 : first + i - 1;
    }
    if (picks != NULL) {
        doc_view(report->doc, table, caption, picks, count - first + 1);
    }
    for (int i = 0; i < report->count; i++) {
        standing_row(table, &report->gather->summary, report->order[i], fields, count);
    }
}

static void bootstrap_tables(struct report *report)
{
    const struct bootstrap *bootstrap = &report->gather->summary.bootstrap;

    if (report->money) {
        standing_rows(report, "tails", "Points per game: how much comes from single games",
                      tail_fields, sizeof tail_fields / sizeof tail_fields[0], 3);
        doc_note(report->doc,
                 "Median: points of the middle game. Its part: share of the squared deviations "
                 "from the mean in the largest game; heavy from %.0f %% on with at least %d games, "
                 "or with a cube above %.0f.",
                 100 * TAILS_SHARE, TAILS_GAMES, TAILS_CUBE);
    }
    if (bootstrap->rating != NULL) {
        standing_rows(report, "bootstrap", "Ratings by resampling pairs, 95 %", rating_fields,
                      sizeof rating_fields / sizeof rating_fields[0], 3);
    }
    if (bootstrap->draws > 0) {
        doc_note(report->doc,
                 "Bootstrap: the pairs of every encounter are resampled %d times; the interval has "
                 "the middle 95 %% of the values. The same results give the same interval. For "
                 "bots with at least %d clusters.",
                 bootstrap->draws, STRENGTH_SMALL);
    }
}

/* ------------------------------------------------------------------- section */

static void check_whole_event(struct report *report, struct doc_table *checks,
                              const struct health *health)
{
    struct dice_test dice;

    dice_test_of(&dice, &report->gather->dice);
    add_check(checks, "dice", "dice are fair (chi-square)", isnan(dice.p) ? 0 : dice.rolls, dice.p,
              dice.p < HEALTH_RARE ? "unfair" : NULL);
    add_check(checks, "seat", "no seat is better",
              isnan(health->seat_p) ? 0 : health->effect[EFFECT_SEAT].clusters, health->seat_p,
              health->seat_p < HEALTH_RARE ? "a seat is better" : NULL);
    add_check(checks, "starter_apart", "beginning is worth the same per leg",
              isnan(health->apart_p) ? 0 : health->effect[EFFECT_STARTER_APART].clusters,
              health->apart_p, health->apart_p < HEALTH_RARE ? "legs differ" : NULL);
    add_check(checks, "drift", "no two bots' results drift", (double)health->drifts,
              health->drifts > 0 ? health->drift[0].p_holm : (double)NAN,
              health->drifts > 0 && health->drift[0].p_holm < HEALTH_LEVEL ? "drift" : NULL);
}

void section_health(struct report *report)
{
    struct health health = {0};
    double *p = NULL;
    struct doc_table *checks;

    if (report->gather->kept_back) {
        return;
    }
    if (report->status == BG_OK && report->count > 0) {
        health_of(&health, &report->gather->legs);
        p = itself_ps(report);
    }
    if (report->status != BG_OK || p == NULL) {
        goto done;
    }
    doc_section(report->doc, "health", "Health");
    checks = doc_table(report->doc, "checks", "What was looked at", columns, COLUMNS);
    checks->head = CHECK;
    check_whole_event(report, checks, &health);
    if (report->money) {
        check_tails(report, checks);
    }
    if (report->gather->judged.judge != NULL) {
        check_luck(report, checks);
        check_itself(report, checks, p);
    }
    health_tables(report->doc, &health, &report->gather->results.tally);
    bootstrap_tables(report);
    if (any_errors(report)) {
        itself_table(report, p);
    }
done:
    health_deinit(&health);
    free(p);
}
