/* All that is kept about when events run, as values and functions of the time. An event of
 * HOST.yaml is a rule that makes instances; at most one of them waits for its start (the last in
 * the list), and at most one is on, so an event cannot run beside itself.
 *
 * The clock of a machine may be wrong for a while and come back. An instance whose start lies
 * farther ahead than the rule could have planned gets a new start (come_back); one of a repeated
 * event that could not begin before the next one was due is not held. */
#include "agenda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agenda_plan.h"
#include "base/memory.h"
#include "base/utc.h"

enum { DAY_S = 86400 };

/* ------------------------------------------------------------------ the lists */

static void event_deinit(struct agenda_event *event)
{
    for (int i = 0; i < event->count; i++) {
        free(event->list[i].bots);
    }
    free(event->list);
    event->list = NULL;
    event->room = 0;
    event->count = 0;
}

void agenda_deinit(struct agenda *agenda)
{
    for (int i = 0; i < agenda->count; i++) {
        event_deinit(&agenda->events[i]);
    }
    free(agenda->events);
    *agenda = (struct agenda){.events = NULL};
}

struct agenda_event *agenda_find(const struct agenda *agenda, const char *name)
{
    for (int i = 0; i < agenda->count; i++) {
        if (strcmp(agenda->events[i].name, name) == 0) {
            return &agenda->events[i];
        }
    }
    return NULL;
}

enum bg_status agenda_add(struct agenda *agenda, const struct agenda_event *event,
                          struct bg_error *err)
{
    struct agenda_event *added;

    if (agenda->count == AGENDA_EVENTS) {
        return bg_error_set(err, BG_E_ARGUMENT, "more than %d events", AGENDA_EVENTS);
    }
    agenda->events =
        memory_list(agenda->events, &agenda->room, (size_t)agenda->count + 1, sizeof *added);
    added = &agenda->events[agenda->count++];
    *added = *event;
    added->list = NULL;
    added->room = 0;
    added->count = 0;
    return BG_OK;
}

void agenda_append(struct agenda_event *event, const struct instance *instance)
{
    struct instance *added;

    event->list = memory_list(event->list, &event->room, (size_t)event->count + 1, sizeof *added);
    added = &event->list[event->count++];
    *added = *instance;
    added->bot_room = (size_t)instance->bot_count;
    added->bots = memory_zeroed(added->bot_room, sizeof *added->bots);
    for (int i = 0; i < instance->bot_count; i++) {
        memcpy(added->bots[i], instance->bots[i], NAME_SIZE);
    }
}

/* The one that is announced or entering, which is the last. */
static struct instance *pending_of(const struct agenda_event *event)
{
    struct instance *last = event->count == 0 ? NULL : &event->list[event->count - 1];

    return last == NULL || life_is_over(last->life) || life_is_on(last->life) ? NULL : last;
}

static struct instance *on_of(const struct agenda_event *event)
{
    for (int i = event->count - 1; i >= 0; i--) {
        if (life_is_on(event->list[i].life)) {
            return &event->list[i];
        }
    }
    return NULL;
}

