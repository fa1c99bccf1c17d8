#include "text.h"

#include <math.h>
#include <string.h>

#include <numbers/summary.h>

#include "crosstable.h"
#include "notes.h"
#include "page.h"

enum {
    CROSS_BOTS_MAX = 40,
    FIXED_COLUMNS = 71, /* of the standings without name and faults */
    FAULT_SUM = 7
};

/* How the standings share their width: names, and faults that happened, as one column a kind when
 * they leave room for the names, else as one column of sums. */
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
        int length = (int)strlen(tally->bot[i].name);

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

/* The kinds behind the sums of the table. */
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
            page_wrap(out, 4, "* Faults of %s:%s", tally->bot[i].name, text);
        }
    }
}

static void rating_cells(FILE *out, const struct rating_player *p)
{
    char text[32];
    const char *mark = p->flag == RATING_UNBEATEN ? ">" : p->flag == RATING_WINLESS ? "<" : "";

    if (isfinite(p->rating)) {
        snprintf(text, sizeof text, "%s%.1f", mark, p->rating);
        fprintf(out, " %8s", text);
    } else {
        fprintf(out, " %8s", "-");
    }
    page_number(out, 7, 1, STAT_Z95 * rating_told_se(p));
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

/* The cells that match and money play share. */
static void result_cells(FILE *out, const struct summary *summary, int i)
{
    const struct summary_bot *bot = &summary->bot[i];
    const struct tally_sum *sum = &bot->sum;

    page_signed(out, 8, 3, bot->ppg.ppg);
    page_number(out, 7, 3, STAT_Z95 * bot->ppg.se);
    page_count(out, 8, (double)sum->legs);
    if (summary->money) {
        fprintf(out, " %+7lld", (long long)sum->points);
    } else {
        page_count(out, 8, (double)sum->legs_won);
    }
    page_number(out, 7, 1, percent((double)sum->legs_won, (double)sum->legs));
    page_number(out, 6, 1, percent((double)sum->levels[2], (double)sum->games));
    page_number(out, 6, 1, percent((double)sum->levels[3], (double)sum->games));
}

static void standing_line(FILE *out, const struct summary *summary, int i, const char *rank,
                          const struct layout *layout)
{
    const struct tally_bot *bot = &summary->tally->bot[i];

    fprintf(out, "%4s ", rank);
    page_name(out, layout->name, bot->name);
    if (summary->money) {
        page_signed(out, 9, 3, summary->money_rating[i].rating);
        page_number(out, 7, 3, STAT_Z95 * summary->money_rating[i].se);
    } else if (summary->fit.players > 0) {
        rating_cells(out, &summary->fit.player[i]);
    } else {
        fprintf(out, " %8s%7s", "-", "-");
    }
    result_cells(out, summary, i);
    fault_cells(out, layout, bot, summary->bot[i].faults);
    fputc('\n', out);
}

static void standings_table(FILE *out, const struct summary *summary, const struct layout *layout)
{
    char rank[16];

    fprintf(out, "Rank %-*s %8s %6s %7s %6s %7s %7s %6s %5s %5s", layout->name, "Name",
            summary->money ? "Rating" : "Elo", "+/-", "ppg", "+/-",
            summary->money ? "Games" : "Matches", summary->money ? "Net" : "Won",
            summary->money ? "Win%" : "Score%", "G%", "BG%");
    fault_heads(out, layout);
    fputc('\n', out);
    for (int k = 0; k < summary->standings; k++) {
        const struct standings_row *row = &summary->standing[k];

        snprintf(rank, sizeof rank, "%d%s", row->rank, row->shared ? "=" : "");
        standing_line(out, summary, row->player, rank, layout);
    }
    for (int i = 0; i < summary->tally->bots; i++) {
        if (summary->bot[i].dropped) {
            standing_line(out, summary, i, "-", layout);
        }
    }
}

/* A note below a table. */
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
        fprintf(out, "%d bots, %llu money games\n\n", tally->bots, (unsigned long long)tally->legs);
    } else {
        fprintf(out, "%d bots, %llu matches %s (%llu games)\n\n", tally->bots,
                (unsigned long long)tally->legs, lengths, (unsigned long long)tally->games);
    }
}

enum bg_status report_table(FILE *out, const struct tally *tally,
                            const struct report_options *options, struct bg_error *err)
{
    struct summary_options settings = {options->rating, options->planned_legs, options->final};
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
    if (options->crosstable && tally->bots >= 2 && tally->bots <= CROSS_BOTS_MAX) {
        status = crosstable_write(out, &summary, err);
    } else if (options->crosstable && tally->bots >= 2) {
        page_wrap(out, 0, "Crosstable left out for %d bots; --json has every encounter.",
                  tally->bots);
    }
    if (status == BG_OK && options->los && summary.standings >= 2 &&
        summary.standings <= REPORT_LOS_BOTS) {
        status = crosstable_los(out, &summary, err);
    }
    notes_standings(&summary, write_note, out);
    notes_ratings(&summary, options, write_note, out);
    notes_sample(&summary, write_note, out);
    fault_notes(out, tally, &layout);
    summary_deinit(&summary);
    return status;
}
