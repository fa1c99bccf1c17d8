/* phase.h - how far the run of an event is, which a service manager is told. */
#ifndef REFEREE_EVENT_PHASE_H
#define REFEREE_EVENT_PHASE_H

#include "loop/notify.h"

enum phase {
    PHASE_PREFLIGHT, /* every bot must have been ready once before the first game */
    PHASE_PLAY,
    PHASE_WIND_UP, /* no new game; running games end (after a signal) */
    PHASE_CLOSE,   /* bots get a Goodbye */
};

/* Goes on to `next`; does nothing if the run is there or further. notify: NULL is fine. */
void phase_enter(enum phase *phase, enum phase next, const struct notify *notify);

#endif
