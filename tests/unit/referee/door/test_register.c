/* The porch's one message and its pace: what anybody may send. */
#include <door/pace.h>
#include <door/register.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN  "0123456789abcdef0123456789abcdef"
#define DIGITS "0a1ea2ccf4b0d2a0d5e5e5e5e5f4b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f700"
#define ASK    "bgref-register-1\t"

START_TEST(a_request_is_read_as_it_was_written)
{
    const struct register_ask asks[] = {
        {.name = "anna"},
        {.name = "anna", .token = TOKEN, .next = DIGITS, .contact = "Ann\xc3\xa4 <a@example.org>"},
    };

    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
        struct register_ask back;
        char message[REGISTER_MOST];
        size_t size = register_write(message, &asks[i]);

        ck_assert_int_eq(register_read(&back, message, size, NULL), BG_OK);
        ck_assert_int_eq(memcmp(&back, &asks[i], sizeof back), 0);
    }
}
END_TEST

START_TEST(the_longest_request_fits)
{
    struct register_ask ask = {.token = TOKEN, .next = DIGITS}, back;
    char message[REGISTER_MOST];

    memset(ask.name, 'a', sizeof ask.name - 1);
    memset(ask.contact, 'c', sizeof ask.contact - 1);
    ck_assert_int_eq(register_read(&back, message, register_write(message, &ask), NULL), BG_OK);
    ck_assert_str_eq(back.contact, ask.contact);
}
END_TEST

static const char *const broken[] = {
    "",
    "bgref-register-1",
    "bgref-register-2\tanna\t\t\t",
    ASK "anna\t\t",
    ASK "anna\t\t\t\t",
    ASK "\t\t\t",
    ASK "a b\t\t\t",
    ASK ".anna\t\t\t",
    ASK "anna\t0123\t\t",
    ASK "anna\t" TOKEN "0\t\t",
    ASK "anna\tg123456789abcdef0123456789abcdef\t\t",
    ASK "anna\t\t0123\t",
    ASK "anna\t\t\ta\nb",
    ASK "anna\t\t\t\x1b[31m",
    ASK "anna\t\t\t\xff",
    ASK "anna\t\t\t\xe2\x80\xae",
};

START_TEST(a_broken_request_is_refused_and_quotes_no_token)
{
    struct register_ask ask;
    struct bg_error err = {.text = ""};

    ck_assert_msg(register_read(&ask, broken[_i], strlen(broken[_i]), &err) == BG_E_FORMAT, "%s",
                  broken[_i]);
    ck_assert_str_ne(err.text, "");
    ck_assert_ptr_null(strstr(err.text, "0123456789"));
    ck_assert_str_eq(ask.name, "");
}
END_TEST

START_TEST(a_large_request_and_one_with_a_zero_are_refused)
{
    char message[REGISTER_MOST + 1];
    struct register_ask ask;
    int start = snprintf(message, sizeof message, ASK "anna\t\t\tcontact");

    ck_assert_int_eq(register_read(&ask, message, (size_t)start, NULL), BG_OK);
    ck_assert_int_eq(register_read(&ask, message, (size_t)start + 1, NULL), BG_E_FORMAT);
    memset(message + start, 'c', sizeof message - (size_t)start);
    ck_assert_int_eq(register_read(&ask, message, sizeof message, NULL), BG_E_FORMAT);
}
END_TEST

START_TEST(an_answer_comes_back_clean)
{
    struct register_answer answer = {REGISTER_WAITS, "ask again"}, back;
    char message[REGISTER_MOST];
    static const char foreign[] = "bgref-registered-1\trefused\ta\x1b[31mb";
    static const char unknown[] = "bgref-registered-1\tperhaps\tx";

    ck_assert_int_eq(
        register_answer_read(&back, message, register_answer_write(message, &answer), NULL), BG_OK);
    ck_assert_int_eq(back.word, REGISTER_WAITS);
    ck_assert_str_eq(back.text, "ask again");
    ck_assert_int_eq(register_answer_read(&back, foreign, strlen(foreign), NULL), BG_OK);
    ck_assert_ptr_null(strchr(back.text, '\x1b'));
    ck_assert_int_eq(register_answer_read(&back, unknown, strlen(unknown), NULL), BG_E_FORMAT);
}
END_TEST

/* ------------------------------------------------------------------ the pace */

#define MINUTE_NS INT64_C(60000000000)

static struct pace pace;

START_TEST(an_address_asks_once_in_its_time)
{
    pace = (struct pace){.every_ns = MINUTE_NS};
    ck_assert(pace_admit(&pace, "192.0.2.1", 0));
    ck_assert(!pace_admit(&pace, "192.0.2.1", MINUTE_NS - 1));
    ck_assert(pace_admit(&pace, "192.0.2.2", 1));
    ck_assert(pace_admit(&pace, "2001:db8::1", 1));
    ck_assert(!pace_admit(&pace, "2001:db8::2", 2)); /* the same network of one owner */
    ck_assert(pace_admit(&pace, "192.0.2.1", MINUTE_NS));
    ck_assert(!pace_admit(&pace, "192.0.2.1", 2 * MINUTE_NS - 1));
}
END_TEST

START_TEST(too_many_addresses_wait_and_nobody_gets_a_second_turn)
{
    char address[32];

    pace = (struct pace){.every_ns = MINUTE_NS};
    for (int i = 0; i < PACE_ADDRESSES; i++) {
        snprintf(address, sizeof address, "10.0.%d.%d", i / 256, i % 256);
        ck_assert(pace_admit(&pace, address, i));
    }
    ck_assert(!pace_admit(&pace, "192.0.2.1", PACE_ADDRESSES));
    ck_assert(!pace_admit(&pace, "10.0.0.0", PACE_ADDRESSES));
    ck_assert(pace_admit(&pace, "192.0.2.1", MINUTE_NS)); /* in the place of the first */
    ck_assert(!pace_admit(&pace, "10.0.0.1", MINUTE_NS));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("register");
    TCase *laws = tcase_create("laws");
    SRunner *runner;
    int failed;

    tcase_add_test(laws, a_request_is_read_as_it_was_written);
    tcase_add_test(laws, the_longest_request_fits);
    tcase_add_loop_test(laws, a_broken_request_is_refused_and_quotes_no_token, 0,
                        (int)(sizeof broken / sizeof broken[0]));
    tcase_add_test(laws, a_large_request_and_one_with_a_zero_are_refused);
    tcase_add_test(laws, an_answer_comes_back_clean);
    tcase_add_test(laws, an_address_asks_once_in_its_time);
    tcase_add_test(laws, too_many_addresses_wait_and_nobody_gets_a_second_turn);
    suite_add_tcase(suite, laws);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
