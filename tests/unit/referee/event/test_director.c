/* The director of a running event, with a store in memory and without processes. A run of the event
 * is open() ... close(); the store outlives it. */
#include "event/director.h"
#include "event/preflight.h"
#include "fixtures/source_season.h"

#include <stdio.h>
#include <string.h>

#include "season/act_words.h"
#include "support/scratch_store.h"
#include "support/suite.h"

enum { BOTS = 4, NOW_S = 1000000 };

static const char *const names[BOTS] = {"A", "B", "C", "D"};

static struct config_event event;
static struct entrants_bot bots[BOTS];
static struct entrants entrants;
static struct store *store;
static const struct store_ops *real;
static struct store_ops failing;
static int puts_left; /* of acts, until the disk is full; -1: it never is */
static const struct source *source;
static struct director *director;

/* ------------------------------------------------------------------ doubles */

struct store *__wrap_ledger_store(struct ledger *ledger);
bool __wrap_ledger_is_settled(const struct ledger *ledger, const struct fixture *fixture);

struct store *__wrap_ledger_store(struct ledger *ledger)
{
    return store;
}

bool __wrap_ledger_is_settled(const struct ledger *ledger, const struct fixture *fixture)
{
    return false;
}

static enum bg_status change(struct store *of, const struct store_change *acts,
                             struct bg_error *why)
{
    if (acts->act_count > 0 && puts_left == 0) {
        return bg_error_set(why, BG_E_STORE, "the disk is full");
    }
    puts_left -= acts->act_count > 0 && puts_left > 0;
    return real->change(of, acts, why);
}

/* ------------------------------------------------------------------ an event */

static void begin(const char *schedule, int count)
{
    memset(bots, 0, sizeof bots);
    for (int i = 0; i < count; i++) {
        bots[i].was_ready = true;
    }
    config_event_init(&event);
    snprintf(event.name, sizeof event.name, "cup");
    snprintf(event.results, sizeof event.results, "cup.db");
    snprintf(event.seeds, sizeof event.seeds, "entry");
    snprintf(event.schedule, sizeof event.schedule, "%s", schedule);
    for (int i = 0; i < count; i++) {
        struct competitor bot = {.name = ""};

        snprintf(bot.name, sizeof bot.name, "%s", names[i]);
        assert_ok(config_event_add(&event, &bot, &error));
    }
    event.pairs = 1;
    event.duplicate = false;
    entrants = (struct entrants){.event = &event, .list = bots};
    entrants.names = (const char **)(uintptr_t)names;
    store = scratch_store_create();
    real = store->ops;
    failing = *real;
    failing.change = change;
    store->ops = &failing;
    puts_left = -1;
}

/* A run begins, up to its processes. */
static void open(void)
{
    assert_ok(director_create(&director, &event, names, &error));
    source = director_source(director);
    assert_ok(director_load(director, NULL, NOW_S, &error));
}

static void close(void)
{
    director_destroy(director);
}

static void end(void)
{
    store->ops = real;
    store_destroy(store);
    config_event_deinit(&event);
}

static enum bg_status play_begins(void)
{
    return director_begin(director, &entrants, NOW_S, &error);
}

static void must_begin(void)
{
    ck_assert_msg(play_begins() == BG_OK, "%s", error.text);
}

/* A bot does not start. */
static void lack(int bot)
{
    bots[bot].absent = true;
    bots[bot].was_ready = false;
}

/* Plays every leg that is due; the bot with the smaller index wins. */
static void play(void)
{
    const struct season *season = director_season(director);

    for (uint64_t i = 0; i < season_fixtures(season); i++) {
        struct season_fixture f;
        struct store_game game = {.match_over = true, .length_points = 1};

        season_fixture(&f, season, i);
        game.a = (char *)(uintptr_t)season_entrant(season, f.a)->name;
        game.b = (char *)(uintptr_t)season_entrant(season, f.b)->name;
        game.pair = f.pair;
        game.leg = f.leg;
        director_game(director, &game);
    }
    assert_ok(director_settle(director, NOW_S, &error));
}

/* The desk's act, stored as it is. */
static void desk(const char *kind, const char *subject)
{
    struct act act = {.at = "2026-11-23T00:00:00Z", .who = "ann@host", .reason = "so decided"};

    snprintf(act.kind, sizeof act.kind, "%s", kind);
    snprintf(act.subject, sizeof act.subject, "%s", subject);
    season_seal(&act, director_season(director));
    assert_ok(store_put_acts(store, &act, 1, &error));
    assert_ok(director_take(director, &act, 1, &error));
    assert_ok(director_settle(director, NOW_S, &error));
}

static uint64_t fixtures_known(void)
{
    bool more;

    return source->ops->known(source, &more);
}

