/* store_sqlite.h - what the parts of the SQLite store share. Private to store_sqlite*.c.
 *
 * store_sqlite.c opens and closes; store_sqlite_write.c has the thread that commits in groups, and
 * the functions that queue work for it; store_sqlite_items.c writes one item; store_sqlite_read.c
 * answers queries; store_sqlite_tally.c and store_sqlite_runs.c keep sums with the games;
 * store_sqlite_seal.c proves that the rows are those that were written; store_sqlite_copy.c copies.
 * There are two connections: the store's thread writes with one, the caller reads with the other.
 */
#ifndef RESULTS_STORE_STORE_SQLITE_H
#define RESULTS_STORE_STORE_SQLITE_H

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

#include "run.h"
#include "store.h"
#include "store_file.h"
#include "store_sqlite_shape.h"

#define GAME_NUMBERS                                                                               \
    "pair,leg,game,length,winner,points,level,ended,fault,turns,score_a,score_b,match_over,"       \
    "match_winner,left_a_ns,left_b_ns,hash"
#define GAME_COLUMNS "a,b," GAME_NUMBERS
/* Text is read through clean(), because a database can come from anywhere. Records are checked
 * elsewhere. */
#define GAME_READ         "clean(a),clean(b)," GAME_NUMBERS ",clean(id)"
#define JUDGEMENT_COLUMNS "judge,hash,luck_a,luck_b,cpu_ns,rolls,choices"
#define FAULT_COLUMNS                                                                              \
    "game_id,bot,fault,decision,rule,position_id,xgid,dice,reply,stderr_tail,legal,reproduce,"     \
    "story"
#define FAULT_READ                                                                                 \
    "clean(game_id),clean(bot),fault,decision,clean(rule),clean(position_id),clean(xgid),"         \
    "clean(dice),clean(reply),clean(stderr_tail),clean(legal),clean(reproduce),clean(story),"      \
    "number"

/* What a game adds to the sums. */
#define FACTS        "leg,length,winner,points,level,ended,turns,match_over,match_winner"
#define STEP_COLUMNS "a,b,pair,leg,game,first,steps,left0_ns,left1_ns,delay0_ns,delay1_ns,on_clock"

/* Version of the schema; those before 0.1.0 are not read. */
enum { SCHEMA_NOW = 10 };

enum sqlite_statement {
    SQL_BEGIN,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_GAME,
    SQL_HASH,
    SQL_FAULT,
    SQL_JUDGEMENT,
    SQL_META,
    SQL_UNPLAYED,
    SQL_REOPEN,
    SQL_ACT,
    SQL_PAIR,
    SQL_ENCOUNTER,
    SQL_ENCOUNTER_SET,
    SQL_LOST,
    SQL_RUN,
    SQL_RUN_SET,
    SQL_DATE,
    SQL_STEPS,
    SQL_STEPS_DROP,
    SQL_SEAL,
    SQL_COUNT
};

/* Encounters and runs to which games were added last. They stay in memory from one transaction to
 * the next, including the changes of the open one. If there is no room, the one that was used
 * longest ago is written and dropped. */
enum { TOUCHED_MAX = 128, RUNS_MAX = 128 };

struct touched {
    char *a, *b; /* owned */
    int length_points;
    struct encounter total;
    bool is_changed; /* since it was written */
    uint64_t used;
};

struct touched_run {
    char *a, *b;    /* owned */
    struct run run; /* borrows them */
    bool is_changed;
    uint64_t used;
};

/* For one table: number of rows, and the sum of their digests. */
enum seal_table {
    SEAL_META,
    SEAL_GAME,
    SEAL_FAULT,
    SEAL_UNPLAYED,
    SEAL_JUDGEMENT,
    SEAL_ENCOUNTER,
    SEAL_LOST,
    SEAL_RUN,
    SEAL_ATTEMPT,
    SEAL_ASIDE,
    SEAL_ACT,
    SEAL_MOMENT,
    SEAL_TABLES
};

struct seal {
    int64_t rows;
    unsigned char sum[32]; /* modulo 2^256, lowest byte first */
    bool is_changed;       /* since the seal was written */
};

