/* What the host keeps from its events, and how they hear of it. */
#include "host_door_state.h"

#include <string.h>

bool host_door_may_go(const struct host_door *door, int bot, const struct broker_want *want)
{
    const struct spot *spot = &door->spots[bot];

    return spot->held[0] == '\0' || (want->is_back && spot->may_return);
}

/* Whether the host keeps the bot from an event that wants it, so that it cannot come there. What
 * its author has brought about is no excuse: a rest for refused starts, or another key than that
 * with which the event began. */
static bool want_is_kept(const struct host_door *door, int bot, const struct broker_want *want)
{
    const struct spot *spot = &door->spots[bot];

    return (spot->may_return && !host_door_may_go(door, bot, want)) ||
           !entry_limits_have_event(&door->allowed.bots[bot].limits, want->event) ||
           broker_keeps(&door->broker, bot, want->event);
}

void host_door_tell_kept(const struct host_door *door, int bot)
{
    const struct broker_bot *of = &door->broker.bots[bot];

    for (struct borrower *at = door->borrowers; at != NULL; at = at->next) {
        for (int i = 0; i < of->count; i++) {
            struct broker_want *want = &of->wants[i];
            /* Told only when it changes: each is a message to an event whose clock runs. */
            bool kept = !want->is_lent && want_is_kept(door, bot, want);

            if (at->fd >= 0 && strcmp(want->event, at->event) == 0 && want->knows_kept != kept) {
                want->knows_kept = kept;
                inside_send(&at->out, INSIDE__KIND__KEPT, door->allowed.bots[bot].name, kept, NULL);
            }
        }
    }
}
