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
    if (disk.real->put(disk.store, item, NULL) != BG_OK) {
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
        const struct game_id leg = game_id_of_leg(game->a, game->b, game->pair, game->leg);
        const struct store_query query = {STORE_GAMES, &leg, .fn.game = see_game, .user = &search};

        disk.real->each(disk.store, &query, NULL);
    }
    return search.found;
}

/* Settings and acts do not wait, and no judge runs here. */
static enum bg_status put(struct store *store, struct store_item *item, struct bg_error *err)
{
    bool is_game = item->kind == STORE_ITEM_GAME;

    if (is_game && sim_plan()->store_fails_every > 0 && --disk.puts_until_failure < 0) {
        disk.puts_until_failure = sim_plan()->store_fails_every;
        sim_counts()->full_disks++;
        store_item_free(item);
        return bg_error_set(err, BG_E_STORE, "sim: the disk is full");
    }
    sim_counts()->games_put += is_game && !disk.dead;
    sim_counts()->games_twice += is_game && !disk.dead && is_known(item->as.game);
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

static void progress(struct store *store, uint64_t *put_now, uint64_t *durable,
                     struct duration_histogram *commits)
{
    disk.real->progress(store, NULL, NULL, commits);
    if (put_now != NULL) {
        *put_now = disk.put;
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
    make_all_durable();
    return BG_OK;
}

static enum bg_status flush_for_run(struct store *store, struct bg_error *err)
{
    sim_counts()->flushes++;
    return flush(store, err);
}

static int settled_fd(struct store *store)
{
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

static enum bg_status change(struct store *store, const struct store_change *what,
                             struct bg_error *err)
{
    enum bg_status status = flush(store, err);
    /* acts of the event; those of the desk have a reason */
    bool fails = status == BG_OK && what->act_count > 0 && what->reason == NULL &&
                 sim_plan()->acts_fail_every > 0 && --disk.acts_until_failure < 0;

    if (fails) {
        disk.acts_until_failure = sim_plan()->acts_fail_every;
        disk.tears = !disk.tears;
    }
    if (fails && !disk.tears) {
        sim_counts()->acts_refused++;
        return bg_error_set(err, BG_E_STORE, "sim: the disk is full");
    }
    if (status == BG_OK) {
        status = disk.real->change(store, what, err);
    }
    if (fails && status == BG_OK) {
        sim_counts()->acts_torn++;
        disk.dead = true;
        status = refuse(err);
    }
    return status;
}

static enum bg_status each(struct store *store, const struct store_query *query,
                           struct bg_error *err)
{
    enum bg_status status = flush(store, err);

    return status == BG_OK ? disk.real->each(store, query, err) : status;
}

enum bg_status __real_store_sqlite_open(struct store **out, const char *path, struct bg_error *err);
enum bg_status __wrap_store_sqlite_open(struct store **out, const char *path, struct bg_error *err);

enum bg_status __wrap_store_sqlite_open(struct store **out, const char *path, struct bg_error *err)
{
    if (disk.store == NULL) {
        scratch_path(disk.path);
        if (__real_store_sqlite_open(&disk.store, disk.path, err) != BG_OK) {
            abort();
        }
        disk.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        disk.real = disk.store->ops;
        disk.ops = *disk.real;
        disk.ops.destroy = stay;
        disk.ops.put = put;
        disk.ops.progress = progress;
        disk.ops.flush = flush_for_run;
        disk.ops.settled_fd = settled_fd;
        disk.ops.settled = settled;
        disk.ops.change = change;
        disk.ops.each = each;
        disk.store->ops = &disk.ops;
        disk.puts_until_failure = sim_plan()->store_fails_every;
        disk.acts_until_failure = sim_plan()->acts_fail_every;
    }
    disk.dead = false;
    disk.real->listen(disk.store, NULL); /* the earlier listener has been destroyed */
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
