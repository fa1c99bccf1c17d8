/* telling.h - what the two bots of a table are told of its games (bgref/tell.h).
 *
 * Tells of steps wait until the next decision is sent, or the game is over: so neither bot hears of
 * a roll before the one that has to play it is asked. A bot whose process was started anew is told
 * the game as it is then.
 */
#ifndef REFEREE_TABLE_TELLING_H
#define REFEREE_TABLE_TELLING_H

#include <bgref/match.h>

#include "../seat/session.h"

struct telling;

struct telling *telling_create(void);
void telling_destroy(struct telling *telling); /* NULL is fine */

/* Tells a seat at once that it has been paired, if it wants to know and is ready; one that starts
 * is told before its first begin. view is an ask from the seat's view. */
void telling_pair(struct telling *telling, int seat, struct session *session,
                  const struct bg_ask *view);

/* A game begins: tells count from 0 again. steps: those it has already, if it goes on after a kill;
 * their tells are counted, so that bots see that it does not begin here. */
void telling_game(struct telling *telling, int steps);

/* Whether this process of the seat's bot was told how the game began. */
bool telling_knows(const struct telling *telling, int seat, const struct session *session);

/* Tells a seat the game as view has it, which is an ask from the seat's view; replaces what
 * waits. */
void telling_begin(struct telling *telling, int seat, const struct session *session,
                   const struct bg_ask *view, int game_number);
/* Tells a seat the step that led to match. */
void telling_step(struct telling *telling, int seat, const struct bg_ask *view,
                  const struct bg_step *step);
/* Tells a seat the end of the game, and of the match if it is over. */
void telling_end(struct telling *telling, int seat, const struct bg_ask *view,
                 const struct bg_match *match);

/* Hands everything that waits to the sessions. */
void telling_release(struct telling *telling, struct session *const sessions[2]);

#endif
