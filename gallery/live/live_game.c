/* The tables are what a reader without script sees; the script draws the boards from the same lines
 * of JSON, which it gets by the stream. */
#include "live_game.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/memory.h"

enum { STEP, WORDS, XGID, COLUMNS };

static const struct doc_column columns[COLUMNS] = {
    [STEP] = {"step", "Step"},
    [WORDS] = {"did", "What happened"},
    [XGID] = {"xgid", "Position after", .code = true},
};

enum { GAME, BOTS, LAST, LIST_COLUMNS };

static const struct doc_column list_columns[LIST_COLUMNS] = {
    [GAME] = {"game", "Game", .code = true},
    [BOTS] = {"bots", "Bots"},
    [LAST] = {"last", "Last"},
};

struct live_game *live_game_create(const char *event, const char *id, const char *begin)
{
    struct live_game *game = memory_zeroed(1, sizeof *game);
    json_t *line = json_loads(begin, 0, NULL);
    const char *first = "", *second = "";

    snprintf(game->event, sizeof game->event, "%s", event);
    snprintf(game->id, sizeof game->id, "%s", id);
    game->begin = memory_text(begin);
    if (json_unpack(line, "{s:[s, s], s:i}", "names", &first, &second, "length", &game->length) ==
        0) {
        snprintf(game->name[0], sizeof game->name[0], "%s", first);
        snprintf(game->name[1], sizeof game->name[1], "%s", second);
    }
    json_decref(line);
    return game;
}

void live_game_destroy(struct live_game *game)
{
    for (size_t i = 0; i < game->count; i++) {
        free(game->steps[i]);
    }
    free(game->steps);
    free(game->begin);
    free(game);
}

void live_game_add(struct live_game *game, const char *step)
{
    game->steps = memory_list(game->steps, &game->room, game->count + 1, sizeof *game->steps);
    game->steps[game->count++] = memory_text(step);
}

void live_game_away(struct live_game *game, const char *line)
{
    json_t *json = json_loads(line, 0, NULL);
    int seat = 0, is_away = 0;

    if (json_unpack(json, "{s:i, s:b}", "seat", &seat, "away", &is_away) == 0 && seat >= 0 &&
        seat < 2) {
        game->is_away[seat] = is_away != 0;
    }
    json_decref(json);
}

const char *live_game_kind(const char *step)
{
    static const struct {
        const char *name, *kind;
    } steps[] = {
        {"open", "roll"},   {"roll", "roll"}, {"reroll", "roll"}, {"play", "play"},
        {"double", "cube"}, {"take", "cube"}, {"pass", "cube"},   {"raise", "cube"},
    };
    json_t *json = json_loads(step, 0, NULL);
    const char *name = json_string_value(json_object_get(json, "kind")), *kind = "notice";

    for (size_t i = 0; name != NULL && i < sizeof steps / sizeof *steps; i++) {
        kind = strcmp(steps[i].name, name) == 0 ? steps[i].kind : kind;
    }
    json_decref(json);
    return kind;
}

/* Neither names of events nor ids of games have what JSON escapes. */
void live_game_write(FILE *out, const struct live_game *game, bool is_whole)
{
    static const char *const states[] = {"playing", "ended", "void"};

    fprintf(out, "{\"event\":\"%s\",\"game\":\"%s\",\"state\":\"%s\",\"final\":%s,\"ranks\":",
            game->event, game->id, states[game->state], game->stake.is_final ? "true" : "false");
    if (game->stake.rank[0] > 0 && game->stake.rank[1] > 0) {
        fprintf(out, "[%d,%d],", game->stake.rank[0], game->stake.rank[1]);
    } else {
        fputs("null,", out);
    }
    fprintf(out, "\"away\":[%s,%s],\"begin\":%s,", game->is_away[0] ? "true" : "false",
            game->is_away[1] ? "true" : "false", game->begin);
    fputs(is_whole ? "\"steps\":[" : "\"last\":", out);
    for (size_t i = is_whole || game->count == 0 ? 0 : game->count - 1; i < game->count; i++) {
        fprintf(out, "%s%s", is_whole && i > 0 ? "," : "", game->steps[i]);
    }
    fputs(is_whole ? "]}" : game->count == 0 ? "null}" : "}", out);
}

/* Returns a line's member as text; "" if it has none. */
static const char *member(struct doc *doc, const json_t *line, const char *name)
{
    const char *text = json_string_value(json_object_get(line, name));

    return text == NULL ? "" : doc_copy(doc, text);
}

