/* surroundings.h - what this machine offers an event: confinement for its bots and its judge, and
 * enough file descriptors.
 */
#ifndef REFEREE_EVENT_SURROUNDINGS_H
#define REFEREE_EVENT_SURROUNDINGS_H

#include "config/config.h"
#include "fixtures/ledger.h"
#include "judge/confinement.h"

struct surroundings {
    bool confined;            /* bots run in a sandbox */
    char host[32];            /* how, as records name it */
    struct confinement judge; /* of its processes */
};

/* Checks whether this machine offers what the event requires. BG_E_ARGUMENT: it asks for
 * more. */
enum bg_status surroundings_choose(struct surroundings *out, const struct config_event *event,
                                   struct bg_error *err);

/* Refuses an unconfined judge, because it could read the dice key and pass it on. BG_E_ARGUMENT. */
enum bg_status surroundings_check_judge(const struct config_event *event,
                                        const struct ledger *ledger, struct bg_error *err);

/* Before anything is started: checks that there are enough descriptors. Errors as of
 * descriptors_suffice. */
enum bg_status surroundings_suffice(const struct config_event *event, struct bg_error *err);

#endif
