/* store_queue.h - what waits to be written, in order. No lock of its own. */
#ifndef RESULTS_STORE_STORE_QUEUE_H
#define RESULTS_STORE_STORE_QUEUE_H

#include "store.h"

enum store_item_kind {
    STORE_ITEM_GAME,
    STORE_ITEM_FAULT,
    STORE_ITEM_JUDGEMENT,
    STORE_ITEM_META,
    STORE_ITEM_UNPLAYED,
    STORE_ITEM_ASIDE,
    STORE_ITEM_REOPEN
};

/* One thing to write. */
struct store_item {
    enum store_item_kind kind;
    bool is_new; /* game: it was not there before; set while writing */
    union {
        struct store_game *game;
        struct store_fault *fault;
        struct judgement *judgement;
        struct {
            /* meta: key, value; unplayed: fixture, bot, why; aside: pair, reason, time;
             * reopen: bot */
            char *first, *second, *third;
        } text;
    } as;
};

struct store_queue {
    struct store_item *item;
    size_t count, room;
};

/* Frees what the item holds. */
void store_item_free(struct store_item *item);

/* Frees the items; the room is kept. */
void store_queue_clear(struct store_queue *queue);
void store_queue_deinit(struct store_queue *queue);

/* Copies *item to the end; what it holds is the queue's then. False: no memory, nothing changed. */
bool store_queue_add(struct store_queue *queue, const struct store_item *item);

#endif
