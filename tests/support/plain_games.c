#include "plain_games.h"

#include <stddef.h>
#include <string.h>

#define WESTERN      "24:2 13:5 8:3 6:5"
#define USUAL        .checkers = 15, .points = 24, .dice = 2, .times = 4
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const struct plain_game games[] = {
    {.id = "backgammon", .setup = WESTERN, USUAL},
    {.id = "nackgammon", .setup = "24:2 23:2 13:4 8:3 6:4", USUAL},
    {.id = "hypergammon",
     .setup = "24:1 23:1 22:1",
     .checkers = 3,
     .points = 24,
     .dice = 2,
     .times = 4},
    {.id = "long-nardi",
     .setup = "24:15",
     .way = PLAIN_PARALLEL,
     .contact = PLAIN_BLOCK,
     USUAL,
     .head = PLAIN_HEAD_DOUBLES,
     .block = PLAIN_BLOCK_AHEAD},
    {.id = "short-nardi", .setup = WESTERN, USUAL},
    {.id = "portes", .setup = WESTERN, USUAL},
    {.id = "plakoto", .setup = "24:15", .contact = PLAIN_PIN, USUAL, .mother = true},
    {.id = "fevga",
     .setup = "24:15",
     .way = PLAIN_PARALLEL,
     .contact = PLAIN_BLOCK,
     USUAL,
     .first = 11,
     .quarter = PLAIN_QUARTER_OWN,
     .open_prime = true},
    {.id = "moultezim",
     .setup = "24:15",
     .way = PLAIN_PARALLEL,
     .contact = PLAIN_BLOCK,
     USUAL,
     .first = 11,
     .quarter = PLAIN_QUARTER_FOUR},
    {.id = "gul",
     .setup = "24:15",
     .way = PLAIN_PARALLEL,
     .contact = PLAIN_BLOCK,
     USUAL,
     .first = 11,
     .quarter = PLAIN_QUARTER_OWN,
     .open_prime = true,
     .handover = true},
    {.id = "gulbara",
     .setup = "24:15",
     .way = PLAIN_PARALLEL,
     .contact = PLAIN_BLOCK,
     USUAL,
     .handover = true},
    {.id = "tapa", .setup = "24:15", .contact = PLAIN_PIN, USUAL},
    {.id = "tavla", .setup = WESTERN, USUAL, .stay_on_hits = true},
    {.id = "acey-deucey", .setup = "", USUAL},
    {.id = "asodio", .setup = "", USUAL, .exact = true, .gate = PLAIN_GATE_FIRST},
    {.id = "russian", .setup = "", .way = PLAIN_COMMON, USUAL},
    {.id = "old-english", .setup = WESTERN, USUAL, .duty = PLAIN_DUTY_GO_ON, .five = true},
    {.id = "misere", .setup = WESTERN, USUAL},
    {.id = "tabula", .setup = "", .checkers = 15, .points = 24, .dice = 3, .times = 1},
    {.id = "irish", .setup = WESTERN, .checkers = 15, .points = 24, .dice = 2, .times = 2},
    {.id = "dutch", .setup = "", USUAL, .right = PLAIN_RIGHT_KEPT},
    {.id = "shuanglu", .setup = WESTERN, .checkers = 15, .points = 24, .dice = 2, .times = 2},
    {.id = "kiz-tavlasi", .setup = "6:3 5:3 4:3 3:2 2:2 1:2", .contact = PLAIN_PILES, USUAL},
    {.id = "hoyle-1870", .setup = WESTERN, USUAL, .duty = PLAIN_DUTY_EITHER},
    {.id = "xii-scripta",
     .setup = "",
     .way = PLAIN_SCRIPTA,
     .checkers = 15,
     .points = 36,
     .dice = 3,
     .times = 1},
    {.id = "nard", .setup = "24:15", .contact = PLAIN_BLOCK, USUAL},
};

/* An option's effect on the plays of a stage. */
static void open_quarter(struct plain_game *game)
{
    game->quarter = PLAIN_QUARTER_BOTH;
}

static void home_quarter(struct plain_game *game)
{
    game->quarter = PLAIN_QUARTER_HOME;
}

static void first_outer(struct plain_game *game)
{
    game->first = 18;
}

static void head_doubles(struct plain_game *game)
{
    game->head = PLAIN_HEAD_DOUBLES;
}

static void head_any(struct plain_game *game)
{
    game->head = PLAIN_HEAD_ANY;
}

static void head_need(struct plain_game *game)
{
    game->head = PLAIN_HEAD_NEED;
}

static void block_ahead(struct plain_game *game)
{
    game->block = PLAIN_BLOCK_AHEAD;
}

