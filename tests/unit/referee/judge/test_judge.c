/* The gnubg judge: random games with all rare events; processes that die. */
#define _GNU_SOURCE
#include <judge/gnubg_sgf.h>
#include <judge/judge_queue.h>
#include <judge/gnubg_met.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "support/random_match.h"
#include "support/scratch_store.h"
#include "support/suite.h"

static char folder[] = "/tmp/bgref-judges-XXXXXX";

static void make_folder(void)
{
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("TMPDIR", folder, 1); /* the judge's processes */
}

static void remove_folder(void)
{
    char command[160];

    /* Only the test's own files are left. */
    snprintf(command, sizeof command, "! ls '%s' | grep bgref-judge-", folder);
    ck_assert_int_eq(system(command), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

/* --- games ----------------------------------------------------------------------------------- */

/* Plays random matches (length 0: money games) and stores their games. */
static void play(struct store *store, const struct bg_rules *rules, int matches)
{
    struct chance chance = {11};

    for (int pair = 0; pair < matches; pair++) {
        struct bg_match match;

        bg_match_begin(&match, rules);
        for (int number = 0; match.need.kind != BG_NEED_NOTHING; number++) {
            const struct bg_step next = {.kind = BG_STEP_NEXT, .seat = -1};
            struct record record = {0};
            struct store_game *game = calloc(1, sizeof *game);
            char id[BG_GAME_ID];

            if (number > 0) {
                ck_assert_int_eq(bg_match_step(&match, &next), BG_RULE_NONE);
            }
            snprintf(id, sizeof id, "a|b|%d|%d|%d", pair / 2, pair % 2, number);
            random_game(&record, game->hash, &match, id, "", false, &chance);
            game->id = strdup(id);
            game->a = strdup("a");
            game->b = strdup("b");
            game->pair = (uint64_t)pair / 2;
            game->leg = pair % 2;
            game->game = number;
            game->length_points = rules->length_points;
            game->text = record.text; /* handed over */
            game->text_size = record.size;
            ck_assert_int_eq(store_put_game(store, game, NULL), BG_OK);
        }
    }
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
}

/* --- a run ----------------------------------------------------------------------------------- */

struct run {
    struct store *store;
    struct loop *loop;
    struct judge_queue *queue;
    struct judge_queue_counts counts;
    struct bg_error broken, failure; /* of the last game that failed */
    bool is_awake;
};

static struct bg_rules money;

static void on_moved(void *user)
{
    struct run *run = user;

    if (judge_queue_is_done(run->queue)) {
        loop_stop(run->loop);
    }
}

static void on_failed(void *user, const char *game_id, const struct bg_error *err)
{
    struct run *run = user;

    run->failure = *err;
}

static void on_broken(void *user, const struct bg_error *err)
{
    struct run *run = user;

    run->broken = *err;
    loop_stop(run->loop);
}

static const struct judge_queue_listener listener = {on_moved, on_failed, on_broken};

/* Judges the unjudged games in run->store; the result is in *run. */
static void judge(struct run *run, const char *spec, int jobs, bool again)
{
    struct judge_queue_setup setup = {.store = run->store,
                                      .judge = spec,
                                      .jobs = jobs,
                                      .again = again,
                                      .listener = &listener,
                                      .user = run};

    ck_assert_int_eq(loop_create(&run->loop, NULL), BG_OK);
    setup.loop = run->loop;
    assert_ok(judge_queue_open(&run->queue, &setup, &error));
    ck_assert_int_eq(loop_run(run->loop, NULL), BG_OK);
    judge_queue_counts(&run->counts, run->queue);
    judge_queue_close(run->queue);
    loop_destroy(run->loop);
}

/* --- complete judgements --------------------------------------------------------------------- */

struct sums {
    int games, rolls, choices, faults;
    double luck[2], squares[2], apart;
};

static bool sum(void *user, const struct store_game *game, const struct judgement *judgement)
{
    struct sums *sums = user;
    double luck[2] = {0, 0};

    sums->games++;
    for (size_t i = 0; i < judgement->rolls; i++) {
        const struct judged_roll *roll = &judgement->roll[i];

        ck_assert(i == 0 || roll->step > roll[-1].step);
        luck[roll->bot] += roll->luck;
        sums->squares[roll->bot] += roll->luck * roll->luck;
        sums->rolls++;
    }
    for (size_t i = 0; i < judgement->choices; i++) {
        ck_assert(judgement->choice[i].error >= 0);
        ck_assert(judgement->choice[i].counted || judgement->choice[i].error == 0);
    }
    sums->choices += (int)judgement->choices;
    for (int bot = 0; bot < 2; bot++) {
        sums->luck[bot] += judgement->luck[bot];
        sums->apart = fmax(sums->apart, fabs(judgement->luck[bot] - luck[bot]));
    }
    return true;
}

/* The version of gnubg depends on the machine. */
static void keep_name(void *user, const char *judge, uint64_t games)
{
    snprintf(user, 256, "%s", judge);
}

static const struct {
    const char *name;
    int length;
    bool cube, jacoby, beavers;
} settings[] = {
    {"money", 0, true, false, false},
    {"money with jacoby and beavers", 0, true, true, true},
    {"money without cube", 0, false, false, false},
    {"matches", 5, true, false, false},
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

/* Random play doubles, passes, resigns and commits faults at any time: every game is judged. */
TEST_LOOP(random_games_are_judged_completely, 0, SETTINGS)
{
    struct run run = {.store = scratch_store_create()};
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), settings[_i].length);
    struct sums sums = {0};
    char name[256] = "";
    uint64_t judged;

    rules.cube = settings[_i].cube;
    rules.jacoby = settings[_i].jacoby;
    rules.beavers = settings[_i].beavers;
    play(run.store, &rules, settings[_i].length > 0 ? 2 : 4);
    judge(&run, "gnubg:errors", 2, false);
    ck_assert_msg(run.broken.status == BG_OK, "%s: %s", settings[_i].name, run.broken.text);
    ck_assert_msg(run.counts.failed == 0, "%s: %s", settings[_i].name, run.failure.text);
    ck_assert_uint_ge(run.counts.judged, 4);
    judged = run.counts.judged;
    ck_assert_int_gt(run.counts.game_cpu_ns, 0);
    ck_assert_int_gt(run.counts.cpu_ns, run.counts.game_cpu_ns);
    ck_assert_int_eq(store_each_judge(run.store, keep_name, name, NULL), BG_OK);
    ck_assert_msg(strncmp(name, "gnubg 1.", 8) == 0 && strstr(name, " plies=0") != NULL, "%s",
                  name);
    ck_assert_int_eq(store_each_judgement(run.store, name, sum, &sums, NULL), BG_OK);
    ck_assert_uint_eq((uint64_t)sums.games, judged);
    ck_assert_int_gt(sums.rolls, 5 * sums.games);
    ck_assert_int_gt(sums.choices, 2 * sums.games);
    ck_assert(sums.apart < 0.05); /* a high cube magnifies the rounding */

    judge(&run, "gnubg:errors", 1, false);
    ck_assert_uint_eq(run.counts.judged, 0);
    judge(&run, "gnubg", 1, true);
    ck_assert_uint_eq(run.counts.judged, judged);
    store_destroy(run.store);
}

/* The judge of an event: while its bots start it has all cores to leave alone. */
static void wake_late(void *user)
{
    struct run *run = user;

    if (!run->is_awake) {
        run->is_awake = true;
        ck_assert(!judge_queue_is_done(run->queue));
        play(run->store, &money, 3);
        judge_queue_wake(run->queue);
    }
    on_moved(run);
}

TEST(a_queue_that_waits_looks_at_no_game_before_it_is_woken)
{
    static const struct judge_queue_listener late = {wake_late, on_failed, on_broken};
    struct run run = {.store = scratch_store_create()};
    struct judge_queue_setup setup = {.store = run.store,
                                      .judge = "gnubg",
                                      .jobs = 1,
                                      .waits = true,
                                      .listener = &late,
                                      .user = &run};

    money = bg_rules_default(bg_variant_find("backgammon"), 0);
    ck_assert_int_eq(loop_create(&run.loop, NULL), BG_OK);
    setup.loop = run.loop;
    ck_assert_int_eq(judge_queue_open(&run.queue, &setup, NULL), BG_OK);
    ck_assert_int_eq(loop_run(run.loop, NULL), BG_OK);
    judge_queue_counts(&run.counts, run.queue);
    ck_assert_uint_eq(run.counts.judged, 3);
    judge_queue_close(run.queue);
    loop_destroy(run.loop);
    store_destroy(run.store);
}

TEST(other_games_are_refused_one_by_one)
{
    struct run run = {.store = scratch_store_create()};
    struct bg_rules rules = bg_rules_default(bg_variant_find("plakoto"), 0);

    play(run.store, &rules, 3);
    judge(&run, "gnubg", 1, false);
    ck_assert_uint_eq(run.counts.judged, 0);
    ck_assert_uint_eq(run.counts.failed, 3);
    ck_assert_msg(strstr(run.failure.text, "plakoto") != NULL, "%s", run.failure.text);
    store_destroy(run.store);
}

/* --- processes that die ---------------------------------------------------------------------- */

static const char *program(const char *text)
{
    static char path[160], spec[200];
    FILE *file;

    snprintf(path, sizeof path, "%s/program", folder);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    ck_assert_int_eq(chmod(path, 0755), 0);
    snprintf(spec, sizeof spec, "gnubg:program=%s", path);
    return spec;
}

/* gnubg behind a filter of its commands. */
#define FILTER(condition)                                                                          \
    "#!/bin/sh\nPATH=$PATH:/usr/games\nme=$0\nwhile read -r line; do\n"                            \
    "if [ \"$line\" = 'analyse match' ] " condition                                                \
    "; then : >> \"$me.died\"; exit 1; fi\nprintf '%s\\n' \"$line\"\ndone | gnubg -t -q -r\n"

TEST(a_gnubg_that_dies_is_replaced_and_its_game_judged)
{
    struct run run = {.store = scratch_store_create()};
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    char *path;

    play(run.store, &rules, 4);
    path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1); /* no bwrap: a confined gnubg could not leave a mark */
    judge(&run, program(FILTER("&& [ ! -e \"$me.died\" ]")), 1, false);
    setenv("PATH", path, 1);
    free(path);
    ck_assert_msg(run.broken.status == BG_OK, "%s", run.broken.text);
    ck_assert_uint_eq(run.counts.judged, 4);
    ck_assert_uint_eq(run.counts.failed, 0);
    store_destroy(run.store);
}

