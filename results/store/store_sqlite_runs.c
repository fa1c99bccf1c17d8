/* The runs kept with the games: written in the same transaction, so that they always agree. The
 * runs that new games belong to stay in memory between transactions: nobody else writes, and after
 * a rollback all are read again. */
#include "store_sqlite.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "record/game_id.h"
#include "run.h"

const char sqlite_runs_schema[] = "CREATE TABLE run ("
                                  " a TEXT NOT NULL, b TEXT NOT NULL, first INTEGER NOT NULL,"
                                  " games BLOB NOT NULL, sums BLOB NOT NULL,"
                                  " PRIMARY KEY (a, b, first)) WITHOUT ROWID;";

#define SET_RUN   "INSERT INTO run(a,b,first,games,sums) VALUES(?,?,?,?,?)"
#define OF_RUN    " FROM game WHERE a=? AND b=? AND pair BETWEEN ? AND ? ORDER BY pair,leg,game"
#define ALL_GAMES " FROM game ORDER BY a,b,pair,leg,game"

#define KEY_OF(run)                                                                                \
    sqlite_text((run)->a), sqlite_text((run)->b), sqlite_number((int64_t)(run)->first)

static bool set_run(sqlite3_stmt *sql, const struct run *run)
{
    unsigned char *games = NULL, *sums = NULL;
    size_t game_bytes = run_pack_games(&games, run), sum_bytes = run_pack_sums(&sums, run);
    bool done;

    done = sqlite_run(sql, SQLITE_VALUES(KEY_OF(run), sqlite_blob(games, game_bytes),
                                         sqlite_blob(sums, sum_bytes)));
    sqlite3_clear_bindings(sql);
    free(games);
    free(sums);
    return done;
}

static bool unpack(struct run *run, sqlite3_stmt *sql, int column)
{
    const unsigned char *games = sqlite3_column_blob(sql, column);
    size_t game_bytes = (size_t)sqlite3_column_bytes(sql, column);
    const unsigned char *sums = sqlite3_column_blob(sql, column + 1);

    return run_unpack_games(run, games, game_bytes) &&
           (sums == NULL ||
            run_unpack_sums(run, sums, (size_t)sqlite3_column_bytes(sql, column + 1)));
}

/* ------------------------------------------------------- while games are written */

