/* away.h - games that are lost because a remote bot is away (fixtures/absence.h). */
#ifndef REFEREE_TABLE_AWAY_H
#define REFEREE_TABLE_AWAY_H

#include <bgref/error.h>

#include <stddef.h>

#include "../seat/session.h"

/* Returns the text of a game's fault: as it is, or, when the bot is away and has lost another game
 * by this absence, with that at its end; then it is in room, of `size` bytes. Lent. */
const char *away_text(char *room, size_t size, struct session *session, enum bg_fault fault,
                      const char *text);

#endif
