/* store.c - one store per world, behind a slow disk.
 *
 * It is the real one, in memory; what the referee calls is replaced where the disk shows.
 * An item that is put waits for a while, as for the store's thread. Items become durable in the
 * order they were put: when the time is over, when they are read, or when they are flushed; then
 * the descriptor for the loop becomes readable, as the contract says. A machine that dies loses the
 * last waiting items. Writing fails by plan.
 */
#include "sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "store/store_queue.h"
#include "support/scratch_store.h"

static struct disk {
    struct store *store;
    char path[SCRATCH_PATH];
    const struct store_ops *real; /* its own */
    struct store_ops ops;         /* ... and the functions that replace them */
    struct store_queue waiting;   /* put, but not yet durable */
    struct store_queue lost;      /* games that were lost with a machine */
    int64_t since_ns;             /* when the oldest waiting item was put */
    uint64_t put, made_durable;   /* items */
    int event;                    /* readable when something has become durable */
    int puts_until_failure, acts_until_failure;
    bool tears; /* the next failure of acts comes after they are stored */
    bool dead;  /* the machine is dead: nothing is stored until the next opening */
} disk;

struct store *sim_store(void)
{
    return disk.store;
}

void sim_store_each_lost(void (*fn)(void *user, const struct store_game *game), void *user)
{
    for (size_t i = 0; i < disk.lost.count; i++) {
        fn(user, disk.lost.item[i].as.game);
    }
}

/* -------------------------------------------------------------- what becomes durable */

/* Writes one item; the store then owns its content. */
static void make_durable(struct store_item *item)
{
    enum bg_status status = BG_OK;

    switch (item->kind) {
    case STORE_ITEM_GAME:
        status = disk.real->put_game(disk.store, item->as.game, NULL);
        break;
    case STORE_ITEM_FAULT:
        status = disk.real->put_fault(disk.store, item->as.fault, NULL);
        break;
    case STORE_ITEM_UNPLAYED:
        status = disk.real->put_unplayed(disk.store, item->as.text.first, item->as.text.second,
                                         item->as.text.third, NULL);
        store_item_free(item);
        break;
    case STORE_ITEM_STEPS:
        status = disk.real->put_steps(disk.store, item->as.steps, NULL);
        break;
    case STORE_ITEM_META:
    case STORE_ITEM_ASIDE:
    case STORE_ITEM_AGAIN:
    case STORE_ITEM_REOPEN:
    case STORE_ITEM_JUDGEMENT:
    case STORE_ITEM_ACT:
        abort(); /* settings and acts do not wait, and no judge runs here */
    }
    if (status != BG_OK) {
        abort();
    }
    disk.made_durable++;
}

static void commit(void)
{
    if (disk.real->flush(disk.store, NULL) != BG_OK) {
        abort();
    }
}

static void lose(struct store_item *item)
{
    struct sim_counts *counts = sim_counts();

    if (item->kind == STORE_ITEM_GAME) {
        counts->games_lost++;
        store_queue_add(&disk.lost, item);
        return;
    }
    counts->faults_lost += item->kind == STORE_ITEM_FAULT;
    counts->unplayed_lost += item->kind == STORE_ITEM_UNPLAYED;
    store_item_free(item);
}

static void make_all_durable(void)
{
    for (size_t i = 0; i < disk.waiting.count; i++) {
        make_durable(&disk.waiting.item[i]);
    }
    if (disk.waiting.count > 0) {
        sim_make_readable(disk.event);
    }
    disk.waiting.count = 0;
    commit();
}

void sim_store_settle(void)
{
    if (sim_now() - disk.since_ns >= sim_plan()->sync_ns) { /* else it was flushed since */
        make_all_durable();
    }
}

void sim_store_die(uint64_t survive)
{
    size_t survivors = (size_t)(survive % (disk.waiting.count + 1));

    for (size_t i = 0; i < disk.waiting.count; i++) {
        if (i < survivors) {
            make_durable(&disk.waiting.item[i]);
        } else {
            lose(&disk.waiting.item[i]);
        }
    }
    disk.waiting.count = 0;
    commit();
    disk.dead = true;
}

static enum bg_status refuse(struct bg_error *err)
{
    return bg_error_set(err, BG_E_STORE, "sim: the machine is dead");
}

