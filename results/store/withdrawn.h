/* withdrawn.h - what results have said of the whole event, and what no longer stands when somebody
 * changes what belongs to it: the root, and where a sequential test has ended it.
 */
#ifndef RESULTS_STORE_WITHDRAWN_H
#define RESULTS_STORE_WITHDRAWN_H

#include "store.h"

enum { WITHDRAWN_MOST = 3 };

struct withdrawn {
    struct store_setting setting[WITHDRAWN_MOST]; /* to be stored with the change; static text */
    size_t count;
    char root[RECORD_HASH]; /* that was published; "" none */
};

enum bg_status withdrawn_find(struct withdrawn *out, struct store *store, struct bg_error *err);

#endif
