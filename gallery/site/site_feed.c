/* Events as other programs subscribe to them: Atom (RFC 4287) and iCalendar (RFC 5545). */
#include "site_page.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/utc.h"
#include "document/markup.h"

static void element(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<%s>", name);
    markup_text(out, text);
    fprintf(out, "</%s>\n", name);
}

void site_events_atom(struct site_page *page)
{
    struct doc *doc = doc_create("");
    char at[UTC_TEXT], last[UTC_TEXT] = "1970-01-01T00:00:00Z";

    for (int i = 0; i < page->site->events; i++) {
        const struct site_event *event = site_event_at(page, i, NULL);

        utc_write(at, event == NULL ? 0 : (int64_t)site_event_seen_s(event));
        if (strcmp(at, last) > 0) { /* as text: all have one form */
            memcpy(last, at, sizeof last);
        }
    }
    site_text(page, "application/atom+xml",
              "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
              "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n"
              "<title>Backgammon between programs</title>\n"
              "<author><name>bgref</name></author>\n"
              "<id>urn:bgref:events</id>\n");
    element(page->out, "updated", last);
    for (int i = 0; i < page->site->events; i++) {
        const struct site_event *event = site_event_at(page, i, NULL);

        if (event == NULL) {
            continue;
        }
        utc_write(at, (int64_t)site_event_seen_s(event));
        fputs("<entry>\n", page->out);
        element(page->out, "title", event->doc[EVENT_MAIN]->title);
        element(page->out, "id", doc_format(doc, "urn:bgref:event:%s", event->name));
        element(page->out, "updated", at[0] == '\0' ? last : at);
        element(page->out, "summary", event->doc[EVENT_MAIN]->lead);
        fputs("<link href=\"", page->out);
        markup_text(page->out, page->site->address);
        markup_text(page->out, site_path(page, doc, "e/%s/", site_name(doc, event->name)));
        fputs("\"/>\n</entry>\n", page->out);
    }
    fputs("</feed>\n", page->out);
    doc_destroy(doc);
}

/* ------------------------------------------------------------------ iCalendar */

/* A line of a calendar, folded where it is longer than 75 bytes, but not inside of a character. */
static void line(FILE *out, const char *name, const char *text)
{
    int used = fprintf(out, "%s:", name);

    for (; *text != '\0'; text++) {
        const bool is_begin = ((unsigned char)*text & 0xC0) != 0x80;

        if (used >= 70 && is_begin) {
            used = fprintf(out, "\r\n ") - 2;
        }
        used += strchr(",;\\", *text) != NULL && fputc('\\', out) != EOF;
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
        used++;
    }
    fputs("\r\n", out);
}

/* "20261122T083000Z". */
static void instant(FILE *out, const char *name, double at_s)
{
    char at[UTC_TEXT], text[UTC_TEXT];
    size_t used = 0;

    utc_write(at, (int64_t)at_s);
    for (const char *c = at; *c != '\0'; c++) {
        if (*c != '-' && *c != ':') {
            text[used++] = *c;
        }
    }
    text[used] = '\0';
    line(out, name, text);
}

/* ---- of a host's calendar ---- */

void site_add_date(struct site *site, const char *name, const char *state, int64_t start_s)
{
    size_t i = site->dates;

    if (name[0] == '\0') {
        site->dates = 0;
        return;
    }
    site->date = memory_list(site->date, &site->date_room, site->dates + 1, sizeof *site->date);
    for (site->dates++; i > 0 && site->date[i - 1].start_s > start_s; i--) {
        site->date[i] = site->date[i - 1];
    }
    site->date[i] = (struct site_date){.start_s = start_s, .told_s = loop_calendar()};
    snprintf(site->date[i].name, sizeof site->date[i].name, "%s", name);
    snprintf(site->date[i].state, sizeof site->date[i].state, "%s", state);
}

bool site_date_holds(const struct site_date *date)
{
    return strcmp(date->state, "cancelled") != 0 && strcmp(date->state, "not held") != 0;
}

/* Those that have results stand beside them. */
static void add_dates(const struct site_page *page, struct doc *doc)
{
    for (size_t i = 0; i < page->site->dates; i++) {
        const struct site_date *date = &page->site->date[i];

        if (site_has_event(page->site, date->name)) {
            continue;
        }
        fputs("BEGIN:VEVENT\r\n", page->out);
        line(page->out, "UID", doc_format(doc, "%s@bgref", date->name));
        instant(page->out, "DTSTAMP", (double)date->told_s);
        instant(page->out, "DTSTART", (double)date->start_s);
        line(page->out, "STATUS", site_date_holds(date) ? "CONFIRMED" : "CANCELLED");
        line(page->out, "SUMMARY", date->name);
        line(page->out, "DESCRIPTION", date->state);
        fputs("END:VEVENT\r\n", page->out);
    }
}

void site_calendar(struct site_page *page)
{
    struct doc *doc = doc_create("");

    site_text(page, "text/calendar; charset=utf-8",
              "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bgref//events//EN\r\n");
    for (int i = 0; i < page->site->events; i++) {
        const struct site_event *event = site_event_at(page, i, NULL);

        /* Imported matches have no time. */
        if (event == NULL || event->gather.runs == 0 || !isfinite(event->gather.run[0].begun_s)) {
            continue;
        }
        fputs("BEGIN:VEVENT\r\n", page->out);
        line(page->out, "UID", doc_format(doc, "%s@bgref", event->name));
        instant(page->out, "DTSTAMP", event->gather.run[0].begun_s);
        instant(page->out, "DTSTART", event->gather.run[0].begun_s);
        if (!event->gather.running) {
            instant(page->out, "DTEND", site_event_seen_s(event));
        }
        if (page->site->address[0] != '\0') {
            line(page->out, "URL",
                 doc_format(doc, "%s%s", page->site->address,
                            site_path(page, doc, "e/%s/", site_name(doc, event->name))));
        }
        line(page->out, "SUMMARY", event->doc[EVENT_MAIN]->title);
        line(page->out, "DESCRIPTION", event->doc[EVENT_MAIN]->lead);
        fputs("END:VEVENT\r\n", page->out);
    }
    add_dates(page, doc);
    fputs("END:VCALENDAR\r\n", page->out);
    doc_destroy(doc);
}
