/* A bot of another machine whose line is lost: its decisions stay, and so does their time. */
#include "support/hand_bot.h"

#include "seat/session_inside.h"
#include "support/suite.h"

#include <string.h>

#define SECOND_NS INT64_C(1000000000)
#define MS_NS     INT64_C(1000000)
#define AWAY_NS   (40 * SECOND_NS)

static struct hand_table table;
static struct session *session;
static struct session_slot slots[8];

static void set_up(void)
{
    hand_table_open(&table, 1);
    table.door.away_ns = AWAY_NS;
    session = table.roster.sessions[0];
    hand_start(&table, 0);
    for (int i = 0; i < 8; i++) {
        hand_slot(&slots[i], session, 20 * SECOND_NS);
        slots[i].ask.has_clock = true;
        slots[i].ask.left_ns[0] = 15 * SECOND_NS;
        slots[i].ask.left_ns[1] = 7 * SECOND_NS;
        slots[i].ask.delay_ns[0] = 2 * SECOND_NS;
        slots[i].ask.ceiling_ns = HAND_CEILING_NS;
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

static void ask_all(int count)
{
    for (int i = 0; i < count; i++) {
        session_ask(session, &slots[i]);
    }
    run(2 * MS_NS);
}

/* The line of the last door is lost; another door is open at once. */
static void lose_line(void)
{
    int doors = hand_doors();

    hand_lose(doors - 1, LINK_CLOSED, "");
    run(MS_NS);
    ck_assert_int_eq(hand_doors(), doors + 1);
    ck_assert_int_eq(session_state(session), SESSION_STARTING);
}

static void come_back(int in_flight)
{
    hand_greet(&table, hand_doors() - 1, in_flight);
    ck_assert_int_eq(session_state(session), SESSION_READY);
    run(2 * MS_NS);
}

static const struct wire_message *heard(void)
{
    return hand_heard(&table, hand_doors() - 1);
}

static void assert_near(int64_t value_ns, int64_t wanted_ns)
{
    ck_assert_int_ge(value_ns, wanted_ns - 10 * MS_NS);
    ck_assert_int_le(value_ns, wanted_ns + 10 * MS_NS);
}

TEST(an_open_decision_is_asked_again_under_its_number_and_its_time_ran)
{
    uint64_t numbers[2];

    hand_greet(&table, 0, 4);
    ask_all(2);
    numbers[0] = slots[0].ask.decision;
    numbers[1] = slots[1].ask.decision;
    run(SECOND_NS);
    lose_line();
    run(4 * SECOND_NS);
    come_back(4);
    ck_assert_int_eq(heard()->content, WIRE_ASKS);
    ck_assert_uint_eq(heard()->count, 2);
    for (int i = 0; i < 2; i++) {
        const struct bg_ask *ask = &heard()->asks[i];

        ck_assert_uint_eq(ask->decision, numbers[i]);
        assert_near(ask->left_ns[0], 12 * SECOND_NS); /* 5 s, of which 2 are the delay */
        ck_assert_int_eq(ask->delay_ns[0], 0);
        ck_assert_int_eq(ask->left_ns[1], 7 * SECOND_NS);
        assert_near(ask->ceiling_ns, 55 * SECOND_NS);
    }
    hand_answer(&table, hand_doors() - 1, numbers[0]);
    run(MS_NS);
    ck_assert_int_eq(table.news.answered, 1);
    ck_assert_ptr_eq(table.news.slot, &slots[0]);
    assert_near(table.news.spent_ns, 5 * SECOND_NS);
    hand_answer(&table, hand_doors() - 1, numbers[0]); /* as if the broken line had kept it */
    run(MS_NS);
    ck_assert_int_eq(table.news.answered, 1);
    ck_assert_int_eq(table.news.faults, 0);
    ck_assert_int_eq(table.news.overdue, 0);
}

static size_t list_two(void *user, const struct session *whose, const char **out, size_t most)
{
    ck_assert_ptr_eq(whose, session);
    ck_assert_uint_ge(most, 2);
    out[0] = "first";
    out[1] = "second";
    return 2;
}

TEST(the_welcome_says_whether_the_bot_resumes_and_what_it_plays)
{
    static const struct session_games games = {list_two, NULL};
    const struct wire_welcome *welcome;

    session->setup.games = &games;
    hand_hello(&table, 0, 1);
    run(MS_NS);
    welcome = heard()->welcome;
    ck_assert(!welcome->resuming);
    ck_assert_uint_eq(welcome->open_game_count, 0);
    hand_ready(&table, 0);
    run(MS_NS);
    ask_all(1);
    for (int i = 0; i < 2; i++) { /* also if its line is lost again before it is ready */
        lose_line();
        hand_hello(&table, hand_doors() - 1, 1);
        run(MS_NS);
        ck_assert_int_eq(heard()->content, WIRE_WELCOME);
        welcome = heard()->welcome;
        ck_assert(welcome->resuming);
        ck_assert_uint_eq(welcome->open_game_count, 2);
        ck_assert_str_eq(welcome->open_games[1], "second");
    }
}

TEST(less_than_the_delay_leaves_the_clock)
{
    hand_greet(&table, 0, 1);
    ask_all(1);
    lose_line();
    run(SECOND_NS);
    come_back(1);
    ck_assert_int_eq(heard()->asks[0].left_ns[0], 15 * SECOND_NS);
    assert_near(heard()->asks[0].delay_ns[0], SECOND_NS);
}

TEST_LOOP(time_that_passes_while_it_is_away_is_its_own, 0, 2)
{
    hand_greet(&table, 0, 1);
    ask_all(2);
    run(SECOND_NS);
    lose_line();
    slots[0].last_limit = _i == 1; /* also where it would be a hung process */
    run(20 * SECOND_NS);
    ck_assert_int_eq(table.news.overdue, 1);
    ck_assert_ptr_eq(table.news.slot, &slots[0]);
    ck_assert_int_eq(table.news.faults, 0);
    ck_assert_int_eq(session_state(session), SESSION_STARTING);
    come_back(1);
    ck_assert_uint_eq(heard()->count, 1);
    ck_assert_uint_eq(heard()->asks[0].decision, slots[1].ask.decision); /* it had waited */
}

TEST(who_stays_away_is_left_out_and_no_decision_is_charged_for_it)
{
    hand_greet(&table, 0, 1);
    slots[0].limit_ns = 2 * AWAY_NS;
    ask_all(1);
    lose_line();
    run(AWAY_NS - SECOND_NS);
    ck_assert_int_eq(table.news.faults, 0);
    run(2 * SECOND_NS);
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_START);
    ck_assert_ptr_null(table.news.slot);
    ck_assert_msg(strstr(table.news.message, "away for more than 40 s") != NULL, "%s",
                  table.news.message);
    ck_assert_int_eq(session_failed_starts(session), 1);
    ck_assert_int_eq(slots[0].state, SLOT_OPEN); /* its table decides */
    session_cancel(session, &slots[0]);
}

/* Else a bot would leave whenever it has answered, and think without a clock. */
TEST_LOOP(the_turn_of_a_bot_that_is_away_begins_with_its_clock, 0, 2)
{
    uint64_t number;

    hand_greet(&table, 0, 1);
    lose_line();
    run(SECOND_NS);
    session_ask(session, &slots[0]);
    session_ask(session, &slots[1]); /* no room: it waits, as for a bot that is there */
    run(3 * SECOND_NS);
    ck_assert_int_eq(slots[0].state, SLOT_OPEN);
    ck_assert_int_eq(slots[1].state, SLOT_WAITING);
    number = slots[0].ask.decision;
    if (_i == 0) {
        come_back(1);
        ck_assert_uint_eq(heard()->count, 1);
        ck_assert_uint_eq(heard()->asks[0].decision, number);
        assert_near(heard()->asks[0].left_ns[0],
                    14 * SECOND_NS); /* 3 s, of which 2 are the delay */
        hand_answer(&table, hand_doors() - 1, number);
        run(MS_NS);
        ck_assert_int_eq(table.news.answered, 1);
        assert_near(table.news.spent_ns, 3 * SECOND_NS);
    } else {
        run(18 * SECOND_NS);
        ck_assert_int_eq(table.news.overdue, 1);
        ck_assert_ptr_eq(table.news.slot, &slots[0]);
        ck_assert_int_eq(slots[1].state, SLOT_OPEN); /* its turn to wait for an answer */
        come_back(1);
        assert_near(heard()->asks[0].left_ns[0] + heard()->asks[0].delay_ns[0], 16 * SECOND_NS);
    }
    ck_assert_int_eq(table.news.faults, 0);
}

/* Our own failure costs it nothing: its turn begins when it is back. */
TEST(the_turn_of_a_bot_that_our_failure_sent_away_waits)
{
    hand_greet(&table, 0, 1);
    table.door_is_down = true;
    lose_line();
    table.door_is_down = false;
    session_ask(session, &slots[0]);
    run(30 * SECOND_NS);
    ck_assert_int_eq(slots[0].state, SLOT_WAITING);
    ck_assert_int_eq(table.news.overdue, 0);
    come_back(1);
    ck_assert_int_eq(heard()->asks[0].left_ns[0], 15 * SECOND_NS);
}

/* In a game in which the opponent has to answer it may be away for less long. */
TEST_LOOP(who_owes_nothing_may_be_away_for_a_short_time, 0, 3)
{
    table.door.idle_ns = 10 * SECOND_NS;
    hand_greet(&table, 0, 1);
    *session_tables(session) = _i == 0 ? 0 : 1;
    lose_line();
    run(9 * SECOND_NS);
    if (_i == 2) { /* its turn begins: now its own clock decides ... */
        session_ask(session, &slots[0]);
        run(8 * SECOND_NS);
        ck_assert_int_eq(table.news.faults, 0);
        session_cancel(session, &slots[0]); /* ... and then again the short time */
        run(9 * SECOND_NS);
    }
    ck_assert_int_eq(table.news.faults, 0);
    run(2 * SECOND_NS);
    ck_assert_int_eq(table.news.faults, _i == 0 ? 0 : 1);
    if (_i == 0) { /* between two games */
        run(AWAY_NS - 11 * SECOND_NS + SECOND_NS);
    }
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_START);
    ck_assert_msg(strstr(table.news.message,
                         _i == 0 ? "away for more than 40 s" : "away for more than 10 s") != NULL,
                  "%s", table.news.message);
    *session_tables(session) = 0;
}

