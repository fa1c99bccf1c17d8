/* One thread writes, and callers only put into its queue: nobody who plays waits for the disk,
 * and many games share the cost of one commit. */
#define _GNU_SOURCE
#include "store_sqlite.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <base/memory.h>

#include "record/game_id.h"
#include "base/utc.h"

enum {
    GATHER_MS = 100,    /* how long the first game of a group waits for others */
    GATHER_ITEMS = 128, /* so large a group waits no longer: a commit costs little per game */
    RETRY_MS = 1000     /* between attempts while writing fails */
};

static const char *const statements[SQL_COUNT] = {
    [SQL_BEGIN] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",
    [SQL_GAME] = "INSERT INTO game(" GAME_COLUMNS ",record)"
                 " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
    [SQL_HASH] = "SELECT hash FROM game WHERE a=? AND b=? AND pair=? AND leg=? AND game=?",
    [SQL_FAULT] = "INSERT INTO fault(" FAULT_COLUMNS ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [SQL_JUDGEMENT] =
        "INSERT OR REPLACE INTO judgement(" JUDGEMENT_COLUMNS ") VALUES(?,?,?,?,?,?,?)",
    [SQL_META] = "INSERT INTO meta(key,value) VALUES(?,?)"
                 " ON CONFLICT(key) DO UPDATE SET value=excluded.value",
    [SQL_PAIR] = "SELECT " FACTS " FROM game WHERE a=? AND b=? AND pair=?"
                 " AND NOT (leg=? AND game=?)",
    [SQL_ENCOUNTER] = "SELECT total FROM encounter WHERE a=? AND b=? AND length=?",
    [SQL_ENCOUNTER_SET] = "INSERT INTO encounter(a,b,length,total) VALUES(?,?,?,?)"
                          " ON CONFLICT DO UPDATE SET total=excluded.total",
    [SQL_LOST] = "INSERT INTO lost(bot,fault,games) VALUES(?,?,1)"
                 " ON CONFLICT DO UPDATE SET games=games+1",
    [SQL_RUN] = "SELECT games,sums FROM run WHERE a=? AND b=? AND first=?",
    [SQL_RUN_SET] = "INSERT INTO run(a,b,first,games,sums) VALUES(?,?,?,?,?)"
                    " ON CONFLICT DO UPDATE SET games=excluded.games,sums=excluded.sums",
    [SQL_DATE] = "INSERT OR REPLACE INTO moment(first,at) VALUES(?,?)",
    [SQL_UNPLAYED] = "INSERT OR REPLACE INTO unplayed(a,b,pair,leg,bot,why) VALUES(?,?,?,?,?,?)",
    [SQL_REOPEN] = "DELETE FROM unplayed WHERE bot=?",
    [SQL_ACT] = "INSERT INTO act(number,at,who,kind,subject,reason,hash) VALUES(?,?,?,?,?,?,?)",
    [SQL_STEPS] = "INSERT INTO step(" STEP_COLUMNS ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
    [SQL_STEPS_DROP] = "DELETE FROM step WHERE a=? AND b=? AND pair=? AND leg=? AND game=?",
    [SQL_SEAL] = NULL, /* needed before the others: store_sqlite_seal.c */
};

/* --- writing: the store's thread --------------------------------------------------------- */

/* Turns errors that can go away (a full disk, another program's lock) into BG_E_TIMEOUT, which is
 * tried again. */
static enum bg_status soften(struct bg_error *err, const struct sqlite_store *store)
{
    const char *log = sqlite_log_of(store->writer);

    if (store_place_met_limit(store->path, log)) {
        return bg_error_set(
            err, BG_E_STORE,
            "results %s: write: the file has reached the size limit (see `ulimit -f`): %s",
            store->path, strerror(EFBIG));
    }
    switch (sqlite3_errcode(store->writer)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_PROTOCOL:
        err->status = BG_E_TIMEOUT;
        break;
    default:
        break;
    }
    return err->status;
}

