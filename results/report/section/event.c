/* What was played, how far it is, and where the dice come from. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "section.h"

/* Settings that say nothing where they stand at what people expect. */
static bool is_told(const char *key, const char *value)
{
    static const char *const left_out[] = {"event",   "bots", "length", "pairs",
                                           "variant", "seed", "clock",  "duplicate"};
    static const char *const quiet[] = {"off", "0", "0s", "none", "same", "play", "position"};

    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++) {
        if (strcmp(key, left_out[i]) == 0) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++) {
        if (strcmp(value, quiet[i]) == 0) {
            return false;
        }
    }
    return strncmp(key, "bot.", 4) != 0;
}

static const char *rules_in_force(struct report *report)
{
    const struct gather *gather = report->gather;
    const char *text = "";

    for (int i = 0; i < gather->settings; i++) {
        const struct gather_setting *setting = &gather->setting[i];

        if (is_told(setting->key, setting->value)) {
            text = doc_format(report->doc, "%s%s%s %s", text, text[0] == '\0' ? "" : ", ",
                              setting->key, setting->value);
        }
    }
    return text;
}

static void tell_progress(struct report *report, struct doc_table *facts)
{
    const struct event_results *results = &report->gather->results;
    const struct tally *tally = &results->tally;
    const char *what = report->money ? "games" : "matches";
    const char *state = report->gather->final     ? "complete"
                        : report->gather->running ? "running"
                                                  : "not complete";

    if (results->planned > 0) {
        doc_fact(facts, "state", "State", "%s: %" PRIu64 " of %" PRIu64 " %s (%.1f %%)", state,
                 tally->legs, results->planned, what,
                 section_percent((double)tally->legs, (double)results->planned));
    } else {
        doc_fact(facts, "state", "State", "%s", "number of fixtures not known");
    }
    doc_fact_flag(facts, "complete", "Complete", report->gather->final);
    doc_fact_flag(facts, "running", "Running", report->gather->running);
    doc_fact_number(facts, "bots", "Bots", tally->bots);
    if (!report->money) {
        doc_fact_number(facts, "matches", "Matches finished", (double)tally->legs);
    }
    doc_fact_number(facts, "games", "Games finished", (double)tally->games);
    if (results->planned > 0) {
        doc_fact_number(facts, "planned", report->money ? "Games planned" : "Matches planned",
                        (double)results->planned);
    }
    doc_fact_number(facts, "unplayed", "Given up unplayed", (double)results->unplayed);
    if (results->counted != UINT64_MAX) {
        doc_fact_number(facts, "surplus", "Surplus games, counted nowhere",
                        (double)results->surplus);
    }
    if (results->begun_anew > 0) {
        doc_fact_number(facts, "begun_anew", "Pairs begun anew", (double)results->begun_anew);
        doc_fact_number(facts, "set_aside", "Games set aside by that", (double)results->set_aside);
    }
}

static void tell_play(struct report *report, struct doc_table *facts)
{
    const struct gather *gather = report->gather;
    const struct event_results *results = &gather->results;
    const char *variant = gather_setting(gather, "variant");
    const char *clock = gather_setting(gather, "clock");

    doc_fact(facts, "game", "Game", "%s", variant[0] == '\0' ? "backgammon" : variant);
    if (report->money) {
        doc_fact(facts, "length", "Length", "money: games that stand alone");
    } else {
        char lengths[TALLY_LENGTHS];

        tally_lengths(lengths, &results->tally);
        doc_fact(facts, "length", "Length", "matches %s", lengths);
    }
    if (results->pairs > 0) {
        doc_fact(facts, "pairing", "Each pairing", "%" PRIu64 " %s", results->pairs,
                 results->duplicate ? "duplicate pairs: the same dice twice, seats exchanged"
                                    : "fixtures with dice of their own");
    }
    doc_fact(facts, "rules", "Other settings", "%s", rules_in_force(report));
    doc_fact(facts, "clock", "Clock", "%s", clock[0] == '\0' ? "none" : clock);
}

