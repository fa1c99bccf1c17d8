#include "store_sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record_text.h"

/* --- reading ----------------------------------------------------------------------------- */

char *sqlite_lent(sqlite3_stmt *sql, int column)
{
    const unsigned char *text = sqlite3_column_text(sql, column);
    char *out;

    memcpy(&out, &text, sizeof out);
    return out;
}

enum bg_status sqlite_ask_now(sqlite3_stmt **out, struct store *base, const char *text,
                              struct bg_error *err)
{
    struct sqlite_store *store = sqlite_store_of(base);

    *out = NULL;
    if (sqlite3_prepare_v2(store->reader, text, -1, out, NULL) != SQLITE_OK) {
        return sqlite_story(err, store->path, "read", store->reader);
    }
    return BG_OK;
}

enum bg_status sqlite_ask(sqlite3_stmt **out, struct store *base, const char *text,
                          struct bg_error *err)
{
    enum bg_status status = sqlite_flush(base, err);

    *out = NULL;
    return status == BG_OK ? sqlite_ask_now(out, base, text, err) : status;
}

enum bg_status sqlite_answered(struct store *base, sqlite3_stmt *sql, int code,
                               struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        status =
            sqlite_story(err, sqlite_store_of(base)->path, "read", sqlite_store_of(base)->reader);
    }
    sqlite3_finalize(sql);
    return status;
}

enum bg_status sqlite_meta_get(struct store *base, const char *key, char *out, size_t room,
                               bool *found, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status = sqlite_ask(&sql, base, "SELECT value FROM meta WHERE key=?", err);

    *found = false;
    out[0] = '\0';
    if (status != BG_OK) {
        return status;
    }
    sqlite_bind_text(sql, 1, key);

    int code = sqlite3_step(sql);

    if (code == SQLITE_ROW) {
        size_t size = (size_t)sqlite3_column_bytes(sql, 0);

        if (size >= room) {
            status = bg_error_set(err, BG_E_STORE,
                                  "results %s: setting %s has %zu bytes, expected "
                                  "less than %zu",
                                  sqlite_store_of(base)->path, key, size, room);
        } else {
            memcpy(out, sqlite_lent(sql, 0), size);
            out[size] = '\0';
            *found = true;
        }
    }

    enum bg_status read_status = sqlite_answered(base, sql, code, err);

    return status != BG_OK ? status : read_status;
}

enum bg_status sqlite_meta_each(struct store *base, const char *prefix,
                                void (*fn)(void *user, const char *key, const char *value),
                                void *user, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status = sqlite_ask(
        &sql, base,
        "SELECT clean(key),clean(value) FROM meta WHERE substr(key,1,length(?1))=?1 ORDER BY key",
        err);
    int code;

    if (status != BG_OK) {
        return status;
    }
    sqlite_bind_text(sql, 1, prefix);
    while ((code = sqlite3_step(sql)) == SQLITE_ROW) {
        fn(user, sqlite_lent(sql, 0), sqlite_lent(sql, 1));
    }
    return sqlite_answered(base, sql, code, err);
}

void sqlite_row_game(struct store_game *out, sqlite3_stmt *sql)
{
    const char *hash = sqlite_lent(sql, 18);

    *out = (struct store_game){
        .a = sqlite_lent(sql, 0),
        .b = sqlite_lent(sql, 1),
        .pair = (uint64_t)sqlite3_column_int64(sql, 2),
        .leg = sqlite3_column_int(sql, 3),
        .game = sqlite3_column_int(sql, 4),
        .length_points = sqlite3_column_int(sql, 5),
        .winner = sqlite3_column_int(sql, 6),
        .points = sqlite3_column_int64(sql, 7),
        .level = sqlite3_column_int(sql, 8),
        .end = record_end_find(sqlite_lent(sql, 9)),
        .fault = sqlite3_column_type(sql, 10) == SQLITE_NULL
                     ? BG_FAULT_NONE
                     : bg_fault_from_name(sqlite_lent(sql, 10)),
        .turns = sqlite3_column_int(sql, 11),
        .score_a = sqlite3_column_int64(sql, 12),
        .score_b = sqlite3_column_int64(sql, 13),
        .match_over = sqlite3_column_int(sql, 14) != 0,
        .match_winner = sqlite3_column_int(sql, 15),
        .left_ns = {sqlite3_column_int64(sql, 16), sqlite3_column_int64(sql, 17)},
        .id = sqlite_lent(sql, 19),
        .text = sqlite_lent(sql, 20),
        .text_size = (size_t)sqlite3_column_bytes(sql, 20),
    };
    snprintf(out->hash, sizeof out->hash, "%s", hash);
}

