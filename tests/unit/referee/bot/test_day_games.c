/* Games a day: the rule, its file, and the day on which an event goes on. */
#include <bot/day_book.h>
#include <bot/day_games.h>
#include <event/allowance.h>

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

static char folder[] = "/tmp/bgref-day-book-XXXXXX";
static char path[64];

static void make_folder(void)
{
    strcpy(strrchr(folder, '-') + 1, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/host.games", folder);
}

static void remove_folder(void)
{
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void open_book(struct day_book *book, int64_t now_s)
{
    char damage[DAY_BOOK_DAMAGE];

    ck_assert_int_eq(day_book_open(book, path, now_s, damage, NULL), BG_OK);
    ck_assert_str_eq(damage, "");
}

static void join_book(struct day_book *book, const char *owner)
{
    ck_assert_int_eq(day_book_join(book, path, owner, NULL), BG_OK);
}

static void begin(struct day_book *book, const char *name, bool has_place, int64_t now_s)
{
    ck_assert_int_eq(day_book_begin(book, name, has_place, now_s, NULL), BG_OK);
}

static bool take(struct day_book *book, const char *name, int most, int64_t now_s)
{
    const struct day_book_wish wish = {name, most};
    bool has_taken;

    ck_assert_int_eq(day_book_take(&has_taken, book, &wish, 1, now_s, NULL), BG_OK);
    return has_taken;
}

static int begun(struct day_book *book, const char *name, int64_t now_s)
{
    struct day_games games;
    bool has_news;

    ck_assert_int_eq(day_book_read(&has_news, book, NULL), BG_OK);
    games = day_book_begun(book, name);
    return day_games_begun(&games, now_s);
}

static void add_bytes(const char *text, size_t size)
{
    FILE *file = fopen(path, "a");

    fwrite(text, 1, size, file);
    fclose(file);
}

static void add_text(const char *text)
{
    add_bytes(text, strlen(text));
}

START_TEST(a_book_is_read_again_by_day_and_without_torn_lines)
{
    struct day_book book, other;
    char torn[64];

    make_folder();
    open_book(&book, MIDNIGHT);
    begin(&book, "anna", false, MIDNIGHT - 1); /* yesterday */
    begin(&book, "ben", false, MIDNIGHT);
    begin(&book, "ben", false, MIDNIGHT);
    day_book_close(&book);
    snprintf(torn, sizeof torn, "ben %d 9", (int)(MIDNIGHT / DAY)); /* without its end */
    add_text(torn);
    join_book(&other, "left");
    begin(&other, "cleo", false, MIDNIGHT); /* a line of its own */
    day_book_close(&other);
    open_book(&book, MIDNIGHT + 5);
    ck_assert_int_eq(begun(&book, "anna", MIDNIGHT - 1), 0); /* is dropped */
    ck_assert_int_eq(begun(&book, "ben", MIDNIGHT + 5), 2);
    ck_assert_int_eq(begun(&book, "cleo", MIDNIGHT + 5), 1);
    day_book_close(&book);
    open_book(&book, MIDNIGHT + DAY);
    ck_assert_int_eq(begun(&book, "ben", MIDNIGHT), 0);
    day_book_close(&book);
    remove_folder();
}
END_TEST

/* The operator reads which line it is, and can look at the file; the other lines count. */
START_TEST(a_damaged_book_is_told_and_kept_beside)
{
    static const struct {
        const char *text;
        size_t size;
        int line;
    } damages[] = {{"no day\nben -1 -1\n", 17, 3},
                   {"\n", 1, 3},
                   {"ben 1 1 left more\n", 18, 3},
                   {"ben 1 1\0\0\0\n", 11, 3},
                   {"\0\0\0\0\0\0\0\0", 8, 3}}; /* what a power cut leaves */
    char damage[DAY_BOOK_DAMAGE], expected[sizeof path + 8], kept[sizeof path + 64];
    struct day_book book;
    struct stat about;

    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        make_folder();
        open_book(&book, MIDNIGHT);
        begin(&book, "anna", false, MIDNIGHT);
        begin(&book, "anna", false, MIDNIGHT);
        day_book_close(&book);
        add_bytes(damages[i].text, damages[i].size);
        ck_assert_int_eq(day_book_open(&book, path, MIDNIGHT + 5, damage, NULL), BG_OK);
        ck_assert_int_eq(begun(&book, "anna", MIDNIGHT + 5), 2);
        day_book_close(&book);
        snprintf(expected, sizeof expected, "%s:%d: ", path, damages[i].line);
        ck_assert_msg(strncmp(damage, expected, strlen(expected)) == 0, "%zu: '%s'", i, damage);
        snprintf(kept, sizeof kept, "%s.damaged-2026-11-25T00:00:05Z", path);
        ck_assert_ptr_nonnull(strstr(damage, strrchr(kept, '/') + 1));
        ck_assert_int_eq(stat(kept, &about), 0);
        ck_assert_uint_eq((uintmax_t)about.st_size, 2 * strlen("anna 20782 1\n") + damages[i].size);
        open_book(&book, MIDNIGHT + 6); /* said once */
        day_book_close(&book);
        unlink(kept);
        remove_folder();
    }
}
END_TEST

/* Two events never have more places and games together than the bot has on a day. */
START_TEST(places_of_several_events_count_together)
{
    struct day_book host, left, right;

    make_folder();
    open_book(&host, MIDNIGHT);
    join_book(&left, "left");
    join_book(&right, "right@2026-11-25");
    ck_assert(take(&left, "anna", 2, MIDNIGHT));
    ck_assert(take(&right, "anna", 2, MIDNIGHT));
    ck_assert(!take(&left, "anna", 2, MIDNIGHT));
    ck_assert(take(&left, "ben", 2, MIDNIGHT)); /* another bot */
    begin(&left, "anna", true, MIDNIGHT);
    ck_assert(!take(&right, "anna", 2, MIDNIGHT));
    ck_assert_int_eq(day_book_give_back(&right, "anna", MIDNIGHT, NULL), BG_OK);
    ck_assert_int_eq(begun(&host, "anna", MIDNIGHT), 1);
    ck_assert_int_eq(day_book_places(&host, "anna"), 0);
    ck_assert(take(&left, "anna", 2, MIDNIGHT));
    ck_assert(!take(&right, "anna", 2, MIDNIGHT));
    day_book_close(&left); /* gives back what has not begun */
    ck_assert(take(&right, "anna", 2, MIDNIGHT));
    begin(&right, "anna", true, MIDNIGHT);
    ck_assert(!take(&right, "anna", 2, MIDNIGHT));
    ck_assert(take(&right, "anna", 2, MIDNIGHT + DAY));
    day_book_close(&right);
    day_book_close(&host);
    remove_folder();
}
END_TEST

START_TEST(of_two_bots_both_get_a_place_or_none)
{
    const struct day_book_wish wishes[] = {{"anna", 1}, {"ben", 1}};
    struct day_book book;
    bool has_taken;

    make_folder();
    open_book(&book, MIDNIGHT);
    ck_assert(take(&book, "ben", 1, MIDNIGHT));
    ck_assert_int_eq(day_book_take(&has_taken, &book, wishes, 2, MIDNIGHT, NULL), BG_OK);
    ck_assert(!has_taken);
    ck_assert_int_eq(day_book_places(&book, "anna"), 0);
    day_book_close(&book);
    remove_folder();
}
END_TEST

/* A place that was taken before midnight belongs to the day on which its game begins. */
START_TEST(a_game_over_midnight_counts_once)
{
    struct day_book book;

    make_folder();
    open_book(&book, MIDNIGHT - 1);
    ck_assert(take(&book, "anna", 2, MIDNIGHT - 1));
    ck_assert(take(&book, "anna", 2, MIDNIGHT + 1));
    ck_assert(!take(&book, "anna", 2, MIDNIGHT + 1));
    begin(&book, "anna", true, MIDNIGHT + 1);
    begin(&book, "anna", true, MIDNIGHT + 1);
    ck_assert_int_eq(begun(&book, "anna", MIDNIGHT + 1), 2);
    ck_assert_int_eq(day_book_places(&book, "anna"), 0);
    ck_assert(!take(&book, "anna", 2, MIDNIGHT + 1));
    ck_assert(!take(&book, "anna", 2, MIDNIGHT - 1)); /* the clock is set back by some seconds */
    ck_assert(take(&book, "anna", 2, MIDNIGHT + DAY));
    day_book_close(&book);
    remove_folder();
}
END_TEST

/* Takes places and begins games, until nothing is left. Tells how many. */
static void play_all(const char *owner, int most, int out)
{
    struct day_book book;
    int games = 0;

    if (day_book_join(&book, path, owner, NULL) != BG_OK) {
        _exit(1);
    }
    while (take(&book, "anna", most, MIDNIGHT)) {
        if (day_book_begin(&book, "anna", true, MIDNIGHT, NULL) != BG_OK) {
            _exit(1);
        }
        games++;
    }
    _exit(write(out, &games, sizeof games) != sizeof games);
}

/* RLIMIT_FSIZE stands for a full disk, RLIMIT_NOFILE for too many open files. */
static void limit_to(int resource, rlim_t most)
{
    struct rlimit limit;

    ck_assert_int_eq(getrlimit(resource, &limit), 0);
    limit.rlim_cur = most == RLIM_INFINITY ? limit.rlim_max : most;
    ck_assert_int_eq(setrlimit(resource, &limit), 0);
}

START_TEST(places_that_a_full_disk_kept_are_released_later)
{
    struct day_book host, left, right;
    struct stat about;
    bool has_news;
    int at = 0;

    make_folder();
    signal(SIGXFSZ, SIG_IGN);
    open_book(&host, MIDNIGHT);
    join_book(&left, "left");
    join_book(&right, "right");
    ck_assert(take(&left, "anna", 1, MIDNIGHT));
    ck_assert_int_eq(stat(path, &about), 0);
    limit_to(RLIMIT_FSIZE, (rlim_t)about.st_size);
    day_book_close(&left);
    ck_assert_int_eq(day_book_release(&host, "left", NULL), BG_E_SYSTEM);
    limit_to(RLIMIT_FSIZE, RLIM_INFINITY);
    ck_assert(!take(&right, "anna", 1, MIDNIGHT));
    ck_assert_str_eq(day_book_holder(&host, &at), "left");
    ck_assert_int_eq(day_book_release(&host, "left", NULL), BG_OK);
    at = 0;
    ck_assert_ptr_null(day_book_holder(&host, &at));
    ck_assert(take(&right, "anna", 1, MIDNIGHT));
    ck_assert_int_eq(day_book_read(&has_news, &host, NULL), BG_OK);
    at = 0;
    ck_assert_str_eq(day_book_holder(&host, &at), "right");
    day_book_close(&right);
    day_book_close(&host);
    remove_folder();
}
END_TEST

START_TEST(a_book_that_could_not_be_opened_again_is_opened_later)
{
    struct day_book left, host;
    const struct day_book_wish wish = {"anna", 1};
    bool has;

    make_folder();
    open_book(&host, MIDNIGHT);
    join_book(&left, "left");
    day_book_close(&host);
    open_book(&host, MIDNIGHT); /* a new file */
    limit_to(RLIMIT_NOFILE, 0);
    ck_assert_int_eq(day_book_take(&has, &left, &wish, 1, MIDNIGHT, NULL), BG_E_SYSTEM);
    ck_assert_int_eq(day_book_read(&has, &left, NULL), BG_E_SYSTEM);
    limit_to(RLIMIT_NOFILE, RLIM_INFINITY);
    begin(&host, "anna", false, MIDNIGHT);
    ck_assert_int_eq(begun(&left, "anna", MIDNIGHT), 1);
    ck_assert(!take(&left, "anna", 1, MIDNIGHT));
    day_book_close(&left);
    day_book_close(&host);
    remove_folder();
}
END_TEST

START_TEST(events_that_begin_games_at_the_same_moment_keep_the_limit)
{
    enum { EVENTS = 4, MOST = 2000 };
    struct day_book host;
    pid_t pids[EVENTS];
    int ends[2], games, all = 0;

    make_folder();
    ck_assert_int_eq(pipe(ends), 0);
    open_book(&host, MIDNIGHT);
    for (int i = 0; i < EVENTS; i++) {
        const char *const owners[EVENTS] = {"one", "two", "three", "four"};

        pids[i] = fork();
        ck_assert_int_ge(pids[i], 0);
        if (pids[i] == 0) {
            play_all(owners[i], MOST, ends[1]);
        }
    }
    for (int i = 0; i < EVENTS; i++) {
        int state;

        ck_assert_int_eq(waitpid(pids[i], &state, 0), pids[i]);
        ck_assert_int_eq(state, 0);
        ck_assert_int_eq(read(ends[0], &games, sizeof games), sizeof games);
        all += games;
    }
    close(ends[0]);
    close(ends[1]);
    ck_assert_int_eq(all, MOST);
    ck_assert_int_eq(begun(&host, "anna", MIDNIGHT), MOST);
    ck_assert_int_eq(day_book_places(&host, "anna"), 0);
    day_book_close(&host);
    remove_folder();
}
END_TEST

static void take_and_be_killed(void)
{
    struct day_book book;
    int state;
    pid_t pid = fork();

    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        (void)(day_book_join(&book, path, "left", NULL) == BG_OK &&
               take(&book, "anna", 1, MIDNIGHT) && raise(SIGKILL));
        _exit(1);
    }
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    ck_assert(WIFSIGNALED(state));
}

