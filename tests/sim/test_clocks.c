/* Every time control to the nanosecond, in virtual time: a bot that takes exactly so long for each
 * decision, and how many of its decisions stand before its flag falls. */
#include "sim.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/tournament.h"
#include "exit_status.h"
#include "record/record.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)

enum { NEVER = -1 };

static const struct {
    const char *name, *clock;
    int length;
    int64_t margin_ns, spent_ns;
    int stands; /* decisions before the flag, NEVER: it does not fall */
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
    {"no clock, and all the ceiling", "none", 0, 0, 200 * MS, NEVER},
    {"no clock, past the ceiling", "none", 0, 0, 200 * MS + 1, 0},
};

static struct config_event event;
static struct config_bot bots[2];

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

    sim_begin(plan);
    sim_new_run(false);
    status = tournament_run(&run, err);
    sim_speak(hushed);
    return status;
}

/* Of the first game: how many decisions of the exact bot stand, and whether its flag fell. */
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

START_TEST(the_flag_falls_exactly_when_it_should)
{
    struct sim_plan plan = {.seed = 3, .exact_ns = cases[_i].spent_ns};
    struct seen seen = {0, false, false};
    struct bg_error err = {.text = ""};

    make_event("exact", "honest", cases[_i].length, cases[_i].clock);
    event.margin_ns = cases[_i].margin_ns;
    ck_assert_int_eq(run(&plan, &err), EXIT_DONE);
    ck_assert_int_eq(sim_store()->ops->all_games(sim_store(), true, look, &seen, NULL), BG_OK);
    ck_assert_msg(seen.any, "%s: no game", cases[_i].name);
    ck_assert_msg(seen.flagged == (cases[_i].stands != NEVER), "%s: the flag %s after %d plays",
                  cases[_i].name, seen.flagged ? "fell" : "did not fall", seen.plays);
    ck_assert_msg(!seen.flagged || seen.plays == cases[_i].stands, "%s: %d plays stood, not %d",
                  cases[_i].name, seen.plays, cases[_i].stands);
    sim_store_forget();
    sim_end();
}
END_TEST

START_TEST(bots_that_never_greet_are_told_by_name)
{
    struct sim_plan plan = {.seed = 3};
    struct bg_error err = {.text = ""};
    int64_t began_ns;

    make_event("absent", "absent2", 0, "none");
    began_ns = 1000 * MS; /* where every world begins */
    ck_assert_int_eq(run(&plan, &err), EXIT_START);
    ck_assert_ptr_nonnull(strstr(err.text, "bot absent"));
    ck_assert_ptr_nonnull(strstr(err.text, "no Hello in time"));
    ck_assert_int_ge(sim_now() - began_ns, event.start_ns);
    ck_assert_int_le(sim_now() - began_ns, event.start_ns + 2000 * MS);
    sim_store_forget();
    sim_end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clocks");
    TCase *tests = tcase_create("clocks");
    SRunner *runner = srunner_create(suite);
    int failed;

    if (freopen("/dev/null", "w", stderr) == NULL) { /* the referee's talk of faults */
        return EXIT_FAILURE;
    }
    srunner_set_fork_status(runner, CK_NOFORK); /* time is ours, so libcheck can't guard it */
    tcase_add_loop_test(tests, the_flag_falls_exactly_when_it_should, 0,
                        sizeof cases / sizeof *cases);
    tcase_add_test(tests, bots_that_never_greet_are_told_by_name);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