struct instance *agenda_instance(const struct agenda *agenda, const char *name,
                                 struct agenda_event **event)
{
    for (int i = 0; i < agenda->count; i++) {
        struct agenda_event *one = &agenda->events[i];

        for (int k = 0; k < one->count; k++) {
            if (strcmp(one->list[k].name, name) == 0) {
                *event = one;
                return &one->list[k];
            }
        }
        /* An act names the event; it means the instance that is on, else the one that comes. */
        if (strcmp(one->name, name) == 0 && one->count > 0) {
            struct instance *on = on_of(one), *pending = pending_of(one);

            *event = one;
            return on != NULL ? on : pending != NULL ? pending : &one->list[one->count - 1];
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------ another HOST.yaml */

static void take_settings(struct agenda_event *event, const struct agenda_event *read)
{
    struct agenda_event now = *read;

    /* Rules change, what has happened does not. */
    now.list = event->list;
    now.room = event->room;
    now.count = event->count;
    now.seen_s = event->seen_s;
    *event = now;
}

/* An instance that has not begun gets another start. */
static void move(struct agenda *agenda, struct agenda_event *event, struct instance *pending,
                 int64_t now_s)
{
    struct instance planned = *pending;

    /* The plan looks at the instances that there are: this one must not count. */
    event->count--;
    if (agenda_plan(&planned, agenda, event, now_s)) {
        planned.life = pending->life;
        planned.since_s = pending->since_s;
        memcpy(planned.why, pending->why, sizeof planned.why);
        *pending = planned;
        event->count++;
    } else {
        free(pending->bots);
    }
}

/* The start of an instance that has not begun follows from the settings. */
static void plan_again(struct agenda *agenda, struct agenda_event *event, int64_t now_s)
{
    struct instance *pending = pending_of(event);

    if (pending != NULL && !event->gone && !agenda_fits(agenda, event, pending)) {
        move(agenda, event, pending, now_s);
    }
}

/* Whether nobody needs the event any more: it is in no file, and was over a day ago, so that no
 * process of it can be left. */
static bool may_forget(const struct agenda_event *event, const struct agenda *read, int64_t now_s)
{
    bool may = agenda_find(read, event->name) == NULL;

    for (int i = 0; i < event->count && may; i++) {
        /* A day, in which the director can still ask how it ended. */
        may = !life_is_on(event->list[i].life) && now_s - event->list[i].since_s > DAY_S;
    }
    return may;
}

/* Forgets events that are gone, the first in the list first, until those of the file have room.
 * BG_E_ARGUMENT: nothing is forgotten. */
static enum bg_status make_room(struct agenda *agenda, const struct agenda *read, int64_t now_s,
                                struct bg_error *err)
{
    int over = agenda->count - AGENDA_EVENTS, may = 0, kept = 0;

    for (int i = 0; i < read->count; i++) {
        over += agenda_find(agenda, read->events[i].name) == NULL;
    }
    for (int i = 0; i < agenda->count; i++) {
        may += may_forget(&agenda->events[i], read, now_s);
    }
    if (over > may) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "more than %d events, with those that are not in the file any more: "
                            "cancel those that run or are paused; each is forgotten a day after it "
                            "is over",
                            AGENDA_EVENTS);
    }
    for (int i = 0; i < agenda->count; i++) {
        if (over > 0 && may_forget(&agenda->events[i], read, now_s)) {
            event_deinit(&agenda->events[i]);
            over--;
        } else {
            agenda->events[kept++] = agenda->events[i];
        }
    }
    agenda->count = kept;
    return BG_OK;
}

enum bg_status agenda_take(struct agenda *agenda, const struct agenda *read, int64_t now_s,
                           struct bg_error *err)
{
    /* First, since it either makes room or changes nothing. */
    enum bg_status status = make_room(agenda, read, now_s, err);
    int count = agenda->count, added = 0;

    for (int i = 0; i < read->count && status == BG_OK; i++) {
        if (agenda_find(agenda, read->events[i].name) == NULL) {
            status = agenda_add(agenda, &read->events[i], err);
            if (status == BG_OK) {
                agenda->events[count + added++].seen_s = now_s;
            }
        }
    }
    if (status != BG_OK) {
        agenda->count = count;
        return status;
    }
    for (int i = 0; i < agenda->count; i++) {
        struct agenda_event *event = &agenda->events[i];
        const struct agenda_event *now = agenda_find(read, event->name);

        if (now != NULL) {
            take_settings(event, now);
        }
        /* Not removed: its instance may be running. */
        event->gone = now == NULL;
    }
    for (int i = 0; i < agenda->count; i++) {
        plan_again(agenda, &agenda->events[i], now_s);
    }
    return BG_OK;
}

/* ------------------------------------------------------------------ time */

static void set(struct instance *instance, bool *changed, enum life next, int64_t now_s)
{
    if (life_enter(&instance->life, next)) {
        instance->since_s = now_s;
        instance->is_reopened = instance->is_reopened && life_is_on(next);
        *changed = true;
    }
}

/* Comes to a state by itself. */
static void come_to(const struct agenda *agenda, struct instance *instance, bool *changed,
                    enum life next, int64_t now_s)
{
    set(instance, changed, next, now_s);
    if (agenda->changed != NULL) {
        agenda->changed(agenda->user, instance);
    }
}

static void begin_or_not(const struct agenda *agenda, const struct agenda_event *event,
                         struct instance *instance, bool *changed, int64_t now_s)
{
    int entrants = event->own_bots + instance->bot_count;

