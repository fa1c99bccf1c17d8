/* Every page is a document, as all that is printed is, so that a site shows what the commands show,
 * and its JSON has the same tables. No path of a page becomes the path of a file. */
#define _GNU_SOURCE
#include "site.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "base/memory.h"
#include "base/units.h"
#include "base/utc.h"
#include "picture.h"
#include "site_files.h"
#include "site_page.h"
#include "sums/results_set.h"

#define API "api/v1/"

/* ------------------------------------------------------------------ routes */

/* A row takes its path, or, if it is open, every path that begins with it. */
struct site_route {
    const char *path;
    void (*write)(struct site_page *page);
    const char *words; /* in the line of navigation; NULL: it is not there */
    bool is_open;
    enum event_page has; /* the page of an event that must be there; EVENT_ALWAYS */
    bool is_list;        /* the first to be refused when pages use too much of a core */
};

static const struct site_route routes[] = {
    {"", site_lobby, "Lobby", false, EVENT_ALWAYS, false},
    {"archive", site_archive, "Archive", false, EVENT_ALWAYS, true},
    {"rules/", site_rules, "Rules", true, EVENT_ALWAYS, false},
    {"about", site_about, "About", false, EVENT_ALWAYS, false},
    {"events.atom", site_events_atom, NULL, false, EVENT_ALWAYS, true},
    {"calendar.ics", site_calendar, NULL, false, EVENT_ALWAYS, true},
    {"s/", site_file, NULL, true, EVENT_ALWAYS, false},
};

/* Behind e/EVENT/. */
static const struct site_route event_routes[] = {
    {"", site_event_page, "Event", false, EVENT_MAIN, false},
    {"standings", site_event_page, "Standings", false, EVENT_STANDINGS, true},
    {"crosstable", site_event_page, "Crosstable", false, EVENT_CROSSTABLE, true},
    {"rounds", site_event_page, "Rounds", false, EVENT_ROUNDS, true},
    {"bracket", site_event_page, "Bracket", false, EVENT_BRACKET, true},
    {"ladder", site_event_page, "Ladder", false, EVENT_LADDER, true},
    {"live", site_event_live, "Live", false, EVENT_ALWAYS, false},
    {"games", site_games, "Games", false, EVENT_ALWAYS, true},
    {"picture.png", site_event_picture, NULL, false, EVENT_ALWAYS, true},
    {"g/", site_game, NULL, true, EVENT_ALWAYS, false},
    {"m/", site_encounter, NULL, true, EVENT_ALWAYS, true},
    {"b/", site_bot, NULL, true, EVENT_ALWAYS, true},
};

/* The same of the path EVENT.db. */
static const struct site_route database_route = {"",    site_database, NULL,
                                                 false, EVENT_ALWAYS,  true};

enum {
    ROUTES = sizeof routes / sizeof *routes,
    EVENT_ROUTES = sizeof event_routes / sizeof *routes
};

static const struct site_route *find_route(const struct site_route *list, size_t count,
                                           const char *path)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].is_open ? strncmp(path, list[i].path, strlen(list[i].path)) == 0
                            : strcmp(path, list[i].path) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------ paths */

const char *site_name(struct doc *doc, const char *name)
{
    char *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    const char *copy;

    doc_path_write(out, name);
    memory_stream_close(out);
    copy = doc_copy(doc, text);
    free(text);
    return copy;
}

static const char *ending_of(const struct site_page *page)
{
    return page->site->is_folder ? ".html" : "";
}

const char *site_path(const struct site_page *page, struct doc *doc, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    const char *path;
    size_t size;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        memory_none(strlen(format));
    }
    va_end(arguments);
    size = strlen(text);
    path = size > 0 && text[size - 1] != '/' ? doc_format(doc, "%s%s", text, ending_of(page))
           : page->site->is_folder           ? doc_format(doc, "%sindex.html", text)
                                             : doc_copy(doc, text);
    free(text);
    return path;
}

/* The way back to the first page. */
static const char *root_of(const struct site_page *page, struct doc *doc)
{
    const char *root = page->frame == NULL && page->number < 2 ? "" : "../";

    for (const char *c = page->path; *c != '\0'; c++) {
        root = *c == '/' ? doc_format(doc, "%s../", root) : root;
    }
    return root[0] == '\0' ? "./" : root;
}

/* ------------------------------------------------------------------ the line of navigation */

