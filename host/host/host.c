/* The host decides in one function, host_settle(): it brings agenda, processes, bans, quarantines
 * and notes in line with the time of day, stores what has changed, and sets one timer for the next
 * moment at which something is due. Everything that happens (an act, a signal, the end of a
 * process) changes its own part and calls it; what waits for a time of day has
 * no timer of its own.
 *
 * What the host believes is in files before it acts on it: a host that is killed at any line
 * finds at its next start the state, and makes the processes agree with it. */
#include "host.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "calendar/agenda_file.h"
#include "config/door_value.h"
#include "base/exit_status.h"
#include "host_desk.h"
#include "host_bans.h"
#include "host_check.h"
#include "host_inside.h"
#include "host_monitor.h"
#include "host_quarantine.h"
#include "log.h"
#include "base/utc.h"

#define NS_OF_S INT64_C(1000000000)

/* A service manager waits so much longer than games may take, and for the next sign meanwhile. */
#define SPARE_NS (30 * NS_OF_S)
#define SIGN_NS  (20 * NS_OF_S)

/* A clock that is set does not wake a timer of the monotonic clock. */
enum { LONGEST_WAIT_S = 60 }; /* the time of day may be set meanwhile */

int64_t host_now(void)
{
    return loop_calendar();
}

/* ------------------------------------------------------------------ what is said and kept */

void host_say(struct host *host, int64_t uid, const char *what, const char *how)
{
    struct bg_error err;
    char at[UTC_TEXT];

    if (host_journal_add(&host->journal, host_now(), uid, what, how, &err) != BG_OK) {

        log_error("host", "%s", err.text);
    }
    if (!host->quiet) {
        utc_write(at, host_now());
        printf("%s  %s%s%s\n", at, what, how[0] == '\0' ? "" : ": ", how);
        fflush(stdout);
    }
}

enum bg_status host_save(struct host *host, struct bg_error *err)
{
    enum bg_status status = agenda_save(&host->agenda, host->state, err);

    host->is_unsaved = status != BG_OK;
    /* Since when: the pages for monitoring say how long the state cannot be stored. */
    host->unsaved_ns = status == BG_OK         ? 0
                       : host->unsaved_ns == 0 ? loop_now(host->loop)
                                               : host->unsaved_ns;
    return status;
}

static void on_changed(void *user, const struct instance *instance)
{
    char what[AGENDA_NAME + 32];

    snprintf(what, sizeof what, "%s %s", instance->name, life_words[instance->life]);
    host_say(user, HOST_ITSELF, what, instance->why);
}

static void on_over(void *user, const char *name, enum life next, const char *why)
{
    struct host *host = user;
    struct agenda_event *event;
    struct instance *instance = agenda_instance(&host->agenda, name, &event);

    /* It may have been cancelled while its process ended: then that stands. */
    if (agenda_set(instance, next, why, host_now(), NULL) == BG_OK) {
        on_changed(host, instance);
        host->is_unsaved = true;
        host_settle(host);
    }
}

static void on_say(void *user, const char *instance, const char *text)
{
    host_say(user, HOST_ITSELF, instance, text);
}

static void on_empty(void *user)
{
    const struct host *host = user;

    loop_stop(host->loop);
}

static void on_stuck(void *user, const char *event)
{
    const struct host *host = user;

    runs_kill(&host->runs, event);
}

/* ------------------------------------------------------------------ the course of time */

static void on_time(void *user, int64_t now_ns)
{
    (void)now_ns;
    host_settle(user);
}

void host_settle(struct host *host)
{
    int64_t now_s = host_now(), due_s, wait_s, ban_s = host_bans_settle(host),
            rest_s = host_quarantine_settle(host);
    struct bg_error err = {.text = ""};
    /* Bans, quarantines and notes first: each may change who plays, and the agenda's advance
     * starts processes. */
    bool has_notes = host_desk_settle(host);
    bool changed = host->phase == HOST_UP && agenda_advance(&host->agenda, now_s);

    /* Stored before a process starts by it: an event that begins twice would be worse than one
     * that begins late. A state that cannot be stored holds up nothing; it is tried with each
     * settling. */
    if ((changed || host->is_unsaved) && host_save(host, &err) != BG_OK) {
        log_error("host", "%s; it is tried again", err.text);
    }
    runs_follow(&host->runs);
    host_pages_settle(host);
    due_s = agenda_due(&host->agenda, now_s);
    due_s = ban_s != 0 && ban_s < due_s ? ban_s : due_s;
    due_s = rest_s != 0 && rest_s < due_s ? rest_s : due_s;
    due_s = has_notes && due_s > now_s + 1 ? now_s + 1 : due_s;
    /* Times are whole seconds, so the timer ends with a second of the wall clock. */
    wait_s = due_s - now_s < LONGEST_WAIT_S ? due_s - now_s : LONGEST_WAIT_S;
    if (host->phase == HOST_UP) {
        loop_forget(host->loop, host);
        loop_after(host->loop, wait_s * NS_OF_S - loop_wall() % NS_OF_S, on_time, host);
    }
}