/* Writes the whole batch in one transaction. BG_OK: it is durable; otherwise nothing of it is
 * written and the batch stays. */
static enum bg_status write_batch(struct sqlite_store *store, struct bg_error *conflict,
                                  struct bg_error *err)
{
    if (!sqlite_run(store->sql[SQL_BEGIN], NULL, 0)) {
        sqlite_story(err, store->path, "begin", store->writer);
        return soften(err, store);
    }
    for (size_t i = 0; i < store->batch.count; i++) {
        if (!sqlite_write_item(store, &store->batch.item[i], conflict)) {
            goto failed;
        }
    }
    if (sqlite_tally_write(store) && sqlite_seal_write(store) &&
        sqlite_run(store->sql[SQL_COMMIT], NULL, 0)) {
        sqlite_seal_settle(store, true);
        return BG_OK;
    }
failed:
    sqlite_tally_forget(store);
    sqlite_dates_forget(store);
    sqlite_seal_settle(store, false);
    sqlite_story(err, store->path, "write", store->writer);
    soften(err, store);
    /* SQLite may have rolled back already, for example on a full disk. */
    if (sqlite3_get_autocommit(store->writer) == 0) {
        sqlite_run(store->sql[SQL_ROLLBACK], NULL, 0);
    }
    return err->status;
}

static struct timespec deadline_in(int ms)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += ms * 1000000L;
    at.tv_sec += at.tv_nsec / 1000000000L;
    at.tv_nsec %= 1000000000L;
    return at;
}

/* Waits until there is a group worth a commit and moves it to the batch. Returns false at the
 * end. */
static bool take_batch(struct sqlite_store *store)
{
    bool failed = store->failure.status != BG_OK || store->gone.status != BG_OK;

    while (store->queue.count == 0 && store->batch.count == 0 && !store->stop && !store->look) {
        pthread_cond_wait(&store->work, &store->mutex);
    }

    struct timespec deadline = deadline_in(failed ? RETRY_MS : GATHER_MS);
    size_t enough = failed ? SIZE_MAX : GATHER_ITEMS;

    while (store->queue.count < enough && !store->hurry && !store->stop && !store->look &&
           pthread_cond_timedwait(&store->work, &store->mutex, &deadline) == 0) {
    }
    store->hurry = false;
    if (store->batch.count == 0) {
        struct store_queue empty = store->batch;

        /* The whole queue changes hands, without a copy; a batch that failed stays and is tried
         * again before newer items. */
        store->batch = store->queue;
        store->queue = empty;
    }
    return store->batch.count > 0 || (store->look && !store->stop);
}

static uint64_t tell_durable(struct sqlite_store *store, const struct store_listener *listener)
{
    uint64_t games = 0;

    for (size_t i = 0; i < store->batch.count; i++) {
        const struct store_item *item = &store->batch.item[i];

        if (item->kind == STORE_ITEM_GAME) {
            games++;
            if (item->is_new && listener->game != NULL) {
                listener->game(listener->user, item->as.game);
            }
        } else if (item->kind == STORE_ITEM_JUDGEMENT && listener->judged != NULL) {
            listener->judged(listener->user, item->as.judgement);
        }
    }
    return games;
}

/* Writes the batch and checks that the file still has its name: in a deleted file nothing is
 * durable. Writing would hide that a log was cut. */
static void write_out(struct sqlite_store *store, struct bg_error *gone, struct bg_error *conflict,
                      struct bg_error *err)
{
    if (!sqlite_log_is_cut(store) && store->batch.count > 0 &&
        write_batch(store, conflict, err) != BG_OK) {
        return;
    }
    if (sqlite_is_gone(store, gone)) {
        *err = *gone;
    }
}

