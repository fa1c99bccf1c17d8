/* results_folder.h - a folder for the results of one test, as the fixture of a suite. */
#ifndef SUPPORT_RESULTS_FOLDER_H
#define SUPPORT_RESULTS_FOLDER_H

#include <check.h>
#include <sqlite3.h>
#include <stdio.h>

#include <store/store.h>

#include "support/test_folder.h"

static char path[128]; /* of a results database in the folder, which is not there yet */

static inline void make_folder(void)
{
    folder_make();
    snprintf(path, sizeof path, "%s/results.db", folder);
}

static inline struct store *open_store(void)
{
    struct store *store = NULL;
    struct bg_error message = {0};

    ck_assert_msg(store_sqlite_open(&store, path, &message) == BG_OK, "%s", message.text);
    return store;
}

static inline struct store *open_read(void)
{
    struct store *store = NULL;
    struct bg_error message = {0};

    ck_assert_msg(store_sqlite_open_read(&store, path, &message) == BG_OK, "%s", message.text);
    return store;
}

/* Changes the database as another program would. */
static inline void sql(const char *text)
{
    sqlite3 *db;
    char *message = NULL;

    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(db, text, NULL, NULL, &message) == SQLITE_OK, "%s", message);
    sqlite3_close(db);
}

#endif