TEST(a_gnubg_that_always_dies_breaks_the_judge)
{
    struct run run = {.store = scratch_store_create()};
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);

    play(run.store, &rules, 4);
    judge(&run, program(FILTER("")), 1, false);
    ck_assert_int_eq(run.broken.status, BG_E_START);
    ck_assert_msg(strstr(run.broken.text, "again and again") != NULL, "%s", run.broken.text);
    ck_assert_uint_eq(run.counts.judged, 0);
    store_destroy(run.store);
}

static const struct {
    const char *text, *message;
} strangers[] = {
    {"#!/bin/sh\necho no such thing; exit 3\n",
     "does not start: exit 3; it printed: no such thing"},
    {"#!/bin/sh\nwhile read -r a b; do echo \"for topic \\`$b'\"; done\n",
     "does not print that it is GNU Backgammon"},
    {"#!/bin/sh\necho GNU Backgammon 9.9\nwhile read -r a b; do echo \"\\`$b'\"; done\n",
     "match equity table"},
};

TEST_ROWS(a_program_that_is_not_gnubg_breaks_the_judge, strangers)
{
    struct run run = {.store = scratch_store_create()};

    judge(&run, program(strangers[_i].text), 1, false);
    ck_assert_int_ne(run.broken.status, BG_OK);
    ck_assert_msg(strstr(run.broken.text, strangers[_i].message) != NULL, "%s", run.broken.text);
    store_destroy(run.store);
}