struct sqlite_store {
    struct store base;
    char *path;
    bool read_only;
    bool may_have_steps; /* writer: the table is perhaps not empty */
    int lock, event;
    struct store_place place;
    bool has_mark;   /* STORE_OPEN is set */
    uint64_t acts;   /* number of the journal's last row that was put; the caller's thread */
    sqlite3 *reader; /* for the caller's thread */
    struct sqlite_bound bound; /* of the reader, if only it is open */
    int64_t runs_version;      /* data version at which the runs were last checked; 0 never */
    bool runs_hold;            /* result of that check: the runs match the seal */

    /* Used only by the store's thread, once it runs. */
    sqlite3 *writer;
    sqlite3_stmt *sql[SQL_COUNT];
    struct store_queue batch; /* items being written, or kept after a failed attempt */
    struct touched touched[TOUCHED_MAX];
    int touched_count;
    struct touched_run run[RUNS_MAX];
    int run_count;
    uint64_t uses;                                      /* of either */
    struct seal seal[SEAL_TABLES], sealed[SEAL_TABLES]; /* current, and as committed */
    int64_t dated_s; /* time of the last row of `moment`; -1: to be read */

    pthread_t thread;
    bool has_thread, has_sync;
    pthread_mutex_t mutex; /* guards all fields below */
    pthread_cond_t work, done;
    struct store_queue queue;
    uint64_t queued, written; /* items since the store was opened */
    uint64_t durable_games;
    uint64_t failures; /* failed attempts */
    struct duration_histogram commits;
    uint64_t looks;           /* rounds of the thread */
    struct bg_error failure;  /* result of the last attempt; BG_OK if it succeeded */
    struct bg_error conflict; /* a game id that came with two different hashes */
    struct bg_error gone; /* the file is no longer in its place; nothing has been written since */
    bool hurry, stop;
    bool look; /* request to check that the file is there */
    struct store_listener listener;
};

/* A value that is written. */
struct sqlite_value {
    int kind; /* as in SQLite: SQLITE_INTEGER, ... */
    int64_t number;
    double real;
    const void *bytes; /* of text or a blob; lent */
    size_t size;
};

/* A query while its rows are read. */
struct reading {
    struct sqlite_store *store;
    const struct store_query *query;
    sqlite3_stmt *sql; /* on a row */
    void *work;        /* of the reader */
    enum bg_status status;
    struct bg_error *err;
};

/* The path of the write-ahead log; lent. */
static inline const char *sqlite_log_of(sqlite3 *db)
{
    return sqlite3_filename_wal(sqlite3_db_filename(db, "main"));
}

static inline struct sqlite_store *sqlite_store_of(struct store *store)
{
    return (struct sqlite_store *)store;
}

/* Whether the mark of being open (STORE_OPEN) is set. unmark deletes it, sealed, in its own
 * transaction; on the writing thread. */
bool sqlite_is_marked(sqlite3 *db);
bool sqlite_unmark(struct sqlite_store *store);

/* store_sqlite_copy.c. Whether the file, or its log, is no longer at its path. If so, copies
 * everything committed to a file beside it and reports that in *gone. On the store's thread. */
bool sqlite_is_gone(struct sqlite_store *store, struct bg_error *gone);
/* Whether the log has lost bytes that were written. On the store's thread. */
bool sqlite_log_is_cut(const struct sqlite_store *store);
/* The same check without the copy; on any thread, with the mutex held. */
bool sqlite_seems_gone(struct sqlite_store *store);

/* Sets SQLite's error text, with the system's error if there is one. */
enum bg_status sqlite_story(struct bg_error *err, const char *path, const char *what, sqlite3 *db);

/* --- the tally (store_sqlite_tally.c) -------------------------------------------------------- */

extern const char sqlite_tally_schema[];

/* Empties the tables and fills them from the stored games; inside a transaction. */
bool sqlite_tally_count(sqlite3 *db);

/* Counts a newly inserted game. All three functions: on the store's thread, inside a transaction;
 * they return false if SQLite fails. */
