/* Prints evidence, never a verdict: two bots that choose alike may share code, a teacher or a
 * book, and nothing here can tell which. So every list has its expectation beside it, and
 * untested pairs are counted as such instead of appearing innocent. */
#include "kin_text.h"

#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/memory.h"
#include "document/json_value.h"
#include "numbers/significance.h"
#include "page.h"

enum { NAME = 20, PAIRS_SHOWN = 60 };

/* Untested pairs last, then by p, then by how often they met. The last resort compares addresses
 * within one array: it makes the order total, so that two runs print the same. */
static int compare_pairs(const void *left, const void *right)
{
    const struct kin_pair *const *a = left, *const *b = right;
    double p = isnan((*a)->p) ? 2 : (*a)->p, q = isnan((*b)->p) ? 2 : (*b)->p;

    if (p < q || p > q) {
        return p < q ? -1 : 1;
    }
    return (*a)->both != (*b)->both ? ((*a)->both > (*b)->both ? -1 : 1) : *a < *b ? -1 : 1;
}

static const struct kin_pair **sorted(const struct kin *kin)
{
    const struct kin_pair **out = memory_zeroed(kin->pairs, sizeof *out);

    for (size_t i = 0; i < kin->pairs; i++) {
        out[i] = &kin->pair[i];
    }
    qsort((void *)out, kin->pairs, sizeof *out, compare_pairs);
    return out;
}

/* ------------------------------------------------------------------------------ text */

static void print_pair(FILE *out, const struct kin_page *page, const struct kin_pair *pair)
{
    page_name(out, NAME, page->names[pair->a]);
    fputc(' ', out);
    page_name(out, NAME, page->names[pair->b]);
    page_count(out, 7, (double)pair->both);
    page_number(out, 7, 1, pair->both > 0 ? 100 * (double)pair->same / (double)pair->both : NAN);
    page_count(out, 9, (double)pair->compared);
    page_number(out, 7, 1, 100 * pair->share);
    page_number(out, 7, 1, 100 * pair->expected);
    page_signed(out, 7, 1, 100 * pair->excess);
    page_number(out, 6, 1, 100 * pair->se * student_t95(pair->df));
    fprintf(out, "%s\n", !pair->alike ? "" : page->judge == NULL ? "  alike?" : "  alike");
}

static enum bg_status print_rare(FILE *out, const struct kin_page *page,
                                 const struct kin_pair *pair, struct bg_error *err)
{
    struct kin_rare rare[KIN_RARE];
    size_t count = kin_rare_of(rare, page->choices, page->count, pair->a, pair->b);
    enum bg_status status = BG_OK;

    if (count > 0) {
        fprintf(out, "\nRare choices that %s and %s share\n", page->names[pair->a],
                page->names[pair->b]);
    }
    for (size_t i = 0; i < count && status == BG_OK; i++) {
        char key[DECISION_KEY], words[DECISION_WORDS];
        const char *where = "";
        double error = page->choices[rare[i].choice].error;

        status = page->words(page->user, key, words, &where, rare[i].choice, err);
        if (status == BG_OK) {
            fprintf(out, "  %s: %s", key, words);
            if (!isnan(error)) {
                fprintf(out, ", error %.3f", error);
            }
            fprintf(out, "; %d other%s chose%s differently (%s)\n", rare[i].others,
                    rare[i].others == 1 ? "" : "s", rare[i].others == 1 ? "" : " all", where);
        }
    }
    return status;
}

static void print_notes(FILE *out, const struct kin_page *page)
{
    page_wrap(
        out, 2,
        "* both: positions that both decided, each counted once; without forced plays. same: "
        "the same choice, in %%. compared: of these, positions with an expectation (a third bot "
        "decided them too, or a judge valued both choices); share and exp. are about them.");
    page_wrap(
        out, 2,
        "* exp.: expected, how often the two choose like third bots whose choice has the same "
        "support among the rest%s; of more than %d at a position, that many. ± is 95 %%, by games.",
        page->judge == NULL ? "" : " and the same size of error by the judge", KIN_THIRDS);
    page_wrap(out, 2,
              "* alike: the excess is established (one-sided, Holm at 5 %% over all pairs). It "
              "shows that two bots choose alike, never why: common code, a common teacher and "
              "a common book look the same. Read the rare choices, then the sources.");
    if (page->judge == NULL) {
        page_wrap(out, 2,
                  "* No judge: two bots that are stronger, or weaker, than all others look alike "
                  "too. 'bgref judge RESULTS --errors' values the choices.");
    } else {
        page_wrap(out, 2, "* Judge: %s.", page->judge);
    }
    if (page->kin->bots < 3) {
        page_wrap(out, 2,
                  "* Two bots alone give no expectation: add events with other bots, or ask some "
                  "more with 'bgref kin --ask'.");
    }
}

static bool is_tested(const struct kin_pair *pair)
{
    return pair->compared >= KIN_FEWEST;
}

