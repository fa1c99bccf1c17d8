/* entry_wishes.h - bots that have come as another version, for the next run of the event
 * (succession.h), and under which name a changed bot goes on.
 */
#ifndef REFEREE_EVENT_ENTRY_WISHES_H
#define REFEREE_EVENT_ENTRY_WISHES_H

#include "config/config.h"
#include "fixtures/played.h"
#include "store/editions.h"

enum { ENTRY_WISH_WHY = 300 };

/* A bot that has come as another version. */
struct entry_wish {
    char name[NAME_SIZE]; /* that it has played under, the last one */
    char version[EDITION_VERSION];
    char refused[ENTRY_WISH_WHY]; /* why it does not go on as another one; "" it does */
    bool is_old;                  /* this run has begun with it; only refusals outlive that */
};

/* Those of one event. A zeroed value is valid. */
struct entry_wishes {
    struct entry_wish *list; /* owned */
    int count;
};

/* Notes a wish, in the place of an earlier one of this name. BG_E_MEMORY. */
enum bg_status entry_wishes_add(struct entry_wishes *wishes, const struct entry_wish *wish,
                                struct bg_error *err);
/* A run begins with these; and has ended: they are forgotten. */
void entry_wishes_begin(struct entry_wishes *wishes);
void entry_wishes_end(struct entry_wishes *wishes);
/* Returns NULL if there is none. Lent. */
const struct entry_wish *entry_wishes_find(const struct entry_wishes *wishes, const char *name);
/* They could not be followed: returns whether any was, and notes the reason in all. */
bool entry_wishes_refuse(struct entry_wishes *wishes, const char *why);
void entry_wishes_deinit(struct entry_wishes *wishes);

/* Finds the name under which a bot of the event would go on, and what its name or the event file
 * has against that. played: which names have games. NULL: nothing. */
const char *entry_obstacle(char next[NAME_SIZE], const struct config_event *event, int bot,
                           const struct played *played);

#endif
