/* Plans are made from rules and from what has happened, and the same inputs give the same plan:
 * a host that was off for a month plans as one that ran. Instances of a repeated event are named
 * by their day, so a day has one at most, also after the rule was changed. */
#include "agenda_plan.h"

#include <stdio.h>
#include <string.h>

enum {
    DAY_S = 86400,
    LONGEST_S = 32 * DAY_S /* between two starts */
};

static bool is_repeated(const struct agenda_event *event)
{
    return event->start == AGENDA_AT && event->repeat != CALENDAR_ONCE;
}

static void name_it(struct instance *out, const struct agenda_event *event, bool repeated)
{
    char date[CALENDAR_DATE];

    if (repeated) {
        calendar_date(date, out->start_s);
        snprintf(out->name, sizeof out->name, "%s@%s", event->name, date);
    } else {
        snprintf(out->name, sizeof out->name, "%s", event->name);
    }
}

static bool has_day(const struct agenda_event *event, const struct instance *but, int64_t start_s)
{
    for (int i = 0; i < event->count; i++) {
        if (&event->list[i] != but && event->list[i].start_s / DAY_S == start_s / DAY_S) {
            return true;
        }
    }
    return false;
}

/* The next start of a repeated event, beside the instance `but`. After a changed HOST.yaml too, no
 * day has two instances: a day is an instance's name. What a wrong clock has begun in the future
 * does not move the next start. */
static int64_t next_repeat(const struct agenda_event *event, const struct instance *but,
                           int64_t now_s)
{
    /* seen_s: what was due before the host knew the event is not made up for. */
    int64_t from_s = event->seen_s, next_s, latest_s;

    for (int i = 0; i < event->count; i++) {
        int64_t after_s = (event->list[i].start_s / DAY_S + 1) * DAY_S;

        if (&event->list[i] != but && event->list[i].start_s <= now_s && after_s > from_s) {
            from_s = after_s;
        }
    }
    latest_s = calendar_latest(event->at_s, event->repeat, now_s);
    next_s = calendar_next(event->at_s, event->repeat, from_s);
    /* Of several that were missed only the last is left to be held. */
    if (next_s <= now_s && latest_s != CALENDAR_NEVER && latest_s > next_s) {
        next_s = latest_s;
    }
    while (next_s != CALENDAR_NEVER && has_day(event, but, next_s)) {
        next_s = calendar_next(event->at_s, event->repeat, (next_s / DAY_S + 1) * DAY_S);
    }
    return next_s;
}

/* The next start; CALENDAR_NEVER: none. */
static int64_t next_start(const struct agenda_event *event, int64_t now_s)
{
    if (is_repeated(event)) {
        return next_repeat(event, NULL, now_s);
    }
    return event->count == 0 ? event->at_s : CALENDAR_NEVER;
}

bool agenda_is_ahead(const struct agenda_event *event, const struct instance *instance,
                     int64_t now_s)
{
    int64_t next_s;

    if (!is_repeated(event) || event->gone) {
        return false;
    }
    next_s = next_repeat(event, instance, now_s);
    return next_s > now_s && next_s - now_s <= LONGEST_S && next_s < instance->start_s;
}

static bool has_instance(const struct agenda_event *event, int64_t start_s)
{
    for (int i = 0; i < event->count; i++) {
        if (event->list[i].start_s == start_s) {
            return true;
        }
    }
    return false;
}

/* Returns the first instance of the event before this one that this one has not followed yet. */
static const struct instance *to_follow(const struct agenda_event *before,
                                        const struct agenda_event *event)
{
    for (int i = 0; i < before->count; i++) {
        const struct instance *one = &before->list[i];
        /* An event that is added later does not follow those that were over before. */
        bool is_old = life_is_over(one->life) && one->since_s < event->seen_s;

        if (!is_old && !has_instance(event, one->start_s)) {
            return one;
        }
    }
    return NULL;
}

