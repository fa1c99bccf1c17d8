/* One SQLite database a results set; the schema is in docs/record.md. Two connections: the store's
 * thread writes with one, the caller reads with the other. */
#define _GNU_SOURCE
#include "store.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record_text.h"
#include "store_lock.h"

enum {
    STORE_APPLICATION = 0x62677266, /* "bgrf" */
    STORE_SCHEMA = 1,
    GATHER_MS = 10,     /* how long the first game of a group waits for others */
    GATHER_ITEMS = 256, /* a group that large waits no longer: a commit costs no less per game */
    RETRY_MS = 1000,    /* between attempts while writing fails */
    BUSY_MS = 5000,     /* for somebody else's transaction (a shell) */
    CHECKPOINT_PAGES = 4000,
};

static const char schema[] =
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE game ("
    " a TEXT NOT NULL, b TEXT NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL,"
    " game INTEGER NOT NULL, length INTEGER NOT NULL, winner INTEGER NOT NULL,"
    " points INTEGER NOT NULL, level INTEGER NOT NULL, ended TEXT NOT NULL, fault TEXT,"
    " turns INTEGER NOT NULL, score_a INTEGER NOT NULL, score_b INTEGER NOT NULL,"
    " match_over INTEGER NOT NULL, match_winner INTEGER NOT NULL, left_a_ns INTEGER NOT NULL,"
    " left_b_ns INTEGER NOT NULL, hash TEXT NOT NULL, record TEXT NOT NULL,"
    " id TEXT GENERATED ALWAYS AS (a||'|'||b||'|'||pair||'|'||leg||'|'||game) VIRTUAL,"
    " PRIMARY KEY (a, b, pair, leg, game));"
    "CREATE TABLE fault ("
    " number INTEGER PRIMARY KEY, game_id TEXT, bot TEXT, fault TEXT NOT NULL, decision INTEGER,"
    " rule TEXT, position_id TEXT, xgid TEXT, dice TEXT, reply TEXT, stderr_tail TEXT, legal TEXT,"
    " reproduce TEXT, story TEXT);"
    "CREATE TABLE unplayed ("
    " a TEXT NOT NULL, b TEXT NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL, bot TEXT,"
    " why TEXT, fixture TEXT GENERATED ALWAYS AS (a||'|'||b||'|'||pair||'|'||leg) VIRTUAL,"
    " PRIMARY KEY (a, b, pair, leg)) WITHOUT ROWID;";

#define GAME_COLUMNS                                                                               \
    "a,b,pair,leg,game,length,winner,points,level,ended,fault,turns,score_a,score_b,match_over,"   \
    "match_winner,left_a_ns,left_b_ns,hash"
#define FAULT_COLUMNS                                                                              \
    "game_id,bot,fault,decision,rule,position_id,xgid,dice,reply,stderr_tail,legal,reproduce,"     \
    "story"

enum statement {
    SQL_BEGIN,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_GAME,
    SQL_HASH,
    SQL_FAULT,
    SQL_META,
    SQL_UNPLAYED,
    SQL_COUNT
};

static const char *const statements[SQL_COUNT] = {
    [SQL_BEGIN] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",
    [SQL_GAME] = "INSERT INTO game(" GAME_COLUMNS ",record)"
                 " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
    [SQL_HASH] = "SELECT hash FROM game WHERE a=? AND b=? AND pair=? AND leg=? AND game=?",
    [SQL_FAULT] = "INSERT INTO fault(" FAULT_COLUMNS ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [SQL_META] = "INSERT INTO meta(key,value) VALUES(?,?)"
                 " ON CONFLICT(key) DO UPDATE SET value=excluded.value",
    [SQL_UNPLAYED] = "INSERT OR REPLACE INTO unplayed(a,b,pair,leg,bot,why) VALUES(?,?,?,?,?,?)",
};

enum item_kind { ITEM_GAME, ITEM_FAULT, ITEM_META, ITEM_UNPLAYED };

/* One thing to write. */
struct item {
    enum item_kind kind;
    bool is_new; /* game: it was not there before; set while writing */
    union {
        struct store_game *game;
        struct store_fault *fault;
        struct {
            char *first, *second, *third; /* meta: key, value; unplayed: fixture, bot, why */
        } text;
    } as;
};

struct queue {
    struct item *item;
    size_t count, room;
};

struct sqlite_store {
    struct store base;
    char *path;
    bool read_only;
    int lock, event;
    sqlite3 *reader; /* the caller's thread */

    /* The store's thread alone, once it runs. */
    sqlite3 *writer;
    sqlite3_stmt *sql[SQL_COUNT];
    struct queue batch; /* being written, or kept from a failed attempt */

    pthread_t thread;
    bool has_thread, has_sync;
    pthread_mutex_t mutex; /* guards all below */
    pthread_cond_t work, done;
    struct queue queue;
    uint64_t queued, written; /* items since the store was opened */
    uint64_t durable_games;
    uint64_t failures;        /* failed attempts */
    struct bg_error failure;  /* of the last attempt; BG_OK when it succeeded */
    struct bg_error conflict; /* a game met twice with different hashes */
    bool hurry, stop;
    store_durable_fn durable_fn;
    void *durable_user;
};

/* --- small things ------------------------------------------------------------------------ */

static struct sqlite_store *self(struct store *store)
{
    return (struct sqlite_store *)store;
}

/* What SQLite says went wrong, with the system's word where it has one. */
static enum bg_status story(struct bg_error *err, const char *path, const char *what, sqlite3 *db)
{
    int code = sqlite3_errcode(db), system = sqlite3_system_errno(db);
    bool has_system = system != 0 && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN);

    return bg_error_set(err, BG_E_STORE, "results %s: %s: %s%s%s", path, what, sqlite3_errmsg(db),
                        has_system ? ": " : "", has_system ? strerror(system) : "");
}