/* Called with the mutex held; holds it again on return. Returns false if writing failed. */
static bool settle_batch(struct sqlite_store *store)
{
    struct bg_error error = store->gone, gone = {0}, conflict = {0};
    const struct store_listener listener = store->listener;
    uint64_t games = 0, one = 1;
    size_t items = store->batch.count;
    int64_t begun_ns = 0, done_ns = 0;

    store->look = false;
    pthread_mutex_unlock(&store->mutex);
    if (error.status == BG_OK) {
        begun_ns = utc_steady_ns();
        write_out(store, &gone, &conflict, &error);
        done_ns = utc_steady_ns();
        if (error.status == BG_OK) {
            games = tell_durable(store, &listener);
            store_queue_clear(&store->batch);
        }
    }
    pthread_mutex_lock(&store->mutex);
    if (gone.status != BG_OK) {
        store->gone = gone;
    }
    store->failure = error;
    store->looks++;
    if (error.status == BG_OK) {
        store->written += items;
        store->durable_games += games;
        if (items > 0) {
            histogram_add(&store->commits, done_ns - begun_ns);
        }
        if (conflict.status != BG_OK && store->conflict.status == BG_OK) {
            store->conflict = conflict;
        }
    } else {
        store->failures++;
    }
    pthread_cond_broadcast(&store->done);
    if (write(store->event, &one, sizeof one) < 0) {
        errno = 0; /* the counter is full: the descriptor is readable anyway */
    }
    return error.status == BG_OK;
}

static void *write_thread(void *argument)
{
    struct sqlite_store *store = argument;

    pthread_mutex_lock(&store->mutex);
    while (take_batch(store)) {
        if (!settle_batch(store) && store->stop) {
            break; /* the last attempt has failed too */
        }
    }
    pthread_mutex_unlock(&store->mutex);
    return NULL;
}

/* --- writing: the caller's side ---------------------------------------------------------- */

/* Takes the items, also on failure. The queue is always taken as a whole, so items put together are
 * written together. */
static enum bg_status put_all(struct sqlite_store *store, struct store_item *items, size_t many,
                              struct bg_error *err)
{
    bool hurry = many == 1 && items[0].kind == STORE_ITEM_STEPS; /* a table waits */
    size_t before, count;

    if (store->read_only) {
        for (size_t i = 0; i < many; i++) {
            store_item_free(&items[i]);
        }
        return bg_error_set(err, BG_E_STORE, "results %s: opened for reading only", store->path);
    }
    pthread_mutex_lock(&store->mutex);
    before = store->queue.count;
    for (size_t i = 0; i < many; i++) {
        store_queue_add(&store->queue, &items[i]);
    }
    count = store->queue.count;
    store->queued += many;
    store->hurry = store->hurry || hurry;
    pthread_mutex_unlock(&store->mutex);
    /* Wakes the thread for the first item of a group and for a full group, not for each item
     * between. */
    if (hurry || (before == 0 && count > 0) || (before < GATHER_ITEMS && count >= GATHER_ITEMS)) {
        pthread_cond_signal(&store->work);
    }
    return BG_OK;
}

enum bg_status sqlite_put(struct store *base, struct store_item *item, struct bg_error *err)
{
    struct game_id id;

    if (item->kind == STORE_ITEM_UNPLAYED && !game_id_read_leg(&id, item->as.text.first)) {
        enum bg_status status = bg_error_set(
            err, BG_E_ARGUMENT, "fixture '%s': not of the form A|B|pair|leg", item->as.text.first);

        store_item_free(item);
        return status;
    }
    return put_all(sqlite_store_of(base), item, 1, err);
}

void sqlite_progress(struct store *base, uint64_t *put, uint64_t *durable,
                     struct duration_histogram *commits)
{
    struct sqlite_store *store = sqlite_store_of(base);
    uint64_t unused = 0;

    put = put == NULL ? &unused : put;
    durable = durable == NULL ? &unused : durable;
    *put = *durable = 0;
    if (!store->read_only) {
        pthread_mutex_lock(&store->mutex);
        *put = store->queued;
        *durable = store->written;
        if (commits != NULL) {
            *commits = store->commits;
        }
        pthread_mutex_unlock(&store->mutex);
    }
}

