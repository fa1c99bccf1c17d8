/* The referee's own share of a bot's delay, and the limit of a flood. */

#include "seat/credit.h"
#include "seat/flood.h"
#include "support/suite.h"

#define MS_NS INT64_C(1000000)

TEST(work_for_other_bots_is_credited)
{
    struct credit credit = {0};

    ck_assert_int_eq(credit_for_queue(&credit, 100 * MS_NS, 3 * MS_NS), 3 * MS_NS);
    credit_note_work(&credit, 100 * MS_NS, 3 * MS_NS, 100 * MS_NS + 10);
    ck_assert_int_eq(credit_for_queue(&credit, 120 * MS_NS, 1 * MS_NS),
                     1 * MS_NS); /* a new round */
}

/* A bot that keeps the loop busy pays for it: of 12 ms in this round 8 were spent on its own
 * frames. */
TEST(work_for_own_frames_is_not_credited)
{
    struct credit credit = {0};
    int64_t round_ns = 1000 * MS_NS;

    for (int i = 0; i < 8; i++) {
        int64_t at_ns = round_ns + i * MS_NS;

        ck_assert_int_eq(credit_for_queue(&credit, at_ns, at_ns - round_ns), 0);
        credit_note_work(&credit, at_ns, at_ns - round_ns, at_ns + MS_NS);
    }
    ck_assert_int_eq(credit_for_queue(&credit, round_ns + 12 * MS_NS, 12 * MS_NS), 4 * MS_NS);
}

TEST(queue_credit_is_limited)
{
    struct credit credit = {0};

    ck_assert_int_eq(credit_for_queue(&credit, 5000 * MS_NS, 3000 * MS_NS), CREDIT_QUEUE_NS);
}

TEST(a_thousand_messages_a_second_are_not_a_flood)
{
    struct flood flood = {0};

    for (int second = 1; second < 4; second++) {
        for (int i = 0; i < FLOOD_MESSAGES; i++) {
            ck_assert(!flood_count(&flood, 2, second * 1000 * MS_NS, 0));
        }
    }
    ck_assert(flood_count(&flood, 2, 3999 * MS_NS, 0));
    ck_assert(!flood_count(&flood, FLOOD_BYTES, 5000 * MS_NS, 0));
    ck_assert(flood_count(&flood, 1, 5001 * MS_NS, 0));
}

/* 900 messages a second; the referee stands still for 3 s after the first second and then reads
 * what has piled up at once. */
TEST(what_piled_up_while_the_referee_stood_still_is_not_a_flood)
{
    struct flood flood = {0};

    for (int i = 0; i < 900; i++) {
        ck_assert(!flood_count(&flood, 2, (1000 + i) * MS_NS, 0));
    }
    for (int i = 0; i < 3 * 900; i++) {
        ck_assert(!flood_count(&flood, 2, 5000 * MS_NS, 3000 * MS_NS));
    }
    for (int i = 0; i < 4 * FLOOD_MESSAGES - 3 * 900; i++) {
        ck_assert(!flood_count(&flood, 2, 5000 * MS_NS, 3000 * MS_NS));
    }
    ck_assert(flood_count(&flood, 2, 5000 * MS_NS, 3000 * MS_NS));
    /* The stall is used up: the next second has the usual limit. */
    for (int i = 0; i < FLOOD_MESSAGES; i++) {
        ck_assert(!flood_count(&flood, 2, 6000 * MS_NS, 3000 * MS_NS));
    }
    ck_assert(flood_count(&flood, 2, 6000 * MS_NS, 3000 * MS_NS));
}

TEST(a_long_stall_allows_only_so_many_messages)
{
    struct flood flood = {0};

    for (int i = 0; i < 11 * FLOOD_MESSAGES; i++) {
        ck_assert(!flood_count(&flood, 2, 100000 * MS_NS, 99000 * MS_NS));
    }
    ck_assert(flood_count(&flood, 2, 100000 * MS_NS, 99000 * MS_NS));
}
