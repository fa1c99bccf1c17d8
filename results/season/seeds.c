/* The lot is a digest of event and name: who knows the entrants can check it, and nobody who
 * enters late moves the others. A random draw would have to be stored and believed. */
#define _GNU_SOURCE /* qsort_r */
#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/closest.h"

enum { DIGEST = 32 };

static void lot_of(unsigned char out[DIGEST], const char *event, const char *name)
{
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, DIGEST);
    crypto_generichash_update(&state, (const unsigned char *)event, strlen(event));
    crypto_generichash_update(&state, (const unsigned char *)"|seed|", 6);
    crypto_generichash_update(&state, (const unsigned char *)name, strlen(name));
    crypto_generichash_final(&state, out, DIGEST);
}

static int by_lot(const void *a, const void *b, void *event)
{
    const char *const *left = a, *const *right = b;
    unsigned char x[DIGEST], y[DIGEST];

    lot_of(x, event, *left);
    lot_of(y, event, *right);
    return memcmp(x, y, DIGEST);
}

void seeds_by_lot(const char **names, int count, const char *event)
{
    qsort_r((void *)names, (size_t)count, sizeof *names, by_lot, (void *)(size_t)event);
}

/* Returns the place of a name from `from` on, or -1. */
static int find_name(const char *const *names, int from, int count, const char *name, size_t length)
{
    for (int i = from; i < count; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) {
            return i;
        }
    }
    return -1;
}

/* Moves the name from place `from` up to place `to`. The others keep their order, which is that
 * of the lot or of the entries. */
static void put_first(const char **names, int to, int from)
{
    const char *name = names[from];

    memmove((void *)&names[to + 1], (const void *)&names[to], (size_t)(from - to) * sizeof *names);
    names[to] = name;
}

void seeds_first(const char **names, int count, const char *list)
{
    int done = 0;

    for (const char *at = list; *at != '\0';) {
        size_t length = strcspn(at, ",");
        int place = find_name(names, done, count, at, length);

        if (place >= 0) {
            put_first(names, done++, place);
        }
        at += length + (at[length] == ',' ? 1 : 0);
    }
}

enum bg_status seeds_by_list(const char **names, int count, const char *list, struct bg_error *err)
{
    int done = 0;

    for (const char *at = list; *at != '\0';) {
        size_t length = strcspn(at, ",");
        int place = find_name(names, done, count, at, length);

        if (place < 0) {
            char word[64];

            snprintf(word, sizeof word, "%.*s", (int)length, at);
            return bg_error_set(err, BG_E_ARGUMENT, "seeds: %s is %s%s", word,
                                find_name(names, 0, done, at, length) >= 0 ? "listed twice"
                                                                           : "not in the event",
                                closest_perhaps(word, names + done, count - done).text);
        }
        put_first(names, done++, place);
        at += length + (at[length] == ',' ? 1 : 0);
    }
    return done == count
               ? BG_OK
               : bg_error_set(err, BG_E_ARGUMENT,
                              "seeds: %s is missing; list every bot, or give lot or entry",
                              names[done]);
}
