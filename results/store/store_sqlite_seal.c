/* The seal: for every table its number of rows and a sum of the rows' digests, updated in the
 * transactions that write the rows. If another program changes, adds or removes a row, the sum no
 * longer matches. Updating needs no reading of other rows: triggers add a row's digest when the row
 * is written and subtract it when the row is deleted. Only our own connection has these triggers,
 * so no statement of ours can forget the seal. New games have no trigger, since SQLite copies every
 * page that a statement with a trigger changes: the one function that writes them adds their
 * digests.
 */
#include "store_sqlite.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "record/record_text.h"

enum { DIGEST = 32, TEXT_MAX = 2048 };

/* The tables that are printed. The records are proved by their hashes. */
static const struct {
    const char *name, *columns;
} tables[SEAL_TABLES] = {
    [SEAL_META] = {"meta", "key,value"},
    [SEAL_GAME] = {"game", GAME_COLUMNS},
    [SEAL_FAULT] = {"fault", "number," FAULT_COLUMNS ",attempt"},
    [SEAL_UNPLAYED] = {"unplayed", "a,b,pair,leg,bot,why"},
    [SEAL_JUDGEMENT] = {"judgement", JUDGEMENT_COLUMNS},
    [SEAL_ENCOUNTER] = {"encounter", "a,b,length,total"},
    [SEAL_LOST] = {"lost", "bot,fault,games"},
    [SEAL_RUN] = {"run", "a,b,first,games,sums"},
    [SEAL_ATTEMPT] = {"attempt", "a,b,pair,attempt,reason,at,games"},
    [SEAL_ASIDE] = {"set_aside", GAME_COLUMNS ",attempt"},
    [SEAL_ACT] = {"act", "number,at,who,kind,subject,reason,hash"},
    [SEAL_MOMENT] = {"moment", "first,at"},
};

static const char schema[] =
    "CREATE TABLE seal ("
    " name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sum BLOB NOT NULL) WITHOUT ROWID;";

/* --- sums ---------------------------------------------------------------------------------- */

/* A row on its way into a digest. */
struct store_sqlite_seal_row {
    crypto_generichash_state state;
    unsigned char text[1024];
    size_t size;
};

static void row_begin(struct store_sqlite_seal_row *row)
{
    crypto_generichash_init(&row->state, NULL, 0, DIGEST);
    row->size = 0;
}

static void row_add(struct store_sqlite_seal_row *row, const void *bytes, size_t size)
{
    if (size > sizeof row->text - row->size) {
        crypto_generichash_update(&row->state, row->text, row->size);
        row->size = 0;
    }
    if (size > sizeof row->text) {
        crypto_generichash_update(&row->state, bytes, size);
    } else {
        memcpy(row->text + row->size, bytes, size);
        row->size += size;
    }
}

/* What a value begins with: its kind, and the number or the size. */
static void row_head(struct store_sqlite_seal_row *row, int kind, int64_t number)
{
    unsigned char head[1 + sizeof number];

    head[0] = (unsigned char)kind;
    for (size_t i = 0; i < sizeof number; i++) {
        head[1 + i] = (unsigned char)((uint64_t)number >> (8 * i));
    }
    row_add(row, head, sizeof head);
}

static void row_value(struct store_sqlite_seal_row *row, sqlite3_value *value)
{
    int kind = sqlite3_value_type(value);
    const unsigned char *bytes = NULL;
    int64_t number = 0;

    if (kind == SQLITE_INTEGER) {
        number = sqlite3_value_int64(value);
    } else if (kind == SQLITE_FLOAT) {
        double real = sqlite3_value_double(value);

        memcpy(&number, &real, sizeof number);
    } else if (kind != SQLITE_NULL) {
        bytes = sqlite3_value_blob(value);
        number = sqlite3_value_bytes(value);
    }
    row_head(row, kind, number);
    if (bytes != NULL) {
        row_add(row, bytes, (size_t)number);
    }
}

/* Adds or subtracts the row's digest. */
static void row_end(struct seal *seal, struct store_sqlite_seal_row *row, bool comes)
{
    unsigned char digest[DIGEST];

    crypto_generichash_update(&row->state, row->text, row->size);
    crypto_generichash_final(&row->state, digest, sizeof digest);
    if (comes) {
        sodium_add(seal->sum, digest, sizeof digest);
    } else {
        sodium_sub(seal->sum, digest, sizeof digest);
    }
    seal->rows += comes ? 1 : -1;
    seal->is_changed = true;
}

