/* When the next message goes to a bot that has decisions open. */

#include "seat/outbox.h"
#include "support/suite.h"

enum { SLOTS = 40, OPEN = 10 };

static struct loop *loop;
static struct decisions decisions;
static struct session_slot slots[SLOTS];
static struct outbox outbox;
static int used;

static void on_released(void *user)
{
}

static void begin(void)
{
    int from = 0;

    ck_assert_int_eq(loop_create(&loop, NULL), BG_OK);
    decisions_begin(&decisions);
    decisions.most = SLOTS;
    outbox_init(&outbox, &decisions, loop, on_released, NULL);
    for (used = 0; used < OPEN; used++) {
        slots[used] = (struct session_slot){.ask.kind = BG_DECIDE_PLAY};
        decisions_wait(&decisions, &slots[used]);
        ck_assert_ptr_nonnull(decisions_open(&decisions, &from));
    }
}

static void end(void)
{
    outbox_deinit(&outbox);
    loop_destroy(loop);
}

static void let_wait(int count)
{
    for (int i = 0; i < count; i++) {
        slots[used] = (struct session_slot){.ask.kind = BG_DECIDE_PLAY};
        decisions_wait(&decisions, &slots[used++]);
    }
}

static void close_all(void)
{
    for (int i = 0; i < OPEN; i++) {
        decisions_close(&decisions, &slots[i]);
    }
}

TEST(a_quick_bot_of_this_machine_gets_the_next_message_when_it_has_finished)
{
    let_wait(2 * OPEN);
    ck_assert(!outbox_is_due(&outbox));
    close_all();
    ck_assert(outbox_is_due(&outbox));
}

TEST(a_far_bot_gets_it_when_half_as_many_wait_as_are_open)
{
    outbox.is_far = true;
    let_wait(OPEN / 2 - 1);
    ck_assert(!outbox_is_due(&outbox));
    let_wait(1);
    ck_assert(outbox_is_due(&outbox));
}

TEST(a_far_bot_with_nothing_open_gets_it_at_once)
{
    outbox.is_far = true;
    close_all();
    ck_assert(!outbox_is_due(&outbox));
    let_wait(1);
    ck_assert(outbox_is_due(&outbox));
}

TEST(a_bot_that_thinks_gets_it_at_once)
{
    outbox_note_trip(&outbox, 1000000);
    let_wait(1);
    ck_assert(outbox_is_due(&outbox));
}

TEST(what_waits_is_counted)
{
    ck_assert(decisions_wait_for(&decisions, 0));
    ck_assert(!decisions_wait_for(&decisions, 1));
    let_wait(3);
    ck_assert(decisions_wait_for(&decisions, 3));
    ck_assert(!decisions_wait_for(&decisions, 4));
}

SUITE_FIXTURE(begin, end)
