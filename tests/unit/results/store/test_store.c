/* The store: its interface, then the failures that a file can have. */
#define _GNU_SOURCE
#include <store/store.h>
#include <store/store_file.h>

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/game_id.h"
#include "record/record_text.h"

#include "support/set_aside.h"
#include "support/random_match.h"
#include "support/results_folder.h"
#include "support/suite.h"

static void make_deep_folder(void)
{
    make_folder();
    snprintf(path, sizeof path, "%s/sub/folder/results.db", folder);
}

/* A game whose text depends on its id and on salt. */
static struct store_game *make_game(const char *a, const char *b, uint64_t pair, int leg,
                                    int number, int salt)
{
    struct store_game *game = calloc(1, sizeof *game);
    char id[BG_GAME_ID];
    char text[256], hash[RECORD_HASH];
    size_t used;

    snprintf(id, sizeof id, "%s|%s|%llu|%d|%d", a, b, (unsigned long long)pair, leg, number);
    used = (size_t)snprintf(text, sizeof text, "record of %s, %d\n", id, salt);
    record_hash_text(hash, text, used);
    snprintf(text + used, sizeof text - used, "hash %s\n", hash);
    *game = (struct store_game){
        .id = strdup(id),
        .a = strdup(a),
        .b = strdup(b),
        .pair = pair,
        .leg = leg,
        .game = number,
        .length_points = 3,
        .winner = number % 3 - 1,
        .points = 2 * number + 1,
        .level = 1,
        .end = number == 1 ? BG_END_FAULT : BG_END_OFF,
        .fault = number == 1 ? BG_FAULT_LATE : BG_FAULT_NONE,
        .turns = 40 + number,
        .score_a = 1,
        .score_b = number,
        .match_over = number == 2,
        .match_winner = number == 2 ? 1 : -1,
        .left_ns = {INT64_C(60000000000), -7},
        .text = strdup(text),
        .text_size = strlen(text),
    };
    memcpy(game->hash, hash, sizeof game->hash);
    return game;
}

static void put(struct store *store, struct store_game *game)
{
    ck_assert_int_eq(store_put_game(store, game, NULL), BG_OK);
}

/* Collects "id:text;" of the games that it gets. */
struct seen {
    char text[4096];
    int games, stop_after;
};

static bool see(void *user, const struct store_game *game)
{
    struct seen *seen = user;
    size_t size = strlen(seen->text);

    snprintf(seen->text + size, sizeof seen->text - size, "%s%s ", game->id,
             game->text == NULL ? "" : ":");
    seen->games++;
    return seen->games != seen->stop_after;
}

static bool see_date(void *user, const struct store_game *game)
{
    struct seen *seen = user;
    size_t size = strlen(seen->text);

    snprintf(seen->text + size, sizeof seen->text - size, "%llu:%lld ",
             (unsigned long long)game->pair, (long long)game->at_s);
    return true;
}

/* --- the suite of the interface ---------------------------------------------------------- */

TEST(games_are_returned_in_the_order_of_their_ids)
{
    struct store *store = open_store();
    struct seen seen = {0}, texts = {0}, some = {.stop_after = 2};

    put(store, make_game("b", "c", 0, 0, 0, 1));
    put(store, make_game("a", "c", 10, 0, 0, 1));
    put(store, make_game("a", "c", 9, 1, 0, 1));
    put(store, make_game("a", "c", 9, 0, 10, 1));
    put(store, make_game("a", "c", 9, 0, 9, 1));
    put(store, make_game("B", "c", 0, 0, 0, 1));
    ck_assert_int_eq(store_all_games(store, false, see, &seen, NULL), BG_OK);
    ck_assert_str_eq(seen.text, "B|c|0|0|0 a|c|9|0|9 a|c|9|0|10 a|c|9|1|0 a|c|10|0|0 b|c|0|0|0 ");
    ck_assert_int_eq(store_all_games(store, true, see, &texts, NULL), BG_OK);
    ck_assert_ptr_nonnull(strstr(texts.text, "a|c|9|1|0: "));
    ck_assert_int_eq(store_all_games(store, true, see, &some, NULL), BG_OK);
    ck_assert_int_eq(some.games, 2);
    store_destroy(store);
}

static bool compare_with_made(void *user, const struct store_game *game)
{
    struct store_game *made = make_game("a", "b", 4, 1, *(int *)user, 7);

    ck_assert_str_eq(game->id, made->id);
    ck_assert_str_eq(game->a, made->a);
    ck_assert_str_eq(game->b, made->b);
    ck_assert_uint_eq(game->pair, made->pair);
    ck_assert_int_eq(game->leg, made->leg);
    ck_assert_int_eq(game->game, made->game);
    ck_assert_int_eq(game->length_points, made->length_points);
    ck_assert_int_eq(game->winner, made->winner);
    ck_assert_int_eq(game->points, made->points);
    ck_assert_int_eq(game->level, made->level);
    ck_assert_int_eq(game->end, made->end);
    ck_assert_int_eq(game->fault, made->fault);
    ck_assert_int_eq(game->turns, made->turns);
    ck_assert_int_eq(game->score_a, made->score_a);
    ck_assert_int_eq(game->score_b, made->score_b);
    ck_assert_int_eq(game->match_over, made->match_over);
    ck_assert_int_eq(game->match_winner, made->match_winner);
    ck_assert_int_eq(game->left_ns[0], made->left_ns[0]);
    ck_assert_int_eq(game->left_ns[1], made->left_ns[1]);
    ck_assert_str_eq(game->hash, made->hash);
    ck_assert_str_eq(game->text, made->text);
    ck_assert_uint_eq(game->text_size, made->text_size);
    store_game_destroy(made);
    (*(int *)user)++;
    return true;
}

TEST(legs_round_trip)
{
    struct store *store = open_store();
    int games = 0;

    for (int leg = 0; leg < 2; leg++) {
        for (int game = 0; game < 4; game++) {
            put(store, make_game("a", "b", 4, leg, game, 7));
        }
    }
    put(store, make_game("a", "b", 5, 1, 4, 7));
    ck_assert_int_eq(store_leg_games(store, "a", "b", 4, 1, compare_with_made, &games, NULL),
                     BG_OK);
    ck_assert_int_eq(games, 4);
    ck_assert_int_eq(store_leg_games(store, "a", "x", 4, 1, compare_with_made, &games, NULL),
                     BG_OK);
    ck_assert_int_eq(games, 4);
    store_destroy(store);
}

TEST(a_game_may_be_stored_twice_but_not_with_other_content)
{
    struct store *store = open_store();
    struct seen seen = {0};
    uint64_t durable;

    put(store, make_game("a", "b", 0, 0, 0, 1));
    put(store, make_game("a", "b", 0, 0, 0, 1));
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    ck_assert_int_eq(store->ops->settled(store, &durable, NULL), BG_OK);
    ck_assert_uint_eq(durable, 2);
    ck_assert_int_eq(store_all_games(store, false, see, &seen, NULL), BG_OK);
    ck_assert_int_eq(seen.games, 1);
    put(store, make_game("a", "b", 0, 0, 0, 2));
    put(store, make_game("a", "b", 0, 0, 1, 1));
    ck_assert_int_eq(store->ops->flush(store, &error), BG_E_STORE);
    ck_assert_ptr_nonnull(strstr(error.text, "a|b|0|0|0"));
    ck_assert_int_eq(store->ops->settled(store, &durable, &error), BG_E_STORE);
    store_destroy(store);
}

