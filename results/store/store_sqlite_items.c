/* One item of the queue, written in the transaction of its group, with the rows beside a game that
 * it changes: the journal, when games ended, steps of unfinished games, pairs that got other dice.
 * On the store's thread, unless it is said otherwise. */
#include "store_sqlite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record/game_id.h"
#include "record/record_text.h"

#define KEY_OF(game)                                                                               \
    sqlite_text((game)->a), sqlite_text((game)->b), sqlite_number((int64_t)(game)->pair),          \
        sqlite_number((game)->leg), sqlite_number((game)->game)

/* The small tables beside the games. */
const char sqlite_rows_schema[] =
    /* A row for each act on the event, in the order of their numbers. Rows are only added. */
    "CREATE TABLE IF NOT EXISTS act ("
    " number INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL,"
    " kind TEXT NOT NULL, subject TEXT NOT NULL, reason TEXT NOT NULL,"
    " hash TEXT NOT NULL);"
    /* One row for each second in which games ended: the first of them, by its rowid.
     * The games behind it, up to the next row's, ended in the same second. So a date costs nothing
     * in the rows of the games, whose bytes and seals stay as they were. Rowids are in the order of
     * arrival, and VACUUM keeps them, because the table has an index.
     */
    "CREATE TABLE IF NOT EXISTS moment ("
    " first INTEGER PRIMARY KEY, at INTEGER NOT NULL);"
    /* Steps of games that are being played, for events whose decisions survive the end of the
     * referee. A row is what happened between two decisions. The transaction that stores a game
     * deletes its rows, so a finished event has none. They are neither sealed nor part of the root:
     * who goes on from them replays them by the rules and compares their dice with the key.
     */
    "CREATE TABLE IF NOT EXISTS step ("
    " a TEXT NOT NULL, b TEXT NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL,"
    " game INTEGER NOT NULL, first INTEGER NOT NULL, steps TEXT NOT NULL,"
    " left0_ns INTEGER NOT NULL, left1_ns INTEGER NOT NULL, delay0_ns INTEGER NOT NULL,"
    " delay1_ns INTEGER NOT NULL, on_clock INTEGER NOT NULL,"
    " PRIMARY KEY (a, b, pair, leg, game, first)) WITHOUT ROWID;";

/* ------------------------------------------------------------------ the journal */

bool sqlite_acts_begin(struct sqlite_store *store)
{
    int64_t last;
    bool done = sqlite_first(store->writer, "SELECT ifnull(max(number),0) FROM act", &last);

    store->acts = (uint64_t)last;
    return done;
}

static bool write_act(struct sqlite_store *store, const struct act *act)
{
    return sqlite_run(store->sql[SQL_ACT],
                      SQLITE_VALUES(sqlite_number((int64_t)act->number), sqlite_text(act->at),
                                    sqlite_text(act->who), sqlite_text(act->kind),
                                    sqlite_text(act->subject), sqlite_text(act->reason),
                                    sqlite_text(act->hash)));
}

/* Against the number in memory and not the table: acts that are queued count too, or two of them
 * could get one number. */
enum bg_status sqlite_acts_check(const struct sqlite_store *store, const struct act *acts,
                                 size_t count, struct bg_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (acts[i].number != store->acts + i + 1) {
            return bg_error_set(err, BG_E_MISMATCH,
                                "results %s: act %" PRIu64 " does not follow act %" PRIu64
                                " in the journal",
                                store->path, acts[i].number, store->acts + i);
        }
    }
    return BG_OK;
}

/* ------------------------------------------------------------------ when games ended */

enum { UNKNOWN = -1 };

void sqlite_dates_forget(struct sqlite_store *store)
{
    store->dated_s = UNKNOWN;
}

static bool cut_dates(struct sqlite_store *store)
{
    sqlite_dates_forget(store);
    return sqlite_exec(store->writer,
                       "DELETE FROM moment WHERE first>(SELECT ifnull(max(rowid),0) FROM game)");
}

/* Reads the time of the last row; 0 without rows. */
static bool read_last(struct sqlite_store *store)
{
    return sqlite_first(store->writer,
                        "SELECT ifnull((SELECT at FROM moment ORDER BY first DESC LIMIT 1),0)",
                        &store->dated_s);
}

