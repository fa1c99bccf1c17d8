/* cmd_judge.c - bgref judge: values the games of a results database. Each judgement is stored
 * when it is made: an end by a signal loses only the games in work, and the same command goes
 * on. */
#define _GNU_SOURCE
#include "referee_commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/exit_status.h>
#include <tables/adjusted_text.h>
#include <sums/results_set.h>
#include <tables/judged_text.h>

#include "config/config.h"
#include "judge/confinement.h"
#include "judge/judge_queue.h"
#include "log.h"
#include "loop/signals.h"
#include "process/descriptors.h"
#include "process/launcher.h"
#include "base/plural.h"
#include "cmd/command.h"

enum { FAILURES_TOLD = 5, PROGRESS_S = 10 };

struct arguments {
    const char *results;
    const char *judge;
    uint64_t jobs;
    bool errors, again, pairings, quiet;
    enum config_sandbox sandbox;
};

/* --- the command line ------------------------------------------------------------------------ */

static void take_judge(void *arguments, const char *text, const struct command_row *row)
{
    struct bg_error err = {.text = ""};

    if (judge_check(text, &err) != BG_OK) {
        command_misuse("--%s: %s", row->name, err.text);
    }
    ((struct arguments *)arguments)->judge = text;
}

static void take_sandbox(void *arguments, const char *text, const struct command_row *row)
{
    if (!config_sandbox_read(&((struct arguments *)arguments)->sandbox, text)) {
        command_misuse("--%s: '%s': expected auto, on or off", row->name, text);
    }
}

static const struct command_row options[] = {
    {"judge", .value = "SPEC",
     .help = "Who judges (default gnubg): gnubg or gnubg:plies=0,program=PATH, which analyses "
             "games; or "
             "any "
             "bot that values positions, by name or path: greedy, bot:gnubg,Plies=1, ./mybot; or "
             "rollouts "
             "by "
             "such a bot: rollout:greedy,trials=36,truncate=7",
     .take = take_judge},
    {"jobs", .value = "N", .help = "Games judged at once (default: the cores of this machine)",
     COMMAND_COUNT(jobs), .least = 1, .most = 256},
    {"errors",
     .help = "Judge decisions as well as luck: error rates of checker play and cube (takes longer)",
     COMMAND_FLAG(errors)},
    {"again", .help = "Also the games that this judge has judged before", COMMAND_FLAG(again)},
    {"pairings", .help = "Every pairing by itself; else, of more than two bots, one row a bot",
     COMMAND_FLAG(pairings)},
    {"sandbox", .value = "WORD",
     .help = "Whether the judge is confined: auto (default: where this machine can), on, off; an "
             "event has "
             "judge_sandbox",
     .take = take_sandbox},
    {"quiet", .help = "No progress, only the final table", COMMAND_FLAG(quiet)},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_TEXT(results), .is_needed = true}, {0}};

static const struct command command = {
    .usage = "RESULTS.db",
    .help =
        "Has a judge value every roll of the games that it has not judged yet, keeps that in the "
        "database, and prints results without luck beside the plain ones.",
    .options = options,
    .words = words,
    .missing = "needs a results database",
};

/* --- the run --------------------------------------------------------------------------------- */

struct judge_run {
    const struct arguments *arguments;
    struct store *store;
    struct loop *loop;
    struct judge_queue *queue;
    struct signals *signals;
    uint64_t waiting; /* number of games to judge, as known when the judge was ready */
    int64_t began_ns, told_ns;
    int told_failures;
    int interrupted; /* the signal that interrupted it, or 0 */
    bool is_counted;
    struct bg_error broken;
};

static bool count_game(void *user, const struct store_game *game)
{
    (void)game;
    ++*(uint64_t *)user;
    return true;
}

struct judge_own_games {
    const char *judge;
    uint64_t games;
};

static void count_own(void *user, const char *judge, uint64_t games)
{
    struct judge_own_games *own = user;

    own->games = strcmp(judge, own->judge) == 0 ? games : own->games;
}

