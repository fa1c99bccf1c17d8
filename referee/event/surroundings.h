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
    int pin;                  /* 1 + the core shared by referee and bots; 0: there is none */
    struct confinement judge; /* of its processes */
};

/* If strangers will compete, as far as this can be known before the results are opened for writing,
 * and `duplicate` was not given: single games in the place of pairs. Call after
 * config_event_settle. */
void surroundings_settle(struct config_event *event);

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

/* With affinity auto, one table at once and no strangers: binds the calling thread, which will run
 * the loop, to its core, and sets pin. There only one process has work at a time, and waking a
 * sleeping core takes longer than a quick bot's decision. Strangers stay apart: one of them could
 * use up its opponent's time. surroundings_leave ends it. */
void surroundings_gather(struct surroundings *surroundings, const struct config_event *event,
                         const struct ledger *ledger);
void surroundings_leave(struct surroundings *surroundings);

#endif