static void join_settings(void *user, const char *key, const char *value)
{
    char *text = user;

    sprintf(text + strlen(text), "%s=%s;", key, value);
}

TEST(settings_are_kept)
{
    struct store *store = open_store();
    const struct store_setting both[] = {{"event.name", "noon"}, {"event.bots", "ant"}};
    const struct store_change none = {.settings = NULL};
    const struct store_change change = {.settings = both, .setting_count = 2};
    char value[32], all[256] = "";
    bool found = true;

    ck_assert_int_eq(store->ops->meta_get(store, "none", value, sizeof value, &found, NULL), BG_OK);
    ck_assert(!found && value[0] == '\0');
    ck_assert_int_eq(store_meta_set(store, "event.name", "night", NULL), BG_OK);
    ck_assert_int_eq(store_meta_set(store, "event.bots", "", NULL), BG_OK);
    ck_assert_int_eq(store_meta_set(store, "eventual", "x", NULL), BG_OK);
    ck_assert_int_eq(store_meta_set(store, "event.name", "day", NULL), BG_OK);
    ck_assert_int_eq(store->ops->meta_get(store, "event.name", value, sizeof value, &found, NULL),
                     BG_OK);
    ck_assert(found);
    ck_assert_str_eq(value, "day");
    ck_assert_int_eq(store->ops->meta_get(store, "event.name", value, 3, &found, NULL), BG_E_STORE);
    ck_assert_int_eq(store_meta_each(store, "event.", join_settings, all, NULL), BG_OK);
    ck_assert_str_eq(all, "event.bots=;event.name=day;");
    ck_assert_int_eq(store->ops->change(store, &none, NULL), BG_OK);
    ck_assert_int_eq(store->ops->change(store, &change, NULL), BG_OK);
    all[0] = '\0';
    ck_assert_int_eq(store_meta_each(store, "event.", join_settings, all, NULL), BG_OK);
    ck_assert_str_eq(all, "event.bots=ant;event.name=noon;");
    store_destroy(store);
}

static void join_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    char *text = user;

    sprintf(text + strlen(text), "%s %s %s;", fixture, bot, why);
}

TEST(unplayed_fixtures_are_listed_in_order)
{
    static const char *const wrong[] = {"a|b|1",   "a|b|1|2", "a|b||0", "a|b|1|0|0",
                                        "a|b|x|0", "a",       "",       "a|b|-1|0"};
    struct store *store = open_store();
    char all[256] = "";

    ck_assert_int_eq(store_put_unplayed(store, "a|b|10|0", "b", "gone", NULL), BG_OK);
    ck_assert_int_eq(store_put_unplayed(store, "a|b|9|1", "b", "gone", NULL), BG_OK);
    ck_assert_int_eq(store_put_unplayed(store, "a|b|9|1", "b", "quarantined", NULL), BG_OK);
    ck_assert_int_eq(store_all_unplayed(store, join_unplayed, all, NULL), BG_OK);
    ck_assert_str_eq(all, "a|b|9|1 b quarantined;a|b|10|0 b gone;");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_msg(store_put_unplayed(store, wrong[i], "b", "x", NULL) == BG_E_ARGUMENT,
                      "'%s' was taken", wrong[i]);
    }
    store_destroy(store);
}

static void see_fault(void *user, const struct store_fault *fault)
{
    int *count = user;

    if (++*count == 1) {
        ck_assert_str_eq(fault->bot, "b");
        ck_assert_int_eq(fault->fault, BG_FAULT_ILLEGAL);
        ck_assert_uint_eq(fault->decision, 12);
        ck_assert_str_eq(fault->rule, "G3");
        ck_assert_str_eq(fault->story, "it's \"odd\"");
        ck_assert_ptr_null(fault->xgid);
        ck_assert_str_eq(fault->game_id, "a|b|0|0|0");
    } else {
        ck_assert_ptr_null(fault->game_id);
        ck_assert_str_eq(fault->stderr_tail, "segfault\n");
    }
}

TEST(faults_keep_their_evidence)
{
    struct store *store = open_store();
    struct store_fault *first = calloc(1, sizeof *first), *second = calloc(1, sizeof *second);
    int count = 0;

    *first = (struct store_fault){.game_id = strdup("a|b|0|0|0"),
                                  .bot = strdup("b"),
                                  .fault = BG_FAULT_ILLEGAL,
                                  .decision = 12,
                                  .rule = strdup("G3"),
                                  .story = strdup("it's \"odd\"")};
    *second = (struct store_fault){
        .bot = strdup("b"), .fault = BG_FAULT_CRASH, .stderr_tail = strdup("segfault\n")};
    ck_assert_int_eq(store_put_fault(store, first, NULL), BG_OK);
    ck_assert_int_eq(store_put_fault(store, second, NULL), BG_OK);
    ck_assert_int_eq(store_all_faults(store, see_fault, &count, NULL), BG_OK);
    ck_assert_int_eq(count, 2);
    store_destroy(store);
}

static struct store_fault *make_evidence(const char *game_id)
{
    struct store_fault *fault = calloc(1, sizeof *fault);

    *fault = (struct store_fault){
        .game_id = strdup(game_id), .bot = strdup("b"), .fault = BG_FAULT_LATE};
    return fault;
}

static void count_fault(void *user, const struct store_fault *fault)
{
    ck_assert_str_eq(fault->game_id, "a|b|0|0|1");
    ++*(int *)user;
}

TEST(evidence_is_stored_and_removed_with_its_game)
{
    struct store *store = open_store();
    int count = 0;

    for (int again = 0; again < 2; again++) { /* the same game a second time changes nothing */
        struct store_game *game = make_game("a", "b", 0, 0, 1, 5);

        game->evidence = make_evidence(game->id);
        put(store, game);
    }
    ck_assert_int_eq(store_all_faults(store, count_fault, &count, NULL), BG_OK);
    ck_assert_int_eq(count, 1);
    store_destroy(store);
}

struct durable {
    pthread_mutex_t mutex;
    struct seen seen;
};

static void see_durable(void *user, const struct store_game *game)
{
    struct durable *durable = user;

    pthread_mutex_lock(&durable->mutex);
    see(&durable->seen, game);
    pthread_mutex_unlock(&durable->mutex);
}

/* Collects "a|b|pair+attempt:games(reason);" and "id@attempt ". */
static void see_attempt(void *user, const struct store_attempt *attempt)
{
    char *text = user;
    size_t size = strlen(text);

    snprintf(text + size, 4096 - size, "%s|%s|%llu+%llu:%llu(%s %s) ", attempt->a, attempt->b,
             (unsigned long long)attempt->pair, (unsigned long long)attempt->attempt,
             (unsigned long long)attempt->games, attempt->at, attempt->reason);
}

