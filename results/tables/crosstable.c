/* Every pairing is one row of one table, and a matrix is only a view of it: so JSON and CSV have
 * each number once, under a name, and not a grid whose meaning depends on the order of the bots. */
#include "crosstable.h"

#include <inttypes.h>
#include <math.h>

#include "pairing.h"
#include "standing.h"

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
    [ADJUSTED - PAIRING_FIELDS] = {"adjusted", "Luck-adjusted", .decimals = 3},
    [ADJUSTED_SE - PAIRING_FIELDS] = {"adjusted_se", "SE", .decimals = 3},
    [ADJUSTED_LOS - PAIRING_FIELDS] = {"adjusted_los", "LOS", "0..1", .decimals = 4},
    [UNCLIPPED - PAIRING_FIELDS] = {"adjusted_unclipped", "As computed", .use = DOC_DATA},
    [RESULT - PAIRING_FIELDS] = {"result", "Result", .use = DOC_SHOWN, .meeting = true},
    [DETAIL - PAIRING_FIELDS] = {"detail", "Detail", .use = DOC_SHOWN},
    [LOS_SHOWN - PAIRING_FIELDS] = {"los_percent", "LOS", "%", .decimals = 1, .chance = true,
                                    .use = DOC_SHOWN},
    [ADJUSTED_SHOWN - PAIRING_FIELDS] = {"adjusted_los_percent", "LOS", "%", .decimals = 1,
                                         .chance = true, .use = DOC_SHOWN},
    [TONE - PAIRING_FIELDS] = {"tone", "Who is ahead", .use = DOC_SHOWN},
};

static void result_texts(struct doc_table *table, const struct pairing *pairing, bool narrow)
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
        if (narrow && isfinite(interval[0])) {
            doc_say(table, DETAIL, "%.0f\u2013%.0f %%", 100 * interval[0], 100 * interval[1]);
        } else if (isfinite(interval[0])) {
            doc_say(table, DETAIL, "%.1f %% (%.0f\u2013%.0f)", 100 * tally_share(sum),
                    100 * interval[0], 100 * interval[1]);
        }
    }
}

/* Which bot is ahead, and whether the interval confirms it. A lead is only called won or lost
 * where the interval excludes equality, so that colour does not claim more than the numbers. */
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

static void luck_cells(struct doc_table *table, const struct judged_sums *judged, int a, int b)
{
    bool flip = false;
    const struct judged_encounter *encounter =
        judged == NULL ? NULL : judged_sums_encounter(judged, a, b, &flip);

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

static void encounter_row(struct doc_table *table, const struct crosstable *cross, int a, int b)
{
    struct pairing pairing;

    pairing_of(&pairing, cross->summary, a, b);
    doc_row(table);
    for (int field = 0; field < PAIRING_FIELDS; field++) {
        struct doc_cell cell = pairing_cell(&pairing, (enum pairing_field)field);

        doc_put(table, field, &cell);
    }
    doc_number(table, LOS_SHOWN, 100 * pairing_cell(&pairing, PAIRING_LOS).number);
    doc_strong(table, LOS_SHOWN, pairing_cell(&pairing, PAIRING_ESTABLISHED).number != 0);
    luck_cells(table, cross->judged, a, b);
    result_texts(table, &pairing, cross->narrow);
    tone_cell(table, &pairing);
}

static struct doc_table *encounter_table(const struct crosstable *cross)
{
    struct doc_column *columns = doc_array(cross->doc, COLUMNS, sizeof *columns);
    struct doc_table *table;

    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = i < PAIRING_FIELDS ? pairing_columns[i] : more_columns[i - PAIRING_FIELDS];
    }
    table =
        doc_table(cross->doc, "encounters", "Encounters, from the view of `bot`", columns, COLUMNS);
    table->data = true;
    table->compact = cross->narrow;
    return table;
}

void crosstable_against(const struct crosstable *cross, int bot, int opponent)
{
    static const struct doc_pick picks[] = {
        DOC_PICK(PAIRING_OPPONENT),
        DOC_PICK(RESULT),
        DOC_PICK(DETAIL),
        DOC_PICK(LOS_SHOWN),
        {.main = ADJUSTED, .sub = ADJUSTED_SE, .before = "SE "}};
    struct doc_table *table = encounter_table(cross);
    bool flip;

    for (int i = 0; i < cross->count; i++) {
        const int other = cross->order[i];

        if (other != bot && (opponent < 0 || other == opponent) &&
            tally_encounter(cross->summary->tally, bot, other, &flip) != NULL) {
            encounter_row(table, cross, bot, other);
        }
    }
    doc_view(cross->doc, table,
             cross->summary->money ? "Points and games, points a game with 95 % interval"
                                   : "Won and lost, share with 95 % interval",
             picks, (int)(sizeof picks / sizeof *picks) - (cross->judged == NULL));
    table->head = PAIRING_OPPONENT;
}