TEST(who_loses_the_line_before_it_was_ready_is_waited_for)
{
    lose_line();
    hand_hello(&table, hand_doors() - 1, 1);
    run(MS_NS);
    ck_assert_int_eq(session_state(session), SESSION_GREETED);
    lose_line();
    ck_assert_int_eq(table.news.faults, 0);
    ck_assert_int_eq(session_failed_starts(session), 0);
    come_back(1);
    ck_assert_int_eq(table.news.faults, 0);
}

TEST(a_line_that_is_lost_before_ready_gains_no_time)
{
    run(HAND_START_NS - SECOND_NS);
    lose_line();
    ck_assert_int_eq(table.news.faults, 0);
    run(2 * SECOND_NS);
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_START);
}

/* A connection that ends before Ready changes nothing: neither the deadline nor the count. */
TEST(a_line_that_flaps_gains_no_time)
{
    hand_greet(&table, 0, 1);
    slots[0].limit_ns = 2 * AWAY_NS;
    ask_all(1);
    lose_line();
    for (int i = 0; i < 20; i++) {
        if (i % 2 == 0) {
            hand_hello(&table, hand_doors() - 1, 1);
        }
        run(SECOND_NS);
        lose_line();
    }
    ck_assert_int_eq(table.news.faults, 0);
    ck_assert_int_eq(slots[0].returns, 1);
    run(AWAY_NS - 20 * SECOND_NS + SECOND_NS);
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_ptr_null(table.news.slot);
    session_cancel(session, &slots[0]);
}

