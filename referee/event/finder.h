/* finder.h - which fixture of an event a stored name means. */
#ifndef EVENT_FINDER_H
#define EVENT_FINDER_H

#include "record/game_id.h"
#include "store/store.h"
#include "schedule.h"

#include "config/config.h"

struct finder {
    const struct config_event *event; /* lent */
    int *by_name;                     /* owned; bot indices sorted by name */
};

enum bg_status finder_init(struct finder *out, const struct config_event *event,
                           struct bg_error *err);
void finder_deinit(struct finder *finder); /* also of a zeroed one */

/* Index of the bot with this name, -1 when it is not in the event. */
int finder_bot(const struct finder *finder, const char *name);

/* False: one of the bots is not in this event. Its pair may be beyond it. */
bool finder_id(struct fixture *out, const struct finder *finder, const struct game_id *id);
/* The same of "A|B|pair|leg"; false also when it is no such text. */
bool finder_text(struct fixture *out, const struct finder *finder, const char *text);

/* False: the game is none of this event, or of a pair beyond it. */
bool finder_game(struct fixture *out, const struct finder *finder, const struct store_game *game);

#endif