static void bind_text(sqlite3_stmt *sql, int i, const char *text)
{
    sqlite3_bind_text(sql, i, text, -1, SQLITE_STATIC); /* NULL binds NULL */
}

static void item_free(struct item *item)
{
    switch (item->kind) {
    case ITEM_GAME:
        store_game_destroy(item->as.game);
        break;
    case ITEM_FAULT:
        store_fault_destroy(item->as.fault);
        break;
    case ITEM_META:
    case ITEM_UNPLAYED:
        free(item->as.text.first);
        free(item->as.text.second);
        free(item->as.text.third);
        break;
    }
}

static void queue_clear(struct queue *queue)
{
    for (size_t i = 0; i < queue->count; i++) {
        item_free(&queue->item[i]);
    }
    queue->count = 0;
}

static void queue_deinit(struct queue *queue)
{
    queue_clear(queue);
    free(queue->item);
    *queue = (struct queue){0};
}

static bool queue_add(struct queue *queue, const struct item *item)
{
    if (queue->count == queue->room) {
        size_t room = queue->room == 0 ? 64 : queue->room * 2;
        struct item *grown = realloc(queue->item, room * sizeof *grown);

        if (grown == NULL) {
            return false;
        }
        queue->item = grown;
        queue->room = room;
    }
    queue->item[queue->count++] = *item;
    return true;
}

/* A fixture "A|B|pair|leg" in its parts; a and b are at most `room` long. */
static bool fixture_split(char *a, char *b, size_t room, uint64_t *pair, int *leg, const char *text)
{
    const char *first = strchr(text, '|');
    const char *second = first == NULL ? NULL : strchr(first + 1, '|');
    char *end;

    if (second == NULL || (size_t)(first - text) >= room || (size_t)(second - first) > room) {
        return false;
    }
    memcpy(a, text, (size_t)(first - text));
    a[first - text] = '\0';
    memcpy(b, first + 1, (size_t)(second - first - 1));
    b[second - first - 1] = '\0';
    errno = 0;
    *pair = strtoull(second + 1, &end, 10);
    if (errno != 0 || end == second + 1 || *end != '|' || (end[1] != '0' && end[1] != '1') ||
        end[2] != '\0' || second[1] < '0' || second[1] > '9') {
        return false;
    }
    *leg = end[1] - '0';
    return true;
}

/* --- writing: the store's thread --------------------------------------------------------- */

static bool run(sqlite3_stmt *sql)
{
    int code = sqlite3_step(sql);

    sqlite3_reset(sql);
    return code == SQLITE_DONE || code == SQLITE_ROW;
}

static void bind_key(sqlite3_stmt *sql, const struct store_game *game)
{
    bind_text(sql, 1, game->a);
    bind_text(sql, 2, game->b);
    sqlite3_bind_int64(sql, 3, (int64_t)game->pair);
    sqlite3_bind_int(sql, 4, game->leg);
    sqlite3_bind_int(sql, 5, game->game);
}

/* The game was there already: fine when it is the same, else remembered in *conflict. */
static bool compare_game(struct sqlite_store *store, const struct store_game *game,
                         struct bg_error *conflict)
{
    sqlite3_stmt *sql = store->sql[SQL_HASH];

    bind_key(sql, game);

    int code = sqlite3_step(sql);

    if (code == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(sql, 0), game->hash) != 0) {
        bg_error_set(conflict, BG_E_STORE,
                     "results %s: game %s is stored already with another record (hash %.12s, new "
                     "%.12s)",
                     store->path, game->id, (const char *)sqlite3_column_text(sql, 0), game->hash);
    }
    sqlite3_reset(sql);
    return code == SQLITE_ROW;
}

