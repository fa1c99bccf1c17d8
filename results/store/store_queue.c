/* The queue owns what it holds, whatever becomes of it: a group that cannot be written is freed
 * here in one place. */
#include "store_queue.h"

#include <stdlib.h>

#include <base/memory.h>

void store_item_free(struct store_item *item)
{
    switch (item->kind) {
    case STORE_ITEM_GAME:
        store_game_destroy(item->as.game);
        break;
    case STORE_ITEM_FAULT:
        store_fault_destroy(item->as.fault);
        break;
    case STORE_ITEM_JUDGEMENT:
        judgement_destroy(item->as.judgement);
        break;
    case STORE_ITEM_ACT:
        free(item->as.act);
        break;
    case STORE_ITEM_STEPS:
        store_steps_destroy(item->as.steps);
        break;
    case STORE_ITEM_META:
    case STORE_ITEM_UNPLAYED:
    case STORE_ITEM_ASIDE:
    case STORE_ITEM_AGAIN:
    case STORE_ITEM_REOPEN:
        free(item->as.text.first);
        free(item->as.text.second);
        free(item->as.text.third);
        break;
    }
}

void store_queue_clear(struct store_queue *queue)
{
    for (size_t i = 0; i < queue->count; i++) {
        store_item_free(&queue->item[i]);
    }
    queue->count = 0;
}

void store_queue_deinit(struct store_queue *queue)
{
    store_queue_clear(queue);
    free(queue->item);
    *queue = (struct store_queue){0};
}

void store_queue_add(struct store_queue *queue, const struct store_item *item)
{
    queue->item = memory_list(queue->item, &queue->room, queue->count + 1, sizeof *queue->item);
    queue->item[queue->count++] = *item;
}
