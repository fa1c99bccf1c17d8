/* successors.h - under which names the bots of an event file play (revisions: new_entry).
 *
 * A bot whose program changed goes on as a new entrant: NAME as NAME.2, this one as NAME.3. The
 * event file goes on to say NAME; the results know its successors (store/continued.h), and
 * revisions.h enters the new ones. A name without a game is not continued: its program may change
 * freely. What a bot says of itself shows only when it has started, that of another machine when it
 * joins: then the run ends, with a wish, and the next one begins with the new entrant
 * (succession.h).
 */
#ifndef REFEREE_EVENT_SUCCESSORS_H
#define REFEREE_EVENT_SUCCESSORS_H

#include "config/config.h"
#include "entry_wishes.h"

/* Before each run: adds to the bots of the event the successors that the results know, and those of
 * changed programs, and of wishes. Stores nothing. If it fails, the bots are as before.
 * BG_E_CONFIG: a changed program cannot enter; the message says why. BG_E_STORE, BG_E_MEMORY. */
enum bg_status successors_add(struct config_event *event, const struct entry_wishes *wishes,
                              struct bg_error *err);
/* Takes those out again that stand behind so many bots. */
void successors_remove(struct config_event *event, int bot_count);

#endif
