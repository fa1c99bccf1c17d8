/* withdrawn.h - what the results have published about the whole event, and what is withdrawn when a
 * user changes the event's contents: the root, and the end of a sequential test.
 */
#ifndef RESULTS_STORE_WITHDRAWN_H
#define RESULTS_STORE_WITHDRAWN_H

#include "store.h"

enum { WITHDRAWN_MOST = 3 };

struct withdrawn {
    struct store_setting setting[WITHDRAWN_MOST]; /* to store with the change; static text */
    size_t count;
    char root[RECORD_HASH]; /* the published root; "" none */
};

enum bg_status withdrawn_find(struct withdrawn *out, struct store *store, struct bg_error *err);

#endif
