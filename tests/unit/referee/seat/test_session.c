/* A session and its bot, which the test plays: greeting, decisions, deadlines, faults, ends. */
#include "support/hand_bot.h"

#include <string.h>

#include "seat/flood.h"
#include "seat/letters.h"
#include "support/suite.h"

#define SECOND_NS INT64_C(1000000000)
#define MS_NS     INT64_C(1000000)

static struct hand_table table;
static struct session *session;
static struct session_slot slots[8];

static void set_up(void)
{
    hand_table_open(&table, 1);
    session = table.roster.sessions[0];
    hand_start(&table, 0);
    for (int i = 0; i < 8; i++) {
        hand_slot(&slots[i], session, 5 * SECOND_NS);
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

/* Runs until the door with this number is open. */
static void run_until_door(int number)
{
    for (int i = 0; hand_doors() <= number; i++) {
        ck_assert_int_lt(i, 20000);
        run(MS_NS);
    }
}

static void ask_all(int count)
{
    for (int i = 0; i < count; i++) {
        session_ask(session, &slots[i]);
    }
    run(0);
}

/* Decisions for a bot whose last answer took more than a millisecond are not held back. */
static void become_slow(void)
{
    ask_all(1);
    run(2 * MS_NS);
    hand_answer(&table, 0, slots[0].ask.decision);
    run(0);
    ck_assert_int_eq(table.news.answered, 1);
    table.news = (struct hand_news){.ready = 1};
}

/* ------------------------------------------------------------------ greeting */

TEST(a_hello_is_welcomed_and_closes_the_door)
{
    ck_assert_int_eq(session_state(session), SESSION_STARTING);
    ck_assert(!hand_door(0)->shut);
    hand_hello(&table, 0, 7);
    run(0);
    ck_assert(hand_door(0)->shut);
    ck_assert_int_eq(session_state(session), SESSION_GREETED);
    ck_assert_int_eq(hand_heard(&table, 0)->content, WIRE_WELCOME);
    ck_assert_uint_eq(hand_heard(&table, 0)->welcome->limits.in_flight, 7);
    ck_assert_uint_eq(hand_heard(&table, 0)->welcome->limits.messages_per_second, FLOOD_MESSAGES);
    ck_assert_str_eq(hand_heard(&table, 0)->welcome->event, "by hand");
    ck_assert_int_eq(table.news.ready, 0);
    hand_ready(&table, 0);
    run(0);
    ck_assert_int_eq(session_state(session), SESSION_READY);
    ck_assert_int_eq(table.news.ready, 1);
    ck_assert_int_eq(session_in_flight(session), 7);
}

TEST_LOOP(another_first_message_is_refused, 0, 2)
{
    static const char *const said[] = {"not a message", NULL};

    if (said[_i] == NULL) {
        hand_ready(&table, 0);
    } else {
        hand_say(0, said[_i], strlen(said[_i]));
    }
    run(0);
    ck_assert_int_eq(hand_heard(&table, 0)->content, WIRE_REFUSAL);
    ck_assert(hand_door(0)->shut && hand_door(0)->closed);
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_START);
    ck_assert_msg(strstr(table.news.message, "not a Hello") != NULL, "%s", table.news.message);
    ck_assert_int_eq(session_state(session), SESSION_DOWN);
    ck_assert_int_eq(session_failed_starts(session), 1);
}

TEST_LOOP(a_start_that_takes_too_long_fails, 0, 2)
{
    if (_i == 1) {
        hand_hello(&table, 0, 1);
    }
    run(HAND_START_NS - MS_NS);
    ck_assert_int_eq(table.news.faults, 0);
    run(3 * MS_NS);
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_START);
    ck_assert_msg(strstr(table.news.message, _i == 0 ? "not joined in time" : "no Ready") != NULL,
                  "%s", table.news.message);
}

