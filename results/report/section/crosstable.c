/* The results of every two bots, and how sure it is which is better. */
#include <inttypes.h>
#include <math.h>

#include "tables/pairing.h"
#include "section.h"

/* Columns after the fields of a pairing: luck-adjusted figures, and display names. */
enum {
    ADJUSTED = PAIRING_FIELDS,
    ADJUSTED_SE,
    ADJUSTED_LOS,
    UNCLIPPED,
    RESULT,
    DETAIL,
    LOS_SHOWN,
    ADJUSTED_SHOWN,
    TONE,
    COLUMNS
};

static const struct doc_column more_columns[COLUMNS - PAIRING_FIELDS] = {
    [ADJUSTED - PAIRING_FIELDS] = {.key = "adjusted", .title = "Luck-adjusted", .decimals = 3},
    [ADJUSTED_SE - PAIRING_FIELDS] = {.key = "adjusted_se", .title = "SE", .decimals = 3},
    [ADJUSTED_LOS -
        PAIRING_FIELDS] = {.key = "adjusted_los", .title = "LOS", .unit = "0..1", .decimals = 4},
    [UNCLIPPED -
        PAIRING_FIELDS] = {.key = "adjusted_unclipped", .title = "As computed", .use = DOC_DATA},
    [RESULT - PAIRING_FIELDS] = {.key = "result", .title = "Result", .use = DOC_SHOWN},
    [DETAIL - PAIRING_FIELDS] = {.key = "detail", .title = "Detail", .use = DOC_SHOWN},
    [LOS_SHOWN - PAIRING_FIELDS] = {.key = "los_percent",
                                    .title = "LOS",
                                    .unit = "%",
                                    .decimals = 1,
                                    .chance = true,
                                    .use = DOC_SHOWN},
    [ADJUSTED_SHOWN - PAIRING_FIELDS] = {.key = "adjusted_los_percent",
                                         .title = "LOS",
                                         .unit = "%",
                                         .decimals = 1,
                                         .chance = true,
                                         .use = DOC_SHOWN},
    [TONE - PAIRING_FIELDS] = {.key = "tone", .title = "Who is ahead", .use = DOC_SHOWN},
};

static void result_texts(struct doc_table *table, const struct pairing *pairing)
{
    const struct tally_sum *sum = &pairing->sum;
    const double *interval = pairing_interval(pairing);
    double ppg = pairing->ppg.ppg;

    if (sum->legs == 0) {
        return;
    }
    if (pairing->summary->money) {
        doc_say(table, RESULT, "%+" PRId64 " / %" PRIu64, sum->points, sum->legs);
        if (isfinite(interval[0])) {
            doc_say(table, DETAIL, "%+.3f \u00b1%.3f", ppg, (interval[1] - interval[0]) / 2);
        } else if (isfinite(ppg)) {
            doc_say(table, DETAIL, "%+.3f", ppg);
        }
    } else {
        if (tally_drawn(sum) > 0) {
            doc_say(table, RESULT, "%" PRIu64 "\u2013%" PRIu64 "\u2013%" PRIu64, sum->legs_won,
                    sum->legs_lost, tally_drawn(sum));
        } else {
            doc_say(table, RESULT, "%" PRIu64 "\u2013%" PRIu64, sum->legs_won, sum->legs_lost);
        }
        if (isfinite(interval[0])) {
            doc_say(table, DETAIL, "%.1f %% (%.0f\u2013%.0f)", 100 * tally_share(sum),
                    100 * interval[0], 100 * interval[1]);
        }
    }
}

/* Which bot is ahead, and whether the interval confirms it. */
static void tone_cell(struct doc_table *table, const struct pairing *pairing)
{
    bool money = pairing->summary->money;
    double mean = money ? pairing->ppg.ppg : tally_share(&pairing->sum), even = money ? 0 : 0.5;
    const double *interval = pairing_interval(pairing);

    if (pairing->sum.legs > 0 && isfinite(mean)) {
        doc_number(table, TONE,
                   mean > even   ? interval[0] > even ? DOC_TONE_WON : DOC_TONE_AHEAD
                   : mean < even ? interval[1] < even ? DOC_TONE_LOST : DOC_TONE_BEHIND
                                 : DOC_TONE_EVEN);
    }
}

static void luck_cells(struct doc_table *table, const struct report *report, int a, int b)
{
    const struct judged_sums *judged = &report->gather->judged;
    bool flip = false;
    const struct judged_encounter *encounter = judged_sums_encounter(judged, a, b, &flip);

    if (encounter != NULL) {
        const struct luck_mean *adjusted = &encounter->luck.adjusted;
        struct luck_mean shown = luck_mean_shown(adjusted, judged->unit);
        double los = flip ? 1 - shown.los : shown.los;

        doc_number(table, ADJUSTED, flip ? luck_other_side(judged->unit, shown.mean) : shown.mean);
        doc_number(table, UNCLIPPED,
                   flip ? luck_other_side(judged->unit, adjusted->mean) : adjusted->mean);
        doc_number(table, ADJUSTED_SE, shown.se);
        doc_number(table, ADJUSTED_LOS, los);
        doc_number(table, ADJUSTED_SHOWN, 100 * los);
    }
}

static void encounter_row(struct doc_table *table, struct report *report, int a, int b)
{
    struct pairing pairing;

    if (report->status != BG_OK) {
        return;
    }
    pairing_of(&pairing, &report->gather->summary, a, b);
    doc_row(table);
    for (int field = 0; field < PAIRING_FIELDS; field++) {
        struct doc_cell cell = pairing_cell(&pairing, (enum pairing_field)field);

        doc_put(table, field, &cell);
    }
    doc_number(table, LOS_SHOWN, 100 * pairing_cell(&pairing, PAIRING_LOS).number);
    doc_strong(table, LOS_SHOWN, pairing_cell(&pairing, PAIRING_ESTABLISHED).number != 0);
    luck_cells(table, report, a, b);
    result_texts(table, &pairing);
    tone_cell(table, &pairing);
}