static bool write_game(struct sqlite_store *store, struct item *item, struct bg_error *conflict)
{
    const struct store_game *game = item->as.game;
    sqlite3_stmt *sql = store->sql[SQL_GAME];

    bind_key(sql, game);
    sqlite3_bind_int(sql, 6, game->length_points);
    sqlite3_bind_int(sql, 7, game->winner);
    sqlite3_bind_int64(sql, 8, game->points);
    sqlite3_bind_int(sql, 9, game->level);
    bind_text(sql, 10, record_end_word(game->end));
    bind_text(sql, 11, game->end == BG_END_FAULT ? bg_fault_name(game->fault) : NULL);
    sqlite3_bind_int(sql, 12, game->turns);
    sqlite3_bind_int64(sql, 13, game->score_a);
    sqlite3_bind_int64(sql, 14, game->score_b);
    sqlite3_bind_int(sql, 15, game->match_over);
    sqlite3_bind_int(sql, 16, game->match_winner);
    sqlite3_bind_int64(sql, 17, game->left_ns[0]);
    sqlite3_bind_int64(sql, 18, game->left_ns[1]);
    bind_text(sql, 19, game->hash);
    sqlite3_bind_text64(sql, 20, game->text == NULL ? "" : game->text,
                        game->text == NULL ? 0 : game->text_size, SQLITE_STATIC, SQLITE_UTF8);
    if (!run(sql)) {
        return false;
    }
    item->is_new = sqlite3_changes(store->writer) == 1;
    return item->is_new || compare_game(store, game, conflict);
}

static bool write_fault(struct sqlite_store *store, const struct store_fault *fault)
{
    sqlite3_stmt *sql = store->sql[SQL_FAULT];

    bind_text(sql, 1, fault->game_id);
    bind_text(sql, 2, fault->bot);
    bind_text(sql, 3, bg_fault_name(fault->fault));
    sqlite3_bind_int64(sql, 4, (int64_t)fault->decision);
    bind_text(sql, 5, fault->rule);
    bind_text(sql, 6, fault->position_id);
    bind_text(sql, 7, fault->xgid);
    bind_text(sql, 8, fault->dice);
    bind_text(sql, 9, fault->reply);
    bind_text(sql, 10, fault->stderr_tail);
    bind_text(sql, 11, fault->legal);
    bind_text(sql, 12, fault->reproduce);
    bind_text(sql, 13, fault->story);
    return run(sql);
}

static bool write_meta(struct sqlite_store *store, const struct item *item)
{
    bind_text(store->sql[SQL_META], 1, item->as.text.first);
    bind_text(store->sql[SQL_META], 2, item->as.text.second);
    return run(store->sql[SQL_META]);
}

static bool write_unplayed(struct sqlite_store *store, const struct item *item)
{
    sqlite3_stmt *sql = store->sql[SQL_UNPLAYED];
    char a[BG_GAME_ID], b[BG_GAME_ID];
    uint64_t pair;
    int leg;

    if (!fixture_split(a, b, sizeof a, &pair, &leg, item->as.text.first)) {
        return true; /* put_unplayed has refused it */
    }
    bind_text(sql, 1, a);
    bind_text(sql, 2, b);
    sqlite3_bind_int64(sql, 3, (int64_t)pair);
    sqlite3_bind_int(sql, 4, leg);
    bind_text(sql, 5, item->as.text.second);
    bind_text(sql, 6, item->as.text.third);
    return run(sql);
}

static bool write_item(struct sqlite_store *store, struct item *item, struct bg_error *conflict)
{
    switch (item->kind) {
    case ITEM_GAME:
        return write_game(store, item, conflict);
    case ITEM_FAULT:
        return write_fault(store, item->as.fault);
    case ITEM_META:
        return write_meta(store, item);
    case ITEM_UNPLAYED:
        return write_unplayed(store, item);
    }
    return false;
}

/* Writes the whole batch in one transaction: durable when it returns BG_OK, else nothing of it is
 * written and the batch stays. */
