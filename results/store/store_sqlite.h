/* store_sqlite.h - what the parts of the SQLite store share. Private to store_sqlite*.c.
 *
 * store_sqlite.c opens and closes, store_sqlite_write.c has the thread that commits in groups and
 * the caller's side of it, store_sqlite_read.c answers, store_sqlite_aside.c sets pairs aside. Two
 * connections: the store's thread writes with one, the caller reads with the other.
 */
#ifndef RESULTS_STORE_STORE_SQLITE_H
#define RESULTS_STORE_STORE_SQLITE_H

#include <pthread.h>
#include <sqlite3.h>

#include "run.h"
#include "store_place.h"
#include "store_queue.h"

#define GAME_NUMBERS                                                                               \
    "pair,leg,game,length,winner,points,level,ended,fault,turns,score_a,score_b,match_over,"       \
    "match_winner,left_a_ns,left_b_ns,hash"
#define GAME_COLUMNS "a,b," GAME_NUMBERS
/* What is read passes clean(): a database may come from anywhere. Records are checked as such. */
#define GAME_READ         "clean(a),clean(b)," GAME_NUMBERS ",clean(id)"
#define JUDGEMENT_COLUMNS "judge,hash,luck_a,luck_b,cpu_ns,rolls,choices"
#define FAULT_COLUMNS                                                                              \
    "game_id,bot,fault,decision,rule,position_id,xgid,dice,reply,stderr_tail,legal,reproduce,"     \
    "story"
#define FAULT_READ                                                                                 \
    "clean(game_id),clean(bot),fault,decision,clean(rule),clean(position_id),clean(xgid),"         \
    "clean(dice),clean(reply),clean(stderr_tail),clean(legal),clean(reproduce),clean(story),"      \
    "number"

enum statement {
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
    SQL_PAIR,
    SQL_ENCOUNTER,
    SQL_ENCOUNTER_SET,
    SQL_LOST,
    SQL_RUN,
    SQL_RUN_SET,
    SQL_COUNT
};

/* Encounters that the open transaction has touched. Names are lent by the batch. */
enum { TOUCHED_MAX = 32 };

struct touched {
    const char *a, *b;
    int length_points;
    struct encounter total;
};

/* Runs that the open transaction has changed. Names are lent by the batch. */
enum { RUNS_MAX = 64 };

/* Of one table: how many rows, and the sum of their digests. */
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
    SEAL_TABLES
};

struct seal {
    int64_t rows;
    unsigned char sum[32]; /* modulo 2^256, the lowest byte first */
    bool is_changed;       /* since it was written */
};

struct sqlite_store {
    struct store base;
    char *path;
    bool read_only;
    bool has_tally;      /* likewise */
    bool has_judgements; /* false: opened for reading, from before there were any */
    bool has_attempts;   /* likewise */
    bool has_seal;       /* likewise */
    bool has_runs;       /* likewise */
    int lock, event;
    struct store_place place;
    bool has_mark;        /* STORE_OPEN is set */
    sqlite3 *reader;      /* the caller's thread */
    int64_t runs_version; /* of the data whose runs were looked at last; 0 none */
    bool runs_hold;       /* they were those of the seal */

    /* The store's thread alone, once it runs. */
    sqlite3 *writer;
    sqlite3_stmt *sql[SQL_COUNT];
    struct store_queue batch; /* being written, or kept from a failed attempt */
    struct touched touched[TOUCHED_MAX];
    int touched_count;
    struct run run[RUNS_MAX];
    int run_count;
    struct seal seal[SEAL_TABLES], sealed[SEAL_TABLES]; /* of now, and as committed */
    bool recount; /* games left: the tally is counted anew before the commit */

    pthread_t thread;
    bool has_thread, has_sync;
    pthread_mutex_t mutex; /* guards all below */
    pthread_cond_t work, done;
    struct store_queue queue;
    uint64_t queued, written; /* items since the store was opened */
    uint64_t durable_games;
    uint64_t failures;        /* failed attempts */
    uint64_t looks;           /* rounds of the thread */
    struct bg_error failure;  /* of the last attempt; BG_OK when it succeeded */
    struct bg_error conflict; /* a game met twice with different hashes */
    struct bg_error gone;     /* the file is not in its place any more; nothing is written since */
    bool hurry, stop;
    bool look; /* whether the file is there */
    store_durable_fn durable_fn;
    store_judged_fn judged_fn;
    void *judged_user;
    void *durable_user;
};

