/* The broker: which event gets a bot's next connection. */
#include "calendar/broker.h"
#include "support/suite.h"

#include <string.h>

enum { ANNA, BEN, BOTS };

static struct broker broker;
static int64_t now_ns;

static void set_up(void)
{
    broker_init(&broker, BOTS);
}

static void tear_down(void)
{
    broker_deinit(&broker);
}

static void wants(int bot, const char *event, const char *endpoint, bool again)
{
    broker_open(&broker, bot, event, endpoint, again);
}

/* The event that gets the bot's next connection; "" none. */
static const char *next(int bot)
{
    const struct broker_want *want = broker_next(&broker, bot, now_ns);

    return want == NULL ? "" : want->event;
}

/* Lends one connection to who is next. */
static const char *lend(int bot)
{
    const struct broker_want *want = broker_next(&broker, bot, now_ns);
    const char *event = want == NULL ? NULL : broker_lent(&broker, bot, want->endpoint);

    return event == NULL ? "" : event;
}

TEST(nobody_gets_what_nobody_wants)
{
    ck_assert_str_eq(next(ANNA), "");
    wants(ANNA, "cup", "e1", false);
    ck_assert_str_eq(next(BEN), "");
    ck_assert_str_eq(lend(ANNA), "cup");
    ck_assert_str_eq(next(ANNA), "");
    ck_assert_ptr_null(broker_lent(&broker, ANNA, "e1")); /* once */
    ck_assert_ptr_null(broker_lent(&broker, ANNA, ""));
    ck_assert_int_eq(broker_holders(&broker, ANNA), 1);
    ck_assert_int_eq(broker_holders(&broker, BEN), 0);
}

TEST(several_events_get_it_in_turn_and_by_name)
{
    wants(ANNA, "league", "l1", false);
    wants(ANNA, "cup", "c1", false);
    ck_assert_str_eq(lend(ANNA), "cup");
    ck_assert_str_eq(lend(ANNA), "league");
    ck_assert_int_eq(broker_holders(&broker, ANNA), 2);
    /* The cup is served again and again; then the league comes first. */
    broker_shut(&broker, ANNA, "cup");
    wants(ANNA, "cup", "c2", false);
    ck_assert_str_eq(lend(ANNA), "cup");
    broker_shut(&broker, ANNA, "cup");
    broker_shut(&broker, ANNA, "league");
    wants(ANNA, "cup", "c3", false);
    wants(ANNA, "league", "l2", false);
    ck_assert_str_eq(lend(ANNA), "league");
    ck_assert_str_eq(lend(ANNA), "cup");
}

TEST(who_has_lost_it_in_the_middle_comes_first)
{
    wants(ANNA, "league", "l1", false);
    ck_assert_str_eq(lend(ANNA), "league");
    wants(ANNA, "cup", "c1", false);
    broker_shut(&broker, ANNA, "league");
    ck_assert_str_eq(next(ANNA), "cup");
    wants(ANNA, "league", "l2", true);
    ck_assert_str_eq(lend(ANNA), "league");
    ck_assert_str_eq(lend(ANNA), "cup");
}

TEST(running_games_come_before_an_earlier_run)
{
    wants(ANNA, "cup", "c1", true);
    wants(ANNA, "league", "l1", false);
    ck_assert_str_eq(next(ANNA), "cup");
    broker_note_back(&broker, ANNA, "league");
    ck_assert_str_eq(next(ANNA), "league");
    wants(ANNA, "league", "l2", false); /* another process of the event */
    ck_assert_str_eq(next(ANNA), "cup");
}

TEST(who_has_one_bot_gets_the_other_too)
{
    wants(ANNA, "league", "l1", false);
    ck_assert_str_eq(lend(ANNA), "league");
    wants(ANNA, "cup", "c1", false);
    wants(BEN, "cup", "c2", false);
    wants(BEN, "league", "l2", false);
    ck_assert_str_eq(lend(BEN), "league");
    ck_assert_str_eq(lend(BEN), "cup");
}