static bool see_aside(void *user, const struct store_game *game, uint64_t attempt)
{
    char *text = user;
    size_t size = strlen(text);

    snprintf(text + size, 4096 - size, "%s@%llu%s ", game->id, (unsigned long long)attempt,
             game->text == NULL ? "" : ":");
    return true;
}

TEST(a_pair_set_aside_is_kept_and_not_counted)
{
    struct store *store = open_store();
    struct store_game *lost = make_game("a", "b", 3, 0, 1, 2);
    struct seen seen = {.stop_after = 0};
    char again[4096] = "", aside[4096] = "";
    int faults = 0;

    lost->evidence = calloc(1, sizeof *lost->evidence);
    lost->evidence->game_id = strdup(lost->id);
    lost->evidence->bot = strdup("a");
    lost->evidence->fault = BG_FAULT_LATE;
    put(store, make_game("a", "b", 3, 0, 0, 1));
    put(store, lost);
    put(store, make_game("a", "b", 30, 0, 0, 3));
    put(store, make_game("a", "c", 3, 0, 0, 4));
    assert_ok(set_pair_aside(store, "a|b|3", "shown", "2026-01-02T03:04:05Z", &error));
    ck_assert_int_eq(store_all_games(store, false, see, &seen, NULL), BG_OK);
    ck_assert_str_eq(seen.text, "a|b|30|0|0 a|c|3|0|0 ");
    ck_assert_int_eq(store_all_faults(store, count_fault, &faults, NULL), BG_OK);
    ck_assert_int_eq(faults, 0);
    put(store, make_game("a", "b", 3, 1, 0, 5)); /* the same game, replayed with other dice */
    put(store, make_game("a", "b", 3, 0, 0, 6));
    assert_ok(set_pair_aside(store, "a|b|3", "again", "2027-01-02T03:04:05Z", &error));
    assert_ok(set_pair_aside(store, "a|b|4", "none", "2028-01-02T03:04:05Z", &error));
    ck_assert_int_eq(store_all_attempts(store, see_attempt, again, NULL), BG_OK);
    ck_assert_str_eq(again, "a|b|3+1:2(2026-01-02T03:04:05Z shown) "
                            "a|b|3+2:2(2027-01-02T03:04:05Z again) "
                            "a|b|4+1:0(2028-01-02T03:04:05Z none) ");
    ck_assert_int_eq(store_all_set_aside(store, see_aside, aside, NULL), BG_OK);
    ck_assert_str_eq(aside, "a|b|3|0|0@0: a|b|3|0|1@0: a|b|3|0|0@1: a|b|3|1|0@1: ");
    store_destroy(store);
}

TEST(settings_and_pairs_change_in_one_transaction)
{
    struct store *store = open_store();
    const struct store_setting setting = {"event.name", "noon"};
    struct game_id pairs[] = {game_id_of("a", "b"), game_id_of("a", "c")};
    const struct store_change change = {.settings = &setting,
                                        .setting_count = 1,
                                        .pairs = pairs,
                                        .pair_count = 2,
                                        .reason = "shown",
                                        .at = "2026-01-02T03:04:05Z"};
    struct seen seen = {.stop_after = 0};
    char value[32], attempts[4096] = "";
    bool found;

    pairs[0].pair = 3;
    put(store, make_game("a", "b", 3, 0, 0, 1));
    put(store, make_game("a", "b", 4, 0, 0, 2));
    ck_assert_int_eq(store->ops->change(store, &change, NULL), BG_OK);
    ck_assert_int_eq(store->ops->meta_get(store, "event.name", value, sizeof value, &found, NULL),
                     BG_OK);
    ck_assert_str_eq(value, "noon");
    ck_assert_int_eq(store_all_games(store, false, see, &seen, NULL), BG_OK);
    ck_assert_str_eq(seen.text, "a|b|4|0|0 ");
    ck_assert_int_eq(store_all_attempts(store, see_attempt, attempts, NULL), BG_OK);
    ck_assert_str_eq(attempts, "a|b|3+1:1(2026-01-02T03:04:05Z shown) "
                               "a|c|0+1:0(2026-01-02T03:04:05Z shown) ");
    store_destroy(store);
}

static struct act act_of(uint64_t number, const char *subject)
{
    struct act act = {.number = number,
                      .at = "2026-01-02T03:04:05Z",
                      .who = "ann@host",
                      .kind = "withdraw",
                      .reason = "gone \xc3\xa0"};

    snprintf(act.subject, sizeof act.subject, "%s", subject);
    snprintf(act.hash, sizeof act.hash, "%064d", (int)number);
    return act;
}

/* Collects "number subject hash;" of the acts, up to stop_after. */
static bool see_act(void *user, const struct act *act)
{
    struct seen *seen = user;
    size_t size = strlen(seen->text);

    snprintf(seen->text + size, sizeof seen->text - size, "%llu %s %s %s %s %s %s;",
             (unsigned long long)act->number, act->at, act->who, act->kind, act->subject,
             act->reason, act->hash + 60);
    seen->games++;
    return seen->games != seen->stop_after;
}

static void assert_acts(struct store *store, int stop_after, const char *expected)
{
    struct seen seen = {.stop_after = stop_after};

    ck_assert_int_eq(store_all_acts(store, see_act, &seen, NULL), BG_OK);
    ck_assert_str_eq(seen.text, expected);
}

#define ACT_ROW(n, subject)                                                                        \
    n " 2026-01-02T03:04:05Z ann@host withdraw " subject " gone \xc3\xa0 000" n ";"

TEST(acts_are_appended_in_order_all_or_none)
{
    struct store *store = open_store();
    struct act first[] = {act_of(1, "bot=a"), act_of(2, "bot=b")};
    struct act gap[] = {act_of(3, "bot=c"), act_of(5, "bot=d")}, again = act_of(2, "bot=x");
    const struct store_setting setting = {"event.name", "noon"};
    struct game_id pair = game_id_of("a", "b");
    struct store_change change = {.settings = &setting,
                                  .setting_count = 1,
                                  .pairs = &pair,
                                  .pair_count = 1,
                                  .reason = "shown",
                                  .at = "2026-01-02T03:04:05Z",
                                  .acts = gap,
                                  .act_count = 2};
    char value[32], attempts[4096] = "";
    bool found;

    assert_acts(store, 0, "");
    ck_assert_int_eq(store_put_acts(store, first, 2, NULL), BG_OK);
    ck_assert_int_eq(store_put_acts(store, NULL, 0, NULL), BG_OK);
    ck_assert_int_eq(store_put_acts(store, &again, 1, &error), BG_E_MISMATCH);
    ck_assert_ptr_nonnull(strstr(error.text, "act 2 does not follow act 2"));
    ck_assert_int_eq(store->ops->change(store, &change, &error), BG_E_MISMATCH);
    ck_assert_int_eq(store->ops->meta_get(store, "event.name", value, sizeof value, &found, NULL),
                     BG_OK);
    ck_assert(!found);
    assert_acts(store, 0, ACT_ROW("1", "bot=a") ACT_ROW("2", "bot=b"));
    gap[1].number = 4;
    ck_assert_int_eq(store->ops->change(store, &change, NULL), BG_OK);
    assert_acts(store, 3, ACT_ROW("1", "bot=a") ACT_ROW("2", "bot=b") ACT_ROW("3", "bot=c"));
    ck_assert_int_eq(store_all_attempts(store, see_attempt, attempts, NULL), BG_OK);
    ck_assert_str_eq(attempts, "a|b|0+1:0(2026-01-02T03:04:05Z shown) ");
    store_destroy(store);
}

