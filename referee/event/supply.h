/* supply.h - what a run plays that another machine has planned: its fixtures, their dice, and where
 * their games go.
 *
 * The run is an ordinary one, whose bots, tables and clocks are here. Its results have settings
 * only. Implementation: tests/unit/referee/event/test_places.c.
 */
#ifndef REFEREE_EVENT_SUPPLY_H
#define REFEREE_EVENT_SUPPLY_H

#include "../loop/loop.h"
#include "fixtures/source.h"
#include "table/table.h"

struct supply_ops {
    /* The bots are ready: fixtures may come. stop ends the run with this exit status: at once, or
     * (0) when the running games have ended. */
    enum bg_status (*open)(void *self, struct loop *loop,
                           void (*stop)(void *user, int exit_status, const struct bg_error *err),
                           void *user, struct bg_error *err);
    /* Sets in the table's setup of this fixture what differs from the run's own: rules, dice,
     * trust, attempt, start, begun, sink. Texts are lent as long as the table is there. */
    void (*dress)(void *self, struct table_setup *setup);
    /* A bot broke a rule in a game that the sink gets next. */
    void (*fault)(void *self, const struct table_fault *fault);
    /* The fixture's table is gone. is_over: its match was played to the end. */
    void (*left)(void *self, const struct fixture *fixture, bool is_over);
    /* The run winds up: no further fixture begins. */
    void (*winding)(void *self);
    /* Returns whether everything that was played has arrived; the run waits for it at its end. */
    bool (*is_sent)(void *self);
    void (*close)(void *self);
};

/* NULL ops: the event's own schedule. */
struct supply {
    const struct supply_ops *ops;
    void *self;                  /* lent */
    const struct source *source; /* of its fixtures, lent */
};

#endif
