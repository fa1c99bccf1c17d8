#include "standings_text.h"

#include <math.h>
#include <string.h>

#include <sums/results_set.h>
#include <sums/summary.h>

#include "crosstable.h"
#include "notes.h"
#include "numbers/round_robin.h"
#include "page.h"
#include "standing.h"
#include "base/plural.h"

enum {
    CROSS_BOTS_MAX = 40,
    FIXED_COLUMNS = 70, /* columns of the standings without name and faults */
    FAULT_SUM = 7
};

/* How the standings divide their width between names and faults: one column for each kind of fault
 * that occurred, or one column with sums if the names need the room. */
struct layout {
    int name;
    enum bg_fault kind[BG_FAULT_COUNT];
    int kinds;
    bool summed;
};

static bool fault_happened(const struct tally *tally, int fault)
{
    for (int i = 0; i < tally->bots; i++) {
        if (tally->bot[i].faults[fault] > 0) {
            return true;
        }
    }
    return false;
}

static int kind_width(enum bg_fault kind)
{
    return 1 + (int)strlen(bg_fault_name(kind));
}

static void layout_of(struct layout *out, const struct tally *tally)
{
    int faults = 0, room = 0;

    *out = (struct layout){.name = 4};
    for (int i = 0; i < tally->bots; i++) {
        int length = page_columns(tally_shown(tally, i));

        out->name = length > out->name ? length : out->name;
    }
    out->name = out->name > PAGE_NAME_MAX ? PAGE_NAME_MAX : out->name;
    for (int fault = 1; fault < BG_FAULT_COUNT; fault++) {
        if (fault_happened(tally, fault)) {
            out->kind[out->kinds++] = (enum bg_fault)fault;
            faults += kind_width((enum bg_fault)fault);
        }
    }
    out->summed = FIXED_COLUMNS + out->name + faults > PAGE_COLUMNS;
    room = PAGE_COLUMNS - FIXED_COLUMNS - (out->summed && out->kinds > 0 ? FAULT_SUM : 0);
    out->name = out->name > room ? room : out->name;
}

static void fault_heads(FILE *out, const struct layout *layout)
{
    for (int i = 0; !layout->summed && i < layout->kinds; i++) {
        fprintf(out, " %s", bg_fault_name(layout->kind[i]));
    }
    if (layout->summed && layout->kinds > 0) {
        fprintf(out, "%*s", FAULT_SUM, "faults");
    }
}

static void fault_cells(FILE *out, const struct layout *layout, const struct tally_bot *bot,
                        double sum)
{
    for (int i = 0; !layout->summed && i < layout->kinds; i++) {
        page_count(out, kind_width(layout->kind[i]), (double)bot->faults[layout->kind[i]]);
    }
    if (layout->summed && layout->kinds > 0) {
        page_count(out, FAULT_SUM, sum);
    }
}

/* Prints the kinds of faults behind the sums. */
static void fault_notes(FILE *out, const struct tally *tally, const struct layout *layout)
{
    for (int i = 0; layout->summed && i < tally->bots; i++) {
        char text[512] = "";
        size_t used = 0;

        for (int k = 0; k < layout->kinds; k++) {
            uint64_t count = tally->bot[i].faults[layout->kind[k]];

            if (count > 0) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%s %s %llu",
                                         used > 0 ? "," : "", bg_fault_name(layout->kind[k]),
                                         (unsigned long long)count);
            }
        }
        if (used > 0) {
            page_wrap(out, 4, "* Faults of %s:%s", tally_shown(tally, i), text);
        }
    }
}

/* One column between the name and the faults. */
struct column {
    enum standing_field field;
    int width;
};

static const struct column match_columns[] = {
    {STANDING_RATING, 10},      {STANDING_RATING_BAR, 7}, {STANDING_LEGS, 8},
    {STANDING_WON, 7},          {STANDING_PERCENT, 6},    {STANDING_PERCENT_LOW, 6},
    {STANDING_PERCENT_HIGH, 6}, {STANDING_GAMMONS, 6},    {STANDING_BACKGAMMONS, 6},
    {STANDING_FIELDS, 0},
};

