/* revisions.h - the acts by which a changed bot goes on as a new entrant (successors.h).
 *
 *     revisions_take(&setup, &err)          the results are open: withdraws NAME, enters NAME.2
 *     revisions_find(&open, &setup, &err)   a plain round robin: what NAME has not played ...
 *     revisions_close(&open, &setup, &err)  ... is marked so when the event begins
 *
 * Who has left the event, or is quarantined, does not come back in this way.
 */
#ifndef REFEREE_EVENT_REVISIONS_H
#define REFEREE_EVENT_REVISIONS_H

#include "config/config.h"
#include "feed/feed.h"
#include "fixtures/ledger.h"
#include "journal/plan.h"
#include "entry_wishes.h"

struct revisions_setup {
    const struct config_event *event; /* expanded; lent, like these */
    struct ledger *ledger;
    const struct source *source;
    const struct plan *plan;  /* NULL: a plain round robin */
    const char *const *names; /* of the bots, by index */
    struct feed *feed;
    const struct entry_wishes *wishes; /* NULL: none */
};

/* Stores the acts of new successors; all are tried before the first is stored. BG_E_CONFIG: the
 * event takes no entrant now. BG_E_STORE, BG_E_MEMORY. */
enum bg_status revisions_take(const struct revisions_setup *setup, struct bg_error *err);

/* Tries these acts for a bot that would go on under the name next; changes nothing. BG_E_ARGUMENT:
 * the event takes no entrant now. BG_E_STORE, BG_E_MEMORY. */
enum bg_status revisions_check(const struct revisions_setup *setup, int before, const char *next,
                               struct bg_error *err);

/* Refuses a changed bot. Returns BG_E_CONFIG. */
enum bg_status revisions_refuse(const char *name, const char *next, const char *why,
                                struct bg_error *err);

/* Fixtures, by their numbers in the source. A zeroed value is valid. */
struct revisions_list {
    uint64_t *number; /* owned */
    size_t count;
};

/* Those of withdrawn names that are still open. */
struct revisions_open {
    struct revisions_list unplayed;
    struct revisions_list
        left; /* matches that a remote bot has begun: it loses them (forfeits.h) */
};

/* Returns the bot of the fixture that another one continues; -1 none. */
int revisions_replaced(const struct config_event *event, const struct fixture *fixture);

/* Finds them; from now on nobody plays them. None in an event with a form.
 * BG_E_MEMORY, BG_E_STORE. The caller frees them in every case. */
enum bg_status revisions_find(struct revisions_open *open, const struct revisions_setup *setup,
                              struct bg_error *err);
void revisions_open_deinit(struct revisions_open *open);

/* The event has begun: marks those that are not left as unplayed, and reports them. BG_E_TIMEOUT,
 * BG_E_STORE. */
enum bg_status revisions_close(const struct revisions_open *open,
                               const struct revisions_setup *setup, struct bg_error *err);

#endif