/* 0.1 s, then twice as long each time, at most 10 s; an answer resets it. */
TEST(failed_starts_are_retried_with_growing_delays)
{
    int64_t wait_ns = SECOND_NS / 10;

    for (int start = 0; start < 10; start++) {
        hand_lose(start, LINK_CLOSED, "");
        run(0);
        ck_assert_int_eq(table.news.faults, start + 1);
        ck_assert_int_eq(session_failed_starts(session), start + 1);
        run(wait_ns - MS_NS);
        ck_assert_int_eq(hand_doors(), start + 1);
        run(2 * MS_NS);
        ck_assert_int_eq(hand_doors(), start + 2);
        wait_ns = wait_ns < 5 * SECOND_NS ? 2 * wait_ns : 10 * SECOND_NS;
    }
    hand_greet(&table, 10, 1);
    ck_assert_int_eq(session_failed_starts(session), 0);
    ask_all(1);
    hand_answer(&table, 10, slots[0].ask.decision);
    hand_lose(10, LINK_CLOSED, "");
    run(0);
    run(SECOND_NS / 10 + MS_NS);
    ck_assert_int_eq(hand_doors(), 12);
}

/* ----------------------------------------------------------------- decisions */

TEST(a_decision_is_sent_timed_and_answered)
{
    hand_greet(&table, 0, 4);
    ask_all(1);
    ck_assert_int_eq(hand_heard(&table, 0)->content, WIRE_ASKS);
    ck_assert_uint_eq(hand_heard(&table, 0)->count, 1);
    ck_assert_uint_eq(hand_heard(&table, 0)->asks[0].decision, slots[0].ask.decision);
    run(300 * MS_NS);
    hand_answer(&table, 0, slots[0].ask.decision);
    run(0);
    ck_assert_int_eq(table.news.answered, 1);
    ck_assert_ptr_eq(table.news.slot, &slots[0]);
    ck_assert_int_ge(table.news.spent_ns, 300 * MS_NS);
    ck_assert_int_lt(table.news.spent_ns, 301 * MS_NS);
    ck_assert_int_eq(slots[0].state, SLOT_IDLE);
    ck_assert_uint_eq(session_work(session).decisions, 1);
}

static void say_ready(const char *game)
{
    ck_assert_int_eq(wire_pack_ready(&table.buffer, game, NULL), BG_OK);
    hand_say(0, table.buffer.data, table.buffer.size);
    run(0);
}

TEST(a_stateful_bot_is_asked_once_it_is_ready_for_the_game)
{
    table.is_stateful = true;
    hand_greet(&table, 0, 4);
    strcpy(slots[0].ask.game, "first");
    strcpy(slots[1].ask.game, "second");
    ask_all(2);
    ck_assert_int_eq(hand_heard(&table, 0)->content, WIRE_NEW_GAME);
    ck_assert_str_eq(hand_heard(&table, 0)->game, "first");
    say_ready("second"); /* not announced yet */
    ck_assert_int_eq(hand_heard(&table, 0)->content, WIRE_NEW_GAME);
    say_ready("first");
    ck_assert_int_eq(hand_heard(&table, 0)->content, WIRE_ASKS);
    ck_assert_uint_eq(hand_heard(&table, 0)->count, 1);
    run(2 * MS_NS);
    ck_assert_int_eq(slots[1].state, SLOT_WAITING); /* one game at a time */
    hand_answer(&table, 0, slots[0].ask.decision);
    run(2 * MS_NS);
    ck_assert_int_eq(table.news.answered, 1);
    ck_assert_str_eq(hand_heard(&table, 0)->game, "second");
    ck_assert_int_eq(table.news.faults, 0);
}

TEST(an_answer_before_ready_is_to_a_decision_never_asked)
{
    table.is_stateful = true;
    hand_greet(&table, 0, 4);
    ask_all(1);
    hand_answer(&table, 0, slots[0].ask.decision); /* a guess */
    run(0);
    ck_assert_int_eq(table.news.answered, 0);
    ck_assert_int_eq(table.news.fault, BG_FAULT_ORDER);
}

TEST(open_decisions_do_not_exceed_the_bots_batch)
{
    hand_greet(&table, 0, 2);
    ask_all(3);
    ck_assert_uint_eq(hand_heard(&table, 0)->count, 2);
    ck_assert_int_eq(slots[2].state, SLOT_WAITING);
    hand_answer(&table, 0, slots[1].ask.decision);
    run(2 * MS_NS);
    ck_assert_int_eq(slots[2].state, SLOT_OPEN);
    ck_assert_uint_eq(hand_heard(&table, 0)->count, 1);
}

