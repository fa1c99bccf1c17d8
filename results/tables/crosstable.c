#include "crosstable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "page.h"
#include "pairing.h"

enum {
    MATCH_CELL = 10,
    MONEY_CELL = 15,
    LOS_CELL = 6,
    RANKS_CELL = 7,
    BEST_CELL = 7,
    ROW_NUMBER = 5
};

static int label_width(const struct summary *summary)
{
    int width = 4;

    for (int i = 0; i < summary->tally->bots; i++) {
        int length = page_columns(tally_shown(summary->tally, i));

        width = length > width ? length : width;
    }
    return width > 16 ? 16 : width;
}

/* Prints the diagonal's empty cell; nothing at the end of a line, so that no line ends in
 * blanks. */
static void blank(FILE *out, int width, bool last)
{
    fprintf(out, "%*s", last ? 0 : width, "");
}

/* Prints a cell's first line: won-lost, or net points / games. */
static void cell_result(FILE *out, int width, const struct summary *summary, int row, int column)
{
    struct tally_sum sum;
    char text[64];

    tally_sum(&sum, summary->tally, row, column);
    if (sum.legs == 0) {
        snprintf(text, sizeof text, "-");
    } else if (summary->money) {
        snprintf(text, sizeof text, "%+lld/%llu", (long long)sum.points,
                 (unsigned long long)sum.legs);
    } else {
        size_t used =
            (size_t)snprintf(text, sizeof text, "%llu-%llu", (unsigned long long)sum.legs_won,
                             (unsigned long long)sum.legs_lost);

        if (tally_drawn(&sum) > 0) {
            snprintf(text + used, sizeof text - used, "-%llu",
                     (unsigned long long)tally_drawn(&sum));
        }
    }
    fprintf(out, "%*s", width, text);
}

/* Prints a cell's second line: points per game, or the share won, with the 95 % interval. */
static void cell_interval(FILE *out, int width, const struct summary *summary, int row, int column)
{
    struct pairing pairing;
    char text[64] = "-";

    pairing_of(&pairing, summary, row, column);
    if (summary->money && isfinite(pairing.ppg.ppg) && isfinite(pairing.ppg.se)) {
        snprintf(text, sizeof text, "%+.3f\u00b1%.3f", pairing.ppg.ppg, pairing_bar(&pairing));
        width++; /* the plus-minus sign has two bytes */
    } else if (summary->money && isfinite(pairing.ppg.ppg)) {
        snprintf(text, sizeof text, "%+.3f", pairing.ppg.ppg);
    } else if (!summary->money && isfinite(pairing.winrate.wilson[0])) {
        snprintf(text, sizeof text, "%.0f-%.0f%%", 100 * pairing.winrate.wilson[0],
                 100 * pairing.winrate.wilson[1]);
    }
    fprintf(out, "%*s", width, text);
}

static void row_label(FILE *out, int number, int width, const char *name)
{
    fprintf(out, "%*d ", ROW_NUMBER - 1, number);
    page_name(out, width, name);
}

/* The rows of a crosstable. */
struct rows {
    int *order; /* owned; best first */
    int count;
    int label; /* width of a name */
};

/* Prints the columns first..last-1. */
static void cross_block(FILE *out, const struct summary *summary, const struct rows *rows,
                        int first, int last)
{
    const int *order = rows->order;
    int label = rows->label, count = rows->count;
    int width = summary->money ? MONEY_CELL : MATCH_CELL;

    fprintf(out, "%*s", ROW_NUMBER + label, "");
    for (int c = first; c < last; c++) {
        fprintf(out, "%*d", width, c + 1);
    }
    fputc('\n', out);
    for (int r = 0; r < count; r++) {
        row_label(out, r + 1, label, tally_shown(summary->tally, order[r]));
        for (int c = first; c < last; c++) {
            if (r == c) {
                blank(out, width, c == last - 1);
            } else {
                cell_result(out, width, summary, order[r], order[c]);
            }
        }
        fputc('\n', out);
        fprintf(out, "%*s", ROW_NUMBER + label, "");
        for (int c = first; c < last; c++) {
            if (r == c) {
                blank(out, width, c == last - 1);
            } else {
                cell_interval(out, width, summary, order[r], order[c]);
            }
        }
        fputc('\n', out);
    }
    fputc('\n', out);
}

