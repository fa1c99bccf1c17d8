/* The bots' faults, and how to see each again. One row a bot, fault and rule, with one example:
 * a bot that repeats a fault a thousand times has one mistake to mend. */
#include <inttypes.h>

#include "section.h"

enum { NAME, FAULT, RULE, COUNT, STORY, GAME, DICE, XGID, POSITION, REPLY, AGAIN, COLUMNS };

static const struct doc_column columns[COLUMNS] = {
    [NAME] = {.key = "bot", .title = "Bot", .bot = true},
    [FAULT] = {.key = "fault", .title = "Fault"},
    [RULE] = {.key = "rule", .title = "Rule"},
    [COUNT] = {.key = "count", .title = "Times"},
    [STORY] = {.key = "story", .title = "For example"},
    [GAME] = {.key = "game", .title = "Game", .code = true},
    [DICE] = {.key = "dice", .title = "Dice"},
    [XGID] = {.key = "xgid", .title = "XGID", .code = true, .use = DOC_DATA},
    [POSITION] = {.key = "position", .title = "Position", .code = true, .use = DOC_DATA},
    [REPLY] = {.key = "reply", .title = "Reply", .code = true},
    [AGAIN] = {.key = "again", .title = "See it again", .code = true},
};

static void fault_row(struct doc_table *table, const struct report *report,
                      const struct gather_fault *group)
{
    const struct store_fault *sample = group->samples > 0 ? group->sample[0] : NULL;

    doc_row(table);
    doc_text(table, NAME, group->bot < 0 ? "(others)" : section_bot(report, group->bot));
    doc_text(table, FAULT, bg_fault_name(group->fault));
    doc_text(table, RULE, group->rule);
    doc_number(table, COUNT, (double)group->count);
    if (sample != NULL) {
        doc_text(table, STORY, sample->story);
        doc_text(table, GAME, sample->game_id == NULL ? "outside a game" : sample->game_id);
        doc_text(table, DICE, sample->dice);
        doc_text(table, XGID, sample->xgid);
        doc_text(table, POSITION, sample->position_id);
        doc_text(table, REPLY, sample->reply);
        doc_text(table, AGAIN, sample->reproduce);
    }
}

void section_faults(struct report *report)
{
    const struct gather *gather = report->gather;
    struct doc_table *table;

    if (report->count == 0) {
        return;
    }
    if (gather->faults == 0) {
        doc_nothing(report->doc, "faults", "Faults",
                    gather->surplus_faults == 0 ? "No bot made a fault."
                                                : "No bot made a fault in a game that counts.");
        return;
    }
    doc_section(report->doc, "faults", "Faults");
    table =
        doc_table(report->doc, "faults", "Faults by bot, kind and broken rule", columns, COLUMNS);
    for (int i = 0; i < gather->faults; i++) {
        fault_row(table, report, &gather->fault[i]);
    }
    if (gather->surplus_faults > 0) {
        doc_note(
            report->doc,
            "Faults in surplus games are not listed; 'bgref faults RESULTS' has them, marked.");
    }
    doc_note(report->doc, "'bgref faults RESULTS' has the evidence of each; 'bgref rules' explains "
                          "the rules by their numbers.");
}
