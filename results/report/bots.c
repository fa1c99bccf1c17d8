/* The programs that played, as they describe themselves. */
#include <inttypes.h>
#include <string.h>

#include "document/entry_notes.h"
#include "section.h"

enum {
    NAME,
    VERSION,
    OPTIONS,
    COMMAND,
    DIGEST,
    CHANGED,
    UNPLAYED,
    WHY,
    AUTHOR,
    OPERATOR,
    ORIGINS,
    SAID_AUTHOR,
    COLUMNS
};

static const struct doc_column columns[COLUMNS] = {
    [NAME] = {.key = "bot", .title = "Bot", .bot = true},
    [VERSION] = {.key = "bot_version", .title = "Says of itself"},
    [OPTIONS] = {.key = "options", .title = "Options"},
    [COMMAND] = {.key = "command", .title = "Command", .code = true},
    [DIGEST] = {.key = "program", .title = "Program", .unit = "digest", .code = true},
    [CHANGED] = {.key = "changed", .title = "Changed", .unit = "during the event", .use = DOC_DATA},
    [UNPLAYED] = {.key = "unplayed", .title = "Unplayed", .unit = "fixtures", .quiet = true},
    [WHY] = {.key = "why", .title = "Because"},
    [AUTHOR] = {.key = "author", .title = "Author", .use = DOC_DATA},
    [OPERATOR] = {.key = "operator", .title = "Operator", .use = DOC_DATA},
    [ORIGINS] = {.key = "origins", .title = "Origins", .unit = "declared", .use = DOC_DATA},
    [SAID_AUTHOR] = {.key = "said_author", .title = "Names as author", .use = DOC_DATA},
};

enum { DIGEST_SHOWN = 16 };

/* A command contains the options. */
static const struct doc_pick with_commands[] = {DOC_PICK(NAME),     DOC_PICK(VERSION),
                                                DOC_PICK(COMMAND),  DOC_PICK(DIGEST),
                                                DOC_PICK(UNPLAYED), DOC_PICK(WHY)};
static const struct doc_pick with_options[] = {DOC_PICK(NAME),     DOC_PICK(VERSION),
                                               DOC_PICK(OPTIONS),  DOC_PICK(DIGEST),
                                               DOC_PICK(UNPLAYED), DOC_PICK(WHY)};
enum { PICKS = sizeof with_options / sizeof with_options[0] };

static bool has_commands(struct report *report)
{
    for (int i = 0; i < report->count; i++) {
        const char *key = doc_format(report->doc, "bot.%s", section_bot(report, i));

        if (gather_setting(report->gather, key)[0] != '\0') {
            return true;
        }
    }
    return false;
}

/* Adds what is declared of a bot, and says it where the event has no entry list of its own. */
static void put_entry(struct report *report, struct doc_table *table, const char *name)
{
    static const int column[ENTRY_WORDS] = {
        [ENTRY_AUTHOR] = AUTHOR,
        [ENTRY_OPERATOR] = OPERATOR,
        [ENTRY_ORIGINS] = ORIGINS,
        [ENTRY_SAID_AUTHOR] = SAID_AUTHOR,
    };
    const char *texts[ENTRY_WORDS], *said = "";

    for (int word = 0; word < ENTRY_WORDS; word++) {
        char key[ENTRY_KEY];

        entry_key(key, (enum entry_word)word, name);
        texts[word] = gather_setting(report->gather, key + strlen("event."));
        doc_text(table, column[word], entry_last(texts[word]));
        if (word != ENTRY_SAID_AUTHOR && texts[word][0] != '\0') {
            said = doc_format(report->doc, "%s%s %s %s", said, said[0] == '\0' ? "" : ";",
                              entry_word_name((enum entry_word)word), entry_last(texts[word]));
        }
    }
    if (gather_setting(report->gather, "schedule")[0] == '\0') {
        if (said[0] != '\0') {
            doc_tell(report->doc, "%s:%s", name, said);
        }
        entry_notes(report->doc, name, texts);
    }
}

void section_bots(struct report *report)
{
    const struct gather *gather = report->gather;
    struct doc_table *table;

    if (report->count == 0) {
        return;
    }
    doc_section(report->doc, "bots", "Bots");
    table = doc_table(report->doc, "bots", "Programs and their options", columns, COLUMNS);
    doc_view(report->doc, table, "Programs and their options",
             has_commands(report) ? with_commands : with_options, PICKS);
    for (int i = 0; i < report->count; i++) {
        const struct gather_bot *bot = &gather->bot[report->order[i]];
        const char *name = section_bot(report, report->order[i]);

        doc_row(table);
        doc_text(table, NAME, name);
        doc_text(table, VERSION, bot->version);
        doc_text(table, OPTIONS, bot->options);
        doc_text(table, COMMAND, gather_setting(gather, doc_format(report->doc, "bot.%s", name)));
        if (bot->program != NULL) {
            doc_say(table, DIGEST, "%.*s", DIGEST_SHOWN, bot->program);
        }
        doc_flag(table, CHANGED, bot->changed);
        doc_number(table, UNPLAYED, (double)bot->unplayed);
        doc_text(table, WHY, bot->why);
        put_entry(report, table, name);
        if (bot->changed) {
            doc_warn(report->doc,
                     "%s changed its program, version or options during the event; the first are "
                     "shown.",
                     name);
        }
    }
}