static bool date_game(struct sqlite_store *store, const struct store_game *game)
{
    if (store->dated_s == UNKNOWN && !read_last(store)) {
        return false;
    }
    if (game->at_s == store->dated_s) {
        return true;
    }
    store->dated_s = game->at_s;
    return sqlite_run(store->sql[SQL_DATE],
                      SQLITE_VALUES(sqlite_number(sqlite3_last_insert_rowid(store->writer)),
                                    sqlite_number(game->at_s)));
}

/* ------------------------------------------------------------------ steps */

bool sqlite_steps_begin(struct sqlite_store *store)
{
    int64_t has;
    bool done = sqlite_first(store->writer, "SELECT EXISTS (SELECT 1 FROM step)", &has);

    store->may_have_steps = has != 0;
    return done;
}

static bool write_steps(struct sqlite_store *store, const struct store_steps *steps)
{
    if (steps == NULL) {
        return sqlite_exec(store->writer, "DELETE FROM step");
    }
    store->may_have_steps = true;
    return sqlite_run(
        store->sql[SQL_STEPS],
        SQLITE_VALUES(sqlite_text(steps->game.a), sqlite_text(steps->game.b),
                      sqlite_number((int64_t)steps->game.pair), sqlite_number(steps->game.leg),
                      sqlite_number(steps->game.game), sqlite_number(steps->first),
                      sqlite_text(steps->lines), sqlite_number(steps->left_ns[0]),
                      sqlite_number(steps->left_ns[1]), sqlite_number(steps->delay_ns[0]),
                      sqlite_number(steps->delay_ns[1]), sqlite_number(steps->on_clock)));
}

static bool drop_steps(struct sqlite_store *store, const struct store_game *game)
{
    return !store->may_have_steps ||
           sqlite_run(store->sql[SQL_STEPS_DROP],
                      SQLITE_VALUES(sqlite_text(game->a), sqlite_text(game->b),
                                    sqlite_number((int64_t)game->pair), sqlite_number(game->leg),
                                    sqlite_number(game->game)));
}

/* ------------------------------------------------------------------ pairs that got other dice
 * A pair is set aside where the director takes its games back (void, replay) or its key was shown:
 * its games move into a table of their own, which tallies and ratings do not read. After a kill
 * only the attempt of the pair counts on, and its games stay. */

/* The columns of a stored game, except the one that SQLite computes. */
#define GAME_ROW GAME_COLUMNS ",record"
#define OF_PAIR  "a=?1 AND b=?2 AND pair=?3"
/* The attempt in which the games were played, after the new attempt was inserted. */
#define BEFORE "(SELECT max(attempt)-1 FROM attempt WHERE " OF_PAIR ")"

const char sqlite_aside_schema[] =
    "CREATE TABLE attempt ("
    " a TEXT NOT NULL, b TEXT NOT NULL, pair INTEGER NOT NULL, attempt INTEGER NOT NULL,"
    " reason TEXT NOT NULL, at TEXT NOT NULL, games INTEGER NOT NULL,"
    " PRIMARY KEY (a, b, pair, attempt)) WITHOUT ROWID;"
    "CREATE TABLE set_aside ("
    " a TEXT NOT NULL, b TEXT NOT NULL, pair INTEGER NOT NULL, attempt INTEGER NOT NULL,"
    " leg INTEGER NOT NULL, game INTEGER NOT NULL, length INTEGER NOT NULL,"
    " winner INTEGER NOT NULL, points INTEGER NOT NULL, level INTEGER NOT NULL,"
    " ended TEXT NOT NULL, fault TEXT, turns INTEGER NOT NULL, score_a INTEGER NOT NULL,"
    " score_b INTEGER NOT NULL, match_over INTEGER NOT NULL, match_winner INTEGER NOT NULL,"
    " left_a_ns INTEGER NOT NULL, left_b_ns INTEGER NOT NULL, hash TEXT NOT NULL,"
    " record TEXT NOT NULL,"
    " id TEXT GENERATED ALWAYS AS (" GAME_ID_SQL ") VIRTUAL,"
    " PRIMARY KEY (a, b, pair, attempt, leg, game));"
    "ALTER TABLE fault ADD COLUMN attempt INTEGER;";

/* ?1 a, ?2 b, ?3 pair, ?4 reason, ?5 time. In this order: each step still finds the games in the
 * table, and only the last two remove them. */
