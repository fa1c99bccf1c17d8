/* live_game.h - one game in play, as JSON and on pages; for live.c only. */
#ifndef GALLERY_LIVE_LIVE_GAME_H
#define GALLERY_LIVE_LIVE_GAME_H

#include <bgref/ask.h>

#include "loop/web.h"
#include "site/site_page.h"

enum live_state { LIVE_PLAYING, LIVE_ENDED, LIVE_VOID };

struct live_game {
    struct live_game *next;
    char event[SITE_NAME], id[BG_GAME_ID]; /* id: of a game, or "A|B|PAIR" */
    char name[2][GAME_ID_NAME];            /* by seat */
    int length;                            /* 0 money */
    struct site_stake stake;
    bool is_away[2]; /* by seat */
    char *begin;     /* owned JSON, like steps */
    char **steps;
    size_t count, room;
    bool has_changed; /* the lobby has not heard of it */
    bool is_result;   /* it has ended, and its event will be told */
    enum live_state state;
    struct web_channel *channel; /* owned by live.c */
};

struct live_game *live_game_create(const char *event, const char *id, const char *begin);
void live_game_destroy(struct live_game *game);
void live_game_add(struct live_game *game, const char *step);
/* Takes a line of public_away. */
void live_game_away(struct live_game *game, const char *line);
/* What a step does, as the kind of an event: "roll", "play", "cube", or "notice". */
const char *live_game_kind(const char *step);

/* Writes `{"event":..., "game":..., "state":..., "final":..., "ranks":[...], "away":[...],
 * "begin":{...}, "last":...}`; with is_whole all "steps" instead of the last. */
void live_game_write(FILE *out, const struct live_game *game, bool is_whole);

/* Returns the page of a game, which is the caller's; NULL: nothing of it is shown yet. */
struct doc *live_game_document(const struct live_game *game);
/* Adds a table of those that are in play, on the page of an event of its own, with most at stake
 * first. */
void live_game_list(struct doc *doc, const struct site_page *page, const struct live_game *games);

#endif