static inline struct sqlite_store *sqlite_store_of(struct store *store)
{
    return (struct sqlite_store *)store;
}

/* One change of what is there, sealed, in a transaction of its own; on the thread that writes. */
bool sqlite_change(struct sqlite_store *store, const char *text);

/* store_sqlite_gone.c. Whether the file, or its log, is no longer where it was; then a copy of all
 * that was committed is made beside it, and *gone says so. On the store's thread. */
bool sqlite_is_gone(struct sqlite_store *store, struct bg_error *gone);
/* The same, only looked at; on any thread, under the mutex. */
bool sqlite_seems_gone(struct sqlite_store *store);

/* SQLite's error text, with the system's if there is one. */
enum bg_status sqlite_story(struct bg_error *err, const char *path, const char *what, sqlite3 *db);

/* --- the tally (store_sqlite_tally.c) -------------------------------------------------------- */

/* Makes the tables, or (again) empties them, and fills them from the games that are there; inside a
 * transaction. */
bool sqlite_tally_make(sqlite3 *db, bool again);

/* Counts a game that was just inserted. All three: on the store's thread, inside a transaction;
 * false as SQLite says. */
bool sqlite_tally_game(struct sqlite_store *store, const struct store_game *game);
bool sqlite_tally_write(struct sqlite_store *store);  /* before the commit */
void sqlite_tally_forget(struct sqlite_store *store); /* after a rollback */

enum bg_status sqlite_tally(struct store *base, bool *kept, store_encounter_fn encounter_fn,
                            store_lost_fn lost_fn, void *user, struct bg_error *err);

/* --- runs (store_sqlite_runs.c) -------------------------------------------------------------- */

/* As sqlite_tally_make. */
bool sqlite_runs_make(sqlite3 *db, bool again);

/* As those of the tally. The run of a game, which is to be changed: lent until the next call. NULL:
 * SQLite failed. */
struct run *sqlite_run_touch(struct sqlite_store *store, const struct store_game *game);
bool sqlite_runs_write(struct sqlite_store *store);
void sqlite_runs_forget(struct sqlite_store *store);
/* The run of a pair, whose games have changed, is made anew from them; none is touched. */
bool sqlite_run_anew(sqlite3 *db, const struct game_id *pair);

enum bg_status sqlite_all_runs(struct store *base, bool with_sums, store_run_fn fn, void *user,
                               struct bg_error *err);

/* --- the seal (store_sqlite_seal.c) ---------------------------------------------------------- */

/* Gives a connection the function that sums up rows, into seals that outlive it. */
bool sqlite_seal_teach(sqlite3 *db, struct seal *seals);
/* Makes the table and seals what is there; inside a transaction of the writer, which was taught. */
bool sqlite_seal_make(struct sqlite_store *store);
/* The same of tables from..to - 1 that were made anew. */
bool sqlite_seal_again(struct sqlite_store *store, enum seal_table from, enum seal_table to);
/* From now on each row that the writer writes is sealed. A tally, or runs, that are not the
 * sealed ones are counted anew before. */
enum bg_status sqlite_seal_begin(struct sqlite_store *store, struct bg_error *err);
bool sqlite_seal_write(struct sqlite_store *store); /* before the commit; false as SQLite says */
void sqlite_seal_settle(struct sqlite_store *store, bool is_kept); /* after it, or a rollback */

/* Whether tables from..to are what was sealed, with the name of the first that is not; inside a
 * snapshot. Without a seal: yes. */
enum bg_status sqlite_seal_holds(bool *holds, struct sqlite_store *store, enum seal_table from,
                                 enum seal_table to, const char **name, struct bg_error *err);
enum bg_status sqlite_snapshot(struct store *base, bool on, struct bg_error *err);
enum bg_status sqlite_check_whole(struct store *base, struct bg_error *err);
enum bg_status sqlite_check_seal(struct store *base, bool *sealed, struct bg_error *err);

/* --- the parts, as the functions of struct store_ops ---------------------------------------- */

/* store_sqlite_write.c */
enum bg_status sqlite_meta_set(struct store *base, const char *key, const char *value,
                               struct bg_error *err);
enum bg_status sqlite_change_all(struct store *base, const struct store_change *change,
                                 struct bg_error *err);
enum bg_status sqlite_put_game(struct store *base, struct store_game *take, struct bg_error *err);
enum bg_status sqlite_put_fault(struct store *base, struct store_fault *take, struct bg_error *err);
enum bg_status sqlite_put_unplayed(struct store *base, const char *fixture, const char *bot,
                                   const char *why, struct bg_error *err);
