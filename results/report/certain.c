/* What is certain: who is better than whom, and with which confidence; the crosstable behind it,
 * and the sequential test of a duel. The test is printed from the words that the referee stored and
 * not computed again: it looked at its games in an order that the results alone do not show. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "section.h"
#include "tables/crosstable.h"
#include "tables/standing.h"

/* ------------------------------------------------------------------------ who is better */

enum { BOT, RANKS, BEST, NEXT_SHOWN, THAN, BETTER, NEXT, NEXT_LOS, COLUMNS };
enum { NAMES = 6 /* written out in one cell */ };

static const struct doc_column columns[COLUMNS] = {
    [BOT] = {"bot", "Bot", .bot = true},
    [RANKS] = {"ranks", "Ranks", .unit = "possible", .use = DOC_SHOWN},
    [BEST] = {"best_shown", "Best", .unit = "% chance", .decimals = 1, .chance = true,
              .use = DOC_SHOWN},
    [NEXT_SHOWN] = {"los_next", "LOS", .unit = "over the next, %", .use = DOC_SHOWN},
    [THAN] = {"than", "Stronger than", .unit = "established", .use = DOC_SHOWN},
    [BETTER] = {"stronger_than", .title = "Stronger than", .use = DOC_DATA},
    [NEXT] = {"next", "The next", .bot = true, .use = DOC_DATA},
    [NEXT_LOS] = {"next_los", "LOS over it", .use = DOC_DATA, .decimals = 4},
};

/* The bots that are established to be weaker, in rank order; *count: how many. */
static const char *weaker(struct report *report, int bot, int *count)
{
    const struct summary *summary = &report->gather->summary;
    const char *text = "";

    *count = 0;
    for (int k = 0; k < report->count; k++) {
        int other = report->order[k];

        if (other != bot && summary_established(summary, bot, other) &&
            summary_los(summary, bot, other) > 0.5) {
            if (++*count <= NAMES) {
                text = doc_format(report->doc, "%s%s%s", text, *count > 1 ? ", " : "",
                                  section_shown(report, other));
            }
        }
    }
    return *count == report->count - 1 && *count > 1 ? "all others"
           : *count > NAMES ? doc_format(report->doc, "%s and %d more", text, *count - NAMES)
                            : text;
}

static void certain_row(struct report *report, struct doc_table *table, int place)
{
    const struct summary *summary = &report->gather->summary;
    int bot = report->order[place], better;
    double low = standing_cell(summary, bot, STANDING_RANK_LOW).number;
    double high = standing_cell(summary, bot, STANDING_RANK_HIGH).number;
    const char *than = weaker(report, bot, &better);

    doc_row(table);
    doc_text(table, BOT, section_bot(report, bot));
    if (isfinite(low) && isfinite(high)) {
        doc_say(table, RANKS, low == high ? "%.0f" : "%.0f\u2013%.0f", low, high);
    }
    standing_put(table, BEST, summary, bot, STANDING_BEST);
    doc_text(table, THAN, than);
    doc_number(table, BETTER, better);
    if (place + 1 < report->count) {
        int next = report->order[place + 1];
        double los = summary_los(summary, bot, next);

        doc_text(table, NEXT, section_bot(report, next));
        doc_number(table, NEXT_LOS, los);
        if (isfinite(los)) {
            doc_say(table, NEXT_SHOWN, "%s%.1f",
                    los > 0.9995   ? ">"
                    : los < 0.0005 ? "<"
                                   : "",
                    100 * fmin(0.999, fmax(0.001, los)));
        }
    }
}

/* Two bots: a sentence says it all. */
static void tell_duel(struct report *report)
{
    const struct summary *summary = &report->gather->summary;
    bool ahead = !(summary_los(summary, report->order[0], report->order[1]) < 0.5);
    int a = report->order[ahead ? 0 : 1], b = report->order[ahead ? 1 : 0];
    double los = summary_los(summary, a, b);

    if (isfinite(los)) {
        doc_tell(report->doc,
                 "%s is stronger than %s with a likelihood (LOS) of %s%.1f %%: %s at 5 %%.",
                 section_shown(report, a), section_shown(report, b),
                 los > 0.9995 ? "more than " : "", 100 * fmin(0.999, los),
                 summary_established(summary, a, b) ? "established" : "not established");
    }
}

static void tell_pairs(struct report *report)
{
    const struct summary *summary = &report->gather->summary;
    int pairs = report->count * (report->count - 1) / 2, established = 0;

    for (int i = 0; i < report->count; i++) {
        for (int k = 0; k < i; k++) {
            established += summary_established(summary, report->order[i], report->order[k]) ||
                           summary_established(summary, report->order[k], report->order[i]);
        }
    }
    doc_tell(report->doc,
             "Of %d %s of bots it is established for %d which one is stronger; the order of the "
             "others may be chance.",
             pairs, plural((uint64_t)pairs, "pair", "pairs"), established);
}

static struct crosstable crosstable_of(const struct report *report)
{
    return (struct crosstable){.doc = report->doc,
                               .summary = &report->gather->summary,
                               .judged = &report->gather->judged,
                               .order = report->order,
                               .count = report->count,
                               .bare = report->count < 3};
}