static enum bg_status write_batch(struct sqlite_store *store, struct bg_error *conflict,
                                  struct bg_error *err)
{
    if (!run(store->sql[SQL_BEGIN])) {
        return story(err, store->path, "begin", store->writer);
    }
    for (size_t i = 0; i < store->batch.count; i++) {
        if (!write_item(store, &store->batch.item[i], conflict)) {
            goto failed;
        }
    }
    if (run(store->sql[SQL_COMMIT])) {
        return BG_OK;
    }
failed:
    story(err, store->path, "write", store->writer);
    /* SQLite may have rolled back already, on a full disk for one. */
    if (sqlite3_get_autocommit(store->writer) == 0) {
        run(store->sql[SQL_ROLLBACK]);
    }
    return BG_E_STORE;
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

/* Waits until there is a group worth a commit and moves it to the batch. False: the end. */
static bool take_batch(struct sqlite_store *store)
{
    bool failed = store->failure.status != BG_OK;

    while (store->queue.count == 0 && store->batch.count == 0 && !store->stop) {
        pthread_cond_wait(&store->work, &store->mutex);
    }

    struct timespec deadline = deadline_in(failed ? RETRY_MS : GATHER_MS);
    size_t enough = failed ? SIZE_MAX : GATHER_ITEMS;

    while (store->queue.count < enough && !store->hurry && !store->stop &&
           pthread_cond_timedwait(&store->work, &store->mutex, &deadline) == 0) {
    }
    store->hurry = false;
    if (store->batch.count == 0) {
        struct queue empty = store->batch;

        store->batch = store->queue;
        store->queue = empty;
    }
    return store->batch.count > 0;
}

static uint64_t tell_durable(struct sqlite_store *store, store_durable_fn fn, void *user)
{
    uint64_t games = 0;

    for (size_t i = 0; i < store->batch.count; i++) {
        const struct item *item = &store->batch.item[i];

        if (item->kind == ITEM_GAME) {
            games++;
            if (item->is_new && fn != NULL) {
                fn(user, item->as.game);
            }
        }
    }
    return games;
}

/* Called with the mutex held; holds it again on return. False when writing failed. */
static bool settle_batch(struct sqlite_store *store)
{
    struct bg_error error = {0}, conflict = {0};
    store_durable_fn fn = store->durable_fn;
    void *user = store->durable_user;
    uint64_t games = 0, one = 1;
    size_t items = store->batch.count;

    pthread_mutex_unlock(&store->mutex);
    if (write_batch(store, &conflict, &error) == BG_OK) {
        games = tell_durable(store, fn, user);
        queue_clear(&store->batch);
    }
    pthread_mutex_lock(&store->mutex);
    store->failure = error;
    if (error.status == BG_OK) {
        store->written += items;
        store->durable_games += games;
        if (conflict.status != BG_OK && store->conflict.status == BG_OK) {
            store->conflict = conflict;
        }
    } else {
        store->failures++;
    }
    pthread_cond_broadcast(&store->done);
    if (write(store->event, &one, sizeof one) < 0) {
        errno = 0; /* the counter is full: readable all the same */
    }
    return error.status == BG_OK;
}

static void *write_thread(void *argument)
{
    struct sqlite_store *store = argument;

    pthread_mutex_lock(&store->mutex);
    while (take_batch(store)) {
        if (!settle_batch(store) && store->stop) {
            break; /* the last attempt, too, has failed */
        }
    }
    pthread_mutex_unlock(&store->mutex);
    return NULL;
}

/* --- writing: the caller's side ---------------------------------------------------------- */

/* Takes the item, also on failure. */
static enum bg_status put(struct sqlite_store *store, struct item *item, struct bg_error *err)
{
    if (store->read_only) {
        item_free(item);
        return bg_error_set(err, BG_E_STORE, "results %s: opened for reading only", store->path);
    }
    pthread_mutex_lock(&store->mutex);

    bool added = queue_add(&store->queue, item);
    size_t count = store->queue.count;

    store->queued += added;
    pthread_mutex_unlock(&store->mutex);
    if (!added) {
        item_free(item);
        return bg_error_set(err, BG_E_MEMORY, "queue of the results");
    }
    /* Wake the thread for the first of a group and for a full one, not for each between. */
    if (count == 1 || count == GATHER_ITEMS) {
        pthread_cond_signal(&store->work);
    }
    return BG_OK;
}

static enum bg_status put_game(struct store *base, struct store_game *take, struct bg_error *err)
{
    struct item item = {.kind = ITEM_GAME, .as.game = take};

    return put(self(base), &item, err);
}

static enum bg_status put_fault(struct store *base, struct store_fault *take, struct bg_error *err)
{
    struct item item = {.kind = ITEM_FAULT, .as.fault = take};

    return put(self(base), &item, err);
}

/* Copies three texts (NULL stays NULL) into an item. */
static bool copy_texts(struct item *item, const char *first, const char *second, const char *third)
{
    item->as.text.first = first == NULL ? NULL : strdup(first);
    item->as.text.second = second == NULL ? NULL : strdup(second);
    item->as.text.third = third == NULL ? NULL : strdup(third);
    if ((first == NULL) == (item->as.text.first == NULL) &&
        (second == NULL) == (item->as.text.second == NULL) &&
        (third == NULL) == (item->as.text.third == NULL)) {
        return true;
    }
    item_free(item);
    return false;
}

static enum bg_status put_unplayed(struct store *base, const char *fixture, const char *bot,
                                   const char *why, struct bg_error *err)
{
    struct item item = {.kind = ITEM_UNPLAYED};
    char a[BG_GAME_ID], b[BG_GAME_ID];
    uint64_t pair;
    int leg;

    if (!fixture_split(a, b, sizeof a, &pair, &leg, fixture)) {
        return bg_error_set(err, BG_E_ARGUMENT, "fixture '%s': not of the form A|B|pair|leg",
                            fixture);
    }
    if (!copy_texts(&item, fixture, bot, why)) {
        return bg_error_set(err, BG_E_MEMORY, "unplayed fixture");
    }
    return put(self(base), &item, err);
}

static enum bg_status flush(struct store *base, struct bg_error *err)
{
    struct sqlite_store *store = self(base);
    enum bg_status status = BG_OK;