bool sqlite_tally_game(struct sqlite_store *store, const struct store_game *game);
/* The games of a pair are about to be removed: subtracts them. So an act costs what it changes, not
 * what the event has. */
bool sqlite_tally_drop(struct sqlite_store *store, struct game_id *pair);
bool sqlite_tally_write(struct sqlite_store *store);  /* before the commit */
void sqlite_tally_forget(struct sqlite_store *store); /* after a rollback, also what is held */
void sqlite_tally_free(struct sqlite_store *store);   /* at the end */

enum bg_status sqlite_read_tally(struct reading *reading);

/* --- runs (store_sqlite_runs.c) -------------------------------------------------------------- */

extern const char sqlite_runs_schema[];

/* As sqlite_tally_count. */
bool sqlite_runs_build(sqlite3 *db);

/* Threads and errors as for the tally. Returns the run of a game, to be changed; lent until the
 * next call. NULL: SQLite failed. */
struct run *sqlite_run_touch(struct sqlite_store *store, const struct store_game *game);
bool sqlite_runs_write(struct sqlite_store *store);
void sqlite_runs_forget(struct sqlite_store *store);
void sqlite_runs_free(struct sqlite_store *store);
/* Builds the run of a pair again after its games have changed; no run may be held. */
bool sqlite_run_anew(sqlite3 *db, const struct game_id *pair);

enum bg_status sqlite_read_runs(struct reading *reading);

/* --- rows beside the games (store_sqlite_items.c) -------------------------------------------- */

/* The time of a game in a query of `game`. */
#define GAME_DATE ",(SELECT at FROM moment WHERE first<=game.rowid ORDER BY first DESC LIMIT 1)"

extern const char sqlite_rows_schema[], sqlite_aside_schema[];

/* After a rollback; on the store's thread. */
void sqlite_dates_forget(struct sqlite_store *store);
/* Reads what is needed of the steps, and the number of the journal's last row; before the store's
 * thread runs. */
bool sqlite_steps_begin(struct sqlite_store *store);
bool sqlite_acts_begin(struct sqlite_store *store);
/* Whether the numbers follow; as `change`. */
enum bg_status sqlite_acts_check(const struct sqlite_store *store, const struct act *acts,
                                 size_t count, struct bg_error *err);

/* --- the seal (store_sqlite_seal.c) ---------------------------------------------------------- */

/* Defines the SQL function that sums up rows, into seals that must outlive the connection. */
bool sqlite_seal_teach(sqlite3 *db, struct seal *seals);
/* Creates the table and seals the tables, which are empty; inside the writer's transaction, after
 * sqlite_seal_teach. */
bool sqlite_seal_make(struct sqlite_store *store);
/* From now on seals every row that the writer writes. First counts the tally and runs again if they
 * do not match their seals. */
enum bg_status sqlite_seal_begin(struct sqlite_store *store, struct bg_error *err);
/* A new row of this table, which has no trigger. */
void sqlite_seal_row(struct sqlite_store *store, enum seal_table table,
                     const struct sqlite_value *values, int count);
bool sqlite_seal_write(struct sqlite_store *store); /* before the commit; false: SQLite failed */
void sqlite_seal_settle(struct sqlite_store *store,
                        bool is_kept); /* after the commit or rollback */

/* Whether tables from..to match their seals, with the name of the first that does not; inside a
 * snapshot. True if there is no seal. */
enum bg_status sqlite_seal_holds(bool *holds, struct sqlite_store *store, enum seal_table from,
                                 enum seal_table to, const char **name, struct bg_error *err);
enum bg_status sqlite_snapshot(struct store *base, bool on, struct bg_error *err);
enum bg_status sqlite_check(struct store *base, bool seals, struct bg_error *err);
/* After an unclean end, on the writer before it writes: every page that is in use, every record
 * against its hash, every row against the seals. It reads the whole file twice. BG_E_STORE: the
 * message names the first damage. */
enum bg_status sqlite_damage_check(struct sqlite_store *store, struct bg_error *err);

/* --- the parts, as the functions of struct store_ops ---------------------------------------- */