static bool is_there(const struct site_page *page, const struct site_route *route)
{
    if (route->write == site_event_live) {
        return page->site->live != NULL && page->event->is_read && page->event->gather.running;
    }
    return route->words != NULL && (route->has == EVENT_ALWAYS || route->has == EVENT_MAIN ||
                                    (page->event->is_read && page->event->has[route->has]));
}

static void add_links(struct doc_site *site, const struct site_page *page, struct doc *doc,
                      const struct site_route *list, size_t count, const char *before)
{
    for (size_t i = 0; i < count; i++) {
        if (is_there(page, &list[i])) {
            struct doc_link *link = &site->link[site->links++];
            const char *path = doc_format(doc, "%s%s", before, list[i].path);

            link->path = site_path(page, doc, "%s", path);
            link->words = list[i].words;
            link->is_here = strcmp(path, page->path) == 0;
        }
    }
}

static struct doc_site *make_site(const struct site_page *page, struct doc *doc)
{
    static const char *const scripts[] = {NULL};
    struct doc_site *site = doc_array(doc, 1, sizeof *site);

    *site =
        (struct doc_site){.root = root_of(page, doc),
                          .ending = ending_of(page),
                          .assets = site_assets(),
                          .address = page->site->address,
                          .frame = page->frame,
                          .scripts = scripts,
                          .link = doc_array(doc, ROUTES + 1 + EVENT_ROUTES, sizeof *site->link)};
    add_links(site, page, doc, routes, ROUTES, "");
    if (page->site->has_join) {
        site->link[site->links++] = (struct doc_link){.path = "join", .words = "Join"};
    }
    if (page->event != NULL) {
        site->pairs = page->event->pairs;
        site->event = doc_format(doc, "e/%s/", site_name(doc, page->event->name));
        if (picture_is_possible()) {
            site->image = page->picture != NULL ? page->picture
                                                : doc_format(doc, "%spicture.png", site->event);
        }
        add_links(site, page, doc, event_routes, EVENT_ROUTES, site->event);
    }
    return site;
}

/* ------------------------------------------------------------------ answers */

void site_doc_lent(struct site_page *page, struct doc *doc)
{
    enum bg_status status;

    doc->site = make_site(page, doc);
    page->status = SITE_OK;
    page->answer->max_age_s = SITE_SHORT_S;
    page->answer->is_open = page->is_json;
    page->answer->may_frame = page->frame != NULL;
    page->answer->type = page->is_json ? "application/json" : "text/html; charset=utf-8";
    if (page->event != NULL) {
        snprintf(page->answer->etag, sizeof page->answer->etag, "%s", page->event->tag);
    }
    status = page->is_json ? document_json(page->out, doc, &page->err)
                           : document_html(page->out, doc, &page->err);
    if (status != BG_OK) {
        site_error(page, status);
    }
}

void site_doc(struct site_page *page, struct doc *doc, enum bg_status status)
{
    if (status == BG_OK && doc != NULL) {
        site_doc_lent(page, doc);
    } else {
        site_error(page, status);
    }
    doc_destroy(doc);
}

void site_text(struct site_page *page, const char *type, const char *text)
{
    page->status = SITE_OK;
    page->answer->type = type;
    fputs(text, page->out);
}

void site_picture(struct site_page *page, const struct doc *doc)
{
    enum bg_status status = picture_write(page->out, doc, &page->err);

    if (status != BG_OK) {
        site_error(page, status);
    } else {
        site_text(page, "image/png", "");
        page->answer->max_age_s = SITE_SHORT_S;
        snprintf(page->answer->etag, sizeof page->answer->etag, "%s", page->event->tag);
    }
}

static void site_fail(struct site_page *page, int status, const char *why)
{
    page->status = status;
    *page->answer = (struct web_answer){.type = "text/plain; charset=utf-8"};
    fprintf(page->out, "%s\n", why);
}

void site_none(struct site_page *page, const char *why)
{
    site_fail(page, SITE_NOT_FOUND, why);
}

void site_error(struct site_page *page, enum bg_status status)
{
    char *why = foreign_public(page->err.text); /* no path of this machine */

    site_fail(page,
              status == BG_E_ARGUMENT  ? SITE_NOT_FOUND
              : status == BG_E_TIMEOUT ? SITE_BUSY
                                       : SITE_FAILED,
              why);
    free(why);
}

