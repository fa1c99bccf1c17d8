/* The end of a run: the order of writes, the output, and the exit status. Ledger, feed, display and
 * judge are doubles that log their calls. */
#include "event/conclusion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "event/phase.h"
#include "support/suite.h"

enum { FIXTURES = 4 };

static char calls[400];
static uint64_t settled, unplayed;
static bool decided, judged, testing;
static struct sequential test;
static enum bg_status publish_status[2], flush_status, decide_status;
static int published;

static void called(const char *name)
{
    size_t used = strlen(calls);

    snprintf(calls + used, sizeof calls - used, "%s%s", used > 0 ? " " : "", name);
}

/* ------------------------------------------------------------------------- doubles */

static enum bg_status on_flush(struct store *store, struct bg_error *err)
{
    called("store.flush");
    return BG_OK;
}

static const struct store_ops ops = {.flush = on_flush};
static struct store store = {&ops};

struct store *ledger_store(struct ledger *ledger)
{
    return &store;
}

uint64_t ledger_settled(const struct ledger *ledger)
{
    return settled;
}

uint64_t ledger_unplayed(const struct ledger *ledger)
{
    return unplayed;
}

enum bg_status ledger_decide(struct ledger *ledger, struct bg_error *err)
{
    called("decide");
    return decide_status;
}

enum bg_status ledger_publish(char root[RECORD_HASH], struct ledger *ledger, struct bg_error *err)
{
    called("publish");
    strcpy(root, "root");
    return publish_status[published++ > 0];
}

enum bg_status ledger_keep_key(struct ledger *ledger, struct bg_error *err)
{
    called("keep_key");
    return BG_OK;
}

enum bg_status director_settle(struct director *director, int64_t now_s, struct bg_error *err)
{
    called("settle");
    return BG_OK;
}

static bool lacks_games;

bool director_lacks_games(const struct director *director)
{
    return lacks_games;
}

void director_print_lacking(FILE *out, const struct director *director,
                            const struct entrants *entrants)
{
    called("lacking");
}

void director_round(char out[DISPLAY_ROUND], const struct director *director)
{
}

const struct season *director_season(const struct director *director)
{
    return NULL;
}

enum bg_status display_standing(struct display *display, const struct season *season,
                                struct bg_error *err)
{
    called("order");
    return BG_OK;
}

void feed_take(struct feed *feed)
{
    called("take");
}

enum bg_status feed_keep(const struct feed *feed, struct bg_error *err)
{
    called("keep");
    return BG_OK;
}

bool feed_is_decided(const struct feed *feed)
{
    return decided;
}

const struct sequential *feed_test(const struct feed *feed)
{
    return testing ? &test : NULL;
}

enum bg_status reports_final(struct reports *reports, uint64_t decisions, bool complete,
                             int64_t now_ns, struct bg_error *err)
{
    called(complete ? "final" : "standing");
    return BG_OK;
}

void display_break(struct display *display)
{
}

void display_unplayed(const struct display *display)
{
    called("unplayed");
}

void display_absent(const struct display *display, const char *bot, const char *why)
{
    called(bot);
}

void display_open(const struct display *display)
{
    called("open");
}

void display_end(const struct display *display, bool complete, const char *root)
{
    ck_assert_str_eq(root, complete ? "root" : "");
    called("end");
}

enum bg_status holding_flush(struct holding *holding, struct store *take,
                             const struct signals *signals, struct bg_error *err)
{
    called("flush");
    return flush_status == BG_OK ? BG_OK : bg_error_set(err, flush_status, "the disk is gone");
}

bool judging_is_done(const struct judging *judging)
{
    return judged;
}

static uint64_t known(const struct source *source, bool *more)
{
    *more = false;
    return FIXTURES;
}

/* --------------------------------------------------------------------------- tests */

static const struct source_ops source_ops = {.known = known};
static const struct source source = {&source_ops, 2, 2};

const struct source *director_source(const struct director *director)
{
    return &source;
}
static const char *names[] = {"anna", "bert"};
static struct config_event event;
static struct entrants_bot list[2];
static struct entrants entrants;
static struct judging judging;
static struct display display;
static struct reports reports = {.display = &display};
static struct conclusion conclusion;

static void setup(void)
{
    calls[0] = '\0';
    settled = FIXTURES;
    unplayed = 0;
    decided = testing = lacks_games = false;
    judged = true;
    published = 0;
    publish_status[0] = publish_status[1] = flush_status = decide_status = BG_OK;
    memset(&test, 0, sizeof test);
    memset(&event, 0, sizeof event);
    event.bot_count = 2;
    memset(list, 0, sizeof list);
    memset(&judging, 0, sizeof judging);
    entrants = (struct entrants){.event = &event, .list = list, .names = names};
    conclusion = (struct conclusion){.event = &event,
                                     .command = "go",
                                     .entrants = &entrants,
                                     .reports = &reports,
                                     .judging = &judging};
}

static void draw(int exit_status, const char *expected)
{
    ck_assert_int_eq(conclusion_draw(&conclusion, exit_status, 0, 0, NULL), BG_OK);
    ck_assert_str_eq(calls, expected);
}

TEST(a_complete_event_is_durable_before_its_key_is_published)
{
    draw(0, "flush take settle keep publish order final unplayed lacking end");
}

