/* One bot, and two bots' encounter. */
#include "site_page.h"

#include <stdlib.h>
#include <string.h>

/* The games of one bot, or of two, as a page with this title. */
static void answer(struct site_page *page, const char *path, const struct site_list *list)
{
    struct doc *doc = site_event_doc(page, "");
    struct site_list asked = *list;
    char after[BG_GAME_ID];
    enum bg_status status;

    site_parameter(after, sizeof after, page->query, "after");
    if (after[0] != '\0' && !game_id_read(&asked.after, after)) {
        doc_destroy(doc);
        site_none(page, "no such list of games; ?after=GAME");
        return;
    }
    doc->title = list->opponent[0] == '\0'
                     ? doc_alias(doc, list->bot)
                     : doc_format(doc, "%s against %s", doc_alias(doc, list->bot),
                                  doc_alias(doc, list->opponent));
    status = site_list(page, doc, &asked);
    site_list_way(page, doc, doc_format(doc, "e/%s/%s", site_name(doc, page->event->name), path),
                  &(struct site_list){.bot = ""});
    site_doc(page, doc, status);
}

static bool is_bot(const struct site_page *page, const char *name)
{
    return strlen(name) < GAME_ID_NAME && tally_find(&page->event->gather.results.tally, name) >= 0;
}

/* Splits "A-vs-B" where both are bots: a name may have the word, too. */
static bool split(struct site_list *out, const struct site_page *page)
{
    static const char vs[] = "-vs-";

    for (const char *at = strstr(page->rest, vs); at != NULL; at = strstr(at + 1, vs)) {
        const size_t size = (size_t)(at - page->rest);

        if (size < sizeof out->bot) {
            *out = (struct site_list){.bot = ""};
            memcpy(out->bot, page->rest, size);
            if (is_bot(page, out->bot) && is_bot(page, at + strlen(vs))) {
                snprintf(out->opponent, sizeof out->opponent, "%s", at + strlen(vs));
                return strcmp(out->bot, out->opponent) < 0; /* each page has one path */
            }
        }
    }
    return false;
}

void site_encounter(struct site_page *page)
{
    enum bg_status status = site_event_read(page);
    struct site_list list;

    if (status != BG_OK) {
        site_error(page, status);
    } else if (!split(&list, page)) {
        site_none(page, "no such encounter; e/EVENT/m/A-vs-B, A before B");
    } else {
        char path[2 * GAME_ID_NAME + 8];

        snprintf(path, sizeof path, "m/%s-vs-%s", list.bot, list.opponent);
        answer(page, path, &list);
    }
}

void site_bot(struct site_page *page)
{
    enum bg_status status = site_event_read(page);

    if (status != BG_OK) {
        site_error(page, status);
    } else if (!is_bot(page, page->rest)) {
        site_none(page, "no such bot; e/EVENT/standings lists them");
    } else {
        struct site_list list = {.bot = ""};
        char path[GAME_ID_NAME + 8];

        snprintf(list.bot, sizeof list.bot, "%s", page->rest);
        snprintf(path, sizeof path, "b/%s", page->rest);
        answer(page, path, &list);
    }
}