    if (store->read_only) {
        return BG_OK;
    }
    pthread_mutex_lock(&store->mutex);

    uint64_t target = store->queued, failures = store->failures;

    while (store->written < target && store->failures == failures) {
        store->hurry = true;
        pthread_cond_signal(&store->work);
        pthread_cond_wait(&store->done, &store->mutex);
    }

    const struct bg_error *error = store->written < target ? &store->failure : &store->conflict;

    if (error->status != BG_OK) {
        status = bg_error_set(err, error->status, "%s", error->text);
    }
    pthread_mutex_unlock(&store->mutex);
    return status;
}

static enum bg_status meta_set(struct store *base, const char *key, const char *value,
                               struct bg_error *err)
{
    struct item item = {.kind = ITEM_META};

    if (!copy_texts(&item, key, value, NULL)) {
        return bg_error_set(err, BG_E_MEMORY, "setting %s", key);
    }
    if (put(self(base), &item, err) != BG_OK) {
        return BG_E_STORE;
    }
    return flush(base, err);
}

static void on_durable(struct store *base, store_durable_fn fn, void *user)
{
    struct sqlite_store *store = self(base);

    if (!store->read_only) {
        pthread_mutex_lock(&store->mutex);
        store->durable_fn = fn;
        store->durable_user = user;
        pthread_mutex_unlock(&store->mutex);
    }
}

static int settled_fd(struct store *base)
{
    return self(base)->event;
}

static enum bg_status settled(struct store *base, uint64_t *durable_games, struct bg_error *err)
{
    struct sqlite_store *store = self(base);
    enum bg_status status = BG_OK;
    uint64_t count;

    *durable_games = 0;
    if (store->read_only) {
        return BG_OK;
    }
    /* First clear, then look: what settles in between makes the descriptor readable again. */
    if (read(store->event, &count, sizeof count) < 0) {
        errno = 0; /* nothing to clear */
    }
    pthread_mutex_lock(&store->mutex);
    *durable_games = store->durable_games;

    const struct bg_error *error =
        store->failure.status != BG_OK ? &store->failure : &store->conflict;

    if (error->status != BG_OK) {
        status = bg_error_set(err, error->status, "%s", error->text);
    }
    pthread_mutex_unlock(&store->mutex);
    return status;
}

/* --- reading ----------------------------------------------------------------------------- */

/* SQLite lends text as const; the structs of store.h lend it on in fields that an owner frees. */
static char *lent(sqlite3_stmt *sql, int column)
{
    const unsigned char *text = sqlite3_column_text(sql, column);
    char *out;

    memcpy(&out, &text, sizeof out);
    return out;
}

/* Prepares a reading statement after all that was put is durable. */
static enum bg_status ask(sqlite3_stmt **out, struct store *base, const char *text,
                          struct bg_error *err)
{
    struct sqlite_store *store = self(base);
    enum bg_status status = flush(base, err);

    *out = NULL;
    if (status == BG_OK && sqlite3_prepare_v2(store->reader, text, -1, out, NULL) != SQLITE_OK) {
        status = story(err, store->path, "read", store->reader);
    }
    return status;
}

/* Ends a reading statement whose last sqlite3_step gave `code`. */
static enum bg_status answered(struct store *base, sqlite3_stmt *sql, int code,
                               struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        status = story(err, self(base)->path, "read", self(base)->reader);
    }
    sqlite3_finalize(sql);
    return status;
}

static enum bg_status meta_get(struct store *base, const char *key, char *out, size_t room,
                               bool *found, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status = ask(&sql, base, "SELECT value FROM meta WHERE key=?", err);

    *found = false;
    out[0] = '\0';
    if (status != BG_OK) {
        return status;
    }
    bind_text(sql, 1, key);

    int code = sqlite3_step(sql);

    if (code == SQLITE_ROW) {
        size_t size = (size_t)sqlite3_column_bytes(sql, 0);

        if (size >= room) {
            status = bg_error_set(err, BG_E_STORE,
                                  "results %s: setting %s has %zu bytes, expected "
                                  "less than %zu",
                                  self(base)->path, key, size, room);
        } else {
            memcpy(out, lent(sql, 0), size);
            out[size] = '\0';
            *found = true;
        }
    }

    enum bg_status read_status = answered(base, sql, code, err);

    return status != BG_OK ? status : read_status;
}

static enum bg_status meta_each(struct store *base, const char *prefix,
                                void (*fn)(void *user, const char *key, const char *value),
                                void *user, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status =
        ask(&sql, base, "SELECT key,value FROM meta WHERE substr(key,1,length(?1))=?1 ORDER BY key",
            err);
    int code;

    if (status != BG_OK) {
        return status;
    }
    bind_text(sql, 1, prefix);
    while ((code = sqlite3_step(sql)) == SQLITE_ROW) {
        fn(user, lent(sql, 0), lent(sql, 1));
    }
    return answered(base, sql, code, err);
}

