#include "host_door_state.h"

#include <stdio.h>
#include <string.h>

static const int64_t SECOND_NS = INT64_C(1000000000);

bool host_door_limit(char *out, size_t size, const struct host_door *door, int bot)
{
    const struct competitor *of = &door->allowed.bots[bot];
    const char *event = broker_refused(&door->broker, bot);
    char events[ENTRY_TEXT], text[DAY_GAMES_TEXT];
    bool is_its = event != NULL && entry_limits_have_event(&of->limits, event);

    if (door->spots[bot].held[0] != '\0') {
        snprintf(out, size, "%s", door->spots[bot].held);
        return true;
    }
    if (day_games_are_over(&door->spots[bot].games, loop_calendar())) {
        day_games_write(text, &door->spots[bot].games, of->name, loop_calendar());
        snprintf(out, size, "%s", text);
        return true;
    }
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

void host_door_status(FILE *out, const struct host_door *door)
{
    char limit[CONTROL_TEXT];

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
        /* the quarantine of a bot that is held has a line of its own */
        if (door->spots[bot].held[0] == '\0' && host_door_limit(limit, sizeof limit, door, bot)) {
            fprintf(out, "  limit: %s\n", limit);
        }
    }
}