static struct store_steps *make_steps(int pair, int game, int first, const char *lines)
{
    struct store_steps *steps = calloc(1, sizeof *steps);

    *steps = (struct store_steps){.game = game_id_of_leg("a", "b", (uint64_t)pair, 1),
                                  .first = first,
                                  .lines = strdup(lines),
                                  .left_ns = {5000000000, first},
                                  .delay_ns = {12, 34},
                                  .on_clock = first % 3 - 1};
    steps->game.game = game;
    return steps;
}

static bool see_steps(void *user, const struct store_steps *steps)
{
    struct seen *seen = user;
    size_t size = strlen(seen->text);
    char id[BG_GAME_ID];

    game_id_write(id, &steps->game);
    snprintf(seen->text + size, sizeof seen->text - size, "%s#%d:%s ", id, steps->first,
             steps->lines);
    ck_assert_int_eq(steps->left_ns[0], 5000000000);
    ck_assert_int_eq(steps->left_ns[1], steps->first);
    ck_assert_int_eq(steps->delay_ns[0], 12);
    ck_assert_int_eq(steps->delay_ns[1], 34);
    ck_assert_int_eq(steps->on_clock, steps->first % 3 - 1);
    return true;
}

static void assert_steps(struct store *store, const struct game_id *game, const char *expected)
{
    struct seen seen = {.text = ""};

    ck_assert_int_eq(store_each_steps(store, game, see_steps, &seen, NULL), BG_OK);
    ck_assert_str_eq(seen.text, expected);
}

static void put_steps(struct store *store, struct store_steps *steps)
{
    ck_assert_int_eq(store_put_steps(store, steps, NULL), BG_OK);
}

/* Also over a restart; only the steps of unfinished games are kept. */
TEST(steps_are_kept_until_their_game_or_pair_is_put_away)
{
    struct store *store = open_store();
    struct game_id game = game_id_of_leg("a", "b", 3, 1);

    game.game = 1;
    put_steps(store, make_steps(3, 1, 0, "one\ntwo\n"));
    put_steps(store, make_steps(3, 0, 0, "old\n"));
    put_steps(store, make_steps(3, 1, 2, "three\n"));
    put_steps(store, make_steps(4, 0, 0, "other\n"));
    assert_steps(store, &game, "a|b|3|1|1#0:one\ntwo\n a|b|3|1|1#2:three\n ");
    put(store, make_game("a", "b", 3, 1, 0, 1));
    store_destroy(store);
    store = open_store();
    assert_steps(store, NULL, "a|b|3|1|1#0:one\ntwo\n a|b|3|1|1#2:three\n a|b|4|1|0#0:other\n ");
    put(store, make_game("a", "b", 3, 1, 1, 2));
    assert_steps(store, &game, "");
    assert_steps(store, NULL, "a|b|4|1|0#0:other\n ");
    ck_assert_int_eq(set_pair_aside(store, "a|b|4", "shown", "2026-11-23T13:00:00Z", NULL), BG_OK);
    assert_steps(store, NULL, "");
    put_steps(store, make_steps(5, 0, 0, "given up\n"));
    put_steps(store, NULL);
    assert_steps(store, NULL, "");
    store_destroy(store);
}

/* What was put first is durable first, and steps do not wait for a group of games. */
TEST(steps_become_durable_by_themselves)
{
    struct store *store = open_store();
    struct pollfd settled = {.fd = store->ops->settled_fd(store), .events = POLLIN};
    uint64_t put_before, before, all, durable = 0;

    store->ops->progress(store, &put_before, &before, NULL);
    ck_assert_uint_eq(put_before, before);
    put(store, make_game("a", "b", 3, 1, 0, 1));
    put_steps(store, make_steps(3, 1, 0, "one\n"));
    store->ops->progress(store, &all, NULL, NULL);
    ck_assert_uint_eq(all, put_before + 2);
    for (int i = 0; i < 100 && durable < all; i++) {
        uint64_t games;

        if (settled.fd >= 0) {
            ck_assert_int_eq(poll(&settled, 1, 10000), 1);
        }
        ck_assert_int_eq(store->ops->settled(store, &games, NULL), BG_OK);
        store->ops->progress(store, NULL, &durable, NULL);
    }
    ck_assert_uint_eq(durable, all);
    store_destroy(store);
}

TEST(fixtures_of_a_reinstated_bot_are_open_again)
{
    struct store *store = open_store();
    const struct store_setting setting = {"reinstated.b", "then"};
    const struct store_change change = {
        .settings = &setting, .setting_count = 1, .reinstated = "b"};
    struct seen seen = {.stop_after = 0};
    char value[32], all[256] = "";
    bool found;

    put(store, make_game("a", "b", 3, 0, 0, 1));
    ck_assert_int_eq(store_put_unplayed(store, "a|b|3|0", "b", "quarantined", NULL), BG_OK);
    ck_assert_int_eq(store_put_unplayed(store, "a|b|9|1", "b", "quarantined", NULL), BG_OK);
    ck_assert_int_eq(store_put_unplayed(store, "b|c|9|1", "c", "quarantined", NULL), BG_OK);
    ck_assert_int_eq(store->ops->change(store, &change, NULL), BG_OK);
    ck_assert_int_eq(store_all_unplayed(store, join_unplayed, all, NULL), BG_OK);
    ck_assert_str_eq(all, "b|c|9|1 c quarantined;");
    ck_assert_int_eq(store_all_games(store, false, see, &seen, NULL), BG_OK);
    ck_assert_str_eq(seen.text, "a|b|3|0|0 ");
    ck_assert_int_eq(store->ops->meta_get(store, "reinstated.b", value, sizeof value, &found, NULL),
                     BG_OK);
    ck_assert_str_eq(value, "then");
    store_destroy(store);
}

TEST(each_durable_game_is_reported_once)
{
    struct store *store = open_store();
    struct durable durable = {.mutex = PTHREAD_MUTEX_INITIALIZER};

    store->ops->listen(store, &(struct store_listener){.game = see_durable, .user = &durable});
    put(store, make_game("a", "b", 0, 0, 0, 1));
    put(store, make_game("a", "b", 0, 0, 1, 1));
    put(store, make_game("a", "b", 0, 0, 0, 1));
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    pthread_mutex_lock(&durable.mutex);
    ck_assert_str_eq(durable.seen.text, "a|b|0|0|0: a|b|0|0|1: ");
    pthread_mutex_unlock(&durable.mutex);
    store_destroy(store);
}