    if (agenda_is_missed(event, instance, now_s)) {
        snprintf(instance->why, sizeof instance->why, "its time passed while it could not begin");
        come_to(agenda, instance, changed, LIFE_NOT_HELD, now_s);
    } else if (entrants >= event->needs) {
        instance->why[0] = '\0';
        come_to(agenda, instance, changed, LIFE_RUNNING, now_s);
        /* An event without a time has no moment at which it would be too late. */
    } else if (event->start == AGENDA_ALWAYS) { /* it waits */
        snprintf(instance->why, sizeof instance->why, "entrants: %d of %d", entrants, event->needs);
    } else {
        snprintf(instance->why, sizeof instance->why, "entrants: %d, at least %d were needed",
                 entrants, event->needs);
        come_to(agenda, instance, changed, LIFE_NOT_HELD, now_s);
    }
}

static void advance(struct agenda *agenda, struct agenda_event *event, bool *changed, int64_t now_s)
{
    struct instance *pending = pending_of(event);
    struct instance next = {.bots = NULL};

    if (event->gone) {
        return;
    }
    if (pending == NULL && agenda_plan(&next, agenda, event, now_s)) {
        agenda_append(event, &next);
        pending = pending_of(event);
        *changed = true;
    }
    /* One at a time: the next one waits for the end of this one. */
    if (pending == NULL || on_of(event) != NULL) {
        return;
    }
    if (pending->life == LIFE_ANNOUNCED) {
        come_to(agenda, pending, changed, LIFE_ENTERING, now_s);
    }
    if (agenda_is_due(agenda, event, pending, now_s)) {
        begin_or_not(agenda, event, pending, changed, now_s);
    }
}

static void say_moved(const struct agenda *agenda, struct instance *pending)
{
    snprintf(pending->why, sizeof pending->why, "the clock had been set to the future");
    if (agenda->changed != NULL) {
        agenda->changed(agenda->user, pending);
    }
}

/* Instances that wait for a start which a wrong clock has given them get the next one; those that
 * follow them go along. */
static bool come_back(struct agenda *agenda, int64_t now_s)
{
    bool any = false;

    for (int i = 0; i < agenda->count; i++) {
        struct agenda_event *event = &agenda->events[i];
        struct instance *pending = pending_of(event);

        if (pending != NULL && agenda_is_ahead(event, pending, now_s)) {
            move(agenda, event, pending, now_s);
            say_moved(agenda, pending_of(event));
            any = true;
        }
    }
    for (int i = 0; any && i < agenda->count; i++) {
        plan_again(agenda, &agenda->events[i], now_s);
    }
    return any;
}

bool agenda_advance(struct agenda *agenda, int64_t now_s)
{
    bool again = true, changed = come_back(agenda, now_s);

    /* It ends, since each turn moves some instance forward in its life, and none goes back. */
    while (again) { /* what ends may let another one begin */
        again = false;
        for (int i = 0; i < agenda->count; i++) {
            advance(agenda, &agenda->events[i], &again, now_s);
        }
        changed = changed || again;
    }
    return changed;
}

int64_t agenda_due(const struct agenda *agenda, int64_t now_s)
{
    int64_t due_s = CALENDAR_NEVER;

    for (int i = 0; i < agenda->count; i++) {
        const struct agenda_event *event = &agenda->events[i];
        const struct instance *pending = pending_of(event);

        if (!event->gone && pending != NULL && event->start == AGENDA_AT &&
            pending->start_s > now_s && pending->start_s < due_s) {
            due_s = pending->start_s;
        }
    }
    return due_s;
}

/* ------------------------------------------------------------------ acts */

int64_t agenda_enter_until(const struct agenda_event *event, const struct instance *instance)
{
    return event->start == AGENDA_AT && event->enter_s > 0 ? instance->start_s - event->enter_s
                                                           : CALENDAR_NEVER;
}

enum bg_status agenda_set(struct instance *instance, enum life next, const char *why, int64_t now_s,
                          struct bg_error *err)
{
    bool changed = false;

