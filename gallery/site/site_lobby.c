/* Pages of the whole site: what there is and where it stands, what is over, what this is. */
#include "site_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/api.h>

#include "base/memory.h"
#include "base/utc.h"
#include "tables/standing.h"

enum { TOP = 10 /* bots of a table in the lobby */, TABLES = 6 /* events that have one */ };

/* Those that are played first, then by when something was last stored. */
static int by_news(const void *x, const void *y)
{
    const struct site_event *a = *(struct site_event *const *)x,
                            *b = *(struct site_event *const *)y;
    const int runs = (b->is_read && b->gather.running) - (a->is_read && a->gather.running);
    const double seen = site_event_seen_s(b) - site_event_seen_s(a);

    return runs != 0 ? runs : seen < 0 ? -1 : seen > 0 ? 1 : strcmp(a->name, b->name);
}

/* Reads all events. Returns them in the order of a page; the caller frees the list. */
static struct site_event **read_events(struct site_page *page)
{
    struct site_event **list = memory_zeroed((size_t)page->site->events, sizeof *list);

    for (int i = 0; i < page->site->events; i++) {
        (void)site_event_at(page, i, NULL); /* its line says that it cannot be read */
        list[i] = &page->site->event[i];
    }
    qsort(list, (size_t)page->site->events, sizeof *list, by_news);
    return list;
}

/* ------------------------------------------------------------------ the lobby */

static const enum standing_field fields[] = {STANDING_RANK,   STANDING_BOT,        STANDING_SCORE,
                                             STANDING_RATING, STANDING_RATING_BAR, STANDING_LEGS};

enum { BOT = 1, FIELDS = sizeof fields / sizeof *fields };

static const struct doc_pick picks[] = {DOC_PICK(0), DOC_PICK(BOT), DOC_PICK(2), DOC_PICK_BAR(3, 4),
                                        DOC_PICK(5)};

static void add_standing(const struct site_page *page, struct doc *doc,
                         const struct site_event *event)
{
    const struct summary *summary = &event->gather.summary;
    const char *caption = summary->standings > TOP ? "The first ten" : "Standing";
    struct doc_table *table;

    if (summary->standings == 0) {
        return;
    }
    table = standing_table(doc, doc_format(doc, "standing-%s", event->name), caption,
                           summary->money, fields, FIELDS);
    for (int i = 0; i < summary->standings && i < TOP; i++) {
        const int bot = summary->standing[i].player;

        standing_row(table, summary, bot, fields, FIELDS);
        doc_lead_to(table, BOT,
                    site_path(page, doc, "e/%s/b/%s", site_name(doc, event->name),
                              site_name(doc, summary->tally->bot[bot].name)));
    }
    table->head = BOT;
    doc_view(doc, table, caption, picks, sizeof picks / sizeof *picks);
}

static void add_event(const struct site_page *page, struct doc *doc, struct site_event *event,
                      bool has_table)
{
    const char *path = site_path(page, doc, "e/%s/", site_name(doc, event->name));

    doc_section(doc, doc_format(doc, "event-%s", event->name),
                event->is_read ? event->doc[EVENT_MAIN]->title : event->name);
    if (!event->is_read) {
        doc_warn(doc, "%s cannot be read.", event->name);
        return;
    }
    doc_tell(doc, "%s", event->doc[EVENT_MAIN]->lead);
    doc_way(doc, path, event->gather.running ? "It is being played: the event" : "The event");
    if (has_table) {
        add_standing(page, doc, event);
    }
}

enum { DATE_EVENT, DATE_BEGINS, DATE_STATE, DATE_COLUMNS };

static const struct doc_column date_columns[DATE_COLUMNS] = {
    [DATE_EVENT] = {"event", "Event"},
    [DATE_BEGINS] = {"begins", "Begins", "UTC"},
    [DATE_STATE] = {"state", "State"},
};

/* What comes. Returns a sentence about the next one, "": there is none. */
static const char *add_dates(const struct site_page *page, struct doc *doc)
{
    const char *next = "";
    struct doc_table *table = NULL;

    for (size_t i = 0; i < page->site->dates; i++) {
        const struct site_date *date = &page->site->date[i];
        char begins[UTC_TEXT];

        if (site_has_event(page->site, date->name)) {
            continue;
        }
        if (table == NULL) {
            doc_section(doc, "calendar", "Calendar");
            table = doc_table(doc, "calendar", "What comes", date_columns, DATE_COLUMNS);
        }
        utc_write(begins, date->start_s);
        doc_row(table);
        doc_text(table, DATE_EVENT, doc_copy(doc, date->name));
        doc_say(table, DATE_BEGINS, "%.10s %.5s", begins, begins + 11);
        doc_text(table, DATE_STATE, doc_copy(doc, date->state));
        if (next[0] == '\0' && site_date_holds(date) && date->start_s > loop_calendar()) {
            next = doc_format(doc, " Next: %s, %.10s %.5s UTC.", date->name, begins, begins + 11);
        }
    }
    return next;
}

