/* Questions are lent to the processes until they are answered. So an end that is known early (a
 * rollout that is exact enough, an error) still waits for the answers that are out. */
#include "valuer.h"

#include <stdlib.h>

#include <base/memory.h>

#include "process/descriptors.h"
#include "process/launcher.h"

enum {
    REQUEST_MAX = 32 /* questions in one request: several processes share those that are ready */
};

/* What the valuer works on. */
struct valuer_work {
    bool (*give)(struct valuer *valuer, int place); /* sends the place a request; false: none */
    void (*take)(struct valuer *valuer, int place, const struct bg_value *values, size_t count);
    bool (*is_done)(const struct valuer *valuer);
};

struct valuer {
    struct loop *loop;
    struct evaluators *bots;
    int jobs;
    const struct valuer_work *work; /* NULL: it waits for the first process */
    int open;                       /* requests without answer */
    struct {
        const struct bg_ask *const *asks;
        struct bg_value *values;
        size_t count, sent, answered;
    } list;
    struct {
        struct rollout *rollout;
        valuer_progress_fn progress;
        void *user;
    } run;
    size_t *first;            /* owned; [jobs]: the index of a request's first question */
    int (*slot)[REQUEST_MAX]; /* owned; [jobs] */
    struct bg_error err;      /* why it stops; BG_OK: it does not */
};

/* ---------------------------------------------------------------- the bots' news */

/* Gives all free places a request. Returns true if all is done and no answer is missing: questions
 * are lent to the bots until then. */
static bool give_all(struct valuer *valuer)
{
    bool ends = valuer->work->is_done(valuer) || valuer->err.status != BG_OK;

    for (int i = 0; i < valuer->jobs && !ends; i++) {
        if (evaluators_is_free(valuer->bots, i) && valuer->work->give(valuer, i)) {
            valuer->open++;
        }
        ends = valuer->work->is_done(valuer);
    }
    return ends && valuer->open == 0;
}

static void on_pool_ready(void *user, int place)
{
    struct valuer *valuer = user;

    (void)place;
    if (valuer->work == NULL || give_all(valuer)) {
        loop_stop(valuer->loop);
    }
}

static void on_valued(void *user, int place, const struct bg_value *values, size_t count)
{
    struct valuer *valuer = user;

    valuer->open--;
    if (!valuer->work->is_done(valuer) && valuer->err.status == BG_OK) {
        valuer->work->take(valuer, place, values, count);
    }
    if (give_all(valuer)) {
        loop_stop(valuer->loop);
    }
}

static void on_pool_broken(void *user, const struct bg_error *err)
{
    struct valuer *valuer = user;

    valuer->err = *err;
    loop_stop(valuer->loop);
}

static const struct evaluators_listener listener = {on_pool_ready, on_valued, on_pool_broken};

/* Gives requests and takes answers until all is done. work NULL: until a process is ready. */
static enum bg_status work_on(struct valuer *valuer, const struct valuer_work *work,
                              struct bg_error *err)
{
    enum bg_status status = BG_OK;

    valuer->work = work;
    if (work == NULL || !give_all(valuer)) {
        status = loop_run(valuer->loop, err);
    }
    if (status == BG_OK && valuer->err.status != BG_OK) {
        status = bg_error_set(err, valuer->err.status, "%s", valuer->err.text);
    }
    return status;
}

/* ---------------------------------------------------------------- a list of questions */

static bool give_list(struct valuer *valuer, int place)
{
    size_t left = valuer->list.count - valuer->list.sent;
    size_t count = left < REQUEST_MAX ? left : REQUEST_MAX;

    if (count > 0) {
        valuer->first[place] = valuer->list.sent;
        evaluators_ask(valuer->bots, place, &valuer->list.asks[valuer->list.sent], count);
        valuer->list.sent += count;
    }
    return count > 0;
}

static void take_list(struct valuer *valuer, int place, const struct bg_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        valuer->list.values[valuer->first[place] + i] = values[i];
    }
    valuer->list.answered += count;
}

