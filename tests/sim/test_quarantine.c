/* A bot's faults are counted over all runs of an event: with any number of interruptions, a bot is
 * quarantined after as many faults as in one run. */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/tournament.h"
#include "base/exit_status.h"

#include "support/suite.h"

#define MS INT64_C(1000000)

enum { BOTS = 3, PAIRS = 6, FAULTS = 4, FIXTURES = 2 * PAIRS, RUNS_MAX = 100 };

static struct config_event event;
static struct competitor bots[BOTS];

/* In schedule order: honest and honest2, then each against the cheat. */
static void make_event(void)
{
    static const char *const names[BOTS] = {"honest", "honest2", "cheat"};

    config_event_init(&event);
    memset(bots, 0, sizeof bots);
    for (int i = 0; i < BOTS; i++) {
        strcpy(bots[i].name, names[i]);
        strcpy(bots[i].cmd, "sim");
    }
    event.bots = bots;
    event.bot_count = BOTS;
    strcpy(event.name, "quarantine");
    strcpy(event.results, "sim.db");
    event.rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    event.pairs = PAIRS;
    event.concurrency = event.instances = 1;
    event.ceiling_ns = 200 * MS;
    event.start_ns = 1000 * MS;
    event.quarantine = FAULTS;
    event.has_seed = true;
    event.seed = 1;
}

struct seen {
    int games, faults, unplayed;
};

static bool see_game(void *user, const struct store_game *game)
{
    ((struct seen *)user)->games++;
    return true;
}

static void see_fault(void *user, const struct store_fault *fault)
{
    ck_assert_str_eq(fault->bot, "cheat");
    ((struct seen *)user)->faults++;
}

static void see_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    ck_assert_ptr_nonnull(strstr(fixture, "cheat|"));
    ck_assert_str_eq(bot, "cheat");
    ck_assert_str_eq(why, "quarantined");
    ((struct seen *)user)->unplayed++;
}

static struct seen look(void)
{
    struct seen seen = {0, 0, 0};
    struct store *store = sim_store();

    ck_assert_int_eq(store_all_games(store, false, see_game, &seen, NULL), BG_OK);
    ck_assert_int_eq(store_all_faults(store, see_fault, &seen, NULL), BG_OK);
    ck_assert_int_eq(store_all_unplayed(store, see_unplayed, &seen, NULL), BG_OK);
    return seen;
}

/* Plays to the end; returns the number of runs. */
static int play_until(int end)
{
    struct tournament_run run = {.event = &event, .command = "sim", .quiet = true};
    int runs = 0, status, hushed = sim_hush();

    do {
        sim_new_run(runs < RUNS_MAX / 2);
        status = tournament_run(&run, &error);
    } while (++runs < RUNS_MAX && status != EXIT_DONE && status != EXIT_UNPLAYED);
    sim_speak(hushed);
    ck_assert_int_eq(status, end);
    return runs;
}

static int play(void)
{
    return play_until(EXIT_UNPLAYED);
}

static const struct sim_plan plans[] = {
    {.seed = 1, .rate = 1},
    {.seed = 1, .rate = 1, .interrupt_every_ns = 25 * MS},
    {.seed = 2,
     .rate = 1,
     .interrupt_every_ns = 15 * MS,
     .sync_ns = 10 * MS,
     .machine_dies_every = 2},
};

TEST_ROWS(faults_count_through_all_runs, plans)
{
    struct seen seen;
    int runs;

    make_event();
    sim_begin(&plans[_i]);
    runs = play();
    seen = look();
    ck_assert_int_ge(runs, plans[_i].interrupt_every_ns == 0 ? 1 : 5);
    ck_assert_int_eq(seen.faults, FAULTS);
    ck_assert_int_eq(seen.games, FIXTURES + FAULTS); /* honest's and honest2's, and the lost */
    ck_assert_int_eq(seen.unplayed, 2 * FIXTURES - FAULTS);
    sim_store_forget();
    sim_end();
}

/* The quarantine limit may be raised for a repaired bot: results do not depend on it. */
TEST(a_larger_quarantine_limit_lets_the_bot_continue)
{
    make_event();
    event.quarantine = 1;
    sim_begin(&plans[0]);
    event.pairs = 1;
    play();
    ck_assert_int_eq(look().faults, 1);
    event.pairs = PAIRS; /* more pairs, so that there is something to play */
    play();
    ck_assert_int_eq(look().faults, 1);
    event.pairs = PAIRS + 1;
    event.quarantine = 3;
    play();
    ck_assert_int_eq(look().faults, 3);
    sim_store_forget();
    sim_end();
}

/* The loop would stand still meanwhile, and nothing follows from the bot's last games. */
TEST(a_quarantine_does_not_wait_for_the_disk)
{
    uint64_t flushes[2];

    for (int i = 0; i < 2; i++) {
        make_event();
        event.quarantine = i == 0 ? FAULTS : 1000;
        sim_begin(&plans[0]);
        play_until(i == 0 ? EXIT_UNPLAYED : EXIT_DONE);
        flushes[i] = sim_counts()->flushes;
        sim_store_forget();
        sim_end();
    }
    ck_assert_uint_eq(flushes[0], flushes[1]);
}

void suite_begin(TCase *tests)
{
    if (freopen("/dev/null", "w", stderr) == NULL) { /* the referee's messages about faults */
        exit(EXIT_FAILURE);
    }
    suite_in_one_process(); /* virtual time: no libcheck timeouts */
}
