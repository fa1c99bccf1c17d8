/* anew.h - pairs of an event that were begun anew, and those that this run begins anew.
 *
 * The latter are planned when the results are opened and stored when the bots have started. From
 * the plan on their games count for nothing and their next attempt is the one in force.
 */
#ifndef EVENT_ANEW_H
#define EVENT_ANEW_H

#include "store/store.h"
#include "schedule.h"

#include "config/config.h"

/* Seconds since 1970 as struct store_attempt has them. */
enum { ANEW_TIME = 32 };
void anew_time(char out[ANEW_TIME], int64_t calendar_s);

#define ANEW_REASON "the key of its dice was published before it had ended"

struct anew_pair {
    struct fixture fixture;
    uint64_t attempt; /* that began with it */
    uint64_t games;   /* planned: that it sets aside */
};

struct anew_list {
    struct anew_pair *pair; /* owned */
    size_t count;
};

struct anew {
    struct anew_list stored;  /* before; sorted as in the store, the last attempt of each last */
    struct anew_list planned; /* by this run, by the number of the pair */
    bool is_begun;            /* the planned ones are stored, too */
    char at[ANEW_TIME];       /* when they were */
};

void anew_deinit(struct anew *anew); /* also of a zeroed one */

/* False: no memory. Pairs are planned in the order of their numbers, each once. */
bool anew_add(struct anew *anew, const struct fixture *pair, uint64_t attempt);
bool anew_plan(struct anew *anew, const struct fixture *pair);
/* Before what is stored is read once more. */
void anew_forget_stored(struct anew *anew);

/* How often the pair of this fixture was begun anew, a plan included. */
uint64_t anew_attempt(const struct anew *anew, const struct fixture *fixture);
/* The plan for the pair of this fixture; NULL: there is none, or it is stored. */
struct anew_pair *anew_find(const struct anew *anew, const struct fixture *fixture);

/* The planned pairs by name, for the store; NULL: no memory. The caller frees them. */
struct game_id *anew_pairs(const struct anew *anew, const struct config_event *event);
/* They are stored. at: as in struct store_attempt. */
void anew_begin(struct anew *anew, const char at[ANEW_TIME]);
/* Planned pair i as it stands in the results then; strings are lent. */
struct store_attempt anew_act(struct anew *anew, size_t i, const struct config_event *event);

#endif