TEST(nobody_gets_what_an_event_has_just_lost)
{
    now_ns = 100;
    wants(ANNA, "league", "l1", false);
    ck_assert_str_eq(lend(ANNA), "league");
    wants(ANNA, "cup", "c1", false);
    wants(BEN, "cup", "c2", false);
    ck_assert(!broker_lost(&broker, ANNA, "l0", 200));
    ck_assert(!broker_lost(&broker, ANNA, "c1", 200)); /* it was not lent there */
    ck_assert_str_eq(next(ANNA), "cup");
    ck_assert(broker_lost(&broker, ANNA, "l1", 200));
    ck_assert_str_eq(next(ANNA), "");
    ck_assert_str_eq(next(BEN), "cup");
    wants(ANNA, "league", "l2", true); /* it wants the bot back */
    ck_assert_str_eq(next(ANNA), "league");
    ck_assert_str_eq(lend(ANNA), "league");
    ck_assert_str_eq(next(ANNA), "cup");
    broker_lost_all(&broker, 200);
    ck_assert_str_eq(next(ANNA), "");
    broker_shut(&broker, ANNA, "league"); /* it does not */
    ck_assert_str_eq(next(ANNA), "cup");
    wants(ANNA, "league", "l3", true);
    ck_assert_str_eq(lend(ANNA), "league");
    broker_lost_all(&broker, 200);
    now_ns = 199;
    ck_assert_str_eq(next(ANNA), "");
    now_ns = 200; /* it has not said anything */
    ck_assert_str_eq(next(ANNA), "cup");
}

TEST(an_event_that_has_not_heard_a_bot_waits_for_it_still)
{
    wants(ANNA, "league", "l1", false);
    ck_assert_str_eq(lend(ANNA), "league");
    ck_assert(!broker_unheard(&broker, ANNA, "l0"));
    ck_assert_int_eq(broker_holders(&broker, ANNA), 1);
    ck_assert(broker_unheard(&broker, ANNA, "l1"));
    ck_assert(!broker_unheard(&broker, ANNA, "l1"));
    ck_assert_int_eq(broker_holders(&broker, ANNA), 0);
    ck_assert_str_eq(next(ANNA), "league");
    broker_refuse(&broker, ANNA, "league", true); /* of another key now */
    ck_assert_str_eq(next(ANNA), "");
    ck_assert_str_eq(broker_refused(&broker, ANNA), "league");
}

TEST(a_new_place_takes_the_place_of_the_old_one)
{
    wants(ANNA, "cup", "c1", false);
    wants(ANNA, "cup", "c2", false);
    ck_assert_ptr_null(broker_lent(&broker, ANNA, "c1"));
    ck_assert_str_eq(broker_next(&broker, ANNA, now_ns)->endpoint, "c2");
    ck_assert_str_eq(lend(ANNA), "cup");
    ck_assert_str_eq(lend(ANNA), "");
}

TEST(what_ends_wants_and_holds_nothing)
{
    wants(ANNA, "cup", "c1", false);
    wants(BEN, "cup", "c2", false);
    wants(BEN, "league", "l1", false);
    ck_assert_str_eq(lend(ANNA), "cup");
    ck_assert_str_eq(lend(BEN), "cup");
    broker_leave(&broker, "cup");
    ck_assert_int_eq(broker_holders(&broker, ANNA), 0);
    ck_assert_str_eq(next(ANNA), "");
    ck_assert_str_eq(lend(BEN), "league");
    broker_leave(&broker, "nobody");
    broker_shut(&broker, ANNA, "nobody");
    ck_assert_int_eq(broker_holders(&broker, BEN), 1);
    /* Begun again it is served as a new one. */
    wants(BEN, "cup", "c3", false);
    ck_assert_uint_eq(broker_next(&broker, BEN, now_ns)->served, 0);
}

