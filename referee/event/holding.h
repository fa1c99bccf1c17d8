/* holding.h - while results cannot be written for now (a full disk, a foreign lock), the event
 * holds: games that run are played on, no new match is begun, and the store tries again each
 * second. When the patience of the event has ended the failure is one for good.
 */
#ifndef REFEREE_EVENT_HOLDING_H
#define REFEREE_EVENT_HOLDING_H

#include "store/store.h"

#include "../loop/signals.h"

struct holding {
    const char *results; /* lent */
    int64_t patience_ns; /* 0: none; an interrupted run has none left */
    bool on;
    int64_t since_ns;
};

/* Whether `err`, which comes from the store, is to be waited out: it holds from now on, and says so
 * once. BG_OK: go on, or wait. Else the status to stop with, which is never BG_E_TIMEOUT. */
enum bg_status holding_see(struct holding *holding, enum bg_status status, struct bg_error *err,
                           int64_t now_ns);

/* Waits until all is durable, which may take as long as the patience, or until a signal is there to
 * be taken: then one attempt has to do. Only while no game is played. now_ns: as loop_now. */
enum bg_status holding_flush(struct holding *holding, struct store *store,
                             const struct signals *signals, struct bg_error *err);

#endif
