/* Pages of the whole site: what is there, what is over, what this is. */
#include "site_page.h"

enum { EVENT, STATE, EVENTS_COLUMNS };

static const struct doc_column events_columns[EVENTS_COLUMNS] = {
    [EVENT] = {"event", "Event"},
    [STATE] = {"lead", "Where it stands"},
};

static enum bg_status add_event(struct site_page *page, struct doc_table *table,
                                struct site_event *event)
{
    struct site_page own = {.site = page->site, .event = event};
    enum bg_status status = site_event_read(&own);

    doc_row(table);
    doc_text(table, EVENT, event->name);
    doc_lead_to(table, EVENT,
                site_path(page, table->doc, "e/%s/", site_name(table->doc, event->name)));
    doc_text(table, STATE, status == BG_OK ? event->doc[EVENT_MAIN]->lead : own.err.text);
    return status;
}

void site_lobby(struct site_page *page)
{
    struct doc *doc = doc_create("Backgammon between programs");
    struct doc_table *table;

    doc_section(doc, "events", "Events");
    table = doc_table(doc, "events", "Events", events_columns, EVENTS_COLUMNS);
    for (int i = 0; i < page->site->events; i++) {
        (void)add_event(page, table, &page->site->event[i]);
    }
    site_doc(page, doc, BG_OK);
}
