/* successors.h - under which names the bots of an event file play (revisions: new_entry).
 *
 * A bot whose program changed goes on as a new entrant: NAME as NAME.2, this one as NAME.3. The
 * event file goes on to say NAME; the results know its successors (store/continued.h), and
 * revisions.h enters the new ones. A name without a game is not continued: its program may change
 * freely. A bot of another machine has none: what it is shows when it joins.
 */
#ifndef REFEREE_EVENT_SUCCESSORS_H
#define REFEREE_EVENT_SUCCESSORS_H

#include "config/config.h"

/* Before the run: adds to the bots of the event the successors that the results know, and those of
 * changed programs. Stores nothing. BG_E_CONFIG: a changed program cannot enter; the message says
 * why. BG_E_STORE, BG_E_MEMORY. */
enum bg_status successors_add(struct config_event *event, struct bg_error *err);

#endif