enum bg_status sqlite_put_judgement(struct store *base, struct judgement *take,
                                    struct bg_error *err);
void sqlite_on_durable(struct store *base, store_durable_fn fn, void *user);
void sqlite_on_judged(struct store *base, store_judged_fn fn, void *user);
int sqlite_settled_fd(struct store *base);
enum bg_status sqlite_settled(struct store *base, uint64_t *durable_games, struct bg_error *err);
enum bg_status sqlite_flush(struct store *base, struct bg_error *err);

/* Queues three texts (NULL stays NULL) as an item of this kind. */
enum bg_status sqlite_put_texts(struct store *base, enum store_item_kind kind, const char *text[3],
                                struct bg_error *err);

/* Prepares what writes and starts the thread. The end tries once more what is queued, then ends the
 * thread and frees what begin made; a store that never began is fine. */
enum bg_status sqlite_write_begin(struct sqlite_store *store, struct bg_error *err);
void sqlite_write_end(struct sqlite_store *store);

/* NULL binds NULL; text is lent until the statement is reset. */
static inline void sqlite_bind_text(sqlite3_stmt *sql, int i, const char *text)
{
    sqlite3_bind_text(sql, i, text, -1, SQLITE_STATIC);
}

/* store_sqlite_read.c */
enum bg_status sqlite_meta_get(struct store *base, const char *key, char *out, size_t room,
                               bool *found, struct bg_error *err);
enum bg_status sqlite_meta_each(struct store *base, const char *prefix,
                                void (*fn)(void *user, const char *key, const char *value),
                                void *user, struct bg_error *err);
enum bg_status sqlite_leg_games(struct store *base, const char *a, const char *b, uint64_t pair,
                                int leg, store_game_fn fn, void *user, struct bg_error *err);
enum bg_status sqlite_all_games(struct store *base, bool with_text, store_game_fn fn, void *user,
                                struct bg_error *err);
enum bg_status sqlite_all_unplayed(struct store *base,
                                   void (*fn)(void *user, const char *fixture, const char *bot,
                                              const char *why),
                                   void *user, struct bg_error *err);
enum bg_status sqlite_all_faults(struct store *base,
                                 void (*fn)(void *user, const struct store_fault *fault),
                                 void *user, struct bg_error *err);

/* store_sqlite_aside.c */
enum bg_status sqlite_set_aside(struct store *base, const char *pair, const char *reason,
                                const char *at, struct bg_error *err);
enum bg_status sqlite_all_attempts(struct store *base,
                                   void (*fn)(void *user, const struct store_attempt *attempt),
                                   void *user, struct bg_error *err);
enum bg_status sqlite_all_set_aside(struct store *base, store_aside_fn fn, void *user,
                                    struct bg_error *err);

/* Makes the tables, inside a transaction. */
bool sqlite_aside_make(sqlite3 *db);
/* On the store's thread, inside a transaction: what sqlite_set_aside has queued. */
bool sqlite_aside_write(struct sqlite_store *store, const struct store_item *item);

/* store_sqlite_judged.c */
enum bg_status sqlite_each_judgement(struct store *base, const char *judge, store_judgement_fn fn,
                                     void *user, struct bg_error *err);
enum bg_status sqlite_each_judge(struct store *base,
                                 void (*fn)(void *user, const char *judge, uint64_t games),
                                 void *user, struct bg_error *err);
enum bg_status sqlite_unjudged(struct store *base, const char *judge, bool with_choices,
                               int64_t *cursor, int limit, store_game_fn fn, void *user,
                               struct bg_error *err);

/* --- what the readers share (store_sqlite_read.c) ------------------------------------------- */

/* SQLite lends text as const; the structs of store.h lend it on in fields that an owner frees. */
char *sqlite_lent(sqlite3_stmt *sql, int column);

/* Prepares a reading statement; ask also waits until all that was put is durable. */
enum bg_status sqlite_ask(sqlite3_stmt **out, struct store *base, const char *text,
                          struct bg_error *err);
enum bg_status sqlite_ask_now(sqlite3_stmt **out, struct store *base, const char *text,
                              struct bg_error *err);

/* Ends a reading statement whose last sqlite3_step gave `code`. */
enum bg_status sqlite_answered(struct store *base, sqlite3_stmt *sql, int code,
                               struct bg_error *err);

/* A game from the columns GAME_READ, record. */
void sqlite_row_game(struct store_game *out, sqlite3_stmt *sql);

#endif
