/* BEHIND has an error of its own: all lines have the same dice, so their difference is known
 * better than the two errors beside it suggest. */
#include "rollout_table.h"

#include <math.h>

#include "tables/page.h"

enum { LABEL = 24 };

static void head(FILE *out, const struct rollout_table *table, bool chances)
{
    fprintf(out, "   %-*s%9s%8s%9s%8s", LABEL, table->what, table->is_match ? "MWC" : "EQUITY",
            "SE", "BEHIND", "SE");
    fprintf(out, "%9s%s\n", "BOT'S", chances ? "    WIN     G    BG     LG   LBG" : "");
}

static void chances_cells(FILE *out, const struct bg_chances *chances)
{
    page_number(out, 7, 1, chances->win * 100);
    page_number(out, 6, 1, chances->win_gammon * 100);
    page_number(out, 6, 1, chances->win_backgammon * 100);
    page_number(out, 7, 1, chances->lose_gammon * 100);
    page_number(out, 6, 1, chances->lose_backgammon * 100);
}

static void value_cell(FILE *out, const struct rollout_table *table, double value)
{
    if (table->is_match) {
        page_number(out, 9, 4, value);
    } else {
        page_signed(out, 9, 4, value);
    }
}

static void print_row(FILE *out, const struct rollout_table *table, int place, int line, int best)
{
    const struct rollout_sums *sums = rollout_sums(table->rollout);
    struct bg_chances chances;

    fprintf(out, "%2d ", place);
    page_name(out, LABEL, table->row[line].label);
    value_cell(out, table, rollout_sums_mean(sums, line));
    page_number(out, 8, 4, rollout_sums_error(sums, line));
    if (line == best) {
        fprintf(out, "%9s%8s", "", "");
    } else {
        page_number(out, 9, 4, rollout_sums_mean(sums, best) - rollout_sums_mean(sums, line));
        page_number(out, 8, 4, rollout_sums_error_apart(sums, best, line));
    }
    value_cell(out, table, table->row[line].own);
    if (rollout_chances(&chances, table->rollout, line)) {
        chances_cells(out, &chances);
    }
    fputc('\n', out);
}

/* Returns the line with the highest mean below another line's; of equal means the one with the
 * smaller number comes first. */
static int next_best(const struct rollout_sums *sums, int after)
{
    double limit = rollout_sums_mean(sums, after);
    int found = -1;

    for (int i = 0; i < sums->lines; i++) {
        double mean = rollout_sums_mean(sums, i);
        bool is_behind = mean < limit || (mean == limit && i > after);

        if (is_behind && (found < 0 || mean > rollout_sums_mean(sums, found))) {
            found = i;
        }
    }
    return found;
}

void rollout_table_print(FILE *out, const struct rollout_table *table)
{
    struct bg_chances chances;
    int best = rollout_best(table->rollout);
    int line = best;

    head(out, table, rollout_chances(&chances, table->rollout, best));
    for (int place = 1; line >= 0; place++) {
        print_row(out, table, place, line, best);
        line = next_best(rollout_sums(table->rollout), line);
    }
}
