/* Quarantines: how long they last, and what is kept of them. */
#include "calendar/quarantine.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

#define HOUR INT64_C(3600)
#define WEEK INT64_C(604800)

static struct quarantines all;

static void tear_down(void)
{
    quarantines_deinit(&all);
}

static int64_t begin_in(const char *event, const char *bot, int64_t now_s)
{
    const struct quarantine *one = quarantines_add(&all, bot, event, 5, now_s);

    return one == NULL ? 0 : one->until_s;
}

static int64_t begin(const char *bot, int64_t now_s)
{
    return begin_in("cup@2030-01-05", bot, now_s);
}

/* The bot whose quarantine ends; "" none. */
static const char *expire(int64_t now_s)
{
    const struct quarantine *one = quarantines_expire(&all, now_s);

    return one == NULL ? "" : one->bot;
}

TEST(each_lasts_twice_as_long_up_to_a_day)
{
    static const int hours[] = {1, 2, 4, 8, 16, 24, 24};
    int64_t now_s = 1000000;

    for (size_t i = 0; i < sizeof hours / sizeof hours[0]; i++) {
        int64_t until_s = begin("anna", now_s);

        ck_assert_int_eq(until_s, now_s + hours[i] * HOUR);
        ck_assert_int_eq(quarantines_due(&all), until_s);
        ck_assert_int_eq(begin("anna", now_s + 1), 0); /* it is in one */
        ck_assert_str_eq(expire(until_s - 1), "");
        ck_assert_ptr_nonnull(quarantines_find(&all, "anna"));
        ck_assert_str_eq(expire(until_s), "anna");
        ck_assert_ptr_null(quarantines_find(&all, "anna"));
        ck_assert_str_eq(expire(until_s), "");
        ck_assert_int_eq(all.list[0].state, QUARANTINE_RETURNS);
        ck_assert_int_eq(quarantines_due(&all), until_s); /* its event is asked */
        all.list[0].state = QUARANTINE_OVER;
        ck_assert_int_eq(quarantines_due(&all), 0);
        now_s = until_s + WEEK;
    }
    ck_assert_int_eq(begin("anna", now_s + 1), now_s + 1 + HOUR); /* more than a week later */
    ck_assert_int_eq(begin("ben", now_s), now_s + HOUR);
}

TEST(what_the_operator_lifts_is_forgotten)
{
    ck_assert(!quarantines_lift(&all, "anna", 0));
    (void)begin("anna", 1000);
    (void)begin("ben", 2000);
    ck_assert_str_eq(expire(1000 + HOUR), "anna");
    ck_assert(!quarantines_lift(&all, "anna", 8000));
    ck_assert_int_eq(begin("anna", 9000), 9000 + 2 * HOUR);
    ck_assert(quarantines_lift(&all, "anna", 9001));
    ck_assert_ptr_null(quarantines_find(&all, "anna"));
    ck_assert_int_eq(all.list[0].state, QUARANTINE_RETURNS);
    ck_assert_int_eq(quarantines_due(&all), 2000 + HOUR);
    ck_assert_int_eq(begin("anna", 9002), 9002 + HOUR);
}

TEST(each_event_that_put_it_out_takes_it_back)
{
    ck_assert_int_eq(begin_in("cup", "anna", 1000), 1000 + HOUR);
    ck_assert_int_eq(begin_in("league", "anna", 2000), 1000 + HOUR); /* no longer for it */
    ck_assert_int_eq(begin_in("league", "anna", 2001), 0);
    ck_assert_int_eq(all.count, 2);
    ck_assert_str_eq(expire(1000 + HOUR), "anna");
    ck_assert_str_eq(expire(1000 + HOUR), "anna");
    ck_assert_str_eq(expire(1000 + HOUR), "");
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(all.list[i].state, QUARANTINE_RETURNS);
    }
    ck_assert_int_eq(begin_in("gala", "anna", 5000), 5000 + 2 * HOUR); /* the second time */
    ck_assert_int_eq(all.list[0].state, QUARANTINE_RETURNS); /* the cup still takes it back */
    ck_assert_int_eq(begin_in("league", "anna", 5001), 5000 + 2 * HOUR);
    ck_assert(quarantines_lift(&all, "anna", 5002));
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(all.list[i].state, QUARANTINE_RETURNS);
        ck_assert_int_eq(all.list[i].count, 0);
    }
    ck_assert_int_eq(begin_in("cup", "anna", 6000), 6000 + HOUR);
}

TEST(old_ones_leave_the_list)
{
    (void)begin("anna", 1000);
    (void)begin("ben", 1000);
    (void)expire(1000 + HOUR);
    (void)expire(1000 + HOUR);
    ck_assert_int_eq(all.count, 2);
    all.list[0].state = all.list[1].state = QUARANTINE_OVER;
    ck_assert_str_eq(expire(1000 + HOUR + WEEK), "");
    ck_assert_int_eq(all.count, 2);
    ck_assert_str_eq(expire(1000 + HOUR + WEEK + 1), "");
    ck_assert_int_eq(all.count, 0);
}

/* Reads text; returns whether it is a file of quarantines. */
static bool read_text(const char *text)
{
    FILE *in = text[0] == '\0' ? fopen("/dev/null", "r")
                               : fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    bool is_read;

    ck_assert_ptr_nonnull(in);
    quarantines_deinit(&all);
    is_read = quarantines_read(&all, in, "here", NULL) == BG_OK;
    fclose(in);
    return is_read;
}

TEST(the_file_says_all)
{
    static const char text[] = "bgref-quarantine 1\n"
                               "over\tanna\tcup@2030-01-05\t5\t1\t4600\n"
                               "on\tben\tleague\t7\t3\t90000\n";
    char *again = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&again, &size);

    ck_assert(read_text(text));
    ck_assert_ptr_null(quarantines_find(&all, "anna"));
    ck_assert_int_eq(quarantines_find(&all, "ben")->faults, 7);
    ck_assert_int_eq(begin("anna", 5000), 5000 + 2 * HOUR);
    ck_assert(read_text(text));
    quarantines_write(out, &all);
    fclose(out);
    ck_assert_str_eq(again, text);
    free(again);
}

static const char *const bad[] = {
    "",
    "bgref-quarantine 2\n",
    "bgref-quarantine 1\non\tben\tleague\t7\t3\n",
    "bgref-quarantine 1\non\tben\tleague\t7\t3\t90000\tmore\n",
    "bgref-quarantine 1\noff\tben\tleague\t7\t3\t90000\n",
    "bgref-quarantine 1\non\tb n\tleague\t7\t3\t90000\n",
    "bgref-quarantine 1\non\tben\tle gue\t7\t3\t90000\n",
    "bgref-quarantine 1\non\tben\tleague\t7\t-1\t90000\n",
    "bgref-quarantine 1\non\tben\tleague\t7\t3\t-1\n",
    "bgref-quarantine 1\non\tben\tleague\t7\t3\t90000\non\tben\tleague\t7\t3\t90000\n",
};

TEST_ROWS(other_files_are_refused, bad)
{
    ck_assert(!read_text(bad[_i]));
    ck_assert_int_eq(all.count, 0);
}

SUITE_FIXTURE(NULL, tear_down)