static const char *const steps[] = {
    "INSERT INTO attempt(a,b,pair,attempt,reason,at,games) SELECT ?1,?2,?3,"
    " 1+(SELECT count(*) FROM attempt WHERE " OF_PAIR "),?4,?5,"
    " (SELECT count(*) FROM game WHERE " OF_PAIR ")",
    "INSERT INTO set_aside(" GAME_ROW ",attempt) SELECT " GAME_ROW "," BEFORE
    " FROM game WHERE " OF_PAIR,
    "UPDATE fault SET attempt=" BEFORE " WHERE attempt IS NULL AND game_id IN"
    " (SELECT id FROM game WHERE " OF_PAIR ")",
    /* by the table's key: judge after judge, not every judgement */
    "WITH RECURSIVE judge_of(name) AS (SELECT min(judge) FROM judgement UNION ALL"
    " SELECT (SELECT min(judge) FROM judgement WHERE judge>name) FROM judge_of"
    " WHERE name IS NOT NULL)"
    " DELETE FROM judgement WHERE judge IN (SELECT name FROM judge_of)"
    " AND hash IN (SELECT hash FROM game WHERE " OF_PAIR ")",
    "DELETE FROM game WHERE " OF_PAIR,
    "DELETE FROM step WHERE " OF_PAIR,
};

/* The same parameters. */
static const char *const steps_again[] = {
    "INSERT INTO attempt(a,b,pair,attempt,reason,at,games) SELECT ?1,?2,?3,"
    " 1+(SELECT count(*) FROM attempt WHERE " OF_PAIR "),?4,?5,0",
    "DELETE FROM step WHERE " OF_PAIR,
};

static bool take_steps(sqlite3 *db, const char *const texts[], size_t count,
                       const struct game_id *id, const struct store_item *item)
{
    bool done = true;

    for (size_t i = 0; i < count && done; i++) {
        done = sqlite_do(
            db, texts[i],
            SQLITE_VALUES(sqlite_text(id->a), sqlite_text(id->b), sqlite_number((int64_t)id->pair),
                          sqlite_text(item->as.text.second), sqlite_text(item->as.text.third)));
    }
    return done;
}

static bool write_aside(struct sqlite_store *store, const struct store_item *item)
{
    struct game_id id;
    /* What is held in memory is written first, because the statements count in the tables. */
    bool done = sqlite_runs_write(store);

    if (!game_id_read_pair(&id, item->as.text.first)) {
        return true; /* sqlite_change has written the name */
    }
    done = done && sqlite_tally_drop(store, &id) &&
           take_steps(store->writer, steps, sizeof steps / sizeof steps[0], &id, item);
    sqlite_runs_forget(store);
    return done && cut_dates(store) && sqlite_run_anew(store->writer, &id);
}

static bool write_again(struct sqlite_store *store, const struct store_item *item)
{
    struct game_id id;

    return game_id_read_pair(&id, item->as.text.first) &&
           take_steps(store->writer, steps_again, sizeof steps_again / sizeof steps_again[0], &id,
                      item);
}

/* ------------------------------------------------------------------ one item */

/* The id is already stored: ignores the game if it is the same, else sets *conflict. A referee
 * that was killed may put a game again that is already durable. */
static bool compare_game(struct sqlite_store *store, const struct store_game *game,
                         struct bg_error *conflict)
{
    sqlite3_stmt *sql = store->sql[SQL_HASH];
    int code;

    sqlite_bind(sql, SQLITE_VALUES(KEY_OF(game)));
    code = sqlite3_step(sql);
    if (code == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(sql, 0), game->hash) != 0) {
        bg_error_set(conflict, BG_E_STORE,
                     "results %s: game %s is stored already with another record (hash %.12s, new "
                     "%.12s)",
                     store->path, game->id, (const char *)sqlite3_column_text(sql, 0), game->hash);
    }
    sqlite3_reset(sql);
    return code == SQLITE_ROW;
}

static bool write_fault(struct sqlite_store *store, const struct store_fault *fault)
{
    return sqlite_run(
        store->sql[SQL_FAULT],
        SQLITE_VALUES(
            sqlite_text(fault->game_id), sqlite_text(fault->bot),
            sqlite_text(bg_fault_name(fault->fault)), sqlite_number((int64_t)fault->decision),
            sqlite_text(fault->rule), sqlite_text(fault->position_id), sqlite_text(fault->xgid),
            sqlite_text(fault->dice), sqlite_text(fault->reply), sqlite_text(fault->stderr_tail),
            sqlite_text(fault->legal), sqlite_text(fault->reproduce), sqlite_text(fault->story)));
}