static struct doc_table *encounter_table(struct report *report)
{
    struct doc_column *columns = doc_array(report->doc, COLUMNS, sizeof *columns);

    for (int i = 0; columns != NULL && i < COLUMNS; i++) {
        columns[i] = i < PAIRING_FIELDS ? pairing_columns[i] : more_columns[i - PAIRING_FIELDS];
    }
    return columns == NULL ? NULL
                           : doc_table(report->doc, "encounters",
                                       "Encounters, from the view of `bot`", columns, COLUMNS);
}

static const char *const *names_of(struct report *report)
{
    const char **names = doc_array(report->doc, (size_t)report->count, sizeof *names);

    for (int i = 0; names != NULL && i < report->count; i++) {
        names[i] = doc_copy(report->doc, section_shown(report, report->order[i]));
    }
    return names;
}

static void add_matrix(struct report *report, const struct doc_table *table,
                       const char *const *names, int main, int sub, const char *caption)
{
    struct doc_matrix *matrix =
        table == NULL || names == NULL ? NULL : doc_matrix(report->doc, table, caption);

    if (matrix != NULL) {
        matrix->name = names;
        matrix->count = report->count;
        matrix->main = main;
        matrix->sub = sub;
        matrix->tone = main == RESULT ? TONE : -1;
        matrix->title = "Row against column";
    }
}

static void totals(struct report *report)
{
    enum { NAME, PLAYED, WON_LEGS, LOST_LEGS, DRAWN_LEGS, SCORE, FOR, AGAINST, TOTALS };
    static const struct doc_column heads[TOTALS] = {
        [NAME] = {.key = "bot", .title = "Bot", .bot = true},
        [PLAYED] = {.key = "legs", .title = "Played"},
        [WON_LEGS] = {.key = "won", .title = "Won"},
        [LOST_LEGS] = {.key = "lost", .title = "Lost"},
        [DRAWN_LEGS] = {.key = "drawn", .title = "Drawn", .quiet = true},
        [SCORE] = {.key = "won_percent", .title = "Score", .unit = "%", .decimals = 1},
        [FOR] = {.key = "points_for", .title = "For", .unit = "points"},
        [AGAINST] = {.key = "points_against", .title = "Against", .unit = "points"},
    };
    struct doc_table *table =
        doc_table(report->doc, "totals",
                  report->money ? "Totals in money games" : "Totals in matches", heads, TOTALS);

    static const struct doc_pick picks[] = {DOC_PICK(NAME), DOC_PICK(LOST_LEGS),
                                            DOC_PICK(DRAWN_LEGS), DOC_PICK(FOR), DOC_PICK(AGAINST)};

    doc_view(report->doc, table,
             report->money ? "Games lost and points" : "Matches lost and points", picks,
             sizeof picks / sizeof picks[0]);
    for (int i = 0; i < report->count; i++) {
        const struct tally_sum *sum = &report->gather->summary.bot[report->order[i]].sum;

        doc_row(table);
        doc_text(table, NAME, section_bot(report, report->order[i]));
        doc_number(table, PLAYED, (double)sum->legs);
        doc_number(table, WON_LEGS, (double)sum->legs_won);
        doc_number(table, LOST_LEGS, (double)sum->legs_lost);
        doc_number(table, DRAWN_LEGS, (double)tally_drawn(sum));
        doc_number(table, SCORE, 100 * tally_share(sum));
        doc_number(table, FOR, (double)sum->points_for);
        doc_number(table, AGAINST, (double)sum->points_against);
    }
}

static void matrices(struct report *report, struct doc_table *table)
{
    const char *const *names = names_of(report);
    const struct judged_sums *judged = &report->gather->judged;

    add_matrix(report, table, names, RESULT, DETAIL,
               report->money ? "Net points / games; below, points per game \u00b1 95 %"
                             : "Matches won\u2013lost (\u2013drawn); below, share of matches won, "
                               "a drawn one counts half (95 %)");
    totals(report);
    doc_section(report->doc, "los", "Who is better");
    add_matrix(report, table, names, LOS_SHOWN, -1,
               "LOS in %: likelihood that the row is stronger, from the ratings");
    if (judged->encounters > 0) {
        add_matrix(report, table, names, ADJUSTED_SHOWN, -1,
                   "LOS in %: the same from the two bots' luck-adjusted results");
    }
    doc_note(report->doc,
             "LOS is the chance of a difference below the measured one if both were equal, from "
             "the standard error of the two's difference. Bold: established, by Holm's procedure "
             "at 5 %% over all pairs of bots of the event: with equal bots, at most one event in "
             "twenty establishes any by chance.");
}

void section_crosstable(struct report *report)
{
    struct doc_table *table;

    if (report->count < 2) {
        return;
    }
    doc_section(report->doc, "crosstable", "Crosstable");
    if (report->count > SECTION_MATRIX_BOTS) {
        doc_tell(report->doc, "Not printed for %d bots; 'bgref rate --json' has every encounter.",
                 report->count);
        return;
    }
    table = encounter_table(report);
    if (table != NULL) {
        table->data = true;
    }
    for (int r = 0; r < report->count; r++) {
        for (int c = 0; c < report->count; c++) {
            if (r != c) {
                encounter_row(table, report, report->order[r], report->order[c]);
            }
        }
    }
    matrices(report, table);
}
