/* Acts of a host's director go the way of `bgref desk`: to the process of the event by its desk's
 * socket, or into the results while nobody uses them. So an act has one form and one journal,
 * whoever took it.
 *
 * Notes (host_desk_note) are not asked for, they accompany what the host has done already; so
 * they wait in a list until their event takes them, and are given up after NOTE_TRIES seconds
 * with a line in the host's own journal. */
#include "host_desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proof/desk.h"
#include "proof/desk_line.h"
#include "season/season_store.h"
#include "sums/results_set.h"
#include "base/memory.h"

/* The host stands still meanwhile; a service manager gives it 30 s. */
enum { DESK_PATIENCE_S = 10, NOTE_PATIENCE_S = 2 };

static enum bg_status make_act(struct act *out, const struct host_desk_wish *wish,
                               struct bg_error *err)
{
    *out = (struct act){.number = 0};
    if (snprintf(out->subject, sizeof out->subject, "%s", wish->subject) >=
            (int)sizeof out->subject ||
        snprintf(out->reason, sizeof out->reason, "%s", wish->reason) >= (int)sizeof out->reason) {
        return bg_error_set(err, BG_E_ARGUMENT, "subject or reason is too long");
    }
    snprintf(out->kind, sizeof out->kind, "%s", wish->kind);
    return BG_OK;
}

/* ------------------------------------------------------------------ without a process */

static enum bg_status write_answer(char **answer, const struct desk_deed *deed,
                                   const struct desk *desk, struct bg_error *err)
{
    size_t size = 0;
    FILE *out = memory_stream(answer, &size);
    enum bg_status status = desk_write(out, deed, desk, false, err);

    memory_stream_close(out);
    return status;
}

static enum bg_status act_in(char **answer, struct store *store, const struct act *act,
                             struct bg_error *err)
{
    struct season *season = NULL;
    struct desk_deed *deed = NULL;
    struct desk desk = {.store = store};
    enum bg_status status = season_load(&season, store, err);

    desk.season = season;
    if (status == BG_OK) {
        status = desk_prepare(&deed, &desk, act, err);
    }
    if (status == BG_OK) {
        status = desk_store(deed, &desk, err);
    }
    if (status == BG_OK) {
        status = write_answer(answer, deed, &desk, err);
    }
    desk_deed_destroy(deed);
    season_destroy(season);
    return status;
}

/* Opened for reading first, so that no file is made. */
static enum bg_status act_aside(char **answer, const char *results, struct act *act, unsigned uid,
                                struct bg_error *err)
{
    struct store *store = NULL;
    struct bg_error why = {.text = ""};
    /* store_sqlite_open makes a database where none is; an event that never began must not get
     * one by an act. */
    enum bg_status status = event_store_open(&store, results, &why);

    if (status == BG_OK) {
        store_destroy(store);
        store = NULL;
        status = store_sqlite_open(&store, results, &why);
    }
    desk_sign_act_as(act, uid);
    if (status == BG_OK) {
        status = act_in(answer, store, act, &why);
    }
    store_destroy(store);
    return status == BG_OK
               ? BG_OK
               /* Busy means the results here; to the caller of a host it would mean the host
                * itself. */
               : bg_error_set(err, status == BG_E_BUSY ? BG_E_ARGUMENT : status, "%s", why.text);
}

/* ------------------------------------------------------------------ one event */

static enum bg_status ask_socket(char **answer, const struct host *host,
                                 const struct host_desk_wish *wish, int patience_s,
                                 struct bg_error *err)
{
    struct desk_wish asked = {.has_asker = true, .asker = wish->uid};
    struct bg_error why = {.text = ""};
    char results[HOST_PATH];
    const char *wait;
    enum bg_status status = make_act(&asked.act, wish, err);

    if (status == BG_OK && !runs_results_of(results, &host->runs, wish->event, wish->instance)) {
        status = bg_error_set(err, BG_E_ARGUMENT, "host: folder: too long a name");
    }
    if (status != BG_OK) {
        return status;
    }
    /* BG_E_BUSY: nobody answers. With a process it is starting or ending; without one the
     * results are free. */
    status = desk_ask(answer, results, &asked, patience_s, &why);
    if (status == BG_E_BUSY && wish->goes_aside &&
        runs_pid(&host->runs, wish->instance, &wait) == 0) {
        return act_aside(answer, results, &asked.act, wish->uid, err);
    }
    return status == BG_OK ? BG_OK
           : status == BG_E_BUSY
               ? bg_error_set(err, BG_E_ARGUMENT, "%s is just starting or ending; try again",
                              wish->instance)
               : bg_error_set(err, status, "%s", why.text);
}

