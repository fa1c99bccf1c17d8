/* Which bots the host keeps from its events, and why. Events hear it, so that no match is lost by
 * it; people read it: the director in `status`, and an author while its connection waits.
 * host_door_limit() serves both, so that the two never hear different reasons. */
#include "host_door_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const int64_t SECOND_NS = INT64_C(1000000000);

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

bool host_door_limit(char *out, size_t size, const struct host_door *door, int bot)
{
    const struct competitor *of = &door->allowed.bots[bot];
    const char *event = broker_refused(&door->broker, bot);
    char events[ENTRY_TEXT];
    bool is_its = event != NULL && entry_limits_have_event(&of->limits, event);

    if (door->spots[bot].held[0] != '\0') {
        snprintf(out, size, "%s", door->spots[bot].held);
        return true;
    }
    /* Before the single events: while the bot plays as much as it may, no other reason would
     * help. */
    if (broker_is_at_most(&door->broker, bot)) {
        snprintf(out, size,
                 "%s plays in %d event%s, as many at once as the host allows it (tables); this "
                 "connection waits until one ends",
                 of->name, of->limits.tables, of->limits.tables == 1 ? "" : "s");
        return true;
    }
    if (is_its) {
        snprintf(
            out, size,
            "%s has begun with another key of %s, and is kept from this one; events that begin "
            "from now on take it",
            event, of->name);
    } else if (event != NULL) {
        entry_limits_write_events(events, &of->limits, ", ");
        snprintf(out, size,
                 "%s waits for %s, but the host allows it only these events: %.200s; ask its "
                 "operator",
                 event, of->name, events);
    }
    return event != NULL;
}

void host_door_note_refused(struct host_door *door, int bot, const char *event, const char *version)
{
    struct spot *spot = &door->spots[bot];

    if (version != NULL && version[0] != '\0') {
        snprintf(spot->refused, sizeof spot->refused, "%s", version);
        snprintf(spot->refused_by, sizeof spot->refused_by, "%s", event);
        /* Another event's refusal still stands. */
    } else if (strcmp(spot->refused_by, event) == 0) {
        spot->refused[0] = spot->refused_by[0] = '\0';
    }
}

/* Connections that did not become a bot's: their authors ask the director why. */
static void write_refused(FILE *out, const struct host_door *door)
{
    static const char *const whys[DOOR_WHYS] = {
        [DOOR_WHY_ADDRESS_CONNECTIONS] =
            "too many at once of one address (per_address; a change needs a new start of the host)",
        [DOOR_WHY_ADDRESS_RATE] = "too many new ones of one address in a short time",
        [DOOR_WHY_CONNECTIONS] =
            "too many at once in all (connections; a change needs a new start of the host)",
        [DOOR_WHY_RATE] = "too many new ones in a short time",
        [DOOR_WHY_BANNED] = "their network is banned ('unban')",
        [DOOR_WHY_GATEWAY] = "the gateway was being started anew"};
    static const char *const results[DOOR_RESULTS] = {
        [DOOR_RESULT_UNKNOWN_KEY] = "their key is not in the list of bots",
        [DOOR_RESULT_BANNED] = "their key is banned ('unban')",
        [DOOR_RESULT_KEY_RATE] = "too many of one key in a minute",
        [DOOR_RESULT_KEY_TWICE] = "several programs use one key",
        [DOOR_RESULT_NETWORK] = "their key may not come from there (from)",
        [DOOR_RESULT_START_RATE] = "too many starts of one bot in an hour",
        [DOOR_RESULT_LARGE_HELLO] = "their first message is too large"};
    const struct door_counts counts = door_counts(door->door);

    for (int i = 0; i < DOOR_WHYS; i++) {
        if (counts.refused[i] > 0) {
            fprintf(out, "  refused connections: %" PRIu64 ", %s\n", counts.refused[i], whys[i]);
        }
    }
    for (int i = 0; i < DOOR_RESULTS; i++) {
        if (counts.results[i] > 0 && results[i] != NULL) {
            fprintf(out, "  refused connections: %" PRIu64 ", %s\n", counts.results[i], results[i]);
        }
    }
}

void host_door_status(FILE *out, const struct host_door *door)
{
    char limit[INSIDE_TEXT];

    if (door != NULL) {
        write_refused(out, door);
    }
    for (int bot = 0; door != NULL && bot < door->allowed.bot_count; bot++) {
        const struct broker_bot *of = &door->broker.bots[bot];

        for (int i = 0; i < of->count; i++) {
            if (of->wants[i].endpoint[0] != '\0') {
                fprintf(out, "  bot: %s %s %s\n", door->allowed.bots[bot].name,
                        of->wants[i].is_lent ? "plays in" : "is awaited by", of->wants[i].event);
            }
        }
        if (door_trip_us(door->door, bot) > 0) {
            fprintf(out, "  line: %s, %.1f ms to the bot and back\n", door->allowed.bots[bot].name,
                    (double)door_trip_us(door->door, bot) / 1e3);
        }
        if (door->spots[bot].twice_ns > loop_now(door->loop)) {
            fprintf(out, "  key in use twice: %s waits %d s\n", door->allowed.bots[bot].name,
                    (int)((door->spots[bot].twice_ns - loop_now(door->loop)) / SECOND_NS) + 1);
        }
        if (door->spots[bot].refused[0] != '\0') {
            fprintf(out,
                    "  refused: %s came to %s as %s, another version than at its last game there; "
                    "'accept %s %s --reason TEXT' takes it\n",
                    door->allowed.bots[bot].name, door->spots[bot].refused_by,
                    door->spots[bot].refused, door->spots[bot].refused_by,
                    door->allowed.bots[bot].name);
        }
        /* the quarantine of a bot that is held has a line of its own */
        if (door->spots[bot].held[0] == '\0' && host_door_limit(limit, sizeof limit, door, bot)) {
            fprintf(out, "  limit: %s\n", limit);
        }
    }
}
