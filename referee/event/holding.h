/* holding.h - pauses the event while results cannot be written (full disk, foreign lock).
 *
 * Running games continue, no new match begins, and the store retries every second. When the event's
 * patience ends, the failure is final.
 */
#ifndef REFEREE_EVENT_HOLDING_H
#define REFEREE_EVENT_HOLDING_H

#include "store/store.h"

#include "../loop/signals.h"

struct holding {
    const char *results; /* lent */
    int64_t patience_ns; /* 0: none; an interrupted run has no patience left */
    bool on;
    int64_t since_ns;
};

/* Decides whether to wait until `err`, an error of the store, is over. If so, starts holding and
 * logs it once. BG_OK: continue, or wait. Otherwise returns the status to stop with, never
 * BG_E_TIMEOUT. */
enum bg_status holding_see(struct holding *holding, enum bg_status status, struct bg_error *err,
                           int64_t now_ns);

/* Waits until all is durable: at most for the event's patience; makes only one attempt once a
 * signal is pending. Call only while no game is played. now_ns: as loop_now. */
enum bg_status holding_flush(struct holding *holding, struct store *store,
                             const struct signals *signals, struct bg_error *err);

#endif
