/* The entry list, and the decisions of the desk. Both lists show what people answer for: who
 * says that a bot is whose, and which acts the desk has to defend. Of what a bot says of itself
 * nothing is mixed with what the organizer has entered; each has its column. */
#include <inttypes.h>
#include <string.h>

#include "document/entry_notes.h"
#include "sheet_words.h"

enum { BOT, STATE, LATE, AUTHOR, OPERATOR, ORIGINS, SAID_AUTHOR, VERSION, PROGRAM, ENTRY_COLUMNS };

static const struct doc_column entry_columns[ENTRY_COLUMNS] = {
    [BOT] = {"bot", "Bot", .bot = true},
    [STATE] = {"entry", .title = "Entry"},
    [LATE] = {"late", "Late", .use = DOC_DATA},
    [AUTHOR] = {"author", .title = "Author"},
    [OPERATOR] = {"operator", .title = "Operator"},
    [ORIGINS] = {"origins", "Origins", .unit = "declared"},
    [SAID_AUTHOR] = {"said_author", "Names as author", .use = DOC_DATA},
    [VERSION] = {"bot_version", .title = "Says of itself"},
    [PROGRAM] = {"program", "Program", .unit = "digest"},
};

/* Enough to tell programs apart on paper; the whole digest is in the results. */
enum { DIGEST_SHOWN = 16 };

static const char *state_words(const struct season_entrant *entrant)
{
    switch (entrant->state) {
    case SEASON_IN:
        return entrant->late ? "entered late" : "entered";
    case SEASON_ABSENT:
        return "absent";
    case SEASON_WITHDRAWN:
        return "withdrawn";
    }
    return "";
}

/* A text that was not declared prints as "-". */
static void put_declared(struct doc_table *table, int column, const char *text)
{
    doc_text(table, column, text == NULL || text[0] == '\0' ? "-" : entry_last(text));
}

static void note_entry(struct doc *doc, const char *name, const struct sheet_entry *entry)
{
    const char *const texts[ENTRY_WORDS] = {
        [ENTRY_AUTHOR] = entry->author,
        [ENTRY_OPERATOR] = entry->operator,
        [ENTRY_ORIGINS] = entry->origins,
        [ENTRY_SAID_AUTHOR] = entry->said_author,
    };

    entry_notes(doc, name, texts);
}

void sheet_entries(struct sheet *sheet)
{
    static const struct sheet_entry unknown = {0};
    struct doc_table *table;

    doc_section(sheet->doc, "entries", "Entry list");
    table = doc_table(sheet->doc, "entries", "Entrants, first seed first", entry_columns,
                      ENTRY_COLUMNS);
    for (int i = 0; i < season_entrants(sheet->season); i++) {
        const struct season_entrant *entrant = season_entrant(sheet->season, i);
        const struct sheet_entry *entry = sheet->entry == NULL ? &unknown : &sheet->entry[i];

        doc_row(table);
        doc_text(table, BOT, entrant->name);
        doc_text(table, STATE, state_words(entrant));
        doc_flag(table, LATE, entrant->late);
        put_declared(table, AUTHOR, entry->author);
        put_declared(table, OPERATOR, entry->operator);
        put_declared(table, ORIGINS, entry->origins);
        put_declared(table, SAID_AUTHOR, entry->said_author);
        put_declared(table, VERSION, entry->version);
        if (entry->program != NULL && strcmp(entry->program, "-") != 0) {
            doc_say(table, PROGRAM, "%.*s", DIGEST_SHOWN, entry->program);
        } else {
            doc_text(table, PROGRAM, "-");
        }
        note_entry(sheet->doc, entrant->name, entry);
    }
}

enum { ACT, AT, WHO, KIND, SUBJECT, REASON, ACT_COLUMNS };

static const struct doc_column act_columns[ACT_COLUMNS] = {
    [ACT] = {"act", .title = "Row"},
    [AT] = {"at", "When", .unit = "UTC"},
    [WHO] = {"who", .title = "Who"},
    [KIND] = {"kind", .title = "Act"},
    [SUBJECT] = {"subject", .title = "Subject"},
    [REASON] = {"reason", .title = "Reason"},
};

/* Rows that follow from the form are no decisions, except for walkovers, absences and returns.
 * What the form makes due is written by bgref itself and can be computed again by anybody, so it
 * needs no reason. */
static bool is_decision(const struct act *act)
{
    return strcmp(act->who, "bgref") != 0 || strcmp(act->kind, "walkover") == 0 ||
           strcmp(act->kind, "absent") == 0 || strcmp(act->kind, "reinstate") == 0;
}

void sheet_decisions(struct sheet *sheet)
{
    struct doc_table *table = NULL;

    for (size_t i = 0; i < sheet->acts; i++) {
        const struct act *act = &sheet->act[i];

        if (!is_decision(act)) {
            continue;
        }
        if (table == NULL) {
            doc_section(sheet->doc, "decisions", "Decisions");
            table = doc_table(sheet->doc, "decisions", "Acts of the desk, with their reasons",
                              act_columns, ACT_COLUMNS);
        }
        doc_row(table);
        doc_number(table, ACT, (double)act->number);
        doc_text(table, AT, act->at);
        doc_text(table, WHO, act->who);
        doc_text(table, KIND, act->kind);
        doc_text(table, SUBJECT, act->subject);
        doc_text(table, REASON, act->reason);
        doc_tell(sheet->doc, "%.10s %.5s UTC, %s: %s%s%s%s%s (row %" PRIu64 ")", act->at,
                 act->at + 11, act->who, act->kind, strcmp(act->subject, "-") == 0 ? "" : " ",
                 strcmp(act->subject, "-") == 0 ? "" : act->subject,
                 act->reason[0] == '\0' ? "" : ": ", act->reason, act->number);
    }
    if (table != NULL) {
        table->data = true; /* in text a reason would be cut */
    }
}
