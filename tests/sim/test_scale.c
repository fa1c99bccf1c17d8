/* Large numbers: 10,000 tables on the connections of two bots, and 200 bots in one event. Every
 * game is played and stored once, and as many tables are open as the event requests. */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/tournament.h"
#include "base/exit_status.h"
#include "support/scratch_store.h"
#include "support/suite.h"
#include "table/table.h"

#define MS INT64_C(1000000)

static int live, most_live, started;

enum bg_status __real_table_open(struct table **out, const struct table_setup *setup,
                                 struct bg_error *err);
enum bg_status __wrap_table_open(struct table **out, const struct table_setup *setup,
                                 struct bg_error *err);
void __real_table_destroy(struct table *table);
void __wrap_table_destroy(struct table *table);

enum bg_status __wrap_table_open(struct table **out, const struct table_setup *setup,
                                 struct bg_error *err)
{
    started++;
    live++;
    most_live = live > most_live ? live : most_live;
    return __real_table_open(out, setup, err);
}

void __wrap_table_destroy(struct table *table)
{
    live -= table != NULL;
    __real_table_destroy(table);
}

/* ---- a counting store */

enum { BOTS = 200, PAIRS = 6000 };

static struct store_ops ops;
static bool seen[BOTS][BOTS][2];  /* of the first pair: by bots and leg */
static bool seen_pairs[PAIRS][2]; /* of the first two bots: by pair and leg */
static int games, games_twice;

static int number_of(const char *bot)
{
    return atoi(bot + strlen("honest"));
}

static enum bg_status (*real_put)(struct store *store, struct store_item *item,
                                  struct bg_error *err);

static enum bg_status put(struct store *store, struct store_item *item, struct bg_error *err)
{
    const struct store_game *game = item->as.game;
    bool *once;

    if (item->kind != STORE_ITEM_GAME) {
        return real_put(store, item, err);
    }
    once = game->pair == 0 ? &seen[number_of(game->a)][number_of(game->b)][game->leg]
                           : &seen_pairs[game->pair][game->leg];
    games++;
    games_twice += *once;
    *once = true;
    store_item_free(item);
    return BG_OK;
}

enum bg_status __real_store_sqlite_open(struct store **out, const char *path, struct bg_error *err);
enum bg_status __wrap_store_sqlite_open(struct store **out, const char *path, struct bg_error *err);

enum bg_status __wrap_store_sqlite_open(struct store **out, const char *path, struct bg_error *err)
{
    char scratch[SCRATCH_PATH];
    enum bg_status status;

    scratch_path(scratch);
    status = __real_store_sqlite_open(out, scratch, err);
    if (status == BG_OK) {
        ops = *(*out)->ops;
        real_put = ops.put;
        ops.put = put;
        (*out)->ops = &ops;
    }
    return status;
}

/* The world calls it when a machine dies, which is not planned here. */
void sim_store_die(uint64_t survive)
{
    abort();
}

void sim_store_settle(void)
{
    abort();
}

void sim_store_forget(void)
{
}

/* Plays the event in one run. */
static void play(struct config_event *event, struct competitor *bots, int bot_count)
{
    struct tournament_run run = {.event = event, .command = "sim", .quiet = true};
    int status, hushed = sim_hush();

    for (int i = 0; i < bot_count; i++) {
        snprintf(bots[i].name, sizeof bots[i].name, "honest%03d", i);
        snprintf(bots[i].cmd, sizeof bots[i].cmd, "sim");
    }
    event->bots = bots;
    event->bot_count = bot_count;
    strcpy(event->name, "scale");
    strcpy(event->results, "sim.db");
    event->rules = bg_rules_default(bg_variant_find("backgammon"), 1);
    event->start_ns = 1000 * MS;
    event->has_seed = true;
    event->seed = 1;
    live = most_live = started = games = games_twice = 0;
    memset(seen, 0, sizeof seen);
    memset(seen_pairs, 0, sizeof seen_pairs);
    sim_begin(&(struct sim_plan){.seed = 1, .rate = 1000});
    sim_new_run(false);
    status = tournament_run(&run, &error);
    sim_speak(hushed);
    ck_assert_msg(status == EXIT_DONE, "status %d: %s", status, error.text);
    ck_assert_int_eq(games_twice, 0);
    ck_assert_int_eq(live, 0);
    sim_end();
}

TEST(ten_thousand_tables_at_once)
{
    static struct config_event event;
    static struct competitor bots[2];

    config_event_init(&event);
    event.pairs = PAIRS;
    event.concurrency = 10000;
    event.instances = 1;
    play(&event, bots, 2);
    ck_assert_int_eq(games, 2 * PAIRS);
    ck_assert_int_eq(started, 2 * PAIRS);
    ck_assert_int_eq(most_live, 10000);
}

TEST(two_hundred_bots_in_an_event)
{
    enum { GAMES = BOTS * (BOTS - 1) / 2 };
    static struct config_event event;
    static struct competitor bots[BOTS];

    config_event_init(&event);
    event.pairs = 1;
    event.duplicate = false;
    event.concurrency = 100;
    event.instances = 1;
    play(&event, bots, BOTS);
    ck_assert_int_eq(games, GAMES);
    ck_assert_int_eq(started, GAMES);
    ck_assert_int_eq(most_live, 100);
}

void suite_begin(TCase *tests)
{
    if (freopen("/dev/null", "w", stderr) == NULL) { /* the referee's output */
        exit(EXIT_FAILURE);
    }
    suite_in_one_process(); /* virtual time: no libcheck timeouts */
}
