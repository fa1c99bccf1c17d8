/* Rates are kept as one time, of which each use takes a step (a "virtual schedule"): as much as
 * BURST steps may lie ahead of now. So a bot that was quiet may come several times at once, and
 * nothing has to be counted down or swept.
 *
 * Networks and numbers of starts belong to the entry and come behind it, so guests_add sets them
 * back to what holds without them. */
#include "guests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/memory.h"

void guests_deinit(struct guests *guests)
{
    for (int i = 0; i < guests->count; i++) {
        free(guests->list[i]);
    }
    free(guests->list);
    *guests = (struct guests){.count = 0};
}

static struct guest *add_guest(struct guests *guests, const char *name)
{
    struct guest *guest = memory_zeroed(1, sizeof *guest);

    guests->list =
        /* A list of pointers: calls keep the address of their guest while the list grows. */
        memory_list(guests->list, &guests->room, (size_t)guests->count + 1, sizeof(struct guest *));
    snprintf(guest->name, sizeof guest->name, "%s", name);
    guests->list[guests->count++] = guest;
    return guest;
}

static bool set_networks(struct guest *guest, char *list)
{
    char *word, *rest;

    guest->from_count = 0;
    for (word = strtok_r(list, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        if (guest->from_count == ENTRY_NETWORKS ||
            cidr_read(&guest->from[guest->from_count++], word, NULL) != BG_OK) {
            return false;
        }
    }
    return true;
}

bool guests_add(struct guests *guests, const Inside__Message *allow)
{
    unsigned char key[KEY_FILE_BYTES];
    struct guest *guest;

    if (!key_name_is_valid(allow->bot) || !key_read_hex(key, allow->text)) {
        return false;
    }
    guest = guests_find(guests, allow->bot);
    guest = guest == NULL ? add_guest(guests, allow->bot) : guest;
    memcpy(guest->key, key, sizeof guest->key);
    guest->is_gone = false;
    guest->starts = (int)allow->number;
    return set_networks(guest, allow->place);
}

bool guest_may_come_from(const struct guest *guest, const char *address)
{
    for (int i = 0; i < guest->from_count; i++) {
        if (cidr_has_text(&guest->from[i], address)) {
            return true;
        }
    }
    return guest->from_count == 0;
}

#define EVERY_NS (GUEST_MINUTE_S * INT64_C(1000000000) / GUEST_HANDSHAKES)

bool guest_may_shake_hands(struct guest *guest, int64_t now_ns)
{
    bool may = guest->due_ns - now_ns <= (GUEST_HANDSHAKES - 1) * EVERY_NS;

    if (may) {
        guest->due_ns = (guest->due_ns > now_ns ? guest->due_ns : now_ns) + EVERY_NS;
    }
    return may;
}

static int64_t start_every_ns(const struct guest *guest)
{
    return GUEST_HOUR_S * INT64_C(1000000000) / guest->starts;
}

int64_t guest_start(struct guest *guest, int64_t now_ns)
{
    const int64_t every_ns = start_every_ns(guest);
    int64_t wait_ns = guest->start_ns - now_ns - (guest->starts - 1) * every_ns;

    if (wait_ns <= 0) {
        guest->start_ns = (guest->start_ns > now_ns ? guest->start_ns : now_ns) + every_ns;
    }
    return wait_ns > 0 ? wait_ns : 0;
}

void guest_forgive(struct guest *guest)
{
    /* Whose start was ended by the referee has the step back. */
    guest->due_ns -= EVERY_NS;
    guest->start_ns -= start_every_ns(guest);
}

void guests_unbar(struct guests *guests)
{
    for (int i = 0; i < guests->count; i++) {
        guests->list[i]->is_barred = false;
    }
}

struct guest *guests_find(const struct guests *guests, const char *name)
{
    for (int i = 0; i < guests->count; i++) {
        if (strcmp(guests->list[i]->name, name) == 0) {
            return guests->list[i];
        }
    }
    return NULL;
}

struct guest *guests_by_key(const struct guests *guests, const unsigned char *key)
{
    struct guest *found = NULL;

    /* No break: the time would tell where in the list a key stands, and by that whether it is
     * known. */
    for (int i = 0; i < guests->count; i++) { /* in constant time */
        if (sodium_memcmp(guests->list[i]->key, key, KEY_FILE_BYTES) == 0) {
            found = guests->list[i];
        }
    }
    return found;
}