    /* Told apart from an impossible one: the director who asks twice is not wrong. */
    if (instance->life == next) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is %s already", instance->name,
                            life_words[next]);
    }
    set(instance, &changed, next, now_s);
    if (!changed) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is %s, so it cannot be %s", instance->name,
                            life_words[instance->life], life_words[next]);
    }
    snprintf(instance->why, sizeof instance->why, "%s", why);
    return BG_OK;
}

enum bg_status agenda_may_reopen(const struct agenda_event *event, const struct instance *instance,
                                 struct bg_error *err)
{
    const struct instance *on = on_of(event);

    if (event->gone) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is not in HOST.yaml any more", event->name);
    }
    if (instance->life != LIFE_ENDED && instance->life != LIFE_CANCELLED) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s is %s; only an event that has ended or was cancelled is "
                            "reopened",
                            instance->name, life_words[instance->life]);
    }
    return on == NULL ? BG_OK
                      : bg_error_set(err, BG_E_ARGUMENT,
                                     "%s is %s, and an event plays one instance at a time; reopen "
                                     "%s when that is over",
                                     on->name, life_words[on->life], instance->name);
}

enum bg_status agenda_reopen(const struct agenda_event *event, struct instance *instance,
                             const char *why, int64_t now_s, struct bg_error *err)
{
    enum bg_status status = agenda_may_reopen(event, instance, err);

    if (status == BG_OK) {
        status = agenda_set(instance, LIFE_RUNNING, why, now_s, err);
    }
    instance->is_reopened = instance->is_reopened || status == BG_OK;
    return status;
}

/* Whether a bot may be entered or withdrawn now. */
static enum bg_status agenda_may_enter(const struct agenda_event *event,
                                       const struct instance *instance, int64_t now_s,
                                       struct bg_error *err)
{
    int64_t until_s = agenda_enter_until(event, instance);
    char until[UTC_TEXT];

    if (instance->life != LIFE_ENTERING) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is %s; bots are entered and withdrawn %s",
                            instance->name, life_words[instance->life],
                            instance->life == LIFE_ANNOUNCED ? "when the instance before it is over"
                                                             : "before it begins");
    }
    if (now_s >= until_s) {
        utc_write(until, until_s);
        return bg_error_set(err, BG_E_ARGUMENT, "entries of %s were open until %s", instance->name,
                            until);
    }
    return BG_OK;
}

static int find_bot_state(const struct instance *instance, const char *bot)
{
    for (int i = 0; i < instance->bot_count; i++) {
        if (strcmp(instance->bots[i], bot) == 0) {
            return i;
        }
    }
    return -1;
}

enum bg_status agenda_enter(const struct agenda_event *event, struct instance *instance,
                            const char *bot, int64_t now_s, struct bg_error *err)
{
    enum bg_status status = agenda_may_enter(event, instance, now_s, err);

    if (status != BG_OK) {
        return status;
    }
    if (find_bot_state(instance, bot) >= 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is entered in %s already", bot, instance->name);
    }
    if (instance->bot_count == AGENDA_BOTS) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s has %d entries, the most there can be",
                            instance->name, AGENDA_BOTS);
    }
    instance->bots = memory_list(instance->bots, &instance->bot_room,
                                 (size_t)instance->bot_count + 1, sizeof *instance->bots);
    snprintf(instance->bots[instance->bot_count++], NAME_SIZE, "%s", bot);
    return BG_OK;
}

enum bg_status agenda_withdraw(const struct agenda_event *event, struct instance *instance,
                               const char *bot, int64_t now_s, struct bg_error *err)
{
    enum bg_status status = agenda_may_enter(event, instance, now_s, err);
    int at = find_bot_state(instance, bot);

    if (status != BG_OK) {
        return status;
    }
    if (at < 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is not entered in %s", bot, instance->name);
    }
    instance->bot_count--;
    memmove(instance->bots[at], instance->bots[at + 1],
            (size_t)(instance->bot_count - at) * sizeof *instance->bots);
    return BG_OK;
}
