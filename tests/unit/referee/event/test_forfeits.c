/* When a remote bot that stays away loses its matches: the time that it has, what stops that time,
 * and which matches. Places, ledger, source and door are doubles. */
#include "event/forfeits.h"
#include "support/suite.h"

#include <string.h>

enum { ANNA, BERT, CARL, BOTS, FIXTURES_MAX = 8 };

#define MS     INT64_C(1000000)
#define SECOND (1000 * MS)
#define GRACE  (10 * SECOND)

static struct fixture fixtures[FIXTURES_MAX];
static bool settled[FIXTURES_MAX], begun[FIXTURES_MAX], is_void[FIXTURES_MAX];
static int fixture_count, lost_count;
static int lost[FIXTURES_MAX], lost_by[FIXTURES_MAX];
static char lost_why[160];
static bool are_matches, kept, down, stuck;
static int64_t now_ns;

/* ------------------------------------------------------------------------- doubles */

static uint64_t known(const struct source *source, bool *more)
{
    *more = false;
    return (uint64_t)fixture_count;
}

static void fixture_at(struct fixture *out, const struct source *source, uint64_t i)
{
    *out = fixtures[i];
}

static bool is_void_at(const struct source *source, uint64_t i)
{
    return is_void[i];
}

bool ledger_is_settled(const struct ledger *ledger, const struct fixture *fixture)
{
    return settled[fixture->pair];
}

bool ledger_is_begun(const struct ledger *ledger, const struct fixture *fixture)
{
    return begun[fixture->pair];
}

bool places_is_match(const struct places *places, const struct fixture *fixture)
{
    return are_matches;
}

enum places_loss places_lose_match(struct places *places, const struct fixture *fixture, int bot,
                                   const char *why, struct bg_error *err)
{
    if (stuck) {
        return PLACES_LATER;
    }
    ck_assert(begun[fixture->pair]);
    lost[lost_count] = (int)fixture->pair;
    lost_by[lost_count++] = bot;
    snprintf(lost_why, sizeof lost_why, "%s", why);
    settled[fixture->pair] = true;
    return PLACES_LOST;
}

static bool is_kept(void *user, int bot)
{
    return kept && bot == ANNA;
}

static bool is_down(void *user, int bot)
{
    return down && bot == ANNA;
}

/* --------------------------------------------------------------------------- set-up */

static const struct source_ops ops = {.known = known, .fixture = fixture_at, .is_void = is_void_at};
static const struct source source = {&ops, BOTS, 1};
static struct fixture_queue queue = {.source = &source};
static struct competitor bots[BOTS];
static struct entrants_bot list[BOTS];
static struct config_event event;
static struct session_door door;
static struct entrants entrants;
static struct forfeits forfeits;

static void add(int a, int b, bool has_begun)
{
    fixtures[fixture_count] = (struct fixture){a, b, (uint64_t)fixture_count, 0};
    begun[fixture_count++] = has_begun;
}

static void set_up(void)
{
    memset(settled, 0, sizeof settled);
    memset(is_void, 0, sizeof is_void);
    memset(bots, 0, sizeof bots);
    memset(list, 0, sizeof list);
    fixture_count = lost_count = 0;
    are_matches = true;
    kept = down = stuck = false;
    now_ns = SECOND;
    bots[ANNA].remote = bots[BERT].remote = true;
    event = (struct config_event){.bots = bots, .bot_count = BOTS};
    event.door.grace_ns = GRACE;
    event.door.appear_ns = 60 * SECOND;
    door = (struct session_door){.is_down = is_down, .is_kept = is_kept};
    entrants = (struct entrants){.event = &event, .list = list, .setup = {.door = &door}};
    forfeits = (struct forfeits){.event = &event, .entrants = &entrants, .queue = &queue};
}

static void pass(int64_t for_ns)
{
    for (int64_t end_ns = now_ns + for_ns; now_ns < end_ns;) {
        now_ns += 100 * MS;
        forfeits_sweep(&forfeits, now_ns);
    }
}

/* It has lost its running games, and is waited for. */
static void leaves(int bot)
{
    list[bot].absent = list[bot].trying = true;
    list[bot].try_ns = now_ns;
}

static void comes(int bot)
{
    list[bot].absent = list[bot].trying = false;
}

/* ---------------------------------------------------------------------------- tests */

