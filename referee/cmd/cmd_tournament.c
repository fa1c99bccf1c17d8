/* cmd_tournament.c - bgref tournament EVENT.yaml: every bot plays every other bot. */
#define _GNU_SOURCE /* program_invocation_name, F_DUPFD_CLOEXEC */
#include "referee_commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <exit_status.h>

#include "event/successors.h"
#include "event/tournament.h"
#include "cmd/command.h"
#include "config/lineage.h"
#include "log.h"
#include "options.h"

/* What the runs of one event share: one follows another when a bot comes as another version. */
struct runs {
    struct config_event *event; /* lent, like these */
    const struct options *options;
    struct notify *notify;
    struct tournament_next next;
    int lender; /* the host's socket, of which each run closes a copy; 0: none */
};

/* Each run closes its socket. */
static enum bg_status lend(const struct runs *runs, struct bg_error *err)
{
    int copy = runs->lender == 0 ? 0 : fcntl(runs->lender, F_DUPFD_CLOEXEC, runs->lender);

    if (copy < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "lender: %s", strerror(errno));
    }
    runs->event->door.lender = copy;
    return BG_OK;
}

/* One run. *status: BG_OK once it has begun. */
static int run_once(struct runs *runs, enum bg_status *status, struct bg_error *err)
{
    const struct tournament_run run = {.event = runs->event,
                                       .command = runs->options->command,
                                       .quiet = runs->options->quiet,
                                       .notify = runs->notify,
                                       .next = &runs->next};

    runs->next.goes_on = runs->next.is_turned_back = false;
    entry_wishes_begin(&runs->next.wishes);
    *status = successors_add(runs->event, &runs->next.wishes, err);
    runs->next.is_turned_back = *status == BG_E_CONFIG;
    if (*status == BG_OK) {
        *status = lend(runs, err);
    }
    return *status == BG_OK ? tournament_run(&run, err) : exit_status_of(*status);
}

/* What the desk has accepted holds for all names of a bot. */
static void take_keys(const struct runs *runs)
{
    const struct config_event *event = runs->event;

    for (int i = 0; i < runs->next.kept_count; i++) {
        for (int k = 0; k < event->bot_count && runs->next.kept[i].key[0] != '\0'; k++) {
            if (lineage_first(event, k) == lineage_first(event, i)) {
                snprintf(event->bots[k].key, sizeof event->bots[k].key, "%s",
                         runs->next.kept[i].key);
            }
        }
    }
}

/* The next run begins where this one has ended. */
static void renew(struct runs *runs)
{
    struct config_event *event = runs->event;

    event->fresh = event->accept_changed = false; /* both were meant for the first one */
    if (runs->next.listen[0] != '\0') {           /* authors know this port */
        snprintf(event->door.listen, sizeof event->door.listen, "%s", runs->next.listen);
    }
    take_keys(runs);
    runs->next.is_renewed = true;
}

/* Whether another run has to follow this one: for a wish, or since a wish could not be followed,
 * without it. */
static bool follows(struct runs *runs, int bot_count, struct bg_error *err)
{
    if (runs->next.goes_on) {
        return true;
    }
    if (!runs->next.is_turned_back || !entry_wishes_refuse(&runs->next.wishes, err->text)) {
        return false;
    }
    log_warn("event", "the event goes on as before: %s", err->text);
    err->text[0] = '\0';
    successors_remove(runs->event, bot_count);
    return true;
}

static int run_all(struct runs *runs, enum bg_status *status, struct bg_error *err)
{
    int code, bot_count;
    bool goes_on;

    runs->lender = runs->event->door.lender;
    do {
        bot_count = runs->event->bot_count;
        code = run_once(runs, status, err);
        renew(runs);
        goes_on = follows(runs, bot_count, err);
        entry_wishes_end(&runs->next.wishes);
    } while (goes_on);
    if (runs->lender > 0) {
        close(runs->lender);
    }
    entry_wishes_deinit(&runs->next.wishes);
    free(runs->next.kept);
    return code;
}

int cmd_tournament(int argc, char **argv)
{
    struct bg_error err = {.text = ""};
    struct config_event event;
    struct options options;
    struct notify notify;
    struct runs runs = {.event = &event, .options = &options, .notify = &notify};
    enum bg_status status = options_read(&options, &event, OPTIONS_TOURNAMENT, argc, argv, &err);
    int code = exit_status_of(status);

    notify_open(&notify);
    if (status == BG_OK) {
        code = run_all(&runs, &status, &err);
    }
    if (err.text[0] != '\0') {
        command_say(err.text);
    }
    if (status == BG_OK) {
        code = outputs_write(&options.outputs, &event, code);
    }
    if (code == EXIT_DONE) { /* also if nothing was left to play */
        notify_ready(&notify, "the event is complete");
    }
    notify_close(&notify);
    options_deinit(&options);
    config_event_deinit(&event);
    return code;
}
