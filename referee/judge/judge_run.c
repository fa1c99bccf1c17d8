/* How many games are left can be said only when play has ended: until then games come and
 * judgements come, and the difference says nothing. Failures are logged a few times only, since
 * a judge that fails on one game mostly fails on the others for the same reason. */
#include "judge_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "log.h"
#include "tables/adjusted_text.h"
#include "tables/judged_text.h"

enum { NICE = 19, FAILURES_LOGGED = 5 };

/* ------------------------------------------------------------------- open games */

static uint64_t games_done(const struct judging *judging)
{
    struct judge_queue_counts counts;

    judge_queue_counts(&counts, judging->queue);
    return counts.judged + counts.failed;
}

struct run_own_games {
    const char *judge;
    uint64_t games;
};

static void count_own(void *user, const char *judge, uint64_t games)
{
    struct run_own_games *own = user;

    own->games = strcmp(judge, own->judge) == 0 ? games : own->games;
}

/* Counts the games that this judge has not judged yet, after play has ended and the store was
 * flushed. */
static void count_rest(struct judging *judging)
{
    struct run_own_games own = {.judge = NULL};

    if (judging->queue == NULL || judging->is_counted || !judging->is_last) {
        return;
    }
    own.judge = judge_queue_judge(judging->queue);
    if (own.judge == NULL || store_each_judge(judging->store, count_own, &own, NULL) != BG_OK) {
        return;
    }
    judging->rest.total =
        judging->played - (own.games < judging->played ? own.games : judging->played);
    judging->done_before = games_done(judging);
    judging->is_counted = true;
}

/* ---------------------------------------------------------------- the judge queue's calls */

static void tell_name(struct judging *judging)
{
    if (judging->is_begun && !judging->is_named && judge_queue_judge(judging->queue) != NULL) {
        judging->is_named = true;
        judging->named(judging->user, judge_queue_judge(judging->queue));
    }
}

static void on_moved(void *user)
{
    struct judging *judging = user;

    count_rest(judging);
    tell_name(judging);
    if (judge_queue_is_done(judging->queue)) {
        judging->done(judging->user);
    }
}

static void on_failed(void *user, const char *game_id, const struct bg_error *err)
{
    struct judging *judging = user;

    if (judging->logged++ < FAILURES_LOGGED) {
        log_warn("judge", "game=%s not judged: %s", game_id, err->text);
    }
}

static void on_queue_broken(void *user, const struct bg_error *err)
{
    struct judging *judging = user;

    judging->is_broken = true;
    log_error("judge", "%s; the games continue without it; 'bgref judge' can judge them later",
              err->text);
    judging->done(judging->user);
}

static const struct judge_queue_listener listener = {on_moved, on_failed, on_queue_broken};

enum bg_status judging_open(struct judging *out, const struct judging_setup *setup,
                            struct bg_error *err)
{
    const struct config_event *event = setup->event;
    const struct judge_queue_setup queue = {
        .store = setup->store,
        .loop = setup->loop,
        .judge = event->judge,
        .jobs = config_cores(),
        /* Where a test waits for the judge, one that others starve would stop the event: on a busy
         * machine the lowest priority gets a hundredth of a core. */
        .nice = event->sprt.luck ? 0 : NICE,
        .confined = setup->confined,
        .hidden = event->results,
        .waits = true,
        .listener = &listener,
        .user = out,
    };

    *out = (struct judging){
        .store = setup->store, .named = setup->named, .done = setup->done, .user = setup->user};
    return event->judge[0] == '\0' ? BG_OK : judge_queue_open(&out->queue, &queue, err);
}

void judging_close(struct judging *judging)
{
    judge_queue_close(judging->queue);
    judging->queue = NULL;
}

void judging_begin(struct judging *judging)
{
    judging->is_begun = true;
    if (judging->queue != NULL && !judging->is_broken) {
        tell_name(judging);
        judge_queue_wake(judging->queue);
    }
}

void judging_wake(struct judging *judging)
{
    if (judging->queue != NULL && !judging->is_broken) {
        judge_queue_wake(judging->queue);
    }
}

void judging_finish(struct judging *judging, uint64_t games)
{
    judging->played = games;
    judging->is_last = true;
    count_rest(judging);
    judging_wake(judging);
}

bool judging_is_done(const struct judging *judging)
{
    return judging->queue == NULL || judging->is_broken || judge_queue_is_done(judging->queue);
}

bool judging_rest(struct judging_rest *out, const struct judging *judging)
{
    *out = judging->rest;
    if (judging->is_counted) {
        out->done = games_done(judging) - judging->done_before;
    }
    return judging->is_counted && (out->total > 0 || out->done > 0);
}

bool judging_has_failed(const struct judging *judging)
{
    return judging->is_broken || judging->logged > 0;
}

/* Adds the bots in the event's order, which all its tables use. */
static void name_bots(struct tally *names, const struct config_event *event)
{
    tally_init(names, event->rules.length_points);
    names->any_length = config_event_has_lengths(event);
    for (int i = 0; i < event->bot_count; i++) {
        tally_add_bot(names, event->bots[i].name);
    }
}

enum bg_status judging_table(FILE *out, const struct judging *judging,
                             const struct config_event *event, uint64_t games, struct bg_error *err)
{
    struct judged_sums sums = {.judge = NULL};
    struct tally names;
    struct judge_queue_counts counts;
    enum bg_status status;

    if (judging->queue == NULL || judge_queue_judge(judging->queue) == NULL) {
        return BG_OK;
    }
    judge_queue_counts(&counts, judging->queue);
    if (counts.failed > 0) {
        log_warn("judge", "games=%" PRIu64 " were not judged", counts.failed);
    }
    name_bots(&names, event);
    status = judged_sums_of(&sums, judging->store, &names, judge_queue_judge(judging->queue), err);
    if (status == BG_OK && sums.bots > 2) {
        status = adjusted_print(out, &sums, games, err);
    }
    if (status == BG_OK) {
        const struct judged_text_options options = {.results = event->results,
                                                    .judge = event->judge};

        judged_text(out, &sums, &options);
    }
    judged_sums_deinit(&sums);
    tally_deinit(&names);
    return status;
}