START_TEST(places_of_a_killed_event_are_given_back)
{
    struct day_book host, next, right, left;

    make_folder();
    open_book(&host, MIDNIGHT);
    join_book(&right, "right");
    take_and_be_killed();
    ck_assert(!take(&right, "anna", 1, MIDNIGHT));
    ck_assert_int_eq(day_book_release(&host, "left", NULL), BG_OK); /* by the host */
    ck_assert(take(&right, "anna", 1, MIDNIGHT));
    ck_assert_int_eq(day_book_give_back(&right, "anna", MIDNIGHT, NULL), BG_OK);
    take_and_be_killed();
    join_book(&left, "left"); /* by itself */
    ck_assert(take(&left, "anna", 1, MIDNIGHT));
    open_book(&next, MIDNIGHT);                   /* by a new host, whose file is a new one */
    ck_assert(take(&right, "anna", 1, MIDNIGHT)); /* also for who had the old one */
    begin(&right, "anna", true, MIDNIGHT);
    ck_assert_int_eq(begun(&next, "anna", MIDNIGHT), 1);
    day_book_close(&left);
    day_book_close(&right);
    day_book_close(&next);
    day_book_close(&host);
    remove_folder();
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
    static struct config_event event = {.name = "left", .bots = bots, .bot_count = 2};
    static struct entrants_bot list[2];
    static const char *names[] = {"anna", "random"};
    const struct session_door door = {.began = began, .games = games};
    struct entrants entrants = {
        .event = &event, .list = list, .names = names, .setup = {.door = &door}};
    struct allowance allowance = {.entrants = &entrants};
    const struct fixture fixture = {.a = 0, .b = 1}, next = {.a = 0, .b = 1, .pair = 1};
    struct day_book other;

    make_folder();
    snprintf(event.door.gate, sizeof event.door.gate, "%s/host.gate", folder);
    join_book(&other, "right");
    begin(&other, "anna", false, MIDNIGHT);
    ck_assert_int_eq(allowance_open(&allowance, MIDNIGHT, NULL), BG_OK);
    said = (struct day_games){.most = 3};
    allowance_sweep(&allowance, MIDNIGHT);
    ck_assert(allowance_take(&allowance, &fixture, MIDNIGHT));
    ck_assert(!list[0].is_spent);
    ck_assert(allowance_take(&allowance, &next, MIDNIGHT));
    ck_assert(list[0].is_spent && !list[1].is_spent); /* its places are taken */
    ck_assert(!take(&other, "anna", 3, MIDNIGHT));
    allowance_give_back(&allowance, &next, MIDNIGHT); /* it did not begin */
    ck_assert(!list[0].is_spent);
    ck_assert_int_eq(rewinds, 1);
    ck_assert(take(&other, "anna", 3, MIDNIGHT));
    ck_assert(!allowance_take(&allowance, &next, MIDNIGHT)); /* it hears of that now */
    ck_assert(list[0].is_spent);
    begin(&other, "anna", true, MIDNIGHT);
    allowance_begin(&allowance, &fixture, MIDNIGHT);
    allowance_give_back(&allowance, &fixture, MIDNIGHT); /* its place was used */
    ck_assert_int_eq(begun(&other, "anna", MIDNIGHT), 3);
    ck_assert_int_eq(day_book_places(&other, "anna"), 0);
    ck_assert_int_eq(told, 1);
    allowance_sweep(&allowance, MIDNIGHT + DAY - 1);
    ck_assert(list[0].is_spent);
    ck_assert_int_eq(rewinds, 1);
    allowance_sweep(&allowance, MIDNIGHT + DAY);
    ck_assert(!list[0].is_spent);
    ck_assert_int_eq(rewinds, 2);
    allowance_close(&allowance);
    day_book_close(&other);
    remove_folder();
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
    tcase_add_test(all, a_damaged_book_is_told_and_kept_beside);
    tcase_add_test(all, places_of_several_events_count_together);
    tcase_add_test(all, of_two_bots_both_get_a_place_or_none);
    tcase_add_test(all, a_game_over_midnight_counts_once);
    tcase_add_test(all, events_that_begin_games_at_the_same_moment_keep_the_limit);
    tcase_add_test(all, places_of_a_killed_event_are_given_back);
    tcase_add_test(all, places_that_a_full_disk_kept_are_released_later);
    tcase_add_test(all, a_book_that_could_not_be_opened_again_is_opened_later);
    tcase_add_test(all, an_event_begins_no_fixture_above_the_limit_until_the_next_day);
    suite_add_tcase(suite, all);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
