/* store_queue.h - the items waiting to be written, in order. Not thread safe: the caller locks. */
#ifndef RESULTS_STORE_STORE_QUEUE_H
#define RESULTS_STORE_STORE_QUEUE_H

#include "store.h"

struct store_queue {
    struct store_item *item;
    size_t count, room;
};

/* Frees the items and keeps the memory. */
void store_queue_clear(struct store_queue *queue);
void store_queue_deinit(struct store_queue *queue);

/* Copies *item to the end and takes its contents. */
void store_queue_add(struct store_queue *queue, const struct store_item *item);

#endif