TEST(it_loses_what_it_has_begun_after_its_time_and_once)
{
    add(ANNA, CARL, true);
    add(ANNA, CARL, false);
    add(BERT, CARL, true);
    add(ANNA, BERT, true);
    add(ANNA, BERT, true);
    settled[4] = true;
    pass(SECOND);
    ck_assert(!forfeits_are_open(&forfeits));
    leaves(ANNA);
    ck_assert(forfeits_are_open(&forfeits));
    pass(GRACE);
    ck_assert_int_eq(lost_count, 0);
    ck_assert(forfeits_are_open(&forfeits));
    pass(SECOND);
    ck_assert_int_eq(lost_count, 2);
    ck_assert_int_eq(lost[0], 0);
    ck_assert_int_eq(lost[1], 3);
    ck_assert_int_eq(lost_by[1], ANNA);
    ck_assert_str_eq(lost_why,
                     "it has left this match, and was not back within 10s: the match is lost");
    ck_assert(!forfeits_are_open(&forfeits));
    pass(60 * SECOND);
    ck_assert_int_eq(lost_count, 2);
}

TEST(who_is_back_in_time_loses_nothing_and_has_its_whole_time_again)
{
    add(ANNA, CARL, true);
    leaves(ANNA);
    pass(GRACE - SECOND);
    comes(ANNA);
    pass(60 * SECOND);
    ck_assert_int_eq(lost_count, 0);
}

/* 0: a bot of this machine; 1: single games; 2: the desk gave the fixture up; 3: the event does not
 * take this bot back in this run. */
TEST_LOOP(others_lose_nothing, 0, 4)
{
    int bot = _i == 0 ? CARL : ANNA;

    add(ANNA, CARL, true);
    are_matches = _i != 1;
    is_void[0] = _i == 2;
    leaves(bot);
    if (_i == 3) {
        list[bot].trying = false;
        list[bot].try_ns = 0;
    }
    ck_assert(!forfeits_are_open(&forfeits));
    pass(60 * SECOND);
    ck_assert_int_eq(lost_count, 0);
}

/* 0: by the host, for another event; 1: our door is down. */
TEST_LOOP(time_in_which_it_cannot_come_does_not_count, 0, 2)
{
    add(ANNA, CARL, true);
    leaves(ANNA);
    pass(GRACE - SECOND);
    kept = _i == 0;
    down = _i == 1;
    pass(60 * SECOND);
    ck_assert_int_eq(lost_count, 0);
    ck_assert(forfeits_are_open(&forfeits) == (_i == 1)); /* the event does not wait for others */
    kept = down = false;
    pass(GRACE - SECOND);
    ck_assert_int_eq(lost_count, 0);
    pass(2 * SECOND);
    ck_assert_int_eq(lost_count, 1);
}

/* A try of its start has ended, and the next one has not begun: it would find nobody. */
TEST(its_time_does_not_end_between_two_tries)
{
    add(ANNA, CARL, true);
    leaves(ANNA);
    pass(GRACE - SECOND);
    list[ANNA].trying = false;
    list[ANNA].try_ns = now_ns + 5 * SECOND;
    pass(5 * SECOND);
    ck_assert_int_eq(lost_count, 0);
    ck_assert(forfeits_are_open(&forfeits));
    list[ANNA].trying = true;
    pass(4 * SECOND); /* and it has time to be greeted */
    ck_assert_int_eq(lost_count, 0);
    pass(2 * SECOND);
    ck_assert_int_eq(lost_count, 1);
}

TEST(it_is_not_counted_before_it_is_waited_for)
{
    add(ANNA, CARL, true);
    leaves(ANNA);
    list[ANNA].trying = false;
    pass(60 * SECOND);
    ck_assert_int_eq(lost_count, 0);
    ck_assert(forfeits_are_open(&forfeits));
}

/* The line to the whole room may be cut. */
TEST(of_two_absent_bots_none_loses_until_one_is_back)
{
    add(ANNA, BERT, true);
    leaves(ANNA);
    leaves(BERT);
    ck_assert(!forfeits_are_open(&forfeits));
    pass(60 * SECOND);
    ck_assert_int_eq(lost_count, 0);
    comes(BERT);
    pass(SECOND);
    ck_assert_int_eq(lost_count, 1);
    ck_assert_int_eq(lost_by[0], ANNA);
}

TEST(who_is_quarantined_while_it_is_away_loses_at_once)
{
    add(ANNA, CARL, true);
    leaves(ANNA);
    list[ANNA].trying = false;
    list[ANNA].quarantined = true;
    list[ANNA].faults = 5;
    ck_assert(forfeits_are_open(&forfeits));
    pass(100 * MS);
    ck_assert_int_eq(lost_count, 1);
    ck_assert_str_eq(lost_why, "it was quarantined after 5 faults: the match is lost");
}

TEST(a_store_that_cannot_write_delays_the_loss)
{
    add(ANNA, CARL, true);
    leaves(ANNA);
    stuck = true;
    pass(GRACE + SECOND);
    ck_assert(forfeits_are_open(&forfeits));
    stuck = false;
    pass(100 * MS);
    ck_assert_int_eq(lost_count, 1);
}

SUITE_FIXTURE(set_up, NULL)