static bool write_game(struct sqlite_store *store, struct store_item *item,
                       struct bg_error *conflict)
{
    const struct store_game *game = item->as.game;
    const char *fault = game->end == BG_END_FAULT ? bg_fault_name(game->fault) : NULL;
    const struct sqlite_value row[] = {
        KEY_OF(game),
        sqlite_number(game->length_points),
        sqlite_number(game->winner),
        sqlite_number(game->points),
        sqlite_number(game->level),
        sqlite_text(record_end_word(game->end)),
        sqlite_text(fault),
        sqlite_number(game->turns),
        sqlite_number(game->score_a),
        sqlite_number(game->score_b),
        sqlite_number(game->match_over),
        sqlite_number(game->match_winner),
        sqlite_number(game->left_ns[0]),
        sqlite_number(game->left_ns[1]),
        sqlite_text(game->hash),
        {.kind = SQLITE_TEXT,
         .bytes = game->text == NULL ? "" : game->text,
         .size = game->text == NULL ? 0 : game->text_size},
    };
    const int columns = sizeof row / sizeof row[0];

    if (!sqlite_run(store->sql[SQL_GAME], row, columns)) {
        return false;
    }
    /* The statement ignores a row that is there; only the number of changes tells. */
    item->is_new = sqlite3_changes(store->writer) == 1;
    if (!item->is_new) {
        return compare_game(store, game, conflict);
    }
    sqlite_seal_row(store, SEAL_GAME, row, columns - 1); /* records are proved by their hashes */
    return drop_steps(store, game) && date_game(store, game) && sqlite_tally_game(store, game) &&
           (game->evidence == NULL || write_fault(store, game->evidence));
}

static bool write_judgement(struct sqlite_store *store, const struct judgement *judgement)
{
    char *rolls = judgement_rolls_text(judgement);
    char *choices = judgement->has_choices ? judgement_choices_text(judgement) : NULL;
    bool is_written;

    is_written = sqlite_run(
        store->sql[SQL_JUDGEMENT],
        SQLITE_VALUES(sqlite_text(judgement->judge), sqlite_text(judgement->hash),
                      sqlite_real(judgement->luck[0]), sqlite_real(judgement->luck[1]),
                      sqlite_number(judgement->cpu_ns), sqlite_text(rolls), sqlite_text(choices)));
    /* The statement lives on, and must not keep pointers to texts that are freed now. */
    sqlite3_clear_bindings(store->sql[SQL_JUDGEMENT]);
    free(rolls);
    free(choices);
    return is_written;
}

static bool write_unplayed(struct sqlite_store *store, const struct store_item *item)
{
    struct game_id id;

    if (!game_id_read_leg(&id, item->as.text.first)) {
        return true; /* put has already refused an invalid name */
    }
    return sqlite_run(store->sql[SQL_UNPLAYED],
                      SQLITE_VALUES(sqlite_text(id.a), sqlite_text(id.b),
                                    sqlite_number((int64_t)id.pair), sqlite_number(id.leg),
                                    sqlite_text(item->as.text.second),
                                    sqlite_text(item->as.text.third)));
}

bool sqlite_write_item(struct sqlite_store *store, struct store_item *item,
                       struct bg_error *conflict)
{
    switch (item->kind) {
    case STORE_ITEM_GAME:
        return write_game(store, item, conflict);
    case STORE_ITEM_FAULT:
        return write_fault(store, item->as.fault);
    case STORE_ITEM_JUDGEMENT:
        return write_judgement(store, item->as.judgement);
    case STORE_ITEM_META:
        return sqlite_run(store->sql[SQL_META], SQLITE_VALUES(sqlite_text(item->as.text.first),
                                                              sqlite_text(item->as.text.second)));
    case STORE_ITEM_UNPLAYED:
        return write_unplayed(store, item);
    case STORE_ITEM_ASIDE:
        return write_aside(store, item);
    case STORE_ITEM_AGAIN:
        return write_again(store, item);
    case STORE_ITEM_REOPEN:
        return sqlite_run(store->sql[SQL_REOPEN], SQLITE_VALUES(sqlite_text(item->as.text.first)));
    case STORE_ITEM_ACT:
        return write_act(store, item->as.act);
    case STORE_ITEM_STEPS:
        return write_steps(store, item->as.steps);
    }
    return false;
}