void sqlite_seal_row(struct sqlite_store *store, enum seal_table table,
                     const struct sqlite_value *values, int count)
{
    struct store_sqlite_seal_row row;

    row_begin(&row);
    for (int i = 0; i < count; i++) {
        bool has_bytes = values[i].bytes != NULL;

        row_head(&row, values[i].kind, has_bytes ? (int64_t)values[i].size : values[i].number);
        if (has_bytes) {
            row_add(&row, values[i].bytes, values[i].size);
        }
    }
    row_end(&store->seal[table], &row, true);
}

/* seal_row(TABLE, SIGN, VALUE...): adds or subtracts a row's digest. */
static void seal_row(sqlite3_context *context, int count, sqlite3_value **value)
{
    struct seal *seal = (struct seal *)sqlite3_user_data(context) + sqlite3_value_int(value[0]);
    struct store_sqlite_seal_row row;

    row_begin(&row);
    for (int i = 2; i < count; i++) {
        row_value(&row, value[i]);
    }
    row_end(seal, &row, sqlite3_value_int(value[1]) > 0);
    sqlite3_result_int(context, 1);
}

/* Direct only: our own triggers call it, objects inside a database file must not. seals NULL:
 * removes the function. */
bool sqlite_seal_teach(sqlite3 *db, struct seal *seals)
{
    return sqlite3_create_function(db, "seal_row", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, seals,
                                   seals == NULL ? NULL : seal_row, NULL, NULL) == SQLITE_OK;
}

/* Sums up a whole table into the seals given to this connection. */
static bool sum_table(sqlite3 *db, struct seal *seals, enum seal_table table)
{
    char text[TEXT_MAX];

    seals[table] = (struct seal){0};
    snprintf(text, sizeof text, "SELECT seal_row(%d,1,%s) FROM %s", (int)table,
             tables[table].columns, tables[table].name);
    return sqlite_exec(db, text);
}

/* Loads the stored sums; a table without a row in the seal had no rows. */
static bool load_seals(sqlite3 *db, struct seal seals[SEAL_TABLES])
{
    sqlite3_stmt *sql = NULL;
    int code = sqlite3_prepare_v2(db, "SELECT name,rows,sum FROM seal", -1, &sql, NULL);

    memset(seals, 0, SEAL_TABLES * sizeof *seals);
    while (code == SQLITE_OK && sqlite3_step(sql) == SQLITE_ROW) {
        const char *name = sqlite_lent(sql, 0);

        for (int i = 0; i < SEAL_TABLES; i++) {
            if (name != NULL && strcmp(name, tables[i].name) == 0 &&
                sqlite3_column_bytes(sql, 2) == sizeof seals[i].sum) {
                seals[i].rows = sqlite3_column_int64(sql, 1);
                memcpy(seals[i].sum, sqlite3_column_blob(sql, 2), sizeof seals[i].sum);
            }
        }
    }
    return sqlite3_finalize(sql) == SQLITE_OK && code == SQLITE_OK;
}

static bool is_same_seal(const struct seal *x, const struct seal *y)
{
    return x->rows == y->rows && memcmp(x->sum, y->sum, sizeof x->sum) == 0;
}

/* --- writing --------------------------------------------------------------------------------- */

static bool write_seal(struct sqlite_store *store, enum seal_table table)
{
    const struct seal *seal = &store->seal[table];
    sqlite3_stmt **sql = &store->sql[SQL_SEAL];
    bool done = *sql != NULL ||
                sqlite3_prepare_v3(store->writer,
                                   "INSERT INTO seal(name,rows,sum) VALUES(?,?,?)"
                                   " ON CONFLICT DO UPDATE SET rows=excluded.rows,sum=excluded.sum",
                                   -1, SQLITE_PREPARE_PERSISTENT, sql, NULL) == SQLITE_OK;

    if (done) {
        done = sqlite_run(*sql,
                          SQLITE_VALUES(sqlite_text(tables[table].name), sqlite_number(seal->rows),
                                        sqlite_blob(seal->sum, sizeof seal->sum)));
    }
    return done;
}