/* store_sqlite_write.c */
enum bg_status sqlite_put(struct store *base, struct store_item *item, struct bg_error *err);
enum bg_status sqlite_change(struct store *base, const struct store_change *change,
                             struct bg_error *err);
void sqlite_progress(struct store *base, uint64_t *put, uint64_t *durable,
                     struct duration_histogram *commits);
void sqlite_listen(struct store *base, const struct store_listener *listener);
int sqlite_settled_fd(struct store *base);
enum bg_status sqlite_settled(struct store *base, uint64_t *durable_games, struct bg_error *err);
enum bg_status sqlite_flush(struct store *base, struct bg_error *err);

/* begin prepares the writer and starts its thread. end tries once more to write the queue, ends the
 * thread and frees what begin allocated; accepts a store without begin. */
enum bg_status sqlite_write_begin(struct sqlite_store *store, struct bg_error *err);
void sqlite_write_end(struct sqlite_store *store);

/* store_sqlite_items.c, inside a transaction; false: SQLite failed. *conflict is set for a known
 * game id with another hash. */
bool sqlite_write_item(struct sqlite_store *store, struct store_item *item,
                       struct bg_error *conflict);

/* --- statements (store_sqlite_values.c) ------------------------------------------------------ */

/* Binds the values to a statement's parameters, which are as many or fewer, steps it once and
 * resets it. False: SQLite failed. */
bool sqlite_run(sqlite3_stmt *sql, const struct sqlite_value *values, int count);
/* The same for a text. */
bool sqlite_do(sqlite3 *db, const char *text, const struct sqlite_value *values, int count);
/* The same for texts without parameters, of which there may be several. */
bool sqlite_exec(sqlite3 *db, const char *texts);
/* Binds only. */
void sqlite_bind(sqlite3_stmt *sql, const struct sqlite_value *values, int count);
/* Reads the number in the first column of the first row; 0 and false: there is none. */
bool sqlite_first(sqlite3 *db, const char *text, int64_t *out);

/* The same as text; false: out has SQLite's error. */
bool sqlite_answer(char *out, size_t room, sqlite3 *db, const char *question);

/* The values of a row, as two arguments. */
#define SQLITE_VALUES(...)                                                                         \
    (const struct sqlite_value[]){__VA_ARGS__},                                                    \
        (int)(sizeof((const struct sqlite_value[]){__VA_ARGS__}) / sizeof(struct sqlite_value))

/* NULL stays NULL; text is lent until the statement is reset. */
static inline struct sqlite_value sqlite_text(const char *text)
{
    return (struct sqlite_value){.kind = text == NULL ? SQLITE_NULL : SQLITE_TEXT,
                                 .bytes = text,
                                 .size = text == NULL ? 0 : strlen(text)};
}

static inline struct sqlite_value sqlite_number(int64_t number)
{
    return (struct sqlite_value){.kind = SQLITE_INTEGER, .number = number};
}

static inline struct sqlite_value sqlite_real(double real)
{
    return (struct sqlite_value){.kind = SQLITE_FLOAT, .real = real};
}

static inline struct sqlite_value sqlite_blob(const void *bytes, size_t size)
{
    return (struct sqlite_value){.kind = SQLITE_BLOB, .bytes = bytes, .size = size};
}

/* --- reading (store_sqlite_read.c) ----------------------------------------------------------- */

enum bg_status sqlite_meta_get(struct store *base, const char *key, char *out, size_t room,
                               bool *found, struct bg_error *err);
enum bg_status sqlite_each(struct store *base, const struct store_query *query,
                           struct bg_error *err);

/* Returns a column's text. SQLite lends it as const; the structs of store.h lend it in fields that
 * an owner would free. */
char *sqlite_lent(sqlite3_stmt *sql, int column);

/* Waits until everything put is durable, and calls show for each row of the text, until it returns
 * false; where that is an error, show sets the status, which is returned. */
enum bg_status sqlite_rows(struct reading *reading, const char *text,
                           bool (*show)(struct reading *reading));

/* Fills in a game from the columns GAME_READ, record. */
void sqlite_row_game(struct store_game *out, sqlite3_stmt *sql);

#endif
