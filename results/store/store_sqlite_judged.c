#include "store_sqlite.h"

#include <stdlib.h>

/* Columns after GAME_READ, without the record. */
enum { LUCK_A = 21, LUCK_B, CPU, ROLLS, CHOICES, JUDGE };

/* Reads the row; strings are lent, the lists owned by *out. */
static enum bg_status row_judgement(struct judgement *out, const struct store_game *game,
                                    char *judge, sqlite3_stmt *sql, struct bg_error *err)
{
    enum bg_status status;

    *out = (struct judgement){
        .game_id = game->id,
        .judge = judge,
        .luck = {sqlite3_column_double(sql, LUCK_A), sqlite3_column_double(sql, LUCK_B)},
        .cpu_ns = sqlite3_column_int64(sql, CPU),
        .has_choices = sqlite3_column_type(sql, CHOICES) != SQLITE_NULL,
    };
    status = judgement_read_rolls(out, sqlite_lent(sql, ROLLS), err);
    if (status == BG_OK && out->has_choices) {
        status = judgement_read_choices(out, sqlite_lent(sql, CHOICES), err);
    }
    return status;
}

static enum bg_status show_judgement(bool *more, char *judge, sqlite3_stmt *sql, const char *path,
                                     store_judgement_fn fn, void *user, struct bg_error *err)
{
    struct bg_error wrong = {0};
    struct store_game game;
    struct judgement judgement;
    enum bg_status status;

    sqlite_row_game(&game, sql);
    status = row_judgement(&judgement, &game, judge, sql, &wrong);
    if (status == BG_OK) {
        judgement.hash = game.hash;
        *more = fn(user, &game, &judgement);
    } else if (status == BG_E_FORMAT) {
        status =
            bg_error_set(err, BG_E_STORE, "results %s: game %s: %s", path, game.id, wrong.text);
    }
    free(judgement.roll);
    free(judgement.choice);
    return status;
}

enum bg_status sqlite_each_judgement(struct store *base, const char *judge, store_judgement_fn fn,
                                     void *user, struct bg_error *err)
{
    struct sqlite_store *store = sqlite_store_of(base);
    sqlite3_stmt *sql;
    enum bg_status status;
    bool more = true;
    int code = SQLITE_DONE;

    if (!store->has_judgements) {
        return BG_OK;
    }
    /* CROSS JOIN makes games the outer loop, so that their order needs no sorting. */
    status = sqlite_ask(&sql, base,
                        "SELECT " GAME_READ ",NULL,luck_a,luck_b,cpu_ns,rolls,choices,clean(judge)"
                        " FROM game CROSS JOIN judgement USING (hash) WHERE judge=?"
                        " ORDER BY a,b,pair,leg,game",
                        err);
    if (status != BG_OK) {
        return status;
    }
    sqlite_bind_text(sql, 1, judge);
    while (status == BG_OK && more && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        status = show_judgement(&more, sqlite_lent(sql, JUDGE), sql, store->path, fn, user, err);
    }

    enum bg_status read_status = sqlite_answered(base, sql, code, status == BG_OK ? err : NULL);

    return status != BG_OK ? status : read_status;
}

enum bg_status sqlite_each_judge(struct store *base,
                                 void (*fn)(void *user, const char *judge, uint64_t games),
                                 void *user, struct bg_error *err)
{
    sqlite3_stmt *sql;
    enum bg_status status;
    int code;

    if (!sqlite_store_of(base)->has_judgements) {
        return BG_OK;
    }
    status = sqlite_ask(&sql, base,
                        "SELECT clean(judge),count(*) FROM judgement GROUP BY judge ORDER BY judge",
                        err);
    if (status != BG_OK) {
        return status;
    }
    while ((code = sqlite3_step(sql)) == SQLITE_ROW) {
        fn(user, sqlite_lent(sql, 0), (uint64_t)sqlite3_column_int64(sql, 1));
    }
    return sqlite_answered(base, sql, code, err);
}

/* The number of parameters is that of struct store_ops: what is wanted, and where to continue. */
enum bg_status sqlite_unjudged(struct store *base, const char *judge, bool with_choices,
                               int64_t *cursor, int limit, store_game_fn fn, void *user,
                               struct bg_error *err)
{
    static const char missing[] =
        "SELECT " GAME_READ ",record,rowid FROM game WHERE rowid>?1 AND NOT EXISTS"
        " (SELECT 1 FROM judgement WHERE judgement.judge=?2 AND judgement.hash=game.hash"
        "  AND (choices IS NOT NULL OR NOT ?3)) ORDER BY rowid LIMIT ?4";
    static const char every[] = "SELECT " GAME_READ ",record,rowid FROM game WHERE rowid>?1"
                                " ORDER BY rowid LIMIT ?4";
    sqlite3_stmt *sql;
    enum bg_status status;
    bool more = true;
    int code = SQLITE_DONE;

    status = sqlite_ask_now(
        &sql, base, judge == NULL || !sqlite_store_of(base)->has_judgements ? every : missing, err);
    if (status != BG_OK) {
        return status;
    }
    sqlite3_bind_int64(sql, 1, *cursor);
    sqlite_bind_text(sql, 2, judge); /* `every` uses only the first and last parameters */
    sqlite3_bind_int(sql, 3, with_choices);
    sqlite3_bind_int(sql, 4, limit);
    while (more && (code = sqlite3_step(sql)) == SQLITE_ROW) {
        struct store_game game;

        sqlite_row_game(&game, sql);
        *cursor = sqlite3_column_int64(sql, 21);
        more = fn(user, &game);
    }
    return sqlite_answered(base, sql, code, err);
}
