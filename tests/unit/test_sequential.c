/* Legs put together to pairs, and the sequential test over them: whatever order they end in. */
#include "event/sequential.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void event_init(struct config_event *event, int length, bool duplicate, const char *sprt)
{
    const struct config_bot a = {.name = "zeta", .cmd = "z"}, b = {.name = "alpha", .cmd = "a"};

    config_event_init_duel(event);
    event->rules = bg_rules_default(event->rules.variant, length);
    event->duplicate = duplicate;
    event->pairs = 50;
    ck_assert_int_eq(config_event_add(event, &a, NULL), BG_OK);
    ck_assert_int_eq(config_event_add(event, &b, NULL), BG_OK);
    ck_assert_int_eq(config_event_set(event, "sprt", sprt, NULL), BG_OK);
}

static struct pairs_leg leg(int winner, int64_t points)
{
    return (struct pairs_leg){.winner = winner,
                              .points = {winner == 0 ? points : 0, winner == 1 ? points : 0},
                              .games = 1};
}

/* ---- pairs */

START_TEST(two_legs_make_a_pair_whatever_comes_between)
{
    struct pairs pairs;
    struct pairs_cluster out;
    struct pairs_leg won = leg(0, 4), lost = leg(1, 1), drawn = leg(-1, 0);
    bool whole;

    pairs_init(&pairs, 2);
    for (uint64_t pair = 0; pair < 40; pair++) {
        struct fixture first = {0, 1, pair, (int)(pair % 2)};

        ck_assert_int_eq(pairs_put(&out, &whole, &pairs, &first, &won, NULL), BG_OK);
        ck_assert(!whole);
    }
    for (uint64_t pair = 0; pair < 40; pair++) {
        struct fixture second = {0, 1, pair, (int)(1 - pair % 2)};

        pairs_put(&out, &whole, &pairs, &second, pair < 20 ? &lost : &drawn, NULL);
        ck_assert(whole);
        ck_assert_uint_eq(out.fixture.pair, pair);
        ck_assert_int_eq(pairs_points(&out), pair < 20 ? 3 : 4);
        ck_assert(pairs_wins(&out) == (pair < 20 ? 1 : 1.5));
        ck_assert_int_eq(pairs_games(&out), 2);
    }
    ck_assert_int_eq(pairs.count, 0);
    pairs_deinit(&pairs);
}
END_TEST

START_TEST(a_single_leg_is_a_cluster_with_plain_dice)
{
    struct pairs pairs;
    struct pairs_cluster out;
    struct fixture fixture = {0, 1, 7, 0};
    struct pairs_leg lost = leg(1, 6), never = {.unplayed = true};
    bool whole;

    pairs_init(&pairs, 1);
    pairs_put(&out, &whole, &pairs, &fixture, &lost, NULL);
    ck_assert(whole && !pairs_is_broken(&out));
    ck_assert_int_eq(pairs_points(&out), -6);
    ck_assert(pairs_wins(&out) == 0);
    pairs_put(&out, &whole, &pairs, &fixture, &never, NULL);
    ck_assert(whole && pairs_is_broken(&out));
    pairs_deinit(&pairs);
}
END_TEST

/* ---- the test */

static struct pairs_cluster cluster(uint64_t pair, int64_t first, int64_t second)
{
    return (struct pairs_cluster){
        .fixture = {1, 0, pair, 0},
        .legs = 2,
        .leg = {leg(first > 0 ? 0 : 1, llabs(first)), leg(second > 0 ? 0 : 1, llabs(second))}};
}

/* The first bot, zeta, is B of the pairs: what A loses it wins. */
START_TEST(money_is_seen_from_the_first_bot)
{
    struct config_event event;
    struct sequential test;
    bool looked;

    event_init(&event, 0, true, "ppg0=0 ppg1=1 min_clusters=3");
    ck_assert_int_eq(sequential_init(&test, &event, NULL), BG_OK);
    ck_assert_str_eq(sequential_model(&test), "normal");
    for (uint64_t i = 0; i < 4; i++) {
        struct pairs_cluster c = cluster(i, -3, i % 2 == 0 ? 1 : -1);

        sequential_put(&test, &looked, &c, NULL);
        ck_assert(looked);
    }
    ck_assert(fabs(test.test.mean - 1.5) < 1e-12); /* -(-3 + 1) / 2 = 1 and 2 in turn */
    sequential_deinit(&test);
    config_event_deinit(&event);
}
END_TEST