/* Takes ownership of the item, also on failure. */
static enum bg_status put(struct store_item *item, struct bg_error *err)
{
    if (disk.dead) {
        store_item_free(item);
        return refuse(err);
    }
    if (disk.waiting.count == 0) {
        disk.since_ns = sim_now();
        sim_settle_after(sim_plan()->sync_ns);
    }
    store_queue_add(&disk.waiting, item);
    disk.put++;
    return BG_OK;
}

/* ----------------------------------------------------------- what the referee calls */

static void stay(struct store *store)
{
    (void)store; /* the results outlive the run */
}

struct search {
    const char *id;
    bool found;
};

static bool see_game(void *user, const struct store_game *game)
{
    struct search *search = user;

    search->found |= strcmp(game->id, search->id) == 0;
    return !search->found;
}

/* Whether a game exists already, durable or waiting. */
static bool is_known(const struct store_game *game)
{
    struct search search = {game->id, false};

    for (size_t i = 0; i < disk.waiting.count; i++) {
        if (disk.waiting.item[i].kind == STORE_ITEM_GAME) {
            see_game(&search, disk.waiting.item[i].as.game);
        }
    }
    if (!search.found) {
        disk.real->leg_games(disk.store, game->a, game->b, game->pair, game->leg, see_game, &search,
                             NULL);
    }
    return search.found;
}

static enum bg_status put_game(struct store *store, struct store_game *take, struct bg_error *err)
{
    struct store_item item = {.kind = STORE_ITEM_GAME, .as.game = take};

    (void)store;
    if (sim_plan()->store_fails_every > 0 && --disk.puts_until_failure < 0) {
        disk.puts_until_failure = sim_plan()->store_fails_every;
        sim_counts()->full_disks++;
        store_game_destroy(take);
        return bg_error_set(err, BG_E_STORE, "sim: the disk is full");
    }
    sim_counts()->games_put += !disk.dead;
    sim_counts()->games_twice += !disk.dead && is_known(take);
    return put(&item, err);
}

static enum bg_status put_fault(struct store *store, struct store_fault *take, struct bg_error *err)
{
    struct store_item item = {.kind = STORE_ITEM_FAULT, .as.fault = take};

    (void)store;
    return put(&item, err);
}

static enum bg_status put_unplayed(struct store *store, const char *fixture, const char *bot,
                                   const char *why, struct bg_error *err)
{
    struct store_item item = {.kind = STORE_ITEM_UNPLAYED,
                              .as.text = {strdup(fixture), strdup(bot), strdup(why)}};

    (void)store; /* NOLINT(clang-analyzer-unix.Malloc): put takes the texts */
    return put(&item, err);
}

static enum bg_status put_steps(struct store *store, struct store_steps *take, struct bg_error *err)
{
    struct store_item item = {.kind = STORE_ITEM_STEPS, .as.steps = take};

    (void)store;
    return put(&item, err);
}

static void put_count(struct store *store, uint64_t *put, uint64_t *durable)
{
    (void)store;
    if (put != NULL) {
        *put = disk.put;
    }
    if (durable != NULL) {
        *durable = disk.made_durable;
    }
}

static enum bg_status flush(struct store *store, struct bg_error *err)
{
    if (disk.dead) {
        return refuse(err);
    }
    (void)store;
    make_all_durable();
    return BG_OK;
}

static int settled_fd(struct store *store)
{
    (void)store;
    return disk.event;
}

static enum bg_status settled(struct store *store, uint64_t *durable_games, struct bg_error *err)
{
    uint64_t count;

    if (read(disk.event, &count, sizeof count) < 0) {
        errno = 0; /* nothing to clear */
    }
    return disk.dead ? refuse(err) : disk.real->settled(store, durable_games, err);
}

static enum bg_status meta_set(struct store *store, const char *key, const char *value,
                               struct bg_error *err)
{
    enum bg_status status = flush(store, err);

    return status == BG_OK ? disk.real->meta_set(store, key, value, err) : status;
}

static enum bg_status change_all(struct store *store, const struct store_change *change,
                                 struct bg_error *err)
{
    enum bg_status status = flush(store, err);

    return status == BG_OK ? disk.real->change_all(store, change, err) : status;
}

static enum bg_status put_acts(struct store *store, const struct act *acts, size_t count,
                               struct bg_error *err)
{
    enum bg_status status = flush(store, err);
    bool fails =
        status == BG_OK && sim_plan()->acts_fail_every > 0 && --disk.acts_until_failure < 0;

