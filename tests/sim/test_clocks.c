/* Every time control to the nanosecond, in virtual time: a bot that takes a fixed time for each
 * decision, and the number of its decisions before its flag falls. */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/tournament.h"
#include "base/exit_status.h"
#include "record/record.h"

#include "support/suite.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)

enum { NEVER = -1 };

static const struct {
    const char *name, *clock;
    int length;
    int64_t margin_ns, spent_ns;
    int stands; /* decisions before the flag falls; NEVER: it does not fall */
} cases[] = {
    {"a move in exactly its time", "move=5ms", 0, 0, 5 * MS, NEVER},
    {"a move late by one nanosecond", "move=5ms", 0, 0, 5 * MS + 1, 0},
    {"the margin to the nanosecond", "move=5ms", 0, MS, 6 * MS, NEVER},
    {"the margin and one nanosecond", "move=5ms", 0, MS, 6 * MS + 1, 0},
    {"an increment that just pays", "bank=10ms,inc=1ms", 0, 0, MS, NEVER},
    {"a bank that melts by two a turn", "bank=10ms,inc=1ms", 0, 0, 3 * MS, 4},
    {"the whole bank at once", "bank=10ms,inc=1ms", 0, 0, 10 * MS, 1},
    {"more than the bank at once", "bank=10ms,inc=1ms", 0, 0, 10 * MS + 1, 0},
    {"a delay that is just enough", "bank=3ms,delay=2ms", 0, 0, 2 * MS, NEVER},
    {"a delay used up, then the bank", "bank=3ms,delay=2ms", 0, 0, 3 * MS, 3},
    {"a delay that is not saved", "bank=3ms,delay=2ms", 0, 0, 2 * MS + 1500 * US, 2},
    {"a reserve for each point, three", "bank=1ms/pt,delay=1ms", 3, 0, 2 * MS, 3},
    {"a reserve for each point, seven", "bank=1ms/pt,delay=1ms", 7, 0, 2 * MS, 7},
    {"a reserve for each point, a delay used up", "bank=2ms/pt,delay=1ms", 3, 0, 3 * MS, 3},
    {"a reserve for each point, all at once", "bank=2ms/pt,delay=1ms", 3, 0, 7 * MS, 1},
    {"no clock, and all the ceiling", "none", 0, 0, 200 * MS, NEVER},
    {"no clock, past the ceiling", "none", 0, 0, 200 * MS + 1, 0},
};

static struct config_event event;
static struct competitor bots[2];

static void make_event(const char *first, const char *second, int length, const char *clock)
{
    config_event_init(&event);
    memset(bots, 0, sizeof bots);
    strcpy(bots[0].name, first);
    strcpy(bots[1].name, second);
    strcpy(bots[0].cmd, "sim");
    strcpy(bots[1].cmd, "sim");
    event.bots = bots;
    event.bot_count = 2;
    strcpy(event.name, "clocks");
    strcpy(event.results, "sim.db");
    event.rules = bg_rules_default(bg_variant_find("backgammon"), length);
    event.rules.cube = false; /* every decision is a play */
    event.rules.jacoby = false;
    event.pairs = 1;
    event.duplicate = false;
    event.concurrency = event.instances = 1;
    event.ceiling_ns = 200 * MS;
    event.start_ns = 1000 * MS;
    event.quarantine = 1000;
    event.has_seed = true;
    event.seed = 1;
    ck_assert_int_eq(clock_control_read(&event.clock, clock, NULL), BG_OK);
}

static int run(const struct sim_plan *plan, struct bg_error *err)
{
    struct tournament_run run = {.event = &event, .command = "sim", .quiet = true};
    int status, hushed = sim_hush();

    sim_store_forget(); /* left behind by a failed test */
    sim_begin(plan);
    sim_new_run(false);
    status = tournament_run(&run, err);
    sim_speak(hushed);
    return status;
}

/* Of the first game: the number of the exact bot's counted decisions, and whether its flag fell. */
struct seen {
    int plays;
    bool flagged, any;
};

static bool look(void *user, const struct store_game *game)
{
    struct seen *seen = user;
    struct record_view *view = NULL;
    int seat;

    ck_assert_int_eq(record_read(&view, game->text, game->text_size, NULL), BG_OK);
    seat = strncmp(record_view_value(view, "seat0"), "exact", 5) == 0 ? 0 : 1;
    for (int i = 0; i < record_view_steps(view); i++) {
        struct bg_step step;
        int64_t spent_ns;

        record_view_step(&step, &spent_ns, view, i);
        if (step.seat == seat && step.kind == BG_STEP_PLAY) {
            seen->plays++;
        }
        if (step.kind == BG_STEP_FAULT) {
            ck_assert_int_eq(step.seat, seat);
            ck_assert(step.fault == BG_FAULT_LATE || step.fault == BG_FAULT_SILENT);
            seen->flagged = true;
        }
    }
    record_view_destroy(view);
    seen->any = true;
    return false;
}

