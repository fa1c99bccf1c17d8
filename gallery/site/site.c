/* Every page is a document, as all that is printed is, so that a site shows what the commands show.
 * No path of a page becomes a path of a file. The report alone is kept between requests, because
 * making it costs much more than all other pages; it is made again when the database, or its
 * write-ahead log, is another one. */
#include "site.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "document/report_css.h"
#include "report/game.h"
#include "report/report.h"
#include "site_files.h"
#include "store/run.h"
#include "store/store.h"
#include "sums/results_set.h"

enum { OK = 200, NOT_FOUND = 404, FAILED = 500, PAGE_GAMES = 200 };

#define HTML "text/html; charset=utf-8"
#define JSON "application/json"
#define TEXT "text/plain; charset=utf-8"

/* When the files of the database were last written. */
struct site_stamp {
    struct timespec written[2];
    off_t size[2];
};

struct site {
    char *path;              /* owned */
    char *report;            /* owned; NULL: not made yet */
    struct site_stamp stamp; /* of the report */
};

/* A page that is being written. */
struct site_page {
    struct site *site;
    const char *rest; /* of the path, behind the route */
    FILE *out;
    const char *type;
};

enum bg_status site_open(struct site **out, const char *path, struct bg_error *err)
{
    struct store *store = NULL;
    enum bg_status status = event_store_open(&store, path, err);

    if (status == BG_OK) {
        *out = memory_zeroed(1, sizeof **out);
        (*out)->path = memory_text(path);
    }
    store_destroy(store);
    return status;
}

void site_close(struct site *site)
{
    if (site != NULL) {
        free(site->path);
        free(site->report);
        free(site);
    }
}

/* ------------------------------------------------------------------ answers */

static int say(struct site_page *page, int status, const char *why)
{
    page->type = TEXT;
    fprintf(page->out, "%s\n", why);
    return status;
}

static int say_error(struct site_page *page, enum bg_status status, const struct bg_error *err)
{
    return say(page, status == BG_E_ARGUMENT ? NOT_FOUND : FAILED, err->text);
}

static int write_doc(struct site_page *page, struct doc *doc, bool is_json)
{
    struct bg_error err = {.text = ""};
    enum bg_status status;

    doc->is_on_site = true;
    page->type = is_json ? JSON : HTML;
    status = is_json ? document_json(page->out, doc, &err) : document_html(page->out, doc, &err);
    return status == BG_OK ? OK : say_error(page, status, &err);
}

static int write_file(struct site_page *page, const unsigned char *bytes, const char *type)
{
    page->type = type;
    fputs((const char *)bytes, page->out);
    return OK;
}

/* ------------------------------------------------------------------ the report */

static struct site_stamp stamp_of(const struct site *site)
{
    char *log = memory_print("%s-wal", site->path);
    const char *paths[2] = {site->path, log};
    struct site_stamp stamp;
    struct stat seen;

    memset(&stamp, 0, sizeof stamp);
    for (int i = 0; i < 2; i++) {
        if (stat(paths[i], &seen) == 0) {
            stamp.written[i] = seen.st_mtim;
            stamp.size[i] = seen.st_size;
        }
    }
    free(log);
    return stamp;
}

static int write_report(struct site_page *page)
{
    struct site *site = page->site;
    struct site_stamp stamp = stamp_of(site);
    struct bg_error err = {.text = ""};
    enum bg_status status = BG_OK;
    struct doc *doc = NULL;
    size_t size = 0;
    FILE *out;

    if (site->report == NULL || memcmp(&stamp, &site->stamp, sizeof stamp) != 0) {
        free(site->report);
        site->report = NULL;
        status = report_open(&doc, site->path, NULL, 0, &err);
        if (status == BG_OK) {
            doc->is_on_site = true;
            out = memory_stream(&site->report, &size);
            status = document_html(out, doc, &err);
            memory_stream_close(out);
            site->stamp = stamp;
        }
        doc_destroy(doc);
    }
    if (status != BG_OK) {
        free(site->report);
        site->report = NULL;
        return say_error(page, status, &err);
    }
    page->type = HTML;
    fputs(site->report, page->out);
    return OK;
}

/* ------------------------------------------------------------------ all games */

enum { GAME, WINNER, POINTS, END, TURNS, GAMES_COLUMNS };

static const struct doc_column games_columns[GAMES_COLUMNS] = {
    [GAME] = {"game", "Game", .code = true, .game = true},
    [WINNER] = {"winner", "Winner", .bot = true},
    [POINTS] = {"points", "Points"},
    [END] = {"end", "How"},
    [TURNS] = {"turns", "Turns"},
};

struct games_page {
    struct doc_table *table;
    uint64_t first, seen; /* number of the page's first game; how many games there are so far */
};

static void add_game(struct doc_table *table, const struct store_game *game)
{
    struct game_id id = game_id_of(game->a, game->b);
    const bool is_fault = game->end == BG_END_FAULT;
    char text[BG_GAME_ID];

    id.pair = game->pair;
    id.leg = game->leg;
    id.game = game->game;
    game_id_write(text, &id);
    doc_row(table);
    doc_text(table, GAME, text);
    doc_text(table, WINNER, game->winner < 0 ? "" : game->winner == 0 ? game->a : game->b);
    doc_number(table, POINTS, (double)game->points);
    doc_say(table, END, "%s%s%s", bg_end_name(game->end), is_fault ? ": " : "",
            is_fault ? bg_fault_name(game->fault) : "");
    doc_number(table, TURNS, game->turns);
}