TEST(an_interrupted_event_keeps_its_key)
{
    settled = FIXTURES - 1;
    draw(EXIT_INTERRUPT, "flush take settle keep order standing end");
}

TEST(a_decided_test_is_stored_before_the_key_is_published)
{
    settled = 2;
    decided = testing = true;
    draw(0, "flush take settle decide keep publish order final unplayed lacking end");
}

TEST(publication_is_retried_after_a_flush_when_the_store_is_busy)
{
    publish_status[0] = BG_E_TIMEOUT;
    draw(0, "flush take settle keep publish flush publish order final unplayed lacking end");
}

TEST(a_key_is_not_published_when_games_are_not_durable)
{
    flush_status = BG_E_STORE;
    ck_assert_int_eq(conclusion_draw(&conclusion, 0, 0, 0, &error), BG_E_STORE);
    ck_assert_str_eq(calls, "flush");
}

TEST(absent_bots_are_named)
{
    settled = 2;
    list[1].absent = true;
    draw(0, "flush take settle keep order standing unplayed lacking bert open end");
}

TEST(after_a_failure_games_and_key_are_kept)
{
    conclusion_rescue(&conclusion, false);
    ck_assert_str_eq(calls, "store.flush keep_key");
}

static const struct ending {
    const char *name;
    uint64_t settled, unplayed;
    bool absent, judged, broken, testing, decided, exit_verdict;
    enum sprt_state state;
    int exit_status; /* before */
    int status;
    const char *outcome;
} endings[] = {
    {"all is played", 4, 0, .judged = true, .status = EXIT_DONE, .outcome = "complete"},
    {"interrupted", 3, 0, .judged = true, .exit_status = EXIT_INTERRUPT, .status = EXIT_INTERRUPT,
     .outcome = "interrupted"},
    {"interrupted while judging", 4, 0, .exit_status = EXIT_TERMINATE, .status = EXIT_TERMINATE,
     .outcome = "complete"},
    {"the judge broke", 4, 0, .judged = true, .broken = true, .status = EXIT_SURROUNDINGS,
     .outcome = "complete"},
    {"some are given up", 4, 1, .judged = true, .status = EXIT_UNPLAYED, .outcome = "complete"},
    {"a bot was absent", 2, 0, .absent = true, .judged = true, .status = EXIT_UNPLAYED,
     .outcome = "unplayed"},
    {"decided, no verdict asked for", 2, 0, .judged = true, .testing = true, .decided = true,
     .state = SPRT_H1, .status = EXIT_DONE, .outcome = "decided"},
    {"H1", 2, 0, .judged = true, .testing = true, .decided = true, .exit_verdict = true,
     .state = SPRT_H1, .status = EXIT_H1, .outcome = "decided"},
    {"H0", 2, 0, .judged = true, .testing = true, .decided = true, .exit_verdict = true,
     .state = SPRT_H0, .status = EXIT_H0, .outcome = "decided"},
    {"played out, undecided", 4, 0, .judged = true, .testing = true, .exit_verdict = true,
     .status = EXIT_UNDECIDED, .outcome = "complete"},
    {"a test forgives what is given up", 4, 1, .judged = true, .testing = true,
     .exit_verdict = true, .status = EXIT_UNDECIDED, .outcome = "complete"},
};

TEST(a_complete_schedule_that_lacks_games_says_so_with_its_exit_status)
{
    list[1].quarantined = true; /* since its last meeting: nothing is missing */
    lacks_games = false;
    ck_assert_int_eq(conclusion_status(&conclusion, 0), EXIT_DONE);
    list[1].quarantined = false;
    lacks_games = true;
    ck_assert_int_eq(conclusion_status(&conclusion, 0), EXIT_UNPLAYED);
}

TEST_ROWS(each_ending_has_its_exit_status_and_outcome, endings)
{
    const struct ending *row = &endings[_i];

    settled = row->settled;
    unplayed = row->unplayed;
    list[0].absent = row->absent;
    judged = row->judged;
    judging.is_broken = row->broken;
    testing = row->testing;
    decided = row->decided;
    event.exit_verdict = row->exit_verdict;
    test.test.state = row->state;
    ck_assert_msg(conclusion_status(&conclusion, row->exit_status) == row->status,
                  "%s: exit status %d, expected %d", row->name,
                  conclusion_status(&conclusion, row->exit_status), row->status);
    ck_assert_msg(strcmp(conclusion_outcome(&conclusion, false, row->exit_status), row->outcome) ==
                      0,
                  "%s: outcome %s, expected %s", row->name,
                  conclusion_outcome(&conclusion, false, row->exit_status), row->outcome);
    ck_assert_str_eq(conclusion_outcome(&conclusion, true, row->exit_status), "failed");
}

TEST(a_run_never_goes_back_to_an_earlier_phase)
{
    enum phase phase = PHASE_PREFLIGHT;

    phase_enter(&phase, PHASE_WIND_UP, NULL); /* a signal before the first game */
    phase_enter(&phase, PHASE_PLAY, NULL);
    ck_assert_int_eq(phase, PHASE_WIND_UP);
    phase_enter(&phase, PHASE_CLOSE, NULL);
    phase_enter(&phase, PHASE_WIND_UP, NULL);
    ck_assert_int_eq(phase, PHASE_CLOSE);
}

SUITE_FIXTURE(setup, NULL)