TEST(settling_is_announced)
{
    struct store *store = open_store();
    struct pollfd wait = {.fd = store->ops->settled_fd(store), .events = POLLIN};
    uint64_t durable = 0;

    put(store, make_game("a", "b", 0, 0, 0, 1));
    ck_assert_int_eq(poll(&wait, 1, 10000), 1);
    ck_assert_int_eq(store->ops->settled(store, &durable, NULL), BG_OK);
    ck_assert_uint_eq(durable, 1);
    ck_assert_int_eq(poll(&wait, 1, 0), 0);
    store_destroy(store);
}

/* --- files ------------------------------------------------------------------------------- */

static int count_games(struct store *store)
{
    struct seen seen = {0};

    ck_assert_int_eq(store_all_games(store, false, see, &seen, NULL), BG_OK);
    return seen.games;
}

TEST(stored_games_survive_closing)
{
    struct store *store = open_store();

    put(store, make_game("a", "b", 0, 0, 0, 1));
    put(store, make_game("a", "b", 0, 1, 0, 1));
    store_destroy(store); /* without flush: closing writes the queued items */
    store = open_store();
    ck_assert_int_eq(count_games(store), 2);
    store_destroy(store);
    store = open_read();
    ck_assert_int_eq(count_games(store), 2);
    store_destroy(store);
}

TEST(one_writer_and_many_readers)
{
    struct store *writer = open_store(), *second = NULL;
    struct store *reader = open_read();
    char pid[32];

    ck_assert_int_eq(store_sqlite_open(&second, path, &error), BG_E_BUSY);
    ck_assert_ptr_null(second);
    snprintf(pid, sizeof pid, "in use by process %d", (int)getpid());
    ck_assert_msg(strstr(error.text, pid) != NULL, "%s", error.text);
    for (int game = 0; game < 20; game++) {
        put(writer, make_game("a", "b", 0, 0, game, 1));
        ck_assert_int_eq(writer->ops->flush(writer, NULL), BG_OK);
        ck_assert_int_eq(count_games(reader), game + 1);
    }
    ck_assert_int_eq(store_put_game(reader, make_game("a", "b", 1, 0, 0, 1), &error), BG_E_STORE);
    ck_assert_int_eq(store_meta_set(reader, "key", "value", &error), BG_E_STORE);
    store_destroy(writer);
    ck_assert_int_eq(count_games(reader), 20);
    ck_assert_int_eq(dup2(STDERR_FILENO, STDIN_FILENO), STDIN_FILENO);
    store_destroy(reader); /* it has no descriptor of its own: 0 is another's */
    ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
    store_destroy(open_store()); /* the lock ended with its owner */
}

/* A folder for results that are not there. */
static void make_place(void)
{
    store_destroy(open_store());
    ck_assert_int_eq(unlink(path), 0);
}

TEST(a_lock_is_removed_only_if_nobody_holds_it_and_no_results_are_there)
{
    char name[sizeof path + 8];
    int lock = -1;

    snprintf(name, sizeof name, "%s.lock", path);
    make_place();
    store_lock_remove(path);
    ck_assert_int_ne(access(name, F_OK), 0);
    store_lock_remove(path); /* there is none */
    ck_assert_int_eq(store_lock_open(&lock, path, NULL), BG_OK);
    store_lock_remove(path);
    ck_assert_int_eq(access(name, F_OK), 0);
    store_lock_close(lock);
    store_destroy(open_store());
    store_lock_remove(path);
    ck_assert_int_eq(access(name, F_OK), 0);
    ck_assert_int_eq(unlink(path), 0);
    store_lock_remove(path);
    ck_assert_int_ne(access(name, F_OK), 0);
}

/* No user may make files there, so it is refused to root, too. */
TEST(a_folder_that_may_not_be_written_to_is_refused_with_the_remedy)
{
    int lock;

    ck_assert_int_eq(store_lock_open(&lock, "/sys/results.db", &error), BG_E_STORE);
    ck_assert_msg(strstr(error.text, "let this one, or name another file") != NULL, "%s",
                  error.text);
}

/* Takes the lock and removes its file, again and again. Returns how often another had it too. */
static int fight(atomic_int *holders)
{
    int lock, wrong = 0, held = 0;

    for (int i = 0; i < 1000000 && held < 1000; i++) {
        if (store_lock_open(&lock, path, NULL) == BG_OK) {
            held++;
            wrong += atomic_fetch_add(holders, 1) != 0;
            for (int k = 0; k < 10; k++) { /* time for the other one */
                sched_yield();
            }
            atomic_fetch_sub(holders, 1);
            store_lock_close(lock);
        } else {
            sched_yield();
        }
        store_lock_remove(path);
    }
    return held == 1000 ? wrong : -1;
}

TEST(a_lock_that_is_removed_meanwhile_is_never_held_twice)
{
    atomic_int *holders =
        mmap(NULL, sizeof *holders, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child;
    int state, wrong;

    make_place();
    ck_assert_ptr_ne(holders, MAP_FAILED);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        _exit(fight(holders) != 0);
    }
    wrong = fight(holders);
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert_int_eq(wrong, 0);
    ck_assert(WIFEXITED(state) && WEXITSTATUS(state) == 0);
    munmap(holders, sizeof *holders);
}

/* Runs SQL on the file as any program could. */
static int take_value(void *user, int columns, char **values, char **names)
{
    snprintf(user, 32, "%s", columns == 1 && values[0] != NULL ? values[0] : "?");
    return 0;
}

/* A fault of a pair that is set aside twice belongs to the attempt in which it happened. */
TEST(faults_stay_with_their_attempt)
{
    struct store *store = open_store();
    char attempts[32] = "";
    sqlite3 *db;

    for (int attempt = 0; attempt < 2; attempt++) {
        struct store_game *game = make_game("a", "b", 3, 0, 0, attempt + 1);

        game->evidence = calloc(1, sizeof *game->evidence);
        game->evidence->game_id = strdup(game->id);
        game->evidence->bot = strdup("a");
        game->evidence->fault = BG_FAULT_LATE;
        put(store, game);
        ck_assert_int_eq(set_pair_aside(store, "a|b|3", "shown", "2026-01-02T03:04:05Z", NULL),
                         BG_OK);
    }
    store_destroy(store);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db,
                                  "SELECT group_concat(attempt) FROM"
                                  " (SELECT attempt FROM fault ORDER BY number)",
                                  take_value, attempts, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    ck_assert_str_eq(attempts, "0,1");
}

static void refuses(enum bg_status status, const char *message)
{
    struct store *store = NULL;

    ck_assert_int_eq(store_sqlite_open(&store, path, &error), status);
    ck_assert_ptr_null(store);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s", error.text);
    error = (struct bg_error){0};
    ck_assert_int_eq(store_sqlite_open_read(&store, path, &error), status);
    ck_assert_ptr_null(store);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s", error.text);
}

