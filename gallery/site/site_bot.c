/* One bot, and two bots' encounter. */
#include "site_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/section.h"
#include "tables/standing.h"

/* The sections of the event's report that are about these two, or this one. */
static enum bg_status make_doc(struct doc **out, struct site_page *page,
                               const struct report_whom *whom)
{
    static const section_fn of_bot[] = {section_against, section_course, section_bots,
                                        section_clocks, section_faults};
    const struct gather *gather = &page->event->gather;
    enum bg_status status = site_event_open(page);

    if (status == BG_OK) {
        status = report_build(out, gather, of_bot, whom->opponent < 0 ? 5 : 1, whom, &page->err);
    }
    if (status == BG_OK) {
        struct doc *doc = *out;
        const bool is_one = whom->opponent < 0;

        doc->title = doc_format(doc, "%s%s%s - %s", tally_shown(&gather->results.tally, whom->bot),
                                is_one ? "" : " against ",
                                is_one ? "" : tally_shown(&gather->results.tally, whom->opponent),
                                doc->title);
    }
    return status;
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

/* Finds the bots of "A-vs-B", A before B: a name may have the word, too. */
static bool find_two(struct report_whom *out, const struct site_page *page)
{
    static const char vs[] = "-vs-";
    const struct tally *tally = &page->event->gather.results.tally;

    *out = (struct report_whom){-1, -1};
    for (const char *at = strstr(page->rest, vs); at != NULL && out->opponent < 0;
         at = strstr(at + 1, vs)) {
        char *a = memory_text_of(page->rest, (size_t)(at - page->rest));
        const char *b = at + strlen(vs);

        out->bot = tally_find(tally, a);
        out->opponent = out->bot >= 0 && strcmp(a, b) < 0 ? tally_find(tally, b) : -1;
        free(a);
    }
    return out->opponent >= 0;
}

void site_encounter(struct site_page *page)
{
    enum bg_status status = site_event_read(page);
    struct report_whom whom;
    struct doc *doc = NULL;

    if (status == BG_OK && !find_two(&whom, page)) {
        site_none(page, "no such encounter; e/EVENT/m/A-vs-B, A before B");
        return;
    }
    if (status == BG_OK) {
        status = make_doc(&doc, page, &whom);
    }
    if (status == BG_OK) {
        status = site_list(page, doc, &whom);
    }
    site_doc(page, doc, status);
}

void site_bot(struct site_page *page)
{
    enum bg_status status = site_event_read(page);
    struct report_whom whom = {-1, -1};
    struct doc *doc = NULL;

    if (status == BG_OK) {
        whom.bot = tally_find(&page->event->gather.results.tally, page->rest);
        if (whom.bot < 0) {
            site_none(page, "no such bot; e/EVENT/standings lists them");
            return;
        }
        status = make_doc(&doc, page, &whom);
    }
    if (status == BG_OK) {
        doc->lead = words_of_place(doc, &page->event->gather.summary, whom.bot);
        if (!page->site->is_folder) { /* a folder has lists of encounters only */
            doc_section(doc, "games", "Games");
            doc_way(doc, doc_format(doc, "e/%s/games?bot=%s", page->event->name, page->rest),
                    "All its games");
        }
    }
    site_doc(page, doc, status);
}
