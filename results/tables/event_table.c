/* An event's table in its two forms that a terminal has: as text, through a document, and as JSON.
 * JSON is written row by row: the same text as of the tree, which would take a kilobyte for each of
 * half a million encounters of 1,000 bots. */
#include "event_table.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <sums/summary.h>

#include "adjusted_text.h"
#include "base/plural.h"
#include "crosstable.h"
#include "document/json_value.h"
#include "notes.h"
#include "pairing.h"
#include "standing.h"

/* ------------------------------------------------------------------------------- as text */

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

/* ------------------------------------------------------------------------------- as JSON */

static json_t *faults_of(const struct tally_bot *bot)
{
    json_t *out = json_object();

    for (int fault = 1; fault < BG_FAULT_COUNT; fault++) {
        if (bot->faults[fault] > 0) {
            json_object_set_new(out, bg_fault_name((enum bg_fault)fault),
                                json_integer((json_int_t)bot->faults[fault]));
        }
    }
    return out;
}

static json_t *lost_by_faults(const struct tally *tally)
{
    json_t *out = json_object();

    for (int i = 0; i < tally->bots; i++) {
        json_object_set_new(out, tally->bot[i].name, faults_of(&tally->bot[i]));
    }
    return out;
}

/* What is done with an encounter's row; takes it over. NULL: no memory. */
struct taker {
    enum bg_status (*take)(struct taker *taker, json_t *row, struct bg_error *err);
    json_t *rows; /* of a tree */
    FILE *out;    /* of a stream */
    size_t count;
};

static enum bg_status append_row(struct taker *taker, json_t *row, struct bg_error *err)
{
    return json_array_append_new(taker->rows, row) == 0
               ? BG_OK
               : bg_error_set(err, BG_E_MEMORY, "the table as JSON");
}

static enum bg_status write_row(struct taker *taker, json_t *row, struct bg_error *err)
{
    if (taker->count++ > 0) {
        fputc(',', taker->out);
    }
    return json_put(taker->out, row, JSON_WHOLE, err);
}

/* Takes each encounter once; the other bot's row is its mirror. */
static enum bg_status each_encounter(struct taker *taker, const struct summary *summary,
                                     struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct pairing pairing;

    for (int a = 0; status == BG_OK && a < summary->tally->bots; a++) {
        for (int b = a + 1; status == BG_OK && b < summary->tally->bots; b++) {
            bool flip = false;

            if (tally_encounter(summary->tally, a, b, &flip) != NULL) {
                pairing_of(&pairing, summary, a, b);
                status = taker->take(taker, pairing_json(&pairing), err);
            }
        }
    }
    return status;
}

/* The members before the encounters. NULL: no memory. */
static json_t *head_of(const struct summary *summary, const struct report_options *options)
{
    const struct tally *tally = summary->tally;

    return json_pack("{s:s?, s:i, s:I, s:o, s:o, s:o}", "event", options->title, "length",
                     tally->length_points, "games", (json_int_t)tally->games, "standings",
                     standing_json_rows(summary), "model", standing_json_model(summary),
                     "lost_by_faults", lost_by_faults(tally));
}

/* Adds the members after the encounters; most tables have none. */
static void add_tail(json_t *out, const struct tally *tally, const struct report_options *options)
{
    if (tally->length_most > tally->length_points) {
        json_object_set_new(out, "length_most", json_integer(tally->length_most));
    }
    if (tally->conditions != NULL) {
        json_object_set_new(out, "conditions", json_string(tally->conditions));
    }
    if (options->trust != NULL) {
        json_object_set_new(out, "trust", json_string(options->trust));
    }
    if (options->adjusted != NULL) {
        json_object_set_new(out, "adjusted", adjusted_json(options->adjusted));
    }
}

enum bg_status table_json_of(json_t **out, const struct tally *tally,
                             const struct report_options *options, struct bg_error *err)
{
    struct summary_options settings = report_summary_options(options);
    struct summary summary;
    struct taker tree = {.take = append_row, .rows = json_array()};
    enum bg_status status = summary_of(&summary, tally, &settings, err);

    if (status != BG_OK) {
        json_decref(tree.rows);
        return status;
    }
    *out = head_of(&summary, options);
    status = *out == NULL ? bg_error_set(err, BG_E_MEMORY, "the table as JSON")
                          : each_encounter(&tree, &summary, err);
    if (status == BG_OK) {
        json_object_set(*out, "encounters", tree.rows);
        add_tail(*out, tally, options);
    } else {
        json_decref(*out);
        *out = NULL;
    }
    json_decref(tree.rows);
    summary_deinit(&summary);
    return status;
}

/* The same text as of the tree, which would take a kilobyte for each of half a million encounters
 * of 1,000 bots. */
static enum bg_status write_table(FILE *out, const struct summary *summary,
                                  const struct report_options *options, struct bg_error *err)
{
    struct taker stream = {.take = write_row, .out = out};
    json_t *tail = json_object();
    enum bg_status status;

    add_tail(tail, summary->tally, options);
    fputc('{', out);
    status = json_put(out, head_of(summary, options), JSON_INSIDE, err);
    if (status == BG_OK) {
        fputs(",\"encounters\":[", out);
        status = each_encounter(&stream, summary, err);
    }
    if (status == BG_OK) {
        fputs(json_object_size(tail) > 0 ? "]," : "]", out);
        status = json_put(out, json_incref(tail), JSON_INSIDE, err);
    }
    if (status == BG_OK && (fputs("}\n", out) == EOF || ferror(out))) {
        status = bg_error_set(err, BG_E_SYSTEM, "write json: %s", strerror(errno));
    }
    json_decref(tail);
    return status;
}

enum bg_status report_json_table(FILE *out, const struct tally *tally,
                                 const struct report_options *options, struct bg_error *err)
{
    struct summary_options settings = report_summary_options(options);
    struct summary summary;
    enum bg_status status = summary_of(&summary, tally, &settings, err);

    if (status == BG_OK) {
        status = write_table(out, &summary, options, err);
        summary_deinit(&summary);
    }
    return status;
}
