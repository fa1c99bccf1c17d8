/* A database from anybody: what is not a table is refused by its name, and no query runs for ever.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "store/store.h"
#include "store/store_sqlite_shape.h"
#include "support/results_folder.h"
#include "support/suite.h"

#include <string.h>

static void make_results(void)
{
    make_folder();
    store_destroy(open_store());
}

#define ENDLESS "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i FROM n"

static const struct {
    const char *deed, *message;
} refused[] = {
    {"DROP TABLE game; CREATE VIEW game AS " ENDLESS, "game is a view, not a table"},
    {"DROP TABLE unplayed; CREATE VIEW unplayed AS " ENDLESS, "unplayed is a view, not a table"},
    {"CREATE VIEW other AS SELECT 1", "other is a view"},
    {"CREATE TRIGGER more AFTER INSERT ON game BEGIN UPDATE game SET points=1; END",
     "more is a trigger"},
    {"CREATE VIRTUAL TABLE sink USING rtree(a, b, c)", "sink is a virtual table"},
    {"DROP TABLE meta; CREATE TABLE meta(key TEXT PRIMARY KEY,"
     " value TEXT AS (printf('%*d', 100000000, 1)))",
     "meta is a table with a computed column"},
    {"DROP TABLE meta; CREATE TABLE meta(key TEXT PRIMARY KEY,"
     " value TEXT GENERATED ALWAYS as/**/(hex(zeroblob(100000000))) STORED)",
     "meta is a table with a computed column"},
    {"CREATE TABLE \"\x1b[31m\"(a, b AS (a))", "is a table with a computed column"},
};

TEST_ROWS(only_tables_are_read, refused)
{
    struct store *store = NULL;

    sql(refused[_i].deed);
    ck_assert_msg(store_sqlite_open_read(&store, path, &error) == BG_E_MISMATCH, "read: %s",
                  error.text);
    ck_assert_msg(strstr(error.text, refused[_i].message) != NULL, "%s", error.text);
    ck_assert_ptr_null(strchr(error.text, '\x1b'));
    ck_assert_int_eq(store_sqlite_open(&store, path, &error), BG_E_MISMATCH);
    ck_assert_msg(strstr(error.text, refused[_i].message) != NULL, "%s", error.text);
}

/* An index of the user's own, and a table, change nothing of ours. */
TEST(what_a_user_adds_is_left_alone)
{
    struct store *store = NULL;

    sql("CREATE INDEX mine ON game(hash); CREATE TABLE notes (text, class)");
    assert_ok(store_sqlite_open_read(&store, path, &error));
    store_destroy(store);
    store = NULL;
    assert_ok(store_sqlite_open(&store, path, &error));
    store_destroy(store);
}

TEST(a_query_without_an_end_is_ended)
{
    struct sqlite_bound bound;
    sqlite3 *db;

    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite_shape_bound(&bound, db, 20000000, 0);
    ck_assert_int_eq(sqlite3_exec(db, "SELECT count(*) FROM (" ENDLESS ")", NULL, NULL, NULL),
                     SQLITE_INTERRUPT);
    for (int i = 0; i < 15; i++) { /* many short ones are none too long */
        ck_assert_int_eq(
            sqlite3_exec(db, "SELECT count(*) FROM (" ENDLESS " LIMIT 200000)", NULL, NULL, NULL),
            SQLITE_OK);
    }
    sqlite3_close(db);
    ck_assert_uint_lt(sqlite_shape_steps(UINT64_MAX), UINT64_C(1) << 32);
    ck_assert_uint_gt(sqlite_shape_steps(1 << 20), sqlite_shape_steps(0));
}

static void count_setting(void *user, const char *key, const char *value)
{
    (void)key, (void)value;
    ++*(int *)user;
}

/* The shortest patience: of a long query only the first look is waited for, and of a lock nothing.
 */
TEST(a_reader_in_a_hurry_ends_a_long_query_and_waits_for_no_lock)
{
    struct store *store = NULL;
    char text[80];
    int count = 0;
    sqlite3 *other;

    sql("INSERT INTO meta SELECT 'x'||i, 'y' FROM (" ENDLESS " LIMIT 9000)");
    store_sqlite_patience(1);
    assert_ok(store_sqlite_open_read(&store, path, &error));
    ck_assert_int_eq(store_meta_each(store, "", count_setting, &count, &error), BG_E_TIMEOUT);
    ck_assert(count < 9000);
    assert_ok(store_meta_text(text, sizeof text, store, "x77", &error));
    ck_assert_str_eq(text, "y");
    store_destroy(store);
    ck_assert_int_eq(sqlite3_open(path, &other), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_exec(other, "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE", NULL, NULL, NULL),
        SQLITE_OK);
    ck_assert_int_eq(store_sqlite_open_read(&store, path, &error), BG_E_TIMEOUT);
    sqlite3_close(other);
    store_sqlite_patience(0);
    assert_ok(store_sqlite_open_read(&store, path, &error));
    assert_ok(store_meta_each(store, "x", count_setting, &count, &error));
    ck_assert_int_gt(count, 9000);
    store_destroy(store);
}

SUITE_FIXTURE(make_results, folder_remove)
