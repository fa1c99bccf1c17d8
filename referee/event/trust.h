/* trust.h - whose bots compete: one author's, or strangers whose processes are kept apart.
 *
 * What holds is resolved once, stored as "event.trust", and binds every later run.
 */
#ifndef EVENT_TRUST_H
#define EVENT_TRUST_H

#include <stdbool.h>

#include "store/store.h"

#include "config/config.h"

const char *trust_name(bool strangers); /* "own", "strangers" */

/* *strangers: what holds in this event: what it asks for (a change is refused elsewhere), else what
 * is stored, else what follows from confinement and from where the dice come. played: results were
 * begun before. confined: bots run in a sandbox; BG_E_CONFIG where strangers need one and have
 * none.
 */
enum bg_status trust_resolve(bool *strangers, const struct config_event *event, struct store *store,
                             bool played, bool confined, struct bg_error *err);

#endif