static bool load_run(struct run *out, struct sqlite_store *store)
{
    sqlite3_stmt *sql = store->sql[SQL_RUN];
    int code;

    sqlite_bind(sql, SQLITE_VALUES(KEY_OF(out)));
    code = sqlite3_step(sql);
    /* A run that cannot be unpacked contains a game that no run can hold. */
    out->is_strange = code == SQLITE_ROW && !unpack(out, sql, 0);
    sqlite3_reset(sql);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

static bool is_of(const struct touched_run *held, const struct store_game *game, uint64_t first)
{
    return held->run.first == first && strcmp(held->b, game->b) == 0 &&
           strcmp(held->a, game->a) == 0;
}

static bool write_run(struct touched_run *held, struct sqlite_store *store)
{
    if (held->is_changed && !set_run(store->sql[SQL_RUN_SET], &held->run)) {
        return false;
    }
    held->is_changed = false;
    return true;
}

/* A place that is free, or was used longest ago. NULL: SQLite failed. */
static struct touched_run *make_place(struct sqlite_store *store)
{
    struct touched_run *place = &store->run[0];

    if (store->run_count < RUNS_MAX) {
        return &store->run[store->run_count++];
    }
    for (int i = 1; i < RUNS_MAX; i++) {
        place = store->run[i].used < place->used ? &store->run[i] : place;
    }
    return write_run(place, store) ? place : NULL;
}

/* Reads the run of a game into a place. */
static bool hold_run(struct touched_run *place, struct sqlite_store *store,
                     const struct store_game *game)
{
    free(place->a);
    free(place->b);
    place->a = memory_text(game->a);
    place->b = memory_text(game->b);
    place->is_changed = false;
    run_clear(&place->run, place->a, place->b, run_first(game->pair));
    return load_run(&place->run, store);
}

struct run *sqlite_run_touch(struct sqlite_store *store, const struct store_game *game)
{
    uint64_t first = run_first(game->pair);
    struct touched_run *held = NULL;

    /* From the newest place back: the next game is most often of a run that was just used. */
    for (int i = store->run_count - 1; i >= 0 && held == NULL; i--) {
        held = is_of(&store->run[i], game, first) ? &store->run[i] : NULL;
    }
    if (held == NULL) {
        held = make_place(store);
        if (held == NULL || !hold_run(held, store, game)) {
            return NULL; /* the transaction fails, and nothing is held any more */
        }
    }
    held->used = ++store->uses;
    held->is_changed = true;
    return &held->run;
}

bool sqlite_runs_write(struct sqlite_store *store)
{
    for (int i = 0; i < store->run_count; i++) {
        if (!write_run(&store->run[i], store)) {
            return false;
        }
    }
    return true;
}

/* After a rollback: what is in memory then counts games that are not in the table. */
void sqlite_runs_forget(struct sqlite_store *store)
{
    for (int i = 0; i < store->run_count; i++) {
        store->run[i].is_changed = false;
    }
    store->run_count = 0;
}

void sqlite_runs_free(struct sqlite_store *store)
{
    for (int i = 0; i < RUNS_MAX; i++) {
        free(store->run[i].a);
        free(store->run[i].b);
        run_deinit(&store->run[i].run);
    }
}

/* ------------------------------------------------------------- from the games */

/* Builds runs from every game of the statement, until the callback stops. */
static int build_runs(sqlite3_stmt *sql, struct run_build *build)
{
    bool more = true;
    int code = SQLITE_DONE;

    while (more && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct store_game game;

        sqlite_row_game(&game, sql);
        more = run_build_game(build, &game);
    }
    run_build_end(build);
    return code;
}

struct store_sqlite_runs_setting {
    sqlite3_stmt *sql;
    bool done;
};

static bool set_built(void *user, const struct run *run)
{
    struct store_sqlite_runs_setting *setting = user;

    setting->done = set_run(setting->sql, run);
    return setting->done;
}

/* games: prepared and bound; this function finalizes it. */
static bool make_of(sqlite3 *db, sqlite3_stmt *games)
{
    struct store_sqlite_runs_setting setting = {.done = true};
    struct run_build build = RUN_BUILD(true, set_built, &setting);
    bool done = sqlite3_prepare_v2(db, SET_RUN, -1, &setting.sql, NULL) == SQLITE_OK &&
                build_runs(games, &build) == SQLITE_DONE && setting.done;

    sqlite3_finalize(games);
    sqlite3_finalize(setting.sql);
    return done;
}

bool sqlite_runs_build(sqlite3 *db)
{
    sqlite3_stmt *games = NULL;

    return sqlite_exec(db, "DELETE FROM run") &&
           sqlite3_prepare_v2(db, "SELECT " GAME_COLUMNS ",id,record" ALL_GAMES, -1, &games,
                              NULL) == SQLITE_OK &&
           make_of(db, games);
}

bool sqlite_run_anew(sqlite3 *db, const struct game_id *pair)
{
    const struct run run = {.a = pair->a, .b = pair->b, .first = run_first(pair->pair)};
    sqlite3_stmt *sql = NULL;

    if (!sqlite_do(db, "DELETE FROM run WHERE a=? AND b=? AND first=?",
                   SQLITE_VALUES(KEY_OF(&run))) ||
        sqlite3_prepare_v2(db, "SELECT " GAME_COLUMNS ",id,record" OF_RUN, -1, &sql, NULL) !=
            SQLITE_OK) {
        return false;
    }
    sqlite_bind(sql,
                SQLITE_VALUES(KEY_OF(&run), sqlite_number((int64_t)(run.first + RUN_PAIRS - 1))));
    return make_of(db, sql);
}

/* ------------------------------------------------------------------- reading */

/* A run, from the database or built. */
static bool show_one_run(void *user, const struct run *run)
{
    struct reading *reading = user;

    if (run->is_strange) {
        reading->status =
            bg_error_set(reading->err, BG_E_FORMAT,
                         "results %s: a game of %s and %s from pair %llu on: leg, "
                         "winner, level or end out of range",
                         reading->store->path, run->a, run->b, (unsigned long long)run->first);
        return false;
    }
    return reading->query->fn.run(reading->query->user, run);
}

static bool show_run(struct reading *reading)
{
    sqlite3_stmt *sql = reading->sql;
    struct run *run = reading->work;

    run_clear(run, sqlite_lent(sql, 0), sqlite_lent(sql, 1),
              (uint64_t)sqlite3_column_int64(sql, 2));
    run->is_strange = !unpack(run, sql, 3);
    return show_one_run(reading, run);
}

static void show_all(struct reading *reading)
{
    struct run run;

    run_init(&run, NULL, NULL, 0);
    /* cppcheck-suppress autoVariables -- read only below here */
    reading->work = &run;
    (void)sqlite_rows(reading,
                      reading->query->full
                          ? "SELECT clean(a),clean(b),first,games,sums FROM run ORDER BY a,b,first"
                          : "SELECT clean(a),clean(b),first,games,NULL FROM run ORDER BY a,b,first",
                      show_run);
    run_deinit(&run);
}

static bool add_to_run(struct reading *reading)
{
    struct store_game game;

    sqlite_row_game(&game, reading->sql);
    return run_build_game(reading->work, &game);
}

/* Builds the runs from the games, if runs were changed by another program. */
static void build_all(struct reading *reading)
{
    bool with_sums = reading->query->full;
    struct run_build build = RUN_BUILD(with_sums, show_one_run, reading);

    /* cppcheck-suppress autoVariables -- read only below here */
    reading->work = &build;
    (void)sqlite_rows(reading,
                      with_sums ? "SELECT " GAME_READ ",record" ALL_GAMES
                                : "SELECT " GAME_READ ",NULL" ALL_GAMES,
                      add_to_run);
    run_build_end(&build);
}

/* Whether the runs match their seal. Checks once, and again after a write by another
 * connection. A writer has checked at its start. */
static enum bg_status runs_hold(bool *hold, struct sqlite_store *store, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int64_t version;
    const char *table;

    *hold = true;
    if (!store->read_only) {
        return BG_OK;
    }
    (void)sqlite_first(store->reader, "PRAGMA data_version", &version);
    if (version == 0 || version != store->runs_version) {
        status = sqlite_seal_holds(&store->runs_hold, store, SEAL_RUN, SEAL_RUN, &table, err);
        store->runs_version = status == BG_OK ? version : 0;
    }
    *hold = store->runs_hold;
    return status;
}

enum bg_status sqlite_read_runs(struct reading *reading)
{
    bool kept = false;

    reading->status = runs_hold(&kept, reading->store, reading->err);
    if (reading->status == BG_OK) {
        (kept ? show_all : build_all)(reading);
    }
    return reading->status;
}
