/* Games a day: the rule, its file, and the day on which an event goes on. */
#include <bot/day_book.h>
#include <bot/day_games.h>
#include <event/allowance.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 2026-11-25T00:00:00Z */
enum { MIDNIGHT = 1795564800, DAY = 86400 };

START_TEST(games_count_until_midnight_utc)
{
    struct day_games games = {.most = 2};
    char text[DAY_GAMES_TEXT];

    ck_assert_int_eq(MIDNIGHT % DAY, 0);
    day_games_begin(&games, MIDNIGHT);
    ck_assert(!day_games_are_over(&games, MIDNIGHT));
    day_games_begin(&games, MIDNIGHT + DAY - 1);
    ck_assert(day_games_are_over(&games, MIDNIGHT + DAY - 1));
    ck_assert_int_eq(day_games_next(MIDNIGHT), MIDNIGHT + DAY);
    ck_assert_int_eq(day_games_next(MIDNIGHT + DAY - 1), MIDNIGHT + DAY);
    day_games_write(text, &games, "anna", MIDNIGHT + 7);
    ck_assert_str_eq(text, "anna has begun 2 games today, and the host allows 2 (games_a_day); it "
                           "plays on at 2026-11-26T00:00:00Z");
    ck_assert(!day_games_are_over(&games, MIDNIGHT + DAY));
    ck_assert_int_eq(day_games_begun(&games, MIDNIGHT + DAY), 0);
    day_games_begin(&games, MIDNIGHT + DAY);
    ck_assert_int_eq(day_games_begun(&games, MIDNIGHT + DAY), 1);
}
END_TEST

START_TEST(no_limit_is_never_reached)
{
    struct day_games games = {.most = 0};

    for (int i = 0; i < 1000; i++) {
        day_games_begin(&games, MIDNIGHT);
    }
    ck_assert(!day_games_are_over(&games, MIDNIGHT));
}
END_TEST

/* ------------------------------------------------------------------ the file */

static char path[] = "/tmp/bgref-day-book-XXXXXX";
static char heard[200];

static void on_begun(void *user, const char *name, const struct day_games *begun)
{
    size_t used = strlen(heard);

    (void)user;
    snprintf(heard + used, sizeof heard - used, "%s %d;", name, begun->begun);
}

static void read_book(struct day_book *book, int64_t now_s)
{
    heard[0] = '\0';
    ck_assert_int_eq(day_book_open(book, path, now_s, on_begun, NULL, NULL), BG_OK);
}

START_TEST(a_book_is_read_again_by_day_and_without_torn_lines)
{
    struct day_book book;
    struct day_games anna = {.most = 0}, ben = {.most = 0};
    FILE *file;
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    close(fd);
    read_book(&book, MIDNIGHT);
    ck_assert_str_eq(heard, "");
    day_games_begin(&anna, MIDNIGHT - 1); /* yesterday */
    ck_assert_int_eq(day_book_add(&book, "anna", &anna, NULL), BG_OK);
    day_games_begin(&ben, MIDNIGHT);
    ck_assert_int_eq(day_book_add(&book, "ben", &ben, NULL), BG_OK);
    day_games_begin(&ben, MIDNIGHT);
    ck_assert_int_eq(day_book_add(&book, "ben", &ben, NULL), BG_OK);
    day_book_close(&book);
    file = fopen(path, "a");
    fprintf(file, "no day\n\nben %d 9", (int)(MIDNIGHT / DAY)); /* its end is not written */
    fclose(file);
    read_book(&book, MIDNIGHT + 5);
    ck_assert_str_eq(heard, "ben 1;ben 2;");
    day_book_close(&book);
    read_book(&book, MIDNIGHT + DAY);
    ck_assert_str_eq(heard, "");
    day_book_close(&book);
    unlink(path);
}
END_TEST

/* ------------------------------------------------------------------ of an event */

static struct day_games said;
static int told, rewinds;

static void began(void *user, int bot)
{
    (void)user;
    (void)bot;
    told++;
}

static void games(void *user, int bot, struct day_games *out)
{
    (void)user;
    if (bot == 0) {
        *out = said;
    }
}

void fixture_queue_rewind(struct fixture_queue *queue)
{
    (void)queue;
    rewinds++;
}

START_TEST(an_event_begins_no_fixture_above_the_limit_until_the_next_day)
{
    static struct competitor bots[2];
    static struct config_event event = {.bots = bots, .bot_count = 2};
    static struct entrants_bot list[2];
    static const char *names[] = {"anna", "random"};
    const struct session_door door = {.began = began, .games = games};
    struct entrants entrants = {
        .event = &event, .list = list, .names = names, .setup = {.door = &door}};
    struct allowance allowance = {.entrants = &entrants};
    const struct fixture fixture = {.a = 0, .b = 1};

    ck_assert_int_eq(allowance_open(&allowance, MIDNIGHT, NULL), BG_OK);
    said = (struct day_games){.most = 3, .day = MIDNIGHT / DAY, .begun = 1};
    allowance_sweep(&allowance, MIDNIGHT);
    allowance_begin(&allowance, &fixture, MIDNIGHT);
    ck_assert(!list[0].is_spent);
    allowance_begin(&allowance, &fixture, MIDNIGHT);
    ck_assert(list[0].is_spent && !list[1].is_spent);
    ck_assert_int_eq(told, 2);
    said.begun = 3;
    allowance_sweep(&allowance, MIDNIGHT + DAY - 1);
    ck_assert(list[0].is_spent);
    ck_assert_int_eq(rewinds, 0);
    allowance_sweep(&allowance, MIDNIGHT + DAY);
    ck_assert(!list[0].is_spent);
    ck_assert_int_eq(rewinds, 1);
    allowance_close(&allowance);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("day_games");
    TCase *all = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_add_test(all, games_count_until_midnight_utc);
    tcase_add_test(all, no_limit_is_never_reached);
    tcase_add_test(all, a_book_is_read_again_by_day_and_without_torn_lines);
    tcase_add_test(all, an_event_begins_no_fixture_above_the_limit_until_the_next_day);
    suite_add_tcase(suite, all);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
