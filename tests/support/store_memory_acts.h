/* store_memory_acts.h - the journal of the memory store. */
#ifndef SUPPORT_STORE_MEMORY_ACTS_H
#define SUPPORT_STORE_MEMORY_ACTS_H

#include <store/store.h>

struct memory_acts {
    struct act *act;
    size_t count;
};

/* As put_acts and all_acts of struct store_ops. */
enum bg_status memory_acts_put(struct memory_acts *acts, const struct act *more, size_t count,
                               struct bg_error *err);
void memory_acts_each(const struct memory_acts *acts, store_act_fn fn, void *user);
void memory_acts_free(struct memory_acts *acts);

#endif
