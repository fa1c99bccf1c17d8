/* results_list.h - the legal results that Asks list for bots that want them. */
#ifndef REFEREE_SEAT_RESULTS_LIST_H
#define REFEREE_SEAT_RESULTS_LIST_H

#include <bgref/ask.h>

struct results_list {
    struct bg_ask_result *results; /* owned; grows */
    size_t count, room;
};

void results_list_deinit(struct results_list *list);

/* Sets results and result_count of every play decision in asks; they point into list until the next
 * fill. */
void results_list_fill(struct results_list *list, struct bg_ask *const *asks, int count);

/* Finds the play of ask's result number index, in the listed order. False: no such index. */
bool results_list_play(struct bg_play *out, const struct bg_ask *ask, uint32_t index);

#endif
