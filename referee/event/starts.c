#include "starts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

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

static enum bg_status shuffle(struct starts *starts, const struct bg_dice_key *key,
                              struct bg_error *err)
{
    size_t count = starts->openings->count;
    struct drawn *drawn = calloc(count, sizeof *drawn);

    starts->place = calloc(count, sizeof *starts->place);
    if (drawn == NULL || starts->place == NULL) {
        free(drawn);
        return bg_error_set(err, BG_E_MEMORY, "order of positions");
    }
    for (size_t i = 0; i < count; i++) {
        char text[40];
        int length = snprintf(text, sizeof text, "bgref-openings-1|%zu", i);

        crypto_generichash(drawn[i].hash, sizeof drawn[i].hash, (const unsigned char *)text,
                           (unsigned long long)length, key->bytes, sizeof key->bytes);
        drawn[i].place = (uint32_t)i;
    }
    qsort(drawn, count, sizeof *drawn, by_hash);
    for (size_t i = 0; i < count; i++) {
        starts->place[i] = drawn[i].place;
    }
    free(drawn);
    return BG_OK;
}

enum bg_status starts_init(struct starts *out, const struct config_event *event,
                           const struct bg_dice_key *key, struct bg_error *err)
{
    *out = (struct starts){.openings = event->positions, .first = event->openings.start};
    return out->openings != NULL && event->openings.random ? shuffle(out, key, err) : BG_OK;
}

void starts_deinit(struct starts *starts)
{
    free(starts->place);
    starts->place = NULL;
}

const struct bg_start *starts_of_pair(const struct starts *starts, uint64_t pair)
{
    size_t at;

    if (starts->openings == NULL) {
        return NULL;
    }
    at = (size_t)((starts->first + pair) % starts->openings->count);
    return &starts->openings->start[starts->place == NULL ? at : starts->place[at]];
}