void section_certain(struct report *report)
{
    static const struct doc_pick picks[] = {
        DOC_PICK(BOT),
        {.main = RANKS, .sub = BEST, .before = "best: ", .says = "best: % chance"},
        DOC_PICK(NEXT_SHOWN),
        DOC_PICK(THAN)};
    const struct crosstable cross = crosstable_of(report);
    struct doc_table *table;

    if (report->count < 2 || report->gather->summary.trouble.status != BG_OK) {
        return;
    }
    doc_section(report->doc, "certain", "What is certain");
    if (report->count == 2) {
        tell_duel(report);
        crosstable_results(&cross);
    } else {
        table = doc_table(report->doc, "certain", "Who is stronger than whom", columns, COLUMNS);
        table->head = BOT;
        doc_view(report->doc, table, table->caption, picks, (int)(sizeof picks / sizeof picks[0]));
        for (int i = 0; i < report->count; i++) {
            certain_row(report, table, i);
        }
        tell_pairs(report);
    }
    doc_note(report->doc,
             "%sLOS is the "
             "chance of a difference below the measured one if both were equal. Established: by "
             "Holm's procedure at 5 %% over all pairs of bots of the event: with equal bots, at "
             "most one event in twenty establishes any by chance.%s",
             report->count == 2
                 ? ""
                 : "From the ratings, so from all games, not from those of two bots alone. ",
             report->count == 2 ? ""
                                : " Ranks: those by strength that the results allow, 95 % for all "
                                  "bots together. Best: probability to be the strongest.");
    if (report->gather->test != NULL) {
        doc_note(report->doc, "A sequential test that stops by itself has its own verdict, which "
                              "counts before this.");
    }
}

/* ------------------------------------------------------------------------ every two bots */

void section_crosstable(struct report *report)
{
    const struct crosstable cross = crosstable_of(report);
    const struct doc_table *table;

    if (report->count < 3) {
        return; /* of two everything is said */
    }
    doc_section(report->doc, "crosstable", "Crosstable");
    if (report->count > SECTION_MATRIX_BOTS) {
        doc_tell(report->doc, "Not printed for %d bots; 'bgref rate --json' has every encounter.",
                 report->count);
        return;
    }
    table = crosstable_results(&cross);
    crosstable_los(&cross, table);
    doc_note(report->doc, "Bold: established (see What is certain).");
}

/* ---------------------------------------------------------------- the sequential test */

/* Returns the value of a word "key=value" of the outcome; the last word runs to the end. "" if it
 * is missing. */
static const char *word(struct report *report, const char *key, bool last)
{
    const char *text = report->gather->test, *at = text;
    size_t size = strlen(key);

    while (at != NULL && !(strncmp(at, key, size) == 0 && at[size] == '=')) {
        at = strchr(at, ' ');
        at = at == NULL ? NULL : at + 1;
    }
    if (at == NULL) {
        return "";
    }
    at += size + 1;
    return last ? at : doc_format(report->doc, "%.*s", (int)strcspn(at, " "), at);
}

static double number(struct report *report, const char *key)
{
    return strtod(word(report, key, false), NULL);
}

const char *section_verdict(struct report *report)
{
    const char *state = word(report, "state", false), *unit = word(report, "unit", true);
    bool h1 = strcmp(state, "H1") == 0;

    if (h1 || strcmp(state, "H0") == 0) {
        return doc_format(report->doc, "%s accepted: %s against %s is worth %s rather than %s %s.",
                          state, word(report, "a", false), word(report, "b", false),
                          word(report, h1 ? "h1" : "h0", false),
                          word(report, h1 ? "h0" : "h1", false), unit);
    }
    return strcmp(state, "undecided") == 0 ? "Undecided: the last game allowed is played."
                                           : "The test goes on.";
}

void section_sequential(struct report *report)
{
    const char *unit, *statistic;
    struct doc_table *facts;

    if (report->gather->test == NULL) {
        return;
    }
    unit = word(report, "unit", true);
    statistic = word(report, "statistic", false);
    doc_section(report->doc, "sprt", "Sequential test");
    facts = doc_facts(report->doc, "sprt", "The sequential test");
    doc_fact(facts, "verdict", "Verdict", "%s", section_verdict(report));
    doc_fact(facts, "state", "State", "%s", word(report, "state", false));
    doc_fact(facts, "hypotheses", "Hypotheses", "H0 %s, H1 %s %s", word(report, "h0", false),
             word(report, "h1", false), unit);
    doc_fact(facts, "llr", "Log likelihood ratio", "%.3f, bounds %.3f and %.3f",
             number(report, "llr"), number(report, "lower"), number(report, "upper"));
    doc_fact_number(facts, "clusters", "Pairs counted", number(report, "clusters"));
    doc_fact(facts, "errors", "Error rates", "alpha %s, beta %s", word(report, "alpha", false),
             word(report, "beta", false));
    doc_fact(facts, "model", "Model", "%s, %s results", word(report, "model", false),
             strcmp(statistic, "luck") == 0 ? "luck-adjusted" : "plain");
    if (report->gather->test_judge != NULL) {
        doc_fact(facts, "judge", "Judge", "%s", report->gather->test_judge);
    }
    doc_note(report->doc, "From the longest beginning of the schedule without gaps, when the "
                          "referee last stopped. A test that stops by itself overstates the "
                          "difference that it found: use the verdict, not the estimate.");
}
