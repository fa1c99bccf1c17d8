/* import_index.h - index of a database of imports: player names, free pair numbers, known matches.
 * Read once from the database, then updated with each file.
 */
#ifndef RESULTS_FORMAT_IMPORT_INDEX_H
#define RESULTS_FORMAT_IMPORT_INDEX_H

#include "foreign.h"
#include <store/store.h>

struct import_index;

struct import_index *import_index_create(void);
void import_index_destroy(struct import_index *index); /* accepts NULL */

/* Reads every game of the store. BG_E_ARGUMENT: it contains an event of bgref's own; also any
 * status of the store. */
enum bg_status import_index_read(struct import_index *index, struct store *store, const char *path,
                                 struct bg_error *err);

/* Calls fn for every player whose name in files differs from the id, sorted by that name. */
void import_index_players(const struct import_index *index,
                          void (*fn)(void *user, const char *display, const char *name),
                          void *user);

/* For foreign_user.placed: known players get their names in the database, new players get unused
 * names, and the match gets the next free pair. One display name is one player. */
void import_index_place(struct import_index *index, struct foreign_match *match,
                        const struct foreign_file *before);

/* Whether the match may be added to the database. BG_E_ARGUMENT: it is there already, or money
 * games and matches would be mixed, which have no common rating. *known: number of games at the
 * start of a money session that are there already and must not be added again. */
enum bg_status import_index_check(int *known, const struct import_index *index,
                                  const struct foreign_match *match, const char *path,
                                  struct bg_error *err);

/* Call after the match was added to the database. BG_E_FORMAT: a record cannot be read. */
enum bg_status import_index_add(struct import_index *index, const struct foreign_match *match,
                                struct bg_error *err);

#endif