TEST(a_bot_goes_to_its_events_only_and_to_so_many_at_once)
{
    broker.bots[ANNA].most = 2;
    wants(ANNA, "cup", "c1", false);
    wants(ANNA, "final", "f1", true); /* would come first */
    broker_refuse(&broker, ANNA, "final", true);
    wants(ANNA, "league", "l1", false);
    wants(ANNA, "open", "o1", false);
    ck_assert_str_eq(broker_refused(&broker, ANNA), "final");
    ck_assert_str_eq(lend(ANNA), "cup");
    ck_assert(!broker_is_at_most(&broker, ANNA));
    ck_assert_str_eq(lend(ANNA), "league");
    ck_assert_str_eq(next(ANNA), "");
    ck_assert(broker_is_at_most(&broker, ANNA));
    broker_shut(&broker, ANNA, "cup");
    ck_assert(!broker_is_at_most(&broker, ANNA));
    ck_assert_str_eq(lend(ANNA), "open");
    broker_leave(&broker, "league");
    ck_assert_str_eq(next(ANNA), ""); /* only the refused one waits */
    ck_assert(!broker_is_at_most(&broker, ANNA));
    broker_refuse(&broker, ANNA, "final", false);
    ck_assert_ptr_null(broker_refused(&broker, ANNA));
    ck_assert_str_eq(lend(ANNA), "final");
    wants(BEN, "final", "f2", false); /* another bot has no limits */
    ck_assert_str_eq(next(BEN), "final");
}

/* The bot loses no match in an event that the host has not given it to. */
TEST(an_event_is_kept_from_a_bot_that_the_host_has_lent_elsewhere)
{
    ck_assert(!broker_keeps(&broker, ANNA, "cup"));
    wants(ANNA, "cup", "c1", false);
    wants(ANNA, "league", "l1", false);
    ck_assert(!broker_keeps(&broker, ANNA, "league")); /* it is nowhere: its choice */
    ck_assert_str_eq(lend(ANNA), "cup");
    ck_assert(!broker_keeps(&broker, ANNA, "cup"));
    ck_assert(broker_keeps(&broker, ANNA, "league"));
    broker_shut(&broker, ANNA, "cup");
    ck_assert(!broker_keeps(&broker, ANNA, "league"));
}

TEST(a_bot_that_has_left_is_not_excused_by_a_connection_that_stays_elsewhere)
{
    wants(ANNA, "cup", "c1", false);
    ck_assert_str_eq(lend(ANNA), "cup");
    wants(ANNA, "league", "l1", false);
    ck_assert_str_eq(lend(ANNA), "league");
    broker_shut(&broker, ANNA, "league"); /* its line was lost, and it stays away */
    wants(ANNA, "league", "l2", true);
    ck_assert(!broker_keeps(&broker, ANNA, "league"));
    /* it comes back while the league does not wait, and is lent to a third event */
    broker_shut(&broker, ANNA, "league");
    wants(ANNA, "open", "o1", false);
    ck_assert_str_eq(lend(ANNA), "open");
    ck_assert(broker_keeps(&broker, ANNA, "league"));
    wants(ANNA, "league", "l3", true);
    ck_assert(broker_keeps(&broker, ANNA, "league"));
    ck_assert_str_eq(lend(ANNA), "league");
    ck_assert(!broker_keeps(&broker, ANNA, "league"));
    broker_shut(&broker, ANNA, "league");
    wants(ANNA, "league", "l4", true);
    ck_assert(!broker_keeps(&broker, ANNA, "league"));
    broker.bots[ANNA].most = 2;
    ck_assert(broker_keeps(&broker, ANNA, "league"));
}

TEST(more_bots_change_nothing_for_the_others)
{
    wants(ANNA, "cup", "c1", false);
    broker_grow(&broker, BOTS + 5);
    ck_assert_str_eq(next(BOTS + 4), "");
    wants(BOTS + 4, "league", "l1", false);
    ck_assert_str_eq(lend(BOTS + 4), "league");
    ck_assert_str_eq(lend(ANNA), "cup");
    broker_leave(&broker, "league");
    ck_assert_int_eq(broker_holders(&broker, BOTS + 4), 0);
    ck_assert_int_eq(broker_holders(&broker, ANNA), 1);
}

SUITE_FIXTURE(set_up, tear_down)