bool sqlite_seal_write(struct sqlite_store *store)
{
    for (int i = 0; i < SEAL_TABLES; i++) {
        if (store->seal[i].is_changed && !write_seal(store, (enum seal_table)i)) {
            return false;
        }
    }
    return true;
}

void sqlite_seal_settle(struct sqlite_store *store, bool is_kept)
{
    for (int i = 0; i < SEAL_TABLES; i++) {
        if (store->seal[i].is_changed) {
            store->seal[i].is_changed = false;
            *(is_kept ? &store->sealed[i] : &store->seal[i]) =
                is_kept ? store->seal[i] : store->sealed[i];
        }
    }
}

/* Computes the sums of tables [from, to) again, inside a transaction. */
static bool seal_anew(struct sqlite_store *store, int from, int to)
{
    bool done = true;

    for (int i = from; i < to && done; i++) {
        done = sum_table(store->writer, store->seal, (enum seal_table)i) &&
               write_seal(store, (enum seal_table)i);
        store->seal[i].is_changed = done;
    }
    sqlite_seal_settle(store, done);
    return done;
}

bool sqlite_seal_make(struct sqlite_store *store)
{
    return sqlite_exec(store->writer, schema) && seal_anew(store, 0, SEAL_TABLES);
}

/* "NEW.a,NEW.b" of "a,b". */
static void put_columns(char *out, size_t room, const char *columns, const char *row)
{
    size_t size = 0;

    for (const char *at = columns; *at != '\0' && size + 64 < room;) {
        size_t length = strcspn(at, ",");

        size += (size_t)snprintf(out + size, room - size, "%s%s.%.*s", size == 0 ? "" : ",", row,
                                 (int)length, at);
        at += length + (at[length] == ',');
    }
}

static bool make_triggers(sqlite3 *db, int table)
{
    char text[3 * TEXT_MAX], came[TEXT_MAX], went[TEXT_MAX];
    const char *name = tables[table].name;

    put_columns(came, sizeof came, tables[table].columns, "NEW");
    put_columns(went, sizeof went, tables[table].columns, "OLD");
    snprintf(text, sizeof text,
             "CREATE TEMP TRIGGER %s_comes AFTER INSERT ON main.%s"
             " BEGIN SELECT seal_row(%d,1,%s); END",
             name, name, table, came);
    if (table != SEAL_GAME && !sqlite_exec(db, text)) {
        return false;
    }
    snprintf(text, sizeof text,
             "CREATE TEMP TRIGGER %s_goes AFTER DELETE ON main.%s"
             " BEGIN SELECT seal_row(%d,-1,%s); END",
             name, name, table, went);
    if (!sqlite_exec(db, text)) {
        return false;
    }
    snprintf(text, sizeof text,
             "CREATE TEMP TRIGGER %s_changes AFTER UPDATE ON main.%s"
             " BEGIN SELECT seal_row(%d,-1,%s),seal_row(%d,1,%s); END;",
             name, name, table, went, table, came);
    return sqlite_exec(db, text);
}

/* Replaced rows must fire delete triggers too, which needs recursive_triggers. */
static bool begin_sealing(sqlite3 *db)
{
    bool done = sqlite3_exec(db, "PRAGMA temp_store=MEMORY; PRAGMA recursive_triggers=ON", NULL,
                             NULL, NULL) == SQLITE_OK;

    for (int i = 0; i < SEAL_TABLES && done; i++) {
        done = make_triggers(db, i);
    }
    return done;
}

/* The tally, or the runs, do not match: counts them again from the games. */
static bool heal(struct sqlite_store *store, bool tally, bool runs)
{
    return sqlite_exec(store->writer, "BEGIN IMMEDIATE") &&
           (!tally || (sqlite_tally_count(store->writer) &&
                       seal_anew(store, SEAL_ENCOUNTER, SEAL_LOST + 1))) &&
           (!runs ||
            (sqlite_runs_build(store->writer) && seal_anew(store, SEAL_RUN, SEAL_RUN + 1))) &&
           sqlite_exec(store->writer, "COMMIT");
}

