/* root.h - one digest over a whole results set.
 *
 * BLAKE2b-256 over the line "bgref-root 2", the lines of the head (below), and a line "ID HASH" for
 * every game, each ended by LF, in the order of exports: by names (bytes), pair, leg and game. Then
 * a line "set-aside ID|ATTEMPT HASH" for every game that was set aside, by names, pair, attempt,
 * leg and game. With an event's root anyone can check whether given results are the games that were
 * played.
 *
 * The head covers what tables print beside the games:
 *
 *     attempt A|B|PAIR|ATTEMPT TIME GAMES REASON      for each restarted pair
 *     settings N DIGEST      of the event and the programs of its bots
 *     unplayed N DIGEST      fixtures, with bot and reason
 *     faults N DIGEST        their evidence, without games that were set aside
 *     act NUMBER TAB AT TAB WHO TAB KIND TAB SUBJECT TAB REASON TAB HASH
 *                            for each row of the journal
 *     acts N HASH            the journal's last row; missing without a journal
 *
 * The digest of N rows is BLAKE2b-256 over their fields, each ended by a zero byte; an empty field
 * and a missing one are the same. Settings are those of SETTINGS in root.c, name and value,
 * sorted by name.
 */
#ifndef RESULTS_PROOF_ROOT_H
#define RESULTS_PROOF_ROOT_H

#include <sodium.h>

#include "store/store.h"

struct root {
    crypto_generichash_state state;
};

/* head: its lines; NULL none. */
void root_begin(struct root *root, const char *head);
void root_add(struct root *root, const char *game_id, const char *hash);
/* Adds a game that was set aside, with its attempt. */
void root_add_aside(struct root *root, const char *game_id, uint64_t attempt, const char *hash);
void root_end(char out[RECORD_HASH], struct root *root);

/* A store's head as text; free with root_head_free. BG_E_STORE. */
struct root_head {
    char *text;
    size_t size;
};

enum bg_status root_head_read(struct root_head *out, struct store *store, struct bg_error *err);
void root_head_free(struct root_head *head); /* accepts a zeroed struct */

/* Computes the root of everything in a store. */
enum bg_status root_of_store(char out[RECORD_HASH], struct store *store, struct bg_error *err);

#endif
