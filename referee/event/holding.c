/* The store says BG_E_TIMEOUT for what it has queued and cannot write now, and another error for
 * what will never succeed; only the first is waited for. The time runs from the first failure to
 * the first success, so that a disk that is full again and again for a moment does not use up
 * the patience. */
#include "holding.h"

#include <poll.h>
#include <stddef.h>

#include "../log.h"
#include "../loop/loop.h"

#define SECOND_NS INT64_C(1000000000)

enum { LOOK_MS = 200 }; /* wait for a signal; the store retries every second itself */

enum bg_status holding_see(struct holding *holding, enum bg_status status, struct bg_error *err,
                           int64_t now_ns)
{
    if (status == BG_OK && holding->on) {
        log_warn("event", "results=%s can be written again after %.0f s", holding->results,
                 (double)(now_ns - holding->since_ns) / 1e9);
        holding->on = false;
    }
    if (status != BG_E_TIMEOUT) {
        return status;
    }
    if (!holding->on) {
        holding->on = true;
        holding->since_ns = now_ns;
        if (holding->patience_ns > 0) {
            log_warn("event",
                     "%s; nothing is lost: games that run are played on, no new match begins, and "
                     "it is tried again each second, for %.0f s (store_wait)",
                     err->text, (double)holding->patience_ns / 1e9);
        }
    }
    if (now_ns - holding->since_ns < holding->patience_ns) {
        return BG_OK;
    }
    return err->status = BG_E_STORE;
}

static bool is_signalled(const struct signals *signals, int wait_ms)
{
    struct pollfd signal = {.fd = signals == NULL ? -1 : signals_fd(signals), .events = POLLIN};

    return poll(&signal, 1, wait_ms) > 0;
}

enum bg_status holding_flush(struct holding *holding, struct store *store,
                             const struct signals *signals, struct bg_error *err)
{
    struct bg_error trouble = {0};
    enum bg_status status, seen;

    do {
        status = store->ops->flush(store, &trouble);
        seen = holding_see(holding, status, &trouble, loop_now(NULL));
    } while (status == BG_E_TIMEOUT && seen == BG_OK && !is_signalled(signals, LOOK_MS));
    if (status == BG_E_TIMEOUT) {
        seen = trouble.status = BG_E_STORE;
    }
    if (seen != BG_OK && err != NULL) {
        *err = trouble;
    }
    return seen;
}
