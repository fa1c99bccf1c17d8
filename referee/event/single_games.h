/* single_games.h - makes single games of the pairs of strangers. */
#ifndef REFEREE_EVENT_SINGLE_GAMES_H
#define REFEREE_EVENT_SINGLE_GAMES_H

#include "config/config.h"

/* If strangers will compete, as far as this can be known before the results are opened for writing,
 * and `duplicate` was not given: single games in the place of pairs. Call after
 * config_event_settle. */
void single_games_settle(struct config_event *event);

#endif