/* Copies three texts (NULL stays NULL). */
static struct store_item text_item(enum store_item_kind kind, const char *first, const char *second,
                                   const char *third)
{
    return (struct store_item){
        .kind = kind, .as.text = {memory_text(first), memory_text(second), memory_text(third)}};
}

enum bg_status sqlite_flush(struct store *base, struct bg_error *err)
{
    struct sqlite_store *store = sqlite_store_of(base);
    enum bg_status status = BG_OK;

    if (store->read_only) {
        return BG_OK;
    }
    pthread_mutex_lock(&store->mutex);

    /* What was put before this call, and no more: other threads may put items without end. */
    uint64_t target = store->queued, failures = store->failures;

    if (store->written == target && sqlite_seems_gone(store)) {
        uint64_t looks = store->looks;

        store->look = true;
        pthread_cond_signal(&store->work);
        while (store->looks == looks) {
            pthread_cond_wait(&store->done, &store->mutex);
        }
        failures = store->failures;
    }
    while (store->written < target && store->failures == failures) {
        store->hurry = true;
        pthread_cond_signal(&store->work);
        pthread_cond_wait(&store->done, &store->mutex);
    }

    const struct bg_error *error = store->gone.status != BG_OK ? &store->gone
                                   : store->written < target   ? &store->failure
                                                               : &store->conflict;

    if (error->status != BG_OK) {
        status = bg_error_set(err, error->status, "%s", error->text);
    }
    pthread_mutex_unlock(&store->mutex);
    return status;
}

static size_t count_items(const struct store_change *change)
{
    return change->setting_count + change->pair_count + change->act_count + change->unplayed_count +
           (change->reinstated != NULL) + (change->again != NULL);
}

static struct store_item act_item(const struct act *act)
{
    struct store_item item = {.kind = STORE_ITEM_ACT, .as.act = memory_zeroed(1, sizeof *act)};

    *item.as.act = *act;
    return item;
}

static struct store_item pair_item(enum store_item_kind kind, const struct game_id *id,
                                   const struct store_change *change)
{
    char pair[BG_GAME_ID];

    game_id_write_pair(pair, id);
    return text_item(kind, pair, change->reason, change->at);
}

static void make_items(struct store_item *item, const struct store_change *change)
{
    for (size_t i = 0; i < change->setting_count; i++) {
        *item++ =
            text_item(STORE_ITEM_META, change->settings[i].key, change->settings[i].value, NULL);
    }
    for (size_t i = 0; i < change->pair_count; i++) {
        *item++ = pair_item(STORE_ITEM_ASIDE, &change->pairs[i], change);
    }
    for (size_t i = 0; i < change->act_count; i++) {
        *item++ = act_item(&change->acts[i]);
    }
    for (size_t i = 0; i < change->unplayed_count; i++) {
        const struct store_unplayed *more = &change->unplayed[i];

        *item++ = text_item(STORE_ITEM_UNPLAYED, more->fixture, more->bot, more->why);
    }
    if (change->reinstated != NULL) {
        *item++ = text_item(STORE_ITEM_REOPEN, change->reinstated, NULL, NULL);
    }
    if (change->again != NULL) {
        *item = pair_item(STORE_ITEM_AGAIN, change->again, change);
    }
}

enum bg_status sqlite_change(struct store *base, const struct store_change *change,
                             struct bg_error *err)
{
    size_t many = count_items(change);
    struct sqlite_store *store = sqlite_store_of(base);
    enum bg_status status = sqlite_acts_check(store, change->acts, change->act_count, err);
    struct store_item *items;

    if (status != BG_OK) {
        return status;
    }
    items = memory_zeroed(many, sizeof *items);
    make_items(items, change);
    status = put_all(store, items, many, err);
    if (status == BG_OK) {
        store->acts += change->act_count;
        status = sqlite_flush(base, err);
    }
    free(items);
    return status;
}

