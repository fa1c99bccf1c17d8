/* Judges at work: bots that value positions, as processes, on games played by bgref.
 *
 * The events are played by bgref itself into a folder that is removed; the judges run in a loop of
 * this process, behind the interface that the referee uses. */
#define _GNU_SOURCE /* mkdtemp */
#include <judge/judge.h>

#include <bgref/bot.h>

#include <numbers/met.h>
#include <record/record.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

enum { GAMES_MAX = 64, WAIT_S = 300 };

static char folder[] = "/tmp/bgref-judges-XXXXXX";

/* ---------------------------------------------------------------- events */

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void teardown(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static void run_duel(const char *arguments)
{
    char command[512];

    snprintf(command, sizeof command,
             "%s/bgref duel %s --seed 7 --quiet --results %s/r.db > %s/out 2>&1 || "
             "{ cat %s/out; exit 1; }",
             TEST_BIN, arguments, folder, folder, folder);
    ck_assert_msg(system(command) == 0, "%s", command);
}

/* ---------------------------------------------------------------- judging */

struct judging {
    struct loop *loop;
    struct judge *judge;
    struct store *store;
    bool errors;
    struct store_game *games[GAMES_MAX]; /* owned copies of what the judge needs */
    int count, submitted, failed;
    struct judgement *judged[GAMES_MAX]; /* by game */
    bool is_broken, is_late;
    struct bg_error err; /* of the last failure, or why the judge is broken */
    char name[1200];
    int64_t cpu_ns; /* of the judged games */
};

static bool keep_game(void *user, const struct store_game *game)
{
    struct judging *judging = user;
    struct store_game *copy = calloc(1, sizeof *copy);

    if (judging->count == GAMES_MAX) {
        free(copy);
        return false;
    }
    *copy = *game;
    copy->evidence = NULL;
    copy->id = strdup(game->id);
    copy->a = strdup(game->a);
    copy->b = strdup(game->b);
    copy->text = strdup(game->text);
    judging->games[judging->count++] = copy;
    return true;
}

static void on_late(void *user, int64_t now_ns)
{
    struct judging *judging = user;

    judging->is_late = true;
    loop_stop(judging->loop);
}

static int done(const struct judging *judging)
{
    int count = judging->failed;

    for (int i = 0; i < judging->count; i++) {
        count += judging->judged[i] != NULL;
    }
    return count;
}

static void feed(struct judging *judging)
{
    while (judging->submitted < judging->count && judge_room(judging->judge) > 0) {
        judge_submit(judging->judge, judging->games[judging->submitted++]);
    }
    if (done(judging) == judging->count) {
        ck_assert_int_eq(judge_busy(judging->judge), 0);
        loop_stop(judging->loop);
    }
}

static void on_ready(void *user)
{
    struct judging *judging = user;

    snprintf(judging->name, sizeof judging->name, "%s", judge_name(judging->judge));
    feed(judging);
}

static void on_judged(void *user, struct judgement *take)
{
    struct judging *judging = user;

    for (int i = 0; i < judging->count; i++) {
        if (strcmp(judging->games[i]->id, take->game_id) == 0) {
            ck_assert_ptr_null(judging->judged[i]);
            ck_assert_str_eq(take->hash, judging->games[i]->hash);
            ck_assert_str_eq(take->judge, judging->name);
            judging->judged[i] = take;
            judging->cpu_ns += take->cpu_ns;
            take = NULL;
            break;
        }
    }
    ck_assert_ptr_null(take);
    feed(judging);
}

static void on_failed(void *user, const char *game_id, const struct bg_error *err)
{
    struct judging *judging = user;

    judging->failed++;
    judging->err = *err;
    feed(judging);
}

static void on_broken(void *user, const struct bg_error *err)
{
    struct judging *judging = user;

    judging->is_broken = true;
    judging->err = *err;
    loop_stop(judging->loop);
}

static const struct judge_listener listener = {on_ready, on_judged, on_failed, on_broken};

/* Judges every game of the results; the outcome is in *judging. */
static void judge_results(struct judging *judging, const char *spec, bool errors)
{
    struct judge_setup judge_setup = {
        .jobs = 2, .errors = errors, .listener = &listener, .user = judging};
    char path[128];

    memset(judging, 0, sizeof *judging);
    snprintf(path, sizeof path, "%s/r.db", folder);
    assert_ok(store_sqlite_open_read(&judging->store, path, &error));
    assert_ok(store_all_games(judging->store, true, keep_game, judging, &error));
    ck_assert_int_gt(judging->count, 0);
    assert_ok(loop_create(&judging->loop, &error));
    loop_after(judging->loop, WAIT_S * INT64_C(1000000000), on_late, judging);
    judge_setup.loop = judging->loop;
    assert_ok(judge_open(&judging->judge, spec, &judge_setup, &error));
    ck_assert_int_eq(judge_room(judging->judge), 0);
    assert_ok(loop_run(judging->loop, &error));
    ck_assert_msg(!judging->is_late, "judge %s takes too long", spec);
    ck_assert(judging->is_broken || judge_cpu_ns(judging->judge) > 0);
    judge_destroy(judging->judge);
    loop_destroy(judging->loop);
    store_destroy(judging->store);
}

static void judging_deinit(struct judging *judging)
{
    for (int i = 0; i < judging->count; i++) {
        store_game_destroy(judging->games[i]);
        judgement_destroy(judging->judged[i]);
    }
}

static void need_all(const struct judging *judging)
{
    ck_assert_msg(!judging->is_broken && judging->failed == 0, "%s", judging->err.text);
}

/* ---------------------------------------------------------------- greedy */

TEST(greedy_judges_games_of_backgammon)
{
    struct judging judging;
    int choices = 0;

    run_duel("greedy random --pairs 1 --length 5");
    judge_results(&judging, "bot:greedy", true);
    need_all(&judging);
    ck_assert_str_eq(judging.name, "bot:greedy " BG_VERSION " Style=normal");
    for (int i = 0; i < judging.count; i++) {
        const struct judgement *judgement = judging.judged[i];
        double luck[2] = {0.0, 0.0};

        for (size_t k = 0; k < judgement->rolls; k++) {
            const struct judged_roll *roll = &judgement->roll[k];

            ck_assert(k == 0 || roll->step > judgement->roll[k - 1].step);
            ck_assert_double_lt(fabs(roll->luck), 1.0);
            luck[roll->bot] += roll->luck;
        }
        ck_assert_int_ge((int)judgement->rolls, judging.games[i]->turns);
        for (size_t k = 0; k < judgement->choices; k++) {
            ck_assert_double_ge(judgement->choice[k].error, 0.0);
            choices += judgement->choice[k].counted;
        }
        for (int bot = 0; bot < 2; bot++) {
            ck_assert_double_eq_tol(luck[bot], judgement->luck[bot], 1e-12);
        }
    }
    ck_assert_int_gt(choices, 20);
    judging_deinit(&judging);
}

/* The same seed gives the same judgements, whatever process a game comes to; rollouts need fewer
 * games because they see further than the bot itself. */
TEST(rollouts_judge_and_are_repeatable)
{
    struct judging judging[3];
    static const char *const specs[] = {"rollout:greedy,trials=4,truncate=2,seed=3",
                                        "rollout:greedy,trials=4,seed=3,truncate=2",
                                        "rollout:greedy,trials=4,truncate=2"};
    double noise = 0.0, apart = 0.0;

    run_duel("greedy random --games 4 --variant hypergammon");
    for (int i = 0; i < 3; i++) {
        judge_results(&judging[i], specs[i], i < 2);
        need_all(&judging[i]);
    }
    ck_assert_str_eq(judging[0].name, "rollout:greedy " BG_VERSION
                                      " Style=normal trials=4 truncate=2 variance-reduction=on "
                                      "seed=3");
    for (int i = 0; i < judging[0].count; i++) {
        const struct judgement *one = judging[0].judged[i];

        ck_assert_double_eq(one->luck[0], judging[1].judged[i]->luck[0]);
        ck_assert_double_eq(one->luck[1], judging[1].judged[i]->luck[1]);
        ck_assert_uint_eq(one->choices, judging[1].judged[i]->choices);
        ck_assert_uint_gt(one->choices, 0);
        apart += fabs(one->luck[0] - judging[2].judged[i]->luck[0]);
        for (size_t k = 0; k < one->rolls; k++) {
            ck_assert_double_ge(one->roll[k].se, 0.0);
            noise += one->roll[k].se;
        }
    }
    ck_assert_double_gt(apart, 0.0); /* another seed */
    ck_assert_double_gt(noise, 0.01);
    for (int i = 0; i < 3; i++) {
        judging_deinit(&judging[i]);
    }
}

static const char *const other_games[] = {
    "greedy random --games 2 --variant long-nardi",  "greedy random --games 2 --variant plakoto",
    "greedy random --games 2 --variant tabula",      "greedy random --games 2 --variant gul",
    "greedy random --games 2 --variant acey-deucey",
};

TEST_ROWS(other_games_are_judged, other_games)
{
    struct judging judging;

    run_duel(other_games[_i]);
    judge_results(&judging, "greedy", false);
    need_all(&judging);
    judging_deinit(&judging);
}

/* The referee lists the possible rolls' results: a judge needs no rules. */
TEST(a_judge_needs_no_rules)
{
    struct judging judging;

    run_duel("greedy random --games 2 --jacoby off");
    judge_results(&judging, "bot:python", true);
    need_all(&judging);
    for (int i = 0; i < judging.count; i++) {
        const struct judgement *judgement = judging.judged[i];
        double sum = 0.0;

        for (size_t k = 0; k < judgement->rolls; k++) {
            sum += fabs(judgement->roll[k].luck);
        }
        ck_assert_double_gt(sum, 0.1);
        ck_assert_uint_gt(judgement->choices, 10);
        for (size_t k = 0; k < judgement->choices; k++) {
            ck_assert_int_eq(judgement->choice[k].kind, JUDGED_PLAY); /* the cube is not valued */
        }
    }
    judging_deinit(&judging);
}

TEST(a_judge_without_the_game_refuses_it)
{
    struct judging judging;

    run_duel("greedy random --games 2 --variant plakoto");
    judge_results(&judging, "bot:gnubg", false);
    ck_assert_int_eq(judging.failed, judging.count);
    ck_assert_str_eq(judging.err.text, "judge gnubg does not play plakoto");
    judging_deinit(&judging);
}

/* ---------------------------------------------------------------- judges that misbehave */

/* A judge that cannot continue is named with the reason; a position that it cannot value costs one
 * game. */
static const struct {
    const char *mode;
    bool broken;
    const char *message;
} rogues[] = {
    {"error", false, "it cannot evaluate position 1 of the game: too hard"},
    {"mortal", false,
     "it cannot evaluate position 1 of the game: too hard"}, /* and dies each time */
    {"deaf", true,
     "judge deaf.py: start: refused: judge: it does not value positions (its Hello has no "
     "'evaluates'); bots that do are td, bkg, greedy and gnubg"},
    {"dies", true, "judge rogue.py: crash: the process ended: exit 1; its last words: no more"},
    {"short", true, "judge rogue.py: order: an evaluation of"},
    {"number", true, "judge rogue.py: order: an evaluation with number"},
    {"nan", true,
     "judge rogue.py: garbled: evaluation: item 0: rolls: equity: not a finite number"},
    {"order", true, "judge rogue.py: garbled: evaluation: item 0: rolls: number 0 is not 11"},
    {"illegal", true, "judge rogue.py: garbled: best play of 11: breaks rule G"},
    {"chance", true,
     "judge rogue.py: garbled: value of roll 11: 1.5 is not a chance to win the match"},
};

TEST_ROWS(a_judge_is_named_with_its_fault, rogues)
{
    struct judging judging;
    char text[512];

    const char *name = strcmp(rogues[_i].mode, "deaf") == 0 ? "deaf" : "rogue";

    run_duel("greedy random --pairs 4 --length 1");
    snprintf(text, sizeof text,
             "cp %s/judge_rogue.py %s/%s.py && cp %s/bots/python/bgref_pb2.py %s", TEST_PROCESS,
             folder, name, TEST_BIN, folder);
    ck_assert_int_eq(system(text), 0);
    snprintf(text, sizeof text, "bot:%s/%s.py,Mode=%s", folder, name, rogues[_i].mode);
    judge_results(&judging, text, false);
    ck_assert_msg(judging.is_broken == rogues[_i].broken, "%s: %s", rogues[_i].mode,
                  judging.err.text);
    ck_assert_msg(strstr(judging.err.text, rogues[_i].message) == judging.err.text, "%s: %s",
                  rogues[_i].mode, judging.err.text);
    ck_assert_ptr_null(strstr(judging.err.text, "sandbox")); /* it is not to blame */
    ck_assert_int_eq(judging.failed, rogues[_i].broken ? 0 : judging.count);
    judging_deinit(&judging);
}

/* ---------------------------------------------------------------- gnubg, asked in two ways */

/* Luck values that differ by at most 2e-5 of a cube's point; a match's points depend on the
 * score. */
static double tolerance_of(const struct judging *judging, int i, const struct judged_roll *roll)
{
    struct bg_match match;
    struct record_view *view = NULL;
    double worth = 0.0;

    ck_assert_int_eq(
        record_read(&view, judging->games[i]->text, judging->games[i]->text_size, NULL), BG_OK);
    ck_assert_int_eq(record_view_start(&match, view, NULL), BG_OK);
    for (int step = 0; step < roll->step; step++) {
        struct bg_step done;
        int64_t spent_ns;

        record_view_step(&done, &spent_ns, view, step);
        ck_assert_int_eq(bg_match_step(&match, &done), BG_RULE_NONE);
    }
    record_view_destroy(view);
    worth = ldexp(1.0, match.cube_log2);
    if (match.rules.length_points > 0) {
        struct met_score score = {.crawford = match.crawford_game,
                                  .crawford_done = match.crawford_done};
        struct met met;

        ck_assert_int_eq(met_model(&met, match.rules.length_points, NULL), BG_OK);
        for (int seat = 0; seat < 2; seat++) {
            score.away[seat] = match.rules.length_points - (int)match.score[seat];
        }
        worth =
            met_stake(&met, &score, roll->bot ^ judging->games[i]->leg, 1 << match.cube_log2) / 2;
        met_deinit(&met);
    }
    return 2e-5 * worth;
}

static const struct {
    const char *duel;
    int rolls; /* at least this many in all */
    bool crawford;
} compared[] = {
    {"gnubg greedy --games 4 --jacoby off", 150, false},
    {"gnubg greedy --games 4 --jacoby on", 100, false},
    {"gnubg greedy --games 4 --cube off", 150, false},
    {"gnubg greedy --pairs 1 --length 2 --cube off", 50, false},
    {"gnubg greedy --pairs 1 --length 5", 100, true},
};

/* An analysed .sgf compared with 21 explicit rolls over gnubg's external server. */
TEST_ROWS(both_gnubg_judges_agree_on_luck, compared)
{
    struct judging analysed, explicit;
    int rolls = 0;
    bool crawford = false;
    double widest = 0.0;

    run_duel(compared[_i].duel);
    judge_results(&analysed, "gnubg", false);
    judge_results(&explicit, "bot:gnubg", false);
    need_all(&analysed);
    need_all(&explicit);
    for (int i = 0; i < analysed.count; i++) {
        const struct judgement *one = analysed.judged[i], *two = explicit.judged[i];

        ck_assert_uint_eq(one->rolls, two->rolls);
        for (size_t k = 0; k < one->rolls; k++) {
            double apart = fabs(one->roll[k].luck - two->roll[k].luck);
            double tolerance = tolerance_of(&analysed, i, &one->roll[k]);

            ck_assert_int_eq(one->roll[k].step, two->roll[k].step);
            ck_assert_int_eq(one->roll[k].bot, two->roll[k].bot);
            ck_assert_msg(apart <= tolerance, "%s step %d: %.7f by analysis, %.7f by 21 rolls",
                          one->game_id, one->roll[k].step, one->roll[k].luck, two->roll[k].luck);
            widest = fmax(widest, 2e-5 * apart / tolerance);
            rolls++;
        }
        crawford |= strstr(analysed.games[i]->text, "crawford=on post-crawford") != NULL;
    }
    printf(
        "%s: %d rolls of %d games, at most %.1e apart; CPU a game: %.3f s analysed, %.3f s by 21 "
        "rolls\n",
        compared[_i].duel, rolls, analysed.count, widest,
        1e-9 * (double)analysed.cpu_ns / analysed.count,
        1e-9 * (double)explicit.cpu_ns / explicit.count);
    ck_assert_int_ge(rolls, compared[_i].rolls);
    ck_assert(crawford || !compared[_i].crawford);
    judging_deinit(&analysed);
    judging_deinit(&explicit);
}

void suite_begin(TCase *tests)
{
    tcase_set_timeout(tests, 2 * WAIT_S);
    tcase_add_checked_fixture(tests, setup, teardown);
}