TEST(five_returns_are_free_and_the_sixth_costs_the_game)
{
    hand_greet(&table, 0, 2);
    ask_all(1);
    for (int i = 0; i < 5; i++) {
        lose_line();
        come_back(2);
        ck_assert_int_eq(table.news.faults, 0);
    }
    session_ask(session, &slots[1]); /* of another match */
    run(2 * MS_NS);
    lose_line();
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_CRASH);
    ck_assert_ptr_eq(table.news.slot, &slots[0]);
    ck_assert_int_eq(slots[0].state, SLOT_IDLE);
    ck_assert_int_eq(slots[1].state, SLOT_OPEN);
    come_back(2);
    ck_assert_uint_eq(heard()->count, 1);
    ck_assert_uint_eq(heard()->asks[0].decision, slots[1].ask.decision);
}

TEST(time_of_our_own_failure_is_not_the_bots)
{
    hand_greet(&table, 0, 1);
    ask_all(1);
    run(SECOND_NS);
    ck_assert_int_eq(table.came, 1);
    table.door_is_down = true;
    lose_line();
    table.door_is_down = false;
    run(30 * SECOND_NS);
    ck_assert_int_eq(table.news.overdue, 0);
    ck_assert_int_eq(table.came, 1);
    come_back(1);
    ck_assert_int_eq(table.came, 2);
    assert_near(heard()->asks[0].left_ns[0] + heard()->asks[0].delay_ns[0], 16 * SECOND_NS);
    run(3 * SECOND_NS);
    hand_answer(&table, hand_doors() - 1, slots[0].ask.decision);
    run(MS_NS);
    ck_assert_int_eq(table.news.answered, 1);
    assert_near(table.news.spent_ns, 4 * SECOND_NS);
    ck_assert_int_eq(table.news.faults, 0);
}

TEST(who_comes_back_with_less_room_still_owes_all)
{
    hand_greet(&table, 0, 6);
    ask_all(6);
    lose_line();
    come_back(1);
    ck_assert_uint_eq(heard()->count, 6);
    for (int i = 5; i >= 0; i--) {
        hand_answer(&table, hand_doors() - 1, slots[i].ask.decision);
        run(MS_NS);
    }
    ck_assert_int_eq(table.news.answered, 6);
    ck_assert_int_eq(table.news.faults, 0);
}

