#include "entry_wishes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/lineage.h"
#include "journal/terms.h"
#include "store/continued.h"

static struct entry_wish *find(const struct entry_wishes *wishes, const char *name)
{
    for (int i = 0; i < wishes->count; i++) {
        if (strcmp(wishes->list[i].name, name) == 0) {
            return &wishes->list[i];
        }
    }
    return NULL;
}

const struct entry_wish *entry_wishes_find(const struct entry_wishes *wishes, const char *name)
{
    return find(wishes, name);
}

enum bg_status entry_wishes_add(struct entry_wishes *wishes, const struct entry_wish *wish,
                                struct bg_error *err)
{
    struct entry_wish *place = find(wishes, wish->name), *more;

    if (place == NULL) {
        more = realloc(wishes->list, ((size_t)wishes->count + 1) * sizeof *more);
        if (more == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "bots of the event");
        }
        wishes->list = more;
        place = &more[wishes->count++];
    }
    *place = *wish;
    return BG_OK;
}

void entry_wishes_begin(struct entry_wishes *wishes)
{
    for (int i = 0; i < wishes->count; i++) {
        wishes->list[i].is_old = wishes->list[i].refused[0] == '\0';
    }
}

void entry_wishes_end(struct entry_wishes *wishes)
{
    int kept = 0;

    for (int i = 0; i < wishes->count; i++) {
        if (!wishes->list[i].is_old) {
            wishes->list[kept++] = wishes->list[i];
        }
    }
    wishes->count = kept;
}

bool entry_wishes_refuse(struct entry_wishes *wishes, const char *why)
{
    bool any = false;

    for (int i = 0; i < wishes->count; i++) {
        if (wishes->list[i].refused[0] == '\0') {
            any = true;
            wishes->list[i].is_old = false;
            snprintf(wishes->list[i].refused, ENTRY_WISH_WHY, "%s", why);
        }
    }
    return any;
}

void entry_wishes_deinit(struct entry_wishes *wishes)
{
    free(wishes->list);
    *wishes = (struct entry_wishes){.count = 0};
}

/* ------------------------------------------------------------------ names */

static bool has_condition(const struct config_event *event, const char *name)
{
    const char *at = event->conditions;
    struct terms_between one;
    bool more = true;

    while (terms_next(&one, &more, &at, event->rules.length_points, NULL) == BG_OK && more) {
        if (strcmp(one.name[0], name) == 0 || strcmp(one.name[1], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_taken(const struct config_event *event, const char *name,
                     const struct played *played)
{
    bool taken = played_has(played, name);

    for (int i = 0; i < event->bot_count; i++) {
        taken = taken || strcmp(event->bots[i].name, name) == 0;
    }
    return taken;
}

const char *entry_obstacle(char next[NAME_SIZE], const struct config_event *event, int bot,
                           const struct played *played)
{
    const char *file = event->bots[lineage_first(event, bot)].name;
    int place = lineage_place(event, bot);
    int size = snprintf(next, NAME_SIZE, "%s.%d", file, place + 1);

    if (place >= CONTINUED_MOST) {
        return "it has the last name that it may have in an event";
    }
    if (size >= NAME_SIZE) {
        return "a name has at most 64 characters";
    }
    if (is_taken(event, next, played)) {
        return "the event has another bot with this name";
    }
    return has_condition(event, file)
               ? "'conditions' name it, and a new entrant would play without them"
               : NULL;
}