TEST_ROWS(the_flag_falls_at_the_exact_time, cases)
{
    struct sim_plan plan = {.seed = 3, .exact_ns = cases[_i].spent_ns};
    struct seen seen = {0, false, false};

    make_event("exact", "honest", cases[_i].length, cases[_i].clock);
    event.margin_ns = cases[_i].margin_ns;
    ck_assert_int_eq(run(&plan, &error), EXIT_DONE);
    ck_assert_int_eq(store_all_games(sim_store(), true, look, &seen, NULL), BG_OK);
    ck_assert_msg(seen.any, "%s: no game", cases[_i].name);
    ck_assert_msg(seen.flagged == (cases[_i].stands != NEVER), "%s: the flag %s after %d plays",
                  cases[_i].name, seen.flagged ? "fell" : "did not fall", seen.plays);
    ck_assert_msg(!seen.flagged || seen.plays == cases[_i].stands, "%s: %d plays stood, not %d",
                  cases[_i].name, seen.plays, cases[_i].stands);
    sim_store_forget();
    sim_end();
}

/* The referee's own delays, from work or from being stopped, are not charged to bots. The lag is
 * known to the nanosecond; frames that arrived while it was stopped have no time stamp, and no time
 * is charged for them.
 */
static const struct {
    const char *name;
    struct sim_plan plan;
    bool falls;
    const char *clock;
} held_up[] = {
    {"a lag of 3 ms", {.seed = 3, .exact_ns = 5 * MS, .lag_ns = 3 * MS}, false, "move=5ms"},
    {"a lag of 3 ms, late by one nanosecond",
     {.seed = 3, .exact_ns = 5 * MS + 1, .lag_ns = 3 * MS},
     true,
     "move=5ms"},
    {"a lag of 50 ms", {.seed = 3, .exact_ns = 5 * MS, .lag_ns = 50 * MS}, false, "move=5ms"},
    {"a lag of 50 ms, late by one nanosecond",
     {.seed = 3, .exact_ns = 5 * MS + 1, .lag_ns = 50 * MS},
     true,
     "move=5ms"},
    {"stopped for a second now and then",
     {.seed = 3, .exact_ns = 5 * MS, .stops_every_ns = 17 * MS + 123, .stops_ns = 1000 * MS},
     false,
     "move=5ms"},
    {"stopped for 30 ms now and then",
     {.seed = 3, .exact_ns = 5 * MS, .stops_every_ns = 7 * MS + 77, .stops_ns = 30 * MS},
     false,
     "move=5ms"},
    {"stopped for 15 ms now and then: no more than a sweep is charged",
     {.seed = 3, .exact_ns = 5 * MS, .stops_every_ns = 17 * MS + 123, .stops_ns = 15 * MS},
     false,
     "move=10ms"},
};

TEST_ROWS(delays_of_the_referee_are_not_charged_to_bots, held_up)
{
    struct seen seen = {0, false, false};

    make_event("exact", "honest", 0, held_up[_i].clock);
    ck_assert_int_eq(run(&held_up[_i].plan, &error), EXIT_DONE);
    ck_assert_int_eq(store_all_games(sim_store(), true, look, &seen, NULL), BG_OK);
    ck_assert_msg(seen.flagged == held_up[_i].falls, "%s: the flag %s after %d plays",
                  held_up[_i].name, seen.flagged ? "fell" : "did not fall", seen.plays);
    sim_store_forget();
    sim_end();
}

/* Of a match: its games, and their faults. */
struct flags {
    int games, faults;
    bool is_over;
};

static bool count_flags(void *user, const struct store_game *game)
{
    struct flags *flags = user;

    flags->games++;
    flags->faults += game->end == BG_END_FAULT;
    flags->is_over = game->match_over;
    return true;
}

static const struct {
    const char *name, *clock;
    bool costs_match, is_given, given;
} flag_cases[] = {
    {"a bank is of a match", "bank=10ms", true, false, false},
    {"a bank with a delay too", "bank=1ms/pt,delay=1ms", true, false, false},
    {"a time for every move is not", "move=1ms", false, false, false},
    {"a bank, if the game is asked for", "bank=10ms", false, true, false},
    {"a time for every move, if the match is asked for", "move=1ms", true, true, true},
};

