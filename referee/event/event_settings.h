/* event_settings.h - what an event was begun with, and what of it may change.
 *
 * Settings that results depend on stand in the results as "event.KEY", the programs behind a bot's
 * name as "program.NAME" (record/editions.h). Bots and pairs may grow, also go back to what was
 * played, and a sequential test may go once it has decided; a bot that changed since its last game
 * may go on where the event accepts that. Every other changed setting is refused by name. Bots and
 * pairs without a game bind nobody.
 *
 * First everything is compared, then bots are started, and only then all is stored at once: a
 * command that is refused or fails leaves the results as they were.
 */
#ifndef EVENT_EVENT_SETTINGS_H
#define EVENT_EVENT_SETTINGS_H

#include "store/store.h"

#include "config/config.h"
#include "program.h"

struct event_settings;

struct event_settings_setup {
    const struct config_event *event; /* lent, like these */
    struct store *store;
    const char *trust;              /* as it was resolved */
    const struct program *programs; /* by bot, as they are now; NULL: not compared */
    bool played;                    /* something is stored: settings are fixed */
    bool decided;                   /* by its sequential test */
};

/* Compares; stores nothing. BG_E_CONFIG names the setting or the bot, and the ways on. */
enum bg_status event_settings_check(struct event_settings **out,
                                    const struct event_settings_setup *setup, struct bg_error *err);
void event_settings_destroy(struct event_settings *settings); /* NULL is fine */

/* Compares what the bots say of themselves since they have started: versions, by bot ("" nothing,
 * NULL for a bot that does not play in this run). BG_E_CONFIG: another one than before. */
enum bg_status event_settings_versions(struct event_settings *settings, const char *const *versions,
                                       struct bg_error *err);

/* Stores what is new, all or nothing. versions: as above; the program of a bot that does not play
 * stays as it was, and so for NULL do all. now_s: since 1970. with: what else is stored in the same
 * transaction. */
enum bg_status event_settings_store(struct event_settings *settings, const char *const *versions,
                                    int64_t now_s, const struct store_change *with,
                                    struct bg_error *err);

#endif
