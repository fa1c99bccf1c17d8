/* store_sqlite_shape.h - a database that may come from anybody is made of tables alone.
 *
 * A view can stand in the place of a table and never end; a trigger runs with every change; a
 * virtual table and a computed column run code while they are read. bgref writes none of them,
 * except the columns of an id. What is left is bounded by the file's size, and a reader stops a
 * query that takes more steps than that explains.
 */
#ifndef RESULTS_STORE_STORE_SQLITE_SHAPE_H
#define RESULTS_STORE_STORE_SQLITE_SHAPE_H

#include <bgref/error.h>

#include <sqlite3.h>
#include <stdint.h>

/* Forbids what results never need: functions with side effects in a schema, changes of the schema's
 * own table. Call it for each new connection. */
void sqlite_shape_forbid(sqlite3 *db);

/* Checks that there are tables and indexes alone. BG_E_MISMATCH: the first other thing, by name. */
enum bg_status sqlite_shape_check(sqlite3 *db, const char *path, struct bg_error *err);

struct sqlite_bound {
    sqlite3 *db;
    uint64_t most;
    uint64_t each;  /* steps between two looks at a query */
    uint64_t asked; /* since it began: each time stands for so many steps */
    int64_t patience_ns, begun_ns;
};

/* Ends each query that takes more than `most` steps of SQLite's machine (below 2^32), or longer
 * than patience_ns (0: any time), with SQLITE_INTERRUPT. *bound stays while the connection is open.
 */
void sqlite_shape_bound(struct sqlite_bound *bound, sqlite3 *db, uint64_t most,
                        int64_t patience_ns);

/* Returns the steps that a query of a file of this size may take, below 2^32. */
uint64_t sqlite_shape_steps(uint64_t file_bytes);

#endif
