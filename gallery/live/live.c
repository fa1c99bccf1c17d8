/* What the referee has told is kept as it came, a line of JSON for each step: it is passed on, and
 * read here only for the tables of pages without script. A snapshot and the steps of a stream have
 * the same lines with the same numbers, so whoever comes late or again puts them together by
 * number. */
#include "live.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "log.h"
#include "live_game.h"
#include "store/store.h"

#define SECOND_NS INT64_C(1000000000)
/* A lobby hears of each game so often at most, and an event's pages of its standing: each of them
 * asks for its page then. */
#define LOBBY_NS    INT64_C(500000000)
#define STANDING_NS (5 * SECOND_NS)
/* So many pages a second; and within so many seconds at least, that not all come at once. */
enum { PAGES_A_SECOND = 100, WITHIN_S = 3 };

enum { OK = 200, NOT_FOUND = 404, ENDED_KEPT = 64, KEY = SITE_NAME + BG_GAME_ID };

struct live {
    struct loop *loop; /* lent, like site and web */
    struct site *site;
    struct web *web;
    struct web_channel *lobby; /* owned, like the games' */
    struct live_game *games;   /* owned; newest first */
    bool is_planned;           /* the lobby will be told what has changed */
    int64_t results_ns;        /* when events will be told of games that have ended; 0: of none */
    int64_t standing_ns;       /* when they were told last */
};

static struct live_game *find_live(const struct live *live, const char *event, const char *id)
{
    struct live_game *game = live->games;

    while (game != NULL && (strcmp(game->id, id) != 0 || strcmp(game->event, event) != 0)) {
        game = game->next;
    }
    return game;
}

/* ------------------------------------------------------------------ as JSON */

static void weigh(const struct live *live, struct live_game *game)
{
    const char *const name[2] = {game->name[0], game->name[1]};

    game->stake = site_stake_of(live->site, game->event, name);
}

static void write_live(FILE *out, const struct live *live)
{
    const char *between = "";

    fputs("{\"schema\":1,\"games\":[", out);
    for (struct live_game *game = live->games; game != NULL; game = game->next) {
        if (game->state == LIVE_PLAYING) {
            weigh(live, game);
            fputs(between, out);
            live_game_write(out, game, false);
            between = ",";
        }
    }
    fputs("]}", out);
}

/* ------------------------------------------------------------------ streams */

/* Returns a game as the lobby hears of it, or all games (NULL), for the caller to free. */
static char *lobby_text(const struct live *live, struct live_game *game)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);

    if (game != NULL) {
        weigh(live, game);
        live_game_write(out, game, false);
    } else {
        write_live(out, live);
    }
    memory_stream_close(out);
    return text;
}

static void on_lobby(void *user, int64_t now_ns)
{
    struct live *live = user;

    (void)now_ns;
    live->is_planned = false;
    for (struct live_game *game = live->games; game != NULL; game = game->next) {
        if (game->has_changed) {
            char *text = lobby_text(live, game);

            web_channel_send(live->lobby, "game", text);
            free(text);
            game->has_changed = false;
        }
    }
}

/* The lobby hears only the last of several changes. */
static void note_change(struct live *live, struct live_game *game)
{
    game->has_changed = true;
    if (!live->is_planned) {
        live->is_planned = true;
        loop_after(live->loop, LOBBY_NS, on_lobby, live);
    }
}

/* The channel of an event is named like it, those of games "EVENT GAME". */
static void tell_event(const struct live *live, const char *event, const char *kind)
{
    struct web_channel *channel = web_channel_find(live->web, event);
    const int within_s = WITHIN_S + web_channel_streams(channel) / PAGES_A_SECOND;
    char *text = memory_print("{\"event\":\"%s\",\"within_s\":%d}", event, within_s);

    web_channel_send(channel, kind, text);
    free(text);
}