/* Signs of life for a service manager. */
static void on_watchdog(void *user, int64_t now_ns)
{
    notify_watchdog(user, now_ns);
}

static void on_round(void *user)
{
    struct host *host = user;

    if (host->notify.interval_ns > 0) {
        notify_watchdog(&host->notify, loop_now(host->loop));
        loop_forget(host->loop, &host->notify);
        /* After each turn of the loop, and by a timer where nothing happens: a third of what
         * systemd allows. */
        loop_after(host->loop, host->notify.interval_ns / 3, on_watchdog, &host->notify);
    }
}

/* ------------------------------------------------------------------ the end */

/* How a host ends: its games, and what authors of bots elsewhere are told. */
static void on_drained(void *user, int64_t now_ns)
{
    (void)now_ns;
    host_drain(user);
}

/* Running matches may take any time. */
static void on_finishing(void *user, int64_t now_ns)
{
    struct host *host = user;

    (void)now_ns;
    notify_extend(&host->notify, SIGN_NS + SPARE_NS);
    loop_after(host->loop, SIGN_NS, on_finishing, host);
}

/* What authors read while games end. */
static void tell_beginning(struct host *host)
{
    int64_t games_s = host->config.drain_ns / NS_OF_S, back_s = host->end.back_s;
    char text[200];

    if (back_s == DOOR_NEVER) {
        host_door_ends(host->door, back_s,
                       host->end.finishes
                           ? "the host ends for good when the running matches are over"
                           : "the host ends for good; running games end first");
    } else if (host->end.finishes) {
        snprintf(text, sizeof text,
                 "the host restarts when the running matches are over; expect it back %" PRId64
                 " s after that",
                 back_s);
        host_door_ends(host->door, DOOR_SOME_TIME, text);
    } else {
        snprintf(text, sizeof text,
                 "the host restarts; running games end first; expect it back in %" PRId64 " s",
                 games_s + back_s);
        host_door_ends(host->door, games_s + back_s, text);
    }
}

static void take_leave(struct host *host)
{
    char text[200];

    if (host->end.has_left) {
        return;
    }
    host->end.has_left = true;
    /* No one has asked when it is back, so the file's usual time is told. */
    if (host->phase == HOST_UP) { /* it has failed, and is started again */
        host->end.back_s = host->config.back_ns / NS_OF_S;
    }
    snprintf(text, sizeof text, "the host restarts now; expect it back in %" PRId64 " s",
             host->end.back_s);
    host_door_ends(host->door, host->end.back_s,
                   host->end.back_s == DOOR_NEVER ? "the host has ended, and does not come back"
                                                  : text);
}

static void begin_drain(struct host *host)
{
    enum runs_end how = host->end.finishes ? RUNS_FINISH : RUNS_END;

    host->phase = HOST_DRAINS;
    if (!host->end.is_asked) {
        host->end.back_s = host->config.back_ns / NS_OF_S;
    }
    host_say(host, HOST_ITSELF, "drains",
             host->end.finishes ? "no new events; running matches end"
                                : "no new events; running games end");
    /* systemd ends a service that takes longer than its time, unless it says STOPPING and asks
     * for more. */
    notify_stopping(&host->notify, host->end.finishes ? "drains: running matches end"
                                                      : "drains: running games end");
    loop_forget(host->loop, host);
    if (host->end.finishes) {
        on_finishing(host, 0);
    } else {
        notify_extend(&host->notify, host->config.drain_ns + SPARE_NS);
        loop_after(host->loop, host->config.drain_ns, on_drained, host);
    }
    if (runs_have_games(&host->runs,
                        how)) { /* before the processes end: a bot may hear it only now */
        tell_beginning(host);
    } else {
        take_leave(host);
    }
    runs_drain(&host->runs, how);
}