static void say_ready(const char *game)
{
    ck_assert_int_eq(wire_pack_ready(&table.buffer, game, NULL), BG_OK);
    hand_say(hand_doors() - 1, table.buffer.data, table.buffer.size);
    run(2 * MS_NS);
}

TEST_LOOP(a_stateful_bot_gets_its_game_anew_and_the_old_number, 0, 2)
{
    uint64_t number;

    table.is_stateful = true;
    hand_greet(&table, 0, 4);
    strcpy(slots[0].ask.game, "first");
    ask_all(1);
    if (_i == 1) { /* lost before it was Ready: nothing was asked yet */
        lose_line();
        come_back(4);
        ck_assert_int_eq(heard()->content, WIRE_NEW_GAME);
    }
    say_ready("first");
    number = slots[0].ask.decision;
    run(SECOND_NS);
    lose_line();
    come_back(4);
    ck_assert_int_eq(heard()->content, WIRE_NEW_GAME);
    ck_assert_str_eq(heard()->game, "first");
    hand_answer(&table, hand_doors() - 1, number); /* it was not asked again yet */
    run(MS_NS);
    ck_assert_int_eq(table.news.answered, 0);
    ck_assert_int_eq(table.news.fault, BG_FAULT_ORDER);
}

TEST(a_stateful_bot_answers_after_its_ready)
{
    uint64_t number;

    table.is_stateful = true;
    hand_greet(&table, 0, 4);
    strcpy(slots[0].ask.game, "first");
    ask_all(1);
    say_ready("first");
    number = slots[0].ask.decision;
    run(SECOND_NS);
    for (int i = 0; i < 2; i++) { /* the second time while it is not Ready */
        lose_line();
        come_back(4);
        ck_assert_int_eq(heard()->content, WIRE_NEW_GAME);
    }
    say_ready("first");
    ck_assert_int_eq(heard()->content, WIRE_ASKS);
    ck_assert_uint_eq(heard()->asks[0].decision, number);
    hand_answer(&table, hand_doors() - 1, number);
    run(MS_NS);
    ck_assert_int_eq(table.news.answered, 1);
    ck_assert_int_eq(table.news.faults, 0);
}

/* Who loses its line while the opponent thinks has to be Ready again: that is its own time, because
 * the NewGame shows the position. */
TEST_LOOP(the_clock_of_a_decision_runs_before_the_ready_for_its_game, 0, 2)
{
    table.is_stateful = true;
    hand_greet(&table, 0, 4);
    lose_line();
    come_back(4);
    strcpy(slots[0].ask.game, "first");
    ask_all(1);
    ck_assert_int_eq(heard()->content, WIRE_NEW_GAME);
    run(5 * SECOND_NS);
    if (_i == 0) {
        say_ready("first");
        ck_assert_int_eq(heard()->content, WIRE_ASKS);
        assert_near(heard()->asks[0].left_ns[0], 12 * SECOND_NS); /* 2 of the 5 are the delay */
        hand_answer(&table, hand_doors() - 1, slots[0].ask.decision);
        run(MS_NS);
        ck_assert_int_eq(table.news.answered, 1);
        assert_near(table.news.spent_ns, 5 * SECOND_NS);
    } else { /* it is late, and has not failed to be Ready for a new game */
        run(15 * SECOND_NS);
        ck_assert_int_eq(table.news.overdue, 1);
        ck_assert_int_eq(session_state(session), SESSION_READY);
    }
    ck_assert_int_eq(table.news.faults, 0);
}

TEST(a_fault_of_the_connection_costs_one_game_and_keeps_the_others_time)
{
    hand_greet(&table, 0, 2);
    ask_all(2);
    run(SECOND_NS);
    hand_lose(0, LINK_OVERSIZED, "a message of 5 GiB");
    run(0);
    ck_assert_int_eq(table.news.faults, 1);
    ck_assert_int_eq(table.news.fault, BG_FAULT_OVERSIZED);
    ck_assert_ptr_eq(table.news.slot, &slots[0]);
    run(SECOND_NS);
    come_back(2);
    ck_assert_uint_eq(heard()->count, 1);
    ck_assert_uint_eq(heard()->asks[0].decision, slots[1].ask.decision);
    assert_near(heard()->asks[0].left_ns[0], 15 * SECOND_NS);
    ck_assert_int_eq(heard()->asks[0].delay_ns[0] < 10 * MS_NS, 1);
}

TEST(who_is_closed_while_away_is_gone_at_once)
{
    hand_greet(&table, 0, 1);
    lose_line();
    session_close(session, "the event has ended");
    run(MS_NS);
    ck_assert_int_eq(session_state(session), SESSION_DOWN);
    ck_assert_int_eq(table.news.closed, 1);
}

SUITE_FIXTURE(set_up, tear_down)
