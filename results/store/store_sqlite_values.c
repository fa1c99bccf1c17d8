/* Statements that write a row, and those that are run once. Values are bound and never printed
 * into the statement, so that a name cannot be read as SQL. They are bound without a copy
 * (SQLITE_STATIC), since every caller's values outlive the step. */
#include "store_sqlite.h"

#include <stdio.h>

void sqlite_bind(sqlite3_stmt *sql, const struct sqlite_value *values, int count)
{
    int most = sqlite3_bind_parameter_count(sql);

    for (int i = 0; i < count && i < most; i++) {
        const struct sqlite_value *value = &values[i];

        switch (value->kind) {
        case SQLITE_INTEGER:
            sqlite3_bind_int64(sql, i + 1, value->number);
            break;
        case SQLITE_FLOAT:
            sqlite3_bind_double(sql, i + 1, value->real);
            break;
        case SQLITE_TEXT:
            sqlite3_bind_text64(sql, i + 1, value->bytes, value->size, SQLITE_STATIC, SQLITE_UTF8);
            break;
        case SQLITE_BLOB:
            sqlite3_bind_blob64(sql, i + 1, value->bytes, value->size, SQLITE_STATIC);
            break;
        default:
            sqlite3_bind_null(sql, i + 1);
        }
    }
}

bool sqlite_run(sqlite3_stmt *sql, const struct sqlite_value *values, int count)
{
    int code;

    sqlite_bind(sql, values, count);
    code = sqlite3_step(sql);
    /* A statement that is not reset holds its transaction open. */
    sqlite3_reset(sql);
    return code == SQLITE_DONE || code == SQLITE_ROW;
}

/* Its end is asked for too: some errors (a full disk among them) are only reported by finalize. */
bool sqlite_do(sqlite3 *db, const char *text, const struct sqlite_value *values, int count)
{
    sqlite3_stmt *sql = NULL;
    bool done = sqlite3_prepare_v2(db, text, -1, &sql, NULL) == SQLITE_OK;

    if (done) {
        sqlite_bind(sql, values, count);
        done = sqlite3_step(sql) == SQLITE_DONE;
    }
    return sqlite3_finalize(sql) == SQLITE_OK && done;
}

bool sqlite_exec(sqlite3 *db, const char *texts)
{
    return sqlite3_exec(db, texts, NULL, NULL, NULL) == SQLITE_OK;
}

bool sqlite_first(sqlite3 *db, const char *text, int64_t *out)
{
    sqlite3_stmt *sql = NULL;
    bool has = sqlite3_prepare_v2(db, text, -1, &sql, NULL) == SQLITE_OK &&
               sqlite3_step(sql) == SQLITE_ROW;

    *out = has ? sqlite3_column_int64(sql, 0) : 0;
    sqlite3_finalize(sql);
    return has;
}

bool sqlite_answer(char *out, size_t room, sqlite3 *db, const char *question)
{
    sqlite3_stmt *sql = NULL;
    bool has = sqlite3_prepare_v2(db, question, -1, &sql, NULL) == SQLITE_OK &&
               sqlite3_step(sql) == SQLITE_ROW;
    const char *text = has ? sqlite_lent(sql, 0) : NULL;

    snprintf(out, room, "%s", text == NULL ? sqlite3_errmsg(db) : text);
    sqlite3_finalize(sql);
    return text != NULL;
}
