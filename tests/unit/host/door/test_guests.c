/* How often the bots that a host knows may shake hands. Time is an argument. */

#include "door/guests.h"
#include "support/suite.h"

#define SECOND_NS INT64_C(1000000000)

/* Handshakes that are let in, of one attempt every step_ns for a time. */
static int count(struct guest *guest, int64_t from_ns, int64_t for_ns, int64_t step_ns)
{
    int let_in = 0;

    for (int64_t at_ns = from_ns; at_ns < from_ns + for_ns; at_ns += step_ns) {
        let_in += guest_may_shake_hands(guest, at_ns);
    }
    return let_in;
}

TEST(ten_come_at_once_and_then_one_every_six_seconds)
{
    struct guest guest = {.name = "anna"};
    const int64_t begun_ns = 1000 * SECOND_NS;

    ck_assert_int_eq(count(&guest, begun_ns, SECOND_NS, SECOND_NS / 1000), 10);
    ck_assert_int_eq(count(&guest, begun_ns + SECOND_NS, 60 * SECOND_NS, SECOND_NS / 100), 10);
    ck_assert_int_eq(count(&guest, begun_ns + 600 * SECOND_NS, SECOND_NS, SECOND_NS / 100), 10);
}

TEST(what_the_host_ended_itself_is_not_counted)
{
    struct guest guest = {.name = "anna", .starts = ENTRY_STARTS};
    const int64_t begun_ns = 1000 * SECOND_NS;

    for (int i = 0; i < 1000; i++) {
        ck_assert(guest_may_shake_hands(&guest, begun_ns + i));
        guest_forgive(&guest);
    }
    ck_assert_int_eq(count(&guest, begun_ns + SECOND_NS, SECOND_NS, SECOND_NS / 100), 10);
}

/* A bot that says Hello as often as it can: N at once, then N an hour; the wait is told. */
TEST(starts_are_counted_by_the_hour)
{
    struct guest guest = {.name = "anna", .starts = 6};
    const int64_t begun_ns = 1000 * SECOND_NS;

    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(guest_start(&guest, begun_ns), 0);
    }
    ck_assert_int_eq(guest_start(&guest, begun_ns + SECOND_NS), 599 * SECOND_NS);
    ck_assert_int_eq(guest_start(&guest, begun_ns + 2 * SECOND_NS), 598 * SECOND_NS);
    ck_assert_int_eq(guest_start(&guest, begun_ns + 600 * SECOND_NS), 0);
    ck_assert_int_gt(guest_start(&guest, begun_ns + 600 * SECOND_NS), 0);
    guest_forgive(&guest); /* the host ended the last one */
    ck_assert_int_eq(guest_start(&guest, begun_ns + 600 * SECOND_NS), 0);
}