enum { DATE = 21 }; /* the column behind the record */

static enum bg_status each_game(struct store *base, sqlite3_stmt *sql, store_game_fn fn, void *user,
                                struct bg_error *err)
{
    struct store_game game;
    bool more = true;
    int code = SQLITE_DONE;

    while (more && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        sqlite_row_game(&game, sql);
        game.at_s = sqlite3_column_int64(sql, DATE); /* 0 if there is no such column */
        more = fn(user, &game);
    }
    return sqlite_answered(base, sql, code, err);
}

#define OF_LEG   " FROM game WHERE a=? AND b=? AND pair=? AND leg=? ORDER BY game"
#define IN_ORDER " FROM game ORDER BY a,b,pair,leg,game"

/* The number of parameters is that of struct store_ops: a place in the store takes four of them. */
enum bg_status sqlite_leg_games(struct store *base, const char *a, const char *b, uint64_t pair,
                                int leg, store_game_fn fn, void *user, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status = sqlite_ask(&sql, base,
                                       sqlite_store_of(base)->has_dates
                                           ? "SELECT " GAME_COLUMNS ",id,record" GAME_DATE OF_LEG
                                           : "SELECT " GAME_COLUMNS ",id,record" OF_LEG,
                                       err);

    if (status != BG_OK) {
        return status;
    }
    sqlite_bind_text(sql, 1, a);
    sqlite_bind_text(sql, 2, b);
    sqlite3_bind_int64(sql, 3, (int64_t)pair);
    sqlite3_bind_int(sql, 4, leg);
    return each_game(base, sql, fn, user, err);
}

enum bg_status sqlite_all_games(struct store *base, bool with_text, store_game_fn fn, void *user,
                                struct bg_error *err)
{
    sqlite3_stmt *sql;
    bool dated = sqlite_store_of(base)->has_dates;
    enum bg_status status = sqlite_ask(&sql, base,
                                       !with_text ? "SELECT " GAME_READ ",NULL" IN_ORDER
                                       : dated    ? "SELECT " GAME_READ ",record" GAME_DATE IN_ORDER
                                                  : "SELECT " GAME_READ ",record" IN_ORDER,
                                       err);

    return status != BG_OK ? status : each_game(base, sql, fn, user, err);
}

enum bg_status sqlite_all_unplayed(struct store *base,
                                   void (*fn)(void *user, const char *fixture, const char *bot,
                                              const char *why),
                                   void *user, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status = sqlite_ask(
        &sql, base,
        "SELECT clean(fixture),clean(bot),clean(why) FROM unplayed ORDER BY a,b,pair,leg", err);
    int code;

    if (status != BG_OK) {
        return status;
    }
    while ((code = sqlite3_step(sql)) == SQLITE_ROW) {
        fn(user, sqlite_lent(sql, 0), sqlite_lent(sql, 1), sqlite_lent(sql, 2));
    }
    return sqlite_answered(base, sql, code, err);
}

enum bg_status sqlite_all_faults(struct store *base,
                                 void (*fn)(void *user, const struct store_fault *fault),
                                 void *user, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status =
        sqlite_ask(&sql, base,
                   sqlite_store_of(base)->has_attempts
                       ? "SELECT " FAULT_READ " FROM fault WHERE attempt IS NULL ORDER BY number"
                       : "SELECT " FAULT_READ " FROM fault ORDER BY number",
                   err);
    int code;

    if (status != BG_OK) {
        return status;
    }
    while ((code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct store_fault fault = {
            .game_id = sqlite_lent(sql, 0),
            .bot = sqlite_lent(sql, 1),
            .fault = bg_fault_from_name(sqlite_lent(sql, 2)),
            .decision = (uint64_t)sqlite3_column_int64(sql, 3),
            .rule = sqlite_lent(sql, 4),
            .position_id = sqlite_lent(sql, 5),
            .xgid = sqlite_lent(sql, 6),
            .dice = sqlite_lent(sql, 7),
            .reply = sqlite_lent(sql, 8),
            .stderr_tail = sqlite_lent(sql, 9),
            .legal = sqlite_lent(sql, 10),
            .reproduce = sqlite_lent(sql, 11),
            .story = sqlite_lent(sql, 12),
            .number = (uint64_t)sqlite3_column_int64(sql, 13),
        };

        fn(user, &fault);
    }
    return sqlite_answered(base, sql, code, err);
}
