/* Legs are combined into pairs, and the sequential test runs over the pairs, in any order of
 * arrival. */
#include "feed/judged_pairs.h"
#include "config/sprt_value.h"
#include "feed/sequential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

static void event_init(struct config_event *event, int length, bool duplicate, const char *sprt)
{
    const struct competitor a = {.name = "zeta", .cmd = "z"}, b = {.name = "alpha", .cmd = "a"};

    config_event_init_duel(event);
    event->rules = bg_rules_default(event->rules.variant, length);
    event->duplicate = duplicate;
    event->pairs = 50;
    ck_assert_int_eq(config_event_add(event, &a, NULL), BG_OK);
    ck_assert_int_eq(config_event_add(event, &b, NULL), BG_OK);
    ck_assert_int_eq(config_event_set(event, "sprt", sprt, NULL), BG_OK);
}

static struct pair_leg leg(int winner, int64_t points)
{
    return (struct pair_leg){.state = pair_state_of(winner),
                             .points = {winner == 0 ? points : 0, winner == 1 ? points : 0},
                             .games = 1};
}

/* ---- pairs */

TEST(two_legs_make_a_pair_in_any_order)
{
    struct pairs pairs;
    struct pairs_cluster out;
    struct pair_leg won = leg(0, 4), lost = leg(1, 1), drawn = leg(-1, 0);
    struct pair_sum sum;
    bool whole;

    pairs_init(&pairs, 2);
    for (uint64_t pair = 0; pair < 40; pair++) {
        struct fixture first = {0, 1, pair, (int)(pair % 2)};

        whole = pairs_put(&out, &pairs, &first, &won);
        ck_assert(!whole);
    }
    for (uint64_t pair = 0; pair < 40; pair++) {
        struct fixture second = {0, 1, pair, (int)(1 - pair % 2)};

        whole = pairs_put(&out, &pairs, &second, pair < 20 ? &lost : &drawn);
        ck_assert(whole);
        ck_assert_uint_eq(out.fixture.pair, pair);
        sum = pair_sum_of(&out.pair);
        ck_assert_int_eq(sum.net, pair < 20 ? 3 : 4);
        ck_assert_int_eq(pair_half_wins(&sum), pair < 20 ? 2 : 3);
        ck_assert_int_eq(sum.games, 2);
    }
    ck_assert_int_eq(pairs.count, 0);
    pairs_deinit(&pairs);
}

TEST(a_single_leg_is_a_cluster_with_plain_dice)
{
    struct pairs pairs;
    struct pairs_cluster out;
    struct fixture fixture = {0, 1, 7, 0};
    struct pair_leg lost = leg(1, 6), never = {.state = PAIR_OPEN};
    struct pair_sum sum;
    bool whole;

    pairs_init(&pairs, 1);
    whole = pairs_put(&out, &pairs, &fixture, &lost);
    ck_assert(whole && !pairs_is_broken(&out));
    sum = pair_sum_of(&out.pair);
    ck_assert_int_eq(sum.net, -6);
    ck_assert_int_eq(pair_half_wins(&sum), 0);
    whole = pairs_put(&out, &pairs, &fixture, &never);
    ck_assert(whole && pairs_is_broken(&out));
    pairs_deinit(&pairs);
}

/* ---- the test */

static struct pairs_cluster cluster(uint64_t pair, int64_t first, int64_t second)
{
    return (struct pairs_cluster){
        .fixture = {1, 0, pair, 0},
        .legs = 2,
        .pair = {{leg(first > 0 ? 0 : 1, llabs(first)), leg(second > 0 ? 0 : 1, llabs(second))}}};
}

/* The first bot, zeta, is B of the pairs: A's losses are its wins. */
TEST(money_points_are_counted_for_the_first_bot)
{
    struct config_event event;
    struct sequential test;
    bool looked;

    event_init(&event, 0, true, "ppg0=0 ppg1=1 min_clusters=3");
    ck_assert_int_eq(sequential_init(&test, &event, NULL), BG_OK);
    ck_assert_str_eq(sequential_model(&test), "normal");
    for (uint64_t i = 0; i < 4; i++) {
        struct pairs_cluster c = cluster(i, -3, i % 2 == 0 ? 1 : -1);

        looked = sequential_put(&test, &c);
        ck_assert(looked);
    }
    ck_assert(fabs(test.test.mean - 1.5) < 1e-12); /* -(-3 + 1) / 2 = 1 and 2 alternately */
    sequential_deinit(&test);
    config_event_deinit(&event);
}

/* The same pairs in any order, with one that is never played: the same verdict at the same pair. */
TEST(order_does_not_matter)
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

            if (pair == 2) {
                c.pair.leg[1] = (struct pair_leg){.state = PAIR_OPEN}; /* never played */
            }
            looked = sequential_put(&test, &c);
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

TEST(matches_are_counted)
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

/* 70 chess Elo are 60 % of the matches, for any length; normalised Elo counts standard
 * deviations. */