static bool plan_after(struct instance *out, const struct agenda *agenda,
                       const struct agenda_event *event)
{
    const struct agenda_event *before = agenda_find(agenda, event->after);
    const struct instance *one = before == NULL ? NULL : to_follow(before, event);
    bool dated = one != NULL && strchr(one->name, '@') != NULL;

    if (one == NULL || (event->count > 0 && !dated)) {
        return false;
    }
    out->start_s = one->start_s;
    name_it(out, event, dated);
    return true;
}

bool agenda_plan(struct instance *out, const struct agenda *agenda,
                 const struct agenda_event *event, int64_t now_s)
{
    int64_t start_s = 0;

    if (event->gone) {
        return false;
    }
    out->life = LIFE_ANNOUNCED;
    out->since_s = now_s;
    out->why[0] = '\0';
    if (event->start == AGENDA_AFTER) {
        return plan_after(out, agenda, event);
    }
    if (event->start == AGENDA_AT) {
        start_s = next_start(event, now_s);
    } else if (event->count > 0) {
        start_s = CALENDAR_NEVER;
    }
    out->start_s = start_s;
    name_it(out, event, is_repeated(event));
    return start_s != CALENDAR_NEVER;
}

bool agenda_fits(const struct agenda *agenda, const struct agenda_event *event,
                 const struct instance *instance)
{
    bool dated = strchr(instance->name, '@') != NULL;
    const struct agenda_event *before;

    if (event->start == AGENDA_AFTER) {
        before = agenda_find(agenda, event->after);
        return before != NULL && has_instance(before, instance->start_s);
    }
    if (event->start == AGENDA_ALWAYS) {
        return instance->start_s == 0;
    }
    return dated == is_repeated(event) &&
           calendar_next(event->at_s, event->repeat, instance->start_s) == instance->start_s;
}

bool agenda_is_due(const struct agenda *agenda, const struct agenda_event *event,
                   const struct instance *instance, int64_t now_s)
{
    const struct agenda_event *before;

    if (event->start != AGENDA_AFTER) {
        return instance->start_s <= now_s;
    }
    before = agenda_find(agenda, event->after);
    for (int i = 0; before != NULL && i < before->count; i++) {
        if (before->list[i].start_s == instance->start_s) {
            return life_is_over(before->list[i].life);
        }
    }
    return false;
}

bool agenda_is_missed(const struct agenda_event *event, const struct instance *instance,
                      int64_t now_s)
{
    int64_t latest_s;

    if (!is_repeated(event)) {
        return false;
    }
    latest_s = calendar_latest(event->at_s, event->repeat, now_s);
    return latest_s != CALENDAR_NEVER && latest_s > instance->start_s;
}

int agenda_dates(struct agenda_date *out, const struct agenda *agenda, int64_t since_s)
{
    int count = 0;

    for (int i = 0; i < agenda->count; i++) {
        const struct agenda_event *event = &agenda->events[i];
        struct instance next = {.start_s = CALENDAR_NEVER};

        for (int k = 0; k < event->count && event->start == AGENDA_AT; k++) {
            const struct instance *one = &event->list[k];

            next.start_s = one->start_s;
            if (one->life != LIFE_ENDED && one->start_s > since_s && count < AGENDA_DATES) {
                out[count] = (struct agenda_date){.life = one->life, .start_s = one->start_s};
                memcpy(out[count++].name, one->name, AGENDA_NAME);
            }
        }
        for (int k = 0; k < AGENDA_COMING && is_repeated(event) && !event->gone; k++) {
            next.start_s =
                next.start_s == CALENDAR_NEVER
                    ? CALENDAR_NEVER
                    : calendar_next(event->at_s, event->repeat, (next.start_s / DAY_S + 1) * DAY_S);
            if (next.start_s != CALENDAR_NEVER && count < AGENDA_DATES) {
                name_it(&next, event, true);
                out[count] = (struct agenda_date){.start_s = next.start_s};
                memcpy(out[count++].name, next.name, AGENDA_NAME);
            }
        }
    }
    return count;
}