static void add_matrix(const struct crosstable *cross, const struct doc_table *table, int main,
                       int sub, const char *caption)
{
    const char **names = doc_array(cross->doc, (size_t)cross->count, sizeof *names);
    struct doc_matrix *matrix;

    if (cross->bare) {
        return;
    }
    matrix = doc_matrix(cross->doc, table, caption);
    for (int i = 0; i < cross->count; i++) {
        names[i] = doc_copy(cross->doc, tally_shown(cross->summary->tally, cross->order[i]));
    }
    matrix->name = names;
    matrix->count = cross->count;
    matrix->main = main;
    matrix->sub = sub;
    matrix->tone = main == RESULT ? TONE : -1;
    matrix->title = "Row against column";
}

enum {
    NAME,
    PLAYED,
    WON_LEGS,
    LOST_LEGS,
    DRAWN_LEGS,
    SCORE,
    FOR,
    AGAINST,
    LOW,
    HIGH,
    BEST,
    TOTALS
};

static void total_row(struct doc_table *table, const struct crosstable *cross, int bot)
{
    const struct tally_sum *sum = &cross->summary->bot[bot].sum;

    doc_row(table);
    doc_text(table, NAME, cross->summary->tally->bot[bot].name);
    doc_number(table, PLAYED, (double)sum->legs);
    doc_number(table, WON_LEGS, (double)sum->legs_won);
    doc_number(table, LOST_LEGS, (double)sum->legs_lost);
    doc_number(table, DRAWN_LEGS, (double)tally_drawn(sum));
    doc_number(table, SCORE, 100 * tally_share(sum));
    doc_number(table, FOR, (double)sum->points_for);
    doc_number(table, AGAINST, (double)sum->points_against);
    standing_put(table, LOW, cross->summary, bot, STANDING_RANK_LOW);
    standing_put(table, HIGH, cross->summary, bot, STANDING_RANK_HIGH);
    standing_put(table, BEST, cross->summary, bot, STANDING_BEST);
}

static void totals(const struct crosstable *cross)
{
    static const struct doc_column heads[TOTALS] = {
        [NAME] = {"bot", "Bot", .bot = true},
        [PLAYED] = {"legs", .title = "Played"},
        [WON_LEGS] = {"won", .title = "Won"},
        [LOST_LEGS] = {"lost", .title = "Lost"},
        [DRAWN_LEGS] = {"drawn", "Drawn", .quiet = true},
        [SCORE] = {"won_percent", "Score", "%", .decimals = 1},
        [FOR] = {"points_for", "For", .unit = "points"},
        [AGAINST] = {"points_against", "Against", .unit = "points"},
        [LOW] = {.title = "Rank from", .unit = "95 %", .use = DOC_SHOWN},
        [HIGH] = {.title = "Rank to", .unit = "95 %", .use = DOC_SHOWN},
        [BEST] =
            {.title = "Best", .unit = "% chance", .decimals = 1, .chance = true, .use = DOC_SHOWN},
    };
    static const struct doc_pick picks[] = {
        DOC_PICK(NAME),    DOC_PICK(LOST_LEGS), DOC_PICK(DRAWN_LEGS), DOC_PICK(FOR),
        DOC_PICK(AGAINST), DOC_PICK(LOW),       DOC_PICK(HIGH),       DOC_PICK(BEST)};
    int all = sizeof picks / sizeof picks[0];
    bool money = cross->summary->money;
    struct doc_table *table = doc_table(
        cross->doc, "totals", money ? "Totals in money games" : "Totals in matches", heads, TOTALS);

    table->data = true;
    if (!cross->bare) {
        doc_view(cross->doc, table,
                 cross->narrow ? "Losses, points, and the ranks by strength that the results allow"
                 : money       ? "Games lost and points"
                               : "Matches lost and points",
                 picks, cross->narrow ? all : all - 3);
    }
    for (int i = 0; i < cross->count; i++) {
        total_row(table, cross, cross->order[i]);
    }
}

const struct doc_table *crosstable_results(const struct crosstable *cross)
{
    struct doc_table *table = encounter_table(cross);
    bool money = cross->summary->money;

    for (int r = 0; r < cross->count; r++) {
        for (int c = 0; c < cross->count; c++) {
            /* Both directions are rows: a reader looks a pair up from either bot, and only the
             * view (signs, who is ahead) differs. */
            if (r != c) {
                encounter_row(table, cross, cross->order[r], cross->order[c]);
            }
        }
    }
    add_matrix(
        cross, table, RESULT, DETAIL,
        cross->narrow && !money ? "Crosstable: matches won\u2013lost (\u2013drawn); below, 95 % "
                                  "of the share of matches won, a drawn one counts half"
        : cross->narrow ? "Crosstable: net points / games; below, points per game \u00b1 95 %"
        : money         ? "Net points / games; below, points per game \u00b1 95 %"
                        : "Matches won\u2013lost (\u2013drawn); below, share of "
                          "matches won, a drawn one counts half (95 %)");
    totals(cross);
    return table;
}

void crosstable_los(const struct crosstable *cross, const struct doc_table *table)
{
    add_matrix(cross, table, LOS_SHOWN, -1,
               "LOS in %: likelihood that the row is stronger, from the ratings");
    if (cross->judged != NULL && cross->judged->encounters > 0) {
        add_matrix(cross, table, ADJUSTED_SHOWN, -1,
                   "LOS in %: the same from the two bots' luck-adjusted results");
    }
}
