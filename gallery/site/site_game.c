/* One game: its page, and what it can be downloaded as. */
#include "site_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/game.h"

struct game_search {
    const char *id;
    struct site_page *page;
    bool is_found;
};

void site_game_write(struct site_page *page, const struct store_game *game)
{
    struct record_view *view = NULL;
    struct doc *doc = NULL;
    enum bg_status status = record_read(&view, game->text, game->text_size, &page->err);

    if (status == BG_OK) {
        status = game_document(&doc, view, &page->err);
    }
    record_view_destroy(view);
    site_doc(page, doc, status);
}

static bool find_game(void *user, const struct store_game *game)
{
    struct game_search *search = user;

    search->is_found = strcmp(game->id, search->id) == 0;
    if (search->is_found) {
        site_game_write(search->page, game);
    }
    return !search->is_found;
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

void site_game(struct site_page *page)
{
    char id[BG_GAME_ID];
    struct game_search search = {.id = id, .page = page};
    struct game_id leg;
    enum bg_status status;

    if (!read_id(id, &leg, page->rest)) {
        site_none(page, "no such page; a game is e/EVENT/g/A/B/PAIR/LEG/GAME");
        return;
    }
    status = site_event_open(page);
    if (status == BG_OK) {
        status = store_leg_games(page->store, leg.a, leg.b, leg.pair, leg.leg, find_game, &search,
                                 &page->err);
    }
    if (status != BG_OK && !search.is_found) {
        site_error(page, status);
    } else if (!search.is_found) {
        site_none(page, "no such game; e/EVENT/games lists them");
    }
}
