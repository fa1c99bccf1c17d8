/* One game: its page, and what it can be downloaded as. */
#include "site_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/game.h"

struct game_search {
    const char *id;
    struct site_page *page;
    struct doc *doc; /* owned; NULL: not found */
    enum bg_status status;
};

static bool find_game(void *user, const struct store_game *game)
{
    struct game_search *search = user;
    struct bg_error *err = &search->page->err;
    struct record_view *view = NULL;

    if (strcmp(game->id, search->id) != 0) {
        return true;
    }
    search->status = record_read(&view, game->text, game->text_size, err);
    if (search->status == BG_OK) {
        search->status = game_document(&search->doc, view, err);
        snprintf(search->page->answer->tag, SITE_TAG, "%s", game->hash);
    }
    record_view_destroy(view);
    return false;
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

    if (!read_id(id, &leg, page->rest)) {
        site_none(page, "no such page; a game is e/EVENT/g/A/B/PAIR/LEG/GAME");
        return;
    }
    search.status = site_event_open(page);
    if (search.status == BG_OK) {
        enum bg_status status = store_leg_games(page->store, leg.a, leg.b, leg.pair, leg.leg,
                                                find_game, &search, &page->err);

        search.status = search.status == BG_OK ? status : search.status;
    }
    if (search.status == BG_OK && search.doc == NULL) {
        site_none(page, "no such game; e/EVENT/games lists them");
    } else {
        site_doc(page, search.doc, search.status);
        page->answer->keep = SITE_KEEP_EVER;
    }
}