TEST(a_cancelled_decision_frees_a_slot)
{
    hand_greet(&table, 0, 1);
    ask_all(2);
    ck_assert_int_eq(slots[1].state, SLOT_WAITING);
    session_cancel(session, &slots[0]);
    run(0);
    ck_assert_int_eq(slots[1].state, SLOT_OPEN);
    hand_answer(&table, 0, slots[0].ask.decision); /* which was cancelled */
    run(0);
    ck_assert_int_eq(table.news.answered, 0);
    ck_assert_int_eq(table.news.faults, 0);
}

/* Decisions that arrive while a quick bot is working are sent when it has finished, or after a
 * millisecond. */
TEST_LOOP(a_quick_bot_gets_waiting_decisions_in_one_message, 0, 2)
{
    hand_greet(&table, 0, 8);
    ask_all(1);
    ck_assert_int_eq(hand_door(0)->heard, 2);
    for (int i = 1; i < 4; i++) {
        session_ask(session, &slots[i]);
        run(MS_NS / 10);
    }
    ck_assert_int_eq(hand_door(0)->heard, 2);
    if (_i == 0) {
        hand_answer(&table, 0, slots[0].ask.decision);
        run(0);
    } else {
        run(MS_NS);
        run(0);
    }
    ck_assert_int_eq(hand_door(0)->heard, 3);
    ck_assert_uint_eq(hand_heard(&table, 0)->count, 3);
}

TEST(a_slow_bot_gets_each_decision_at_once)
{
    hand_greet(&table, 0, 8);
    become_slow();
    ask_all(1);
    session_ask(session, &slots[1]);
    run(0);
    ck_assert_int_eq(slots[1].state, SLOT_OPEN);
}

/* ----------------------------------------------------------------- deadlines */

TEST(a_late_answer_is_overdue_and_charged_once)
{
    hand_greet(&table, 0, 2);
    ask_all(2);
    run(5 * SECOND_NS - MS_NS);
    ck_assert_int_eq(table.news.overdue, 0);
    run(3 * MS_NS);
    ck_assert_int_eq(table.news.overdue, 2);
    ck_assert_int_gt(table.news.spent_ns, 5 * SECOND_NS);
    ck_assert_int_eq(slots[0].state, SLOT_IDLE);
    hand_answer(&table, 0, slots[0].ask.decision);
    run(0);
    ck_assert_int_eq(table.news.answered, 0);
    ck_assert_int_eq(table.news.faults, 0);
    ck_assert_int_eq(session_state(session), SESSION_READY);
    ask_all(1); /* and it gets further decisions */
    ck_assert_int_eq(slots[0].state, SLOT_OPEN);
}

/* A later decision with less time is overdue before an earlier one. */
TEST(each_time_limit_starts_when_its_decision_is_sent)
{
    hand_greet(&table, 0, 4);
    become_slow();
    slots[1].limit_ns = SECOND_NS;
    ask_all(1);
    run(2 * SECOND_NS);
    session_ask(session, &slots[1]);
    run(SECOND_NS + 2 * MS_NS);
    ck_assert_int_eq(table.news.overdue, 1);
    ck_assert_ptr_eq(table.news.slot, &slots[1]);
    run(2 * SECOND_NS);
    ck_assert_int_eq(table.news.overdue, 2);
    ck_assert_ptr_eq(table.news.slot, &slots[0]);
}

TEST(a_hung_bot_is_restarted_and_asked_the_other_decisions_again)
{
    uint64_t number;

    hand_greet(&table, 0, 2);
    slots[0].last_limit = true;
    slots[0].limit_ns = SECOND_NS;
    ask_all(2);
    number = slots[1].ask.decision;
    run(SECOND_NS + 2 * MS_NS);
    ck_assert_int_eq(table.news.overdue, 1);
    ck_assert_ptr_eq(table.news.slot, &slots[0]);
    ck_assert(hand_door(0)->closed);
    ck_assert_int_eq(slots[1].state, SLOT_WAITING);
    run_until_door(1);
    hand_greet(&table, 1, 2);
    ck_assert_int_eq(slots[1].state, SLOT_OPEN);
    ck_assert_uint_ne(slots[1].ask.decision, number);
    ck_assert_uint_eq(hand_heard(&table, 1)->asks[0].decision, slots[1].ask.decision);
}