/* Counts the games to judge; if games of this judge lack their decisions, counts all of those. */
static enum bg_status count_waiting(struct judge_run *run, struct bg_error *err)
{
    struct store *store = run->store;
    struct judge_own_games own = {.judge = judge_queue_judge(run->queue)};
    uint64_t games = 0;
    enum bg_status status = store_all_games(store, false, count_game, &games, err);

    if (status == BG_OK && !run->arguments->again && !judge_queue_errors(run->queue)) {
        status = store_each_judge(store, count_own, &own, err);
    }
    run->waiting = games - (games > own.games ? own.games : games);
    run->is_counted = true;
    return status;
}

static void progress(struct judge_run *run, bool last)
{
    struct judge_queue_counts counts;
    int64_t now_ns = loop_now(run->loop);
    bool terminal = isatty(STDERR_FILENO) == 1;
    int64_t pause_ns = (terminal ? 1 : PROGRESS_S * 2) * INT64_C(500000000);

    if (run->arguments->quiet || (!last && now_ns - run->told_ns < pause_ns)) {
        return;
    }
    run->told_ns = now_ns;
    judge_queue_counts(&counts, run->queue);
    fprintf(stderr, "%s%llu of %llu %s judged, %.1f a second%s", terminal ? "\r" : "",
            (unsigned long long)counts.judged, (unsigned long long)run->waiting,
            plural(run->waiting, "game", "games"),
            (double)counts.judged * 1e9 / (double)(now_ns - run->began_ns + 1),
            terminal && !last ? "\033[K" : "\n");
}

static void on_moved(void *user)
{
    struct judge_run *run = user;
    struct bg_error err;

    if (!run->is_counted && count_waiting(run, &err) != BG_OK) {
        run->broken = err;
        loop_stop(run->loop);
        return;
    }
    progress(run, false);
    if (judge_queue_is_done(run->queue)) {
        loop_stop(run->loop);
    }
}

static void on_failed(void *user, const char *game_id, const struct bg_error *err)
{
    struct judge_run *run = user;

    if (run->told_failures++ < FAILURES_TOLD) {
        log_warn("judge", "game=%s not judged: %s", game_id, err->text);
    }
}

static void on_queue_broken(void *user, const struct bg_error *err)
{
    struct judge_run *run = user;

    run->broken = *err;
    loop_stop(run->loop);
}

static const struct judge_queue_listener listener = {on_moved, on_failed, on_queue_broken};

static void on_interrupt(void *user)
{
    struct judge_run *run = user;
    int number = signals_take(run->signals);

    if (number != 0) {
        run->interrupted = number;
        loop_stop(run->loop);
    }
}

static void on_store(void *user)
{
    struct judge_run *run = user;
    struct bg_error err;
    uint64_t durable;

    if (run->store->ops->settled(run->store, &durable, &err) != BG_OK) {
        on_queue_broken(run, &err);
    }
}

static enum bg_status open_queue_loop(struct judge_run *run, struct bg_error *err)
{
    int jobs = run->arguments->jobs > 0 ? (int)run->arguments->jobs : config_cores();
    enum bg_status status = descriptors_suffice(0, jobs, err);
    int settled_fd = run->store->ops->settled_fd(run->store);

    if (status == BG_OK) {
        status = loop_create(&run->loop, err);
    }
    if (status == BG_OK) {
        status = loop_watch(run->loop, signals_fd(run->signals), on_interrupt, run, err);
    }
    if (status == BG_OK && settled_fd >= 0) {
        status = loop_watch(run->loop, settled_fd, on_store, run, err);
    }
    return status;
}

static enum bg_status judge_games(struct judge_run *run, struct bg_error *err)
{
    const struct arguments *arguments = run->arguments;
    struct confinement confinement;
    enum bg_status status = confinement_of(&confinement, arguments->sandbox, "--sandbox", err);
    const struct judge_queue_setup setup = {
        .store = run->store,
        .loop = run->loop,
        .judge = arguments->judge,
        .jobs = arguments->jobs > 0 ? (int)arguments->jobs : config_cores(),
        .errors = arguments->errors,
        .again = arguments->again,
        .confined = confinement.confined,
        .hidden = arguments->results,
        .listener = &listener,
        .user = run,
    };