static bool more_may_come(void)
{
    bool more;

    source->ops->known(source, &more);
    return more;
}

/* ------------------------------------------------------------------ tests */

/* The first run noted one of two absences, and ended. If the next one paired before it has started
 * the bots, the other would be in the first round. */
TEST(a_resumed_event_draws_its_first_round_when_the_bots_have_started)
{
    uint64_t meetings[2], rows[2];

    for (int disturbed = 0; disturbed < 2; disturbed++) {
        begin("swiss rounds=1 pairs=1", BOTS);
        lack(2);
        lack(3);
        open();
        if (disturbed) {
            puts_left = 1;
            ck_assert_int_eq(play_begins(), BG_E_STORE);
            puts_left = -1;
            close();
            open();
            ck_assert_uint_eq(season_acts_taken(director_season(director)), 1);
            ck_assert_uint_eq(season_meetings(director_season(director)), 0);
            ck_assert(more_may_come());
        }
        must_begin();
        meetings[disturbed] = season_meetings(director_season(director));
        rows[disturbed] = season_acts_taken(director_season(director));
        close();
        end();
    }
    ck_assert_uint_eq(meetings[0], 1); /* of those who are there */
    ck_assert_uint_eq(meetings[1], meetings[0]);
    ck_assert_uint_eq(rows[1], rows[0]);
}

/* That run ends in good order once there is room on the disk again. */
TEST(a_run_that_could_not_note_all_absences_draws_nothing_at_its_end)
{
    begin("swiss rounds=1 pairs=1", BOTS);
    lack(2);
    lack(3);
    open();
    puts_left = 1;
    ck_assert_int_eq(play_begins(), BG_E_STORE);
    puts_left = -1;
    assert_ok(director_run(director, NULL, NOW_S, &error));
    ck_assert_uint_eq(season_acts_taken(director_season(director)), 1);
    ck_assert_uint_eq(season_meetings(director_season(director)), 0);
    close();
    end();
}

/* The season has taken them already: a later row would stand behind one that is missing. */
TEST(rows_that_follow_and_cannot_be_stored_end_the_run)
{
    begin("circle pairs=1", BOTS);
    open();
    puts_left = 0;
    ck_assert_int_eq(play_begins(), BG_E_STORE);
    puts_left = -1;
    lack(2);
    ck_assert_int_eq(director_run(director, &entrants, NOW_S, &error), BG_E_STORE);
    ck_assert_int_eq(director_settle(director, NOW_S, &error), BG_E_STORE);
    ck_assert_uint_eq(fixtures_known(), 0);
    close();
    bots[2].absent = false;
    open();
    must_begin();
    ck_assert_uint_gt(fixtures_known(), 0);
    close();
    end();
}

/* The last run had the first round; results that followed are taken when the event is read. */
TEST(a_resumed_event_settles_its_games_before_the_bots_start)
{
    begin("swiss rounds=2 pairs=1", BOTS);
    open();
    must_begin();
    ck_assert_uint_eq(season_meetings(director_season(director)), 2);
    close();
    open();
    ck_assert_uint_eq(season_meetings(director_season(director)), 2);
    ck_assert(more_may_come());
    close();
    end();
}

TEST(nobody_is_absent_from_an_event_that_is_over)
{
    uint64_t rows;

    begin("swiss rounds=1 pairs=1", 2);
    open();
    must_begin();
    play();
    ck_assert(season_is_over(director_season(director)));
    rows = season_acts_taken(director_season(director));
    lack(1);
    assert_ok(director_run(director, &entrants, NOW_S, &error));
    ck_assert_uint_eq(season_acts_taken(director_season(director)), rows);
    close();
    end();
}

TEST(a_run_ends_when_only_the_desk_can_let_its_event_go_on)
{
    begin("circle pairs=1", 2);
    open();
    must_begin();
    ck_assert(more_may_come());
    desk("void", "pair=A|B|0");
    ck_assert(!season_is_over(director_season(director)));
    ck_assert(!more_may_come());
    close();
    open(); /* the next run too */
    must_begin();
    ck_assert(!more_may_come());
    desk("replay", "meeting=1 pairs=1+1");
    ck_assert(more_may_come());
    close();
    end();
}

/* Its opponents win by walkover, and more may follow. */
TEST(an_event_that_has_begun_goes_on_without_the_bots_of_its_open_games)
{
    struct fixture_queue queue = {.entrants = &entrants};
    struct preflight preflight = {.event = &event, .entrants = &entrants, .queue = &queue};

    begin("knockout pairs=1", 2);
    open();
    must_begin();
    close();
    open();
    lack(1);
    queue.source = source;
    preflight.director = director;
    assert_ok(preflight_check(&preflight, &error));
    must_begin();
    ck_assert(season_is_over(director_season(director)));
    close();
    end();
}
