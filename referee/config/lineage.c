#include "lineage.h"

#include <string.h>

/* Returns the bot that this one continues; -1 none. */
static int before(const struct config_event *event, int bot)
{
    const char *name = event->bots[bot].continues;

    for (int i = 0; i < event->bot_count && name[0] != '\0'; i++) {
        if (strcmp(event->bots[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int lineage_first(const struct config_event *event, int bot)
{
    for (int at = before(event, bot); at >= 0; at = before(event, at)) {
        bot = at;
    }
    return bot;
}

int lineage_last(const struct config_event *event, int bot)
{
    /* the next one always stands behind */
    for (int i = bot + 1; i < event->bot_count && event->bots[bot].replaced[0] != '\0'; i++) {
        bot = before(event, i) == bot ? i : bot;
    }
    return bot;
}

int lineage_place(const struct config_event *event, int bot)
{
    int place = 1;

    for (int at = before(event, bot); at >= 0; at = before(event, at)) {
        place++;
    }
    return place;
}

int lineage_in_file(const struct config_event *event)
{
    int count = 0;

    while (count < event->bot_count && event->bots[count].continues[0] == '\0') {
        count++;
    }
    return count;
}
