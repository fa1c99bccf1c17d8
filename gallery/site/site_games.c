/* Lists of games: of an event, of one bot, of two bots. A page of a list begins behind the last
 * game of the one before, so it costs the same at the end of a long event as at its beginning. */
#include "site_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utc.h"

enum { GAME, WINNER, POINTS, END, TURNS, ENDED, GAMES_COLUMNS };

static const struct doc_column games_columns[GAMES_COLUMNS] = {
    [GAME] = {"game", "Game", .code = true, .game = true},
    [WINNER] = {"winner", "Winner", .bot = true},
    [POINTS] = {"points", "Points"},
    [END] = {"end", "How"},
    [TURNS] = {"turns", "Turns"},
    [ENDED] = {"ended", "Ended", "UTC"},
};

struct games_list {
    struct doc_table *table;
    char last[BG_GAME_ID]; /* the last row's */
    bool has_more;
};

static bool add_row(void *user, const struct store_game *game)
{
    struct games_list *list = user;
    struct doc_table *table = list->table;
    const bool is_fault = game->end == BG_END_FAULT;
    char at[UTC_TEXT];

    if (table->rows >= SITE_LIST) {
        list->has_more = true;
        return false;
    }
    utc_write(at, game->at_s);
    doc_row(table);
    doc_text(table, GAME, game->id);
    doc_text(table, WINNER, game->winner < 0 ? "" : game->winner == 0 ? game->a : game->b);
    doc_number(table, POINTS, (double)game->points);
    doc_say(table, END, "%s%s%s", bg_end_name(game->end), is_fault ? ": " : "",
            is_fault ? bg_fault_name(game->fault) : "");
    doc_number(table, TURNS, game->turns);
    if (at[0] != '\0') {
        doc_say(table, ENDED, "%.10s %.5s", at, at + 11);
    }
    snprintf(list->last, sizeof list->last, "%s", game->id);
    return true;
}

/* Whether two bots' games belong to the list: bot and opponent are "" for any. */
static bool is_asked(const struct site_list *list, const char *a, const char *b)
{
    const bool is_one =
        list->bot[0] == '\0' || strcmp(list->bot, a) == 0 || strcmp(list->bot, b) == 0;

    return is_one && (list->opponent[0] == '\0' ||
                      (strcmp(list->opponent, a) == 0 && strcmp(list->bot, b) == 0) ||
                      (strcmp(list->opponent, b) == 0 && strcmp(list->bot, a) == 0));
}

/* Two bots whose games the list asks for. */
struct two {
    const char *a, *b;
};

static int by_names(const void *x, const void *y)
{
    const struct two *one = x, *other = y;
    int order = strcmp(one->a, other->a);

    return order != 0 ? order : strcmp(one->b, other->b);
}

static size_t find_twos(struct two *out, const struct tally *tally, const struct site_list *list)
{
    size_t count = 0;

    for (size_t i = 0; i < tally->encounters; i++) {
        const struct tally_encounter *encounter = tally->encounter[i];
        const struct two two = {tally->bot[encounter->a].name, tally->bot[encounter->b].name};

        if (is_asked(list, two.a, two.b) &&
            (list->after.a[0] == '\0' ||
             by_names(&two, &(struct two){list->after.a, list->after.b}) >= 0)) {
            out[count++] = two;
        }
    }
    qsort(out, count, sizeof *out, by_names);
    return count;
}

/* Games of two bots, from the cursor on if it is one of theirs. */
static enum bg_status add_two(struct games_list *games, struct site_page *page,
                              const struct two *two, const struct game_id *cursor)
{
    struct game_id after = game_id_of(two->a, two->b);

    after.leg = -1;
    if (strcmp(two->a, cursor->a) == 0 && strcmp(two->b, cursor->b) == 0) {
        after = *cursor;
    }
    /* One more than fits shows that there is a next page. */
    return store_games_after(page->store, &after, SITE_LIST - games->table->rows + 1, add_row,
                             games, &page->err);
}

enum bg_status site_list(struct site_page *page, struct doc *doc, const struct site_list *list)
{
    const struct tally *tally = &page->event->gather.results.tally;
    struct two *twos = memory_zeroed(tally->encounters, sizeof *twos);
    struct games_list games = {.table = NULL};
    size_t count = find_twos(twos, tally, list);
    enum bg_status status = site_event_open(page);

    doc_section(doc, "games", "Games");
    games.table = doc_table(doc, "games", "Games by bots, pair, leg and number", games_columns,
                            GAMES_COLUMNS);
    for (size_t i = 0; i < count && status == BG_OK && !games.has_more; i++) {
        status = add_two(&games, page, &twos[i], &list->after);
    }
    if (status == BG_OK && games.table->rows == 0) {
        doc_tell(doc, "No games.");
    }
    if (games.has_more) {
        snprintf(page->next, sizeof page->next, "%s", games.last);
    }
    free(twos);
    return status;
}

/* Reads the parameters; false: one is not what it should be. */
static bool read_list(struct site_list *out, const char *query)
{
    char after[BG_GAME_ID];

    *out = (struct site_list){.bot = ""};
    (void)web_value(out->bot, sizeof out->bot, query, "bot");
    (void)web_value(out->opponent, sizeof out->opponent, query, "opponent");
    (void)web_value(after, sizeof after, query, "after");
    return (after[0] == '\0' || game_id_read(&out->after, after)) &&
           (out->opponent[0] == '\0' || out->bot[0] != '\0');
}

void site_list_way(struct site_page *page, struct doc *doc, const char *path,
                   const struct site_list *list)
{
    if (page->next[0] == '\0') {
        return;
    }
    if (page->site->is_folder) {
        doc_way(doc, site_path(page, doc, "%s/%d", path, page->number + 1), "More games");
    } else {
        const char *and = list->bot[0] == '\0' ? "" : "&";

        doc_way(doc,
                doc_format(doc, "%s?%s%s%s%s%s%safter=%s", path, and[0] == '\0' ? "" : "bot=",
                           list->bot, list->opponent[0] == '\0' ? "" : "&opponent=", list->opponent,
                           and, "", site_name(doc, page->next)),
                "More games");
    }
}

void site_games(struct site_page *page)
{
    struct site_list list;
    struct doc *doc = NULL;
    enum bg_status status;

    if (!read_list(&list, page->query)) {
        site_none(page, "no such list; games?bot=NAME&opponent=NAME&after=GAME");
        return;
    }
    status = site_event_read(page);
    if (status == BG_OK) {
        const struct tally *tally = &page->event->gather.results.tally;

        doc = site_event_doc(page, "Games");
        doc->lead =
            doc_format(doc, "%" PRIu64 " games, by bots, pair, leg and number.", tally->games);
        status = site_list(page, doc, &list);
        site_list_way(page, doc, doc_format(doc, "e/%s/games", site_name(doc, page->event->name)),
                      &list);
    }
    site_doc(page, doc, status);
}