static bool add_games(void *user, const struct run *run)
{
    struct games_page *games = user;

    for (size_t i = 0; i < run->games; i++, games->seen++) {
        if (games->seen >= games->first && games->seen < games->first + PAGE_GAMES) {
            struct store_game game;

            run_game_at(&game, run, i);
            add_game(games->table, &game);
        }
    }
    return true;
}

static int write_games(struct site_page *page)
{
    char *end;
    uint64_t number = strtoull(page->rest, &end, 10);
    struct games_page games = {.first = (number - 1) * PAGE_GAMES};
    struct bg_error err = {.text = ""};
    struct store *store = NULL;
    struct doc *doc;
    enum bg_status status;
    int answered;

    if (page->rest[0] < '1' || page->rest[0] > '9' || *end != '\0' || strlen(page->rest) > 12) {
        return say(page, NOT_FOUND, "no such page; the first list of games is /games/1");
    }
    doc = doc_create("Games");
    doc_section(doc, "games", "Games");
    games.table = doc_table(doc, "games", "Games by bots, pair, leg and number", games_columns,
                            GAMES_COLUMNS);
    status = event_store_open(&store, page->site->path, &err);
    if (status == BG_OK) {
        status = store_all_runs(store, false, add_games, &games, &err);
    }
    if (status == BG_OK) {
        doc->lead = doc_format(doc, "%" PRIu64 " games; this is page %" PRIu64 " of %" PRIu64 ".",
                               games.seen, number, (games.seen + PAGE_GAMES - 1) / PAGE_GAMES);
        doc->before = number > 1 ? doc_format(doc, "/games/%" PRIu64, number - 1) : NULL;
        doc->after = games.first + PAGE_GAMES < games.seen
                         ? doc_format(doc, "/games/%" PRIu64, number + 1)
                         : NULL;
        answered = write_doc(page, doc, false);
    } else {
        answered = say_error(page, status, &err);
    }
    store_destroy(store);
    doc_destroy(doc);
    return answered;
}

/* ------------------------------------------------------------------ one game */

struct game_search {
    const char *id;
    struct doc *doc; /* owned; NULL: not found */
    enum bg_status status;
    struct bg_error *err;
};

static bool find_game(void *user, const struct store_game *game)
{
    struct game_search *search = user;
    struct record_view *view = NULL;

    if (strcmp(game->id, search->id) != 0) {
        return true;
    }
    search->status = record_read(&view, game->text, game->text_size, search->err);
    if (search->status == BG_OK) {
        search->status = game_document(&search->doc, view, search->err);
    }
    record_view_destroy(view);
    return false;
}

static int write_one_game(struct site_page *page)
{
    char *id = memory_text(page->rest), *ending = strrchr(id, '.');
    const bool is_json = ending != NULL && strcmp(ending, ".json") == 0;
    struct bg_error err = {.text = ""};
    struct game_search search = {.id = id, .err = &err};
    struct store *store = NULL;
    struct game_id leg;
    bool is_path;
    int answered;

    if (is_json) {
        *ending = '\0';
    }
    is_path = strchr(id, '|') == NULL; /* each page has one path */
    for (char *c = id; *c != '\0'; c++) {
        *c = *c == '/' ? '|' : *c;
    }
    if (!is_path || !game_id_read(&leg, id)) {
        answered = say(page, NOT_FOUND, "no such page; a game is /g/A/B/PAIR/LEG/GAME");
        goto done;
    }
    search.status = event_store_open(&store, page->site->path, &err);
    if (search.status == BG_OK) {
        enum bg_status status =
            store_leg_games(store, leg.a, leg.b, leg.pair, leg.leg, find_game, &search, &err);

        search.status = search.status == BG_OK ? status : search.status;
    }
    if (search.status != BG_OK) {
        answered = say(page, FAILED, err.text);
    } else if (search.doc == NULL) {
        answered = say(page, NOT_FOUND, "no such game; /games/1 lists them");
    } else {
        answered = write_doc(page, search.doc, is_json);
    }
done:
    doc_destroy(search.doc);
    store_destroy(store);
    free(id);
    return answered;
}

/* ------------------------------------------------------------------ paths */

static int write_style(struct site_page *page)
{
    return write_file(page, report_css, "text/css; charset=utf-8");
}

static int write_script(struct site_page *page)
{
    return write_file(page, board_js, "text/javascript; charset=utf-8");
}

static int write_icon(struct site_page *page)
{
    return write_file(page, icon_svg, "image/svg+xml");
}

/* A route ending with a slash takes every path that begins with it; another one only itself. */
static const struct site_route {
    const char *path;
    int (*write)(struct site_page *page);
} routes[] = {
    {"/games/", write_games},    {"/g/", write_one_game},   {"/style.css", write_style},
    {"/board.js", write_script}, {"/icon.svg", write_icon},
};

int site_write(struct site *site, const char *path, FILE *out, const char **type)
{
    struct site_page page = {.site = site, .out = out, .type = TEXT};
    int status = NOT_FOUND;
    bool found = strcmp(path, "/") == 0;

    if (found) {
        status = write_report(&page);
    }
    for (size_t i = 0; !found && i < sizeof routes / sizeof *routes; i++) {
        size_t size = strlen(routes[i].path);
        bool is_open = routes[i].path[size - 1] == '/';

        if (is_open ? strncmp(path, routes[i].path, size) == 0
                    : strcmp(path, routes[i].path) == 0) {
            page.rest = path + size;
            status = routes[i].write(&page);
            found = true;
        }
    }
    if (!found) {
        status = say(&page, NOT_FOUND, "no such page; there are / and /games/1");
    }
    *type = page.type;
    return status;
}
