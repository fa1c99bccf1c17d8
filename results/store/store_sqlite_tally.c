/* The tally kept with the games: written in the same transaction, so that it always agrees. */
#include "store_sqlite.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <rules/clean.h>

#include "record/record_text.h"

const char sqlite_tally_schema[] =
    "CREATE TABLE encounter ("
    " a TEXT NOT NULL, b TEXT NOT NULL, length INTEGER NOT NULL, total BLOB NOT NULL,"
    " PRIMARY KEY (a, b, length)) WITHOUT ROWID;"
    "CREATE TABLE lost ("
    " bot TEXT NOT NULL, fault TEXT NOT NULL, games INTEGER NOT NULL,"
    " PRIMARY KEY (bot, fault)) WITHOUT ROWID;";

static bool set_total(sqlite3_stmt *sql, const char *a, const char *b, int length_points,
                      const struct encounter *total)
{
    unsigned char bytes[ENCOUNTER_BYTES];

    return sqlite_run(sql,
                      SQLITE_VALUES(sqlite_text(a), sqlite_text(b), sqlite_number(length_points),
                                    sqlite_blob(bytes, encounter_pack(bytes, total))));
}

/* --- while games are written -------------------------------------------------------------- */

enum { FACT_COUNT = 9 /* columns of FACTS */ };

static struct encounter_game read_facts(sqlite3_stmt *sql)
{
    return (struct encounter_game){
        .leg = sqlite3_column_int(sql, 0),
        .length_points = sqlite3_column_int(sql, 1),
        .winner = sqlite3_column_int(sql, 2),
        .points = sqlite3_column_int64(sql, 3),
        .level = sqlite3_column_int(sql, 4),
        .end = record_end_find((const char *)sqlite3_column_text(sql, 5)),
        .turns = sqlite3_column_int(sql, 6),
        .match_over = sqlite3_column_int(sql, 7) != 0,
        .match_winner = sqlite3_column_int(sql, 8),
    };
}

/* Reads the state of this game's pair before the game. Only for runs that cannot be unpacked;
 * the run itself has the pair otherwise, without a query. */