/* What the table does not show: pairs that were tested without a find, or not at all. */
static void print_verdict(FILE *out, const struct kin_page *page, bool listed)
{
    size_t untested = 0, most = 0;

    for (size_t i = 0; i < page->kin->pairs; i++) {
        const struct kin_pair *pair = &page->kin->pair[i];

        untested += !is_tested(pair);
        most = !is_tested(pair) && pair->compared > most ? pair->compared : most;
    }
    fputc('\n', out);
    if (!listed && untested < page->kin->pairs) {
        page_wrap(out, 0, "No two bots choose alike beyond expectation%s.",
                  untested > 0 ? ", where that could be tested" : "");
    }
    if (untested > 0) {
        page_wrap(out, 0,
                  "Not tested: %zu of %zu %s, with fewer than %d compared positions; the most is "
                  "%zu. %s",
                  untested, page->kin->pairs, page->kin->pairs == 1 ? "pair" : "pairs", KIN_FEWEST,
                  most,
                  page->kin->pairs == 1
                      ? "What two bots alone choose is compared only where a judge valued both "
                        "choices: a third bot gives an expectation."
                      : "Two bots seldom meet the same position by chance. More games (by the "
                        "thousand) or more bots give more, or 'bgref kin --ask BOT BOT BOT...', "
                        "which puts the same positions to all bots.");
    }
}

enum bg_status kin_text(FILE *out, const struct kin_page *page, struct bg_error *err)
{
    const struct kin_pair **pair = sorted(page->kin);
    size_t shown;
    bool listed = false;
    enum bg_status status = BG_OK;

    shown = page->kin->pairs < PAIRS_SHOWN ? page->kin->pairs : PAIRS_SHOWN;
    fprintf(out, "Who plays like whom: %d bots, %zu positions decided by two or more\n\n",
            page->kin->bots, page->kin->positions);
    fprintf(out, "%-*s %-*s%7s%7s%9s%7s%7s%7s%7s\n", NAME, "Bot", NAME, "Bot", "both", "same",
            "compared", "share", "exp.", "excess", "±");
    for (size_t i = 0; i < shown; i++) {
        print_pair(out, page, pair[i]);
    }
    if (page->kin->pairs > shown) {
        fprintf(out, "(%zu more pairs; --json has them)\n", page->kin->pairs - shown);
    }
    for (size_t i = 0; i < shown && status == BG_OK; i++) {
        /* Two bots alone have no third one to be compared with, so what they share is shown for
         * the reader to judge. */
        if (pair[i]->alike || (page->kin->bots == 2 && pair[i]->both > 0)) {
            status = print_rare(out, page, pair[i], err);
            listed = true;
        }
    }
    if (status == BG_OK) {
        print_verdict(out, page, listed);
        print_notes(out, page);
    }
    free((void *)pair);
    return status;
}

/* ------------------------------------------------------------------------------ JSON */

static enum bg_status rare_json(json_t *out, const struct kin_page *page,
                                const struct kin_pair *pair, struct bg_error *err)
{
    struct kin_rare rare[KIN_RARE];
    size_t count = kin_rare_of(rare, page->choices, page->count, pair->a, pair->b);
    enum bg_status status = BG_OK;

    for (size_t i = 0; i < count && status == BG_OK; i++) {
        char key[DECISION_KEY], words[DECISION_WORDS];
        const char *where = "";

        status = page->words(page->user, key, words, &where, rare[i].choice, err);
        if (status == BG_OK) {
            json_array_append_new(out, json_pack("{s:s, s:s, s:o, s:i, s:s}", "decision", key,
                                                 "choice", words, "error",
                                                 json_of(page->choices[rare[i].choice].error),
                                                 "others", rare[i].others, "game", where));
        }
    }
    return status;
}

/* Why there is no answer; NULL: there is one. JSON gives null with a reason where text prints a
 * question mark: a program that reads false would take it for a result. */
static const char *alike_reason(const struct kin_page *page, const struct kin_pair *pair)
{
    return !is_tested(pair) ? "too few compared positions"
           : pair->alike && page->judge == NULL
               ? "an excess, but no judge: two bots that are stronger, or weaker, than all others "
                 "choose alike too"
               : NULL;
}

static json_t *alike_json(const struct kin_page *page, const struct kin_pair *pair)
{
    return alike_reason(page, pair) == NULL ? json_boolean(pair->alike) : json_null();
}

static json_t *pair_json(const struct kin_page *page, const struct kin_pair *pair, json_t *rare)
{
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?, s:I, s:I, s:o}",
        "a", page->names[pair->a], "b", page->names[pair->b], "both", (json_int_t)pair->both,
        "same", (json_int_t)pair->same, "compared", (json_int_t)pair->compared, "same_share",
        json_of(pair->share), "same_expected", json_of(pair->expected), "excess",
        json_of(pair->excess), "excess_se", json_of(pair->se), "excess_df", json_of(pair->df),
        "kin_p", json_of(pair->p), "kin_p_all", json_of(pair->p_all), "alike",
        alike_json(page, pair), "alike_reason", alike_reason(page, pair), "both_wrong",
        (json_int_t)pair->both_wrong, "wrong_alike", (json_int_t)pair->wrong_alike, "rare", rare);
}

enum bg_status kin_json(FILE *out, const struct kin_page *page, struct bg_error *err)
{
    const struct kin_pair **pair = sorted(page->kin);
    json_t *pairs = json_array();
    enum bg_status status = BG_OK;

    for (size_t i = 0; i < page->kin->pairs && status == BG_OK; i++) {
        json_t *rare = json_array();

        if (pair[i]->alike || page->kin->bots == 2) {
            status = rare_json(rare, page, pair[i], err);
        }
        json_array_append_new(pairs, pair_json(page, pair[i], rare));
    }
    free((void *)pair);
    if (status != BG_OK) {
        json_decref(pairs);
        return status;
    }
    return json_line(out,
                     json_pack("{s:s?, s:I, s:o}", "judge", page->judge, "positions",
                               (json_int_t)page->kin->positions, "kin", pairs),
                     err);
}
