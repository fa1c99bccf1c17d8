/* The time that bots used for their decisions. Quantiles come from a histogram with classes of
 * about 4 per cent: millions of times are not kept, and more digits would be noise. */
#include <math.h>

#include "section.h"

enum { NAME, DECISIONS, MEAN, MEDIAN, SLOW, MOST, CREDITED, WAITED, LEFT, LATE, COLUMNS };

static const struct doc_column columns[COLUMNS] = {
    [NAME] = {.key = "bot", .title = "Bot", .bot = true},
    [DECISIONS] = {.key = "decisions", .title = "Decisions", .unit = "measured"},
    [MEAN] = {.key = "mean_ms", .title = "Mean time", .unit = "ms/decision", .decimals = 3},
    [MEDIAN] = {.key = "median_ms", .title = "Median time", .unit = "ms", .decimals = 3},
    [SLOW] = {.key = "p99_ms", .title = "99 %", .unit = "ms", .decimals = 3},
    [MOST] = {.key = "most_ms", .title = "Longest", .unit = "ms", .decimals = 3},
    [CREDITED] =
        {.key = "credited_ms", .title = "Credited", .unit = "ms", .decimals = 1, .quiet = true},
    [WAITED] = {.key = "waited_ms", .title = "Waited", .unit = "ms", .decimals = 1, .quiet = true},
    [LEFT] = {.key = "least_left_s", .title = "Least left", .unit = "s", .decimals = 1},
    [LATE] = {.key = "late", .title = "Lost on time", .unit = "games", .quiet = true},
};

void section_clocks(struct report *report)
{
    const struct gather *gather = report->gather;
    const char *clock = gather_setting(gather, "clock");
    struct doc_table *table;

    if (gather->results.tally.games == 0) {
        return;
    }
    doc_section(report->doc, "clocks", "Clocks");
    table = doc_table(report->doc, "clocks", "Time used a decision", columns, COLUMNS);
    for (int i = 0; i < report->count; i++) {
        const struct gather_bot *bot = &gather->bot[report->order[i]];
        const uint64_t *faults = gather->results.tally.bot[report->order[i]].faults;

        doc_row(table);
        doc_text(table, NAME, section_bot(report, report->order[i]));
        doc_number(table, DECISIONS, (double)bot->time.count);
        doc_number(table, MEAN, 1e3 * histogram_mean(&bot->time));
        doc_number(table, MEDIAN, 1e3 * histogram_quantile(&bot->time, 0.5));
        doc_number(table, SLOW, 1e3 * histogram_quantile(&bot->time, 0.99));
        doc_number(table, MOST, 1e3 * histogram_most(&bot->time));
        doc_number(table, CREDITED, bot->credited_ns / 1e6);
        doc_number(table, WAITED, bot->waited_ns / 1e6);
        doc_number(table, LEFT,
                   bot->least_left_ns == INT64_MAX ? NAN : (double)bot->least_left_ns / 1e9);
        doc_number(table, LATE, (double)(faults[BG_FAULT_LATE] + faults[BG_FAULT_SILENT]));
    }
    doc_note(
        report->doc,
        "Clock: %s. Measured by the referee from sending to receiving, minus its own lag "
        "(credited: the sum over all decisions) and minus what the bot waited for a core because "
        "of other programs (waited: the sum over the decisions where that mattered); median and "
        "99 %% are exact to about 4 %%. "
        "Least left: the smallest time left on the bot's clock after any of its games. Lost on "
        "time: by answers that came late or never, and by staying away.",
        clock[0] == '\0' ? "none" : clock);
}