TEST(hypotheses_use_the_named_unit)
{
    static const struct {
        int length;
        bool duplicate;
        const char *sprt, *unit;
        double h1;
    } rows[] = {
        {5, true, "elo0=0 elo1=70.4365 unit=chess model=normal", "chess Elo", 0.6},
        {5, true, "elo0=0 elo1=70.4365 model=logistic statistic=luck", "chess Elo", 0.6},
        {9, false, "elo0=0 elo1=300 unit=chess", "chess Elo", 500},
        {9, false, "elo0=0 elo1=300 unit=fibs", "FIBS points", 300},
        {1, false, "elo0=0 elo1=34.7436 model=normalized", "normalised Elo", 0.1},
        {0, true, "elo0=0 elo1=34.7436 unit=normalised", "normalised Elo", 0.1414214},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct config_event event;
        struct sequential test;
        char written[300];

        event_init(&event, rows[i].length, rows[i].duplicate, rows[i].sprt);
        event.pairs = 1000;
        ck_assert_int_eq(sequential_init(&test, &event, NULL), BG_OK);
        ck_assert_str_eq(sequential_unit(&test), rows[i].unit);
        ck_assert_double_eq_tol(test.test.plan.h1, rows[i].h1, 1e-5);
        sprt_value_write(written, sizeof written, &event.sprt);
        ck_assert_int_eq(config_event_set(&event, "sprt", written, NULL), BG_OK);
        ck_assert_str_eq(sequential_unit(&test), rows[i].unit);
        sequential_deinit(&test);
        config_event_deinit(&event);
    }
}

/* Twice the points are the same test: only the mean divided by the deviation counts. */
TEST(normalised_elo_does_not_depend_on_the_stakes)
{
    double llr[2];

    for (int stake = 1; stake <= 2; stake++) {
        struct config_event event;
        struct sequential test;

        event_init(&event, 0, true, "elo0=0 elo1=50 unit=normalised min_clusters=3");
        ck_assert_int_eq(sequential_init(&test, &event, NULL), BG_OK);
        for (uint64_t i = 0; i < 20; i++) {
            struct pairs_cluster c = cluster(i, -stake, stake * (i % 3 == 0 ? 1 : -1));

            sequential_put(&test, &c);
        }
        llr[stake - 1] = test.test.llr;
        sequential_deinit(&test);
        config_event_deinit(&event);
    }
    ck_assert_double_gt(llr[0], 1);
    ck_assert_double_eq_tol(llr[0], llr[1], 1e-9);
}

/* The line that scripts read, with and without a ratio. */
TEST(the_line_has_no_nan)
{
    struct config_event event;
    struct sequential test;
    char line[SEQUENTIAL_LINE];

    event_init(&event, 0, true, "ppg0=0 ppg1=5 min_clusters=2");
    ck_assert_int_eq(sequential_init(&test, &event, NULL), BG_OK);
    sequential_line(line, &test);
    ck_assert_str_eq(line, "LLR: 0.00 (0.0%) (-2.94, 2.94) [0.00, 5.00] points per game");
    test.test.llr = -1.2;
    sequential_line(line, &test);
    ck_assert_str_eq(line, "LLR: -1.20 (-40.8%) (-2.94, 2.94) [0.00, 5.00] points per game");
    sequential_deinit(&test);
    config_event_deinit(&event);
}

/* ---- luck-adjusted results */

TEST(a_pair_is_handed_out_once_when_every_game_is_judged)
{
    struct judged_pairs pairs;
    struct pairs_cluster out;
    struct pair_leg match = {.state = PAIR_WON_A, .points = {5, 2}, .games = 3};
    const struct fixture first = {0, 1, 700, 0}, second = {0, 1, 700, 1};
    bool whole;

    judged_pairs_init(&pairs, 2);
    whole = judged_pairs_luck(&out, &pairs, &first, 1, 0.25);
    ck_assert(!whole);
    whole = judged_pairs_leg(&out, &pairs, &first, &match);
    whole = judged_pairs_luck(&out, &pairs, &first, 0, 0.125);
    whole = judged_pairs_luck(&out, &pairs, &first, 1, 0.25); /* sent again: counts once */
    ck_assert(!whole);
    ck_assert_uint_eq(pairs.judged, 0);
    whole = judged_pairs_luck(&out, &pairs, &first, 2, -1);
    ck_assert(!whole);
    ck_assert_uint_eq(pairs.judged, 1);
    for (int game = 0; game < 3; game++) {
        whole = judged_pairs_luck(&out, &pairs, &second, game, 0.5);
        ck_assert(!whole);
    }
    whole = judged_pairs_leg(&out, &pairs, &second, &match);
    ck_assert(whole);
    ck_assert_uint_eq(out.fixture.pair, 700);
    ck_assert(out.luck == 0.375 - 1 + 1.5);
    ck_assert_int_eq(pair_sum_of(&out.pair).won, 2);
    whole = judged_pairs_luck(&out, &pairs, &second, 2, 9);
    ck_assert(!whole);
    judged_pairs_deinit(&pairs);
}

