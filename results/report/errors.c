/* The bots' errors, by checker play and cube. Sums are added before rates are made: a mean of
 * rates would weigh a single cube decision like a hundred plays. */
#include <math.h>

#include "section.h"

enum {
    NAME,
    PLAYS,
    PLAY_RATE,
    PLAY_PR,
    DOUBLES,
    DOUBLE_RATE,
    TAKES,
    TAKE_RATE,
    CUBE_PR,
    ALL,
    RATE,
    PR,
    SNOWIE,
    COLUMNS
};

static const struct doc_column columns[COLUMNS] = {
    [NAME] = {.key = "bot", .title = "Bot", .bot = true},
    [PLAYS] = {.key = "plays", .title = "Plays", .unit = "counted"},
    [PLAY_RATE] = {.key = "play_er_milli",
                   .title = "Play errors",
                   .unit = "mEMG/play",
                   .decimals = 2},
    [PLAY_PR] = {.key = "play_pr", .title = "Play PR", .decimals = 2},
    [DOUBLES] = {.key = "doubles", .title = "Doubles", .unit = "counted"},
    [DOUBLE_RATE] = {.key = "double_er_milli",
                     .title = "Double errors",
                     .unit = "mEMG/decision",
                     .decimals = 2},
    [TAKES] = {.key = "takes", .title = "Takes", .unit = "counted"},
    [TAKE_RATE] = {.key = "take_er_milli",
                   .title = "Take errors",
                   .unit = "mEMG/decision",
                   .decimals = 2},
    [CUBE_PR] = {.key = "cube_pr", .title = "Cube PR", .decimals = 2},
    [ALL] = {.key = "decisions", .title = "Decisions", .unit = "counted"},
    [RATE] = {.key = "er_milli", .title = "All errors", .unit = "mEMG/decision", .decimals = 2},
    [PR] = {.key = "pr", .title = "PR", .decimals = 2},
    [SNOWIE] = {.key = "snowie", .title = "Snowie", .unit = "mEMG/play of both", .decimals = 2},
};

/* The counts are printed below the rates computed from them. */
static const struct doc_pick picks[] = {
    DOC_PICK(NAME),
    DOC_PICK(PR),
    DOC_PICK(PLAY_PR),
    DOC_PICK(CUBE_PR),
    DOC_PICK_OF(RATE, ALL, "of decisions"),
    DOC_PICK_OF(PLAY_RATE, PLAYS, "of plays"),
    DOC_PICK_OF(DOUBLE_RATE, DOUBLES, "of doubles"),
    DOC_PICK_OF(TAKE_RATE, TAKES, "of takes"),
    DOC_PICK(SNOWIE),
};

/* Adds the sums of several kinds. */
static struct errors_sum sum_of(const struct judged_bot *bot, int first, int last)
{
    struct errors_sum sum = {0};

    for (int kind = first; kind <= last; kind++) {
        sum.counted += bot->sum[kind].counted;
        sum.error += bot->sum[kind].error;
        sum.moves += bot->sum[kind].moves;
    }
    return sum;
}

static struct errors_rates rates_of(const struct judged_bot *bot, struct errors_sum sum)
{
    const struct errors_sum opponents = {.moves = bot->opponent_moves};

    return errors_rates_of(&sum, &opponents);
}

static void errors_row(struct doc_table *table, const struct report *report, int i)
{
    const struct judged_bot *bot = &report->gather->judged.bot[i];
    const struct errors_sum plays = sum_of(bot, JUDGED_PLAY, JUDGED_PLAY);
    const struct errors_sum doubles = sum_of(bot, JUDGED_DOUBLE, JUDGED_DOUBLE);
    const struct errors_sum takes = sum_of(bot, JUDGED_TAKE, JUDGED_TAKE);
    const struct errors_sum cube = sum_of(bot, JUDGED_DOUBLE, JUDGED_TAKE);
    const struct errors_sum all = sum_of(bot, JUDGED_PLAY, JUDGED_TAKE);

    doc_row(table);
    doc_text(table, NAME, section_bot(report, i));
    doc_number(table, PLAYS, plays.counted);
    doc_number(table, PLAY_RATE, rates_of(bot, plays).milli);
    doc_number(table, PLAY_PR, rates_of(bot, plays).pr);
    doc_number(table, DOUBLES, doubles.counted);
    doc_number(table, DOUBLE_RATE, rates_of(bot, doubles).milli);
    doc_number(table, TAKES, takes.counted);
    doc_number(table, TAKE_RATE, rates_of(bot, takes).milli);
    doc_number(table, CUBE_PR, rates_of(bot, cube).pr);
    doc_number(table, ALL, all.counted);
    doc_number(table, RATE, rates_of(bot, all).milli);
    doc_number(table, PR, rates_of(bot, all).pr);
    doc_number(table, SNOWIE, rates_of(bot, all).snowie);
}

void section_errors(struct report *report)
{
    const struct judged_sums *judged = &report->gather->judged;
    struct doc_table *table;

    if (!judged->choices) {
        return;
    }
    doc_section(report->doc, "errors", "Error rates");
    table =
        doc_table(report->doc, "errors", "Error rates by checker play and cube", columns, COLUMNS);
    doc_view(report->doc, table, "Error rates by checker play and cube", picks,
             sizeof picks / sizeof picks[0]);
    for (int i = 0; i < report->count; i++) {
        errors_row(table, report, report->order[i]);
    }
    doc_note(
        report->doc,
        "By %s. An error is the best choice's value minus the chosen one's, in normalised equity "
        "(EMG; mEMG is a thousandth). Counted: plays with a choice, doubles, takes and passes, and "
        "rolls if a double was close or right (0.16). PR is 500 times the errors a decision. Error "
        "rates depend on the judge and favour bots that resemble it: a diagnosis, never a ranking.",
        judged->judge);
    if (judged_sums_is_exact(judged)) {
        doc_tell(
            report->doc,
            "The judge made no mistake in these games: with the errors that it found it explains "
            "every result to the last digit. So these error rates are absolute: points lost "
            "against perfect play, not one judge's opinion.");
    }
}