    if (fails) {
        disk.acts_until_failure = sim_plan()->acts_fail_every;
        disk.tears = !disk.tears;
    }
    if (fails && !disk.tears) {
        sim_counts()->acts_refused++;
        return bg_error_set(err, BG_E_STORE, "sim: the disk is full");
    }
    if (status == BG_OK) {
        status = disk.real->put_acts(store, acts, count, err);
    }
    if (fails && status == BG_OK) {
        sim_counts()->acts_torn++;
        disk.dead = true;
        status = refuse(err);
    }
    return status;
}

static enum bg_status leg_games(struct store *store, const char *a, const char *b, uint64_t pair,
                                int leg, store_game_fn fn, void *user, struct bg_error *err)
{
    enum bg_status status = flush(store, err);

    return status == BG_OK ? disk.real->leg_games(store, a, b, pair, leg, fn, user, err) : status;
}

static enum bg_status each_steps(struct store *store, const struct game_id *game, store_steps_fn fn,
                                 void *user, struct bg_error *err)
{
    enum bg_status status = flush(store, err);

    return status == BG_OK ? disk.real->each_steps(store, game, fn, user, err) : status;
}

static enum bg_status all_games(struct store *store, bool with_text, store_game_fn fn, void *user,
                                struct bg_error *err)
{
    enum bg_status status = flush(store, err);

    return status == BG_OK ? disk.real->all_games(store, with_text, fn, user, err) : status;
}

static enum bg_status all_runs(struct store *store, bool with_sums, store_run_fn fn, void *user,
                               struct bg_error *err)
{
    enum bg_status status = flush(store, err);

    return status == BG_OK ? disk.real->all_runs(store, with_sums, fn, user, err) : status;
}

static enum bg_status all_unplayed(struct store *store,
                                   void (*fn)(void *user, const char *fixture, const char *bot,
                                              const char *why),
                                   void *user, struct bg_error *err)
{
    enum bg_status status = flush(store, err);

    return status == BG_OK ? disk.real->all_unplayed(store, fn, user, err) : status;
}

static enum bg_status all_faults(struct store *store,
                                 void (*fn)(void *user, const struct store_fault *fault),
                                 void *user, struct bg_error *err)
{
    enum bg_status status = flush(store, err);

    return status == BG_OK ? disk.real->all_faults(store, fn, user, err) : status;
}

enum bg_status __real_store_sqlite_open(struct store **out, const char *path, struct bg_error *err);
enum bg_status __wrap_store_sqlite_open(struct store **out, const char *path, struct bg_error *err);

enum bg_status __wrap_store_sqlite_open(struct store **out, const char *path, struct bg_error *err)
{
    (void)path;
    if (disk.store == NULL) {
        scratch_path(disk.path);
        if (__real_store_sqlite_open(&disk.store, disk.path, err) != BG_OK) {
            abort();
        }
        disk.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        disk.real = disk.store->ops;
        disk.ops = *disk.real;
        disk.ops.destroy = stay;
        disk.ops.put_game = put_game;
        disk.ops.put_fault = put_fault;
        disk.ops.put_unplayed = put_unplayed;
        disk.ops.put_steps = put_steps;
        disk.ops.put_count = put_count;
        disk.ops.each_steps = each_steps;
        disk.ops.flush = flush;
        disk.ops.settled_fd = settled_fd;
        disk.ops.settled = settled;
        disk.ops.meta_set = meta_set;
        disk.ops.change_all = change_all;
        disk.ops.put_acts = put_acts;
        disk.ops.leg_games = leg_games;
        disk.ops.all_games = all_games;
        disk.ops.all_runs = all_runs;
        disk.ops.all_unplayed = all_unplayed;
        disk.ops.all_faults = all_faults;
        disk.store->ops = &disk.ops;
        disk.puts_until_failure = sim_plan()->store_fails_every;
        disk.acts_until_failure = sim_plan()->acts_fail_every;
    }
    disk.dead = false;
    disk.real->on_durable(disk.store, NULL, NULL); /* the earlier listener has been destroyed */
    make_all_durable(); /* items that a run which ended normally left to the store's thread */
    disk.put = disk.made_durable = 0;
    *out = disk.store;
    return BG_OK;
}

void sim_store_forget(void)
{
    if (disk.store != NULL) {
        disk.store->ops = disk.real;
        store_destroy(disk.store);
        (void)remove(disk.path);
        close(disk.event);
    }
    store_queue_deinit(&disk.waiting);
    store_queue_deinit(&disk.lost);
    memset(&disk, 0, sizeof disk);
}