static bool has_drawn(const struct summary *summary)
{
    for (int i = 0; i < summary->tally->bots; i++) {
        if (tally_drawn(&summary->bot[i].sum) > 0) {
            return true;
        }
    }
    return false;
}

static void cross_totals(FILE *out, const struct summary *summary, const struct rows *rows)
{
    const int *order = rows->order;
    int label = rows->label, count = rows->count;
    bool drawn = has_drawn(summary);

    fprintf(out, "%*s %8s %8s %8s%s %7s %9s %9s\n", ROW_NUMBER + label, "", "played", "won", "lost",
            drawn ? "    drawn" : "", "score%", "pts for", "against");
    for (int r = 0; r < count; r++) {
        const struct tally_sum *sum = &summary->bot[order[r]].sum;

        row_label(out, r + 1, label, tally_shown(summary->tally, order[r]));
        page_count(out, 9, (double)sum->legs);
        page_count(out, 9, (double)sum->legs_won);
        page_count(out, 9, (double)sum->legs_lost);
        if (drawn) {
            page_count(out, 9, (double)tally_drawn(sum));
        }
        page_number(out, 8, 1, 100 * tally_share(sum));
        page_count(out, 10, (double)sum->points_for);
        page_count(out, 10, (double)sum->points_against);
        fputc('\n', out);
    }
    fputc('\n', out);
}

static struct rows rows_of(const struct summary *summary)
{
    struct rows out = {.order = memory_zeroed((size_t)summary->tally->bots, sizeof *out.order),
                       .label = label_width(summary)};

    out.count = summary_order(out.order, summary);
    return out;
}

void crosstable_write(FILE *out, const struct summary *summary)
{
    struct rows rows = rows_of(summary);
    int fit = (PAGE_COLUMNS - ROW_NUMBER - rows.label) / (summary->money ? MONEY_CELL : MATCH_CELL);

    fprintf(out, "Crosstable (row against column: %s)\n",
            summary->money       ? "net points/games, points per game with 95 %"
            : has_drawn(summary) ? "matches won-lost-drawn, 95 % of the share (drawn counts half)"
                                 : "matches won-lost, 95 % of the share won");
    for (int first = 0; first < rows.count; first += fit) {
        cross_block(out, summary, &rows, first,
                    first + fit < rows.count ? first + fit : rows.count);
    }
    cross_totals(out, summary, &rows);
    free(rows.order);
}

/* Prints the range of ranks that the results allow, and the probability to be the strongest. */
static void ranks(FILE *out, const struct strength_bot *bot)
{
    char text[32] = "-";

    if (bot->rank_low > 0) {
        snprintf(text, sizeof text, "%d-%d", bot->rank_low, bot->rank_high);
    }
    fprintf(out, "%*s", RANKS_CELL, text);
    page_chance(out, BEST_CELL, bot->best);
}

void crosstable_los(FILE *out, const struct summary *summary)
{
    struct rows rows = rows_of(summary);
    const int *order = rows.order;
    int label = rows.label;

    fprintf(out,
            "LOS in %% (row stronger than column, from the ratings; ranks, best: see below)\n"
            "%*s",
            ROW_NUMBER + label, "");
    for (int c = 0; c < summary->standings; c++) {
        fprintf(out, "%*d", LOS_CELL, c + 1);
    }
    fprintf(out, "%*s%*s", RANKS_CELL, "ranks", BEST_CELL, "best%");
    for (int r = 0; r < summary->standings; r++) {
        fputc('\n', out);
        row_label(out, r + 1, label, tally_shown(summary->tally, order[r]));
        for (int c = 0; c < summary->standings; c++) {
            if (r == c) {
                blank(out, LOS_CELL, false);
            } else {
                page_chance(out, LOS_CELL, summary_los(summary, order[r], order[c]));
            }
        }
        ranks(out, &summary->strength.bot[order[r]]);
    }
    fputs("\n\n", out);
    free(rows.order);
}
