#include "standings_text.h"

#include <math.h>
#include <string.h>

#include "crosstable.h"
#include "notes.h"
#include "standing.h"
#include "base/plural.h"

enum { CROSS_BOTS_MAX = 40, FIELDS = 11, BOOT_FIELDS = 7 };

/* The columns of a match and of a money game; then those that bars are compared with. */
static const enum standing_field fields[2][FIELDS] = {
    {STANDING_RANK, STANDING_BOT, STANDING_RATING, STANDING_RATING_BAR, STANDING_LEGS, STANDING_WON,
     STANDING_PERCENT, STANDING_PERCENT_LOW, STANDING_PERCENT_HIGH, STANDING_GAMMONS,
     STANDING_BACKGAMMONS},
    {STANDING_RANK, STANDING_BOT, STANDING_RATING, STANDING_RATING_BAR, STANDING_PPG,
     STANDING_PPG_BAR, STANDING_LEGS, STANDING_SCORE, STANDING_PERCENT, STANDING_GAMMONS,
     STANDING_BACKGAMMONS}};
static const enum standing_field boot_fields[BOOT_FIELDS] = {STANDING_BOT,
                                                             STANDING_RATING,
                                                             STANDING_RATING_BAR,
                                                             STANDING_RATING_BOOT_LOW,
                                                             STANDING_RATING_BOOT_HIGH,
                                                             STANDING_PPG_BOOT_LOW,
                                                             STANDING_PPG_BOOT_HIGH};

/* Adds the standings, with a column for each kind of fault that occurred. */
static void add_standings(const struct crosstable *cross)
{
    const struct summary *summary = cross->summary;
    struct doc_column *columns = doc_array(cross->doc, FIELDS + BG_FAULT_COUNT, sizeof *columns);
    struct doc_table *table =
        doc_table(cross->doc, "standings", "", columns, FIELDS + BG_FAULT_COUNT - 1);

    table->head = 1;
    table->compact = true;
    for (int i = 0; i < FIELDS; i++) {
        columns[i] = standing_columns(summary->money)[fields[summary->money][i]];
    }
    for (int fault = 1; fault < BG_FAULT_COUNT; fault++) {
        columns[FIELDS + fault - 1] =
            (struct doc_column){.title = bg_fault_name((enum bg_fault)fault), .quiet = true};
    }
    for (int i = 0; i < cross->count; i++) {
        standing_row(table, summary, cross->order[i], fields[summary->money], FIELDS);
        for (int fault = 1; fault < BG_FAULT_COUNT; fault++) {
            doc_number(table, FIELDS + fault - 1,
                       (double)summary->tally->bot[cross->order[i]].faults[fault]);
        }
    }
}

/* Adds the intervals that bars are compared with, and why rated bots have none. */
static void add_bootstrap(const struct crosstable *cross)
{
    const struct summary *summary = cross->summary;
    struct doc_table *table;
    bool any = false, all = true;

    if (summary->bootstrap.draws == 0) {
        return;
    }
    for (int bot = 0; bot < summary->tally->bots; bot++) {
        bool has = isfinite(standing_cell(summary, bot, STANDING_RATING_BOOT_LOW).number);

        any = any || has || isfinite(standing_cell(summary, bot, STANDING_PPG_BOOT_LOW).number);
        all = all && (has || !isfinite(standing_cell(summary, bot, STANDING_RATING).number));
    }
    if (!any) {
        doc_note(cross->doc, "No bootstrap intervals: each bot needs 30 clusters, most of them not "
                             "alone in their encounter, and a finite rating in the draws.");
        return;
    }
    table = standing_table(
        cross->doc, "bootstrap",
        doc_format(cross->doc,
                   "Bootstrap over pairs, %d draws: middle 95 %% beside rating \u00b1 bar%s",
                   summary->bootstrap.draws, summary->money ? "; then of ppg" : ""),
        summary->money, boot_fields, BOOT_FIELDS);
    for (int i = 0; i < cross->count; i++) {
        standing_row(table, summary, cross->order[i], boot_fields, BOOT_FIELDS);
    }
    if (!all) {
        doc_note(cross->doc,
                 "\"-\": no bootstrap if a bot has fewer than 30 clusters, if many of them are "
                 "alone in their encounter, or if draws have no finite rating.");
    }
}

static void table_title(FILE *out, const struct tally *tally, const struct report_options *options)
{
    char lengths[TALLY_LENGTHS];

    if (options->title != NULL) {
        fprintf(out, "%s: ", options->title);
    }
    tally_lengths(lengths, tally);
    if (tally->length_points == 0) {
        fprintf(out, "%d bots, %llu money game%s", tally->bots, (unsigned long long)tally->legs,
                plural_s((uint64_t)tally->legs));
    } else {
        fprintf(out, "%d bots, %llu match%s %s (%llu game%s)", tally->bots,
                (unsigned long long)tally->legs, plural((uint64_t)tally->legs, "", "es"), lengths,
                (unsigned long long)tally->games, plural_s((uint64_t)tally->games));
    }
    if (options->trust != NULL) {
        fprintf(out, ", trust: %s", options->trust);
    }
    fputs("\n\n", out);
}

static void add_crosstable(const struct crosstable *cross)
{
    const struct doc_table *table = NULL;

    if (cross->count > CROSS_BOTS_MAX) {
        doc_tell(cross->doc, "No crosstable for %d bots; --json has every encounter.",
                 cross->count);
    } else if (cross->count >= 2) {
        table = crosstable_results(cross);
    }
    if (table != NULL && cross->count <= REPORT_LOS_BOTS) {
        crosstable_los(cross, table);
    }
}

static void add_notes(const struct crosstable *cross, const struct report_options *options)
{
    notes_standings(cross->doc, cross->summary, options->brief);
    if (options->brief) {
        notes_legend(cross->doc, cross->summary);
    } else {
        doc_note(cross->doc, "G%%, BG%%: gammons and backgammons won, of all games.");
    }
    notes_ratings(cross->doc, cross->summary, options);
    notes_sample(cross->doc, cross->summary);
    notes_surplus(cross->doc, options);
}

enum bg_status report_table(FILE *out, const struct tally *tally,
                            const struct report_options *options, struct bg_error *err)
{
    struct summary_options settings = report_summary_options(options);
    struct summary summary;
    struct crosstable cross = {.doc = standing_doc("", tally), .summary = &summary, .narrow = true};
    int *order = doc_array(cross.doc, (size_t)tally->bots, sizeof *order);
    enum bg_status status = summary_of(&summary, tally, &settings, err);

    if (status == BG_OK) {
        cross.order = order;
        cross.count = summary_order(order, &summary);
        doc_section(cross.doc, "table", "");
        add_standings(&cross);
        add_bootstrap(&cross);
        add_crosstable(&cross);
        add_notes(&cross, options);
        table_title(out, tally, options);
        status = document_blocks(out, cross.doc, err);
        summary_deinit(&summary);
    }
    doc_destroy(cross.doc);
    return status;
}