void sqlite_listen(struct store *base, const struct store_listener *listener)
{
    static const struct store_listener nobody;
    struct sqlite_store *store = sqlite_store_of(base);

    if (!store->read_only) {
        pthread_mutex_lock(&store->mutex);
        store->listener = listener == NULL ? nobody : *listener;
        pthread_mutex_unlock(&store->mutex);
    }
}

int sqlite_settled_fd(struct store *base)
{
    return sqlite_store_of(base)->event;
}

enum bg_status sqlite_settled(struct store *base, uint64_t *durable_games, struct bg_error *err)
{
    struct sqlite_store *store = sqlite_store_of(base);
    enum bg_status status = BG_OK;
    uint64_t count;

    *durable_games = 0;
    if (store->read_only) {
        return BG_OK;
    }
    /* Clear before looking: if work settles in between, the descriptor becomes readable again. */
    if (read(store->event, &count, sizeof count) < 0) {
        errno = 0; /* nothing to clear */
    }
    pthread_mutex_lock(&store->mutex);
    *durable_games = store->durable_games;
    if (sqlite_seems_gone(store)) {
        store->look = true;
        pthread_cond_signal(&store->work);
    }

    const struct bg_error *error =
        store->failure.status != BG_OK ? &store->failure : &store->conflict;

    if (error->status != BG_OK) {
        status = bg_error_set(err, error->status, "%s", error->text);
    }
    pthread_mutex_unlock(&store->mutex);
    return status;
}

static enum bg_status prepare_all(struct sqlite_store *store, struct bg_error *err)
{
    for (int i = 0; i < SQL_COUNT; i++) {
        if (statements[i] != NULL &&
            sqlite3_prepare_v3(store->writer, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &store->sql[i], NULL) != SQLITE_OK) {
            return sqlite_story(err, store->path, "prepare", store->writer);
        }
    }
    return BG_OK;
}

void sqlite_write_end(struct sqlite_store *store)
{
    if (store->has_thread) {
        pthread_mutex_lock(&store->mutex);
        store->stop = true;
        pthread_cond_signal(&store->work);
        pthread_mutex_unlock(&store->mutex);
        pthread_join(store->thread, NULL);
    }
    for (int i = 0; i < SQL_COUNT; i++) {
        sqlite3_finalize(store->sql[i]);
        store->sql[i] = NULL;
    }
    if (store->event >= 0) {
        close(store->event);
    }
    if (store->has_sync) {
        pthread_cond_destroy(&store->work);
        pthread_cond_destroy(&store->done);
        pthread_mutex_destroy(&store->mutex);
    }
}

enum { THREAD_STACK = 1 << 20 /* bytes; with the address sanitizer 128 KiB are too few */ };

enum bg_status sqlite_write_begin(struct sqlite_store *store, struct bg_error *err)
{
    pthread_condattr_t monotonic;
    pthread_attr_t roomy;
    sigset_t all, before;
    enum bg_status status = prepare_all(store, err);
    int code;

    if (status != BG_OK) {
        return status;
    }
    store->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (store->event < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "eventfd: %s", strerror(errno));
    }
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&store->work, &monotonic);
    pthread_cond_init(&store->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&store->mutex, NULL);
    store->has_sync = true;
    /* Signals go to the polling thread. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    /* The default is the value of `ulimit -s`, which may be too small. */
    pthread_attr_init(&roomy);
    pthread_attr_setstacksize(&roomy, THREAD_STACK);
    code = pthread_create(&store->thread, &roomy, write_thread, store);
    pthread_attr_destroy(&roomy);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0) {
        return bg_error_set(
            err, BG_E_SYSTEM,
            "start the thread that writes results: %s; allow more memory (ulimit "
            "-v) or processes (ulimit -u)%s",
            strerror(code),
            code == EPERM ? ", or clone3, which the filter of a container may refuse" : "");
    }
    store->has_thread = true;
    return BG_OK;
}
