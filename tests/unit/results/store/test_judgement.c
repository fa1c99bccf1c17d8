/* Judgements: as text, and with the games of a store. */
#define _GNU_SOURCE
#include <store/judgement.h>
#include <store/store.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "support/results_folder.h"
#include "support/set_aside.h"
#include "support/suite.h"

static int pair; /* of the games and judgements that are made */

static void put_game(struct store *store, const char *b, int number)
{
    struct store_game *game = calloc(1, sizeof *game);
    char id[BG_GAME_ID];

    snprintf(id, sizeof id, "a|%s|%d|0|%d", b, pair, number);
    *game = (struct store_game){.id = strdup(id),
                                .a = strdup("a"),
                                .b = strdup(b),
                                .pair = (uint64_t)pair,
                                .game = number,
                                .points = 2,
                                .level = 1,
                                .end = BG_END_OFF,
                                .text = strdup("text")};
    game->text_size = 4;
    snprintf(game->hash, sizeof game->hash, "hash of %s", id);
    ck_assert_int_eq(store_put_game(store, game, NULL), BG_OK);
}

/* A judgement by `judge` of game a|b|0|0|number, different from game to game in every field. */
static struct judgement *make(const char *judge, const char *b, int number, bool with_choices)
{
    struct judgement *judgement = calloc(1, sizeof *judgement);
    char id[BG_GAME_ID], hash[RECORD_HASH];

    snprintf(id, sizeof id, "a|%s|%d|0|%d", b, pair, number);
    snprintf(hash, sizeof hash, "hash of %.40s", id);
    *judgement = (struct judgement){
        .game_id = strdup(id),
        .judge = strdup(judge),
        .hash = strdup(hash),
        .roll = calloc(2, sizeof *judgement->roll),
        .rolls = 2,
        .has_choices = with_choices,
        .luck = {number + 1.0 / 3, -0.25},
        .cpu_ns = 1000 + number,
    };
    judgement->roll[0] = (struct judged_roll){0, 0, number + 1.0 / 3, 0};
    judgement->roll[1] = (struct judged_roll){2, 1, -0.25, 0.0625};
    if (with_choices) {
        judgement->choice = calloc(3, sizeof *judgement->choice);
        judgement->choices = 3;
        judgement->choice[0] =
            (struct judged_choice){1, 0, JUDGED_PLAY, true, 0.125, 0.25, "8/5* 6/5*"};
        judgement->choice[1] = (struct judged_choice){2, 1, JUDGED_DOUBLE, false, 0, 0, "roll"};
        judgement->choice[2] = (struct judged_choice){3, 0, JUDGED_TAKE, true, 1e-7, 2e-7, ""};
    }
    return judgement;
}

static void put(struct store *store, struct judgement *take)
{
    ck_assert_int_eq(store_put_judgement(store, take, NULL), BG_OK);
}

static void same(const struct judgement *is, const struct judgement *expected)
{
    ck_assert_str_eq(is->game_id, expected->game_id);
    ck_assert_str_eq(is->judge, expected->judge);
    ck_assert_str_eq(is->hash, expected->hash);
    ck_assert(is->luck[0] == expected->luck[0] && is->luck[1] == expected->luck[1]);
    ck_assert_int_eq(is->cpu_ns, expected->cpu_ns);
    ck_assert_uint_eq(is->rolls, expected->rolls);
    for (size_t i = 0; i < is->rolls; i++) {
        ck_assert_int_eq(is->roll[i].step, expected->roll[i].step);
        ck_assert_int_eq(is->roll[i].bot, expected->roll[i].bot);
        ck_assert_double_eq_tol(is->roll[i].luck, expected->roll[i].luck, 1e-9);
    }
    ck_assert_int_eq(is->has_choices, expected->has_choices);
    ck_assert_uint_eq(is->choices, expected->choices);
    for (size_t i = 0; i < is->choices; i++) {
        const struct judged_choice *a = &is->choice[i], *b = &expected->choice[i];

        ck_assert(a->step == b->step && a->bot == b->bot && a->kind == b->kind);
        ck_assert_int_eq(a->counted, b->counted);
        ck_assert_double_eq_tol(a->error, b->error, 1e-12);
        ck_assert_double_eq_tol(a->loss, b->loss, 1e-12);
        ck_assert_str_eq(a->best, b->best);
    }
}

/* --- as text --------------------------------------------------------------------------------- */