/* Sets page->event and the rest of the path. Returns the routes to look in. */
static const struct site_route *find_page(struct site_page *page)
{
    const char *name;
    size_t size;

    page->rest = page->path;
    if (strncmp(page->path, "e/", 2) != 0) {
        return find_route(routes, ROUTES, page->path);
    }
    name = page->path + 2;
    size = strcspn(name, "/");
    for (int i = 0; i < page->site->events; i++) {
        struct site_event *event = &page->site->event[i];

        if (strlen(event->name) == size && strncmp(event->name, name, size) == 0) {
            page->event = event;
            page->rest = name + size + (name[size] == '/');
            if (strncmp(page->rest, name, size) == 0 && strcmp(page->rest + size, ".db") == 0) {
                return &database_route;
            }
            return find_route(event_routes, EVENT_ROUTES, page->rest);
        }
    }
    return NULL;
}

/* Takes "embed/" or "overlay/" from the path of an event's page. */
static void take_frame(struct site_page *page)
{
    static const char *const frames[] = {"embed", "overlay"};

    for (int i = 0; i < 2 && page->frame == NULL; i++) {
        size_t size = strlen(frames[i]);

        if (strncmp(page->path, frames[i], size) == 0 &&
            strncmp(page->path + size, "/e/", 3) == 0) {
            page->frame = frames[i];
            page->path += size + 1;
        }
    }
}

/* Takes "api/v1/" and ".json" from a path. */
static bool take_api(struct site_page *page, char *path)
{
    size_t size = strlen(path);

    if (strncmp(path, API, strlen(API)) != 0) {
        return true;
    }
    if (size < strlen(API ".json") || strcmp(path + size - strlen(".json"), ".json") != 0) {
        return false;
    }
    path[size - strlen(".json")] = '\0';
    page->path = path + strlen(API);
    size = strlen(page->path);
    if (size >= strlen("index") && strcmp(page->path + size - strlen("index"), "index") == 0 &&
        (size == strlen("index") || page->path[size - strlen("index") - 1] == '/')) {
        path[strlen(path) - strlen("index")] = '\0';
    }
    page->is_json = true;
    return true;
}

void site_route(struct site_page *page)
{
    const struct site_route *route = page->path == NULL ? NULL : find_page(page);

    if (route != NULL && route->is_list && !budget_holds(&page->site->budget, utc_steady_ns())) {
        site_fail(page, SITE_BUSY,
                  "too many lists are asked for; boards and games go on, lists soon");
    } else if (route != NULL) {
        page->rest += strlen(route->path);
        page->which = route->has;
        route->write(page);
        site_event_close(page);
    } else {
        site_none(page, page->event != NULL
                            ? "no such page; an event has e/EVENT/ and e/EVENT/games"
                            : "no such page; / lists the events");
    }
}

int site_write(struct site *site, const struct web_request *request, FILE *out,
               struct web_answer *answer)
{
    const int64_t begun_ns = utc_thread_ns();
    char *path = memory_text(request->path + (request->path[0] == '/'));
    struct site_page page = {
        .site = site, .path = path, .query = request->query, .out = out, .answer = answer};

    if (request->path[0] != '/' || !take_api(&page, path)) {
        page.path = NULL;
    } else if (!page.is_json) {
        take_frame(&page);
    }
    site_route(&page);
    free(path);
    budget_take(&site->budget, utc_thread_ns() - begun_ns);
    return page.status;
}

static enum bg_status each_path_of(struct site *site, struct site_event *event,
                                   void (*fn)(void *user, const char *path), void *user,
                                   struct bg_error *err)
{
    struct site_page page = {.site = site, .event = event};
    const struct tally *tally = &event->gather.results.tally;
    enum bg_status status = site_event_read(&page);
    char path[3 * GAME_ID_NAME + EVENT_NAME];

    if (status != BG_OK) {
        return bg_error_set(err, status, "%s", page.err.text);
    }
    for (int i = 0; i < EVENT_ROUTES; i++) {
        if (is_there(&page, &event_routes[i])) {
            snprintf(path, sizeof path, "e/%s/%s", event->name, event_routes[i].path);
            fn(user, path);
        }
    }
    if (picture_is_possible()) {
        snprintf(path, sizeof path, "e/%s/picture.png", event->name);
        fn(user, path);
    }
    for (int i = 0; i < tally->bots; i++) {
        snprintf(path, sizeof path, "e/%s/b/%s", event->name, tally->bot[i].name);
        fn(user, path);
    }
    for (size_t i = 0; i < tally->encounters; i++) {
        const struct tally_encounter *two = tally->encounter[i];

        snprintf(path, sizeof path, "e/%s/m/%s-vs-%s", event->name, tally->bot[two->a].name,
                 tally->bot[two->b].name);
        fn(user, path);
    }
    return BG_OK;
}