static void put_dated(struct store *store, uint64_t pair, int64_t at_s)
{
    struct store_game *game = make_game("alpha", "beta", pair, 0, 0, (int)pair + 1);

    game->at_s = at_s;
    put(store, game);
}

static void check_dates(struct store *store, const char *expected)
{
    struct seen seen = {.text = ""};

    ck_assert_int_eq(store_all_games(store, true, see_date, &seen, NULL), BG_OK);
    ck_assert_str_eq(seen.text, expected);
}

/* Games get the second in which they ended, also over runs, after pairs were set aside, and in a
 * vacuumed file. */
TEST(dates_stay_with_their_games)
{
    struct store *store = open_store();
    struct seen seen = {.text = ""};

    put_dated(store, 5, 1000);
    put_dated(store, 1, 1000);
    put_dated(store, 4, 1001);
    put_dated(store, 2, 0);
    put_dated(store, 3, 1002);
    check_dates(store, "1:1000 2:0 3:1002 4:1001 5:1000 ");
    ck_assert_int_eq(store_leg_games(store, "alpha", "beta", 4, 0, see_date, &seen, NULL), BG_OK);
    ck_assert_str_eq(seen.text, "4:1001 ");
    store_destroy(store);

    store = open_store();
    put_dated(store, 6, 1002);
    put_dated(store, 7, 1003);
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    ck_assert_int_eq(set_pair_aside(store, "alpha|beta|7", "a test", "2026-11-22T08:30:00Z", NULL),
                     BG_OK);
    ck_assert_int_eq(set_pair_aside(store, "alpha|beta|1", "a test", "2026-11-22T08:30:00Z", NULL),
                     BG_OK);
    put_dated(store, 8, 1002);
    put_dated(store, 9, 1004);
    check_dates(store, "2:0 3:1002 4:1001 5:1000 6:1002 8:1002 9:1004 ");
    store_destroy(store);

    sql("VACUUM");
    store = open_store();
    check_dates(store, "2:0 3:1002 4:1001 5:1000 6:1002 8:1002 9:1004 ");
    store_destroy(store);
}

static void check_sealed(enum bg_status expected)
{
    struct store *store = NULL;

    ck_assert_int_eq(store_sqlite_open_read(&store, path, NULL), BG_OK);
    ck_assert_int_eq(store->ops->check(store, true, &error), expected);
    ck_assert(expected == BG_OK || strstr(error.text, "table moment") != NULL);
    store_destroy(store);
}

TEST(changed_dates_are_found)
{
    struct store *store = open_store();

    put_dated(store, 1, 1000);
    store_destroy(store);
    check_sealed(BG_OK);
    sql("UPDATE moment SET at=at+1");
    check_sealed(BG_E_MISMATCH);
}

TEST(another_schema_is_refused_by_its_number)
{
    store_destroy(open_store());
    sql("PRAGMA user_version=999");
    refuses(BG_E_ARGUMENT, "a newer bgref (schema version 999, this program knows 10)");
    sql("PRAGMA user_version=9");
    refuses(BG_E_ARGUMENT, "an older bgref (schema version 9, this program knows 10)");
}

/* Its log is what a run that was cut off has left, and another program's to read. */
TEST(a_refused_database_keeps_its_log)
{
    char log[sizeof path + 8];
    struct stat before, after;
    sqlite3 *db;

    store_destroy(open_store());
    if (fork() == 0) { /* ends without closing it */
        sqlite3_open(path, &db);
        _exit(sqlite3_exec(db, "PRAGMA journal_mode=WAL; PRAGMA user_version=9", NULL, NULL, NULL));
    }
    wait(NULL);
    snprintf(log, sizeof log, "%s-wal", path);
    ck_assert(stat(log, &before) == 0 && before.st_size > 0);
    refuses(BG_E_ARGUMENT, "schema version 9");
    ck_assert(stat(log, &after) == 0 && after.st_size == before.st_size);
}

/* The journal continues after the last row of an earlier run, and its seal covers each column. */
TEST_LOOP(a_journal_is_continued_and_sealed, 0, 9)
{
    static const char *const deeds[] = {
        "UPDATE act SET at='2027' WHERE number=1",     "UPDATE act SET who='eve' WHERE number=1",
        "UPDATE act SET kind='note' WHERE number=1",   "UPDATE act SET subject='' WHERE number=1",
        "UPDATE act SET reason='no' WHERE number=2",   "UPDATE act SET hash='0' WHERE number=2",
        "UPDATE act SET number=3 WHERE number=2",      "DELETE FROM act WHERE number=2",
        "INSERT INTO act VALUES(3,'','','','','','')",
    };
    struct store *store = open_store();
    const struct act acts[] = {act_of(1, "bot=a"), act_of(2, "bot=b")};

    ck_assert_int_eq(store_put_acts(store, &acts[0], 1, NULL), BG_OK);
    store_destroy(store);
    store = open_store();
    ck_assert_int_eq(store_put_acts(store, &acts[0], 1, NULL), BG_E_MISMATCH);
    ck_assert_int_eq(store_put_acts(store, &acts[1], 1, NULL), BG_OK);
    store_destroy(store);
    ck_assert_int_eq(store_sqlite_open_read(&store, path, NULL), BG_OK);
    assert_acts(store, 0, ACT_ROW("1", "bot=a") ACT_ROW("2", "bot=b"));
    assert_ok(store->ops->check(store, true, &error));
    store_destroy(store);
    sql(deeds[_i]);
    ck_assert_int_eq(store_sqlite_open_read(&store, path, NULL), BG_OK);
    ck_assert_int_eq(store->ops->check(store, true, &error), BG_E_MISMATCH);
    ck_assert_ptr_nonnull(strstr(error.text, "table act"));
    store_destroy(store);
}

TEST(a_foreign_database_is_refused_and_unchanged)
{
    struct store *store = open_store();
    sqlite3_stmt *mode;
    sqlite3 *db;

    store_destroy(store);
    ck_assert_int_eq(unlink(path), 0);
    sql("CREATE TABLE mail (subject TEXT)");
    refuses(BG_E_ARGUMENT, "another program");
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &mode, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(mode), SQLITE_ROW);
    ck_assert_str_eq((const char *)sqlite3_column_text(mode, 0), "delete");
    sqlite3_finalize(mode);
    sqlite3_close(db);
}

static void write_bytes(const char *text, size_t size)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, size, file), size);
    fclose(file);
}

TEST(a_file_that_is_not_a_database_is_refused)
{
    char garbage[8192];

    memset(garbage, 'g', sizeof garbage);
    store_destroy(open_store());
    write_bytes(garbage, sizeof garbage);
    refuses(BG_E_ARGUMENT, "nor an SQLite database");
}

TEST(an_unusable_path_is_named)
{
    struct store *store = NULL;

    ck_assert_int_eq(store_sqlite_open_read(&store, path, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "No such file"));
    store_destroy(open_store());
    strcat(path, "/below/a/file.db");
    ck_assert_int_eq(store_sqlite_open(&store, path, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "is a file, not a folder"));
    snprintf(path, sizeof path, "%s/sub", folder);
    refuses(BG_E_ARGUMENT, "sub");
}

