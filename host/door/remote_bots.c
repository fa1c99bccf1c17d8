/* Rates are kept as one time, of which each use takes a step (a "virtual schedule"): as much as
 * BURST steps may lie ahead of now. So a bot that was quiet may come several times at once, and
 * nothing has to be counted down or swept.
 *
 * Networks and numbers of starts belong to the entry and come behind it, so remote_bots_add sets
 * them back to what holds without them.
 *
 * Replacements: the times of the last ones, in a ring for each place of a joiner. Only when the
 * oldest of REPLACEMENTS_MOST lies within the window is it two programs: a single author on a bad
 * line replaces its own connection now and then, too. */
#include "remote_bots.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/memory.h"

void remote_bots_deinit(struct remote_bots *bots)
{
    for (int i = 0; i < bots->count; i++) {
        free(bots->list[i]);
    }
    free(bots->list);
    *bots = (struct remote_bots){.count = 0};
}

static struct remote_bot *add_bot(struct remote_bots *bots, const char *name)
{
    struct remote_bot *bot = memory_zeroed(1, sizeof *bot);

    bots->list =
        /* A list of pointers: relays keep the address of their bot while the list grows. */
        memory_list(bots->list, &bots->room, (size_t)bots->count + 1, sizeof(struct remote_bot *));
    snprintf(bot->name, sizeof bot->name, "%s", name);
    bots->list[bots->count++] = bot;
    return bot;
}

static bool set_networks(struct remote_bot *bot, char *list)
{
    char *word, *rest;

    bot->from_count = 0;
    for (word = strtok_r(list, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        if (bot->from_count == ENTRY_NETWORKS ||
            cidr_read(&bot->from[bot->from_count++], word, NULL) != BG_OK) {
            return false;
        }
    }
    return true;
}

bool remote_bots_add(struct remote_bots *bots, const Inside__Message *allow)
{
    unsigned char key[KEY_FILE_BYTES];
    struct remote_bot *bot;

    if (!key_name_is_valid(allow->bot) || !key_read_hex(key, allow->text)) {
        return false;
    }
    bot = remote_bots_find(bots, allow->bot);
    bot = bot == NULL ? add_bot(bots, allow->bot) : bot;
    memcpy(bot->key, key, sizeof bot->key);
    bot->is_gone = false;
    bot->starts = (int)allow->number;
    return set_networks(bot, allow->place);
}

bool remote_bot_may_come_from(const struct remote_bot *bot, const char *address)
{
    for (int i = 0; i < bot->from_count; i++) {
        if (cidr_has_text(&bot->from[i], address)) {
            return true;
        }
    }
    return bot->from_count == 0;
}

#define EVERY_NS (REMOTE_BOT_MINUTE_S * INT64_C(1000000000) / REMOTE_BOT_HANDSHAKES)

bool remote_bot_may_shake_hands(struct remote_bot *bot, int64_t now_ns)
{
    bool may = bot->due_ns - now_ns <= (REMOTE_BOT_HANDSHAKES - 1) * EVERY_NS;

    if (may) {
        bot->due_ns = (bot->due_ns > now_ns ? bot->due_ns : now_ns) + EVERY_NS;
    }
    return may;
}

static int64_t start_every_ns(const struct remote_bot *bot)
{
    return REMOTE_BOT_HOUR_S * INT64_C(1000000000) / bot->starts;
}

int64_t remote_bot_start(struct remote_bot *bot, int64_t now_ns)
{
    const int64_t every_ns = start_every_ns(bot);
    int64_t wait_ns = bot->start_ns - now_ns - (bot->starts - 1) * every_ns;

    if (wait_ns <= 0) {
        bot->start_ns = (bot->start_ns > now_ns ? bot->start_ns : now_ns) + every_ns;
    }
    return wait_ns > 0 ? wait_ns : 0;
}

void remote_bot_forgive(struct remote_bot *bot)
{
    /* Whose start was ended by the referee has the step back. */
    bot->due_ns -= EVERY_NS;
    bot->start_ns -= start_every_ns(bot);
}

void remote_bots_unbar(struct remote_bots *bots)
{
    for (int i = 0; i < bots->count; i++) {
        bots->list[i]->is_barred = false;
    }
}

struct remote_bot *remote_bots_find(const struct remote_bots *bots, const char *name)
{
    for (int i = 0; i < bots->count; i++) {
        if (strcmp(bots->list[i]->name, name) == 0) {
            return bots->list[i];
        }
    }
    return NULL;
}

struct remote_bot *remote_bots_by_key(const struct remote_bots *bots, const unsigned char *key)
{
    struct remote_bot *found = NULL;

    /* No break: the time would tell where in the list a key stands, and by that whether it is
     * known. */
    for (int i = 0; i < bots->count; i++) { /* in constant time */
        if (sodium_memcmp(bots->list[i]->key, key, KEY_FILE_BYTES) == 0) {
            found = bots->list[i];
        }
    }
    return found;
}

bool replacements_note(struct replacements *of, int place, int64_t now_ns)
{
    int64_t *at_ns;
    int next;
    bool is_full;

    assert(place >= 0 && place < REPLACEMENTS_PLACES);
    at_ns = of->places[place].at_ns;
    next = (int)(of->places[place].count++ % REPLACEMENTS_MOST);
    at_ns[next] = now_ns;
    /* All places begin anew: the wait is that of the key. */
    next = (next + 1) % REPLACEMENTS_MOST; /* the oldest one */
    is_full = of->places[place].count >= REPLACEMENTS_MOST &&
              now_ns - at_ns[next] <= REPLACEMENTS_WITHIN_NS;
    if (is_full) {
        *of = (struct replacements){.until_ns = now_ns + REPLACEMENTS_WAIT_NS};
    }
    return is_full;
}

int64_t replacements_wait_ns(const struct replacements *of, int64_t now_ns)
{
    return of->until_ns > now_ns ? of->until_ns - now_ns : 0;
}
