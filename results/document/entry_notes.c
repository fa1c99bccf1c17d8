/* A changed entry is a warning and not a note: entries are made before the first game, and a
 * later one may be right, but has to be seen. */
#include "entry_notes.h"

#include <string.h>

static const char *const titles[ENTRY_WORDS] = {
    [ENTRY_AUTHOR] = "author",
    [ENTRY_OPERATOR] = "operator",
    [ENTRY_ORIGINS] = "origins",
    [ENTRY_SAID_AUTHOR] = "author in its program's own words",
};

/* Tells each text that was replaced during the event. */
static void tell_changes(struct doc *doc, const char *bot, const char *title, const char *text)
{
    const char *last = entry_last(text);

    while (text != last) {
        size_t size = strcspn(text, "\n");

        doc_warn(doc, "%s: %s, changed during the event; before: %.*s", bot, title, (int)size,
                 text);
        text += size + 1;
    }
}

void entry_notes(struct doc *doc, const char *bot, const char *const texts[ENTRY_WORDS])
{
    for (int word = 0; word < ENTRY_WORDS; word++) {
        if (texts[word] != NULL) {
            tell_changes(doc, bot, titles[word], texts[word]);
        }
    }
    if (entry_differs(texts[ENTRY_AUTHOR], texts[ENTRY_SAID_AUTHOR])) {
        doc_warn(doc, "%s: the entry list has the author %s, its program names %s", bot,
                 entry_last(texts[ENTRY_AUTHOR]), entry_last(texts[ENTRY_SAID_AUTHOR]));
    }
}
