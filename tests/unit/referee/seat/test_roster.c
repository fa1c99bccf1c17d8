/* Two hundred sessions: the session of a frame, the settled and the overdue ones, and their
 * order. */
#include "support/hand_bot.h"
#include "support/suite.h"

#include <string.h>

enum { SESSIONS = 200 };

#define SECOND_NS INT64_C(1000000000)
#define MS_NS     INT64_C(1000000)

static struct hand_table table;
static struct session_slot slots[SESSIONS];

static void set_up(void)
{
    hand_table_open(&table, SESSIONS);
    hand_start_all(&table);
    for (int i = 0; i < SESSIONS; i++) {
        hand_slot(&slots[i], table.roster.sessions[i], 5 * SECOND_NS);
    }
}

static void tear_down(void)
{
    hand_table_close(&table);
}

static void run(int64_t ns)
{
    hand_run(table.loop, ns);
}

static void greet_all(void)
{
    for (int i = 0; i < SESSIONS; i++) {
        hand_hello(&table, i, 2);
        hand_ready(&table, i);
    }
    run(MS_NS);
    ck_assert_int_eq(table.news.ready, SESSIONS);
}

TEST(a_frame_goes_to_the_session_of_its_door)
{
    hand_greet(&table, 150, 2);
    for (int i = 0; i < SESSIONS; i++) {
        ck_assert_int_eq(session_state(table.roster.sessions[i]),
                         i == 150 ? SESSION_READY : SESSION_STARTING);
    }
    hand_lose(17, LINK_CLOSED, "");
    run(0);
    ck_assert_ptr_eq(table.news.session, table.roster.sessions[17]);
    ck_assert_int_eq(table.news.faults, 1);
}

TEST(an_unknown_process_at_a_door_is_not_charged_to_a_bot)
{
    greet_all();
    hand_knock(3, 4711);
    run(0);
    ck_assert_int_eq(table.news.faults, 0);
}

TEST(each_session_with_pending_messages_is_flushed)
{
    greet_all();
    for (int i = 0; i < SESSIONS; i += 3) {
        session_ask(table.roster.sessions[i], &slots[i]);
    }
    run(0);
    for (int i = 0; i < SESSIONS; i++) {
        ck_assert_int_eq(hand_door(i)->heard, i % 3 == 0 ? 2 : 1);
        ck_assert_int_eq(slots[i].state, i % 3 == 0 ? SLOT_OPEN : SLOT_IDLE);
    }
    run(SECOND_NS); /* and none twice */
    for (int i = 0; i < SESSIONS; i++) {
        ck_assert_int_eq(hand_door(i)->heard, i % 3 == 0 ? 2 : 1);
    }
}

/* A decision asked during the start is sent when the process is ready. */
TEST(waiting_decisions_are_sent_when_the_process_is_ready)
{
    session_ask(table.roster.sessions[9], &slots[9]);
    run(SECOND_NS);
    ck_assert_int_eq(slots[9].state, SLOT_WAITING);
    hand_greet(&table, 9, 1);
    ck_assert_int_eq(slots[9].state, SLOT_OPEN);
}

/* Decisions found overdue in one sweep come in roster order, not in the order of their deadlines.
 */
TEST(decisions_overdue_in_one_sweep_are_reported_in_roster_order)
{
    static const int who[] = {120, 7, 64, 63};

    greet_all();
    for (size_t i = 0; i < 4; i++) {
        slots[who[i]].limit_ns = 5 * SECOND_NS - 1000 + (int64_t)(i * 10);
        session_ask(table.roster.sessions[who[i]], &slots[who[i]]);
    }
    run(4 * SECOND_NS);
    ck_assert_str_eq(table.news.order, "");
    run(SECOND_NS + 2 * MS_NS);
    ck_assert_str_eq(table.news.order, "overdue7 overdue63 overdue64 overdue120");
}

TEST(each_start_has_its_own_time)
{
    greet_all();
    hand_lose(5, LINK_CLOSED, "");
    run(0);
    table.news.faults = 0;
    run(HAND_START_NS);
    ck_assert_int_eq(table.news.faults, 0);
    run(SECOND_NS);
    ck_assert_int_eq(table.news.faults, 1); /* of the second start, without a Hello */
    ck_assert_ptr_eq(table.news.session, table.roster.sessions[5]);
    ck_assert_int_eq(table.news.fault, BG_FAULT_START);
}

TEST(closing_the_roster_ends_every_session)
{
    greet_all();
    ck_assert(!roster_close(&table.roster, "all is played"));
    ck_assert(!roster_is_down(&table.roster));
    for (int i = 0; i < SESSIONS; i++) {
        ck_assert_int_eq(hand_heard(&table, i)->content, WIRE_GOODBYE);
    }
    run(SECOND_NS);
    ck_assert_int_eq(table.news.closed, SESSIONS);
    ck_assert(roster_is_down(&table.roster));
}

SUITE_FIXTURE(set_up, tear_down)
