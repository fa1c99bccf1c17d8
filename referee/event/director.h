/* director.h - decides what an event plays: its source of fixtures, and its season
 * (season/season.h), to which it gives the finished legs; what follows from them is stored before
 * it is played.
 *
 * From the games of a plain round robin nothing follows, so it has no season while it runs: every
 * fixture is known from the start, and the functions below do nothing. A season's fixtures and
 * legs would cost it some 200 bytes a leg.
 *
 *     director_create      the source of fixtures; that of a season is still empty
 *     director_load        the results are open: reads seeds, journal and games
 *     director_begin       the event's settings are stored: the first round
 *     director_game        a game is durable; the last of a leg decides it
 *     director_settle      stores the acts that follow; new fixtures are in the source
 *
 * Everything but acts of the desk and absences is a pure consequence of the stored games, so a kill
 * at any point loses nothing: the next run stores the same acts.
 */
#ifndef REFEREE_EVENT_DIRECTOR_H
#define REFEREE_EVENT_DIRECTOR_H

#include <stdio.h>

#include "config/config.h"
#include "entrants.h"
#include "feed/display.h"
#include "fixtures/ledger.h"
#include "fixtures/source.h"
#include "season/season.h"

struct director;

/* event and names (of the bots, by index) are lent. BG_E_ARGUMENT: the event's schedule is wrong.
 */
enum bg_status director_create(struct director **out, const struct config_event *event,
                               const char *const *names, struct bg_error *err);
void director_destroy(struct director *director); /* NULL is fine */

/* The fixtures to play, lent. */
const struct source *director_source(const struct director *director);
/* Whether it pairs the bots while the event is played; false: a plain round robin. */
bool director_pairs(const struct director *director);

/* Reads the event so far. An event that has begun gets the acts that follow from its last games.
 * now_s: since 1970. ledger is lent. BG_E_CONFIG: an entrant is missing in the event file, or the
 * seeds are wrong; BG_E_MISMATCH: the journal does not follow from the event; BG_E_STORE,
 * BG_E_TIMEOUT. */
enum bg_status director_load(struct director *director, struct ledger *ledger, int64_t now_s,
                             struct bg_error *err);
/* Whether the first act is stored. */
bool director_has_begun(const struct director *director);

/* Call when settings are stored and before the first game: stores the seeds, the absent entrants,
 * and the first round. Errors as of director_settle. */
enum bg_status director_begin(struct director *director, const struct entrants *entrants,
                              int64_t now_s, struct bg_error *err);

/* A game is durable; it counts if it ended its leg. user: the director (feed_listen). */
void director_game(void *user, const struct store_game *game);

/* Takes acts of the desk that are stored. Call director_settle soon. */
enum bg_status director_take(struct director *director, const struct act *acts, size_t count,
                             struct bg_error *err);

/* Stores and takes the acts that follow from new legs; does nothing without any. BG_E_TIMEOUT: the
 * results cannot be written now, call again; BG_E_STORE, BG_E_MISMATCH. */
enum bg_status director_settle(struct director *director, int64_t now_s, struct bg_error *err);

/* Notes who is absent or quarantined now, and who is back (entrants NULL: does not, after play),
 * and settles. */
enum bg_status director_run(struct director *director, const struct entrants *entrants,
                            int64_t now_s, struct bg_error *err);

/* The season, lent until it changes. */
const struct season *director_season(const struct director *director);
/* What an act of the desk is judged by: the season, or what the results say of a plain round robin;
 * lent until they are closed, also after an error. BG_E_STORE, BG_E_MISMATCH. */
enum bg_status director_books(const struct season **out, struct director *director,
                              struct bg_error *err);
void director_close_books(struct director *director);

/* Writes "round 2 of 3", or "" if the form has no rounds. */
void director_round(char out[DISPLAY_ROUND], const struct director *director);

/* Whether the event lacks games because of an absent bot (one that does not start, or is
 * quarantined): meetings ended without them, or a bot is absent now. What the desk ended, and what
 * a withdrawn bot lost, does not count. */
bool director_lacks_games(const struct director *director);
/* Prints how many such meetings there are, and the absent bots that this run did not start;
 * nothing if there are none. */
void director_print_lacking(FILE *out, const struct director *director,
                            const struct entrants *entrants);

#endif
