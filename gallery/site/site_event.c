/* The sums of an event and the pages that are made of them. They are kept between requests, because
 * reading them costs much more than all other pages; they are read again when the database, or its
 * write-ahead log, is another one. */
#include "site_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utc.h"
#include "picture.h"
#include "report/section.h"
#include "sums/results_set.h"

/* While a referee writes, the sums change with every game: reading them again takes at most a tenth
 * of the time. */
enum { REST = 9 };

/* While one page waits for the database, all others and every stream wait for that page. */
#define PATIENCE_NS INT64_C(200000000)

static void no_section(struct report *report)
{
    (void)report;
}

static const struct {
    const char *title;
    section_fn section;
    const char *part[2]; /* of the sheet; NULL none */
} pages[EVENT_PAGES] = {
    [EVENT_STANDINGS] = {"Standings", section_standings, {"standing"}},
    [EVENT_CROSSTABLE] = {"Crosstable", section_crosstable, {"crosstable"}},
    [EVENT_ROUNDS] = {"Rounds", no_section, {"draw", "matches"}},
    [EVENT_BRACKET] = {"Bracket", no_section, {"bracket"}},
    [EVENT_LADDER] = {"Ladder", no_section, {"ladder"}},
};

/* ------------------------------------------------------------------ the sums */

/* Whether a match is the last of the last stage, but for the third place. A round may be paired
 * match by match: then others of it are open, or over, or what they come from is open. */
static bool is_final(const struct season *season, const struct season_meeting *found)
{
    const struct plan *plan = season_plan(season);
    const int last = plan->stages - 1;
    const enum plan_form form = last < 0 ? PLAN_SWISS : plan->stage[last].form;
    bool has_others = false;

    if (found->stage != last || form != PLAN_KNOCKOUT || found->meeting.part != PART_MAIN) {
        return found->stage == last && form == PLAN_DOUBLE && found->meeting.part == PART_FINAL;
    }
    for (size_t i = season_meetings(season); i-- > 0 && !has_others;) {
        const struct season_meeting *seen = season_meeting(season, i);

        has_others = seen != found && seen->stage == last && seen->meeting.part == PART_MAIN &&
                     (seen->end == SEASON_OPEN || seen->meeting.round == found->meeting.round);
    }
    return !has_others;
}

/* Notes the open matches once for all games in play, which ask with each step. */
static void note_open(struct site_event *event)
{
    const struct season *season = sheet_season(event->source);

    for (size_t i = 0; i < season_meetings(season); i++) {
        const struct season_meeting *seen = season_meeting(season, i);

        if (seen->end == SEASON_OPEN) {
            event->open =
                memory_list(event->open, &event->open_room, event->opens + 1, sizeof *event->open);
            event->open[event->opens++] =
                (struct site_open){.meeting = &seen->meeting, .is_final = is_final(season, seen)};
        }
    }
}

static struct site_stamp stamp_of(const struct site_event *event)
{
    char *log = memory_print("%s-wal", event->path);
    const char *files[2] = {event->path, log};
    struct site_stamp stamp;
    struct stat seen;

    memset(&stamp, 0, sizeof stamp);
    stamp.renewed = event->renewed;
    for (int i = 0; i < 2; i++) {
        if (stat(files[i], &seen) == 0) {
            stamp.written[i] = seen.st_mtim;
            stamp.size[i] = seen.st_size;
        }
    }
    free(log);
    return stamp;
}

static void drop_sums(struct site_event *event)
{
    for (int i = 0; i < EVENT_PAGES; i++) {
        doc_destroy(event->doc[i]);
        event->doc[i] = NULL;
    }
    sheet_source_destroy(event->source);
    event->source = NULL;
    event->opens = 0;
    if (event->is_read) {
        gather_close(&event->gather);
    }
    event->is_read = false;
}

void site_event_deinit(struct site_event *event)
{
    drop_sums(event);
    free(event->open);
    free(event->path);
    free(event->name);
    free(event->judge);
}

enum bg_status site_event_open(struct site_page *page)
{
    enum bg_status status = BG_OK;

    if (page->store == NULL) {
        store_sqlite_patience(page->site->is_folder ? 0 : PATIENCE_NS);
        status = event_store_open(&page->store, page->event->path, &page->err);
    }
    if (page->event->is_read) {
        page->event->gather.results.store = page->store;
    }
    return status;
}