static void hurry(struct host *host)
{
    host->phase = HOST_HURRIES;
    host_say(host, HOST_ITSELF, "ends at once", "");
    notify_stopping(&host->notify, "ends at once");
    loop_forget(host->loop, host);
    take_leave(host);
    runs_drain(&host->runs, RUNS_AT_ONCE);
}

void host_drain(struct host *host)
{
    if (host->phase == HOST_UP) {
        begin_drain(host);
    } else if (host->phase == HOST_DRAINS) {
        hurry(host);
    }
}

/* ------------------------------------------------------------------ signals */

static enum bg_status check_places(const struct host_config *old, const struct host_config *new,
                                   struct bg_error *err)
{
    char before[HOST_DOOR], after[HOST_DOOR];

    /* Compared as text, so that a setting which is added to the door is compared too. */
    door_value_write(before, sizeof before, &old->door);
    door_value_write(after, sizeof after, &new->door);
    if (strcmp(before, after) != 0) {
        return bg_error_set(err, BG_E_CONFIG,
                            "%s: another door (bots) needs a new start of the host", new->file);
    }
    if (strcmp(old->metrics, new->metrics) != 0) {
        return bg_error_set(err, BG_E_CONFIG,
                            "%s: another port for metrics needs a new start of the host",
                            new->file);
    }
    if (strcmp(old->page, new->page) != 0) {
        return bg_error_set(err, BG_E_CONFIG, "%s: another page needs a new start of the host",
                            new->file);
    }
    if (strcmp(old->folder, new->folder) != 0 || strcmp(old->socket, new->socket) != 0) {
        return bg_error_set(err, BG_E_CONFIG, "%s: another %s needs a new start of the host",
                            new->file,
                            strcmp(old->folder, new->folder) != 0 ? "folder" : "admin socket");
    }
    return BG_OK;
}

/* Opens the file of HOST.yaml; one that a program has moved away is made anew. */
static enum bg_status open_log(struct host *host, struct bg_error *err)
{
    bool hides = host->config.hides_addresses;
    enum bg_status status = host_log_open(&host->log, host->config.log, err);

    log_hide_addresses(hides);
    if (hides) { /* events print as we do */
        (void)setenv("BGREF_LOG_ADDRESSES", "no", 1);
    } else {
        (void)unsetenv("BGREF_LOG_ADDRESSES");
    }
    return status;
}

static void note_refused(struct host *host, const char *what, const struct bg_error *err)
{
    snprintf(host->refused, sizeof host->refused, "%s", err->text);
    host_say(host, HOST_ITSELF, what, err->text);
    log_error("host", "%s", err->text);
}

/* What may not change, before the event files are read. */
static enum bg_status check_sections(const struct host *host, struct bg_error *err)
{
    struct host_config sections;
    /* First: with another door every event file would be read for nothing, and its own mistakes
     * would hide the real one. */
    enum bg_status status = host_config_read_sections(&sections, host->config.file, err);

    if (status == BG_OK) {
        status = check_places(&host->config, &sections, err);
        host_config_deinit(&sections);
    }
    return status;
}

/* An operator who takes an event out of the file may think that it ends. before: the file that had
 * it; NULL: the host begins. */
static void say_left_out(struct host *host, const struct host_config *before)
{
    for (int i = 0; i < host->agenda.count; i++) {
        const struct agenda_event *event = &host->agenda.events[i];
        bool is_new = before == NULL || host_config_find(before, event->name) != NULL;

        for (int k = 0; k < event->count && event->gone && is_new; k++) {
            if (life_is_on(event->list[k].life)) {
                host_say(host, HOST_ITSELF, event->list[k].name,
                         before == NULL ? "not in the host's file any more: it is not played until "
                                          "it is there again; 'cancel' ends it"
                                        : "not in the host's file any more: it is played until the "
                                          "host ends; 'cancel' ends it");
            }
        }
    }
}

static enum bg_status take_again(struct host *host, struct bg_error *err)
{
    struct host_config config;
    enum bg_status status = check_sections(host, err);

