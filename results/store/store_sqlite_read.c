/* Reading: what is asked for, as a query, and a function for a row. */
#include "store_sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record_text.h"

/* The copy of the pointer drops const without a cast, which the compiler warns of; nobody writes
 * through it. */
char *sqlite_lent(sqlite3_stmt *sql, int column)
{
    const unsigned char *text = sqlite3_column_text(sql, column);
    char *out;

    memcpy(&out, &text, sizeof out);
    return out;
}

enum bg_status sqlite_meta_get(struct store *base, const char *key, char *out, size_t room,
                               bool *found, struct bg_error *err)
{
    struct sqlite_store *store = sqlite_store_of(base);
    sqlite3_stmt *sql = NULL;
    /* What was put is visible to who reads afterwards, although another thread writes it. */
    enum bg_status status = sqlite_flush(base, err);

    *found = false;
    out[0] = '\0';
    if (status != BG_OK) {
        return status;
    }

    int code =
        sqlite3_prepare_v2(store->reader, "SELECT value FROM meta WHERE key=?", -1, &sql, NULL);

    sqlite_bind(sql, SQLITE_VALUES(sqlite_text(key)));
    code = code == SQLITE_OK ? sqlite3_step(sql) : code;
    if (code == SQLITE_ROW) {
        size_t size = (size_t)sqlite3_column_bytes(sql, 0);

        if (size >= room) {
            status = bg_error_set(err, BG_E_STORE,
                                  "results %s: setting %s has %zu bytes, expected "
                                  "less than %zu",
                                  store->path, key, size, room);
        } else {
            memcpy(out, sqlite_lent(sql, 0), size);
            out[size] = '\0';
            *found = true;
        }
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        status = sqlite_story(err, store->path, "read", store->reader);
    }
    sqlite3_finalize(sql);
    return status;
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

static void take_cell(char *out, size_t room, sqlite3_stmt *sql, int column)
{
    const char *text = sqlite_lent(sql, column);

    snprintf(out, room, "%s", text == NULL ? "" : text);
}

/* --- rows ------------------------------------------------------------------------------------ */

static bool show_setting(struct reading *reading)
{
    reading->query->fn.setting(reading->query->user, sqlite_lent(reading->sql, 0),
                               sqlite_lent(reading->sql, 1));
    return true;
}

/* Columns after GAME_READ and the record. */
enum { AFTER_GAME = 21, LUCK_A = AFTER_GAME, LUCK_B, CPU, ROLLS, CHOICES, JUDGE };

static bool show_game(struct reading *reading)
{
    struct store_game game;

    sqlite_row_game(&game, reading->sql);
    game.at_s = sqlite3_column_int64(reading->sql, AFTER_GAME); /* 0 if there is no such column */
    return reading->query->fn.game(reading->query->user, &game);
}

static bool show_aside(struct reading *reading)
{
    struct store_game game;

    sqlite_row_game(&game, reading->sql);
    return reading->query->fn.aside(reading->query->user, &game,
                                    (uint64_t)sqlite3_column_int64(reading->sql, AFTER_GAME));
}

static bool show_unjudged(struct reading *reading)
{
    struct store_game game;

    sqlite_row_game(&game, reading->sql);
    *reading->query->cursor = sqlite3_column_int64(reading->sql, AFTER_GAME);
    return reading->query->fn.game(reading->query->user, &game);
}

static bool show_attempt(struct reading *reading)
{
    sqlite3_stmt *sql = reading->sql;
    const struct store_attempt attempt = {.a = sqlite_lent(sql, 0),
                                          .b = sqlite_lent(sql, 1),
                                          .pair = (uint64_t)sqlite3_column_int64(sql, 2),
                                          .attempt = (uint64_t)sqlite3_column_int64(sql, 3),
                                          .games = (uint64_t)sqlite3_column_int64(sql, 4),
                                          .reason = sqlite_lent(sql, 5),
                                          .at = sqlite_lent(sql, 6)};

    reading->query->fn.attempt(reading->query->user, &attempt);
    return true;
}

static bool show_unplayed(struct reading *reading)
{
    reading->query->fn.unplayed(reading->query->user, sqlite_lent(reading->sql, 0),
                                sqlite_lent(reading->sql, 1), sqlite_lent(reading->sql, 2));
    return true;
}

static bool show_fault(struct reading *reading)
{
    sqlite3_stmt *sql = reading->sql;
    const struct store_fault fault = {
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

    reading->query->fn.fault(reading->query->user, &fault);
    return true;
}

static bool show_act(struct reading *reading)
{
    sqlite3_stmt *sql = reading->sql;
    struct act act = {.number = (uint64_t)sqlite3_column_int64(sql, 0)};

    take_cell(act.at, sizeof act.at, sql, 1);
    take_cell(act.who, sizeof act.who, sql, 2);
    take_cell(act.kind, sizeof act.kind, sql, 3);
    take_cell(act.subject, sizeof act.subject, sql, 4);
    take_cell(act.reason, sizeof act.reason, sql, 5);
    take_cell(act.hash, sizeof act.hash, sql, 6);
    return reading->query->fn.act(reading->query->user, &act);
}

static bool show_steps(struct reading *reading)
{
    sqlite3_stmt *sql = reading->sql;
    struct store_steps steps = {.first = sqlite3_column_int(sql, 5), .lines = sqlite_lent(sql, 6)};

    take_cell(steps.game.a, sizeof steps.game.a, sql, 0);
    take_cell(steps.game.b, sizeof steps.game.b, sql, 1);
    steps.game.pair = (uint64_t)sqlite3_column_int64(sql, 2);
    steps.game.leg = sqlite3_column_int(sql, 3);
    steps.game.game = sqlite3_column_int(sql, 4);
    for (int seat = 0; seat < 2; seat++) {
        steps.left_ns[seat] = sqlite3_column_int64(sql, 7 + seat);
        steps.delay_ns[seat] = sqlite3_column_int64(sql, 9 + seat);
    }
    steps.on_clock = sqlite3_column_int(sql, 11);
    return reading->query->fn.steps(reading->query->user, &steps);
}

static bool show_date(struct reading *reading)
{
    sqlite3_stmt *sql = reading->sql;
    struct game_id leg = {.pair = (uint64_t)sqlite3_column_int64(sql, 2),
                          .leg = sqlite3_column_int(sql, 3)};

    take_cell(leg.a, sizeof leg.a, sql, 0);
    take_cell(leg.b, sizeof leg.b, sql, 1);
    return reading->query->fn.date(reading->query->user, &leg, sqlite3_column_int64(sql, 4));
}

static bool show_judge(struct reading *reading)
{
    reading->query->fn.judge(reading->query->user, sqlite_lent(reading->sql, 0),
                             (uint64_t)sqlite3_column_int64(reading->sql, 1));
    return true;
}

static bool show_judgement(struct reading *reading)
{
    sqlite3_stmt *sql = reading->sql;
    struct bg_error wrong = {0};
    struct store_game game;
    struct judgement judgement;
    enum bg_status status;
    bool more = false;

    sqlite_row_game(&game, sql);
    judgement = (struct judgement){
        .game_id = game.id,
        .judge = sqlite_lent(sql, JUDGE),
        .hash = game.hash,
        .luck = {sqlite3_column_double(sql, LUCK_A), sqlite3_column_double(sql, LUCK_B)},
        .cpu_ns = sqlite3_column_int64(sql, CPU),
        .has_choices = sqlite3_column_type(sql, CHOICES) != SQLITE_NULL,
    };
    status = judgement_read_rolls(&judgement, sqlite_lent(sql, ROLLS), &wrong);
    if (status == BG_OK && judgement.has_choices) {
        status = judgement_read_choices(&judgement, sqlite_lent(sql, CHOICES), &wrong);
    }
    if (status == BG_OK) {
        more = reading->query->fn.judgement(reading->query->user, &game, &judgement);
    } else {
        reading->status = bg_error_set(reading->err, BG_E_STORE, "results %s: game %s: %s",
                                       reading->store->path, game.id, wrong.text);
    }
    free(judgement.roll);
    free(judgement.choice);
    return more;
}

/* --- queries --------------------------------------------------------------------------------- */

#define ACT_READ "number,clean(at),clean(who),clean(kind),clean(subject),clean(reason),clean(hash)"
#define OF_GAME  "a=?1 AND b=?2 AND pair=?3 AND leg=?4"
#define IN_ORDER " FROM game ORDER BY a,b,pair,leg,game"
#define OF_LEG   " FROM game WHERE " OF_GAME " ORDER BY game"

/* ?1 to ?5 are the names and numbers of the query's game, ?6 its name, ?7 full, ?8 the cursor, ?9
 * the limit. */
static const struct {
    const char *text;
    bool (*show)(struct reading *reading);
} queries[STORE_ROWS] = {
    [STORE_SETTINGS] = {"SELECT clean(key),clean(value) FROM meta"
                        " WHERE substr(key,1,length(?6))=?6 ORDER BY key",
                        show_setting},
    [STORE_GAMES] = {"SELECT " GAME_READ ",NULL" IN_ORDER, show_game},
    [STORE_SET_ASIDE] = {"SELECT " GAME_READ ",record,attempt FROM set_aside"
                         " ORDER BY a,b,pair,attempt,leg,game",
                         show_aside},
    [STORE_ATTEMPTS] = {"SELECT clean(a),clean(b),pair,attempt,games,clean(reason),clean(at)"
                        " FROM attempt ORDER BY a,b,pair,attempt",
                        show_attempt},
    [STORE_UNPLAYED] = {"SELECT clean(fixture),clean(bot),clean(why) FROM unplayed"
                        " ORDER BY a,b,pair,leg",
                        show_unplayed},
    [STORE_FAULTS] = {"SELECT " FAULT_READ " FROM fault WHERE attempt IS NULL ORDER BY number",
                      show_fault},
    [STORE_ACTS] = {"SELECT " ACT_READ " FROM act ORDER BY number", show_act},
    [STORE_STEPS] = {"SELECT " STEP_COLUMNS " FROM step ORDER BY a,b,pair,leg,game,first",
                     show_steps},
    /* Each row finds the next one in the index, so that legs in between cost nothing. The signs +
     * take the affinity away: with it SQLite compares only the first column by the index. */
    [STORE_DATES] =
        {"WITH RECURSIVE found(at) AS ("
         "SELECT (SELECT rowid FROM game ORDER BY a,b,pair,leg,game LIMIT 1) UNION ALL"
         " SELECT (SELECT n.rowid FROM game n WHERE (n.a,n.b,n.pair,n.leg)>"
         "(+g.a,+g.b,g.pair+?9,iif(?9,1,+g.leg)) ORDER BY n.a,n.b,n.pair,n.leg,n.game"
         " LIMIT 1) FROM found CROSS JOIN game g ON g.rowid=found.at)"
         "SELECT clean(g.a),clean(g.b),g.pair,g.leg,(SELECT at FROM moment WHERE first<="
         "(SELECT max(l.rowid) FROM game l WHERE l.a=g.a AND l.b=g.b AND l.pair=g.pair"
         " AND l.leg=g.leg) ORDER BY first DESC LIMIT 1)"
         " FROM found CROSS JOIN game g ON g.rowid=found.at",
         show_date},
    [STORE_JUDGES] = {"SELECT clean(judge),count(*) FROM judgement GROUP BY judge ORDER BY judge",
                      show_judge},
    /* CROSS JOIN makes games the outer loop, so that their order needs no sorting. */
    [STORE_JUDGEMENTS] = {"SELECT " GAME_READ
                          ",NULL,luck_a,luck_b,cpu_ns,rolls,choices,clean(judge)"
                          " FROM game CROSS JOIN judgement USING (hash) WHERE judge=?6"
                          " ORDER BY a,b,pair,leg,game",
                          show_judgement},
    [STORE_UNJUDGED] = {"SELECT " GAME_READ ",record,rowid FROM game WHERE rowid>?8"
                        " ORDER BY rowid LIMIT ?9",
                        show_unjudged},
};

/* The text of a query that is asked in another way than usual. */
static const char *text_of(const struct store_query *query)
{
    switch (query->rows) {
    case STORE_GAMES:
        if (query->of != NULL && query->limit > 0) {
            return "SELECT " GAME_READ ",CASE WHEN ?7 THEN record END" GAME_DATE
                   " FROM game WHERE a=?1 AND b=?2"
                   " AND (pair,leg,game)>(?3,?4,?5) ORDER BY pair,leg,game LIMIT ?9";
        }
        if (query->of != NULL) {
            return "SELECT " GAME_COLUMNS ",id,record" GAME_DATE OF_LEG;
        }
        if (query->full) {
            return "SELECT " GAME_READ ",record" GAME_DATE IN_ORDER;
        }
        break;
    case STORE_STEPS:
        if (query->of != NULL) {
            return "SELECT " STEP_COLUMNS " FROM step WHERE " OF_GAME " AND game=?5 ORDER BY first";
        }
        break;
    case STORE_JUDGEMENTS:
        if (query->of != NULL) {
            return "SELECT " GAME_READ ",NULL,luck_a,luck_b,cpu_ns,rolls,choices,clean(judge)"
                   " FROM game CROSS JOIN judgement USING (hash) WHERE judge=?6 AND " OF_GAME
                   " ORDER BY game";
        }
        break;
    case STORE_UNJUDGED:
        if (query->name != NULL) {
            return "SELECT " GAME_READ ",record,rowid FROM game WHERE rowid>?8 AND NOT EXISTS"
                   " (SELECT 1 FROM judgement WHERE judgement.judge=?6"
                   "  AND judgement.hash=game.hash AND (choices IS NOT NULL OR NOT ?7))"
                   " ORDER BY rowid LIMIT ?9";
        }
        break;
    default:
        break;
    }
    return queries[query->rows].text;
}

static void bind(sqlite3_stmt *sql, const struct store_query *query)
{
    static const struct game_id none;
    const struct game_id *of = query->of == NULL ? &none : query->of;

    sqlite_bind(sql, SQLITE_VALUES(sqlite_text(of->a), sqlite_text(of->b),
                                   sqlite_number((int64_t)of->pair), sqlite_number(of->leg),
                                   sqlite_number(of->game), sqlite_text(query->name),
                                   sqlite_number(query->full),
                                   sqlite_number(query->cursor == NULL ? 0 : *query->cursor),
                                   sqlite_number(query->limit)));
}

enum bg_status sqlite_rows(struct reading *reading, const char *text,
                           bool (*show)(struct reading *reading))
{
    struct sqlite_store *store = reading->store;
    int code;

    reading->status =
        reading->query->rows == STORE_UNJUDGED ? BG_OK : sqlite_flush(&store->base, reading->err);
    if (reading->status != BG_OK) {
        return reading->status;
    }
    code = sqlite3_prepare_v2(store->reader, text, -1, &reading->sql, NULL);
    if (code == SQLITE_OK) {
        bind(reading->sql, reading->query);
        while ((code = sqlite3_step(reading->sql)) == SQLITE_ROW && show(reading)) {
        }
    }
    if (reading->status == BG_OK && code != SQLITE_ROW && code != SQLITE_DONE) {
        reading->status = sqlite_story(reading->err, store->path, "read", store->reader);
    }
    sqlite3_finalize(reading->sql);
    return reading->status;
}

/* Reads what is kept with the games as it is now, with its seal. In one snapshot: rows of now
 * with a seal of a moment later would look damaged. */
static enum bg_status read_kept(struct reading *reading,
                                enum bg_status (*read)(struct reading *reading))
{
    struct store *base = &reading->store->base;
    bool begun = sqlite3_get_autocommit(reading->store->reader) == 0;
    enum bg_status status = sqlite_snapshot(base, true, reading->err), ended = BG_OK;

    if (status == BG_OK) {
        status = read(reading);
    }
    if (!begun) {
        ended = sqlite_snapshot(base, false, status == BG_OK ? reading->err : NULL);
    }
    return status == BG_OK ? ended : status;
}

enum bg_status sqlite_each(struct store *base, const struct store_query *query,
                           struct bg_error *err)
{
    struct sqlite_store *store = sqlite_store_of(base);
    struct reading reading = {.store = store, .query = query, .err = err};

    if (query->rows == STORE_RUNS || query->rows == STORE_TALLY) {
        return read_kept(&reading,
                         query->rows == STORE_RUNS ? sqlite_read_runs : sqlite_read_tally);
    }
    return sqlite_rows(&reading, text_of(query), queries[query->rows].show);
}