/* -------------------------------------------------------------------- faults */

TEST(a_lost_connection_is_charged_to_the_oldest_decision)
{
    hand_greet(&table, 0, 4);
    become_slow();
    ask_all(1);
    run(MS_NS);
    session_ask(session, &slots[1]);
    run(0);
    hand_lose(0, LINK_CLOSED, "");
    run(0);
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_CRASH);
    ck_assert_ptr_eq(table.news.slot, &slots[0]);
    ck_assert_int_eq(slots[0].state, SLOT_IDLE);
    ck_assert_int_eq(slots[1].state, SLOT_WAITING);
    ck_assert_int_eq(session_state(session), SESSION_DOWN);
}

/* The door of a bot that is started elsewhere has failed: every decision is asked again. */
TEST(an_end_of_our_own_side_is_charged_to_nobody)
{
    uint64_t number;

    hand_greet(&table, 0, 4);
    become_slow();
    ask_all(1);
    run(0);
    number = slots[0].ask.decision;
    ck_assert_int_eq(slots[0].state, SLOT_OPEN);
    table.door_is_down = true;
    hand_lose(0, LINK_CLOSED, "");
    run(0);
    ck_assert_int_eq(table.news.faults, 0);
    ck_assert_int_eq(slots[0].state, SLOT_WAITING);
    run_until_door(1);
    hand_greet(&table, 1, 4);
    ck_assert_int_eq(slots[0].state, SLOT_OPEN);
    ck_assert_uint_ne(slots[0].ask.decision, number);
    ck_assert_int_eq(table.news.faults, 0);
}

static const struct {
    enum link_end end;
    enum bg_fault fault;
    bool ended_by_link; /* the message ends with it */
} ends[] = {
    {LINK_OVERSIZED, BG_FAULT_OVERSIZED, true},
    {LINK_ENDLESS, BG_FAULT_GARBLED, true},
    {LINK_GARBLED, BG_FAULT_GARBLED, true},
    {LINK_UNREAD, BG_FAULT_UNREAD, false},
};

TEST_ROWS(a_connection_ended_by_the_link_is_charged_with_the_reason, ends)
{
    hand_greet(&table, 0, 1);
    hand_lose(0, ends[_i].end, "the reason");
    run(0);
    ck_assert_int_eq(table.news.fault, ends[_i].fault);
    ck_assert_str_eq(table.news.message, ends[_i].ended_by_link
                                             ? "the reason; the connection was ended"
                                             : "the reason");
}

TEST(a_bot_that_does_not_read_is_ended)
{
    hand_greet(&table, 0, 1);
    hand_door(0)->send_fails = BG_E_TIMEOUT;
    ask_all(1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_UNREAD);
    ck_assert_ptr_eq(table.news.slot, &slots[0]);
    ck_assert(hand_door(0)->closed);
}

TEST(a_message_is_charged_at_most_one_fault)
{
    const struct bg_answer answers[] = {{.decision = 12345, .kind = BG_ANSWER_ROLL},
                                        {.decision = 23456, .kind = BG_ANSWER_ROLL},
                                        {.decision = 34567, .kind = BG_ANSWER_ROLL}};

    hand_greet(&table, 0, 1);
    ck_assert_int_eq(wire_pack_answers(&table.buffer, answers, 3, NULL), BG_OK);
    hand_say(0, table.buffer.data, table.buffer.size);
    run(0);
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_ORDER);
    ck_assert_msg(strstr(table.news.message, "12345") != NULL, "%s", table.news.message);
    ck_assert_int_eq(session_state(session), SESSION_READY); /* it survives */
}

TEST(bytes_that_are_not_a_message_are_charged_to_the_open_decision)
{
    hand_greet(&table, 0, 1);
    ask_all(2);
    hand_say(0, "not a message", 13);
    run(0);
    ck_assert_int_eq(table.news.fault, BG_FAULT_GARBLED);
    ck_assert_ptr_eq(table.news.slot, &slots[0]);
    run(MS_NS);
    run(0);
    ck_assert_int_eq(slots[1].state, SLOT_OPEN); /* there is space again */
}

