/* Time controls: texts, and arithmetic to the nanosecond. Expected values computed by hand. */
#include <string.h>

#include "base/units.h"
#include "record/clock.h"
#include "record/duration_histogram.h"

#include "support/suite.h"

#define S  INT64_C(1000000000)
#define MS INT64_C(1000000)

static const struct {
    const char *text;
    int64_t ns; /* -1: refused, with `why` in the message */
    const char *why;
} times[] = {
    {"50ms", 50 * MS, ""},
    {"1.5s", 1500 * MS, ""},
    {"2m", 120 * S, ""},
    {"1h", 3600 * S, ""},
    {"0.5h", 1800 * S, ""},
    {"7us", 7000, ""},
    {"1ns", 1, ""},
    {"0s", 0, ""},
    {"0.1s", 100 * MS, ""},
    {"0.000000001s", 1, ""},
    {"1.0ns", 1, ""},
    {"168h", 168 * 3600 * S, ""},
    {"12", -1, "needs a unit"},
    {"", -1, "number and a unit"},
    {"s", -1, "number and a unit"},
    {"-1s", -1, "number and a unit"},
    {"+1s", -1, "number and a unit"},
    {" 1s", -1, "number and a unit"},
    {"1 s", -1, "unknown unit"},
    {"1s ", -1, "unknown unit"},
    {"1S", -1, "unknown unit"},
    {"1sec", -1, "unknown unit"},
    {"1e3s", -1, "unknown unit"},
    {"0x10s", -1, "unknown unit"},
    {".5s", -1, "number and a unit"},
    {"1.s", -1, "digits are missing"},
    {"1.5ns", -1, "finer than a nanosecond"},
    {"0.0005us", -1, "finer than a nanosecond"},
    {"1.0000000000s", -1, "nine decimals"},
    {"168.1h", -1, "longer than a week"},
    {"99999999999999999999s", -1, "longer than a week"},
    {"604801s", -1, "longer than a week"},
};

TEST_ROWS(times_are_read, times)
{
    int64_t ns = -2;
    enum bg_status status = duration_read(&ns, times[_i].text, &error);

    if (times[_i].ns < 0) {
        ck_assert_msg(status == BG_E_ARGUMENT, "'%s' is taken", times[_i].text);
        ck_assert_msg(strstr(error.text, times[_i].why) != NULL, "'%s': %s", times[_i].text,
                      error.text);
        ck_assert_int_eq(ns, -2);
    } else {
        ck_assert_msg(status == BG_OK, "'%s': %s", times[_i].text, error.text);
        ck_assert_msg(ns == times[_i].ns, "'%s' is %lld", times[_i].text, (long long)ns);
    }
}

static const struct {
    const char *text;
    const char *again; /* as written back; NULL: refused, with `why` */
    const char *why;
} controls[] = {
    {"none", "none", ""},
    {"inf", "none", ""},
    {"move=50ms", "move=50ms", ""},
    {"bank=60s,inc=100ms", "bank=60s,inc=100ms", ""},
    {"bank=2m/pt,delay=12s", "bank=2m/pt,delay=12s", ""},
    {"delay=12s,bank=2m/pt", "bank=2m/pt,delay=12s", ""},
    {"reserve=2m/pt,delay=12s", "bank=2m/pt,delay=12s", ""},
    {"bank=1.5s", "bank=1500ms,inc=0s", ""},
    {"bank=0s,delay=1s", "bank=0s,delay=1s", ""},
    {"bank=10s/pt,inc=1s", "bank=10s/pt,inc=1s", ""},
    {"bank=120m,inc=1h", "bank=2h,inc=60m", ""},
    {"", NULL, "not a clock"},
    {"50ms", NULL, "not a clock"},
    {"move=50", NULL, "needs a unit"},
    {"move=0s", NULL, "more than 0"},
    {"move=1s,inc=1s", NULL, "move excludes"},
    {"bank=60s,inc=1s,delay=1s", NULL, "exclude"},
    {"inc=1s", NULL, "bank is missing"},
    {"bank=0s,inc=1s", NULL, "bank must be more"},
    {"bank=0s,delay=0s", NULL, "both 0"},
    {"bank=1s,bank=2s", NULL, "twice"},
    {"bank=1s,reserve=2s", NULL, "twice"},
    {"move=1s/pt", NULL, "only a bank"},
    {"bank=1s/game", NULL, "only a bank"},
    {"bank=1s,", NULL, "not a clock"},
    {"speed=1s", NULL, "unknown part"},
};

TEST_ROWS(controls_round_trip, controls)
{
    struct clock_control control = {.kind = CLOCK_NONE}, again = {.kind = CLOCK_NONE};
    enum bg_status status = clock_control_read(&control, controls[_i].text, &error);
    char text[128];

    if (controls[_i].again == NULL) {
        ck_assert_msg(status == BG_E_ARGUMENT, "'%s' is taken", controls[_i].text);
        ck_assert_msg(strstr(error.text, controls[_i].why) != NULL, "'%s': %s", controls[_i].text,
                      error.text);
        return;
    }
    ck_assert_msg(status == BG_OK, "'%s': %s", controls[_i].text, error.text);
    clock_control_write(text, sizeof text, &control);
    ck_assert_str_eq(text, controls[_i].again);
    assert_ok(clock_control_read(&again, text, &error));
    ck_assert_int_eq(again.bank_ns, control.bank_ns);
    ck_assert_int_eq(again.inc_ns, control.inc_ns);
    ck_assert_int_eq(again.delay_ns, control.delay_ns);
    ck_assert_int_eq(again.kind, control.kind);
}