/* The same pairs in any order, with one that is never played: the same verdict at the same pair. */
START_TEST(order_does_not_matter)
{
    enum { PAIRS = 50 };
    static const uint64_t steps[] = {1, 0, 3, 7, 21}; /* 0: backwards */
    uint64_t decided_at = 0;
    double llr = 0;

    for (int order = 0; order < 5; order++) {
        struct config_event event;
        struct sequential test;
        bool looked;

        event_init(&event, 0, true, "ppg0=0 ppg1=0.5 min_clusters=5");
        ck_assert_int_eq(sequential_init(&test, &event, NULL), BG_OK);
        for (uint64_t i = 0; i < PAIRS; i++) {
            uint64_t pair = steps[order] == 0 ? PAIRS - 1 - i : i * steps[order] % PAIRS;
            struct pairs_cluster c = cluster(pair, -2, pair % 3 == 0 ? 1 : -1);

            c.leg[1].unplayed = pair == 2;
            ck_assert_int_eq(sequential_put(&test, &looked, &c, NULL), BG_OK);
            ck_assert(steps[order] != 0 || looked == (pair == 0)); /* all at once */
        }
        ck_assert(sequential_is_over(&test));
        ck_assert_int_eq(test.test.state, SPRT_H1);
        ck_assert_uint_lt(test.test.clusters, PAIRS / 2);
        if (order == 0) {
            decided_at = test.test.clusters;
            llr = test.test.llr;
        }
        ck_assert_uint_eq(test.test.clusters, decided_at);
        ck_assert(test.test.llr == llr);
        sequential_deinit(&test);
        config_event_deinit(&event);
    }
}
END_TEST

START_TEST(matches_are_counted)
{
    static const struct {
        bool duplicate;
        const char *sprt, *model;
    } rows[] = {
        {true, "elo0=0 elo1=50", "multinomial"},
        {false, "elo0=0 elo1=50", "binomial"},
        {true, "elo0=0 elo1=50 model=normal", "normal"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct config_event event;
        struct sequential test;

        event_init(&event, 5, rows[i].duplicate, rows[i].sprt);
        event.pairs = 1000;
        ck_assert_int_eq(sequential_init(&test, &event, NULL), BG_OK);
        ck_assert_str_eq(sequential_model(&test), rows[i].model);
        if (strcmp(rows[i].model, "normal") == 0) { /* 56.4 % at 100 points and length 5 */
            ck_assert(test.test.plan.h0 == 0.5);
            ck_assert(fabs(test.test.plan.h1 - 0.5321) < 1e-3);
        }
        sequential_deinit(&test);
        config_event_deinit(&event);
    }
}
END_TEST

/* The line that scripts read, with a ratio that is there and one that is not. */
START_TEST(the_line_has_no_nan)
{
    struct config_event event;
    struct sequential test;
    char line[SEQUENTIAL_LINE];

    event_init(&event, 0, true, "ppg0=0 ppg1=5 min_clusters=2");
    ck_assert_int_eq(sequential_init(&test, &event, NULL), BG_OK);
    sequential_line(line, &test);
    ck_assert_str_eq(line, "LLR: 0.00 (0.0%) (-2.94, 2.94) [0.00, 5.00]");
    test.test.llr = -1.2;
    sequential_line(line, &test);
    ck_assert_str_eq(line, "LLR: -1.20 (-40.8%) (-2.94, 2.94) [0.00, 5.00]");
    sequential_deinit(&test);
    config_event_deinit(&event);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sequential");
    TCase *pairs = tcase_create("pairs"), *test = tcase_create("test");
    SRunner *runner;
    int failed;

    tcase_add_test(pairs, two_legs_make_a_pair_whatever_comes_between);
    tcase_add_test(pairs, a_single_leg_is_a_cluster_with_plain_dice);
    suite_add_tcase(suite, pairs);
    tcase_add_test(test, money_is_seen_from_the_first_bot);
    tcase_add_test(test, order_does_not_matter);
    tcase_add_test(test, matches_are_counted);
    tcase_add_test(test, the_line_has_no_nan);
    suite_add_tcase(suite, test);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
