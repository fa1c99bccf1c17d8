/* One game: its page, and what it can be downloaded as. */
#include "site_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/format.h"
#include "picture.h"
#include "report/game.h"

struct game_search {
    const char *id;
    struct site_page *page;
    struct doc *doc; /* of the page that is being made */
    bool is_found;
};

/* ------------------------------------------------------------------ downloads */

/* What a game can be had as; the record itself is text. */
static const struct {
    const char *ending, *type, *words;
} forms[] = {
    {"mat", "text/plain; charset=utf-8", "Match as .mat, for most other programs"},
    {"sgf", "application/x-go-sgf", "Match as .sgf, as GNU Backgammon saves it"},
    {"json", "application/json", "Game as JSON, step by step"},
    {"txt", "text/plain; charset=utf-8", "Record as text, which proves the game"},
};

enum { FORMS = sizeof forms / sizeof *forms, TXT = FORMS - 1 };

#define PICTURE "png"

/* Writes one game, or of a match all that were played, into a file. */
struct game_file {
    const struct format *format;
    const char *id;
    struct format_file file;
    char hash[RECORD_HASH];
    enum bg_status status;
    struct bg_error *err;
};

static bool add_to_file(void *user, const struct store_game *game)
{
    struct game_file *out = user;
    const bool is_it = strcmp(game->id, out->id) == 0;
    struct record_view *view = NULL;

    if (!is_it && (!out->format->by_match || game->length_points == 0)) {
        return true;
    }
    out->status = record_read(&view, game->text, game->text_size, out->err);
    if (out->status == BG_OK) {
        out->status = out->format->game(&out->file, game, view, out->err);
    }
    snprintf(out->hash, sizeof out->hash, "%s", game->hash);
    record_view_destroy(view);
    return out->status == BG_OK;
}

static void put_bytes(FILE *out, const struct record *bytes)
{
    fwrite(bytes->size == 0 ? "" : bytes->text, 1, bytes->size, out);
}

static void download(struct site_page *page, const char *id, const struct game_id *leg,
                     const char *ending)
{
    struct game_file out = {.format = format_find(ending), .id = id, .err = &page->err};
    enum bg_status status = store_leg_games(page->store, leg->a, leg->b, leg->pair, leg->leg,
                                            add_to_file, &out, &page->err);

    status = out.status == BG_OK ? status : out.status;
    if (status != BG_OK) {
        site_error(page, status); /* the format has no words for the game: 404, with the reason */
    } else if (out.file.head.size + out.file.body.size == 0) {
        site_none(page, "no such game; e/EVENT/games lists them");
    } else {
        for (int i = 0; i < FORMS; i++) {
            if (strcmp(forms[i].ending, ending) == 0) {
                site_text(page, forms[i].type, out.format->by_match ? "" : out.format->top);
            }
        }
        put_bytes(page->out, &out.file.head);
        put_bytes(page->out, &out.file.body);
        fputs(out.format->by_match ? "" : out.format->bottom, page->out);
        page->answer->max_age_s = SITE_SHORT_S; /* a match may go on */
        snprintf(page->answer->etag, sizeof page->answer->etag, "%s", out.hash);
        snprintf(page->answer->file_name, sizeof page->answer->file_name, "%.*s,%.*s,%d.%s", 30,
                 leg->a, 30, leg->b, (int)leg->pair, ending);
    }
    format_file_deinit(&out.file);
}

static bool write_record(void *user, const struct store_game *game)
{
    struct game_search *search = user;
    struct site_page *page = search->page;

    search->is_found = strcmp(game->id, search->id) == 0;
    if (search->is_found) {
        site_text(page, forms[TXT].type, game->text);
        page->answer->is_immutable = true;
        snprintf(page->answer->etag, sizeof page->answer->etag, "%s", game->hash);
    }
    return !search->is_found;
}

/* Which formats can express the game. */
static void add_downloads(const struct site_page *page, struct doc *doc,
                          const struct store_game *game, const struct record_view *view)
{
    const char *path = doc_format(doc, "%s", page->path + strlen("e/") + strlen(page->event->name));

    doc_section(doc, "download", "Download");
    for (int i = 0; i < FORMS; i++) {
        const struct format *format = format_find(forms[i].ending);
        struct format_file file = {.session = false};

        if (format == NULL || format->game(&file, game, view, NULL) == BG_OK) {
            doc_way(doc,
                    doc_format(doc, "e/%s%s.%s", site_name(doc, page->event->name), path,
                               forms[i].ending),
                    "%s", forms[i].words);
        }
        format_file_deinit(&file);
    }
}