/* Columns: GAME_COLUMNS, id, record. */
static void row_game(struct store_game *out, sqlite3_stmt *sql)
{
    const char *hash = lent(sql, 18);

    *out = (struct store_game){
        .a = lent(sql, 0),
        .b = lent(sql, 1),
        .pair = (uint64_t)sqlite3_column_int64(sql, 2),
        .leg = sqlite3_column_int(sql, 3),
        .game = sqlite3_column_int(sql, 4),
        .length_points = sqlite3_column_int(sql, 5),
        .winner = sqlite3_column_int(sql, 6),
        .points = sqlite3_column_int64(sql, 7),
        .level = sqlite3_column_int(sql, 8),
        .end = record_end_find(lent(sql, 9)),
        .fault = sqlite3_column_type(sql, 10) == SQLITE_NULL ? BG_FAULT_NONE
                                                             : bg_fault_from_name(lent(sql, 10)),
        .turns = sqlite3_column_int(sql, 11),
        .score_a = sqlite3_column_int64(sql, 12),
        .score_b = sqlite3_column_int64(sql, 13),
        .match_over = sqlite3_column_int(sql, 14) != 0,
        .match_winner = sqlite3_column_int(sql, 15),
        .left_ns = {sqlite3_column_int64(sql, 16), sqlite3_column_int64(sql, 17)},
        .id = lent(sql, 19),
        .text = lent(sql, 20),
        .text_size = (size_t)sqlite3_column_bytes(sql, 20),
    };
    snprintf(out->hash, sizeof out->hash, "%s", hash);
}

static enum bg_status each_game(struct store *base, sqlite3_stmt *sql, store_game_fn fn, void *user,
                                struct bg_error *err)
{
    struct store_game game;
    bool more = true;
    int code = SQLITE_DONE;

    while (more && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        row_game(&game, sql);
        more = fn(user, &game);
    }
    return answered(base, sql, code, err);
}

static enum bg_status leg_games(struct store *base, const char *a, const char *b, uint64_t pair,
                                int leg, store_game_fn fn, void *user, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status =
        ask(&sql, base,
            "SELECT " GAME_COLUMNS
            ",id,record FROM game WHERE a=? AND b=? AND pair=? AND leg=? ORDER BY game",
            err);

    if (status != BG_OK) {
        return status;
    }
    bind_text(sql, 1, a);
    bind_text(sql, 2, b);
    sqlite3_bind_int64(sql, 3, (int64_t)pair);
    sqlite3_bind_int(sql, 4, leg);
    return each_game(base, sql, fn, user, err);
}

static enum bg_status all_games(struct store *base, bool with_text, store_game_fn fn, void *user,
                                struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status =
        ask(&sql, base,
            with_text ? "SELECT " GAME_COLUMNS ",id,record FROM game ORDER BY a,b,pair,leg,game"
                      : "SELECT " GAME_COLUMNS ",id,NULL FROM game ORDER BY a,b,pair,leg,game",
            err);

    return status != BG_OK ? status : each_game(base, sql, fn, user, err);
}

static enum bg_status all_unplayed(struct store *base,
                                   void (*fn)(void *user, const char *fixture, const char *bot,
                                              const char *why),
                                   void *user, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status =
        ask(&sql, base, "SELECT fixture,bot,why FROM unplayed ORDER BY a,b,pair,leg", err);
    int code;

    if (status != BG_OK) {
        return status;
    }
    while ((code = sqlite3_step(sql)) == SQLITE_ROW) {
        fn(user, lent(sql, 0), lent(sql, 1), lent(sql, 2));
    }
    return answered(base, sql, code, err);
}