static void on_results(void *user, int64_t now_ns)
{
    struct live *live = user;

    if (now_ns < live->results_ns) {
        loop_after(live->loop, live->results_ns - now_ns, on_results, live);
        return;
    }
    live->results_ns = 0;
    live->standing_ns = now_ns;
    for (struct live_game *game = live->games; game != NULL; game = game->next) {
        if (game->is_result) {
            tell_event(live, game->event, "standings");
            for (struct live_game *other = game; other != NULL; other = other->next) {
                other->is_result = other->is_result && strcmp(other->event, game->event) != 0;
            }
        }
    }
}

/* Not before its pages can have the game: who asks then hears nothing further. */
static void note_result(struct live *live, struct live_game *game)
{
    const int64_t pages_ns = loop_now(live->loop) + site_renew(live->site, game->event),
                  next_ns = live->standing_ns + STANDING_NS,
                  at_ns = pages_ns > next_ns ? pages_ns : next_ns;

    game->is_result = true;
    if (live->results_ns == 0) {
        loop_after(live->loop, 0, on_results, live);
    }
    live->results_ns = live->results_ns > at_ns ? live->results_ns : at_ns;
}

/* ------------------------------------------------------------------ messages */

static void drop_game(struct live_game **place)
{
    struct live_game *game = *place;

    *place = game->next;
    web_channel_destroy(game->channel);
    live_game_destroy(game);
}

/* Forgets the games of an event, whose referee tells all anew; or (NULL) all that have ended but
 * the last ones, whose streams may not have read their end. Those of which the event is still to be
 * told stay. */
static void drop_games(struct live *live, const char *event)
{
    struct live_game **place = &live->games;
    int kept = 0;

    while (*place != NULL) {
        if (!(*place)->is_result &&
            (event != NULL ? strcmp((*place)->event, event) == 0
                           : (*place)->state != LIVE_PLAYING && ++kept > ENDED_KEPT)) {
            drop_game(place);
        } else {
            place = &(*place)->next;
        }
    }
}

void live_forget(struct live *live, const char *event)
{
    char *text;

    if (event != NULL) {
        drop_games(live, event);
        text = lobby_text(live, NULL);
        web_channel_reset(live->lobby, text);
        free(text);
    }
}

void live_add_ended(struct live *live, const char *results)
{
    char is_open[8] = "";
    struct store *store = NULL;
    const char *name;

    if (store_sqlite_open_read(&store, results, NULL) == BG_OK &&
        store_meta_text(is_open, sizeof is_open, store, STORE_OPEN, NULL) == BG_OK &&
        is_open[0] == '\0') {
        (void)site_add(&name, live->site, results, NULL);
    }
    store_destroy(store);
}

static void take_named_event(struct live *live, const char **event, const Inside__Message *message)
{
    struct bg_error err;

    store_sqlite_release(message->text, (message->number + SECOND_NS - 1) / SECOND_NS);
    if (site_add(event, live->site, message->text, &err) != BG_OK) {
        log_warn("page", "%s", err.text);
        return;
    }
    if (web_channel_find(live->web, *event) == NULL) {
        (void)web_channel_create(live->web, *event);
    }
    live_forget(live, *event);
}

static void begin_live(struct live *live, const char *event, const Inside__Message *message)
{
    struct live_game **place = &live->games, *game;
    char key[KEY];

    while (*place != NULL && *place != find_live(live, event, message->place)) {
        place = &(*place)->next;
    }
    if (*place != NULL) { /* after a void: played again */
        drop_game(place);
    }
    game = live_game_create(event, message->place, message->text);
    snprintf(key, sizeof key, "%s %s", event, game->id);
    game->channel = web_channel_create(live->web, key);
    game->next = live->games;
    live->games = game;
    note_change(live, game);
    drop_games(live, NULL);
}

static void finish_live(struct live *live, struct live_game *game, enum live_state state)
{
    game->state = state;
    web_channel_send(game->channel, state == LIVE_VOID ? "void" : "end", "{}");
    note_change(live, game);
}

