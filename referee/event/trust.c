#include "trust.h"

#include <string.h>

const char *trust_name(bool strangers)
{
    return strangers ? "strangers" : "own";
}

/* What results that were begun before say of trust; *found false when they say nothing. */
static enum bg_status stored(bool *strangers, bool *found, struct store *store, bool played,
                             struct bg_error *err)
{
    char text[16];
    enum bg_status status =
        store->ops->meta_get(store, "event.trust", text, sizeof text, found, err);

    *strangers = strcmp(text, trust_name(true)) == 0;
    if (status == BG_OK && played && !*found) { /* from before there was a choice */
        *found = true;
    }
    *found = *found && played;
    return status;
}

enum bg_status trust_resolve(bool *strangers, const struct config_event *event, struct store *store,
                             bool played, bool confined, struct bg_error *err)
{
    bool before, found = false;
    enum bg_status status = stored(&before, &found, store, played, err);

    if (status != BG_OK) {
        return status;
    }
    *strangers = event->trust != CONFIG_TRUST_AUTO ? event->trust == CONFIG_TRUST_STRANGERS
                 : found                           ? before
                         : (confined || event->commit) && !event->has_seed;
    if (*strangers && !confined) {
        return bg_error_set(err, BG_E_CONFIG,
                            "%s%strust=strangers, and bots are not confined: add sandbox=on "
                            "('bgref doctor' says whether this machine can), or %s",
                            found ? event->results : "",
                            found                               ? ": begun with "
                            : event->trust == CONFIG_TRUST_AUTO ? "committed dice mean "
                                                                : "",
                            found ? "give other --results" : "give trust=own");
    }
    return BG_OK;
}
