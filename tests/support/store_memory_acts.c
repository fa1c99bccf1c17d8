#include "store_memory_acts.h"

#include <stdlib.h>
#include <string.h>

enum bg_status memory_acts_put(struct memory_acts *acts, const struct act *more, size_t count,
                               struct bg_error *err)
{
    struct act *grown;

    if (count == 0) {
        return BG_OK;
    }
    for (size_t i = 0; i < count; i++) {
        if (more[i].number != acts->count + i + 1) {
            return bg_error_set(err, BG_E_MISMATCH, "act %llu does not follow act %zu",
                                (unsigned long long)more[i].number, acts->count + i);
        }
    }
    grown = realloc(acts->act, (acts->count + count) * sizeof *grown);
    if (grown == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "journal");
    }
    memcpy(grown + acts->count, more, count * sizeof *more);
    acts->act = grown;
    acts->count += count;
    return BG_OK;
}

void memory_acts_each(const struct memory_acts *acts, store_act_fn fn, void *user)
{
    for (size_t i = 0; i < acts->count && fn(user, &acts->act[i]); i++) {
    }
}

void memory_acts_free(struct memory_acts *acts)
{
    free(acts->act);
    *acts = (struct memory_acts){0};
}
