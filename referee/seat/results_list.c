#include "results_list.h"

#include <stdlib.h>

void results_list_deinit(struct results_list *list)
{
    free(list->results);
    *list = (struct results_list){NULL, 0, 0};
}

static enum bg_status make_room(struct results_list *list, size_t more, struct bg_error *err)
{
    if (list->count + more > list->room) {
        size_t room = 2 * (list->count + more);
        struct bg_ask_result *results = realloc(list->results, room * sizeof *results);

        if (results == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "list of legal results");
        }
        list->results = results;
        list->room = room;
    }
    return BG_OK;
}

static enum bg_status append(struct results_list *list, struct bg_ask *ask, struct bg_error *err)
{
    static _Thread_local struct bg_play_list plays;
    enum bg_status status;

    bg_play_list(&plays, ask->rules.variant, &ask->board, 0, &ask->stage);
    bg_play_list_sort(&plays, ask->rules.variant, &ask->board, 0);
    status = make_room(list, plays.count, err);
    for (size_t i = 0; i < plays.count && status == BG_OK; i++) {
        struct bg_ask_result *result = &list->results[list->count++];

        result->play = plays.play[i];
        bg_play_make(&result->board, ask->rules.variant, &ask->board, 0, &result->play);
    }
    ask->result_count = (uint32_t)plays.count;
    return status;
}

enum bg_status results_list_fill(struct results_list *list, struct bg_ask *const *asks, int count,
                                 struct bg_error *err)
{
    enum bg_status status = BG_OK;
    size_t first = 0;

    list->count = 0;
    for (int i = 0; i < count && status == BG_OK; i++) {
        if (asks[i]->kind == BG_DECIDE_PLAY) {
            status = append(list, asks[i], err);
        }
    }
    /* The array may have moved while it grew, so lend from it only now. */
    for (int i = 0; i < count && status == BG_OK; i++) {
        if (asks[i]->kind == BG_DECIDE_PLAY) {
            asks[i]->results = list->results + first;
            first += asks[i]->result_count;
        }
    }
    return status;
}

bool results_list_play(struct bg_play *out, const struct bg_ask *ask, uint32_t index)
{
    static _Thread_local struct bg_play_list plays;

    bg_play_list(&plays, ask->rules.variant, &ask->board, 0, &ask->stage);
    if (index >= plays.count) {
        return false;
    }
    bg_play_list_sort(&plays, ask->rules.variant, &ask->board, 0);
    *out = plays.play[index];
    return true;
}