static bool list_is_done(const struct valuer *valuer)
{
    return valuer->list.answered == valuer->list.count;
}

static const struct valuer_work list_work = {give_list, take_list, list_is_done};

enum bg_status valuer_ask(struct bg_value *values, struct valuer *valuer,
                          const struct bg_ask *const *asks, size_t count, struct bg_error *err)
{
    valuer->list.asks = asks;
    valuer->list.values = values;
    valuer->list.count = count;
    valuer->list.sent = valuer->list.answered = 0;
    return work_on(valuer, &list_work, err);
}

/* ---------------------------------------------------------------- a rollout */

static bool give_rollout(struct valuer *valuer, int place)
{
    const struct bg_ask *asks[REQUEST_MAX];
    size_t count = rollout_next(valuer->run.rollout, valuer->slot[place], asks, REQUEST_MAX);

    if (count > 0) {
        evaluators_ask(valuer->bots, place, asks, count);
    }
    return count > 0;
}

static void take_rollout(struct valuer *valuer, int place, const struct bg_value *values,
                         size_t count)
{
    struct rollout *rollout = valuer->run.rollout;
    enum bg_status status = BG_OK;

    for (size_t i = 0; i < count && status == BG_OK; i++) {
        status = rollout_take(rollout, valuer->slot[place][i], &values[i], &valuer->err);
    }
    if (valuer->run.progress != NULL) {
        valuer->run.progress(valuer->run.user, rollout_sums(rollout)->trials);
    }
}

static bool rollout_work_is_done(const struct valuer *valuer)
{
    return rollout_is_done(valuer->run.rollout);
}

static const struct valuer_work rollout_work = {give_rollout, take_rollout, rollout_work_is_done};

enum bg_status valuer_roll_out(struct valuer *valuer, struct rollout *rollout,
                               valuer_progress_fn progress, void *user, struct bg_error *err)
{
    valuer->run.rollout = rollout;
    valuer->run.progress = progress;
    valuer->run.user = user;
    return work_on(valuer, &rollout_work, err);
}

/* ---------------------------------------------------------------- opening */

enum bg_status valuer_open(struct valuer **out, const struct competitor *bot, int jobs,
                           struct bg_error *err)
{
    struct valuer *valuer = memory_zeroed(1, sizeof *valuer);
    struct evaluators_setup setup = {.bot = bot,
                                     .places = jobs,
                                     .role = "bot",
                                     .start_hint = "",
                                     .listener = &listener,
                                     .user = valuer};
    enum bg_status status;

    launcher_begin();
    valuer->jobs = jobs;
    valuer->first = memory_zeroed((size_t)jobs, sizeof *valuer->first);
    valuer->slot = memory_zeroed((size_t)jobs, sizeof *valuer->slot);
    status = descriptors_suffice(0, jobs, err);
    if (status == BG_OK) {
        status = loop_create(&valuer->loop, err);
    }
    setup.loop = valuer->loop;
    if (status == BG_OK) {
        status = evaluators_open(&valuer->bots, &setup, err);
    }
    if (status == BG_OK) {
        status = work_on(valuer, NULL, err);
    }
    if (status == BG_OK) {
        *out = valuer;
    } else {
        valuer_close(valuer);
    }
    return status;
}

void valuer_close(struct valuer *valuer)
{
    if (valuer == NULL) {
        return;
    }
    /* Before the loop, which still has the pool's deadlines. */
    evaluators_close(valuer->bots);
    loop_destroy(valuer->loop);
    launcher_end();
    free(valuer->first);
    free(valuer->slot);
    free(valuer);
}

const char *valuer_version(const struct valuer *valuer)
{
    return evaluators_version(valuer->bots);
}

const char *valuer_options(const struct valuer *valuer)
{
    return evaluators_options(valuer->bots);
}

bool valuer_plays(const struct valuer *valuer, const struct bg_variant *variant)
{
    bool plays = true;

    for (int i = 0; i < valuer->jobs; i++) {
        plays = plays &&
                (!evaluators_is_free(valuer->bots, i) || evaluators_play(valuer->bots, i, variant));
    }
    return plays;
}