TEST(written_times_round_trip)
{
    static const int64_t values[] = {0,      1,        999,     1000,       1001,       MS,
                                     MS - 1, S,        60 * S,  90 * S,     120 * S,    3600 * S,
                                     S + 1,  7200 * S, 119 * S, 604800 * S, 60 * S + MS};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[32];
        int64_t ns = -1;

        duration_write(text, sizeof text, values[i]);
        ck_assert_int_eq(duration_read(&ns, text, NULL), BG_OK);
        ck_assert_msg(ns == values[i], "%lld comes back from %s as %lld", (long long)values[i],
                      text, (long long)ns);
    }
}

/* One decision: its time limit, its time, whether it is in time, and the remaining time. */
struct charge {
    int64_t allowed, spent;
    bool end_of_turn; /* also begins the seat's next turn */
    bool in_time;
    int64_t left;
};

static const struct timed {
    const char *name, *clock;
    int length;
    int64_t margin;
    struct charge charges[5];
    int count;
} timed[] = {
    {"no clock never flags", "none", 3, 0, {{-1, 3600 * S, true, true, 0}}, 1},
    {"a move's time is fresh for every decision",
     "move=50ms",
     3,
     0,
     {{50 * MS, 50 * MS, false, true, 50 * MS},
      {50 * MS, 50 * MS, true, true, 50 * MS},
      {50 * MS, 50 * MS + 1, false, false, 50 * MS}},
     3},
    {"margin forgives exactly itself",
     "move=50ms",
     3,
     2 * MS,
     {{50 * MS, 52 * MS, false, true, 50 * MS}, {50 * MS, 52 * MS + 1, false, false, 50 * MS}},
     2},
    {"an increment comes at the end of the turn, and is saved",
     "bank=1s,inc=100ms",
     3,
     0,
     {{S, 300 * MS, false, true, 700 * MS},
      {700 * MS, 100 * MS, true, true, 700 * MS},
      {700 * MS, 700 * MS, true, true, 100 * MS},
      {100 * MS, 100 * MS + 1, false, false, 0}},
     4},
    {"a bank inside the margin is empty, not negative",
     "bank=1s",
     1,
     10 * MS,
     {{S, S + 10 * MS, false, true, 0},
      {0, 10 * MS, false, true, 0},
      {0, 10 * MS + 1, true, false, 0}},
     3},
    {"a delay is used first, once a turn, and is not saved",
     "bank=10s,delay=2s",
     3,
     0,
     {{12 * S, 1500 * MS, false, true, 10 * S},
      {10 * S + 500 * MS, S, true, true, 9 * S + 500 * MS},
      {11 * S + 500 * MS, 1, true, true, 9 * S + 500 * MS},
      {11 * S + 500 * MS, 11 * S + 500 * MS, false, true, 0},
      {0, 1, false, false, 0}},
     5},
    {"one nanosecond over delay and bank flags",
     "bank=1s,delay=2s",
     3,
     0,
     {{3 * S, 3 * S + 1, false, false, 0}},
     1},
    {"a bank for each point of the match",
     "bank=2m/pt,delay=12s",
     7,
     0,
     {{14 * 60 * S + 12 * S, 12 * S, true, true, 14 * 60 * S}},
     1},
    {"a bank for each of two points",
     "bank=2m/pt,delay=12s",
     2,
     0,
     {{4 * 60 * S + 12 * S, 12 * S, true, true, 4 * 60 * S}},
     1},
    {"money counts as one point",
     "bank=2m/pt,delay=12s",
     0,
     0,
     {{132 * S, S, true, true, 120 * S}},
     1},
    {"a negative charge is none", "bank=1s", 0, 0, {{S, -5, true, true, S}}, 1},
};

TEST_ROWS(charges_are_exact, timed)
{
    const struct timed *row = &timed[_i];
    struct clock_control control;
    struct clock clock;

    ck_assert_int_eq(clock_control_read(&control, row->clock, NULL), BG_OK);
    clock_begin(&clock, &control, row->length);
    clock_turn(&clock);
    for (int i = 0; i < row->count; i++) {
        const struct charge *charge = &row->charges[i];
        bool in_time;

        ck_assert_msg(clock_allowed(&clock) == charge->allowed, "%s, decision %d: allowed %lld",
                      row->name, i, (long long)clock_allowed(&clock));
        in_time = clock_charge(&clock, charge->spent, row->margin, charge->end_of_turn);
        ck_assert_msg(in_time == charge->in_time, "%s, decision %d: flag %s", row->name, i,
                      in_time ? "stays" : "falls");
        ck_assert_msg(clock.left_ns == charge->left, "%s, decision %d: %lld left", row->name, i,
                      (long long)clock.left_ns);
        if (charge->end_of_turn) {
            clock_turn(&clock);
        }
    }
}

TEST(resume_restores_the_reserve)
{
    struct clock_control control;
    struct clock clock;

    ck_assert_int_eq(clock_control_read(&control, "bank=10s,delay=2s", NULL), BG_OK);
    clock_begin(&clock, &control, 3);
    clock_resume(&clock, 4 * S);
    ck_assert_int_eq(clock_allowed(&clock), 6 * S);
    ck_assert_int_eq(clock_control_read(&control, "move=10s", NULL), BG_OK);
    clock_begin(&clock, &control, 3);
    clock_resume(&clock, 4 * S); /* not a reserve: every decision starts with the full time */
    ck_assert_int_eq(clock_allowed(&clock), 10 * S);
}

/* One duration with which a step of the histogram begins: the middle of the step is later. */
TEST(a_quantile_is_not_longer_than_the_longest_time)
{
    static struct duration_histogram histogram;

    histogram_add(&histogram, 1 << 20);
    ck_assert_double_eq(histogram_quantile(&histogram, 0.5), histogram_most(&histogram));
}
