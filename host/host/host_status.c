/* Text for a person at a terminal, in the order of urgency: what is wrong with the host's file,
 * numbers, the door, bans, then events as the file has them. Programs read the pages for
 * monitoring instead, so this text may change. */
#include "host_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host_bans.h"
#include "host_monitor.h"
#include "host_quarantine.h"
#include "host_waiting.h"
#include "sums/results_set.h"
#include "base/memory.h"
#include "base/plural.h"
#include "base/utc.h"

enum { BOTS_SHOWN = 16 };

/* Names to be listed, or the one that is looked for. */
struct entrant_list {
    char names[BOTS_SHOWN][NAME_SIZE];
    int count;          /* may be more than are shown */
    const char *sought; /* NULL: none */
    bool found;
};

static void add_entrant(struct entrant_list *list, const char *name)
{
    if (list->count < BOTS_SHOWN) {
        snprintf(list->names[list->count], NAME_SIZE, "%s", name);
    }
    list->count++;
    /* One walk serves two questions: who are they, and is this one among them. */
    list->found = list->found || (list->sought != NULL && strcmp(name, list->sought) == 0);
}

static bool take_late(void *user, const struct act *act)
{
    static const char bot[] = "bot=";

    if (strcmp(act->kind, "late-enter") == 0 && strncmp(act->subject, bot, strlen(bot)) == 0) {
        add_entrant(user, act->subject + strlen(bot));
    }
    return true;
}

/* Whether the event's file lets this bot enter late; NULL: any. */
static bool may_be_late(const struct host_event *found, const struct agenda_event *event,
                        const char *bot)
{
    bool may = false;

    for (int i = event->own_bots; found->bots[i][0] != '\0'; i++) {
        may = may || bot == NULL || strcmp(found->bots[i], bot) == 0;
    }
    return may;
}

/* Who has entered since the event began stands in its journal. It is read only if the event's file
 * has late bots. */
static void add_late(struct entrant_list *list, const struct host *host,
                     const struct host_event *found, const struct instance *instance)
{
    char results[HOST_PATH];
    struct store *store = NULL;

    if (runs_results_of(results, &host->runs, found->name, instance->name) &&
        event_store_open(&store, results, NULL) == BG_OK) {
        (void)store_all_acts(store, take_late, list, NULL);
    }
    store_destroy(store);
}

/* Adds the bots of the event file, those that were entered before the begin, and since. */
static void add_entrants(struct entrant_list *list, const struct host *host,
                         const struct agenda_event *event, const struct instance *instance)
{
    const struct host_event *found = host_config_find(&host->config, event->name);

    for (int i = 0; found != NULL && i < event->own_bots; i++) {
        add_entrant(list, found->bots[i]);
    }
    for (int i = 0; i < instance->bot_count; i++) {
        add_entrant(list, instance->bots[i]);
    }
    /* The results are opened only if their answer can matter: this is asked with each connection
     * that comes. */
    if (found != NULL && !list->found && life_is_on(instance->life) &&
        may_be_late(found, event, list->sought)) {
        add_late(list, host, found, instance);
    }
}

static void write_entrants(FILE *out, const struct host *host, const struct agenda_event *event,
                           const struct instance *instance)
{
    struct entrant_list list = {.count = 0};

    add_entrants(&list, host, event, instance);
    fprintf(out, "    entrants: %d (at least %d are needed)", list.count, event->needs);
    for (int i = 0; i < list.count && i < BOTS_SHOWN; i++) {
        fprintf(out, "%s%s", i == 0 ? ": " : ", ", list.names[i]);
    }
    fprintf(out, "%s\n", list.count > BOTS_SHOWN ? ", ..." : "");
}

/* What comes next for an instance that has not begun. */
static void write_times(FILE *out, const struct agenda_event *event,
                        const struct instance *instance)
{
    int64_t until_s = agenda_enter_until(event, instance);
    char text[UTC_TEXT];

    if (event->start == AGENDA_AFTER) {
        fprintf(out, "    begins after %s\n", event->after);
    } else if (event->start == AGENDA_AT) {
        utc_write(text, instance->start_s);
        fprintf(out, "    begins %s", text);
        if (until_s != CALENDAR_NEVER) {
            utc_write(text, until_s);
            fprintf(out, ", entries until %s", text);
        }
        fputc('\n', out);
    }
}

