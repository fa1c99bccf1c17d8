/* Whether strangers compete is decided when the results are open, but how many games the event
 * has is needed before that. So the results are looked at once here, for reading only, by the
 * same rules (trust_follows). */
#include "single_games.h"

#include "../process/sandbox.h"
#include "fixtures/anything.h"
#include "fixtures/trust.h"

/* Errors are met again when the results are opened for writing. */
static bool foresee(const struct config_event *event, bool confined)
{
    bool before = false, found = false, played = false;
    struct store *store = NULL;

    if (event->trust == CONFIG_TRUST_AUTO && !event->fresh &&
        store_sqlite_open_read(&store, event->results, NULL) == BG_OK &&
        anything_played(&played, store, NULL) == BG_OK) {
        (void)trust_stored(&before, &found, store, played, NULL);
    }
    store_destroy(store);
    return trust_follows(event, found, before, confined);
}

void single_games_settle(struct config_event *event)
{
    char why[200];
    bool confined = event->sandbox == CONFIG_SANDBOX_ON ||
                    (event->sandbox == CONFIG_SANDBOX_AUTO && sandbox_works(why, sizeof why));

    if (event->duplicate && foresee(event, confined)) {
        config_event_play_single(event);
    }
}
