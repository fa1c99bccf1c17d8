/* The event file is read afresh, as its process would read it, and compared by the same function
 * (event_settings_check), so that the answer here is the one its start would get. What cannot be
 * read at the moment is no refusal: another process may be using the results. */
#include "host_begun.h"

#include <stdio.h>
#include <unistd.h>

#include "bot/registry.h"
#include "config/config.h"
#include "fixtures/anything.h"
#include "fixtures/event_settings.h"
#include "fixtures/trust.h"
#include "host_event.h"
#include "sums/results_set.h"

static enum bg_status compare_with(struct config_event *event, const char *results,
                                   struct bg_error *err)
{
    struct event_settings_setup setup = {.event = event, .fixed_only = true};
    struct event_settings *settings = NULL;
    enum bg_status status = BG_OK;

    snprintf(event->results, sizeof event->results, "%s", results);
    /* Settings that only a running event has, are set to what its process would find. */
    snprintf(event->door.bans, sizeof event->door.bans, "-"); /* the words are those of a host */
    if (event->trust != CONFIG_TRUST_AUTO) {
        setup.trust = trust_name(event->trust == CONFIG_TRUST_STRANGERS);
    }
    if (event_store_open(&setup.store, results, NULL) == BG_OK &&
        anything_played(&setup.played, setup.store, NULL) == BG_OK && setup.played) {
        status = event_settings_check(&settings, &setup, err);
    }
    event_settings_destroy(settings);
    store_destroy(setup.store);
    return status == BG_E_CONFIG ? status : BG_OK; /* what cannot be read now is not compared */
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