static bool read_pair(struct pair *out, struct sqlite_store *store, const struct store_game *game)
{
    sqlite3_stmt *sql = store->sql[SQL_PAIR];
    int code;

    *out = (struct pair){0};
    sqlite_bind(sql, SQLITE_VALUES(sqlite_text(game->a), sqlite_text(game->b),
                                   sqlite_number((int64_t)game->pair), sqlite_number(game->leg),
                                   sqlite_number(game->game)));
    while ((code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct encounter_game other = read_facts(sql);

        if (encounter_game_is_sound(&other)) {
            encounter_pair_add(out, &other);
        }
    }
    sqlite3_reset(sql);
    return code == SQLITE_DONE;
}

static bool read_total(struct encounter *out, struct sqlite_store *store,
                       const struct store_game *game)
{
    sqlite3_stmt *sql = store->sql[SQL_ENCOUNTER];
    int code;

    *out = (struct encounter){0};
    sqlite_bind(sql, SQLITE_VALUES(sqlite_text(game->a), sqlite_text(game->b),
                                   sqlite_number(game->length_points)));
    code = sqlite3_step(sql);
    if (code == SQLITE_ROW) {
        /* A damaged total is begun anew; the seal of the table tells the next reader. */
        (void)encounter_unpack(out, sqlite3_column_blob(sql, 0),
                               (size_t)sqlite3_column_bytes(sql, 0));
    }
    sqlite3_reset(sql);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

/* Two bots whose last games were set aside. */
static bool delete_total(const struct touched *touched, sqlite3 *db)
{
    return sqlite_do(db, "DELETE FROM encounter WHERE a=? AND b=? AND length=?",
                     SQLITE_VALUES(sqlite_text(touched->a), sqlite_text(touched->b),
                                   sqlite_number(touched->length_points)));
}

static bool write_total(struct touched *touched, struct sqlite_store *store)
{
    bool has_games = touched->total.count[ENCOUNTER_GAMES] > 0;

    if (touched->is_changed &&
        !(has_games ? set_total(store->sql[SQL_ENCOUNTER_SET], touched->a, touched->b,
                                touched->length_points, &touched->total)
                    : delete_total(touched, store->writer))) {
        return false;
    }
    touched->is_changed = false;
    return true;
}

/* A place that is free, or was used longest ago. NULL: SQLite failed. */
static struct touched *make_place(struct sqlite_store *store)
{
    struct touched *place = &store->touched[0];

    if (store->touched_count < TOUCHED_MAX) {
        return &store->touched[store->touched_count++];
    }
    for (int i = 1; i < TOUCHED_MAX; i++) {
        place = store->touched[i].used < place->used ? &store->touched[i] : place;
    }
    return write_total(place, store) ? place : NULL;
}

/* Reads the encounter of a game into a place. */
static bool hold_encounter(struct touched *place, struct sqlite_store *store,
                           const struct store_game *game)
{
    free(place->a);
    free(place->b);
    place->a = memory_text(game->a);
    place->b = memory_text(game->b);
    place->length_points = game->length_points;
    place->is_changed = false;
    return read_total(&place->total, store, game);
}

/* Returns a game's encounter, to be changed; lent until the next call. NULL: SQLite failed. */
static struct encounter *touch(struct sqlite_store *store, const struct store_game *game)
{
    struct touched *held = NULL;

    for (int i = store->touched_count - 1; i >= 0 && held == NULL; i--) {
        struct touched *touched = &store->touched[i];

        if (touched->length_points == game->length_points && strcmp(touched->a, game->a) == 0 &&
            strcmp(touched->b, game->b) == 0) {
            held = touched;
        }
    }
    if (held == NULL) {
        held = make_place(store);
        if (held == NULL || !hold_encounter(held, store, game)) {
            return NULL; /* the transaction fails, and nothing is held any more */
        }
    }
    held->used = ++store->uses;
    held->is_changed = true;
    return &held->total;
}

static bool count_lost(struct sqlite_store *store, const struct store_game *game)
{
    return sqlite_run(store->sql[SQL_LOST],
                      SQLITE_VALUES(sqlite_text(game->winner == 0 ? game->b : game->a),
                                    sqlite_text(bg_fault_name(game->fault))));
}

bool sqlite_tally_game(struct sqlite_store *store, const struct store_game *game)
{
    struct encounter_game facts = encounter_game_of(game);
    struct pair pair;
    struct encounter *total = NULL;
    struct run *run = sqlite_run_touch(store, game);

    if (run == NULL) {
        return false;
    }
    run_pair(&pair, run, game->pair);
    run_add(run, game, true);
    if (!encounter_game_is_sound(&facts)) {
        return true; /* cannot be counted; reading the games reports it */
    }
    total = touch(store, game);
    if (total == NULL || (run->is_strange && !read_pair(&pair, store, game))) {
        return false;
    }
    encounter_add_game(total, &pair, &facts);
    return game->end != BG_END_FAULT || game->winner < 0 || count_lost(store, game);
}

/* ---- when games are set aside */

struct share {
    struct encounter sum; /* of the games of one length so far */
    struct pair pair;
    struct store_game key; /* names and length; lent */
    bool has_games;
};

static bool subtract(struct share *share, struct sqlite_store *store)
{
    struct encounter *total = share->has_games ? touch(store, &share->key) : NULL;

    if (total != NULL) {
        encounter_subtract(total, &share->sum);
    }
    share->sum = (struct encounter){0};
    share->pair = (struct pair){0};
    return total != NULL || !share->has_games;
}

static bool drop_lost(struct sqlite_store *store, const struct game_id *pair)
{
    static const char *const texts[] = {
        "UPDATE lost SET games=games-(SELECT count(*) FROM game WHERE a=?1 AND b=?2 AND pair=?3"
        " AND winner IN (0,1) AND iif(winner=0,b,a)=lost.bot AND fault=lost.fault)"
        " WHERE bot IN (?1,?2)",
        "DELETE FROM lost WHERE bot IN (?1,?2) AND games<=0"};
    bool done = true;

    for (int i = 0; i < 2 && done; i++) {
        done = sqlite_do(store->writer, texts[i],
                         SQLITE_VALUES(sqlite_text(pair->a), sqlite_text(pair->b),
                                       sqlite_number((int64_t)pair->pair)));
    }
    return done;
}

bool sqlite_tally_drop(struct sqlite_store *store, struct game_id *pair)
{
    struct share share = {.key = {.a = pair->a, .b = pair->b}};
    sqlite3_stmt *sql = NULL;
    int code = SQLITE_ERROR;
    bool done = sqlite3_prepare_v2(store->writer,
                                   "SELECT " FACTS " FROM game WHERE a=? AND b=? AND pair=?"
                                   " ORDER BY length,leg,game",
                                   -1, &sql, NULL) == SQLITE_OK;

    if (done) {
        sqlite_bind(sql, SQLITE_VALUES(sqlite_text(pair->a), sqlite_text(pair->b),
                                       sqlite_number((int64_t)pair->pair)));
    }
    while (done && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct encounter_game game = read_facts(sql);

        if (!encounter_game_is_sound(&game)) {
            continue;
        }
        if (game.length_points != share.key.length_points) {
            done = subtract(&share, store);
        }
        share.key.length_points = game.length_points;
        share.has_games = true;
        encounter_add_game(&share.sum, &share.pair, &game);
    }
    sqlite3_finalize(sql);
    return done && code == SQLITE_DONE && subtract(&share, store) && drop_lost(store, pair);
}

bool sqlite_tally_write(struct sqlite_store *store)
{
    if (!sqlite_runs_write(store)) {
        return false;
    }
    for (int i = 0; i < store->touched_count; i++) {
        if (!write_total(&store->touched[i], store)) {
            return false;
        }
    }
    return true;
}

void sqlite_tally_forget(struct sqlite_store *store)
{
    for (int i = 0; i < store->touched_count; i++) {
        store->touched[i].is_changed = false;
    }
    store->touched_count = 0;
    sqlite_runs_forget(store);
}

void sqlite_tally_free(struct sqlite_store *store)
{
    for (int i = 0; i < TOUCHED_MAX; i++) {
        free(store->touched[i].a);
        free(store->touched[i].b);
    }
}

/* --- from games that were there before ---------------------------------------------------- */

/* One encounter while games are read in the order of (a, b, length, pair). */
struct store_sqlite_tally_passing {
    char a[BG_GAME_ID], b[BG_GAME_ID];
    int length_points;
    int64_t number; /* the pair's number */
    struct pair pair;
    struct encounter total;
    bool begun;
};

static bool is_same_pair(const struct store_sqlite_tally_passing *passing, const char *a,
                         const char *b, int length)
{
    return passing->begun && strcmp(passing->a, a) == 0 && strcmp(passing->b, b) == 0 &&
           passing->length_points == length;
}

static bool begin_next(struct store_sqlite_tally_passing *passing, sqlite3_stmt *set, const char *a,
                       const char *b, int length)
{
    if (passing->begun &&
        !set_total(set, passing->a, passing->b, passing->length_points, &passing->total)) {
        return false;
    }
    *passing =
        (struct store_sqlite_tally_passing){.length_points = length, .number = -1, .begun = true};
    strncpy(passing->a, a, sizeof passing->a - 1);
    strncpy(passing->b, b, sizeof passing->b - 1);
    return true;
}

static bool pass_game(struct store_sqlite_tally_passing *passing, sqlite3_stmt *set,
                      sqlite3_stmt *sql)
{
    const char *a = (const char *)sqlite3_column_text(sql, FACT_COUNT);
    const char *b = (const char *)sqlite3_column_text(sql, FACT_COUNT + 1);
    int64_t number = sqlite3_column_int64(sql, FACT_COUNT + 2);
    struct encounter_game game = read_facts(sql);

    if (!encounter_game_is_sound(&game)) {
        return true;
    }
    if (!is_same_pair(passing, a, b, game.length_points) &&
        !begin_next(passing, set, a, b, game.length_points)) {
        return false;
    }
    if (number != passing->number) {
        passing->number = number;
        passing->pair = (struct pair){0};
    }
    encounter_add_game(&passing->total, &passing->pair, &game);
    return true;
}

static bool count_all(sqlite3 *db)
{
    sqlite3_stmt *sql = NULL, *set = NULL;
    struct store_sqlite_tally_passing passing = {0};
    bool fine =
        sqlite3_prepare_v2(db, "SELECT " FACTS ",a,b,pair FROM game ORDER BY a,b,length,pair", -1,
                           &sql, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "INSERT INTO encounter(a,b,length,total) VALUES(?,?,?,?)", -1, &set,
                           NULL) == SQLITE_OK;
    int code = SQLITE_DONE;

    while (fine && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        fine = pass_game(&passing, set, sql);
    }
    fine = fine && code == SQLITE_DONE && (!passing.begun || begin_next(&passing, set, "", "", 0));
    sqlite3_finalize(sql);
    sqlite3_finalize(set);
    return fine;
}

static bool count_all_lost(sqlite3 *db)
{
    return sqlite_do(db,
                     "INSERT INTO lost SELECT iif(winner=0,b,a),fault,count(*)"
                     " FROM game WHERE ended=? AND winner IN (0,1) GROUP BY 1,2",
                     SQLITE_VALUES(sqlite_text(record_end_word(BG_END_FAULT))));
}

bool sqlite_tally_count(sqlite3 *db)
{
    return sqlite3_exec(db, "DELETE FROM encounter; DELETE FROM lost;", NULL, NULL, NULL) ==
               SQLITE_OK &&
           count_all(db) && count_all_lost(db);
}

/* --- reading ------------------------------------------------------------------------------ */

/* A name of the row, cleaned as by clean(); lent. Most are clean, and a call of clean() for each of
 * half a million rows costs as much as reading them. copy: of one that is not; freed by the next
 * call. */
static const char *clean_name(char **copy, sqlite3_stmt *sql, int column)
{
    const char *name = sqlite_lent(sql, column);
    size_t size = name == NULL ? 0 : (size_t)sqlite3_column_bytes(sql, column);

    free(*copy);
    *copy = NULL;
    if (clean_find(name, size, CLEAN_TEXT) == size) {
        return name == NULL ? "" : name;
    }
    *copy = memory_zeroed(CLEAN_GROWTH * size + 1, 1);
    clean_write(*copy, CLEAN_GROWTH * size + 1, name, size, CLEAN_TEXT);
    return *copy;
}

static bool show_encounter(struct reading *reading)
{
    const struct store_query *query = reading->query;
    sqlite3_stmt *sql = reading->sql;
    char *copy[2] = {NULL, NULL};
    const char *a = clean_name(&copy[0], sql, 0), *b = clean_name(&copy[1], sql, 1);
    struct encounter total;
    bool more =
        encounter_unpack(&total, sqlite3_column_blob(sql, 3), (size_t)sqlite3_column_bytes(sql, 3));

    if (!more) {
        reading->status =
            bg_error_set(reading->err, BG_E_STORE,
                         "results %s: the tally of %s and %s is damaged; the games are "
                         "not: 'bgref export' still writes them",
                         reading->store->path, a, b);
    } else {
        more = query->fn.encounter(query->user, a, b, sqlite3_column_int(sql, 2), &total);
        *(bool *)reading->work = more;
    }
    free(copy[0]);
    free(copy[1]);
    return more;
}

static bool show_lost(struct reading *reading)
{
    return reading->query->lost(reading->query->user, sqlite_lent(reading->sql, 0),
                                bg_fault_from_name(sqlite_lent(reading->sql, 1)),
                                (uint64_t)sqlite3_column_int64(reading->sql, 2));
}

enum bg_status sqlite_read_tally(struct reading *reading)
{
    bool more = true, *kept = reading->query->kept;
    const char *table;
    enum bg_status status;

    /* cppcheck-suppress autoVariables -- read only below here */
    reading->work = &more;
    status = sqlite_seal_holds(kept, reading->store, SEAL_ENCOUNTER, SEAL_LOST, &table,
                               reading->err); /* a changed tally is ignored */
    if (status == BG_OK && *kept) {
        status = sqlite_rows(reading, "SELECT a,b,length,total FROM encounter ORDER BY a,b,length",
                             show_encounter);
    }
    if (status == BG_OK && *kept && more) {
        status = sqlite_rows(reading, "SELECT clean(bot),fault,games FROM lost ORDER BY bot,fault",
                             show_lost);
    }
    return status;
}