    if (status != BG_OK) {
        return status;
    }
    if (!arguments->quiet) {
        fprintf(stderr, "judge: %s, %s\n", arguments->judge, confinement.how);
    }
    /* Before the queue, which starts processes: what they leave becomes ours. */
    launcher_begin();
    status = judge_queue_open(&run->queue, &setup, err);

    if (status != BG_OK) {
        return status;
    }
    run->began_ns = run->told_ns = loop_now(run->loop);
    status = loop_run(run->loop, err);
    if (status == BG_OK && run->broken.status != BG_OK) {
        status = bg_error_set(err, run->broken.status, "%s", run->broken.text);
    }
    return status;
}

static void tell_run(struct judge_run *run)
{
    struct judge_queue_counts counts;

    judge_queue_counts(&counts, run->queue);
    progress(run, true);
    if (counts.failed > 0) {
        log_warn("judge", "games=%llu were not judged", (unsigned long long)counts.failed);
    }
    if (!run->arguments->quiet && counts.judged > 0) {
        fprintf(
            stderr,
            "judged now: %llu %s, %.4f s of CPU a game; to start the judge and end it: %.2f s\n",
            (unsigned long long)counts.judged, plural(counts.judged, "game", "games"),
            (double)counts.game_cpu_ns / 1e9 / (double)counts.judged,
            (double)(counts.cpu_ns - counts.game_cpu_ns) / 1e9);
    }
}

/* Prints the judged games' results, also after an interruption. */
static enum bg_status conclude(struct judge_run *run, struct bg_error *err)
{
    const char *judge = judge_queue_judge(run->queue);
    struct judged_sums sums = {.games = 0};
    struct event_results results = {.store = NULL}; /* for the order of the bots */
    /* The table is read from the file, so what is judged has to be there. */
    enum bg_status status = run->store->ops->flush(run->store, err);

    if (status == BG_OK && judge != NULL) {
        tell_run(run);
        status = event_results_open(&results, run->arguments->results, err);
    }
    if (status == BG_OK && judge != NULL) {
        status = judged_sums_of(&sums, run->store, &results.tally, judge, err);
    }
    if (status == BG_OK && judge != NULL && sums.bots > 2) {
        status = adjusted_print(stdout, &sums, results.tally.games, err);
    }
    if (status == BG_OK && judge != NULL) {
        const struct judged_text_options form = {.pairings = run->arguments->pairings,
                                                 .results = run->arguments->results,
                                                 .judge = run->arguments->judge};

        judged_text(stdout, &sums, &form);
    }
    judged_sums_deinit(&sums);
    event_results_close(&results);
    return status;
}

/* Refuses a missing or empty file: opening it for writing would make a database of it. */
static enum bg_status need_results(const char *path, struct bg_error *err)
{
    struct store *store = NULL;
    enum bg_status status = event_store_open(&store, path, err);

    store_destroy(store);
    return status;
}

static enum bg_status judge_results(struct judge_run *run, struct bg_error *err)
{
    const char *path = run->arguments->results;
    enum bg_status status = need_results(path, err);

    if (status == BG_OK) {
        status = signals_open(&run->signals, err);
    }
    if (status == BG_OK) {
        status = store_sqlite_open(&run->store, path, err);
    }
    if (status == BG_OK) {
        status = open_queue_loop(run, err);
    }
    if (status == BG_OK) {
        status = judge_games(run, err);
    }
    if (status == BG_OK) {
        status = conclude(run, err);
    }
    return status;
}

int cmd_judge(int argc, char **argv)
{
    struct arguments arguments = {.judge = "gnubg", .sandbox = CONFIG_SANDBOX_AUTO};
    struct judge_run run = {.arguments = &arguments};
    struct bg_error err = {.text = ""};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    descriptors_raise();
    status = log_open(NULL, &err);
    if (status == BG_OK) {
        status = judge_results(&run, &err);
    }
    judge_queue_close(run.queue);
    loop_destroy(run.loop);
    store_destroy(run.store);
    launcher_end();
    signals_close(run.signals);
    if (err.text[0] != '\0') {
        command_say(err.text);
    }
    return status == BG_OK && run.interrupted != 0 ? signals_exit_status(run.interrupted)
                                                   : exit_status_of(status);
}
