/* The order comes from sorting by a keyed hash, not from shuffling with a random generator: the
 * place of one position can be checked without drawing all before it, in any language that has
 * BLAKE2b, and no version of a generator can change it. */
#include "openings_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/memory.h"

struct drawn {
    unsigned char hash[32];
    uint32_t place;
};

static int by_hash(const void *a, const void *b)
{
    const struct drawn *left = a, *right = b;
    int order = memcmp(left->hash, right->hash, sizeof left->hash);

    return order != 0 ? order : left->place < right->place ? -1 : 1;
}

static void shuffle(struct openings_order *order, const struct bg_dice_key *key)
{
    size_t count = order->openings->count;
    struct drawn *drawn = memory_zeroed(count, sizeof *drawn);

    order->place = memory_zeroed(count, sizeof *order->place);
    for (size_t i = 0; i < count; i++) {
        char text[40];
        int length = snprintf(text, sizeof text, "bgref-openings-1|%zu", i);

        crypto_generichash(drawn[i].hash, sizeof drawn[i].hash, (const unsigned char *)text,
                           (unsigned long long)length, key->bytes, sizeof key->bytes);
        drawn[i].place = (uint32_t)i;
    }
    qsort(drawn, count, sizeof *drawn, by_hash);
    for (size_t i = 0; i < count; i++) {
        order->place[i] = drawn[i].place;
    }
    free(drawn);
}

void openings_order_init(struct openings_order *out, const struct config_event *event,
                         const struct bg_dice_key *key)
{
    *out = (struct openings_order){.openings = event->positions, .first = event->openings.start};
    if (out->openings != NULL && event->openings.random) {
        shuffle(out, key);
    }
}

void openings_order_deinit(struct openings_order *order)
{
    free(order->place);
    order->place = NULL;
}

const struct bg_start *openings_order_of_pair(const struct openings_order *order, uint64_t pair)
{
    size_t at;

    if (order->openings == NULL) {
        return NULL;
    }
    at = (size_t)((order->first + pair) % order->openings->count);
    return &order->openings->start[order->place == NULL ? at : order->place[at]];
}
