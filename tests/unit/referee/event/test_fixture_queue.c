/* Which fixture begins next. Entrants and ledger are simple doubles. */
#include "event/fixture_queue.h"
#include "support/plain_source.h"
#include "support/suite.h"

#include <string.h>

enum { PAIRS = 6 };

static bool settled[PAIRS][2];
static bool has_room; /* the bot's processes can take a table */
static int quarantined, absent = -1;
static int unplayed;

bool ledger_is_settled(const struct ledger *ledger, const struct fixture *fixture)
{
    return settled[fixture->pair][fixture->leg];
}

int entrants_absent(const struct entrants *entrants, const struct fixture *fixture)
{
    return absent;
}

int entrants_quarantined(const struct entrants *entrants, const struct fixture *fixture)
{
    return quarantined;
}

bool entrants_seat(struct session *sessions[2], const struct entrants *entrants,
                   const struct fixture *fixture)
{
    sessions[0] = sessions[1] = NULL;
    return has_room;
}

static void on_unplayed(void *user, const struct fixture *fixture, int bot)
{
    settled[fixture->pair][fixture->leg] = true;
    unplayed++;
}

static const char *const names[] = {"a", "b"};
static struct plain_source plain;
static struct fixture_queue queue;

static void setup(void)
{
    memset(settled, 0, sizeof settled);
    has_room = true;
    quarantined = absent = -1;
    unplayed = 0;
    plain = plain_source_open(names, 2, PAIRS, 2);
    queue = (struct fixture_queue){.source = plain.source, .unplayed = on_unplayed};
    fixture_queue_init(&queue, 4);
}

static void teardown(void)
{
    fixture_queue_deinit(&queue);
    plain_source_close(&plain);
}

/* Expects this fixture next. */
static void expect(uint64_t pair, int leg)
{
    struct fixture fixture;
    struct session *sessions[2];

    ck_assert(fixture_queue_next(&fixture, sessions, &queue));
    ck_assert_uint_eq(fixture.pair, pair);
    ck_assert_int_eq(fixture.leg, leg);
}

static void expect_none(void)
{
    struct fixture fixture;
    struct session *sessions[2];

    ck_assert(!fixture_queue_next(&fixture, sessions, &queue));
}

static void play(uint64_t pair, int leg)
{
    expect(pair, leg);
    settled[pair][leg] = true;
}

TEST(a_fixture_without_a_process_is_deferred_and_comes_first)
{
    has_room = false;
    expect_none();
    ck_assert_int_eq(queue.deferred_count, 2 * PAIRS);
    ck_assert(!fixture_queue_is_done(&queue));
    has_room = true;
    play(0, 0);
    quarantined = 0;
    fixture_queue_leave_out(&queue);
    ck_assert_int_eq(unplayed, 2 * PAIRS - 1);
}

TEST(settled_fixtures_are_not_played_again)
{
    settled[0][0] = settled[1][0] = settled[1][1] = true;
    play(0, 1);
    play(2, 0);
}

TEST(fixtures_come_as_scheduled)
{
    for (uint64_t pair = 0; pair < PAIRS; pair++) {
        play(pair, 0);
        play(pair, 1);
    }
    ck_assert(fixture_queue_is_done(&queue));
}

static bool is_second(void *user, const struct fixture *fixture)
{
    return fixture->pair == 1 && fixture->leg == 0;
}

/* A bot was absent and has returned: open fixtures begin once, fixtures at a table do not begin
 * again. */
TEST(after_a_rewind_each_open_fixture_comes_once)
{
    queue.taken = is_second;
    fixture_queue_deinit(&queue);
    fixture_queue_init(&queue, 4);
    play(0, 0);
    expect(0, 1); /* is put back, and found again after the rewind */
    expect(1, 0); /* stays at its table */
    fixture_queue_put_back(&queue, &(struct fixture){0, 1, 0, 1});
    absent = 0;
    has_room = false;
    expect_none();
    ck_assert_uint_eq(queue.next, 2 * PAIRS);
    absent = -1;
    has_room = true;
    fixture_queue_rewind(&queue);
    play(0, 1);
    play(1, 1);
    for (uint64_t pair = 2; pair < PAIRS; pair++) {
        play(pair, 0);
        play(pair, 1);
    }
    expect_none();
    ck_assert(fixture_queue_is_done(&queue));
}

SUITE_FIXTURE(setup, teardown)
