/* Phases only go forward: an error while the run is closed must not make it wind up again. */
#include "phase.h"

#include <stddef.h>

void phase_enter(enum phase *phase, enum phase next, const struct notify *notify)
{
    if (next <= *phase) {
        return;
    }
    *phase = next;
    if (notify != NULL && next == PHASE_PLAY) {
        notify_ready(notify, "the event is played");
    } else if (notify != NULL) {
        notify_stopping(notify, next == PHASE_WIND_UP ? "running games are finished"
                                                      : "the bots are dismissed");
    }
}
