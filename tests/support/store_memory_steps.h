/* store_memory_steps.h - the steps of unfinished games in the memory store. */
#ifndef SUPPORT_STORE_MEMORY_STEPS_H
#define SUPPORT_STORE_MEMORY_STEPS_H

#include <store/store.h>

struct memory_steps {
    struct store_steps **item;
    size_t count, room;
};

/* As put_steps and each_steps of struct store_ops. */
enum bg_status memory_steps_put(struct memory_steps *steps, struct store_steps *take,
                                struct bg_error *err);
void memory_steps_each(struct memory_steps *steps, const struct game_id *game, store_steps_fn fn,
                       void *user);
/* Forgets the steps of a game (or pair: the legs and games of id do not count). */
void memory_steps_drop(struct memory_steps *steps, const struct game_id *id, bool pair);
void memory_steps_free(struct memory_steps *steps);

#endif
