/* What is known of an event's results: the tally that the store's thread feeds, and the faults of
 * before. */
#define _GNU_SOURCE
#include "fixtures/ledger.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GAMES = 600, FAULTS = 3 };

static char folder[] = "/tmp/bgref-ledger-XXXXXX";
static struct config_event event;
static struct config_bot bots[2];

static void setup(void)
{
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    config_event_init(&event);
    memset(bots, 0, sizeof bots);
    strcpy(bots[0].name, "b");
    strcpy(bots[1].name, "a");
    event.bots = bots;
    event.bot_count = 2;
    event.rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    event.pairs = GAMES;
    event.has_seed = true;
    snprintf(event.results, sizeof event.results, "%s/r.db", folder);
}

static void teardown(void)
{
    char command[160];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static struct store_fault *make_fault(const char *game_id, const char *bot, enum bg_fault kind)
{
    struct store_fault *fault = calloc(1, sizeof *fault);

    *fault = (struct store_fault){
        .game_id = game_id == NULL ? NULL : strdup(game_id), .bot = strdup(bot), .fault = kind};
    return fault;
}

/* A money game of one point for a; the first few by a fault of b. */
static void put(struct ledger *ledger, int number)
{
    struct store *store = ledger_store(ledger);
    struct store_game *game = calloc(1, sizeof *game);
    char id[64];

    snprintf(id, sizeof id, "a|b|%d|0|0", number);
    *game = (struct store_game){.id = strdup(id),
                                .a = strdup("a"),
                                .b = strdup("b"),
                                .pair = (uint64_t)number,
                                .points = 1,
                                .level = 1,
                                .end = number < FAULTS ? BG_END_FAULT : BG_END_OFF,
                                .fault = number < FAULTS ? BG_FAULT_LATE : BG_FAULT_NONE,
                                .turns = 10,
                                .score_a = 1,
                                .match_over = true,
                                .text = strdup("record\n"),
                                .text_size = 7};
    snprintf(game->hash, sizeof game->hash, "%064d", number);
    game->evidence = number < FAULTS ? make_fault(id, "b", BG_FAULT_LATE) : NULL;
    ck_assert_int_eq(store->ops->put_game(store, game, NULL), BG_OK);
}

static struct ledger *open_ledger(void)
{
    struct ledger *ledger = NULL;
    struct bg_error err = {.text = ""};

    ck_assert_msg(ledger_open(&ledger, &event, false, NULL, &err) == BG_OK, "%s", err.text);
    return ledger;
}

static uint64_t games(struct ledger *ledger)
{
    uint64_t count = ledger_lock_tally(ledger)->games;

    ledger_unlock_tally(ledger);
    return count;
}

START_TEST(the_tally_can_be_read_while_it_is_fed)
{
    struct ledger *ledger = open_ledger();
    uint64_t before = 0, now = 0;

    for (int i = 0; i < GAMES; i++) {
        put(ledger, i);
    }
    while (now < GAMES) { /* the store's thread writes: nothing is waited for but that */
        now = games(ledger);
        ck_assert_uint_ge(now, before);
        before = now;
    }
    ck_assert_uint_eq(now, GAMES);
    ledger_close(ledger);
}
END_TEST

START_TEST(faults_of_before_are_known)
{
    struct ledger *ledger = open_ledger();
    struct store *store = ledger_store(ledger);

    for (int i = 0; i < FAULTS + 2; i++) {
        put(ledger, i);
    }
    store->ops->put_fault(store, make_fault(NULL, "b", BG_FAULT_START), NULL);
    store->ops->put_fault(store, make_fault(NULL, "b", BG_FAULT_HOST), NULL);
    store->ops->put_fault(store, make_fault(NULL, "gone", BG_FAULT_CRASH), NULL);
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    ck_assert_int_eq(ledger_faults(ledger, 0), 0); /* of this run, counted elsewhere */
    ledger_close(ledger);
    ledger = open_ledger();
    ck_assert_int_eq(ledger_faults(ledger, 0), FAULTS); /* not the start that failed */
    ck_assert_int_eq(ledger_faults(ledger, 1), 0);
    ledger_close(ledger);
}
END_TEST

static void count_past(void *user, const struct fixture *fixture, const struct store_game *game,
                       const struct thinking *thinking)
{
    (void)game;
    (void)thinking;
    ck_assert_uint_ne(fixture->pair, 1);
    ++*(int *)user;
}

static bool count_stored(void *user, const struct store_game *game)
{
    (void)game;
    ++*(int *)user;
    return true;
}

static void see_act(void *user, const struct store_attempt *act)
{
    char *text = user;

    sprintf(text + strlen(text), "%s|%s|%d+%d:%d ", act->a, act->b, (int)act->pair,
            (int)act->attempt, (int)act->games);
}

static int stored(struct store *store)
{
    int count = 0;

    ck_assert_int_eq(store->ops->all_games(store, false, count_stored, &count, NULL), BG_OK);
    return count;
}

START_TEST(pairs_are_set_aside_when_the_event_begins_and_count_no_more_before)
{
    struct ledger *ledger = open_ledger();
    struct store *store = ledger_store(ledger);
    const struct fixture pair = {1, 0, 1, 0}; /* a faulty game, by b */
    char text[256] = "", told[256] = "";
    int past = 0;
    bool found;

    for (int i = 0; i < 5; i++) {
        put(ledger, i);
    }
    ck_assert_int_eq(store->ops->set_aside(store, "a|b|0", "before", "then", NULL), BG_OK);
    ck_assert_int_eq(store->ops->meta_set(store, "results.root", "root", NULL), BG_OK);
    ledger_close(ledger);
    ledger = open_ledger();
    store = ledger_store(ledger);
    ck_assert_uint_eq(games(ledger), 4);
    ck_assert(ledger_is_settled(ledger, &pair) && ledger_is_begun(ledger, &pair));
    ck_assert_int_eq(ledger_plan_anew(ledger, &pair, NULL), BG_OK);
    ck_assert_int_eq(ledger_look_anew(ledger, NULL), BG_OK);
    ck_assert_uint_eq(games(ledger), 3);
    ck_assert(!ledger_is_settled(ledger, &pair) && !ledger_is_begun(ledger, &pair));
    ck_assert_uint_eq(ledger_settled(ledger), 3);
    ck_assert_int_eq(ledger_faults(ledger, 0), 1);
    ck_assert_uint_eq(ledger_attempt(ledger, &pair), 1);
    ck_assert_uint_eq(ledger_attempt(ledger, &(struct fixture){1, 0, 0, 1}), 1); /* stored before */
    ck_assert_uint_eq(ledger_attempt(ledger, &(struct fixture){1, 0, 2, 0}), 0);
    ck_assert_int_eq(ledger_past(ledger, count_past, &past, NULL), BG_OK);
    ck_assert_int_eq(past, 3);
    ck_assert_int_eq(stored(store), 4); /* nothing is changed yet */
    ck_assert_uint_eq(ledger_each_anew(ledger, see_act, told), 0);
    ck_assert_int_eq(ledger_begin(ledger, NULL, 0, NULL), BG_OK);
    ck_assert_int_eq(stored(store), 3);
    ck_assert_uint_eq(ledger_attempt(ledger, &pair), 1);
    ck_assert_uint_eq(ledger_each_anew(ledger, see_act, told), 1);
    ck_assert_str_eq(told, "a|b|1+1:1 ");
    ck_assert_int_eq(store->ops->all_attempts(store, see_act, text, NULL), BG_OK);
    ck_assert_str_eq(text, "a|b|0+1:1 a|b|1+1:1 ");
    ck_assert_int_eq(store->ops->meta_get(store, "results.root", text, sizeof text, &found, NULL),
                     BG_OK);
    ck_assert_str_eq(text, "");
    ledger_close(ledger);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ledger");
    TCase *tests = tcase_create("ledger");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, the_tally_can_be_read_while_it_is_fed);
    tcase_add_test(tests, faults_of_before_are_known);
    tcase_add_test(tests, pairs_are_set_aside_when_the_event_begins_and_count_no_more_before);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