enum bg_status sqlite_seal_begin(struct sqlite_store *store, struct bg_error *err)
{
    struct seal *sealed = store->sealed;
    bool done = load_seals(store->writer, sealed), same[SEAL_TABLES];

    for (int i = SEAL_ENCOUNTER; i <= SEAL_RUN && done; i++) {
        done = sum_table(store->writer, store->seal, (enum seal_table)i);
        same[i] = is_same_seal(&store->seal[i], &sealed[i]);
    }
    if (done && !(same[SEAL_ENCOUNTER] && same[SEAL_LOST] && same[SEAL_RUN])) {
        done = heal(store, !same[SEAL_ENCOUNTER] || !same[SEAL_LOST], !same[SEAL_RUN]);
    }
    memcpy(store->seal, sealed, sizeof store->seal);
    if (!done || !begin_sealing(store->writer)) {
        return sqlite_story(err, store->path, "seal", store->writer);
    }
    return BG_OK;
}

/* --- damage ----------------------------------------------------------------------------------
 * What a machine that failed may have done to a database: found before more is built on it. A page
 * that was half written may still be a page to SQLite. So after an unclean end every record is
 * compared with its hash and every table with its seal: going on from a damaged row would spread it
 * into sums, which no later check could tell from true ones. */

/* Writes an expression that adds a row of this table to its sum when it is selected, and begins the
 * sum. */
static void write_summing(char *out, size_t room, struct sqlite_store *store, enum seal_table table)
{
    store->seal[table] = (struct seal){0};
    snprintf(out, room, "seal_row(%d,1,%s)", (int)table, tables[table].columns);
}

/* *name is a table that does not match its seal, leaving out what is counted again from the games;
 * NULL none. After all games and those set aside were selected with write_summing. False: SQLite
 * failed. */
static bool find_table(const char **name, struct sqlite_store *store)
{
    bool done = load_seals(store->writer, store->sealed);

    *name = NULL;
    for (int i = 0; i < SEAL_TABLES && done && *name == NULL; i++) {
        if (i >= SEAL_ENCOUNTER && i <= SEAL_RUN) {
            continue; /* counted again from the games */
        }
        done = i == SEAL_GAME || i == SEAL_ASIDE ||
               sum_table(store->writer, store->seal, (enum seal_table)i);
        *name = done && !is_same_seal(&store->seal[i], &store->sealed[i]) ? tables[i].name : NULL;
    }
    return done;
}

/* A record ends with a line of its hash, which the row has too. */
static bool fits_hash(const char *record, size_t size, const char *hash)
{
    char now[RECORD_HASH], last[sizeof "hash \n" + RECORD_HASH];
    size_t end = (size_t)snprintf(last, sizeof last, "hash %.*s\n", RECORD_HASH - 1, hash);

    if (size < end || memcmp(record + size - end, last, end) != 0) {
        return false;
    }
    record_hash_text(now, record, size - end);
    return strcmp(now, hash) == 0;
}

/* The name of the first game whose record is not the one that was written; "" none. */
static bool find_record(char *out, size_t room, struct sqlite_store *store, enum seal_table table)
{
    char text[TEXT_MAX], sum[TEXT_MAX / 2];
    sqlite3 *db = store->writer;
    sqlite3_stmt *sql = NULL;
    int code;

    *out = '\0';
    write_summing(sum, sizeof sum, store, table);
    snprintf(text, sizeof text, "SELECT id,hash,record,%s FROM %s", sum,
             table == SEAL_GAME ? "game" : "set_aside");
    code = sqlite3_prepare_v2(db, text, -1, &sql, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(sql)) == SQLITE_ROW && *out == '\0') {
        const char *hash = (const char *)sqlite3_column_text(sql, 1);
        const char *record = (const char *)sqlite3_column_text(sql, 2);

        code = SQLITE_OK;
        if (hash == NULL || record == NULL ||
            !fits_hash(record, (size_t)sqlite3_column_bytes(sql, 2), hash)) {
            const char *id = (const char *)sqlite3_column_text(sql, 0);

            snprintf(out, room, "the record of game %.120s", id == NULL ? "?" : id);
        }
    }
    return sqlite3_finalize(sql) == SQLITE_OK && (code == SQLITE_DONE || *out != '\0');
}

