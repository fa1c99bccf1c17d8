#include "backups.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backup/backup.h"
#include "event_child.h"
#include "host_files.h"

#define NS_OF_S INT64_C(1000000000)

/* At a start events begin first. */
#define SOON_NS (60 * NS_OF_S)

/* The results of an instance. */
struct backup_job {
    char name[AGENDA_NAME];
    char results[HOST_PATH];
};

static void next_copy(struct backups *backups);

static void done(struct backups *backups)
{
    backups->made_s =
        backups->jobs == NULL || backups->has_failed ? backups->made_s : loop_calendar();
    free(backups->jobs);
    backups->jobs = NULL;
    backups->count = backups->next = 0;
}

static void on_end(void *user, struct event_child *child, int state)
{
    struct backups *backups = user;
    char text[AGENDA_WHY];

    event_child_close(child);
    backups->child = NULL;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) {
        snprintf(text, sizeof text, "backup made");
    } else {
        backups->has_failed = true;
        snprintf(text, sizeof text, "backup failed, see backup.log: %s %d",
                 WIFEXITED(state) ? "status" : "signal",
                 WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state));
    }
    backups->say(backups->user, backups->jobs[backups->next++].name, text);
    next_copy(backups);
}

static enum bg_status copy(struct backups *backups, const char *results, struct bg_error *err)
{
    char keep[16], log[HOST_PATH];
    const char *const words[] = {"bgref",  "backup", results, backups->config->backup_folder,
                                 "--keep", keep};
    const struct event_child_setup setup = {
        .words = words, .count = sizeof words / sizeof words[0], .log = log};

    snprintf(keep, sizeof keep, "%d", backups->config->backup_keep);
    if (snprintf(log, sizeof log, "%s/backup.log", backups->config->folder) >= HOST_PATH) {
        return bg_error_set(err, BG_E_ARGUMENT, "host: folder: too long a name");
    }
    return event_child_start(&backups->child, &setup, backups->loop, on_end, backups, err);
}

static void next_copy(struct backups *backups)
{
    while (backups->next < backups->count) {
        const struct backup_job *job = &backups->jobs[backups->next];
        struct bg_error err = {.text = ""};

        if (copy(backups, job->results, &err) == BG_OK) {
            return;
        }
        backups->has_failed = true;
        backups->say(backups->user, job->name, err.text);
        backups->next++;
    }
    done(backups);
}

/* Sets where the results of an instance are. Returns whether they have to be copied. */
static bool must_copy(struct backup_job *out, const struct backups *backups, const char *event,
                      const struct instance *instance)
{
    snprintf(out->name, sizeof out->name, "%s", instance->name);
    return runs_results_of(out->results, backups->runs, event, instance->name) &&
           access(out->results, F_OK) == 0 &&
           (life_is_on(instance->life) ||
            !backup_is_current(backups->config->backup_folder, out->results, loop_calendar()));
}

static enum bg_status gather(struct backups *backups, struct bg_error *err)
{
    const struct agenda *agenda = backups->agenda;
    size_t room = 1;

    for (int i = 0; i < agenda->count; i++) {
        room += (size_t)agenda->events[i].count;
    }
    backups->jobs = calloc(room, sizeof *backups->jobs);
    if (backups->jobs == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "a backup");
    }
    for (int i = 0; i < agenda->count; i++) {
        const struct agenda_event *event = &agenda->events[i];

        for (int k = 0; k < event->count; k++) {
            backups->count +=
                must_copy(&backups->jobs[backups->count], backups, event->name, &event->list[k]);
        }
    }
    return BG_OK;
}

enum bg_status backups_make(struct backups *backups, struct bg_error *err)
{
    const char *folder = backups->config->backup_folder;
    enum bg_status status;

    if (folder[0] == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s has no backup; give it backup: {every: 6h, folder: backups}",
                            backups->config->file);
    }
    if (backups->jobs != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "a backup is being made");
    }
    if (mkdir(folder, 0750) != 0 && errno != EEXIST) {
        return bg_error_set(err, BG_E_SYSTEM, "folder %s: %s", folder, strerror(errno));
    }
    status = host_files_copy(backups->config, loop_calendar(), err);
    if (status == BG_OK) {
        status = gather(backups, err);
    }
    if (status == BG_OK) {
        backups->has_failed = false;
        next_copy(backups);
    }
    return status;
}

static void on_time(void *user, int64_t now_ns)
{
    struct backups *backups = user;
    struct bg_error err = {.text = ""};

    (void)now_ns;
    if (backups_make(backups, &err) != BG_OK && err.status != BG_E_ARGUMENT) {
        backups->say(backups->user, "backup", err.text);
    }
    backups->last_ns = loop_now(backups->loop);
    backups_plan(backups);
}

void backups_plan(struct backups *backups)
{
    int64_t wait_ns = backups->last_ns + backups->config->backup_every_ns - loop_now(backups->loop);
    struct bg_error err;

    loop_forget(backups->loop, backups);
    if (backups->config->backup_every_ns > 0 &&
        loop_after(backups->loop, wait_ns > 0 ? wait_ns : 0, on_time, backups, &err) != BG_OK) {
        backups->say(backups->user, "backup", err.text);
    }
}

void backups_begin(struct backups *backups)
{
    const struct host_config *config = backups->config;
    int64_t every_ns = config->backup_every_ns, now_s = loop_calendar(),
            made_s = config->backup_folder[0] == '\0'
                         ? 0
                         : host_files_newest(config->backup_folder, now_s),
            soon_ns = every_ns < SOON_NS ? every_ns : SOON_NS, passed_ns = every_ns - soon_ns;

    if (made_s > 0) {
        backups->made_s = made_s;
        passed_ns = (now_s - made_s) < passed_ns / NS_OF_S ? (now_s - made_s) * NS_OF_S : passed_ns;
    }
    backups->last_ns = loop_now(backups->loop) - passed_ns;
    backups_plan(backups);
}

void backups_deinit(struct backups *backups)
{
    event_child_close(backups->child);
    backups->child = NULL;
    done(backups);
}