static void write_instance(FILE *out, const struct host *host, const struct agenda_event *event,
                           const struct instance *instance)
{
    const char *wait = "";
    int pid = runs_pid(&host->runs, instance->name, &wait);
    int held = pid > 0 ? host_monitor_held(host, instance->name) : 0;
    char since[UTC_TEXT];

    utc_write(since, instance->since_s);
    fprintf(out, "  %s  %s since %s", instance->name, life_words[instance->life], since);
    if (pid > 0) {
        fprintf(out, ", process %d%s", pid,
                instance->life == LIFE_RUNNING ? "" : " (its games end)");
    }
    fprintf(out, "%s%s%s\n", instance->why[0] == '\0' ? "" : " (", instance->why,
            instance->why[0] == '\0' ? "" : ")");
    if (wait[0] != '\0') {
        fprintf(out, "    %s\n", wait);
    }
    if (held > 0) {
        fprintf(out,
                "    %d %s held: the operators do not agree on a roll; %s.log says what they see\n",
                held, plural((uint64_t)held, "game is", "games are"), instance->name);
    }
    if (event->gone) {
        fprintf(out, "    not in %s any more%s\n", host->config.file,
                pid > 0 || wait[0] != '\0' || !life_is_on(instance->life)
                    ? ""
                    : ": it is not played until it is there again; 'cancel' ends it");
    }
    if (!life_is_over(instance->life) && !event->gone) {
        write_entrants(out, host, event, instance);
    }
    if (!life_is_over(instance->life) && !life_is_on(instance->life)) {
        write_times(out, event, instance);
    }
}

bool host_has_entrant(const struct host *host, const struct agenda_event *event,
                      const struct instance *instance, const char *bot)
{
    struct entrant_list list = {.sought = bot};

    add_entrants(&list, host, event, instance);
    return list.found;
}

/* Why a bot that plays nowhere waits: one that runs without it, a paused event, what comes next, or
 * nothing. */
static void write_next(char *out, size_t size, const char *bot, const struct instance *next)
{
    char at[UTC_TEXT] = "";

    if (next == NULL) {
        snprintf(out, size, "no running event waits for %s; it is not entered in any that comes",
                 bot);
    } else if (next->life == LIFE_RUNNING) {
        snprintf(out, size,
                 "%s runs, and does not wait for %s now: it has nothing to play there at the "
                 "moment, or its process is just starting",
                 next->name, bot);
    } else if (next->life == LIFE_PAUSED) {
        snprintf(out, size, "no running event waits for %s; next: %s, which is paused", bot,
                 next->name);
    } else {
        utc_write(at, next->start_s);
        snprintf(out, size, "no running event waits for %s; next: %s%s%s", bot, next->name,
                 at[0] == '\0' ? "" : " at ", at);
    }
}

void host_next(void *user, char *out, size_t size, const char *bot)
{
    const struct host *host = user;
    const struct instance *next = NULL;

    for (int i = 0; i < host->agenda.count; i++) {
        const struct agenda_event *event = &host->agenda.events[i];

        for (int k = 0; k < event->count; k++) {
            const struct instance *instance = &event->list[k];
            bool is_on = instance->life == LIFE_RUNNING;

            if (!life_is_over(instance->life) && host_has_entrant(host, event, instance, bot) &&
                /* A running event before all that come, then the earliest. */
                (next == NULL || (next->life == LIFE_RUNNING) == is_on
                     ? next == NULL || instance->start_s < next->start_s
                     : !is_on)) {
                next = instance; /* one that is paused has begun before */
            }
        }
    }
    write_next(out, size, bot, next);
}

/* Of those that are over only the last one. */
static bool is_shown(const struct agenda_event *event, int i)
{
    bool is_last_over = life_is_over(event->list[i].life);

    for (int k = i + 1; k < event->count; k++) {
        is_last_over = is_last_over && !life_is_over(event->list[k].life);
    }
    return is_last_over || !life_is_over(event->list[i].life);
}

static void write_events(FILE *out, const struct host *host, bool are_gone)
{
    for (int i = 0; i < host->agenda.count; i++) {
        const struct agenda_event *event = &host->agenda.events[i];

        for (int k = 0; k < event->count && event->gone == are_gone; k++) {
            if (is_shown(event, k)) {
                write_instance(out, host, event, &event->list[k]);
            }
        }
    }
}

char *host_status(const struct host *host)
{
    static const char *const phases[] = {"", ", drains", ", ends"};
    char since[UTC_TEXT], *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);

    utc_write(since, host->since_s);
    fprintf(out, "%s: process %d since %s%s\n", host->config.name, (int)getpid(), since,
            phases[host->phase]);
    if (host->config.contact[0] != '\0') {
        fprintf(out, "contact: %s\n", host->config.contact);
    }
    if (host->refused[0] != '\0') {
        fprintf(out, "read again, nothing changed: %s\n", host->refused);
    }
    host_monitor_status(out, host);
    host_waiting_status(out, host);
    host_door_status(out, host->door);
    host_bans_status(out, host);
    host_quarantine_status(out, host);
    write_events(out, host, false);
    write_events(out, host, true); /* what is gone from the file does not crowd the others out */
    memory_stream_close(out);
    return text;
}
