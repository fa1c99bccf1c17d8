/* Deadlines are called in order, once, and never before their time. */

#include "loop/timers.h"
#include "support/suite.h"

enum { MANY = 500 };

struct seen {
    struct timers *timers;
    int64_t due[MANY];
    int count;
};

struct one {
    struct seen *seen;
    int64_t due_ns;
};

static void note(void *user, int64_t now_ns)
{
    struct one *one = user;

    ck_assert_int_ge(now_ns, one->due_ns);
    one->seen->due[one->seen->count++] = one->due_ns;
}

TEST(deadlines_are_called_in_order)
{
    struct timers timers = {0};
    struct seen seen = {&timers, {0}, 0};
    static struct one ones[MANY];
    unsigned state = 1;

    for (int i = 0; i < MANY; i++) {
        state = state * 1103515245u + 12345u;
        ones[i] = (struct one){&seen, state >> 8 & 0xffff};
        timers_add(&timers, ones[i].due_ns, note, &ones[i]);
    }
    for (int64_t now = 0; now <= 0x10000; now += 1000) {
        timers_run(&timers, now);
        ck_assert(timers_wait(&timers, now) != 0);
    }
    timers_run(&timers, 0x10000);
    ck_assert_int_eq(seen.count, MANY);
    for (int i = 1; i < MANY; i++) {
        ck_assert_int_ge(seen.due[i], seen.due[i - 1]);
    }
    ck_assert_int_eq(timers_wait(&timers, 0), -1);
    timers_deinit(&timers);
}

TEST(wait_returns_the_time_to_the_earliest_deadline)
{
    struct timers timers = {0};
    struct seen seen = {&timers, {0}, 0};
    struct one late = {&seen, 900}, early = {&seen, 100};

    ck_assert_int_eq(timers_wait(&timers, 5), -1);
    timers_add(&timers, late.due_ns, note, &late);
    timers_add(&timers, early.due_ns, note, &early);
    ck_assert_int_eq(timers_wait(&timers, 40), 60);
    ck_assert_int_eq(timers_wait(&timers, 100), 0);
    timers_run(&timers, 99);
    ck_assert_int_eq(seen.count, 0);
    timers_run(&timers, 100);
    ck_assert_int_eq(seen.count, 1);
    ck_assert_int_eq(timers_wait(&timers, 100), 800);
    timers_deinit(&timers);
}

TEST(removing_forgets_only_that_user)
{
    struct timers timers = {0};
    struct seen seen = {&timers, {0}, 0};
    struct one kept = {&seen, 10}, gone = {&seen, 5};

    for (int i = 0; i < 20; i++) {
        timers_add(&timers, 5, note, &gone);
        timers_add(&timers, 10, note, &kept);
    }
    timers_remove(&timers, &gone);
    ck_assert_int_eq(timers_wait(&timers, 0), 10);
    timers_run(&timers, 10);
    ck_assert_int_eq(seen.count, 20);
    timers_deinit(&timers);
}

static void again(void *user, int64_t now_ns)
{
    struct seen *seen = user;

    seen->count++;
    timers_add(seen->timers, now_ns, again, seen);
}

TEST(a_deadline_added_by_a_callback_runs_in_the_next_round)
{
    struct timers timers = {0};
    struct seen seen = {&timers, {0}, 0};

    timers_add(&timers, 1, again, &seen);
    timers_run(&timers, 1);
    ck_assert_int_eq(seen.count, 1);
    timers_run(&timers, 1);
    ck_assert_int_eq(seen.count, 2);
    timers_deinit(&timers);
}
