/* season_store.h - the season of a results database.
 *
 * Settings: "event.event" (name), "event.schedule" (the plan), "season.seeds" (first seed first,
 * separated by commas; written when the event begins; without it "event.bots"), "season.tables"
 * (ladder and league: most open meetings), "event.duplicate", "event.length", "event.pairs",
 * "event.variant", "event.conditions" (terms.h).
 */
#ifndef RESULTS_SEASON_SEASON_STORE_H
#define RESULTS_SEASON_SEASON_STORE_H

#include "season.h"
#include "store/store.h"

/* Reads settings, finished legs and the journal. The rows are believed if their hashes are right:
 * for an event that continues, the desk and reports. BG_E_STORE, BG_E_ARGUMENT (the plan),
 * BG_E_MISMATCH: the message has the row. */
enum bg_status season_load(struct season **out, struct store *store, struct bg_error *err);

/* The same, and checks that every row follows: each pairing is computed again, each result from its
 * games, also from games that were set aside by a void or a replay. For `bgref verify`. */
enum bg_status season_load_checked(struct season **out, struct store *store, struct bg_error *err);

/* The rules that differ by pairing, in words for notes: "A and B: cube=off; ...", those of the desk
 * with their row; "" none. *out: the caller frees it with free(). BG_E_STORE. */
enum bg_status season_conditions_text(char **out, struct store *store, struct bg_error *err);

#endif
