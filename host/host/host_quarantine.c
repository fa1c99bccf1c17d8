/* Begin and end are not alike. It begins by a line of an event that has put the bot out, and is
 * in force at once by the door's hold. At its end the event has to take the bot back first
 * (reinstate), and its desk may not answer for a while; so the end is a state of its own
 * (QUARANTINE_RETURNS) that is tried again each second. */
#include "host_quarantine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proof/desk_line.h"
#include "log.h"
#include "base/plural.h"
#include "base/utc.h"

/* The host stands still while it asks. An event that begins or ends takes no acts for a moment. */
enum { DESK_PATIENCE_S = 2, TRY_S = 1, TRIES = 60, TEXT = 300 };

enum bg_status host_quarantine_open(struct host *host, struct bg_error *err)
{
    if (snprintf(host->quarantine_file, sizeof host->quarantine_file, "%s/host.quarantine",
                 host->config.folder) >= HOST_PATH) {
        return bg_error_set(err, BG_E_ARGUMENT, "host: folder: too long a name");
    }
    return quarantines_load(&host->quarantines, host->quarantine_file, err);
}

static void store(const struct host *host)
{
    struct bg_error err;

    if (quarantines_save(&host->quarantines, host->quarantine_file, &err) != BG_OK) {
        log_error("host", "%s; a new start of the host would not know the quarantines", err.text);
    }
}

static void describe_quarantine(char out[TEXT], const struct quarantine *one)
{
    char until[UTC_TEXT];

    utc_write(until, one->until_s);
    if (one->faults == 0) {
        snprintf(out, TEXT, "%s is in quarantine until %s: three refused starts in a row in %s",
                 one->bot, until, one->event);
        return;
    }
    snprintf(out, TEXT, "%s is in quarantine until %s: %d %s in %s", one->bot, until, one->faults,
             plural((uint64_t)one->faults, "fault", "faults"), one->event);
}

/* What an event has refused is what its author wants to send there. */
static bool may_return(const struct quarantine *one)
{
    /* Quarantines without faults come from refused starts: going back there is what is wrong. */
    return one->faults > 0;
}

void host_quarantine_tell(const struct host *host)
{
    char text[TEXT];

    for (int i = 0; i < host->quarantines.count; i++) {
        if (host->quarantines.list[i].state == QUARANTINE_ON) {
            describe_quarantine(text, &host->quarantines.list[i]);
            host_door_hold(host->door, host->quarantines.list[i].bot, text,
                           may_return(&host->quarantines.list[i]));
        }
    }
}

void host_quarantine_begin(void *user, const char *bot, const char *event, int faults)
{
    struct host *host = user;
    const struct quarantine *one =
        quarantines_add(&host->quarantines, bot, event, faults, host_now());
    char text[TEXT];

    if (one != NULL) {
        describe_quarantine(text, one);
        host_say(host, HOST_ITSELF, "quarantine", text);
        store(host);
        host_door_hold(host->door, bot, text, may_return(one));
        host_settle(host); /* its end is a time to wait for */
    }
}

/* Asks the event that put it out to take it back. Returns whether there is nothing more to ask. */
static bool ask_event(struct host *host, struct quarantine *one)
{
    const char *results = runs_results(&host->runs, one->event);
    struct desk_wish wish = {.act = {.kind = "reinstate", .reason = "its quarantine is over"}};
    struct bg_error err = {.text = ""};
    char *answer = NULL, what[NAME_SIZE + AGENDA_NAME + 32];
    enum bg_status status;

    snprintf(wish.act.subject, sizeof wish.act.subject, "bot=%s", one->bot);
    status = desk_ask(&answer, results, &wish, DESK_PATIENCE_S, &err);
    free(answer);
    /* After so many the quarantine ends without it; a director can still reinstate by hand. */
    if (status != BG_OK && ++one->tries < TRIES) {
        return false;
    }
    snprintf(what, sizeof what, "%s takes %s back", one->event, one->bot);
    host_say(host, HOST_ITSELF, what, status == BG_OK ? "done" : err.text);
    return true;
}

static void let_return(struct host *host, struct quarantine *one)
{
    struct agenda_event *event;
    const struct instance *instance = agenda_instance(&host->agenda, one->event, &event);
    const char *wait;

    one->try_s = host_now() + TRY_S;
    if (one->faults == 0 || /* that event has not put it out */
        instance == NULL || life_is_over(instance->life) ||
        (runs_pid(&host->runs, one->event, &wait) != 0 && ask_event(host, one))) {
        one->state = QUARANTINE_OVER;
        store(host);
    }
}

static void end_quarantine(struct host *host, const char *bot, const char *how)
{
    char what[NAME_SIZE + 32];

    snprintf(what, sizeof what, "quarantine of %s", bot);
    host_say(host, HOST_ITSELF, what, how);
    store(host);
    host_door_hold(host->door, bot, "", false);
}

int64_t host_quarantine_settle(struct host *host)
{
    const struct quarantine *ended;

    while ((ended = quarantines_expire(&host->quarantines, host_now())) != NULL) {
        /* A bot may have one of each event. */
        if (quarantines_find(&host->quarantines, ended->bot) == NULL) { /* of all its events */
            end_quarantine(host, ended->bot, "has come to its end");
        }
    }
    for (int i = 0; i < host->quarantines.count && host->phase == HOST_UP; i++) {
        struct quarantine *one = &host->quarantines.list[i];

        if (one->state == QUARANTINE_RETURNS && host_now() >= one->try_s) {
            let_return(host, one);
        }
    }
    return quarantines_due(&host->quarantines);
}

bool host_quarantine_lift(struct host *host, const char *bot)
{
    bool was_in = quarantines_lift(&host->quarantines, bot, host_now());

    if (was_in) {
        end_quarantine(host, bot, "is lifted");
    }
    return was_in;
}

void host_quarantine_status(FILE *out, const struct host *host)
{
    char text[TEXT];

    for (int i = 0; i < host->quarantines.count; i++) {
        const struct quarantine *one = &host->quarantines.list[i];

        if (one->state == QUARANTINE_ON) {
            describe_quarantine(text, one);
            fprintf(out, "  quarantine: %s\n", text);
        }
    }
}