TEST_IN(texts, judgements_round_trip_as_text)
{
    struct judgement *judgement = make("j", "b", 7, true);
    struct judgement *back = make("j", "b", 7, false);
    struct judgement *copy = judgement_copy(judgement);
    char *rolls = judgement_rolls_text(judgement);
    char *choices = judgement_choices_text(judgement);

    ck_assert_int_eq(judgement_read_rolls(back, rolls, NULL), BG_OK);
    ck_assert_int_eq(judgement_read_choices(back, choices, NULL), BG_OK);
    back->has_choices = true;
    same(back, judgement);
    same(copy, judgement);
    free(rolls);
    free(choices);
    judgement_destroy(judgement);
    judgement_destroy(back);
    judgement_destroy(copy);
    judgement_destroy(NULL);
}

static const struct {
    bool of_choices;
    const char *text, *message;
} broken[] = {
    {false, "0 0 0.5", "roll line 1"},
    {false, "0 0 0.5\n1 2 0.5\n", "roll line 2"},
    {false, "0 0 nan\n", "roll line 1"},
    {false, "-1 0 0.5\n", "roll line 1"},
    {false, "0 0 0.5 \n", "roll line 1"},
    {false, "0 0 0.5 0\n", "roll line 1"},
    {false, "0 0 0.5 -0.1\n", "roll line 1"},
    {false, "0 0 0.5 0.1 1\n", "roll line 1"},
    {true, "0 0 play 1 0.5 0.5\n", "choice line 1"},
    {true, "0 0 move 1 0.5 0.5 8/5\n", "choice line 1"},
    {true, "0 0 play 2 0.5 0.5 8/5\n", "choice line 1"},
    {true, "0 0 play 1 0.5 0.5 8/5", "choice line 1"},
    {true, "0 0 play 1 0.5 0.5 123456789 123456789 123456789 123456789 12345678\n",
     "choice line 1"},
};

TEST_ROWS_IN(texts, invalid_judgement_text_is_refused_by_line_number, broken)
{
    struct judgement *judgement = make("j", "b", 0, true);
    enum bg_status status = broken[_i].of_choices
                                ? judgement_read_choices(judgement, broken[_i].text, &error)
                                : judgement_read_rolls(judgement, broken[_i].text, &error);

    ck_assert_int_eq(status, BG_E_FORMAT);
    ck_assert_msg(strstr(error.text, broken[_i].message) != NULL, "%s", error.text);
    ck_assert_uint_eq(broken[_i].of_choices ? judgement->choices : judgement->rolls, 0);
    judgement_destroy(judgement);
}

/* --- in a store ------------------------------------------------------------------------------ */

struct shown {
    int count;
    struct judgement *expected; /* one value per judgement, in order; NULL: not checked */
    char ids[256];
};

static bool show(void *user, const struct store_game *game, const struct judgement *judgement)
{
    struct shown *shown = user;
    size_t used = strlen(shown->ids);

    ck_assert_ptr_null(game->text);
    ck_assert_str_eq(game->id, judgement->game_id);
    ck_assert_int_eq(game->points, 2);
    if (shown->expected != NULL) {
        same(judgement, shown->expected);
    }
    snprintf(shown->ids + used, sizeof shown->ids - used, "%s ", game->id);
    shown->count++;
    return true;
}

static struct shown each(struct store *store, const char *judge)
{
    struct shown shown = {0};

    ck_assert_int_eq(store_each_judgement(store, judge, show, &shown, NULL), BG_OK);
    return shown;
}

TEST(judgements_are_returned_by_judge_in_the_order_of_games)
{
    struct store *store = open_store();
    struct shown shown;

    put_game(store, "c", 0);
    put_game(store, "b", 1);
    put_game(store, "b", 0);
    put(store, make("one", "c", 0, false));
    put(store, make("one", "b", 0, false));
    put(store, make("two", "b", 1, true));
    shown = each(store, "one");
    ck_assert_str_eq(shown.ids, "a|b|0|0|0 a|c|0|0|0 ");
    shown = (struct shown){.expected = make("two", "b", 1, true)};
    ck_assert_int_eq(store_each_judgement(store, "two", show, &shown, NULL), BG_OK);
    ck_assert_str_eq(shown.ids, "a|b|0|0|1 ");
    judgement_destroy(shown.expected);
    ck_assert_int_eq(each(store, "three").count, 0);
    store_destroy(store);
}

TEST(a_second_judgement_replaces_the_first)
{
    struct store *store = open_store();
    struct shown shown = {.expected = make("one", "b", 0, true)};

    put_game(store, "b", 0);
    put(store, make("one", "b", 0, false));
    ck_assert_int_eq(each(store, "one").count, 1);
    put(store, make("one", "b", 0, true));
    ck_assert_int_eq(store_each_judgement(store, "one", show, &shown, NULL), BG_OK);
    ck_assert_int_eq(shown.count, 1);
    judgement_destroy(shown.expected);
    store_destroy(store);
}

