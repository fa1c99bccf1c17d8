#include "judge_queue.h"

#include <stdlib.h>

struct docket {
    struct docket_setup setup;
    struct judge *judge;
    int64_t cursor;
    int64_t taken; /* the cursor behind the last game that the judge got */
    int shown;     /* games that the store has shown in this look and that were not held back */
    bool is_empty; /* nothing waited when the store was last asked */
    bool is_broken;
    bool has_error;
    struct bg_error err; /* from within a store's callback */
    struct docket_counts counts;
};

static void break_down(struct docket *docket, const struct bg_error *err)
{
    if (!docket->is_broken) {
        docket->is_broken = true;
        docket->setup.listener->broken(docket->setup.user, err);
    }
}

static bool submit(void *user, const struct store_game *game)
{
    struct docket *docket = user;

    if (docket->setup.may_judge != NULL && !docket->setup.may_judge(docket->setup.user, game)) {
        return false;
    }
    docket->taken = docket->cursor;
    docket->shown++;
    if (docket->setup.skips != NULL && docket->setup.skips(docket->setup.user, game)) {
        docket->counts.skipped++;
        return true;
    }
    docket->has_error = judge_submit(docket->judge, game, &docket->err) != BG_OK;
    return !docket->has_error && judge_room(docket->judge) > 0;
}

/* Fills the judge's room from the store. */
static void feed(struct docket *docket)
{
    struct store *store = docket->setup.store;
    const char *name = judge_name(docket->judge);
    int room;

    /* More than one look where all that it showed was skipped. */
    while (name != NULL && !docket->is_broken && !docket->is_empty &&
           (room = judge_room(docket->judge)) > 0) {
        enum bg_status status;

        docket->shown = 0;
        status =
            store->ops->unjudged(store, docket->setup.again ? NULL : name, docket->setup.errors,
                                 &docket->cursor, room, submit, docket, &docket->err);
        docket->cursor = docket->taken; /* a game that was held back is shown again */
        if (status != BG_OK || docket->has_error) {
            break_down(docket, &docket->err);
            return;
        }
        docket->is_empty = docket->shown < room;
    }
}

static void on_ready(void *user)
{
    struct docket *docket = user;

    feed(docket);
    docket->setup.listener->moved(docket->setup.user);
}

static void on_judged(void *user, struct judgement *take)
{
    struct docket *docket = user;
    struct store *store = docket->setup.store;
    struct bg_error err;

    docket->counts.judged++;
    docket->counts.game_cpu_ns += take->cpu_ns > 0 ? take->cpu_ns : 0;
    if (store->ops->put_judgement(store, take, &err) != BG_OK) {
        break_down(docket, &err);
        return;
    }
    feed(docket);
    docket->setup.listener->moved(docket->setup.user);
}

static void on_failed(void *user, const char *game_id, const struct bg_error *err)
{
    struct docket *docket = user;

    docket->counts.failed++;
    docket->setup.listener->failed(docket->setup.user, game_id, err);
    feed(docket);
    docket->setup.listener->moved(docket->setup.user);
}

static void on_broken(void *user, const struct bg_error *err)
{
    break_down(user, err);
}

static const struct judge_listener judge_listener = {on_ready, on_judged, on_failed, on_broken};

enum bg_status docket_open(struct docket **out, const struct docket_setup *setup,
                           struct bg_error *err)
{
    struct docket *docket = calloc(1, sizeof *docket);
    enum bg_status status;

    if (docket == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "judge");
    }
    docket->setup = *setup;

    const struct judge_setup judge_setup = {.loop = setup->loop,
                                            .jobs = setup->jobs,
                                            .errors = setup->errors,
                                            .nice = setup->nice,
                                            .confined = setup->confined,
                                            .hidden = setup->hidden,
                                            .listener = &judge_listener,
                                            .user = docket};

    status = judge_open(&docket->judge, setup->judge, &judge_setup, err);
    if (status != BG_OK) {
        free(docket);
        return status;
    }
    *out = docket;
    return BG_OK;
}

void docket_close(struct docket *docket)
{
    if (docket != NULL) {
        judge_destroy(docket->judge);
        free(docket);
    }
}

void docket_wake(struct docket *docket)
{
    docket->is_empty = false;
    feed(docket);
}

bool docket_is_done(const struct docket *docket)
{
    return docket->is_empty && judge_busy(docket->judge) == 0;
}

void docket_counts(struct docket_counts *out, const struct docket *docket)
{
    *out = docket->counts;
    out->cpu_ns = judge_cpu_ns(docket->judge);
}

const char *docket_judge(const struct docket *docket)
{
    return judge_name(docket->judge);
}