/* --- judge names ---------------------------------------------------------------------------- */

static const struct {
    const char *spec, *message; /* NULL: valid */
} specs[] = {
    {"gnubg", NULL},
    {"gnubg:", NULL},
    {"gnubg:plies=0,errors", NULL},
    {"gnubg:plies=2", NULL},
    {"gnubg:program=/x,plies=1", NULL},
    {"gnubg:plies=9", "plies=9: expected 0 to 2"},
    {"gnubg:plies=", "plies=: expected"},
    {"gnubg:ply=1", "invalid 'ply': use plies"},
    {"gnubg:program=", "invalid 'program': use"},
    {"bot:greedy,Style=bold", NULL},
    {"greedy,Style=bold,Style=calm", NULL},
    {"greedy:errors", NULL},
    {"bot:greedy,errors", NULL},
    {"rollout:greedy,trials=36,errors", NULL},
    {"greedy:Style=bold,errors", NULL},
    {"nobody:errors", "no bot is called 'nobody'"},
    {"greedy:errors=on", NULL}, /* an option of that name, which only the bot can refuse */
    {"bot", "name a bot that can value positions"},
    {"bot:greedy,=x", "judge greedy: an option's name has 1 to 64 bytes"},
};

TEST_ROWS_IN(texts, a_judge_is_named_by_kind_and_words, specs)
{
    enum bg_status status = judge_check(specs[_i].spec, &error);

    ck_assert_int_eq(status, specs[_i].message == NULL ? BG_OK : BG_E_ARGUMENT);
    ck_assert_msg(specs[_i].message == NULL || strstr(error.text, specs[_i].message) != NULL, "%s",
                  error.text);
}

