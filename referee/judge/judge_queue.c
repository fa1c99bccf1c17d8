/* The cursor only goes forward: a game that failed is not submitted again in this run, and games
 * that become durable later stand behind it. The judgement is put into the store before the next
 * game is submitted; a kill loses the games in work, which the next run finds without a
 * judgement. */
#include "judge_queue.h"

#include <stdio.h>
#include <stdlib.h>

#include <base/memory.h>

#include "bot/conditions.h"

struct judge_queue {
    struct judge_queue_setup setup;
    struct judge *judge;
    int64_t cursor;
    int shown;     /* games that the store has returned in this look */
    bool waits;    /* for the first judge_queue_wake */
    bool is_empty; /* no game waited at the last look */
    bool is_broken;
    bool has_conditions; /* they are stored */
    struct bg_error err; /* set inside a callback of the store */
    struct judge_queue_counts counts;
};

static void break_down(struct judge_queue *queue, const struct bg_error *err)
{
    if (!queue->is_broken) {
        queue->is_broken = true;
        queue->setup.listener->broken(queue->setup.user, err);
    }
}

static bool submit(void *user, const struct store_game *game)
{
    struct judge_queue *queue = user;

    queue->shown++;
    judge_submit(queue->judge, game);
    return judge_room(queue->judge) > 0;
}

/* Submits games from the store while the judge has room. */
static void feed(struct judge_queue *queue)
{
    struct store *store = queue->setup.store;
    const char *name = judge_name(queue->judge);
    int room;

    while (name != NULL && !queue->waits && !queue->is_broken && !queue->is_empty &&
           (room = judge_room(queue->judge)) > 0) {
        const struct store_query query = {.rows = STORE_UNJUDGED,
                                          .name = queue->setup.again ? NULL : name,
                                          .full = queue->judge->errors,
                                          .cursor = &queue->cursor,
                                          .limit = room,
                                          .fn.game = submit,
                                          .user = queue};

        queue->shown = 0;
        if (store->ops->each(store, &query, &queue->err) != BG_OK) {
            break_down(queue, &queue->err);
            return;
        }
        /* Fewer than were asked for: no more wait. */
        queue->is_empty = queue->shown < room;
    }
}

/* Under which conditions the judge judges. A judgement is no worse without. */
static void keep_conditions(struct judge_queue *queue)
{
    const char *name = judge_name(queue->judge);
    struct store *store = queue->setup.store;
    char key[64 + CONDITIONS_TEXT], conditions[CONDITIONS_TEXT];
    struct bg_error err;

    if (queue->has_conditions || name == NULL || store == NULL) {
        return;
    }
    queue->has_conditions = true;
    conditions_here(conditions, conditions_need_gnubg(name));
    snprintf(key, sizeof key, "conditions.judge.%.500s", name);
    (void)store_meta_set(store, key, conditions, &err);
}

static void on_judge_ready(void *user)
{
    struct judge_queue *queue = user;

    keep_conditions(queue);
    feed(queue);
    queue->setup.listener->moved(queue->setup.user);
}

static void on_judged(void *user, struct judgement *take)
{
    struct judge_queue *queue = user;
    struct store *store = queue->setup.store;
    struct bg_error err;

    queue->counts.judged++;
    queue->counts.game_cpu_ns += take->cpu_ns > 0 ? take->cpu_ns : 0;
    if (store_put_judgement(store, take, &err) != BG_OK) {
        break_down(queue, &err);
        return;
    }
    feed(queue);
    queue->setup.listener->moved(queue->setup.user);
}

static void on_game_failed(void *user, const char *game_id, const struct bg_error *err)
{
    struct judge_queue *queue = user;

    queue->counts.failed++;
    queue->setup.listener->failed(queue->setup.user, game_id, err);
    feed(queue);
    queue->setup.listener->moved(queue->setup.user);
}

static void on_judge_broken(void *user, const struct bg_error *err)
{
    break_down(user, err);
}

static const struct judge_listener judge_listener = {on_judge_ready, on_judged, on_game_failed,
                                                     on_judge_broken};

enum bg_status judge_queue_open(struct judge_queue **out, const struct judge_queue_setup *setup,
                                struct bg_error *err)
{
    struct judge_queue *queue = memory_zeroed(1, sizeof *queue);
    enum bg_status status;

    queue->setup = *setup;
    queue->waits = setup->waits;

    const struct judge_setup judge_setup = {.loop = setup->loop,
                                            .jobs = setup->jobs,
                                            .errors = setup->errors,
                                            .nice = setup->nice,
                                            .confined = setup->confined,
                                            .hidden = setup->hidden,
                                            .listener = &judge_listener,
                                            .user = queue};

    status = judge_open(&queue->judge, setup->judge, &judge_setup, err);
    if (status != BG_OK) {
        free(queue);
        return status;
    }
    *out = queue;
    return BG_OK;
}

void judge_queue_close(struct judge_queue *queue)
{
    if (queue != NULL) {
        judge_destroy(queue->judge);
        free(queue);
    }
}

void judge_queue_wake(struct judge_queue *queue)
{
    queue->waits = false;
    queue->is_empty = false;
    feed(queue);
}

bool judge_queue_is_done(const struct judge_queue *queue)
{
    return queue->is_empty && judge_busy(queue->judge) == 0;
}

void judge_queue_counts(struct judge_queue_counts *out, const struct judge_queue *queue)
{
    *out = queue->counts;
    out->cpu_ns = judge_cpu_ns(queue->judge);
}

const char *judge_queue_judge(const struct judge_queue *queue)
{
    return judge_name(queue->judge);
}

bool judge_queue_errors(const struct judge_queue *queue)
{
    return queue->judge->errors;
}
