/* The sequential test of a duel, in the state when the referee last stopped. Printed from the
 * words that the referee stored and not computed again: the test looked at its games in an order
 * that the results alone do not show. */
#include <stdlib.h>
#include <string.h>

#include "section.h"

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