    if (status == BG_OK) {
        status = host_config_read(&config, host->config.file, err);
    }
    if (status != BG_OK) {
        return status;
    }
    /* The list of keys before the agenda: it fails without having changed anything, so a refusal
     * leaves all as it was. */
    status = host_door_refresh(host->door, err);
    if (status == BG_OK) {
        status = agenda_take(&host->agenda, &config.rules, host_now(), err);
    }
    if (status == BG_OK) {
        say_left_out(host, &host->config);
    }
    /* The one that is not used any more; runs and door keep copies of what they need. */
    host_config_deinit(status == BG_OK ? &host->config : &config);
    host->config = status == BG_OK ? config : host->config;
    return status;
}

static void read_again(struct host *host)
{
    struct bg_error err = {.text = ""};

    notify_reloading(&host->notify, loop_now(host->loop));
    if (take_again(host, &err) == BG_OK) {
        host->refused[0] = '\0';
        host->is_unsaved = true;
        host_say(host, HOST_ITSELF, "read again", host->config.file);
        host_settle(host);
    } else {
        note_refused(host, "read again, nothing changed", &err);
    }
    /* In any case: SIGHUP is also what logrotate sends, and its file has to be opened anew
     * although HOST.yaml has a mistake. */
    if (open_log(host, &err) != BG_OK) {
        note_refused(host, "the log goes on in the old file", &err);
    }
    notify_ready(&host->notify, host->refused[0] == '\0' ? "runs" : host->refused);
}

static void on_end_signal(void *user)
{
    struct host *host = user;
    int number = signals_take(host->signals);

    /* A second SIGTERM goes the same way: host_drain hurries then. */
    if (number == SIGHUP) {
        read_again(host);
    } else if (number != 0) {
        host_drain(host);
    }
}

/* ------------------------------------------------------------------ start and end */

/* The folder; from here on what is made is noted. */
static enum bg_status open_folder(struct host *host, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    char path[HOST_PATH + 16];
    enum bg_status status = host_check_admin(&host->config, err);
    bool is_new;

    if (status == BG_OK) {
        status = host_made_folder(&host->made, host->config.folder, &why);
        /* The check says what to do; asked only now, it refuses nothing that the system allows. */
        if (status != BG_OK && host_check_folder(&host->config, &is_new, err) == BG_OK) {
            *err = why;
        }
    }
    if (status != BG_OK) {
        return status;
    }
    host_made_note(&host->made, &host->config);
    snprintf(path, sizeof path, "%s/host.journal", host->config.folder);
    return host_journal_open(&host->journal, path, err);
}

static enum bg_status open_agenda(struct host *host, struct bg_error *err)
{
    enum bg_status status;

    if (snprintf(host->state, sizeof host->state, "%s/host.state", host->config.folder) >=
        HOST_PATH) {
        return bg_error_set(err, BG_E_ARGUMENT, "host: folder: too long a name");
    }
    status = agenda_load(&host->agenda, host->state, err);
    if (status == BG_OK) {
        status = agenda_take(&host->agenda, &host->config.rules, host_now(), err);
    }
    host->agenda.changed = on_changed;
    host->agenda.user = host;
    return status;
}

static enum bg_status open_host_loop(struct host *host, struct bg_error *err)
{
    /* takes_root: the machine's operator acts on a host of another user without becoming that
     * user. */
    struct line_server_setup setup = {.path = host->config.socket,
                                      .whose = "the admin's socket",
                                      .longest = LINE_SERVER_LINE,
                                      .takes_root = true,
                                      .fn = host_act,
                                      .user = host};
    enum bg_status status = loop_create(&host->loop, err);

    if (status == BG_OK) {
        setup.loop = host->loop;
        status = line_server_open(&host->admin, &setup, err);
    }
    if (status == BG_OK) {
        status = loop_watch(host->loop, signals_fd(host->signals), on_end_signal, host, err);
    }
    if (status == BG_OK) {
        loop_on_settle(host->loop, on_round, host);
    }
    host->runs = (struct runs){.config = &host->config,
                               .agenda = &host->agenda,
                               .loop = host->loop,
                               .over = on_over,
                               .say = on_say,
                               .empty = on_empty,
                               .user = host};
    return status;
}

static void host_deinit(struct host *host, bool is_refused)
{
    /* The reverse of opening, but for the log: what the children and the door say last is still
     * in it, and what comes after goes to the terminal or the journal of the system. */
    host_desk_deinit(host);
    host_monitor_close(host);
    if (host->loop != NULL) {
        runs_deinit(&host->runs);
        host_door_close(host->door);
        host_pages_close(host);
    }
    host_log_close(&host->log);
    line_server_close(host->admin);
    loop_destroy(host->loop);
    signals_close(host->signals);
    agenda_deinit(&host->agenda);
    ban_list_deinit(&host->bans);
    quarantines_deinit(&host->quarantines);
    host_journal_close(&host->journal);
    notify_close(&host->notify);
    if (is_refused) {
        host_made_undo(&host->made);
    }
    host_made_close(&host->made);
    host_sockets_close(&host->sockets);
    host_config_deinit(&host->config);
}

