/* Pairs that got other dice. A pair is set aside where the director takes its games back (void,
 * replay) or its key was shown: its games move into a table of their own, which tallies and ratings
 * do not read. After a kill only the attempt of the pair counts on, and its games stay.
 */
#include "store_sqlite.h"

#include "record/game_id.h"

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

/* --- writing ------------------------------------------------------------------------------ */

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

bool sqlite_aside_write(struct sqlite_store *store, const struct store_item *item)
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
    return done && sqlite_dates_cut(store) && sqlite_run_anew(store->writer, &id);
}

bool sqlite_again_write(struct sqlite_store *store, const struct store_item *item)
{
    struct game_id id;

    return game_id_read_pair(&id, item->as.text.first) &&
           take_steps(store->writer, steps_again, sizeof steps_again / sizeof steps_again[0], &id,
                      item);
}