static void add_judge(void *user, const char *judge, uint64_t games)
{
    char *text = user;

    sprintf(text + strlen(text), "%s=%d ", judge, (int)games);
}

TEST(judges_are_counted)
{
    struct store *store = open_store();
    char text[64] = "";

    put_game(store, "b", 0);
    put(store, make("two", "b", 0, false));
    put(store, make("one", "b", 1, false));
    put(store, make("two", "b", 1, false));
    ck_assert_int_eq(store_each_judge(store, add_judge, text, NULL), BG_OK);
    ck_assert_str_eq(text, "one=1 two=2 ");
    store_destroy(store);
}

TEST(judgements_leave_with_their_pair_only)
{
    struct store *store = open_store();
    char text[64] = "";

    for (pair = 0; pair < 3; pair++) {
        put_game(store, "b", 0);
        put(store, make("one", "b", 0, false));
        put(store, make("two", "b", 0, true));
    }
    pair = 0;
    ck_assert_int_eq(set_pair_aside(store, "a|b|1", "shown", "2026-01-02T03:04:05Z", NULL), BG_OK);
    ck_assert_int_eq(store_each_judge(store, add_judge, text, NULL), BG_OK);
    ck_assert_str_eq(text, "one=2 two=2 ");
    store_destroy(store);
}

struct wanting {
    char text[64];
    bool stop;
};

static bool want(void *user, const struct store_game *game)
{
    struct wanting *wanting = user;

    ck_assert_str_eq(game->text, "text");
    sprintf(wanting->text + strlen(wanting->text), "%d ", game->game);
    return !wanting->stop;
}

static void look(struct wanting *wanting, struct store *store, const char *judge, bool with_choices,
                 int64_t *cursor, int limit)
{
    const struct store_query query = {.rows = STORE_UNJUDGED,
                                      .name = judge,
                                      .full = with_choices,
                                      .cursor = cursor,
                                      .limit = limit,
                                      .fn.game = want,
                                      .user = wanting};

    ck_assert_int_eq(store->ops->each(store, &query, NULL), BG_OK);
}

static void wants(struct store *store, const char *judge, bool with_choices, int64_t *cursor,
                  int limit, const char *expected)
{
    struct wanting wanting = {0};

    look(&wanting, store, judge, with_choices, cursor, limit);
    ck_assert_str_eq(wanting.text, expected);
}

TEST(unjudged_games_are_listed_once_in_order)
{
    struct store *store = open_store();
    int64_t cursor = 0, again = 0, all = 0, other = 0;

    for (int game = 4; game >= 0; game--) {
        put_game(store, "b", game);
    }
    put(store, make("one", "b", 3, false));
    put(store, make("one", "b", 2, true));
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    wants(store, "one", false, &cursor, 2, "4 1 ");
    wants(store, "one", false, &cursor, 2, "0 ");
    wants(store, "one", false, &cursor, 2, "");
    wants(store, "one", true, &again, 9, "4 3 1 0 ");
    wants(store, NULL, false, &all, 9, "4 3 2 1 0 ");
    wants(store, "two", true, &other, 9, "4 3 2 1 0 ");
    put_game(store, "c", 7);
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    wants(store, "one", false, &cursor, 2, "7 ");
    store_destroy(store);
}

TEST(the_cursor_stays_behind_the_last_game_shown)
{
    struct store *store = open_store();
    struct wanting wanting = {.stop = true};
    int64_t cursor = 0;

    for (int game = 0; game < 3; game++) {
        put_game(store, "b", game);
    }
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    look(&wanting, store, "one", false, &cursor, 9);
    ck_assert_str_eq(wanting.text, "0 ");
    wants(store, "one", false, &cursor, 9, "1 2 ");
    store_destroy(store);
}

/* --- damage ------------------------------------------------------------------------------------
 */

TEST(damaged_judgements_are_an_error_of_the_store)
{
    struct store *store = open_store();
    struct shown shown = {0};

    put_game(store, "b", 0);
    put(store, make("one", "b", 0, true));
    store_destroy(store);
    sql("UPDATE judgement SET rolls='nonsense'");
    store = open_read();
    ck_assert_int_eq(store_each_judgement(store, "one", show, &shown, &error), BG_E_STORE);
    ck_assert_msg(strstr(error.text, "a|b|0|0|0") != NULL && strstr(error.text, path) != NULL, "%s",
                  error.text);
    store_destroy(store);
}

SUITE_FIXTURE(make_folder, folder_remove)