static void block_end(struct plain_game *game)
{
    game->block = PLAIN_BLOCK_END;
}

static void block_all(struct plain_game *game)
{
    game->block = PLAIN_BLOCK_ALL;
}

static void stay(struct plain_game *game)
{
    game->stay_on_hits = true;
}

static void run(struct plain_game *game)
{
    game->stay_on_hits = false;
}

static void bear_pinned(struct plain_game *game)
{
    game->bear_pinned = true;
}

static void with_mother(struct plain_game *game)
{
    game->mother = true;
}

static void exact(struct plain_game *game)
{
    game->exact = true;
}

static void gate_always(struct plain_game *game)
{
    game->gate = PLAIN_GATE_ALWAYS;
}

static void enter_all(struct plain_game *game)
{
    game->entering = PLAIN_ENTER_ALL;
}

static void enter_half(struct plain_game *game)
{
    game->entering = PLAIN_ENTER_HALF;
}

static void stop(struct plain_game *game)
{
    game->duty = PLAIN_DUTY_NONE;
}

static void common(struct plain_game *game)
{
    game->way = PLAIN_COMMON;
}

static void parallel(struct plain_game *game)
{
    game->way = PLAIN_PARALLEL;
}

static void right_present(struct plain_game *game)
{
    game->right = PLAIN_RIGHT_PRESENT;
}

/* An option about turns and scores, without effect on any stage. */
static void nothing(struct plain_game *game)
{
}

static const struct {
    const char *game, *option;
    void (*apply)(struct plain_game *game);
} options[] = {
    {"long-nardi", "head=any", head_any},
    {"long-nardi", "head=need", head_need},
    {"long-nardi", "block=end", block_end},
    {"long-nardi", "block=all", block_all},
    {"long-nardi", "koks=on", nothing},
    {"long-nardi", "equal-turns=on", nothing},
    {"portes", "hit-run=off", stay},
    {"plakoto", "bear-pinned=on", bear_pinned},
    {"plakoto", "mother=1", nothing},
    {"plakoto", "mother=3", nothing},
    {"fevga", "quarter=both", open_quarter},
    {"moultezim", "first=outer", first_outer},
    {"moultezim", "quarter=home", home_quarter},
    {"gul", "handover=off", nothing},
    {"gulbara", "grace=global", nothing},
    {"gulbara", "grace=none", nothing},
    {"gulbara", "handover=off", nothing},
    {"gulbara", "head=1", head_doubles},
    {"gulbara", "block=nardi", block_ahead},
    {"gulbara", "bear=exact", exact},
    {"tapa", "mother=2", with_mother},
    {"tavla", "hit-run=on", run},
    {"acey-deucey", "doubles-again=off", nothing},
    {"acey-deucey", "score=single", nothing},
    {"asodio", "gate=always", gate_always},
    {"russian", "enter-all=on", enter_all},
    {"russian", "first-double=plain", nothing},
    {"russian", "21=wild", nothing},
    {"russian", "next=winner", nothing},
    {"old-english", "free=stop", stop},
    {"misere", "turns=500", nothing},
    {"tabula", "way=common", common},
    {"tabula", "enter-all=half", enter_half},
    {"tabula", "score=gammon", nothing},
    {"tabula", "score=backgammon", nothing},
    {"nard", "way=parallel", parallel},
    {"irish", "score=gammon", nothing},
    {"dutch", "hit-right=present", right_present},
    {"kiz-tavlasi", "score=gammon", nothing},
};

static bool apply(struct plain_game *game, const char *option, size_t length)
{
    for (size_t i = 0; i < COUNT(options); i++) {
        if (strcmp(options[i].game, game->id) == 0 && strlen(options[i].option) == length &&
            strncmp(options[i].option, option, length) == 0) {
            options[i].apply(game);
            return true;
        }
    }
    return false;
}

bool plain_game_read(struct plain_game *out, const char *text)
{
    const size_t id = strcspn(text, ":");
    bool known = false;

    for (size_t i = 0; i < COUNT(games) && !known; i++) {
        if (strlen(games[i].id) == id && strncmp(games[i].id, text, id) == 0) {
            *out = games[i];
            known = true;
        }
    }
    for (const char *at = text + id; known && *at != '\0';) {
        const size_t length = strcspn(at + 1, ",");

        known = apply(out, at + 1, length);
        at += 1 + length;
    }
    return known;
}

int plain_opponent_point(const struct plain_game *game, int n)
{
    switch (game->way) {
    case PLAIN_PARALLEL:
        return n <= 12 ? n + 12 : n - 12;
    case PLAIN_COMMON:
        return n;
    case PLAIN_SCRIPTA:
        return n > 24 ? n : 25 - n;
    default:
        return 25 - n;
    }
}
