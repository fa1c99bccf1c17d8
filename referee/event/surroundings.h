/* surroundings.h - what this machine can give an event: confinement for its bots and its judge, and
 * descriptors for all of them.
 */
#ifndef REFEREE_EVENT_SURROUNDINGS_H
#define REFEREE_EVENT_SURROUNDINGS_H

#include "config/config.h"
#include "fixtures/ledger.h"
#include "judge/confinement.h"

struct surroundings {
    bool confined;            /* bots run in a sandbox */
    char host[32];            /* how, as records say it */
    struct confinement judge; /* of its processes */
};

/* By what the event asks for and what this machine can do. BG_E_ARGUMENT: it asks for more. */
enum bg_status surroundings_choose(struct surroundings *out, const struct config_event *event,
                                   struct bg_error *err);

/* An unconfined judge could read the key of the dice and tell it to a stranger. BG_E_ARGUMENT. */
enum bg_status surroundings_check_judge(const struct config_event *event,
                                        const struct ledger *ledger, struct bg_error *err);

/* Before anything is started: whether there are descriptors for all of it. Errors as of
 * descriptors_suffice. */
enum bg_status surroundings_suffice(const struct config_event *event, struct bg_error *err);

#endif
