/* The round robin as a function: everybody meets everybody exactly so often, and ids never change.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/ask.h>

#include "fixtures/schedule.h"

enum { MOST = 12 };

static const char *const names[MOST] = {"gnubg", "random", "greedy", "first", "python", "Zulu",
                                        "alpha", "a",      "ab",     "B",     "a-b",    "_x"};

/* Sizes of events: bots, pairs, legs. */
static const struct {
    int bots;
    uint64_t pairs;
    int legs;
} sizes[] = {{0, 3, 2}, {1, 3, 2}, {2, 1, 1}, {2, 5, 2}, {3, 1, 1},  {3, 4, 2}, {4, 3, 2},
             {5, 2, 2}, {6, 2, 1}, {7, 3, 2}, {8, 1, 2}, {11, 2, 2}, {12, 2, 2}};

START_TEST(every_pairing_is_played_exactly_so_often)
{
    static int seen[MOST][MOST][8][2];
    struct schedule schedule = {sizes[_i].bots, names, sizes[_i].pairs, sizes[_i].legs};
    uint64_t count = schedule_count(&schedule);

    memset(seen, 0, sizeof seen);
    ck_assert_uint_eq(count, (uint64_t)(sizes[_i].bots * (sizes[_i].bots - 1) / 2) *
                                 sizes[_i].pairs * (uint64_t)sizes[_i].legs);
    for (uint64_t i = 0; i < count; i++) {
        struct fixture fixture;

        schedule_fixture(&fixture, &schedule, i);
        ck_assert_uint_eq(schedule_number(&schedule, &fixture), i);
        ck_assert_int_lt(fixture.a, sizes[_i].bots);
        ck_assert_int_lt(fixture.b, sizes[_i].bots);
        ck_assert_int_lt(strcmp(names[fixture.a], names[fixture.b]), 0);
        ck_assert_uint_lt(fixture.pair, sizes[_i].pairs);
        ck_assert_int_lt(fixture.leg, sizes[_i].legs);
        seen[fixture.a][fixture.b][fixture.pair][fixture.leg]++;
        ck_assert_int_eq(seen[fixture.a][fixture.b][fixture.pair][fixture.leg], 1);
    }
}
END_TEST

/* Early results are spread: in a round of the circle nobody plays twice, and pairs come in order.
 */
START_TEST(rounds_use_every_bot_once)
{
    int bots = sizes[_i].bots;
    struct schedule schedule = {bots, names, sizes[_i].pairs, sizes[_i].legs};
    uint64_t per_round = (uint64_t)(bots / 2) * (uint64_t)sizes[_i].legs;
    uint64_t last_pair = 0;
    bool busy[MOST] = {false};

    for (uint64_t i = 0; i < schedule_count(&schedule); i++) {
        struct fixture fixture;

        if (i % per_round == 0) {
            memset(busy, 0, sizeof busy);
        }
        schedule_fixture(&fixture, &schedule, i);
        ck_assert_uint_ge(fixture.pair, last_pair);
        last_pair = fixture.pair;
        if (fixture.leg == 0) {
            ck_assert_msg(!busy[fixture.a] && !busy[fixture.b], "%d bots, fixture %d", bots,
                          (int)i);
            busy[fixture.a] = busy[fixture.b] = true;
        }
    }
}
END_TEST

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static size_t ids(char (*out)[BG_GAME_ID], const struct schedule *schedule)
{
    size_t count = (size_t)schedule_count(schedule);

    for (size_t i = 0; i < count; i++) {
        struct fixture fixture;

        schedule_fixture(&fixture, schedule, i);
        schedule_fixture_id(out[i], schedule, &fixture);
    }
    qsort(out, count, sizeof out[0], compare);
    return count;
}

START_TEST(ids_survive_more_bots_more_pairs_and_another_order)
{
    static char small[2000][BG_GAME_ID], large[2000][BG_GAME_ID], turned[2000][BG_GAME_ID];
    const char *other[MOST];
    struct schedule few = {5, names, 2, 2};
    struct schedule more = {MOST, names, 4, 2};
    struct schedule back = {5, other, 2, 2};
    size_t count, many;

    for (int i = 0; i < 5; i++) {
        other[i] = names[4 - i];
    }
    count = ids(small, &few);
    many = ids(large, &more);
    ck_assert_uint_eq(ids(turned, &back), count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_msg(bsearch(small[i], large, many, sizeof large[0], compare) != NULL,
                      "%s is gone", small[i]);
        ck_assert_str_eq(small[i], turned[i]);
        ck_assert_msg(i == 0 || strcmp(small[i - 1], small[i]) != 0, "%s twice", small[i]);
    }
}
END_TEST

START_TEST(an_id_reads_as_documented)
{
    struct schedule schedule = {2, names, 3, 2};
    struct fixture fixture;
    char id[BG_GAME_ID];

    schedule_fixture(&fixture, &schedule, 5);
    schedule_fixture_id(id, &schedule, &fixture);
    ck_assert_str_eq(id, "gnubg|random|2|1");
}
END_TEST

START_TEST(a_large_event_does_not_overflow)
{
    static char text[1000][8];
    static const char *many[1000];
    struct schedule schedule = {1000, many, 1000000000, 2};
    struct fixture fixture;

    for (int i = 0; i < 1000; i++) {
        snprintf(text[i], sizeof text[i], "b%03d", i);
        many[i] = text[i];
    }
    ck_assert_uint_eq(schedule_count(&schedule), UINT64_C(999000000000000));
    schedule_fixture(&fixture, &schedule, schedule_count(&schedule) - 1);
    ck_assert_uint_eq(fixture.pair, 999999999);
    ck_assert_int_eq(fixture.leg, 1);
    ck_assert_int_lt(fixture.a, fixture.b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("schedule");
    TCase *laws = tcase_create("laws");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(laws, every_pairing_is_played_exactly_so_often, 0,
                        (int)(sizeof sizes / sizeof sizes[0]));
    tcase_add_loop_test(laws, rounds_use_every_bot_once, 2, (int)(sizeof sizes / sizeof sizes[0]));
    tcase_add_test(laws, ids_survive_more_bots_more_pairs_and_another_order);
    tcase_add_test(laws, an_id_reads_as_documented);
    tcase_add_test(laws, a_large_event_does_not_overflow);
    suite_add_tcase(suite, laws);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
