/* One bot, and two bots' encounter. */
#include "site_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/section.h"
#include "tables/standing.h"

/* The sections of the event's report that are about these two, or this one. */
static struct doc *make_doc(struct site_page *page, const struct site_list *list,
                            enum bg_status *status)
{
    static const section_fn of_bot[] = {section_against, section_bots, section_clocks,
                                        section_faults};
    const struct gather *gather = &page->event->gather;
    const struct report_whom whom = {.bot = tally_find(&gather->results.tally, list->bot),
                                     .opponent =
                                         tally_find(&gather->results.tally, list->opponent)};
    struct doc *doc = NULL;

    *status = site_event_open(page);
    if (*status == BG_OK) {
        *status = report_build(&doc, gather, of_bot, whom.opponent < 0 ? 4 : 1, &whom, &page->err);
    }
    if (doc != NULL) {
        const char *name = tally_shown(&gather->results.tally, whom.bot);
        const char *event = page->event->doc[EVENT_MAIN]->title;

        doc->title = whom.opponent < 0
                         ? doc_format(doc, "%s - %s", name, event)
                         : doc_format(doc, "%s against %s - %s", name,
                                      tally_shown(&gather->results.tally, whom.opponent), event);
    }
    return doc;
}

static const char *words_of_place(struct doc *doc, const struct summary *summary, int bot)
{
    struct doc_cell rank = standing_cell(summary, bot, STANDING_RANK);
    struct doc_cell rating = standing_cell(summary, bot, STANDING_RATING);
    struct doc_cell bar = standing_cell(summary, bot, STANDING_RATING_BAR);
    const char *place = isfinite(rank.number) ? doc_format(doc, "Place %.0f", rank.number) : "";

    return isfinite(rating.number) && isfinite(bar.number)
               ? doc_format(doc, "%s%srated %.*f \u00b1 %.*f.", place, place[0] == '\0' ? "" : ", ",
                            summary->money ? 3 : 0, rating.number, summary->money ? 3 : 0,
                            bar.number)
               : place;
}

/* Returns false, and answers, if the page's cursor is none. */
static bool read_after(struct site_page *page, struct site_list *list)
{
    char after[BG_GAME_ID];

    (void)web_value(after, sizeof after, page->query, "after");
    if (after[0] == '\0' || game_id_read(&list->after, after)) {
        return true;
    }
    site_none(page, "no such list of games; ?after=GAME");
    return false;
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
    } else if (read_after(page, &list)) {
        struct doc *doc = make_doc(page, &list, &status);

        if (status == BG_OK) {
            status = site_list(page, doc, &list);
            site_list_way(page, doc,
                          doc_format(doc, "e/%s/m/%s", site_name(doc, page->event->name),
                                     site_name(doc, page->rest)),
                          &(struct site_list){.bot = ""});
        }
        site_doc(page, doc, status);
    }
}

void site_bot(struct site_page *page)
{
    enum bg_status status = site_event_read(page);
    struct site_list list = {.bot = ""};

    if (status != BG_OK) {
        site_error(page, status);
    } else if (!is_bot(page, page->rest)) {
        site_none(page, "no such bot; e/EVENT/standings lists them");
    } else {
        const struct gather *gather = &page->event->gather;
        struct doc *doc;

        snprintf(list.bot, sizeof list.bot, "%s", page->rest);
        doc = make_doc(page, &list, &status);
        if (doc != NULL) {
            doc->lead = words_of_place(doc, &gather->summary,
                                       tally_find(&gather->results.tally, page->rest));
        }
        if (doc != NULL && !page->site->is_folder) { /* a folder has lists of encounters only */
            doc_section(doc, "games", "Games");
            doc_way(doc,
                    doc_format(doc, "e/%s/games?bot=%s", site_name(doc, page->event->name),
                               site_name(doc, page->rest)),
                    "All its games");
        }
        site_doc(page, doc, status);
    }
}
