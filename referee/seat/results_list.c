/* A bot that wants the list may answer with an index in it. The list is sorted
 * (bg_play_list_sort), so that it is the same whenever it is made: it is computed again for the
 * answer, and nothing of it is kept while the bot thinks. */
#include "results_list.h"

#include <stdlib.h>

#include "base/memory.h"

void results_list_deinit(struct results_list *list)
{
    free(list->results);
    *list = (struct results_list){NULL, 0, 0};
}

static void append_results(struct results_list *list, struct bg_ask *ask)
{
    static _Thread_local struct bg_play_list plays;

    bg_play_list(&plays, ask->rules.variant, &ask->board, 0, &ask->stage);
    bg_play_list_sort(&plays, ask->rules.variant, &ask->board, 0);
    list->results =
        memory_list(list->results, &list->room, list->count + plays.count, sizeof *list->results);
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_ask_result *result = &list->results[list->count++];

        result->play = plays.play[i];
        bg_play_make(&result->board, ask->rules.variant, &ask->board, 0, &result->play);
    }
    ask->result_count = (uint32_t)plays.count;
}

void results_list_fill(struct results_list *list, struct bg_ask *const *asks, int count)
{
    size_t first = 0;

    list->count = 0;
    for (int i = 0; i < count; i++) {
        if (asks[i]->kind == BG_DECIDE_PLAY) {
            append_results(list, asks[i]);
        }
    }
    /* The array may have moved while it grew, so lend from it only now. */
    for (int i = 0; i < count; i++) {
        if (asks[i]->kind == BG_DECIDE_PLAY) {
            asks[i]->results = list->results + first;
            first += asks[i]->result_count;
        }
    }
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
