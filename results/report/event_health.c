/* Effects and drifts are tested for every event, so their p-values are corrected together
 * (Holm): without it, one event in a few would raise an alarm by chance, and alarms would no
 * longer be read. */
#include "event_health.h"

#include <math.h>
#include <stdlib.h>

#include <numbers/significance.h>
#include <numbers/strength.h>

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
    double p[2], adjusted[2];

    *out = (struct health){0};
    effects_of(out->effect, legs);
    out->drift = drift_of(&out->drifts, legs);
    p[0] = out->effect[EFFECT_SEAT].p;
    p[1] = out->effect[EFFECT_STARTER_APART].p;
    holm_adjust(adjusted, p, 2);
    out->seat_p = adjusted[0];
    out->apart_p = adjusted[1];
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

static const struct doc_column effect_columns[EFFECT_COLUMNS] = {
    [EFFECT_KEY] = {.key = "effect", .title = "", .use = DOC_DATA},
    [EFFECT_WHAT] = {.key = "of", .title = "Effect of"},
    [EFFECT_CLUSTERS] = {.key = "clusters", .title = "Clusters"},
    [EFFECT_LEGS] = {.key = "legs", .title = "Legs", .use = DOC_DATA},
    [EFFECT_ESTIMATE] = {.key = "estimate", .title = "Estimate", .decimals = 4, .sign = true},
    [EFFECT_LOW] = {.key = "low", .title = "From", .unit = "95 %", .decimals = 4, .sign = true},
    [EFFECT_HIGH] = {.key = "high", .title = "To", .unit = "95 %", .decimals = 4, .sign = true},
    [EFFECT_SE] = {.key = "se", .title = "SE", .decimals = 5, .use = DOC_DATA},
    [EFFECT_DF] = {.key = "df", .title = "df", .decimals = 1, .use = DOC_DATA},
    [EFFECT_P] = {.key = "p", .title = "p", .unit = "no effect", .decimals = 3},
    [EFFECT_UNIT] = {.key = "unit", .title = "in", .use = DOC_DATA},
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
        doc_text(table, EFFECT_KEY, effect_names[kind].key);
        doc_text(table, EFFECT_WHAT, effect_names[kind].what);
        doc_number(table, EFFECT_CLUSTERS, effect->clusters);
        doc_number(table, EFFECT_LEGS, effect->legs);
        doc_number(table, EFFECT_ESTIMATE, effect->estimate);
        doc_number(table, EFFECT_LOW, effect->low);
        doc_number(table, EFFECT_HIGH, effect->high);
        doc_number(table, EFFECT_SE, effect->se);
        doc_number(table, EFFECT_DF, effect->df);
        doc_number(table, EFFECT_P, effect->p);
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

static const struct doc_column drift_columns[DRIFT_COLUMNS] = {
    [DRIFT_BOT] = {.key = "bot", .title = "Bot", .bot = true},
    [DRIFT_OPPONENT] = {.key = "opponent", .title = "against", .bot = true},
    [DRIFT_LENGTH] = {.key = "length", .title = "Length", .use = DOC_DATA},
    [DRIFT_CLUSTERS] = {.key = "clusters", .title = "Clusters"},
    [DRIFT_CHANGE] =
        {.key = "change", .title = "Change", .unit = "first to last", .decimals = 3, .sign = true},
    [DRIFT_LOW] = {.key = "low", .title = "From", .unit = "95 %", .decimals = 3, .sign = true},
    [DRIFT_HIGH] = {.key = "high", .title = "To", .unit = "95 %", .decimals = 3, .sign = true},
    [DRIFT_SE] = {.key = "se", .title = "SE", .decimals = 4, .use = DOC_DATA},
    [DRIFT_DF] = {.key = "df", .title = "df", .decimals = 1, .use = DOC_DATA},
    [DRIFT_P] = {.key = "p", .title = "p alone", .decimals = 4},
    [DRIFT_HOLM] = {.key = "p_holm", .title = "p after Holm", .decimals = 4},
};

static void drift_row(struct doc_table *table, const struct drift *drift, const struct tally *tally)
{
    doc_row(table);
    doc_text(table, DRIFT_BOT, tally->bot[drift->a].name);
    doc_text(table, DRIFT_OPPONENT, tally->bot[drift->b].name);
    doc_number(table, DRIFT_LENGTH, drift->length_points);
    doc_number(table, DRIFT_CLUSTERS, drift->clusters);
    doc_number(table, DRIFT_CHANGE, drift->change);
    doc_number(table, DRIFT_LOW, drift->low);
    doc_number(table, DRIFT_HIGH, drift->high);
    doc_number(table, DRIFT_SE, drift->se);
    doc_number(table, DRIFT_DF, drift->df);
    doc_number(table, DRIFT_P, drift->p);
    doc_number(table, DRIFT_HOLM, drift->p_holm);
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