TEST_ROWS(a_fallen_flag_loses_the_match_if_the_reserve_is_per_match, flag_cases)
{
    struct sim_plan plan = {.seed = 3, .exact_ns = 3 * MS};
    struct flags flags = {0, 0, false};
    bool costs_match = flag_cases[_i].costs_match;

    make_event("exact", "honest", 9, flag_cases[_i].clock);
    config_event_settle(&event);
    event.rules.cube = false;
    if (flag_cases[_i].is_given) {
        event.rules.flag_match = flag_cases[_i].given;
    }
    ck_assert_int_eq(run(&plan, &error), EXIT_DONE);
    ck_assert_int_eq(store_all_games(sim_store(), true, count_flags, &flags, NULL), BG_OK);
    ck_assert_msg(flags.is_over, "%s: the match is not over", flag_cases[_i].name);
    ck_assert_msg((flags.faults == 1) == costs_match, "%s: %d faults in %d games",
                  flag_cases[_i].name, flags.faults, flags.games);
    sim_store_forget();
    sim_end();
}

/* Of all games: the exact bot's plays, and its faults. */
struct exact {
    uint64_t plays, faults;
};

static bool look_exactly(void *user, const struct store_game *game)
{
    struct exact *exact = user;
    struct record_view *view = NULL;
    int seat;

    ck_assert_int_eq(record_read(&view, game->text, game->text_size, NULL), BG_OK);
    seat = strncmp(record_view_value(view, "seat0"), "exact", 5) == 0 ? 0 : 1;
    for (int i = 0; i < record_view_steps(view); i++) {
        struct bg_step step;
        int64_t spent_ns;

        record_view_step(&step, &spent_ns, view, i);
        if (step.seat == seat && step.kind == BG_STEP_PLAY && spent_ns >= 0) {
            ck_assert_int_eq(spent_ns, 3 * MS);
            exact->plays++;
        }
        if (step.kind == BG_STEP_FAULT) {
            ck_assert_int_eq(step.seat, seat);
            ck_assert_int_eq(step.fault, BG_FAULT_CRASH);
            exact->faults++;
        }
    }
    record_view_destroy(view);
    return true;
}

/* Two games are open when a process ends. One is lost by that. In the other the clock stops until
 * the next process is asked again, and that decision takes as long as any other. */
TEST(a_clock_stops_while_its_bot_restarts)
{
    struct sim_plan plan = {.seed = 3, .exact_ns = 3 * MS, .exact_dies_at = 21};
    struct exact exact = {0, 0};

    make_event("exact", "honest", 0, "bank=10s,inc=1ms");
    event.duplicate = true;
    event.concurrency = 2;
    ck_assert_int_eq(run(&plan, &error), EXIT_DONE);
    ck_assert_int_eq(store_all_games(sim_store(), true, look_exactly, &exact, NULL), BG_OK);
    ck_assert_uint_eq(exact.faults, 1);
    /* All its decisions count, except the fatal one and those asked again. */
    ck_assert_uint_eq(sim_counts()->exact_asked, exact.plays + 2);
    sim_store_forget();
    sim_end();
}

static void see_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    ck_abort_msg("%s is given up for %s: %s", fixture, bot, why);
}

static bool see_no_game(void *user, const struct store_game *game)
{
    ck_abort_msg("%s was played", game->id);
    return false;
}

/* If one bot or both failed at the greeting, there is no winner, and nothing is given up: a later
 * run tries again. */
static const struct {
    const char *first, *second;
} greetings[] = {
    {"absent", "honest"},  {"honest", "unready"},   {"absent", "absent2"},
    {"unready", "absent"}, {"unready", "unready2"},
};

TEST_ROWS(a_bot_that_fails_to_greet_plays_nothing, greetings)
{
    struct sim_plan plan = {.seed = 3};
    struct store *store;

    make_event(greetings[_i].first, greetings[_i].second, 0, "move=5ms");
    event.absent_unplayed = event.duplicate = true;
    ck_assert_int_eq(run(&plan, &error), EXIT_START);
    store = sim_store();
    ck_assert_int_eq(store_all_games(store, false, see_no_game, NULL, NULL), BG_OK);
    ck_assert_int_eq(store_all_unplayed(store, see_unplayed, NULL, NULL), BG_OK);
    sim_store_forget();
    sim_end();
}

TEST(bots_that_never_greet_are_named)
{
    struct sim_plan plan = {.seed = 3};
    int64_t began_ns;

    make_event("absent", "absent2", 0, "none");
    began_ns = 1000 * MS; /* where every world begins */
    ck_assert_int_eq(run(&plan, &error), EXIT_START);
    ck_assert_ptr_nonnull(strstr(error.text, "bot absent"));
    ck_assert_ptr_nonnull(strstr(error.text, "no Hello in time"));
    ck_assert_int_ge(sim_now() - began_ns, event.start_ns);
    ck_assert_int_le(sim_now() - began_ns, event.start_ns + 2000 * MS);
    sim_store_forget();
    sim_end();
}

void suite_begin(TCase *tests)
{
    if (freopen("/dev/null", "w", stderr) == NULL) { /* the referee's messages about faults */
        exit(EXIT_FAILURE);
    }
    suite_in_one_process(); /* virtual time: no libcheck timeouts */
}
