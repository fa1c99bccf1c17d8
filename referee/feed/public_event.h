/* public_event.h - what spectators may know of a running game, as one line of JSON for each event.
 *
 * A white list: only what is written here leaves the referee. No key, nonce, seed, evidence, text
 * on standard error, or address; a roll when its step is made, so after the cube decision before
 * it. docs/report.md, "Live boards", has the members. Pure.
 */
#ifndef REFEREE_FEED_PUBLIC_EVENT_H
#define REFEREE_FEED_PUBLIC_EVENT_H

#include "record/pos.h"
#include "record/record.h"

/* A running game. Names are lent. */
struct public_game {
    const char *id, *event, *name[2]; /* of the bots on seats 0 and 1 */
    struct bg_match match;            /* before the next step */
    struct pos pos;
};

/* Return a line, which the caller frees. public_begin sets pos. hidden: why nothing more is told of
 * the game before it ends; NULL: its steps are told. public_away: the bot's line is lost, or is
 * back. public_step makes the step, too. */
char *public_begin(struct public_game *game, const char *hidden);
char *public_away(const struct public_game *game, int seat, bool is_away);
char *public_step(struct public_game *game, const struct record_made *made);

#endif