static enum bg_status all_faults(struct store *base,
                                 void (*fn)(void *user, const struct store_fault *fault),
                                 void *user, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status =
        ask(&sql, base, "SELECT " FAULT_COLUMNS " FROM fault ORDER BY number", err);
    int code;

    if (status != BG_OK) {
        return status;
    }
    while ((code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct store_fault fault = {
            .game_id = lent(sql, 0),
            .bot = lent(sql, 1),
            .fault = bg_fault_from_name(lent(sql, 2)),
            .decision = (uint64_t)sqlite3_column_int64(sql, 3),
            .rule = lent(sql, 4),
            .position_id = lent(sql, 5),
            .xgid = lent(sql, 6),
            .dice = lent(sql, 7),
            .reply = lent(sql, 8),
            .stderr_tail = lent(sql, 9),
            .legal = lent(sql, 10),
            .reproduce = lent(sql, 11),
            .story = lent(sql, 12),
        };

        fn(user, &fault);
    }
    return answered(base, sql, code, err);
}

/* --- opening and closing ----------------------------------------------------------------- */

static void sqlite_store_destroy(struct sqlite_store *store)
{
    if (store == NULL) {
        return;
    }
    if (store->has_thread) {
        pthread_mutex_lock(&store->mutex);
        store->stop = true;
        pthread_cond_signal(&store->work);
        pthread_mutex_unlock(&store->mutex);
        pthread_join(store->thread, NULL);
    }
    for (int i = 0; i < SQL_COUNT; i++) {
        sqlite3_finalize(store->sql[i]);
    }
    /* The writer last: closing it folds the write-ahead log into the database. */
    sqlite3_close(store->reader);
    sqlite3_close(store->writer);
    store_lock_close(store->lock);
    if (store->event >= 0) {
        close(store->event);
    }
    if (store->has_sync) {
        pthread_cond_destroy(&store->work);
        pthread_cond_destroy(&store->done);
        pthread_mutex_destroy(&store->mutex);
    }
    queue_deinit(&store->queue);
    queue_deinit(&store->batch);
    free(store->path);
    free(store);
}

static void destroy(struct store *base)
{
    sqlite_store_destroy(self(base));
}

static const struct store_ops sqlite_store_ops = {
    .destroy = destroy,
    .meta_get = meta_get,
    .meta_set = meta_set,
    .meta_each = meta_each,
    .put_game = put_game,
    .put_fault = put_fault,
    .put_unplayed = put_unplayed,
    .on_durable = on_durable,
    .settled_fd = settled_fd,
    .settled = settled,
    .flush = flush,
    .leg_games = leg_games,
    .all_games = all_games,
    .all_unplayed = all_unplayed,
    .all_faults = all_faults,
};

/* Makes every missing folder on the way to the file. */
static enum bg_status make_folders(const char *path, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char *folder = strdup(path);

    if (folder == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "path of the results");
    }
    for (char *at = folder + 1; status == BG_OK && (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            status = bg_error_set(err, BG_E_STORE, "results %s: make folder %s: %s", path, folder,
                                  strerror(errno));
        }
        *at = '/';
    }
    free(folder);
    return status;
}

static bool read_number(sqlite3 *db, const char *text, int64_t *out)
{
    sqlite3_stmt *sql = NULL;
    bool has = sqlite3_prepare_v2(db, text, -1, &sql, NULL) == SQLITE_OK &&
               sqlite3_step(sql) == SQLITE_ROW;

    *out = has ? sqlite3_column_int64(sql, 0) : 0;
    sqlite3_finalize(sql);
    return has;
}

/* Is this database ours? *fresh: it is empty. Changes nothing. */
static enum bg_status check_schema(bool *fresh, sqlite3 *db, const char *path, struct bg_error *err)
{
    int64_t application, version, tables;

    if (!read_number(db, "PRAGMA application_id", &application) ||
        !read_number(db, "PRAGMA user_version", &version) ||
        !read_number(db, "SELECT count(*) FROM sqlite_master", &tables)) {
        return story(err, path, "not a results database", db);
    }
    *fresh = application == 0 && version == 0 && tables == 0;
    if (!*fresh && application != STORE_APPLICATION) {
        return bg_error_set(err, BG_E_STORE,
                            "results %s: a database of another program, not results of bgref; "
                            "choose another name",
                            path);
    }
    if (version > STORE_SCHEMA) {
        return bg_error_set(err, BG_E_STORE,
                            "results %s: written by a newer bgref (schema version %lld, this "
                            "program knows %d); use that program or another name",
                            path, (long long)version, STORE_SCHEMA);
    }
    return BG_OK;
}

static bool pragma(sqlite3 *db, const char *text)
{
    return sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK;
}

static enum bg_status make_schema(sqlite3 *db, const char *path, struct bg_error *err)
{
    char marks[96];

    snprintf(marks, sizeof marks, "PRAGMA application_id=%d; PRAGMA user_version=%d",
             STORE_APPLICATION, STORE_SCHEMA);
    /* All or nothing: a kill in between leaves an empty database, which is fresh again. */
    if (!pragma(db, "BEGIN IMMEDIATE") || !pragma(db, schema) || !pragma(db, marks) ||
        !pragma(db, "COMMIT")) {
        return story(err, path, "create", db);
    }
    return BG_OK;
}

static enum bg_status open_writer(struct sqlite_store *store, struct bg_error *err)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    enum bg_status status;
    bool fresh;
    char text[64];

    if (sqlite3_open_v2(store->path, &store->writer, flags, NULL) != SQLITE_OK) {
        return story(err, store->path, "open", store->writer);
    }
    sqlite3_busy_timeout(store->writer, BUSY_MS);
    status = check_schema(&fresh, store->writer, store->path, err);
    if (status != BG_OK) {
        return status;
    }
    snprintf(text, sizeof text, "PRAGMA wal_autocheckpoint=%d", CHECKPOINT_PAGES);
    if (!pragma(store->writer, "PRAGMA journal_mode=WAL") ||
        !pragma(store->writer, "PRAGMA synchronous=FULL") || !pragma(store->writer, text)) {
        return story(err, store->path, "open", store->writer);
    }
    status = fresh ? make_schema(store->writer, store->path, err) : BG_OK;
    for (int i = 0; i < SQL_COUNT && status == BG_OK; i++) {
        if (sqlite3_prepare_v3(store->writer, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &store->sql[i], NULL) != SQLITE_OK) {
            status = story(err, store->path, "prepare", store->writer);
        }
    }
    return status;
}

