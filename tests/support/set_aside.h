/* set_aside.h - sets a pair of a store aside, as the desk does. */
#ifndef SUPPORT_SET_ASIDE_H
#define SUPPORT_SET_ASIDE_H

#include <stdlib.h>

#include "record/game_id.h"
#include "store/store.h"

/* pair: "A|B|pair"; aborts if it is not. */
static inline enum bg_status set_pair_aside(struct store *store, const char *pair,
                                            const char *reason, const char *at,
                                            struct bg_error *err)
{
    struct game_id id;

    if (!game_id_read_pair(&id, pair)) {
        abort();
    }
    return store->ops->change(
        store, &(struct store_change){.pairs = &id, .pair_count = 1, .reason = reason, .at = at},
        err);
}

#endif
