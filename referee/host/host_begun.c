#include "host_begun.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bot/registry.h"
#include "config/config.h"
#include "fixtures/anything.h"
#include "fixtures/refusals.h"
#include "host_event.h"
#include "store/entry.h"
#include "sums/results_set.h"

enum { VALUE = 8192 };

struct comparing {
    const struct config_event *event;
    struct store *store;
    enum bg_status status;
    struct bg_error *err;
};

/* What the process finds out itself: names that may grow, files, and what follows from them. */
static bool is_its_own(const char *key)
{
    static const char *const own[] = {"event", "bots", "pairs", "sprt", "seeds", "openings.digest"};
    bool is = strncmp(key, "bot.", 4) == 0;
    char stored[VALUE];

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        is = is || strcmp(key, own[i]) == 0;
    }
    snprintf(stored, sizeof stored, "event.%s", key);
    return is || entry_bot(key) != NULL || entry_bot(stored) != NULL;
}

static void compare(void *user, const char *key, const char *value)
{
    struct comparing *comparing = user;
    char name[256], was[VALUE];
    bool found = false;

    if (comparing->status != BG_OK || is_its_own(key)) {
        return;
    }
    snprintf(name, sizeof name, "event.%s", key);
    if (comparing->store->ops->meta_get(comparing->store, name, was, sizeof was, &found, NULL) ==
            BG_OK &&
        found && strlen(was) + 1 < sizeof was && strcmp(was, value) != 0) {
        comparing->status = refusals_setting(comparing->event, key, was, value, comparing->err);
    }
}

static enum bg_status compare_with(struct config_event *event, const char *results,
                                   struct bg_error *err)
{
    struct comparing comparing = {.event = event, .status = BG_OK, .err = err};
    bool played = false;

    snprintf(event->results, sizeof event->results, "%s", results);
    snprintf(event->door.gate, sizeof event->door.gate, "-"); /* the words are those of a host */
    if (event_store_open(&comparing.store, results, NULL) == BG_OK &&
        anything_played(&played, comparing.store, NULL) == BG_OK && played) {
        config_event_each(event, compare, &comparing);
    }
    store_destroy(comparing.store);
    return comparing.status;
}

enum bg_status host_begun_check(const struct host_config *config, const struct host_event *event,
                                const char *results, struct bg_error *err)
{
    struct registry *registry = NULL;
    struct config_event fresh;
    enum bg_status status;

    if (access(results, F_OK) != 0) {
        return BG_OK;
    }
    status = registry_open(&registry, err);
    if (status == BG_OK) {
        status = host_event_file(&fresh, event->file, registry, config, err);
        if (status == BG_OK && fresh.bot_count >= 2) {
            status = compare_with(&fresh, results, err);
        }
        config_event_deinit(&fresh);
    }
    registry_close(registry);
    return status;
}