/* ------------------------------------------------------------------ the page */

static bool offer(void *user, const struct store_game *game)
{
    struct game_search *search = user;
    struct record_view *view = NULL;

    search->is_found = strcmp(game->id, search->id) == 0;
    if (search->is_found && record_read(&view, game->text, game->text_size, NULL) == BG_OK) {
        add_downloads(search->page, search->doc, game, view);
    }
    record_view_destroy(view);
    return !search->is_found;
}

/* Answers with a game that is in play, if it is. */
static void show_live(struct site_page *page, const char *id)
{
    const struct site_live *live = page->site->live;
    struct doc *doc = live == NULL ? NULL : live->game(page->site->user, page, id);

    if (doc != NULL) {
        site_doc(page, doc, BG_OK);
        page->answer->etag[0] = '\0';
    } else {
        site_none(page, "no such game; e/EVENT/games lists them");
    }
}

void site_game_write(struct site_page *page, const struct game_id *game)
{
    struct site_event *event = page->event;
    char id[BG_GAME_ID], tag[GAME_TAG] = "";
    struct game_search search = {.id = id, .page = page};
    enum bg_status status = BG_OK;

    game_id_write(id, game);
    if (event->judge == NULL) {
        status = game_judge(&event->judge, page->store, &page->err);
    }
    if (status == BG_OK) {
        status = game_open(&search.doc, tag, page->store, event->judge, game, &page->err);
    }
    if (status == BG_OK && search.doc == NULL) {
        show_live(page, id);
        return;
    }
    if (status == BG_OK && page->is_picture) {
        site_picture(page, search.doc);
        doc_destroy(search.doc);
        return;
    }
    if (status == BG_OK && !page->site->is_folder) { /* a folder has one file a game */
        page->picture =
            doc_format(search.doc, "%s.png", site_path(page, search.doc, "%s", page->path));
        status = store_leg_games(page->store, game->a, game->b, game->pair, game->leg, offer,
                                 &search, &page->err);
    }
    site_doc(page, search.doc, status);
    if (status == BG_OK) { /* a judge changes the page, another game does not */
        snprintf(page->answer->etag, sizeof page->answer->etag, "%s", tag);
    }
}

static bool read_id(char id[BG_GAME_ID], struct game_id *leg, const char *path)
{
    if (strlen(path) >= BG_GAME_ID || strchr(path, '|') != NULL) { /* each page has one path */
        return false;
    }
    snprintf(id, BG_GAME_ID, "%s", path);
    for (char *c = id; *c != '\0'; c++) {
        *c = *c == '/' ? '|' : *c;
    }
    return game_id_read(leg, id);
}

/* Takes the ending of a download from the id; "" none. Games have numbers, so a dot is no part of
 * one. */
static const char *take_ending(char *id)
{
    char *dot = strrchr(id, '.');

    for (int i = 0; dot != NULL && i < FORMS; i++) {
        if (strcmp(dot + 1, forms[i].ending) == 0) {
            *dot = '\0';
            return forms[i].ending;
        }
    }
    if (dot != NULL && strcmp(dot + 1, PICTURE) == 0 && picture_is_possible()) {
        *dot = '\0';
        return PICTURE;
    }
    return "";
}

void site_game(struct site_page *page)
{
    char *path = memory_text(page->rest), id[BG_GAME_ID];
    const char *ending = take_ending(path);
    struct game_search search = {.id = id, .page = page};
    struct game_id leg;
    enum bg_status status = BG_OK;

    if (!read_id(id, &leg, path)) {
        site_none(page, "no such page; a game is e/EVENT/g/A/B/PAIR/LEG/GAME");
        free(path);
        return;
    }
    (void)site_event_read(page); /* for the line of navigation; a game has a page without it */
    if ((status = site_event_open(page)) != BG_OK) {
        site_error(page, status);
    } else if (ending[0] != '\0' && format_find(ending) != NULL) {
        download(page, id, &leg, ending);
    } else if (ending[0] == '\0' || strcmp(ending, PICTURE) == 0) {
        page->is_picture = ending[0] != '\0';
        site_game_write(page, &leg);
    } else {
        status = store_leg_games(page->store, leg.a, leg.b, leg.pair, leg.leg, write_record,
                                 &search, &page->err);
        if (!search.is_found && status != BG_OK) {
            site_error(page, status);
        } else if (!search.is_found) {
            site_none(page, "no such game; e/EVENT/games lists them");
        }
    }
    free(path);
}
