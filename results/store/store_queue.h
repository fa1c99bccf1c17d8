/* store_queue.h - the items waiting to be written, in order. Not thread safe: the caller locks. */
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
    STORE_ITEM_AGAIN,
    STORE_ITEM_REOPEN,
    STORE_ITEM_ACT,
    STORE_ITEM_STEPS
};

/* One item to write. */
struct store_item {
    enum store_item_kind kind;
    bool is_new; /* game: its id was not stored before; set while writing */
    union {
        struct store_game *game;
        struct store_fault *fault;
        struct judgement *judgement;
        struct act *act;
        struct store_steps *steps;
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

/* Frees the item's contents. */
void store_item_free(struct store_item *item);

/* Frees the items and keeps the memory. */
void store_queue_clear(struct store_queue *queue);
void store_queue_deinit(struct store_queue *queue);

/* Copies *item to the end and takes its contents. */
void store_queue_add(struct store_queue *queue, const struct store_item *item);

#endif
