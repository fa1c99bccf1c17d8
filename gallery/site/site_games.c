/* Lists of games: of an event, of one bot, of two bots. A page of a list begins behind the last
 * game of the one before, so it costs the same at the end of a long event as at its beginning. */
#include "site_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utc.h"
#include "report/section.h"

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

/* All who have met, but for those before the cursor. */
static size_t find_twos(struct two *out, const struct tally *tally, const struct report_whom *whom,
                        const struct two *cursor)
{
    size_t count = 0;

    for (size_t i = 0; i < tally->encounters; i++) {
        const int a = tally->encounter[i]->a, b = tally->encounter[i]->b;
        const struct two two = {tally->bot[a].name, tally->bot[b].name};
        const int other = whom->bot == a ? b : a;

        if ((whom->bot < 0 || whom->bot == a || whom->bot == b) &&
            (whom->opponent < 0 || whom->opponent == other) && by_names(&two, cursor) >= 0) {
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
    return store_games_after(page->store, &after, SITE_LIST - games->table->rows + 1, false,
                             add_row, games, &page->err);
}

static void add_way(const struct site_page *page, struct doc *doc)
{
    const char *query = page->query, *after = strstr(query, "after=");
    const int kept = after == NULL ? (int)strlen(query) : (int)(after - query);

    if (page->site->is_folder) {
        doc_way(doc, site_path(page, doc, "%s/%d", page->path, page->number + 1), "More games");
    } else {
        doc_way(doc,
                doc_format(doc, "%s?%.*s%safter=%s", page->path, kept, query,
                           kept > 0 && query[kept - 1] != '&' ? "&" : "",
                           site_name(doc, page->next)),
                "More games");
    }
}

enum bg_status site_list(struct site_page *page, struct doc *doc, const struct report_whom *whom)
{
    const struct tally *tally = &page->event->gather.results.tally;
    struct two *twos = memory_zeroed(tally->encounters, sizeof *twos);
    struct games_list games = {.table = NULL};
    struct game_id cursor = {.a = ""};
    enum bg_status status = site_event_open(page);
    char after[BG_GAME_ID];
    size_t count;

    (void)web_value(after, sizeof after, page->query, "after");
    if (after[0] != '\0' && !game_id_read(&cursor, after)) {
        status = bg_error_set(&page->err, BG_E_ARGUMENT, "no such list; after=GAME is wrong");
    }
    count = find_twos(twos, tally, whom, &(struct two){cursor.a, cursor.b});
    doc_section(doc, "games", "Games");
    games.table = doc_table(doc, "games", "Games by bots, pair, leg and number", games_columns,
                            GAMES_COLUMNS);
    for (size_t i = 0; i < count && status == BG_OK && !games.has_more; i++) {
        status = add_two(&games, page, &twos[i], &cursor);
    }
    if (games.table->rows == 0) {
        doc_tell(doc, "No games.");
    }
    if (games.has_more) {
        snprintf(page->next, sizeof page->next, "%s", games.last);
        add_way(page, doc);
    }
    free(twos);
    return status;
}

/* A bot that the query names; *out is -1: none. */
static enum bg_status find_bot(int *out, struct site_page *page, const char *key)
{
    char name[GAME_ID_NAME];

    if (!web_value(name, sizeof name, page->query, key)) {
        *out = -1;
        return BG_OK;
    }
    *out = tally_find(&page->event->gather.results.tally, name);
    return *out >= 0 ? BG_OK
                     : bg_error_set(&page->err, BG_E_ARGUMENT,
                                    "no such bot; e/EVENT/standings lists them");
}

void site_games(struct site_page *page)
{
    enum bg_status status = site_event_read(page);
    struct report_whom whom = {-1, -1};
    struct doc *doc = NULL;

    if (status == BG_OK) {
        status = find_bot(&whom.bot, page, "bot");
    }
    if (status == BG_OK) {
        status = find_bot(&whom.opponent, page, "opponent");
    }
    if (status == BG_OK) {
        doc = site_event_doc(page, "Games");
        doc->lead = doc_format(doc, "%" PRIu64 " games, by bots, pair, leg and number.",
                               page->event->gather.results.tally.games);
        status = site_list(page, doc, &whom);
    }
    site_doc(page, doc, status);
}
