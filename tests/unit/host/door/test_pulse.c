/* The page in which the gateway tells its stops. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "door/pulse.h"
#include "support/suite.h"

#define MS_NS INT64_C(1000000)

static const struct {
    const char *what;
    int passed_ms, stop_ms;
} gaps[] = {
    {"a round of a busy gateway", 1, 0},
    {"its longest wait", 50, 0},
    {"a wait that ends late on a busy machine", 70, 0},
    {"a stop", 71, 71},
    {"a long stop", 10000, 10000},
};

TEST_ROWS(a_long_gap_counts_as_a_stop, gaps)
{
    ck_assert_msg(pulse_stop(gaps[_i].passed_ms * MS_NS) == gaps[_i].stop_ms * MS_NS, "%s",
                  gaps[_i].what);
}

TEST(a_stop_is_seen_while_it_lasts_and_once_when_it_is_over)
{
    struct pulse_page page = {0};
    int64_t beat_ns = 0;

    ck_assert_int_eq(pulse_stalled(&page, 900 * MS_NS), 0); /* it has not begun */
    ck_assert_int_eq(pulse_beat(&page, &beat_ns, 1000 * MS_NS), 0);
    ck_assert_int_eq(pulse_stalled(&page, 1050 * MS_NS), 0);
    ck_assert_int_eq(pulse_stalled(&page, 3000 * MS_NS), 2000 * MS_NS);
    ck_assert_int_eq(pulse_beat(&page, &beat_ns, 3500 * MS_NS), 2500 * MS_NS);
    ck_assert_int_eq(pulse_stalled(&page, 3500 * MS_NS), 2500 * MS_NS);
    ck_assert_int_eq(pulse_stalled(&page, 3560 * MS_NS), 2500 * MS_NS);
    ck_assert(!pulse_was_long(&page, 3500 * MS_NS));

    pulse_rest(&page, &beat_ns); /* nobody is connected: no stop is seen, and none matters */
    ck_assert_int_eq(pulse_stalled(&page, 90000 * MS_NS), 2500 * MS_NS);
    ck_assert_int_eq(pulse_beat(&page, &beat_ns, 95000 * MS_NS), 0);

    ck_assert(!pulse_was_long(&page, 99999 * MS_NS));
    ck_assert(pulse_was_long(&page, 100000 * MS_NS)); /* it lasts */
    ck_assert_int_eq(pulse_beat(&page, &beat_ns, 105000 * MS_NS), 10000 * MS_NS);
    ck_assert(pulse_was_long(&page, 124999 * MS_NS));
    ck_assert_int_eq(pulse_beat(&page, &beat_ns, 105010 * MS_NS), 0);
    beat_ns = 0;
    ck_assert_int_eq(pulse_beat(&page, &beat_ns, 125010 * MS_NS), 0); /* another gateway */
    ck_assert(!pulse_was_long(&page, 125010 * MS_NS));
    ck_assert_int_eq(pulse_stalled(&page, 125010 * MS_NS), 12500 * MS_NS);
}

TEST(both_sides_see_one_page)
{
    char folder[] = "/tmp/bgref-pulse-XXXXXX", endpoint[80];
    struct pulse_page *writer, *reader;
    int64_t beat_ns = 5;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(endpoint, sizeof endpoint, "ipc://%s/bot", folder);
    reader = pulse_open(endpoint);
    writer = pulse_open(endpoint);
    ck_assert_ptr_nonnull(reader);
    ck_assert_ptr_nonnull(writer);
    ck_assert_int_eq(pulse_beat(writer, &beat_ns, 100 * MS_NS), 100 * MS_NS - 5);
    ck_assert_int_eq(pulse_stalled(reader, 100 * MS_NS), 100 * MS_NS - 5);
    pulse_close(writer);
    pulse_close(reader);
    ck_assert_int_eq(unlink(pulse_path(endpoint)), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    ck_assert_ptr_null(pulse_open(endpoint)); /* the folder is gone: nothing is known ... */
    ck_assert_int_eq(pulse_stalled(NULL, 5), 0);
    ck_assert(!pulse_was_long(NULL, 5));
    pulse_rest(NULL, &beat_ns); /* ... and the gateway works on */
    ck_assert_int_eq(pulse_beat(NULL, &beat_ns, 7), 0);
    pulse_close(NULL);
}