enum bg_status site_each_path(struct site *site, void (*fn)(void *user, const char *path),
                              void *user, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < ROUTES; i++) {
        if (!routes[i].is_open) {
            fn(user, routes[i].path);
        }
    }
    fn(user, "rules/");
    for (int i = 0; bg_variant_at(i) != NULL; i++) {
        char path[64];

        snprintf(path, sizeof path, "rules/%s", bg_variant_id(bg_variant_at(i)));
        fn(user, path);
    }
    for (int i = 0; i < site->events && status == BG_OK; i++) {
        status = each_path_of(site, &site->event[i], fn, user, err);
    }
    return status;
}

/* ------------------------------------------------------------------ the site */

bool site_has_event(const struct site *site, const char *name)
{
    for (int i = 0; i < site->events; i++) {
        if (strcmp(site->event[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Names an event by what it is called, or else by its file; what a path cannot have turns into
 * "-", and names that would be the same get a number. */
static char *name_event(const struct site *site, const char *called, const char *path)
{
    const char *file = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
    char *name = memory_text(called[0] != '\0' ? called : file), *ending = strrchr(name, '.');

    if (called[0] == '\0' && ending != NULL && ending != name && strcmp(ending, ".db") == 0) {
        *ending = '\0';
    }
    for (char *c = name; *c != '\0'; c++) {
        *c = (char)(isalnum((unsigned char)*c) || strchr("._+-@", *c) != NULL ? *c : '-');
    }
    if (name[0] == '.') {
        name[0] = '-';
    }
    for (int number = 2; site_has_event(site, name); number++) {
        char *other = memory_print("%s-%d", name, number);

        free(name);
        name = other;
    }
    return name;
}

static enum bg_status add_event(struct site *site, const char *path, struct bg_error *err)
{
    struct store *store = NULL;
    char called[EVENT_NAME] = "";
    enum bg_status status = event_store_open(&store, path, err);

    if (status == BG_OK) {
        (void)store_meta_text(called, sizeof called, store, "event.event", NULL);
        site->event =
            memory_list(site->event, &site->room, (size_t)site->events + 1, sizeof *site->event);
        site->event[site->events] =
            (struct site_event){.path = memory_text(path), .name = name_event(site, called, path)};
        site->events++;
    }
    store_destroy(store);
    return status;
}

enum bg_status site_add(const char **name, struct site *site, const char *path,
                        struct bg_error *err)
{
    enum bg_status status;
    int i = 0;

    while (i < site->events && strcmp(site->event[i].path, path) != 0) {
        i++;
    }
    status = i < site->events ? BG_OK : add_event(site, path, err);
    if (status == BG_OK) {
        *name = site->event[i].name;
    }
    return status;
}

void site_show_live(struct site *site, const struct site_live *live, void *user)
{
    site->live = live;
    site->user = user;
}

enum bg_status site_open(struct site **out, const char *const *paths, int count,
                         struct bg_error *err)
{
    struct site *site = memory_zeroed(1, sizeof *site);
    enum bg_status status = BG_OK;

    site->address = "";
    site->budget.percent = 100;
    for (int i = 0; i < count && status == BG_OK; i++) {
        status = add_event(site, paths[i], err);
    }
    if (status == BG_OK) {
        *out = site;
        site = NULL;
    }
    site_close(site);
    return status;
}

void site_set_address(struct site *site, const char *address)
{
    site->address = address == NULL ? "" : address;
}

void site_set(struct site *site, const struct site_settings *settings)
{
    site->budget.percent = settings->budget;
    site->has_join = settings->has_join;
    site->has_databases = settings->has_databases;
}

void site_close(struct site *site)
{
    for (int i = 0; site != NULL && i < site->events; i++) {
        site_event_deinit(&site->event[i]);
    }
    free(site == NULL ? NULL : site->event);
    if (site != NULL) {
        site_copy_drop(site);
    }
    free(site == NULL ? NULL : site->date);
    free(site);
}