TEST(an_empty_file_becomes_a_database)
{
    struct store *store = open_store();

    store_destroy(store);
    write_bytes("", 0);
    store = open_store();
    put(store, make_game("a", "b", 0, 0, 0, 1));
    ck_assert_int_eq(count_games(store), 1);
    store_destroy(store);
}

/* A limit on file sizes simulates a full disk. It also applies to libcheck's own file of
 * assertions: so results under the limit are checked afterwards. */
TEST(a_full_disk_loses_nothing)
{
    struct store *store;
    struct rlimit limit, small;
    struct bg_error full = {0};
    enum bg_status flushed, settled;
    uint64_t durable, durable_when_full;
    int refused = 0;

    signal(SIGXFSZ, SIG_IGN);
    store = open_store();
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 100 << 10;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int game = 0; game < 2000; game++) {
        refused += store_put_game(store, make_game("a", "b", 0, 0, game, 1), NULL) != BG_OK;
    }
    flushed = store->ops->flush(store, &full);
    settled = store->ops->settled(store, &durable_when_full, &error);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(refused, 0);
    ck_assert_int_eq(flushed, BG_E_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(full.text, path));
    ck_assert_int_eq(settled, BG_E_TIMEOUT);
    ck_assert_uint_lt(durable_when_full, 2000);
    assert_ok(store->ops->flush(store, &error));
    assert_ok(store->ops->settled(store, &durable, &error));
    ck_assert_uint_eq(durable, 2000);
    store_destroy(store);
}

static sqlite3_mem_methods memory;
static _Atomic bool no_memory;

static void *allocate(int size)
{
    return no_memory ? NULL : memory.xMalloc(size);
}

static void *reallocate(void *old, int size)
{
    return no_memory ? NULL : memory.xRealloc(old, size);
}

/* Memory comes back less often than a disk gets space: who waits for it waits in vain. */
TEST(without_memory_writing_is_not_tried_again)
{
    sqlite3_mem_methods scarce;
    struct store *store;
    enum bg_status flushed;

    sqlite3_shutdown();
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory);
    scarce = memory;
    scarce.xMalloc = allocate;
    scarce.xRealloc = reallocate;
    ck_assert_int_eq(sqlite3_config(SQLITE_CONFIG_MALLOC, &scarce), SQLITE_OK);
    store = open_store();
    no_memory = true;
    for (int game = 0; game < 2000; game++) {
        ck_assert_int_eq(store_put_game(store, make_game("a", "b", 0, 0, game, 1), NULL), BG_OK);
    }
    flushed = store->ops->flush(store, &error);
    no_memory = false;
    ck_assert_int_eq(flushed, BG_E_STORE);
    ck_assert_ptr_nonnull(strstr(error.text, "out of memory"));
    store_destroy(store);
}

/* --- a file that is moved or removed ----------------------------------------------------- */

/* Waits until the store reports that its file is gone, like a loop. */
static void wait_gone(struct store *store, const char *message)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < 1000 && status == BG_OK; i++) {
        struct pollfd settled = {.fd = store->ops->settled_fd(store), .events = POLLIN};
        uint64_t durable;

        status = store->ops->settled(store, &durable, &error);
        poll(&settled, 1, 20);
    }
    ck_assert_int_eq(status, BG_E_STORE);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s", error.text);
    ck_assert_msg(strstr(message, "was cut") != NULL ||
                      strstr(error.text, ".rescued: move it") != NULL,
                  "%s", error.text);
}

static void take_place(const char *from)
{
    ck_assert_int_eq(rename(from, path), 0);
}

TEST_LOOP(a_removed_folder_is_reported_and_its_games_are_saved_beside_it, 0, 4)
{
    static const struct {
        const char *command, *message; /* in the folder */
    } deeds[] = {{"rm -rf sub", "the file was removed"},
                 {"mv sub/folder/results.db moved.db", "the file was removed"},
                 {"rm sub/folder/results.db-wal", "the log of the database was removed"},
                 {"cd sub/folder && cp results.db x && mv x results.db",
                  "the file was replaced by another file"}};
    struct store *store = open_store();
    char text[512], copy[160];

    for (int game = 0; game < 5; game++) {
        put(store, make_game("a", "b", 0, 0, game, 1));
    }
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    snprintf(text, sizeof text, "cd '%s' && %s", folder, deeds[_i].command);
    ck_assert_int_eq(system(text), 0);
    if (_i % 2 == 0) { /* one more item is written, or none */
        put(store, make_game("a", "b", 0, 0, 5, 1));
    }
    wait_gone(store, deeds[_i].message);
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_E_STORE);
    store_destroy(store);
    snprintf(copy, sizeof copy, "%s.rescued", path);
    take_place(copy);
    snprintf(copy, sizeof copy, "%s-wal", path);
    ck_assert_int_ne(access(copy, F_OK), 0); /* of the old file, which would damage the copy */
    store = open_store();
    ck_assert_int_eq(count_games(store), (_i % 2 == 0 ? 6 : 5));
    store_destroy(store);
}

/* As the file system shows it; what stood only in the log is gone, the rest is whole. */
TEST_LOOP(a_log_that_is_cut_is_noticed, 0, 2)
{
    struct store *store = open_store();
    char log[160];

    snprintf(log, sizeof log, "%s-wal", path);
    put(store, make_game("a", "b", 0, 0, 0, 1));
    store_destroy(store);
    store = open_store();
    for (int game = 1; game < 5; game++) {
        put(store, make_game("a", "b", 0, 0, game, 1));
        ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    }
    ck_assert_int_eq(truncate(log, _i * 9000), 0);
    if (_i == 0) {
        put(store, make_game("a", "b", 0, 0, 5, 1));
    }
    wait_gone(store, "the log of the database was cut");
    store_destroy(store);
    store = open_store();
    ck_assert_int_eq(count_games(store), 1);
    store_destroy(store);
}

/* Another program may empty the log in good order. */
TEST(a_log_that_is_emptied_by_sqlite_is_not_lost)
{
    struct store *store = open_store();

    put(store, make_game("a", "b", 0, 0, 0, 1));
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    sql("PRAGMA wal_checkpoint(TRUNCATE)");
    put(store, make_game("a", "b", 0, 0, 1, 1));
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    ck_assert_int_eq(count_games(store), 2);
    store_destroy(store);
}

/* Whether another process sees SQLite's lock that says "the index is in use" (byte 128 of the file,
 * UNIX_SHM_DMS in SQLite's source). */
static bool index_is_locked(void)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 128, .l_len = 1};
        char index[160];
        int fd;

        snprintf(index, sizeof index, "%s-shm", path);
        fd = open(index, O_RDWR | O_CLOEXEC);
        _exit(fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status == 0;
}

/* A program that finds no lock on the index takes itself for the first, and cuts the index in use.
 */