TEST_IN(texts, a_missing_program_error_names_the_remedy)
{
    struct judge_queue *queue = NULL;
    struct judge_queue_setup setup = {.judge = "gnubg:program=no-such-gnubg", .jobs = 1};

    ck_assert_int_eq(judge_queue_open(&queue, &setup, &error), BG_E_START);
    ck_assert_msg(strstr(error.text, "install the package gnubg") != NULL, "%s", error.text);
}

/* --- gnubg's analysis ------------------------------------------------------------------------ */

TEST_IN(texts, an_analysed_game_is_read)
{
    static const char text[] =
        "(;FF[4]PW[a\\]b]GS[M:1 2][D:0 0 0 0 35 35 1 0 0 0 1.31 0.25 -0.65 -0.17]\n"
        ";AE[a:y]AW[a][b]\n;CV[2]\n"
        ";W[54mhxt]A[1][xtto E ver 3 0.5 0.1 0 0.1 0 0.25 0C 0 1 0.0 1]"
        "[mhxt E ver 3 0.5 0.1 0 0.1 0 -0.5 0C 0 1 0.0 1]MR[]LU[0.04441]\n"
        ";B[double]DA[E ver 3 0C 1 0.0 1 .1 .1 .1 .1 .1 .1 0.7 .2 .2 .2 .2 .2 .2 0.9]\n"
        ";W[take]\n;B[61]LU[-1]\n)\n";
    struct analysed game;

    ck_assert_int_eq(analysed_read(&game, text, NULL), BG_OK);
    ck_assert_uint_eq(game.nodes, 4);
    ck_assert(game.has_luck_sums && game.luck[0] == 0.25 && game.luck[1] == -0.17);
    ck_assert(game.node[0].kind == ANALYSED_ROLL && game.node[0].player == 0);
    ck_assert(game.node[0].die[0] == 5 && game.node[0].die[1] == 4);
    ck_assert(game.node[0].has_luck && game.node[0].luck == 0.04441);
    ck_assert(game.node[0].has_play && game.node[0].plays == 2);
    ck_assert(game.node[0].best_equity == 0.25 && game.node[0].equity == -0.5);
    ck_assert_int_eq(game.node[0].best.moves, 2);
    ck_assert(game.node[0].best.from[0] == 24 && game.node[0].best.to[0] == 20);
    ck_assert(game.node[1].kind == ANALYSED_DOUBLE && game.node[1].player == 1);
    ck_assert(game.node[1].has_cube && game.node[1].no_double == 0.7 && game.node[1].take == 0.9);
    ck_assert_int_eq(game.node[2].kind, ANALYSED_TAKE);
    ck_assert(game.node[3].luck == -1 && !game.node[3].has_play);
    analysed_deinit(&game);
}

static const struct {
    const char *text, *message;
} unreadable[] = {
    {"", "byte 0: expected a game"},
    {"(;W[61]", "expected a property"},
    {"(;W[61])(;W[61])", "more than one game"},
    {"(;W[61](;B[21]))", "expected a property"},
    {"(;W[71])", "unknown action"},
    {"(;W[61ab cd])", NULL},
    {"(;W[61]B[21])", "two actions"},
    {"(;W[61]LU[x])", "invalid property"},
    {"(;W[61]A[1][ab E ver 3 0 0 0 0 0 0])", NULL}, /* dice that were not played */
    {"(;W[61]A[-1][ab E ver 3 0 0 0 0 0 0])", "invalid property"},
    {"(;W[61]A[0][ab E ver 4 0 0 0 0 0 0])", "invalid property"},
    {"(;W[double]DA[E ver 3 0C 1 0 1 0 0])", "invalid property"},
    {"(;GS[D:1 2 3])", "invalid property"},
};

TEST_ROWS_IN(texts, invalid_analysis_is_refused, unreadable)
{
    struct analysed game;
    enum bg_status status = analysed_read(&game, unreadable[_i].text, &error);

    if (unreadable[_i].message == NULL) {
        ck_assert_int_eq(status, BG_OK);
    } else {
        ck_assert_int_eq(status, BG_E_FORMAT);
        ck_assert_msg(strstr(error.text, unreadable[_i].message) != NULL, "%s", error.text);
    }
    analysed_deinit(&game);
}

void suite_begin(TCase *tests)
{
    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
}