void site_event_close(struct site_page *page)
{
    store_destroy(page->store);
    page->store = NULL;
    if (page->event != NULL && page->event->is_read) {
        page->event->gather.results.store = NULL;
    }
}

/* Makes one page. *out is NULL if the event has not what it shows. */
static enum bg_status make_page(struct doc **out, struct site_event *event, enum event_page which,
                                struct bg_error *err)
{
    struct doc *doc = NULL;
    enum bg_status status = report_build(&doc, &event->gather, &pages[which].section,
                                         which == EVENT_MAIN ? 0 : 1, NULL, err);

    for (int i = 0; status == BG_OK && event->source != NULL && i < 2; i++) {
        if (pages[which].part[i] != NULL) {
            const struct sheet_part *part = sheet_part_find(pages[which].part[i], NULL);

            status = sheet_build(doc, event->source, &part, 1, err);
        }
    }
    if (status == BG_OK && doc->first != NULL) {
        if (which != EVENT_MAIN) {
            const struct doc *main = event->doc[EVENT_MAIN];

            doc->title = doc_format(doc, "%s - %s", pages[which].title, main->title);
            doc->lead = doc_copy(doc, main->lead);
        }
        doc->lead_strong =
            event->doc[EVENT_MAIN] == NULL ? doc->lead_strong : event->doc[EVENT_MAIN]->lead_strong;
        *out = doc;
        doc = NULL;
    }
    doc_destroy(doc);
    return status;
}

static enum bg_status take_sums(struct site_event *event, struct bg_error *err)
{
    enum bg_status status;

    store_sqlite_patience(0); /* they are read once for all who look */
    status = gather_open(&event->gather, event->path, NULL, 0, err);

    event->is_read = status == BG_OK;
    if (status == BG_OK) {
        status = sheet_source_read(&event->source, event->gather.results.store, err);
    }
    if (status == BG_OK && event->source != NULL) {
        note_open(event);
    }
    for (int i = 0; status == BG_OK && i < EVENT_PAGES; i++) {
        status = make_page(&event->doc[i], event, i, err);
        event->has[i] = event->doc[i] != NULL;
    }
    if (status == BG_OK) {
        store_destroy(event->gather.results.store);
        event->gather.results.store = NULL;
    } else {
        drop_sums(event);
    }
    return status;
}

/* When the sums may be read again. */
static int64_t rested_ns(const struct site_event *event)
{
    return event->is_read ? event->read_ns + REST * event->cost_ns : 0;
}

enum bg_status site_event_read(struct site_page *page)
{
    struct site_event *event = page->event;
    struct site_stamp stamp = stamp_of(event);
    int64_t now_ns = utc_steady_ns();
    enum bg_status status = BG_OK;

    if (!event->is_read || stamp.size[0] == 0 || /* it is gone: opening it says so */
        (memcmp(&stamp, &event->stamp, sizeof stamp) != 0 && now_ns >= rested_ns(event))) {
        drop_sums(event);
        status = take_sums(event, &page->err);
        event->stamp = stamp;
        free(event->judge); /* one can have come */
        event->judge = NULL;
        event->read_ns = utc_steady_ns();
        event->cost_ns = event->read_ns - now_ns;
        snprintf(event->tag, sizeof event->tag, "%llx-%llx-%llx-%llx",
                 (unsigned long long)stamp.written[0].tv_sec * 1000000000 +
                     (unsigned long long)stamp.written[0].tv_nsec,
                 (unsigned long long)stamp.written[1].tv_sec * 1000000000 +
                     (unsigned long long)stamp.written[1].tv_nsec,
                 (unsigned long long)stamp.size[1], (unsigned long long)stamp.renewed);
    }
    return status;
}

struct site_event *site_event_at(const struct site_page *page, int i, struct bg_error *err)
{
    struct site_page own = {.site = page->site, .event = &page->site->event[i]};
    enum bg_status status = site_event_read(&own);

    if (status != BG_OK) {
        (void)bg_error_set(err, status, "%s", own.err.text);
    }
    return status == BG_OK ? own.event : NULL;
}