static const struct column money_columns[] = {
    {STANDING_RATING, 9},  {STANDING_RATING_BAR, 7}, {STANDING_PPG, 8},
    {STANDING_PPG_BAR, 7}, {STANDING_LEGS, 8},       {STANDING_POINTS, 8},
    {STANDING_PERCENT, 6}, {STANDING_GAMMONS, 6},    {STANDING_BACKGAMMONS, 6},
    {STANDING_FIELDS, 0},
};

static const struct column *columns_of(const struct summary *summary)
{
    return summary->money ? money_columns : match_columns;
}

/* Prints a cell, right-aligned; marks come before the number. */
static void cell(FILE *out, const struct column *column, const struct summary *summary, int i)
{
    const struct doc_column *head = &standing_columns(summary->money)[column->field];
    struct doc_cell cell = standing_cell(summary, i, column->field);
    char text[64] = "-";

    if (isfinite(cell.number)) {
        snprintf(text, sizeof text, head->sign ? "%s%+.*f" : "%s%.*f",
                 cell.mark == NULL ? "" : cell.mark, head->decimals, cell.number);
    }
    fprintf(out, " %*s", column->width - 1, text);
}

static void standing_line(FILE *out, const struct summary *summary, int i,
                          const struct layout *layout)
{
    struct doc_cell rank = standing_cell(summary, i, STANDING_RANK);
    char text[16] = "-";

    if (isfinite(rank.number)) {
        snprintf(text, sizeof text, "%.0f%s", rank.number, rank.after == NULL ? "" : rank.after);
    }
    fprintf(out, "%4s ", text);
    page_name(out, layout->name, tally_shown(summary->tally, i));
    for (const struct column *c = columns_of(summary); c->field != STANDING_FIELDS; c++) {
        cell(out, c, summary, i);
    }
    fault_cells(out, layout, &summary->tally->bot[i], summary->bot[i].faults);
    fputc('\n', out);
}

static void standings_table(FILE *out, const struct summary *summary, const struct layout *layout)
{
    fprintf(out, "Rank %-*s", layout->name, standing_columns(summary->money)[STANDING_BOT].title);
    for (const struct column *c = columns_of(summary); c->field != STANDING_FIELDS; c++) {
        const char *title = standing_columns(summary->money)[c->field].title;

        /* the sign of error bars has two bytes */
        fprintf(out, "%*s", c->width + ((unsigned char)title[0] >= 0x80), title);
    }
    fault_heads(out, layout);
    fputc('\n', out);
    for (int k = 0; k < summary->standings; k++) {
        standing_line(out, summary, summary->standing[k].player, layout);
    }
    for (int i = 0; i < summary->tally->bots; i++) {
        if (summary->bot[i].dropped) {
            standing_line(out, summary, i, layout);
        }
    }
}

/* Explains why rated bots without an interval have none. */
static void bootstrap_note(FILE *out, const struct summary *summary)
{
    bool any = false;

    for (int bot = 0; bot < summary->tally->bots; bot++) {
        double rating = standing_cell(summary, bot, STANDING_RATING).number;
        double low = standing_cell(summary, bot, STANDING_RATING_BOOT_LOW).number;

        any = any || (isfinite(rating) && !isfinite(low));
    }
    if (any) {
        page_wrap(out, 2,
                  "* \"-\": no bootstrap if a bot has fewer than 30 clusters, if many of them are "
                  "alone in their encounter, or if draws have no finite rating.");
    }
}

