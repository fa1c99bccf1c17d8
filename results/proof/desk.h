/* desk.h - an act of a director: whether it is allowed now, what it changes, and how it is stored.
 *
 *     desk_prepare(&deed, &desk, &wish, &err)    decides; nothing is changed
 *     desk_write(out, deed, json, &err)          what it does, for people or as JSON
 *     desk_store(deed, &desk, &err)              the row of the journal, and its effect, at once
 *     desk_deed_destroy(deed)
 *
 * The journal decides (season/season.h). Beside it an act has effects in the database: games of a
 * voided pair are set aside; fixtures of a withdrawn entrant of a plain round robin are marked
 * unplayed, and opened again when it is reinstated; a root that was published is withdrawn, or
 * published again if nothing is left to play.
 */
#ifndef RESULTS_PROOF_DESK_H
#define RESULTS_PROOF_DESK_H

#include <stdio.h>

#include "season/act_words.h"
#include "season/season.h"
#include "store/store.h"

struct desk_deed;

/* The event as it is; both lent. */
struct desk {
    struct store *store;
    const struct season *season; /* of this store (season_load) */
    bool is_running;             /* its referee asks */
    const char *out;             /* a bot that the running referee has left out; NULL none */
};

/* Tries the wish: kind, subject, reason, who and at are the caller's; number and hash are ignored.
 * BG_E_ARGUMENT: not allowed now; the message says what is. BG_E_STORE. */
enum bg_status desk_prepare(struct desk_deed **out, const struct desk *desk, const struct act *wish,
                            struct bg_error *err);
void desk_deed_destroy(struct desk_deed *deed); /* NULL is fine */

/* The rows to be stored, sealed; the season after them (lent). */
const struct act *desk_deed_acts(size_t *count, const struct desk_deed *deed);
const struct season *desk_deed_season(const struct desk_deed *deed);
/* What is set aside (pairs, of leg 0), and the fixtures "A|B|pair|leg" that are given up, with the
 * reason; lent. */
const struct game_id *desk_deed_pairs(size_t *count, const struct desk_deed *deed);
const char *const *desk_deed_fixtures(size_t *count, const char **why,
                                      const struct desk_deed *deed);

/* Stores all of it, or nothing. BG_E_TIMEOUT, BG_E_STORE as the store's `change`. */
enum bg_status desk_store(struct desk_deed *deed, const struct desk *desk, struct bg_error *err);

/* Writes the rows, the effects, and the places of the standing that change. is_dry: "would". */
enum bg_status desk_write(FILE *out, const struct desk_deed *deed, const struct desk *desk,
                          bool is_dry, struct bg_error *err);
enum bg_status desk_write_json(FILE *out, const struct desk_deed *deed, const struct desk *desk,
                               bool is_dry, struct bg_error *err);

/* Sets who ("user@host") and at (now) of an act: of this process's user, or of another one. */
void desk_sign_act(struct act *act);
void desk_sign_act_as(struct act *act, unsigned uid);

#endif