void live_take(struct live *live, const char **event, const Inside__Message *message)
{
    struct live_game *game = *event == NULL ? NULL : find_live(live, *event, message->place);

    if (message->kind == INSIDE__KIND__EVENT) {
        take_named_event(live, event, message);
    } else if (message->kind == INSIDE__KIND__DATE) {
        site_add_date(live->site, message->place, message->text, message->number);
    } else if (message->kind == INSIDE__KIND__GAME && *event != NULL) {
        begin_live(live, *event, message);
    } else if (message->kind == INSIDE__KIND__STEP && game != NULL) {
        live_game_add(game, message->text);
        web_channel_send(game->channel, live_game_kind(message->text), message->text);
        note_change(live, game);
    } else if (message->kind == INSIDE__KIND__AWAY && game != NULL) {
        live_game_away(game, message->text);
        web_channel_send(game->channel, "away", message->text);
        note_change(live, game);
    } else if (message->kind == INSIDE__KIND__ENDED && game != NULL) {
        finish_live(live, game, LIVE_ENDED);
        note_result(live, game);
    } else if (message->kind == INSIDE__KIND__VOIDED && game != NULL) {
        finish_live(live, game, LIVE_VOID);
    }
}

/* ------------------------------------------------------------------ requests */

static int answer_stream(const struct live *live, const struct web_request *request, FILE *out,
                         struct web_answer *answer)
{
    char event[SITE_NAME], id[BG_GAME_ID];
    const bool has_event = web_value(event, sizeof event, request->query, "event");
    const struct live_game *game;

    if (!web_value(id, sizeof id, request->query, "game")) {
        answer->channel = has_event ? web_channel_find(live->web, event) : live->lobby;
        if (answer->channel == NULL) {
            fputs("no such event is in play\n", out);
            return NOT_FOUND;
        }
        if (has_event) {
            fprintf(out, "{\"event\":\"%s\"}", event);
        } else {
            write_live(out, live);
        }
        return OK;
    }
    game = find_live(live, event, id);
    if (game == NULL) {
        fputs("no such game is in play; /api/v1/live.json lists those that are\n", out);
        return NOT_FOUND;
    }
    live_game_write(out, game, true);
    answer->channel = game->channel;
    return OK;
}

int live_answer(struct live *live, const struct web_request *request, FILE *out,
                struct web_answer *answer)
{
    if (strcmp(request->path, "/api/v1/stream") == 0) {
        answer->is_open = true;
        return answer_stream(live, request, out, answer);
    }
    if (strcmp(request->path, "/api/v1/live.json") == 0) {
        answer->is_open = true;
        answer->type = "application/json";
        write_live(out, live);
        return OK;
    }
    return 0;
}

/* ------------------------------------------------------------------ on pages */

static void list_live(void *user, const struct site_page *page, struct doc *doc)
{
    const struct live *live = user;

    for (struct live_game *game = live->games; game != NULL; game = game->next) {
        weigh(live, game);
    }
    live_game_list(doc, page, live->games);
}

static struct doc *show_game(void *user, const struct site_page *page, const char *id)
{
    const struct live *live = user;
    const struct live_game *game = find_live(live, page->event->name, id);

    return game == NULL || game->state != LIVE_PLAYING ? NULL : live_game_document(game);
}

static const struct site_live on_site = {list_live, show_game};

struct live *live_create(struct loop *loop, struct site *site, struct web *web)
{
    struct live *live = memory_zeroed(1, sizeof *live);

    live->loop = loop;
    live->site = site;
    live->web = web;
    live->lobby = web_channel_create(web, "");
    site_show_live(site, &on_site, live);
    return live;
}

void live_destroy(struct live *live)
{
    if (live == NULL) {
        return;
    }
    loop_forget(live->loop, live);
    while (live->games != NULL) {
        drop_game(&live->games);
    }
    web_channel_destroy(live->lobby);
    free(live);
}
