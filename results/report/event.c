/* What was played, the progress, the source of the dice, and the runs of the referee. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proof/signature.h"
#include "section.h"
#include "store/entry.h"
#include "base/plural.h"

enum { DAY = 10 /* characters of "2026-11-22" */ };

/* Skips settings that have their usual value. Only what a reader would not expect: forty lines
 * of defaults hide the three that matter. */
static bool is_told(const char *key, const char *value)
{
    static const char *const left_out[] = {"event",   "bots", "length", "pairs",
                                           "variant", "seed", "clock",  "duplicate"};
    static const char *const quiet[] = {"off", "0", "0s", "none", "same", "play", "position", "-"};

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
    return strncmp(key, "bot.", 4) != 0 && entry_bot(key) == NULL;
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

/* Text and HTML do not print zero. */
static void tell_count(struct doc_table *facts, const char *key, const char *title, double count,
                       enum doc_fact place)
{
    doc_fact_number(facts, key, title, count);
    doc_fact_place(facts, count > 0 ? place : DOC_FACT_DATA);
}

/* A sequential test that has decided lets running games end, and they change the numbers: while
 * the referee runs, the event has not ended. */
static bool event_has_ended(const struct report *report)
{
    const struct gather *gather = report->gather;

    return gather->final || (gather->decided && !gather->running);
}

static bool is_scheduled(const struct report *report)
{
    return gather_setting(report->gather, "schedule")[0] != '\0';
}

/* Imported matches: the planned number is unknown. */
static bool is_imported(const struct report *report)
{
    return report->gather->runs == 0 && report->gather->results.planned == 0;
}

/* What absent bots have left, or was not played yet. With a schedule nobody knows. */
static void tell_open(struct report *report, struct doc_table *facts)
{
    const struct event_results *results = &report->gather->results;
    uint64_t settled = results->tally.legs + results->unplayed;

    if (results->planned > 0) {
        tell_count(facts, "open", "Still to be played",
                   event_has_ended(report) || settled > results->planned
                       ? 0
                       : (double)(results->planned - settled),
                   DOC_FACT_BELOW);
    }
}

static void tell_signatures(struct report *report, struct doc_table *facts)
{
    char *told = NULL;

    if (report->status == BG_OK) {
        report->status = signatures_told(&told, report->gather->results.store, false, report->err);
    }
    if (told != NULL) {
        doc_fact(facts, "signed", "Signed by", "%s", told);
    }
    free(told);
}

static void tell_progress(struct report *report, struct doc_table *facts)
{
    const struct event_results *results = &report->gather->results;
    const struct tally *tally = &results->tally;
    const char *what = report->money ? plural(results->planned, "game", "games")
                                     : plural(results->planned, "match", "matches");
    bool is_whole = results->unplayed == 0;
    const char *state = report->gather->final
                            ? is_whole ? "complete" : "over, not everything was played"
                        : report->gather->running  ? "running"
                        : report->gather->decided  ? "decided by its sequential test"
                        : results->held[0] != '\0' ? results->held
                                                   : "not complete";

    if (results->planned > 0) {
        doc_fact(facts, "state", "State", "%s: %" PRIu64 " of %" PRIu64 " %s (%.1f %%)", state,
                 tally->legs, results->planned, what,
                 100 * (double)tally->legs / (double)results->planned);
    } else if (is_scheduled(report)) {
        doc_fact(facts, "state", "State", "%s: %" PRIu64 " %s",
                 report->gather->final ? "over" : state, tally->legs,
                 report->money ? plural(tally->legs, "game", "games")
                               : plural(tally->legs, "match", "matches"));
    } else {
        doc_fact(facts, "state", "State", "%s", "number of fixtures not known");
    }
    doc_fact_flag(facts, "complete", "Complete", report->gather->final);
    doc_fact_flag(facts, "decided", "Decided by its test", report->gather->decided);
    doc_fact_flag(facts, "running", "Running", report->gather->running);
    tell_count(facts, "bots", "Bots", tally->bots, DOC_FACT_DATA); /* printed in the lead */
    if (!report->money) {
        tell_count(facts, "legs", "Matches finished", (double)tally->legs, DOC_FACT_DATA);
    }
    tell_count(facts, "games", "Games finished", (double)tally->games, DOC_FACT_DATA);
    if (results->planned > 0) {
        tell_count(facts, "fixtures", report->money ? "Games planned" : "Matches planned",
                   (double)results->planned, DOC_FACT_DATA);
    }
    tell_count(facts, "unplayed", "Given up unplayed", (double)results->unplayed, DOC_FACT_BELOW);
    tell_open(report, facts);
    if (results->counted != UINT64_MAX) {
        tell_count(facts, "surplus", "Surplus games, not counted", (double)results->surplus,
                   DOC_FACT_BELOW);
    }
    if (results->reinstated != NULL) {
        doc_fact(facts, "reinstated", "Reinstated", "%s", results->reinstated);
    }
    tell_signatures(report, facts);
    if (results->begun_anew > 0) {
        doc_fact_number(facts, "begun_anew", "Restarted pairs", (double)results->begun_anew);
        doc_fact_number(facts, "set_aside", "Games set aside by this", (double)results->set_aside);
    }
}

/* docs/statistics.md, "How many games" */
#define UNPAIRED                                                                                   \
    ": error bars of nearly equal bots are about 9 % wider than in duplicate pairs (20 % "         \
    "more games make up for it); adjusted for luck they have a seventh of their width"

static void tell_play(struct report *report, struct doc_table *facts)
{
    const struct gather *gather = report->gather;
    const struct event_results *results = &gather->results;
    const char *variant = gather_setting(gather, "variant");
    const char *clock = gather_setting(gather, "clock");

    doc_fact(facts, "variant", "Game", "%s", variant[0] == '\0' ? "backgammon" : variant);
    if (report->money) {
        doc_fact(facts, "lengths", "Length", "money: independent games");
    } else {
        char lengths[TALLY_LENGTHS];

        tally_lengths(lengths, &results->tally);
        doc_fact(facts, "lengths", "Length", "matches %s", lengths);
    }
    if (results->pairs > 0) {
        doc_fact(facts, "pairing", "Each pairing", "%" PRIu64 " %s", results->pairs,
                 results->duplicate
                     ? plural(results->pairs,
                              "duplicate pair: the same dice twice, seats exchanged",
                              "duplicate pairs: the same dice twice, seats exchanged")
                     : plural(results->pairs, "fixture with its own dice" UNPAIRED,
                              "fixtures with their own dice" UNPAIRED));
    }
    if (is_scheduled(report) && !results->duplicate) {
        doc_fact(facts, "pairing", "Each match", "%s", "has its own dice" UNPAIRED);
    }
    doc_fact(facts, "rules", "Other settings", "%s", rules_in_force(report));
    doc_fact(facts, "clock", "Clock", "%s", clock[0] == '\0' ? "none" : clock);
}

/* Returns "2026-11-22 11:38" for a time in UTC; "" if it is not a time. UTC: a report is read
 * elsewhere than it was made. */
static const char *minute(struct report *report, double since_1970_s)
{
    char text[32];
    struct tm utc;
    time_t time;

    if (!(since_1970_s >= 0 && since_1970_s < 1e11)) {
        return "";
    }
    time = (time_t)since_1970_s;
    return gmtime_r(&time, &utc) != NULL && strftime(text, sizeof text, "%Y-%m-%d %H:%M", &utc) > 0
               ? doc_copy(report->doc, text)
               : "";
}

/* Returns "2026-11-22" or "2026-11-22 to 2026-11-24": the days of its runs. "": unknown. */
const char *section_days(struct report *report)
{
    const struct gather *gather = report->gather;
    const struct gather_run *last;
    const char *begun, *ended;

    if (gather->runs == 0) {
        return "";
    }
    last = &gather->run[gather->runs - 1];
    begun = minute(report, gather->run[0].begun_s);
    ended = minute(report, isfinite(last->seconds) ? last->begun_s + last->seconds : last->begun_s);
    return strncmp(begun, ended, DAY) == 0
               ? doc_format(report->doc, "%.*s", DAY, begun)
               : doc_format(report->doc, "%.*s to %.*s", DAY, begun, DAY, ended);
}

static void tell_date(struct report *report, struct doc_table *facts)
{
    const struct gather *gather = report->gather;
    const struct gather_run *last = &gather->run[gather->runs - 1];
    const char *begun = minute(report, gather->run[0].begun_s);
    const char *ended = minute(report, last->begun_s + last->seconds);
    const char *runs = gather->runs == 1
                           ? ""
                           : doc_format(report->doc, ", in %d runs of the referee", gather->runs);

    doc_fact(facts, "begun", "Begun", "%s", begun);
    doc_fact_place(facts, DOC_FACT_DATA);
    doc_fact(facts, "ended", "Ended", "%s", ended);
    doc_fact_place(facts, DOC_FACT_DATA);
    if (begun[0] == '\0') {
        return;
    }
    if (ended[0] == '\0' || strcmp(begun, ended) == 0) {
        doc_fact(facts, "played", "Played", "%s UTC%s", begun, runs);
    } else {
        bool one_day = strncmp(begun, ended, DAY) == 0;

        doc_fact(facts, "played", "Played", "%s to %s UTC%s", begun,
                 one_day ? ended + DAY + 1 : ended, runs);
    }
}

/* Date, machine, command. Unknown for imports. */
static void tell_run(struct report *report, struct doc_table *facts)
{
    const struct gather *gather = report->gather;
    const struct gather_run *last;

    if (gather->runs == 0) {
        return;
    }
    last = &gather->run[gather->runs - 1];
    tell_date(report, facts);
    if (last->system != NULL) {
        doc_fact(facts, "place", "On", "%s, bgref %s", last->system,
                 last->bgref == NULL ? "?" : last->bgref);
    }
    if (gather->command != NULL) {
        doc_fact_code(facts, "command", "Command", gather->command);
    }
    if (gather->conditions != NULL) {
        doc_fact_code(facts, "conditions", "Conditions", gather->conditions);
    }
}

/* Whether the dice fell like fair dice; not tested with fewer than 180 rolls. */
static void tell_dice_test(struct report *report, struct doc_table *facts)
{
    struct dice_test test;

    dice_test_of(&test, &report->gather->dice);
    if (isnan(test.chi2) || report->gather->kept_back) {
        return;
    }
    doc_fact_number(facts, "dice_rolls",
                    report->gather->results.duplicate ? "Rolls tested (first legs)"
                                                      : "Rolls tested",
                    test.rolls);
    doc_fact(facts, "dice_chi2", "Chi-square of the 21 rolls", "%.1f on %d degrees of freedom",
             test.chi2, DICE_TEST_DF);
    doc_fact(facts, "dice_p", "Fair dice differ as much", "in %.1f %% of events", 100 * test.p);
    if (test.p < 0.0027) { /* three standard errors */
        doc_warn(report->doc,
                 "Fair dice would fall like these in only %.2g %% of events: check their source.",
                 100 * test.p);
    }
}

static void tell_dice(struct report *report, struct doc_table *facts)
{
    const struct gather *gather = report->gather;
    const char *seed = gather_setting(gather, "seed"), *trust = gather_setting(gather, "trust");
    bool is_manual = gather->dice_kind != NULL && strcmp(gather->dice_kind, "manual") == 0;

    if (!gather->results.duplicate) {
        doc_fact(facts, "trust", "Trust", "%s: every match has its own dice",
                 trust[0] == '\0' ? "own" : trust);
    } else if (strcmp(trust, "strangers") == 0) {
        /* of earlier versions: strangers play single games */
        doc_fact(facts, "trust", "Trust", "strangers: no process played both legs of a pair");
    } else {
        doc_fact(facts, "trust", "Trust", "own: processes may have played both legs of a pair");
    }

    if (gather->dice_kind != NULL && strcmp(gather->dice_kind, "reproducible") == 0) {
        doc_fact(facts, "dice", "Dice", "reproducible, from seed %s", seed);
    } else if (is_manual) {
        doc_fact(facts, "dice", "Dice",
                 "entered by people, each roll confirmed by both operators; no key gives them");
    } else if (gather->dice_kind != NULL) {
        doc_fact(facts, "dice", "Dice", "%s, from a random key that %s", gather->dice_kind,
                 gather->dice_key == NULL ? "is published when the event has ended"
                                          : "was secret until the end");
    }
    if (gather->dice_digest != NULL && !is_manual) {
        doc_fact_code(facts, "dice_digest", "Digest of the dice key", gather->dice_digest);
    }
    if (gather->dice_key != NULL && !is_manual) {
        doc_fact_code(facts, "dice_key", "Dice key", gather->dice_key);
    }
    if (gather->root != NULL) {
        doc_fact_code(facts, "root", "Root of all records", gather->root);
    }
}

/* Matches or games of a bot that count for ranks: those against ranked bots. */
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

/* What was played, "6 bots, 30 matches to 5 points (71 games)". */
static const char *extent(const struct report *report)
{
    const struct tally *tally = report->gather->summary.tally;
    char lengths[TALLY_LENGTHS];

    tally_lengths(lengths, tally);
    return report->money
               ? doc_format(report->doc, "%d bots, %" PRIu64 " money %s", tally->bots, tally->legs,
                            plural(tally->legs, "game", "games"))
               : doc_format(report->doc, "%d bots, %" PRIu64 " %s %s (%" PRIu64 " %s)", tally->bots,
                            tally->legs, plural(tally->legs, "match", "matches"), lengths,
                            tally->games, plural(tally->games, "game", "games"));
}

/* Who is first without a form: by the ranks of the table. */
static const char *first_by_rank(const struct report *report)
{
    const struct summary *summary = &report->gather->summary;
    const struct tally *tally = summary->tally;
    const struct standings_row *first = summary->standings > 0 ? summary->standing : NULL;
    uint64_t legs;

    /* Two at the top: no sentence may make one of them the winner. */
    if (tally->legs == 0 || first == NULL || first->shared) {
        return "";
    }
    legs = counted(summary, first->player);
    return doc_format(report->doc,
                      report->money ? "%s: %s, %+.0f points in %" PRIu64 " %s."
                                    : "%s: %s, %.0f of %" PRIu64 " %s won.",
                      !event_has_ended(report) ? "In the lead"
                      : is_scheduled(report)   ? "First by share (the schedule decides the title)"
                      : summary->uneven        ? "First by share, no title on unequal numbers"
                                               : "Winner",
                      tally_shown(tally, first->player), first->score, legs,
                      report->money ? plural(legs, "game", "games")
                                    : plural(legs, "match", "matches"));
}

/* Writes the event in a sentence or two. Who has won stands first, by the rule that the event
 * itself has for it: its form, its sequential test, else the ranks. */
static const char *lead(struct report *report)
{
    const char *first = report->gather->test != NULL && report->gather->decided
                            ? section_verdict(report)
                        : report->gather->summary.by_form && section_sheet(report) != NULL
                            ? sheet_champion(report->doc, sheet_season(section_sheet(report)),
                                             event_has_ended(report))
                            : first_by_rank(report);

    report->doc->lead_strong = strlen(first);
    return doc_format(report->doc, "%s%s%s.", first, first[0] == '\0' ? "" : " ", extent(report));
}

void section_event(struct report *report)
{
    struct doc *doc = report->doc;
    struct doc_table *facts;

    doc->lead = lead(report);
    doc_section(doc, "event", "Event");
    if (report->gather->results.tally.games == 0) {
        doc->state = "No game is finished yet.";
    } else if (!event_has_ended(report) && !is_imported(report)) {
        doc->state = report->gather->running
                         ? "The event is running: every number can still change."
                         : "The event is not complete: every number can still change.";
    }
    facts = doc_facts(doc, "event", "What was played");
    doc_fact(facts, "event", "Event", "%s", report->gather->results.name);
    doc_fact_place(facts, DOC_FACT_DATA); /* printed in the title, or the command */
    tell_run(report, facts);
    tell_progress(report, facts);
    tell_play(report, facts);
    tell_dice(report, facts);
    tell_dice_test(report, facts);
}

/* ---------------------------------------------------------------------- the referee */

enum {
    NUMBER,
    BEGUN,
    SECONDS,
    FRAMES,
    LAG_MEAN,
    LAG_P99,
    LAG_MOST,
    STALLED,
    CREDITED,
    GIVEN_UP,
    EXIT,
    DURABLE,
    BGREF,
    SYSTEM,
    RUN_COLUMNS
};

#define OF(member) DOC_SOURCE(struct gather_run, member, 1)

static const struct doc_column run_columns[RUN_COLUMNS] = {
    [NUMBER] = {"run", .title = "Run"},
    [BEGUN] = {"begun", "Begun", .unit = "UTC"},
    [SECONDS] = {"seconds", "Took", "s", .decimals = 1, .from = OF(seconds)},
    [FRAMES] = {"frames", "Messages", .unit = "from bots", .from = OF(frames)},
    [LAG_MEAN] = {"lag_mean_us", "Lag, mean", "\u00b5s", .decimals = 1, .from = OF(lag_mean_us)},
    [LAG_P99] = {"lag_p99_us", "Lag, 99 %", "\u00b5s", .decimals = 1, .from = OF(lag_p99_us)},
    [LAG_MOST] = {"lag_most_us", "Lag, longest", "\u00b5s", .decimals = 1, .from = OF(lag_most_us)},
    [STALLED] = {"stalled_ms", "Held up", "ms", .decimals = 1, .from = OF(stalled_ms)},
    [CREDITED] = {"credited_ms", "Credited", "ms, all bots", .decimals = 1,
                  .from = OF(credited_ms)},
    [GIVEN_UP] = {"given_up", "Given up", .unit = "games", .from = OF(given_up)},
    [EXIT] = {"exit", "Exit", .unit = "status", .from = OF(exit)},
    [DURABLE] = {"durable", "Durable", .unit = "each", .from = OF(durable)},
    [BGREF] = {"bgref", .title = "bgref", .from = OF(bgref)},
    [SYSTEM] = {"system", .title = "System", .from = OF(system)},
};

static void put_time(struct doc_table *table, double since_1970_s)
{
    struct tm utc;
    time_t time;
    char text[32];

    /* A conversion to time_t is undefined for what does not fit, and accounts of killed runs
     * have NaN. */
    if (!(since_1970_s >= 0 && since_1970_s < 1e11)) {
        return;
    }
    time = (time_t)since_1970_s;
    if (gmtime_r(&time, &utc) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &utc) > 0) {
        doc_text(table, BEGUN, text);
    }
}