/* SQLite's own view of the file; "" if it is whole. quick_check and not integrity_check, which
 * also compares indexes with rows and takes longer; the seal does that part. */
static bool find_page(char *out, size_t room, sqlite3 *db)
{
    bool has = sqlite_answer(out, room, db, "PRAGMA quick_check(1)");

    if (has && strcmp(out, "ok") == 0) {
        *out = '\0';
    }
    for (char *at = out; *at != '\0'; at++) {
        *at = *at == '\n' ? ' ' : *at;
    }
    return has || sqlite3_errcode(db) == SQLITE_CORRUPT || sqlite3_errcode(db) == SQLITE_NOTADB;
}

enum bg_status sqlite_damage_check(struct sqlite_store *store, struct bg_error *err)
{
    sqlite3 *db = store->writer;
    char what[200];
    const char *table = NULL;
    bool done = find_page(what, sizeof what, db);

    if (done && what[0] == '\0') {
        done = find_record(what, sizeof what, store, SEAL_GAME);
    }
    if (done && what[0] == '\0') {
        done = find_record(what, sizeof what, store, SEAL_ASIDE);
    }
    if (done && what[0] == '\0') {
        done = find_table(&table, store);
        snprintf(what, sizeof what, "%s%s", table == NULL ? "" : "rows of table ",
                 table == NULL ? "" : table);
    }
    if (!done) {
        return sqlite_story(err, store->path, "check", db);
    }
    return what[0] == '\0'
               ? BG_OK
               : bg_error_set(err, BG_E_STORE,
                              "results %s: damaged while an earlier run was cut off, or since then "
                              "(%s); nothing is built on it: continue with a backup, and keep this "
                              "file: bgref verify and sqlite3 .recover show what is left",
                              store->path, what);
}

/* --- reading --------------------------------------------------------------------------------- */

enum bg_status sqlite_snapshot(struct store *base, bool on, struct bg_error *err)
{
    struct sqlite_store *store = sqlite_store_of(base);
    enum bg_status status = on ? sqlite_flush(base, err) : BG_OK;

    if (status == BG_OK && on == (sqlite3_get_autocommit(store->reader) != 0) &&
        !sqlite_exec(store->reader, on ? "BEGIN" : "COMMIT")) {
        status = sqlite_story(err, store->path, "read", store->reader);
    }
    return status;
}

enum bg_status sqlite_seal_holds(bool *holds, struct sqlite_store *store, enum seal_table from,
                                 enum seal_table to, const char **name, struct bg_error *err)
{
    struct seal sealed[SEAL_TABLES], now[SEAL_TABLES] = {0};
    enum bg_status status = BG_OK;
    bool done = sqlite_seal_teach(store->reader, now) && load_seals(store->reader, sealed);

    *holds = true;
    for (int i = (int)from; i <= (int)to && done && *holds; i++) {
        done = sum_table(store->reader, now, (enum seal_table)i);
        *holds = is_same_seal(&now[i], &sealed[i]);
        *name = tables[i].name;
    }
    if (!done) {
        status = sqlite_story(err, store->path, "read", store->reader);
    }
    sqlite_seal_teach(store->reader, NULL);
    return status;
}

static enum bg_status check_whole(const struct sqlite_store *store, struct bg_error *err)
{
    sqlite3 *db = store->reader;
    char text[256];

    if (!sqlite_answer(text, sizeof text, db, "PRAGMA integrity_check(1)") ||
        strcmp(text, "ok") != 0) {
        return bg_error_set(err, BG_E_MISMATCH, "the database is damaged: %s", text);
    }
    return BG_OK;
}

enum bg_status sqlite_check(struct store *base, bool seals, struct bg_error *err)
{
    struct sqlite_store *store = sqlite_store_of(base);
    const char *name = "";
    bool holds;
    enum bg_status status;

    if (!seals) {
        return check_whole(store, err);
    }
    status = sqlite_seal_holds(&holds, store, SEAL_META, SEAL_MOMENT, &name, err);
    if (status == BG_OK && !holds) {
        status = bg_error_set(err, BG_E_MISMATCH,
                              "table %s: another program changed, added or removed rows: they do "
                              "not match the table's seal",
                              name);
    }
    return status;
}