double site_event_seen_s(const struct site_event *event)
{
    const struct gather *gather = &event->gather;
    const struct gather_run *last =
        event->is_read && gather->runs > 0 ? &gather->run[gather->runs - 1] : NULL;

    /* The account of the last run, if it has ended: a copy of the file is younger. */
    return last != NULL && isfinite(last->begun_s + last->seconds)
               ? last->begun_s + last->seconds
               : (double)event->stamp.written[0].tv_sec;
}

/* ------------------------------------------------------------------ what is at stake */

static int rank_of(const struct summary *summary, const char *name)
{
    for (int i = 0; i < summary->standings; i++) {
        if (strcmp(summary->tally->bot[summary->standing[i].player].name, name) == 0) {
            return summary->standing[i].rank;
        }
    }
    return 0;
}

static struct site_event *find_event(const struct site *site, const char *name)
{
    for (int i = 0; i < site->events; i++) {
        if (strcmp(site->event[i].name, name) == 0) {
            return &site->event[i];
        }
    }
    return NULL;
}

int64_t site_renew(struct site *site, const char *event)
{
    struct site_event *found = find_event(site, event);
    const int64_t left_ns = found == NULL ? 0 : rested_ns(found) - utc_steady_ns();

    if (found != NULL) {
        found->renewed++;
    }
    return left_ns > 0 ? left_ns : 0;
}

struct site_stake site_stake_of(const struct site *site, const char *event,
                                const char *const name[2])
{
    struct site_stake stake = {.is_final = false};
    const struct site_event *found = find_event(site, event);

    if (found != NULL && found->is_read) {
        for (int i = 0; i < 2; i++) {
            stake.rank[i] = rank_of(&found->gather.summary, name[i]);
        }
    }
    if (found != NULL && found->opens > 0) {
        const struct season *season = sheet_season(found->source);
        const int a = season_find(season, name[0]), b = season_find(season, name[1]);

        for (size_t i = 0; i < found->opens; i++) {
            stake.is_final |= found->open[i].is_final && meeting_has(found->open[i].meeting, a) &&
                              meeting_has(found->open[i].meeting, b);
        }
    }
    return stake;
}

/* ------------------------------------------------------------------ the pages */

struct doc *site_event_doc(const struct site_page *page, const char *what)
{
    struct doc *doc = standing_doc(what, &page->event->gather.results.tally);

    doc->title = doc_format(doc, "%s - %s", what, page->event->doc[EVENT_MAIN]->title);
    return doc;
}

void site_event_page(struct site_page *page)
{
    enum bg_status status = site_event_read(page);

    if (status != BG_OK) {
        site_error(page, status);
    } else if (page->event->doc[page->which] == NULL) {
        site_none(page, "no such page of this event");
    } else {
        struct doc *doc = page->event->doc[page->which];

        doc->part = page->site->live != NULL && page->event->gather.running ? "live" : NULL;
        site_doc_lent(page, doc);
    }
}

void site_event_live(struct site_page *page)
{
    enum bg_status status = site_event_read(page);
    struct doc *doc;

    if (status != BG_OK) {
        site_error(page, status);
        return;
    }
    if (page->site->live == NULL) {
        site_none(page, "nothing is played here; / lists the events");
        return;
    }
    doc = doc_create("");
    doc->title = doc_format(doc, "Live - %s", page->event->doc[EVENT_MAIN]->title);
    doc->lead = doc_copy(doc, page->event->doc[EVENT_MAIN]->lead);
    doc->lead_strong = page->event->doc[EVENT_MAIN]->lead_strong;
    page->site->live->list(page->site->user, page, doc);
    site_doc(page, doc, BG_OK);
    page->answer->etag[0] = '\0'; /* boards move without the results */
}

/* The bracket, if there is one; else who is first. */
void site_event_picture(struct site_page *page)
{
    enum bg_status status = picture_is_possible() ? site_event_read(page) : BG_E_ARGUMENT;

    if (status != BG_OK) {
        site_error(page, status);
    } else {
        struct doc *const *doc = page->event->doc;

        site_picture(page, doc[EVENT_BRACKET] != NULL     ? doc[EVENT_BRACKET]
                           : doc[EVENT_STANDINGS] != NULL ? doc[EVENT_STANDINGS]
                                                          : doc[EVENT_MAIN]);
    }
}
