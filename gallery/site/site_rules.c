/* The rule book (docs/rules.md), which the program contains: the rules of all games, and those of
 * one. Its Markdown has paragraphs, lists and headings; tables are left to the document. */
#include "site_page.h"

#include <stdlib.h>
#include <string.h>

#include <bgref/variant.h>

#include "base/memory.h"
#include "format/rules_text.h"

/* Adds a paragraph without Markdown's marks. */
static void add_paragraph(struct doc *doc, const char *at, size_t size)
{
    char *text = memory_zeroed(size + 1, 1);
    size_t used = 0;

    for (size_t i = 0; i < size; i++) {
        const bool is_mark = at[i] == '`' || at[i] == '*' || at[i] == '[';

        if (at[i] == ']' && i + 1 < size && at[i + 1] == '(') { /* where a link leads */
            i += strcspn(at + i, ")");
        } else if (!is_mark && (used > 0 || at[i] != ' ')) {
            text[used++] = (char)(at[i] == '\n' ? ' ' : at[i]);
        }
    }
    if (used > 0) {
        doc_tell(doc, "%s", text);
    }
    free(text);
}

/* Where the paragraph ends that begins here: at an empty line, or before a further entry. */
static size_t paragraph_size(const char *at, const char *end)
{
    const char *next = at;

    do {
        next = memchr(next, '\n', (size_t)(end - next));
        next = next == NULL ? end : next + 1;
    } while (next < end && *next != '\n' && *next != '#' && strncmp(next, "* ", 2) != 0);
    return (size_t)(next - at);
}

static void add_rules(struct doc *doc, const char *at, const char *end)
{
    for (size_t size; at < end; at += size) {
        size = *at == '\n' ? 1 : paragraph_size(at, end);
        if (*at == '#') {
            char *title = memory_text_of(at, strcspn(at, "\n"));

            doc_section(doc, doc_format(doc, "rules-%td", at - (const char *)rules_text),
                        title + strspn(title, "# "));
            size = strlen(title);
            free(title);
        } else if (*at != '|' && *at != '\n' && doc->first != NULL) {
            add_paragraph(doc, at, size);
        }
    }
}

/* The text of one game, from its heading "### V4 long-nardi" to the next one. NULL: there is none.
 */
static const char *find_game(const char **end, const char *id)
{
    const char *text = (const char *)rules_text, *at = text;
    char *heading = memory_print(" %s\n", id);

    while ((at = strstr(at, "\n### V")) != NULL &&
           strncmp(at + 1 + strcspn(at + 5, " ") + 4, heading, strlen(heading)) != 0) {
        at++;
    }
    *end = at == NULL ? NULL : strstr(at + 1, "\n##");
    *end = at != NULL && *end == NULL ? text + strlen(text) : *end;
    free(heading);
    return at == NULL ? NULL : at + 1;
}

void site_rules(struct site_page *page)
{
    const char *text = (const char *)rules_text, *end = strstr(text, "\n### V");
    const char *at = page->rest[0] == '\0' ? text : find_game(&end, page->rest);
    const struct bg_variant *variant;
    struct doc *doc;

    if (at == NULL || end == NULL) {
        site_none(page, "no such game; /rules/ lists them");
        return;
    }
    doc = doc_create(page->rest[0] == '\0' ? "Rules" : page->rest);
    if (page->rest[0] == '\0') {
        doc_section(doc, "games", "Games");
        for (int i = 0; (variant = bg_variant_at(i)) != NULL; i++) {
            doc_way(doc, site_path(page, doc, "rules/%s", bg_variant_id(variant)), "%s",
                    bg_variant_id(variant));
        }
    }
    add_rules(doc, at, end);
    site_doc(page, doc, BG_OK);
}