void site_lobby(struct site_page *page)
{
    struct doc *doc = doc_create("Backgammon between programs");
    struct site_event **list = read_events(page);
    const char *next;
    int running = 0;

    if (page->site->live != NULL) {
        page->site->live->list(page->site->user, page, doc);
    }
    for (int i = 0; i < page->site->events; i++) {
        running += list[i]->is_read && list[i]->gather.running;
        add_event(page, doc, list[i], i < TABLES);
    }
    next = add_dates(page, doc);
    doc->lead = running == 0   ? doc_format(doc, "Nothing is played at the moment.%s", next)
                : running == 1 ? doc_format(doc, "One event is being played.%s", next)
                               : doc_format(doc, "%d events are being played.%s", running, next);
    free(list);
    site_doc(page, doc, BG_OK);
}

/* ------------------------------------------------------------------ the archive */

enum { EVENT, STATE, ENDED, GAMES, ROOT, VERIFY, ARCHIVE_COLUMNS };

static const struct doc_column archive_columns[ARCHIVE_COLUMNS] = {
    [EVENT] = {"event", "Event"},
    [STATE] = {"lead", "Result"},
    [ENDED] = {"ended", "Ended", "UTC"},
    [GAMES] = {"games", "Games"},
    [ROOT] = {"root", "Root of all records", .code = true},
    [VERIFY] = {"verify", "Prove it", .code = true},
};

void site_archive(struct site_page *page)
{
    struct doc *doc = doc_create("Events that are over");
    struct site_event **list = read_events(page);
    struct doc_table *table;

    doc_section(doc, "archive", "Archive");
    table =
        doc_table(doc, "archive", "Events, the last one first", archive_columns, ARCHIVE_COLUMNS);
    for (int i = 0; i < page->site->events; i++) {
        const struct site_event *event = list[i];
        char ended[UTC_TEXT];

        if (!event->is_read || event->gather.running || !event->gather.final) {
            continue;
        }
        utc_write(ended, (int64_t)site_event_seen_s(event));
        doc_row(table);
        doc_text(table, EVENT, event->doc[EVENT_MAIN]->title);
        doc_lead_to(table, EVENT, site_path(page, doc, "e/%s/", site_name(doc, event->name)));
        doc_text(table, STATE, event->doc[EVENT_MAIN]->lead);
        doc_say(table, ENDED, "%.10s", ended);
        doc_number(table, GAMES, (double)event->gather.results.tally.games);
        if (event->gather.root != NULL) {
            doc_text(table, ROOT, event->gather.root);
            doc_say(table, VERIFY, "bgref verify %s.db --root %s", event->name, event->gather.root);
            if (site_has_database(page->site, event)) {
                doc_lead_to(table, VERIFY, doc_format(doc, "e/%s/%s.db", event->name, event->name));
            }
        }
    }
    if (table->rows == 0) {
        doc_tell(doc, "None yet.");
    }
    doc_way(doc, "events.atom", "As a feed (Atom)");
    doc_way(doc, "calendar.ics", "As a calendar (iCalendar)");
    free(list);
    site_doc(page, doc, BG_OK);
}

/* ------------------------------------------------------------------ what this is */

void site_about(struct site_page *page)
{
    struct doc *doc = doc_create("About these pages");

    doc_section(doc, "what", "What is played");
    doc_tell(doc, "Programs play backgammon and its relatives against each other. The referee "
                  "(bgref " BG_VERSION ") rolls the dice from a key that it has bound itself to, "
                  "checks every play by the rules, keeps the clocks, and writes a record of every "
                  "game that anybody can prove again with 'bgref verify'.");
    doc_tell(doc, "Error bars are intervals of 95 %% from pairs of games with the same dice, where "
                  "an event plays such pairs. How each number is computed stands below its table.");
    doc_section(doc, "programs", "For programs");
    doc_tell(doc,
             "Every page is also JSON: its path behind /api/v1, with the ending .json, and "
             "index.json where it ends with a slash. schema is 1; a number that is not defined "
             "is null.");
    doc_tell(doc, "Every page of an event can stand in a frame of another site: its path behind "
                  "/embed; and behind /overlay it is transparent, for streams.");
    doc_way(doc, "events.atom", "Events as a feed (Atom)");
    doc_way(doc, "calendar.ics", "Events as a calendar (iCalendar)");
    site_doc(page, doc, BG_OK);
}
