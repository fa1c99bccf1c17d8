/* Marks and times of members: each is found exactly once, in the order of numbers. */

#include "seat/due.h"
#include "support/suite.h"

enum { MEMBERS = 200 };

static struct due due;

static void add_members(void)
{
    due = (struct due){.count = 0};
    for (int i = 0; i < MEMBERS; i++) {
        due_add(&due);
    }
    ck_assert_int_eq(due.count, MEMBERS);
}

TEST(marked_members_are_found_once_in_order)
{
    static const int marked[] = {199, 0, 63, 64, 65, 127, 128, 0};
    static const int found[] = {0, 63, 64, 65, 127, 128, 199};
    int at = -1;

    add_members();
    ck_assert_int_eq(due_take_marked(&due, 0), -1);
    for (size_t i = 0; i < sizeof marked / sizeof marked[0]; i++) {
        due_mark(&due, marked[i]);
    }
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        at = due_take_marked(&due, at + 1);
        ck_assert_int_eq(at, found[i]);
    }
    ck_assert_int_eq(due_take_marked(&due, at + 1), -1);
    ck_assert_int_eq(due_take_marked(&due, 0), -1);
    due_deinit(&due);
}

/* A member marked again during a sweep waits for the next one if the sweep has passed it. */
TEST(a_mark_behind_the_position_waits_for_the_next_round)
{
    add_members();
    due_mark(&due, 70);
    ck_assert_int_eq(due_take_marked(&due, 0), 70);
    due_mark(&due, 70);
    due_mark(&due, 71);
    ck_assert_int_eq(due_take_marked(&due, 71), 71);
    ck_assert_int_eq(due_take_marked(&due, 72), -1);
    ck_assert_int_eq(due_take_marked(&due, 0), 70);
    due_deinit(&due);
}

TEST(a_member_is_late_once_after_its_time)
{
    add_members();
    due_set(&due, 5, 100);
    due_set(&due, 3, 100);
    due_hasten(&due, 4, 50);
    due_hasten(&due, 4, 80); /* not earlier */
    due_collect(&due, 50);
    ck_assert_int_eq(due_take_late(&due, 0), -1);
    due_collect(&due, 51);
    ck_assert_int_eq(due_take_late(&due, 0), 4);
    ck_assert_int_eq(due_take_late(&due, 5), -1);
    due_set(&due, 5, DUE_NEVER);
    due_collect(&due, INT64_MAX - 1);
    ck_assert_int_eq(due_take_late(&due, 0), 3);
    ck_assert_int_eq(due_take_late(&due, 4), -1);
    due_deinit(&due);
}

static uint64_t chance = 11;

static uint64_t next_chance(uint64_t below)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (chance >> 33) % below;
}

/* The same results as a walk over all members, for a hundred thousand random changes. */
TEST(times_agree_with_a_walk)
{
    int64_t at_ns[MEMBERS];

    add_members();
    for (int i = 0; i < MEMBERS; i++) {
        at_ns[i] = DUE_NEVER;
    }
    for (int64_t now_ns = 0; now_ns < 100000; now_ns++) {
        int member = (int)next_chance(MEMBERS), found = -1;
        int64_t time_ns = now_ns + (int64_t)next_chance(300);

        if (next_chance(2) == 0) {
            at_ns[member] = time_ns;
            due_set(&due, member, time_ns);
        } else {
            at_ns[member] = time_ns < at_ns[member] ? time_ns : at_ns[member];
            due_hasten(&due, member, time_ns);
        }
        due_collect(&due, now_ns);
        for (int i = 0; i < MEMBERS; i++) {
            if (at_ns[i] < now_ns) {
                found = due_take_late(&due, found + 1);
                ck_assert_int_eq(found, i);
                at_ns[i] = DUE_NEVER;
            }
        }
        ck_assert_int_eq(due_take_late(&due, found + 1), -1);
    }
    due_deinit(&due);
}