TEST(too_many_messages_without_an_answer_are_a_flood)
{
    hand_greet(&table, 0, 1);
    for (int second = 0; second < 3; second++) {
        for (int i = 0; i < FLOOD_MESSAGES; i++) {
            hand_ready(&table, 0);
        }
        run(SECOND_NS);
        ck_assert_int_eq(table.news.faults, 0);
    }
    for (int i = 0; i <= FLOOD_MESSAGES; i++) {
        hand_ready(&table, 0);
    }
    run(0);
    run(0);
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_FLOOD);
    ck_assert(hand_door(0)->closed);
}

TEST(a_bot_closed_by_its_fault_callback_is_not_restarted)
{
    table.news.close_on_fault = true;
    hand_greet(&table, 0, 1);
    hand_lose(0, LINK_CLOSED, "");
    run(0);
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.closed, 1);
    run(20 * SECOND_NS);
    ck_assert_int_eq(hand_doors(), 1);
    ck_assert_int_eq(session_state(session), SESSION_DOWN);
}

/* ------------------------------------------------------------------- other messages */

TEST(messages_beside_decisions_are_sent_when_ready)
{
    const uint8_t digest[WIRE_SECRET] = {7};

    letters_commit(session, "a|b", digest);
    ck_assert_int_eq(hand_door(0)->heard, 0);
    hand_greet(&table, 0, 1);
    letters_commit(session, "a|b", digest);
    ck_assert_int_eq(hand_heard(&table, 0)->content, WIRE_COMMITMENT);
    ck_assert_str_eq(hand_heard(&table, 0)->game, "a|b");
    letters_reveal(session, "c|d");
    ck_assert_int_eq(hand_heard(&table, 0)->content, WIRE_REVEAL);
}

/* ------------------------------------------------------------------- the end */

TEST_LOOP(closing_sends_goodbye_and_waits_for_the_process, 0, 2)
{
    hand_greet(&table, 0, 1);
    session_close(session, "all is played");
    ck_assert_int_eq(hand_heard(&table, 0)->content, WIRE_GOODBYE);
    ck_assert_str_eq(hand_heard(&table, 0)->why, "all is played");
    ck_assert_int_eq(session_state(session), SESSION_ENDING);
    ck_assert_int_eq(table.news.closed, 0);
    if (_i == 0) {
        hand_lose(0, LINK_CLOSED, "");
        run(0);
    } else {
        run(SECOND_NS);
    }
    ck_assert_int_eq(table.news.closed, 1);
    ck_assert_int_eq(table.news.faults, 0);
    ck_assert_int_eq(session_state(session), SESSION_DOWN);
    ck_assert(hand_door(0)->closed);
}

TEST_LOOP(sessions_without_a_ready_process_close_at_once, 0, 2)
{
    if (_i == 1) {
        hand_lose(0, LINK_CLOSED, "");
        run(0);
        ck_assert_int_eq(session_state(session), SESSION_DOWN);
    }
    session_close(session, "over");
    session_close(session, "over");
    ck_assert_int_eq(table.news.closed, 1);
    run(20 * SECOND_NS);
    ck_assert_int_eq(hand_doors(), 1);
}

TEST(a_reopened_session_starts_from_scratch)
{
    uint64_t number;

    hand_greet(&table, 0, 4);
    ask_all(1);
    number = slots[0].ask.decision;
    hand_answer(&table, 0, number);
    run(0);
    session_close(session, "it begins anew");
    run(SECOND_NS);
    ck_assert_int_eq(session_state(session), SESSION_DOWN);
    session_reopen(session);
    ck_assert_int_eq(hand_doors(), 2);
    hand_greet(&table, 1, 2);
    ck_assert_int_eq(session_in_flight(session), 2);
    ask_all(1);
    ck_assert_uint_eq(slots[0].ask.decision, number);
    ck_assert_uint_eq(session_work(session).decisions, 1); /* of all its processes */
}

SUITE_FIXTURE(set_up, tear_down)
