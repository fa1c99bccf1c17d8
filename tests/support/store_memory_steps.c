#include "store_memory_steps.h"

#include <stdlib.h>
#include <string.h>

enum bg_status memory_steps_put(struct memory_steps *steps, struct store_steps *take,
                                struct bg_error *err)
{
    if (take == NULL) {
        memory_steps_free(steps);
        return BG_OK;
    }
    if (steps->count == steps->room) {
        size_t room = steps->room == 0 ? 64 : 2 * steps->room;
        struct store_steps **grown = realloc(steps->item, room * sizeof(void *));

        if (grown == NULL) {
            store_steps_destroy(take);
            return bg_error_set(err, BG_E_MEMORY, "steps");
        }
        steps->item = grown;
        steps->room = room;
    }
    steps->item[steps->count++] = take;
    return BG_OK;
}

static int by_place(const void *x, const void *y)
{
    const struct store_steps *a = *(struct store_steps *const *)x;
    const struct store_steps *b = *(struct store_steps *const *)y;
    int order = game_id_compare(&a->game, &b->game);

    return order != 0 ? order : (a->first > b->first) - (a->first < b->first);
}

void memory_steps_each(struct memory_steps *steps, const struct game_id *game, store_steps_fn fn,
                       void *user)
{
    bool more = true;

    if (steps->count > 0) {
        qsort(steps->item, steps->count, sizeof(void *), by_place);
    }
    for (size_t i = 0; i < steps->count && more; i++) {
        if (game == NULL || game_id_compare(&steps->item[i]->game, game) == 0) {
            more = fn(user, steps->item[i]);
        }
    }
}

static bool is_of(const struct game_id *game, const struct game_id *id, bool pair)
{
    return pair ? game->pair == id->pair && strcmp(game->a, id->a) == 0 &&
                      strcmp(game->b, id->b) == 0
                : game_id_compare(game, id) == 0;
}

void memory_steps_drop(struct memory_steps *steps, const struct game_id *id, bool pair)
{
    size_t kept = 0;

    for (size_t i = 0; i < steps->count; i++) {
        if (is_of(&steps->item[i]->game, id, pair)) {
            store_steps_destroy(steps->item[i]);
        } else {
            steps->item[kept++] = steps->item[i];
        }
    }
    steps->count = kept;
}

void memory_steps_free(struct memory_steps *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        store_steps_destroy(steps->item[i]);
    }
    free(steps->item);
    *steps = (struct memory_steps){0};
}