TEST(a_look_at_the_log_leaves_the_locks_on_its_index)
{
    struct store *store = open_store();

    for (int game = 0; game < 3; game++) {
        put(store, make_game("a", "b", 0, 0, game, 1));
        ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
        ck_assert(index_is_locked());
    }
    store_destroy(store);
}

TEST(a_removed_file_is_noticed_without_writing)
{
    struct store *store = open_store();

    put(store, make_game("a", "b", 0, 0, 0, 1));
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(store->ops->flush(store, &error), BG_E_STORE);
    ck_assert_msg(strstr(error.text, "was removed") != NULL, "%s", error.text);
    store_destroy(store);
}

static void refuses_writer(const char *name, const char *message)
{
    struct store *store = NULL;

    ck_assert_int_ne(store_sqlite_open(&store, name, &error), BG_OK);
    ck_assert_ptr_null(store);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s", error.text);
}

TEST(a_second_writer_under_another_name_is_refused)
{
    struct store *store = open_store();
    char other[160];

    snprintf(other, sizeof other, "%s/other", folder);
    ck_assert_int_eq(symlink("sub/folder", other), 0);
    snprintf(other, sizeof other, "%s/other/results.db", folder);
    refuses_writer(other, "in use by process");
    snprintf(other, sizeof other, "%s/soft.db", folder);
    ck_assert_int_eq(symlink("sub/folder/results.db", other), 0);
    refuses_writer(other, "under another name");
    snprintf(other, sizeof other, "%s/hard.db", folder);
    ck_assert_int_eq(link(path, other), 0);
    refuses_writer(other, "under another name");
    put(store, make_game("a", "b", 0, 0, 0, 1));
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK); /* does not affect the first one */
    store_destroy(store);
    refuses_writer(other, "has 2 names");
    ck_assert_int_eq(unlink(other), 0);
    store_destroy(open_store());
}

/* Writes games and ends without closing; SIGKILL as in reality. */
static void write_and_die(int games)
{
    pid_t child = fork();

    if (child == 0) {
        struct store *store = NULL;

        if (store_sqlite_open(&store, path, NULL) == BG_OK) {
            for (int game = 0; game < games; game++) {
                store_put_game(store, make_game("a", "b", 0, 0, game, 1), NULL);
            }
            store->ops->flush(store, NULL);
            kill(getpid(), SIGKILL);
        }
        _exit(1);
    }
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

static bool log_was_lost(void)
{
    struct store *store = open_store();
    char text[8];
    bool found;

    ck_assert_int_eq(store->ops->meta_get(store, STORE_LOG_LOST, text, sizeof text, &found, NULL),
                     BG_OK);
    store_destroy(store);
    return found;
}

TEST(a_lost_log_is_detected_even_for_a_new_database)
{
    char log[160];

    snprintf(log, sizeof log, "%s-wal", path);
    write_and_die(3);
    ck_assert(!log_was_lost());
    write_and_die(0);
    ck_assert(!log_was_lost());
    write_and_die(3);
    ck_assert_int_eq(unlink(log), 0);
    ck_assert(log_was_lost());
}

/* --- killed at any instant --------------------------------------------------------------- */

/* Writes legs of three games for ever and writes the number of durable games to the pipe. Asserts
 * nothing: a kill in the middle of libcheck's note would spoil the whole run. */
static void write_until_killed(int report_fd, int first_pair)
{
    struct store *store = NULL;
    uint64_t durable, reported = 0;

    if (store_sqlite_open(&store, path, NULL) != BG_OK) {
        _exit(1);
    }
    for (int i = 0;; i++) {
        struct store_game *game =
            make_game("a", "b", (uint64_t)first_pair + (uint64_t)i / 3, 0, i % 3, 1);

        if (store_put_game(store, game, NULL) != BG_OK ||
            (i % 50 == 49 && store->ops->flush(store, NULL) != BG_OK)) {
            _exit(1);
        }
        if (store->ops->settled(store, &durable, NULL) == BG_OK && durable != reported) {
            reported = durable;
            if (write(report_fd, &reported, sizeof reported) != sizeof reported) {
                _exit(1);
            }
        }
    }
}

struct legs {
    uint64_t games, pair;
    int next;
};

/* Every leg has its games 0..k without a gap. */
static bool check_leg(void *user, const struct store_game *game)
{
    struct legs *legs = user;
    struct store_game *made = make_game("a", "b", game->pair, 0, game->game, 1);

    legs->next = legs->games > 0 && game->pair == legs->pair ? legs->next : 0;
    legs->pair = game->pair;
    ck_assert_int_eq(game->game, legs->next);
    ck_assert_str_eq(game->text, made->text);
    store_game_destroy(made);
    legs->next++;
    legs->games++;
    return true;
}

static uint64_t last_reported(int from)
{
    uint64_t reported = 0, one;

    while (read(from, &one, sizeof one) == (ssize_t)sizeof one) {
        reported = one;
    }
    return reported;
}

TEST(durable_games_survive_a_killed_writer)
{
    struct chance chance = {9};
    uint64_t before = 0;

    enum { ROUNDS = 12 };

    for (int round = 0; round < ROUNDS; round++) {
        int pipe_fd[2];
        pid_t child;
        struct legs legs = {0};
        uint64_t reported;

        ck_assert_int_eq(pipe2(pipe_fd, O_CLOEXEC), 0);
        child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            write_until_killed(pipe_fd[1], (round + 1) * 1000000);
        }
        close(pipe_fd[1]);
        /* The instant varies: from the first opening on, up to 60 ms later. */
        poll(NULL, 0, chance_below(&chance, 60));
        if (round == ROUNDS - 1) { /* on a slow machine all kills may come too early */
            struct pollfd told_one = {.fd = pipe_fd[0], .events = POLLIN};

            ck_assert_int_eq(poll(&told_one, 1, -1), 1);
        }
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        reported = last_reported(pipe_fd[0]);
        close(pipe_fd[0]);

        struct store *store = open_store();

        ck_assert_int_eq(store_all_games(store, true, check_leg, &legs, NULL), BG_OK);
        ck_assert_uint_ge(legs.games, before + reported);
        before = legs.games;
        store_destroy(store);
    }
    ck_assert_uint_gt(before, 0);
}

TEST(a_reader_sees_a_killed_writers_games)
{
    int pipe_fd[2];
    uint64_t reported = 0;
    pid_t child;

    ck_assert_int_eq(pipe2(pipe_fd, O_CLOEXEC), 0);
    child = fork();
    if (child == 0) {
        write_until_killed(pipe_fd[1], 0);
    }
    close(pipe_fd[1]);
    ck_assert_int_eq(read(pipe_fd[0], &reported, sizeof reported), sizeof reported);
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    close(pipe_fd[0]);

    struct store *reader = open_read();
    struct legs legs = {0};

    ck_assert_int_eq(store_all_games(reader, true, check_leg, &legs, NULL), BG_OK);
    ck_assert_uint_ge(legs.games, reported);
    store_destroy(reader);
}

SUITE_FIXTURE(make_deep_folder, folder_remove)