enum bg_status host_desk_act(char **answer, const struct host *host,
                             const struct host_desk_wish *wish, struct bg_error *err)
{
    return ask_socket(answer, host, wish, DESK_PATIENCE_S, err);
}

/* ------------------------------------------------------------------ all events */

enum { NOTE_TRIES = 120 };

/* A note that an event has not taken yet. */
struct host_note {
    char event[AGENDA_NAME], instance[AGENDA_NAME], subject[24], text[ACT_REASON];
    unsigned uid;
    int tries;
    struct host_note *next;
};

/* Without results nothing was played, and nothing is published. */
static bool is_written(struct host *host, struct host_note *note)
{
    const struct host_desk_wish wish = {.event = note->event,
                                        .instance = note->instance,
                                        .kind = "note",
                                        .subject = note->subject,
                                        .reason = note->text,
                                        .uid = note->uid,
                                        .goes_aside = true};
    struct bg_error err = {.text = ""};
    char results[HOST_PATH], *answer = NULL;
    bool is_there = runs_results_of(results, &host->runs, note->event, note->instance) &&
                    access(results, F_OK) == 0;
    /* Less patience than for a director's act: nobody waits for it, and the host stands still. */
    bool is_done = !is_there || ask_socket(&answer, host, &wish, NOTE_PATIENCE_S, &err) == BG_OK;

    free(answer);
    if (!is_done && ++note->tries >= NOTE_TRIES) {
        host_say(host, HOST_ITSELF, note->instance, err.text);
    }
    return is_done || note->tries >= NOTE_TRIES;
}

bool host_desk_settle(struct host *host)
{
    for (struct host_note **at = &host->notes; *at != NULL;) {
        struct host_note *note = *at;

        if (is_written(host, note)) {
            *at = note->next;
            free(note);
        } else {
            at = &note->next;
        }
    }
    return host->notes != NULL;
}

void host_desk_deinit(struct host *host)
{
    while (host->notes != NULL) {
        struct host_note *note = host->notes;

        /* What no event has taken is at least here. */
        host_say(host, HOST_ITSELF, note->instance, note->text);
        host->notes = note->next;
        free(note);
    }
}

/* At the end of the list, so that notes keep their order. */
static void tell_note(struct host *host, const struct host_note *note)
{
    struct host_note **at = &host->notes, *more = memory_zeroed(1, sizeof *more);

    while (*at != NULL) {
        at = &(*at)->next;
    }
    *more = *note;
    *at = more;
}

void host_desk_note(struct host *host, unsigned uid, const char *event,
                    const struct instance *instance, const char *subject, const char *text)
{
    struct host_note note = {.uid = uid};

    snprintf(note.event, sizeof note.event, "%s", event);
    snprintf(note.instance, sizeof note.instance, "%s", instance->name);
    snprintf(note.subject, sizeof note.subject, "%s", subject);
    snprintf(note.text, sizeof note.text, "%s", text);
    tell_note(host, &note);
    (void)host_desk_settle(host);
}

void host_desk_note_all(struct host *host, unsigned uid, const char *bot, const char *text)
{
    struct host_note note = {.uid = uid, .subject = "-"};

    snprintf(note.text, sizeof note.text, "%s", text);
    for (int i = 0; i < host->agenda.count; i++) {
        const struct agenda_event *event = &host->agenda.events[i];
        const struct host_event *found = host_config_find(&host->config, event->name);
        bool has_door = found != NULL && (found->door[0] != '\0' || found->listen[0] != '\0');

        for (int k = 0; k < event->count && has_door; k++) {
            const struct instance *instance = &event->list[k];

            if (life_is_on(instance->life) &&
                (bot == NULL || host_has_entrant(host, event, instance, bot))) {
                snprintf(note.event, sizeof note.event, "%s", event->name);
                snprintf(note.instance, sizeof note.instance, "%s", instance->name);
                tell_note(host, &note);
            }
        }
    }
    (void)host_desk_settle(host);
}