static void run_row(struct doc_table *table, const struct gather_run *run, int number)
{
    doc_row(table);
    doc_fill(table, run);
    doc_number(table, NUMBER, number);
    put_time(table, run->begun_s);
    if (run->durable == NULL) {
        doc_text(table, DURABLE, "game");
    }
}

void section_host(struct report *report)
{
    const struct gather *gather = report->gather;
    struct doc_table *table;

    doc_section(report->doc, "host", "Referee");
    table = doc_facts(report->doc, "host", "The referee");
    doc_fact(table, "bgref", "This report by", "bgref %s", BG_VERSION);
    if (gather->host != NULL && gather->host[0] != '\0') {
        doc_fact(table, "host", "Bots ran with", "%s", gather->host);
    }
    if (gather->runs == 0) {
        return;
    }
    table = doc_table(report->doc, "runs", "Runs of the referee", run_columns, RUN_COLUMNS);
    for (int i = 0; i < gather->runs; i++) {
        run_row(table, &gather->run[i], i + 1);
    }
    doc_note(report->doc,
             "Lag: how long the referee was busy before it read a message. Held up: the machine "
             "stopped the referee for far too long; no clock ran. Credited: the part of both that "
             "was deducted from bots' times. Given up: games not finished when the run ended or "
             "when their bot was quarantined; they are void and are played again with the same "
             "dice. Durable: what survives the end of the referee; with decision a game that "
             "was cut off goes on at its open decision, and no dice are seen twice. A run without "
             "numbers was cut off, or is not over.");
}
