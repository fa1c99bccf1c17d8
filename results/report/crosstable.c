/* The results of every two bots, and how sure it is which is better. */
#include "tables/crosstable.h"
#include "section.h"

void section_crosstable(struct report *report)
{
    const struct crosstable cross = {.doc = report->doc,
                                     .summary = &report->gather->summary,
                                     .judged = &report->gather->judged,
                                     .order = report->order,
                                     .count = report->count};
    const struct doc_table *table;

    if (report->count < 2) {
        return;
    }
    doc_section(report->doc, "crosstable", "Crosstable");
    if (report->count > SECTION_MATRIX_BOTS) {
        doc_tell(report->doc, "Not printed for %d bots; 'bgref rate --json' has every encounter.",
                 report->count);
        return;
    }
    table = crosstable_results(&cross);
    doc_section(report->doc, "los", "Who is better");
    crosstable_los(&cross, table);
    doc_note(report->doc,
             "LOS is the chance of a difference below the measured one if both were equal, from "
             "the standard error of the two's difference. Bold: established, by Holm's procedure "
             "at 5 %% over all pairs of bots of the event: with equal bots, at most one event in "
             "twenty establishes any by chance.");
}