/* Whether the dice fell as fair dice do; fewer than 180 rolls say nothing. */
static void tell_dice_test(struct report *report, struct doc_table *facts)
{
    struct dice_test test;

    dice_test_of(&test, &report->gather->dice);
    if (isnan(test.chi2)) {
        return;
    }
    doc_fact_number(facts, "dice_rolls", "Rolls tested (first legs)", test.rolls);
    doc_fact(facts, "dice_chi2", "Chi-square of the 21 rolls", "%.1f on %d degrees of freedom",
             test.chi2, DICE_TEST_DF);
    doc_fact(facts, "dice_p", "Fair dice are as far off", "in %.1f %% of events", 100 * test.p);
    if (test.p < 0.0027) { /* three standard errors */
        doc_warn(report->doc,
                 "The dice fell as fair dice do in %.2g %% of events only: look at where they come "
                 "from.",
                 100 * test.p);
    }
}

static void tell_dice(struct report *report, struct doc_table *facts)
{
    const struct gather *gather = report->gather;
    const char *seed = gather_setting(gather, "seed"), *trust = gather_setting(gather, "trust");

    if (strcmp(trust, "strangers") == 0) {
        doc_fact(facts, "trust", "Trust", "strangers: no process played both legs of a pair");
    } else {
        doc_fact(facts, "trust", "Trust", "own: processes may have played both legs of a pair");
    }

    if (gather->dice_kind != NULL && strcmp(gather->dice_kind, "reproducible") == 0) {
        doc_fact(facts, "dice", "Dice", "reproducible, from seed %s", seed);
    } else if (gather->dice_kind != NULL) {
        doc_fact(facts, "dice", "Dice", "%s, from a random key that %s", gather->dice_kind,
                 gather->dice_key == NULL ? "is shown when the event has ended"
                                          : "nobody knew before the end");
    }
    if (gather->dice_digest != NULL) {
        doc_fact(facts, "dice_digest", "Digest of the dice key", "%s", gather->dice_digest);
    }
    if (gather->dice_key != NULL) {
        doc_fact(facts, "dice_key", "Dice key", "%s", gather->dice_key);
    }
}

/* Matches or games of a bot that count for the ranks: those against bots that are ranked. */
static uint64_t counted(const struct summary *summary, int bot)
{
    uint64_t legs = 0;

    for (int k = 0; k < summary->standings; k++) {
        struct tally_sum sum;

        tally_sum(&sum, summary->tally, bot, summary->standing[k].player);
        legs += summary->standing[k].player == bot ? 0 : sum.legs;
    }
    return legs;
}

/* The event in one sentence. */
static const char *lead(const struct report *report)
{
    const struct summary *summary = &report->gather->summary;
    const struct tally *tally = summary->tally;
    const struct standings_row *first = summary->standings > 0 ? summary->standing : NULL;
    char lengths[TALLY_LENGTHS];
    const char *what;

    tally_lengths(lengths, tally);
    what =
        report->money
            ? doc_format(report->doc, "%d bots, %" PRIu64 " money games", tally->bots, tally->legs)
            : doc_format(report->doc, "%d bots, %" PRIu64 " matches %s (%" PRIu64 " games)",
                         tally->bots, tally->legs, lengths, tally->games);
    if (tally->legs == 0 || first == NULL || first->shared) {
        return doc_format(report->doc, "%s.", what);
    }
    return doc_format(report->doc,
                      report->money ? "%s. %s: %s, %+.0f points in %" PRIu64 " games."
                                    : "%s. %s: %s, %.0f of %" PRIu64 " matches won.",
                      what, report->gather->final ? "Winner" : "In the lead",
                      tally_shown(tally, first->player), first->score,
                      counted(summary, first->player));
}

void section_event(struct report *report)
{
    struct doc *doc = report->doc;
    struct doc_table *facts;

    doc->lead = lead(report);
    doc_section(doc, "event", "Event");
    if (report->gather->results.tally.games == 0) {
        doc_warn(doc, "No game is finished yet.");
    } else if (!report->gather->final) {
        doc_warn(doc, "The event is %s: every number may still change.",
                 report->gather->running ? "running" : "not complete");
    }
    facts = doc_facts(doc, "event", "What was played");
    doc_fact(facts, "name", "Event", "%s", report->gather->results.name);
    tell_progress(report, facts);
    tell_play(report, facts);
    tell_dice(report, facts);
    tell_dice_test(report, facts);
}
