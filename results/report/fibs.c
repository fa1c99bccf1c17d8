/* The incremental rating of match servers. */
#include "section.h"

enum { NAME, RATING, CHANGE, EXPERIENCE, COLUMNS };

static const struct doc_column columns[COLUMNS] = {
    [NAME] = {.key = "bot", .title = "Bot", .bot = true},
    [RATING] = {.key = "rating", .title = "FIBS rating", .unit = "points", .decimals = 1},
    [CHANGE] =
        {.key = "change", .title = "Since start", .unit = "points", .decimals = 1, .sign = true},
    [EXPERIENCE] = {.key = "experience", .title = "Experience", .unit = "match points"},
};

void section_fibs(struct report *report)
{
    struct doc_table *table;

    if (report->money || report->gather->results.tally.legs == 0) {
        return;
    }
    doc_section(report->doc, "fibs", "FIBS ratings");
    table =
        doc_table(report->doc, "fibs", "Incremental FIBS rating, match by match", columns, COLUMNS);
    for (int i = 0; i < report->count; i++) {
        const struct fibs_player *player = &report->gather->bot[report->order[i]].fibs;

        doc_row(table);
        doc_text(table, NAME, section_bot(report, report->order[i]));
        doc_number(table, RATING, player->rating);
        doc_number(table, CHANGE, player->rating - FIBS_START);
        doc_number(table, EXPERIENCE, player->experience);
    }
    doc_note(report->doc,
             "Every bot starts at %.0f; matches count in the order of the schedule (pair, bots, "
             "leg), at any concurrency. The rating depends on that order and does not converge "
             "(its own noise is some 40 points): use the ratings above for conclusions.",
             FIBS_START);
}