/* "file:PATH?immutable=1" with everything special in the path escaped. Owned by the caller. */
static char *immutable_uri(const char *path)
{
    static const char hex[] = "0123456789ABCDEF";
    char *uri = malloc(3 * strlen(path) + 32);

    if (uri == NULL) {
        return NULL;
    }

    char *at = line_put(uri, "file:");

    for (; *path != '\0'; path++) {
        unsigned char byte = (unsigned char)*path;

        if (byte == '?' || byte == '#' || byte == '%') {
            *at++ = '%';
            *at++ = hex[byte >> 4];
            *at++ = hex[byte & 15];
        } else {
            *at++ = *path;
        }
    }
    *line_put(at, "?immutable=1") = '\0';
    return uri;
}

/* A database at rest on a read-only medium: SQLite cannot make its shared memory there, and does
 * not need it when nobody writes. With a write-ahead log left over, `immutable` would hide the last
 * games: then there is no way but to copy. */
static enum bg_status open_immutable(struct sqlite_store *store, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct stat wal;
    char *uri = immutable_uri(store->path);
    char *log = malloc(strlen(store->path) + sizeof "-wal");

    if (uri == NULL || log == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "path of the results");
        goto done;
    }
    *line_put(line_put(log, store->path), "-wal") = '\0';
    if (stat(log, &wal) == 0 && wal.st_size > 0) {
        status =
            bg_error_set(err, BG_E_STORE,
                         "results %s: the last run was cut off and its log cannot be read in a "
                         "read-only folder; copy it together with %s and read the copy",
                         store->path, log);
        goto done;
    }
    sqlite3_close(store->reader);
    store->reader = NULL;
    if (sqlite3_open_v2(uri, &store->reader,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK) {
        status = story(err, store->path, "open", store->reader);
    }
done:
    free(uri);
    free(log);
    return status;
}

static enum bg_status open_reader(struct sqlite_store *store, struct bg_error *err)
{
    int64_t tables;

    if (sqlite3_open_v2(store->path, &store->reader, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK) {
        return story(err, store->path, "open", store->reader);
    }
    sqlite3_busy_timeout(store->reader, BUSY_MS);
    if (!read_number(store->reader, "SELECT count(*) FROM sqlite_master", &tables)) {
        int code = sqlite3_errcode(store->reader);

        if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) {
            return open_immutable(store, err);
        }
    }
    return BG_OK;
}

static struct sqlite_store *create(const char *path)
{
    struct sqlite_store *store = calloc(1, sizeof *store);

    if (store == NULL) {
        return NULL;
    }
    store->base.ops = &sqlite_store_ops;
    store->lock = -1;
    store->event = -1;
    store->path = strdup(path);
    if (store->path == NULL) {
        free(store);
        return NULL;
    }
    return store;
}

static enum bg_status start_thread(struct sqlite_store *store, struct bg_error *err)
{
    pthread_condattr_t monotonic;
    sigset_t all, before;
    int code;

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
    /* Signals are for the thread that polls. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&store->thread, NULL, write_thread, store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "thread of the results: %s", strerror(code));
    }
    store->has_thread = true;
    return BG_OK;
}

enum bg_status store_sqlite_open(struct store **out, const char *path, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct sqlite_store *store = create(path);

    if (store == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "store state");
        goto done;
    }
    status = make_folders(path, err);
    if (status != BG_OK) {
        goto done;
    }
    status = store_lock_open(&store->lock, path, err);
    if (status != BG_OK) {
        goto done;
    }
    status = open_writer(store, err);
    if (status != BG_OK) {
        goto done;
    }
    status = open_reader(store, err);
    if (status != BG_OK) {
        goto done;
    }
    status = start_thread(store, err);
    if (status != BG_OK) {
        goto done;
    }
    *out = &store->base;
    store = NULL; /* now the caller's */
done:
    sqlite_store_destroy(store);
    return status;
}

enum bg_status store_sqlite_open_read(struct store **out, const char *path, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct sqlite_store *store = create(path);
    bool fresh;

    if (store == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "store state");
        goto done;
    }
    store->read_only = true;
    if (access(path, R_OK) != 0) {
        status = bg_error_set(err, errno == ENOENT ? BG_E_ARGUMENT : BG_E_STORE, "results %s: %s",
                              path, strerror(errno));
        goto done;
    }
    status = open_reader(store, err);
    if (status != BG_OK) {
        goto done;
    }
    status = check_schema(&fresh, store->reader, path, err);
    if (status == BG_OK && fresh) {
        status = bg_error_set(err, BG_E_STORE, "results %s: an empty database", path);
    }
    if (status != BG_OK) {
        goto done;
    }
    *out = &store->base;
    store = NULL; /* now the caller's */
done:
    sqlite_store_destroy(store);
    return status;
}