static const char *names_of(struct doc *doc, const struct live_game *game)
{
    return doc_format(doc, "%s against %s", game->name[0], game->name[1]);
}

/* Who is away, as a sentence. */
static const char *away_of(struct doc *doc, const struct live_game *game)
{
    const bool *is_away = game->is_away;

    return !is_away[0] && !is_away[1] ? ""
           : is_away[0] && is_away[1]
               ? " Both bots are away and waited for."
               : doc_format(doc, " %s is away and waited for.", game->name[is_away[1] ? 1 : 0]);
}

struct doc *live_game_document(const struct live_game *game)
{
    struct doc *doc = doc_create("");
    json_t *line = json_loads(game->begin, 0, NULL);
    const bool is_hidden = json_object_get(line, "hidden") != NULL;
    struct doc_table *table;

    doc->title = names_of(doc, game);
    doc->lead = doc_format(doc, "This game is in play.%s", away_of(doc, game));
    doc->part = "live";
    doc_section(doc, "steps", "Steps");
    table = doc_table(doc, "live", "What happened, step by step", columns, COLUMNS);
    table->head = STEP;
    for (size_t i = 0; i < game->count; i++) {
        json_decref(line);
        line = json_loads(game->steps[i], 0, NULL);
        doc_row(table);
        doc_number(table, STEP, (double)json_integer_value(json_object_get(line, "n")));
        doc_text(table, WORDS, member(doc, line, "did"));
        doc_text(table, XGID, member(doc, line, "xgid"));
    }
    json_decref(line);
    if (is_hidden) {
        doc_destroy(doc);
        return NULL;
    }
    return doc;
}

static int ranks_of(const struct live_game *game)
{
    const int *rank = game->stake.rank;

    return rank[0] > 0 && rank[1] > 0 ? rank[0] + rank[1] : INT_MAX;
}

/* Finals, leaders, the longest matches; as live.js has it. */
static int by_stake(const void *x, const void *y)
{
    const struct live_game *a = *(struct live_game *const *)x, *b = *(struct live_game *const *)y;

    return a->stake.is_final != b->stake.is_final ? b->stake.is_final - a->stake.is_final
           : ranks_of(a) != ranks_of(b)           ? (ranks_of(a) < ranks_of(b) ? -1 : 1)
                                                  : b->length - a->length;
}

static void add_game(struct doc_table *table, const struct site_page *page,
                     const struct live_game *game)
{
    struct doc *doc = table->doc;
    json_t *begin = json_loads(game->begin, 0, NULL), *last = NULL;

    last = game->count == 0 ? NULL : json_loads(game->steps[game->count - 1], 0, NULL);
    doc_row(table);
    doc_text(table, GAME, doc_copy(doc, game->id));
    if (json_object_get(begin, "hidden") == NULL) {
        doc_lead_to(table, GAME,
                    site_path(page, doc, "e/%s/g/%s", game->event, site_name(doc, game->id)));
    }
    doc_text(table, BOTS,
             doc_format(doc, "%s%s", game->stake.is_final ? "Final: " : "", names_of(doc, game)));
    doc_say(table, LAST, "%s%s%s%s", member(doc, begin, "hidden"), member(doc, last, "did"),
            last != NULL && away_of(doc, game)[0] != '\0' ? "." : "", away_of(doc, game));
    json_decref(last);
    json_decref(begin);
}

/* Whether the page lists it: that of an event has its own. */
static bool is_listed(const struct site_page *page, const struct live_game *game)
{
    return game->state == LIVE_PLAYING &&
           (page->event == NULL || strcmp(page->event->name, game->event) == 0);
}

void live_game_list(struct doc *doc, const struct site_page *page, const struct live_game *games)
{
    const struct live_game **list;
    struct doc_table *table;
    size_t count = 0;

    doc->part = "live";
    doc_section(doc, "live", "In play");
    for (const struct live_game *game = games; game != NULL; game = game->next) {
        count += is_listed(page, game);
    }
    if (count == 0) {
        doc_tell(doc, "No game is in play. The next one is shown here when it begins.");
        return;
    }
    table = doc_table(doc, "live", "Games in play", list_columns, LIST_COLUMNS);
    list = memory_zeroed(count, sizeof *list);
    for (count = 0; games != NULL; games = games->next) {
        if (is_listed(page, games)) {
            list[count++] = games;
        }
    }
    qsort(list, count, sizeof *list, by_stake);
    for (size_t i = 0; i < count; i++) {
        add_game(table, page, list[i]);
    }
    free(list);
}
