/* A source gives the fixtures to be played: the round robin, or a source that draws more while the
 * event runs. The queue accepts both. Entrants and ledger are doubles. */
#include "event/fixture_queue.h"
#include "fixtures/source.h"
#include "support/suite.h"

#include <string.h>

enum { ROOM = 16 };

static bool settled[ROOM][2]; /* by pair and leg: each pair has its own number here */

bool ledger_is_settled(const struct ledger *ledger, const struct fixture *fixture)
{
    return settled[fixture->pair][fixture->leg];
}

int entrants_absent(const struct entrants *entrants, const struct fixture *fixture)
{
    return -1;
}

int entrants_quarantined(const struct entrants *entrants, const struct fixture *fixture)
{
    return -1;
}

bool entrants_seat(struct session *sessions[2], const struct entrants *entrants,
                   const struct fixture *fixture)
{
    sessions[0] = sessions[1] = NULL;
    return true;
}

/* ------------------------------------------------- a source that draws round by round */

struct drawn {
    struct source base;
    struct fixture list[ROOM];
    bool is_void[ROOM];
    uint64_t count;
    bool more;
};

static const struct drawn *drawn_of(const struct source *source)
{
    return (const struct drawn *)source;
}

static uint64_t drawn_known(const struct source *source, bool *more)
{
    *more = drawn_of(source)->more;
    return drawn_of(source)->count;
}

static void drawn_fixture(struct fixture *out, const struct source *source, uint64_t i)
{
    ck_assert_uint_lt(i, drawn_of(source)->count);
    *out = drawn_of(source)->list[i];
}

static uint64_t drawn_number(const struct source *source, const struct fixture *fixture)
{
    for (uint64_t i = 0; i < drawn_of(source)->count; i++) {
        const struct fixture *listed = &drawn_of(source)->list[i];

        if (listed->pair == fixture->pair && listed->leg == fixture->leg) {
            return i;
        }
    }
    return SOURCE_NONE;
}

static bool drawn_is_void(const struct source *source, uint64_t i)
{
    return drawn_of(source)->is_void[i];
}

static const struct source_ops drawn_ops = {.known = drawn_known,
                                            .fixture = drawn_fixture,
                                            .number = drawn_number,
                                            .is_void = drawn_is_void};

/* Adds a pair of a and b, with both legs if the event has two. */
static void draw_pair(struct drawn *drawn, int a, int b, uint64_t pair)
{
    for (int leg = 0; leg < drawn->base.legs; leg++) {
        struct fixture *fixture = &drawn->list[drawn->count++];

        memset(fixture, 0, sizeof *fixture);
        fixture->a = a;
        fixture->b = b;
        fixture->pair = pair;
        fixture->leg = leg;
    }
}

static void draw(struct drawn *drawn, int a, int b)
{
    draw_pair(drawn, a, b, drawn->count / (uint64_t)drawn->base.legs);
}

static struct fixture_queue queue;
static struct drawn drawn;

static void begin(int legs)
{
    memset(settled, 0, sizeof settled);
    memset(&drawn, 0, sizeof drawn);
    drawn.base = (struct source){&drawn_ops, 4, legs};
    drawn.more = true;
    draw(&drawn, 0, 1);
    draw(&drawn, 2, 3);
    queue = (struct fixture_queue){.source = &drawn.base};
    fixture_queue_init(&queue, 4);
}

static void play(uint64_t pair, int leg)
{
    struct fixture fixture;
    struct session *sessions[2];

    ck_assert(fixture_queue_next(&fixture, sessions, &queue));
    ck_assert_uint_eq(fixture.pair, pair);
    ck_assert_int_eq(fixture.leg, leg);
    settled[pair][leg] = true;
}

static void expect_none(void)
{
    struct fixture fixture;
    struct session *sessions[2];

    ck_assert(!fixture_queue_next(&fixture, sessions, &queue));
}

TEST(the_queue_waits_for_fixtures_drawn_later)
{
    begin(1);
    play(0, 0);
    play(1, 0);
    expect_none();
    ck_assert(!fixture_queue_is_done(&queue));
    draw(&drawn, 0, 2);
    play(2, 0);
    drawn.more = false;
    ck_assert(fixture_queue_is_done(&queue));
    fixture_queue_deinit(&queue);
}

TEST(a_pair_may_have_one_leg_among_pairs_of_two)
{
    begin(2);
    drawn.list[drawn.count++] = (struct fixture){.a = 1, .b = 2, .pair = 2};
    draw_pair(&drawn, 0, 3, 3);
    play(0, 0);
    play(0, 1);
    play(1, 0);
    play(1, 1);
    play(2, 0);
    play(3, 0);
    play(3, 1);
    expect_none();
    drawn.more = false;
    ck_assert(fixture_queue_is_done(&queue));
    fixture_queue_deinit(&queue);
}

TEST(a_void_fixture_does_not_begin)
{
    begin(2);
    drawn.is_void[0] = drawn.is_void[1] = true;
    play(1, 0);
    play(1, 1);
    expect_none();
    fixture_queue_put_back(&queue, &drawn.list[2]);
    settled[1][0] = settled[1][1] = false;
    ck_assert(!fixture_queue_is_done(&queue));
    drawn.is_void[2] = drawn.is_void[3] = true;
    fixture_queue_leave_out(&queue);
    expect_none();
    drawn.more = false;
    ck_assert(fixture_queue_is_done(&queue));
    fixture_queue_deinit(&queue);
}

TEST(only_bots_of_known_fixtures_are_needed)
{
    bool needed[4] = {false};

    begin(1);
    play(0, 0);
    fixture_queue_needed(needed, &queue);
    ck_assert(!needed[0] && !needed[1] && needed[2] && needed[3]);
    fixture_queue_deinit(&queue);
}

TEST(a_source_ends_when_all_is_settled_and_no_more_will_be_drawn)
{
    begin(1);
    ck_assert(!source_is_over(&drawn.base, 2));
    drawn.more = false;
    ck_assert(!source_is_over(&drawn.base, 1));
    ck_assert(source_is_over(&drawn.base, 2));
    fixture_queue_deinit(&queue);
}