/* Prints the intervals that bars are compared with. */
static void bootstrap_table(FILE *out, const struct summary *summary, const struct layout *layout)
{
    static const struct column rating[] = {{STANDING_RATING, 10},
                                           {STANDING_RATING_BAR, 9},
                                           {STANDING_RATING_BOOT_LOW, 10},
                                           {STANDING_RATING_BOOT_HIGH, 10}};
    static const struct column ppg[] = {{STANDING_PPG_BOOT_LOW, 10}, {STANDING_PPG_BOOT_HIGH, 10}};

    if (summary->bootstrap.draws == 0) {
        return;
    }
    page_wrap(out, 0, "Bootstrap over pairs, %d draws: middle 95 %% beside rating \u00b1 bar%s",
              summary->bootstrap.draws, summary->money ? "; then of ppg" : "");
    fprintf(out, "     %-*s%10s%10s%10s%10s", layout->name, "Bot", "Rating", "\u00b1", "low",
            "high");
    fprintf(out, summary->money ? "%10s%10s\n" : "\n", "ppg low", "ppg high");
    for (int k = 0; k < summary->standings; k++) {
        int bot = summary->standing[k].player;

        fputs("     ", out);
        page_name(out, layout->name, tally_shown(summary->tally, bot));
        for (size_t i = 0; i < sizeof rating / sizeof rating[0]; i++) {
            cell(out, &rating[i], summary, bot);
        }
        for (size_t i = 0; summary->money && i < sizeof ppg / sizeof ppg[0]; i++) {
            cell(out, &ppg[i], summary, bot);
        }
        fputc('\n', out);
    }
    bootstrap_note(out, summary);
    fputc('\n', out);
}

/* Prints a note below a table. */
static void write_note(void *user, bool part, const char *text)
{
    page_wrap(user, part ? 4 : 2, "%s%s", part ? "  " : "* ", text);
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

struct summary_options report_summary_options(const struct report_options *options)
{
    return (struct summary_options){.rating = options->rating,
                                    .place = options->place,
                                    .planned_legs = options->planned_legs,
                                    .final = options->final,
                                    .decided = options->decided,
                                    .legs = options->legs,
                                    .bootstrap = options->bootstrap};
}

enum bg_status report_table(FILE *out, const struct tally *tally,
                            const struct report_options *options, struct bg_error *err)
{
    struct summary_options settings = report_summary_options(options);
    struct summary summary;
    struct layout layout;
    enum bg_status status = summary_of(&summary, tally, &settings, err);

    if (status != BG_OK) {
        return status;
    }
    table_title(out, tally, options);
    layout_of(&layout, tally);
    standings_table(out, &summary, &layout);
    fputc('\n', out);
    if (options->bootstrap > 0) {
        bootstrap_table(out, &summary, &layout);
    }
    if (options->crosstable && tally->bots >= 2 && tally->bots <= CROSS_BOTS_MAX) {
        crosstable_write(out, &summary);
    } else if (options->crosstable && tally->bots >= 2) {
        page_wrap(out, 0, "No crosstable for %d bots; --json has every encounter.", tally->bots);
    }
    if (options->los && summary.standings >= 2 && summary.standings <= REPORT_LOS_BOTS) {
        crosstable_los(out, &summary);
    }
    notes_standings(&summary, options->brief, write_note, out);
    if (options->brief) {
        notes_legend(&summary, write_note, out);
    } else {
        write_note(out, false, "G%, BG%: gammons and backgammons won, of all games.");
    }
    notes_ratings(&summary, options, write_note, out);
    notes_sample(&summary, write_note, out);
    fault_notes(out, tally, &layout);
    notes_surplus(options, write_note, out);
    summary_deinit(&summary);
    return status;
}

struct report_options event_results_options(const struct event_results *results)
{
    struct report_options options = REPORT_OPTIONS_INIT;

    options.title = results->name;
    options.jacoby = results->jacoby;
    options.trust = results->trust[0] == '\0' ? NULL : results->trust;
    options.surplus = results->surplus;
    options.decided = results->counted != UINT64_MAX;
    options.place = results->place;
    options.planned_legs = round_robin_of_pairing(results->pairs, results->duplicate);
    options.final =
        results->planned > 0 && results->tally.legs + results->unplayed >= results->planned;
    return options;
}