/* Root's rights are given up before anything is made or read but the sections. */
static enum bg_status read_config(struct host *host, const struct host_setup *setup,
                                  struct bg_error *err)
{
    struct host_config sections;
    enum bg_status status = host_config_read_sections(&sections, setup->path, err);

    if (status == BG_OK) {
        /* The sections alone say who the host becomes; event files and lists are read as that
         * user, so their folders need be readable by it only. */
        host->config = sections;
        status = privileges_settle(sections.user, sections.folder, setup->may_be_root, err);
        if (status == BG_OK) {
            status = open_folder(host, err);
        }
        if (status == BG_OK) {
            status = open_log(host, err);
        }
        host_config_deinit(&sections);
        host->config = (struct host_config){.file = ""};
    }
    return status == BG_OK ? host_config_read(&host->config, setup->path, err) : status;
}

static enum bg_status open_door(struct host *host, struct bg_error *err)
{
    const struct host_door_listener about = {host_next, host_quarantine_begin, on_stuck, host};
    const struct host_door_setup door = {.config = &host->config,
                                         .bans = host->bans_file,
                                         .listener = host->sockets.door,
                                         .loop = host->loop};
    enum bg_status status = host_door_open(&host->door, &door, &about, err);

    host->runs.door = host->door;
    host_quarantine_tell(host);
    return status;
}

/* All that a start can be refused for; what writes for others comes last. */
static enum bg_status open_all(struct host *host, bool browser, struct bg_error *err)
{
    enum bg_status status = host_sockets_check(&host->sockets, &host->config, err);

    if (status == BG_OK) {
        status = signals_open(&host->signals, err);
    }
    if (status == BG_OK) { /* also under nohup: the file is to be read again */
        status = signals_add(host->signals, SIGHUP, err);
    }
    if (status == BG_OK) {
        /* What reads files stands before what others see: sockets, pages, doorman. */
        status = open_agenda(host, err);
    }
    if (status == BG_OK) {
        status = host_bans_open(host, err);
    }
    if (status == BG_OK) {
        status = host_quarantine_open(host, err);
    }
    if (status == BG_OK) {
        status = open_host_loop(host, err);
    }
    if (status == BG_OK) {
        status = host_monitor_open(host, err);
    }
    if (status == BG_OK) {
        status = open_door(host, err);
    }
    if (status == BG_OK) {
        status = host_pages_open(host, browser, err);
    }
    /* A folder that cannot be written refuses the start, not the first event. */
    return status == BG_OK ? host_save(host, err) : status;
}

int host_run(const struct host_setup *setup, struct bg_error *err)
{
    struct host host = {.quiet = setup->quiet,
                        .made = {.lock_fd = -1, .folder_fd = -1},
                        .journal.fd = -1,
                        .since_s = host_now(),
                        .end.finishes = setup->finishes};
    /* First of all: the variables of the service manager must not reach a child, which would
     * take the socket for its own. */
    enum bg_status status = host_sockets_take(&host.sockets, err);
    bool is_refused;
    int code;

    if (status == BG_OK) {
        status = read_config(&host, setup, err);
    }
    notify_open(&host.notify);
    if (status == BG_OK) {
        status = open_all(&host, setup->browser, err);
    }
    is_refused = status != BG_OK;
    if (status == BG_OK) {
        host_say(&host, HOST_ITSELF, "begins", host.config.name);
        say_left_out(&host, NULL);
        host_settle(&host);
        /* After the first settling: what waits for this unit finds its events started. */
        notify_ready(&host.notify, "runs");
        status = loop_run(host.loop, err);
        take_leave(&host);
    }
    code = status != BG_OK ? exit_status_of(status) : host.runs.lost ? EXIT_TERMINATE : EXIT_DONE;
    if (status == BG_OK) {
        host_say(&host, HOST_ITSELF, "ends", host.runs.lost ? "running games were cut off" : "");
    }
    host_deinit(&host, is_refused);
    return code;
}