TEST(a_pair_with_an_unplayed_leg_is_broken_and_needs_no_judge)
{
    struct judged_pairs pairs;
    struct pairs_cluster out;
    const struct pair_leg never = {.state = PAIR_OPEN};
    bool whole;

    judged_pairs_init(&pairs, 2);
    whole = judged_pairs_leg(&out, &pairs, &(struct fixture){0, 1, 0, 1}, &never);
    ck_assert(whole && pairs_is_broken(&out));
    judged_pairs_deinit(&pairs);
}

/* The first bot, zeta, is B of the pairs: its adjusted result is -(points - luck of A over B). */
TEST(luck_is_subtracted_from_points_and_wins)
{
    struct config_event event;
    struct sequential test;
    struct pairs_cluster c = cluster(0, 3, -1);
    bool looked;

    event_init(&event, 0, true, "ppg0=0 ppg1=1 statistic=luck min_clusters=3");
    sequential_init(&test, &event, NULL);
    ck_assert_str_eq(sequential_model(&test), "normal");
    c.luck = 2.5 - 1.5;
    looked = sequential_put(&test, &c);
    ck_assert(looked && fabs(test.test.mean - -0.5) < 1e-12); /* -(3 - 1 - 2.5 + 1.5) / 2 */
    sequential_deinit(&test);
    config_event_deinit(&event);

    event_init(&event, 5, true, "elo0=0 elo1=50 statistic=luck min_clusters=3");
    sequential_init(&test, &event, NULL);
    ck_assert_str_eq(sequential_model(&test), "normal");
    c.luck = 0.375 - 0.125;
    looked = sequential_put(&test, &c);
    ck_assert(looked && fabs(test.test.mean - 0.625) < 1e-12); /* 1 - (1 + 0 - 0.25) / 2 */
    sequential_deinit(&test);
    config_event_deinit(&event);
}

static double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15U);

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* A game with many luck steps whose result is rounded to whole points. The judge sees luck exactly
 * except for its own noise; the result contains the rest. The cube makes heavy tails. */
static void play_leg(struct pair_leg *out, double *luck, uint64_t *state, double truth)
{
    double cube = uniform(state) < 0.8 ? 2 : uniform(state) < 0.8 ? 4 : 8;
    double chance = (1 + truth / cube) / 2;
    bool won = uniform(state) < chance;
    double seen = (won ? cube : -cube) - truth;
    double noise = 0.7 * (uniform(state) + uniform(state) - 1) * cube / 2;

    *out = leg(won ? 0 : 1, (int64_t)cube);
    *luck = seen + noise;
}

/* Share of tests that accept H1 for two bots with this true difference. Games may arrive in any
 * order, judgements too. */
static double share_of_h1(double truth, int tests, double *pairs_used)
{
    enum { PAIRS = 2000, MIN = 50 };
    uint64_t state = 11;
    int accepted = 0;
    double used = 0;

    for (int i = 0; i < tests; i++) {
        struct config_event event;
        struct sequential test;
        struct judged_pairs pairs;

        event_init(&event, 0, true, "ppg0=0 ppg1=0.1 statistic=luck min_clusters=50");
        event.pairs = PAIRS;
        ck_assert_int_eq(sequential_init(&test, &event, NULL), BG_OK);
        judged_pairs_init(&pairs, 2);
        for (uint64_t pair = 0; pair < PAIRS && !sequential_is_over(&test); pair++) {
            struct pairs_cluster out;
            bool whole = false;

            for (int side = 0; side < 2; side++) {
                struct fixture fixture = {1, 0, pair ^ 1, side};
                struct pair_leg played;
                double luck;

                play_leg(&played, &luck, &state, -truth); /* the first bot is B */
                whole = judged_pairs_luck(&out, &pairs, &fixture, 0, luck);
                whole = judged_pairs_leg(&out, &pairs, &fixture, &played);
            }
            ck_assert(whole);
            sequential_put(&test, &out);
        }
        accepted += test.test.state == SPRT_H1;
        ck_assert_int_ne(test.test.state, SPRT_CONTINUE);
        used += (double)test.test.clusters / tests;
        judged_pairs_deinit(&pairs);
        sequential_deinit(&test);
        config_event_deinit(&event);
    }
    *pairs_used = used;
    return (double)accepted / tests;
}

/* alpha = beta = 0.05; of 1,000 tests 50 wrong ones are expected; 71 is three standard deviations
 * more. */
TEST(luck_adjusted_tests_hold_their_error_rates)
{
    double used;

    ck_assert_double_le(share_of_h1(0, 1000, &used), 0.071);
    ck_assert_double_lt(used, 150);
    ck_assert_double_ge(share_of_h1(0.1, 1000, &used), 0.929);
    ck_assert_double_lt(used, 150);
}
