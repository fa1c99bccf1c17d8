/* The screen of an author: what is known stands on it, in lines that fit. */
#include <door/join_view.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_NS INT64_C(1000000000)

static const struct host_file host = {.name = "club", .endpoint = "tcp://bg.example.org:5555"};
static struct join_view view;
static char out[JOIN_VIEW_TEXT];

static void take(const char *line, enum status_kind kind)
{
    ck_assert_int_eq(join_standing_take(&view.shown, line, strlen(line)), kind);
}

static void set_up(void)
{
    memset(&view, 0, sizeof view);
    view.host = &host;
    view.bot = "anna";
    join_view_line(&view, 10 * SECOND_NS, "connected");
    view.ping_ns = 12345678;
    strcpy(view.event, "spring");
    strcpy(view.ask.game, "b7689c");
    strcpy(view.ask.opponent, "ben");
    view.ask.rules.length_points = 5;
    view.ask.score[0] = 3;
    view.ask.score[1] = 1;
    view.ask.has_clock = true;
    view.ask.left_ns[0] = 118 * SECOND_NS;
    view.ask.left_ns[1] = 65 * SECOND_NS;
    view.ask.delay_ns[0] = 2 * SECOND_NS;
    view.asked_ns = 70 * SECOND_NS;
    view.games = 12;
    view.decisions = 345;
    take("{\"host\":\"club\",\"events\":1,\"tables\":4,\"limit\":\"it rests\",\"next\":\"cup\"}",
         STATUS_HOST);
    take("{\"event\":\"spring\",\"state\":\"quarantined\",\"rank\":2,\"shared\":true,\"of\":8,"
         "\"games_won\":22,\"games_lost\":18,\"matches_won\":5,\"matches_lost\":3,\"points\":14,"
         "\"faults\":5,\"faults_most\":5,\"lost_by\":{\"late\":4,\"crash\":1},"
         "\"last_fault\":\"late: it took 61.2 s\"}",
         STATUS_EVENT);
    join_view_say(&view, 3661, "welcome: anna");
}

static const char wide[] =
    "bot        anna at club, tcp://bg.example.org:5555\n"
    "host key   PRINT\n"
    "line       connected, for 1:05, ping 12.3 ms\n"
    "plays      spring: game 12 against ben, 3-1 to 5, clocks 1:55 and 1:05\n"
    "           345 decisions; thinking for 0:05\n"
    "standing   spring: rank 2= of 8; matches 5 won, 3 lost; games 22 won, 18 lost; points +14\n"
    "faults     spring: 5 of 5; games lost by late 4, crash 1 - quarantined\n"
    "           last: late: it took 61.2 s\n"
    "limit      it rests\n"
    "limit      4 tables at once\n"
    "next       cup\n"
    "01:01:01   welcome: anna\n";

START_TEST(everything_that_is_known_is_shown)
{
    char print[KEY_FILE_PRINT], *at;

    ck_assert_int_eq(join_view_write(out, &view, 100, false, 75 * SECOND_NS), 12);
    key_fingerprint(print, host.key);
    at = strstr(out, print);
    ck_assert_ptr_nonnull(at);
    memcpy(at, "PRINT", 5);
    memmove(at + 5, at + strlen(print), strlen(at + strlen(print)) + 1);
    ck_assert_str_eq(out, wide);
}
END_TEST

/* Every width: no line is longer, and no word of the longest line is lost. */
START_TEST(lines_fit_the_terminal)
{
    int rows = join_view_write(out, &view, _i, false, 75 * SECOND_NS), lines = 0;

    for (char *line = strtok(out, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        ck_assert_uint_le(strlen(line), (size_t)_i);
        lines++;
    }
    ck_assert_int_eq(lines, rows);
}
END_TEST

START_TEST(a_line_is_broken_between_words)
{
    ck_assert_int_gt(join_view_write(out, &view, 40, false, 75 * SECOND_NS), 12);
    ck_assert_ptr_nonnull(strstr(out, "standing   spring: rank 2= of 8; matches\n"
                                      "           5 won, 3 lost; games 22 won,\n"
                                      "           18 lost; points +14\n"));
}
END_TEST

START_TEST(only_the_thinking_sides_clock_runs)
{
    view.is_answered = true;
    join_view_write(out, &view, 100, false, 75 * SECOND_NS);
    ck_assert_ptr_nonnull(strstr(out, "clocks 1:58 and 1:05"));
    ck_assert_ptr_nonnull(strstr(out, "the opponent's turn for 0:05"));
}
END_TEST

START_TEST(little_is_known_at_first)
{
    memset(&view, 0, sizeof view);
    view.host = &host;
    view.bot = "anna";
    join_view_line(&view, 0, "connecting");
    ck_assert_int_eq(join_view_write(out, &view, 80, true, 0), 4);
    ck_assert_ptr_nonnull(strstr(out, "nothing now"));
    ck_assert_ptr_null(strstr(out, "ping"));
}
END_TEST

START_TEST(foreign_text_is_clean_and_escapes_are_ours)
{
    strcpy(view.event, "a\x1b[2Jb");
    join_view_say(&view, 0, "x\x1b[31m\xe2\x80\xaey");
    join_view_write(out, &view, 100, false, 75 * SECOND_NS);
    ck_assert_ptr_null(strchr(out, '\x1b'));
    ck_assert_ptr_nonnull(strstr(out, "a\\x1b[2Jb: game 12"));
    ck_assert_ptr_nonnull(strstr(out, "x\\x1b[31m<U+202E>y"));
    join_view_write(out, &view, 100, true, 75 * SECOND_NS);
    ck_assert_ptr_nonnull(strstr(out, "\033[2mplays      \033[0;1ma\\x1b[2Jb"));
}
END_TEST

START_TEST(an_answer_about_the_host_begins_anew)
{
    take("{\"event\":\"summer\"}", STATUS_EVENT);
    take("{\"event\":\"spring\",\"rank\":1}", STATUS_EVENT);
    ck_assert_int_eq(view.shown.event_count, 2);
    ck_assert_int_eq(view.shown.events[0].rank, 1);
    for (int i = 0; i < 2 * JOIN_VIEW_EVENTS; i++) {
        char line[64];

        snprintf(line, sizeof line, "{\"event\":\"e%d\"}", i);
        take(line, STATUS_EVENT);
    }
    ck_assert_int_eq(view.shown.event_count, JOIN_VIEW_EVENTS);
    take("{\"host\":\"club\"}", STATUS_HOST);
    ck_assert_int_eq(view.shown.event_count, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("join_view");
    TCase *all = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(all, set_up, NULL);
    tcase_add_test(all, everything_that_is_known_is_shown);
    tcase_add_loop_test(all, lines_fit_the_terminal, 20, 120);
    tcase_add_test(all, a_line_is_broken_between_words);
    tcase_add_test(all, only_the_thinking_sides_clock_runs);
    tcase_add_test(all, little_is_known_at_first);
    tcase_add_test(all, foreign_text_is_clean_and_escapes_are_ours);
    tcase_add_test(all, an_answer_about_the_host_begins_anew);
    suite_add_tcase(suite, all);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
