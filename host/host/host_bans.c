/* The file is the truth, the struct a copy of it: every change is stored at once, and one that
 * cannot be stored is undone (store), since the doors read the file. Events notice the new file
 * by themselves (ban_list.h); what the host's own door has to have taken before it answers, is
 * awaited (FORCE_NS). */
#include "host_bans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "host_quarantine.h"
#include "log.h"
#include "base/memory.h"
#include "base/utc.h"

#define FORCE_NS INT64_C(5000000000) /* the host stands still meanwhile */

static const char until_word[] = "until=";

enum bg_status host_bans_open(struct host *host, struct bg_error *err)
{
    if (snprintf(host->bans_file, sizeof host->bans_file, "%s/%s", host->config.folder,
                 BAN_LIST_OF_HOST) >= HOST_PATH) {
        return bg_error_set(err, BG_E_ARGUMENT, "host: folder: too long a name");
    }
    return ban_list_load(&host->bans, host->bans_file, err);
}

/* Stores changed bans; on failure they are again as the file has them. */
static enum bg_status store(struct host *host, struct bg_error *err)
{
    enum bg_status status = ban_list_save(&host->bans, host->bans_file, err);
    struct ban_list before;

    if (status != BG_OK && ban_list_load(&before, host->bans_file, NULL) == BG_OK) {
        ban_list_deinit(&host->bans);
        /* In memory as on the disk: a ban that is not in the file holds for nobody. */
        host->bans = before;
    }
    return status;
}

int64_t host_bans_settle(struct host *host)
{
    struct ban ban;
    struct bg_error err;
    bool changed = false;
    char text[BAN_WHAT + 32];

    while (ban_list_expire(&ban, &host->bans, host_now())) {
        snprintf(text, sizeof text, "ban of %s %s", ban_word(ban.kind), ban.what);
        host_say(host, HOST_ITSELF, text, "has come to its end");
        changed = true;
    }
    /* On failure the ban is there again, and expires with the next settling. */
    if (changed && store(host, &err) != BG_OK) {
        log_error("host", "%s; the bans stay", err.text);
    }
    return ban_list_due(&host->bans);
}

/* ------------------------------------------------------------------ acts */

static enum bg_status read_until(int64_t *out, const char *until, struct bg_error *err)
{
    *out = 0;
    if (until == NULL) {
        return BG_OK;
    }
    if (strncmp(until, until_word, strlen(until_word)) != 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.80s' is a word too many", until);
    }
    if (calendar_read(out, until + strlen(until_word), err) != BG_OK) {
        return BG_E_ARGUMENT;
    }
    return *out > host_now() ? BG_OK
                             : bg_error_set(err, BG_E_ARGUMENT, "until %.40s: that time has passed",
                                            until + strlen(until_word));
}

static enum bg_status read_reason(char out[BAN_REASON], const char *reason, struct bg_error *err)
{
    if (reason[0] == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "a ban needs --reason TEXT; the bot's author reads it");
    }
    if (strlen(reason) >= BAN_REASON) {
        return bg_error_set(err, BG_E_ARGUMENT, "the reason of a ban has at most %d bytes",
                            BAN_REASON - 1);
    }
    clean_write(out, BAN_REASON, reason, strlen(reason), CLEAN_LINE);
    return BG_OK;
}

static bool has_name(char (*names)[NAME_SIZE], const char *name)
{
    for (int i = 0; names[i][0] != '\0'; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_bot_here(const struct host *host, const char *name)
{
    for (int i = 0; i < host->config.rules.count; i++) {
        if (has_name(host->config.events[i].bots, name)) {
            return true;
        }
    }
    return false;
}

/* A program of this machine has no line that could end, and comes by no door. */
static enum bg_status check_remote(const struct host *host, const char *name, struct bg_error *err)
{
    const char *event = NULL;

    for (int i = 0; i < host->config.rules.count; i++) {
        if (has_name(host->config.events[i].remote, name)) {
            return BG_OK;
        }
        if (has_name(host->config.events[i].bots, name)) {
            event = host->config.events[i].name;
        }
    }
    return event == NULL ? BG_OK
                         : bg_error_set(err, BG_E_ARGUMENT,
                                        "%s runs on this machine and has no connection; 'withdraw "
                                        "%s %s --reason TEXT' takes it out of an event",
                                        name, event, name);
}

static char *tell_ban(const struct host *host, const struct ban *ban, bool was_banned)
{
    char at[UTC_TEXT];
    bool unknown = ban->kind == BAN_NAME && !is_bot_here(host, ban->what);

    utc_write(at, ban->until_s);
    return memory_print("%s %s is banned%s%s%s%s\n", ban_word(ban->kind), ban->what,
                        at[0] == '\0' ? "" : " until ", at,
                        was_banned ? ", in place of the ban before" : "",
                        unknown ? "; no event file here has a bot of this name" : "");
}

enum bg_status host_ban(struct host *host, const struct ban_wish *wish, char **answer,
                        struct bg_error *err)
{
    struct ban ban = {.what = ""};
    bool was_banned = false;
    enum bg_status status = ban_read_what(&ban, wish->what, err);

    if (status == BG_OK && ban.kind == BAN_NAME) {
        status = check_remote(host, ban.what, err);
    }
    if (status == BG_OK) {
        status = read_until(&ban.until_s, wish->until, err);
    }
    if (status == BG_OK) {
        status = read_reason(ban.reason, wish->reason, err);
    }
    if (status == BG_OK) {
        was_banned = ban_list_remove(&host->bans, ban.kind, ban.what);
        status = ban_list_add(&host->bans, &ban, err);
    }
    if (status == BG_OK) {
        status = store(host, err);
    }
    if (status == BG_OK) {
        *answer = tell_ban(host, &ban, was_banned);
    }
    return status;
}

enum bg_status host_unban(struct host *host, const struct ban_wish *wish, char **answer,
                          struct bg_error *err)
{
    struct ban ban;
    bool was_resting = false, was_banned = false;
    enum bg_status status = ban_read_what(&ban, wish->what, err);

    if (status == BG_OK) {
        was_banned = ban_list_remove(&host->bans, ban.kind, ban.what);
    }
    if (status == BG_OK && was_banned) {
        status = store(host, err);
    }
    if (status == BG_OK) { /* last: a refused act has changed nothing */
        was_resting = ban.kind == BAN_NAME && host_quarantine_lift(host, ban.what);
    }
    if (status == BG_OK && !was_banned && !was_resting) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s %.80s is not banned; 'status' lists the bans",
                              ban_word(ban.kind), ban.what);
    }
    if (status == BG_OK) {
        *answer = memory_print("%s %s may come again\n", ban_word(ban.kind), ban.what);
    }
    return status;
}

enum bg_status host_kick(struct host *host, const struct ban_wish *wish, char **answer,
                         struct bg_error *err)
{
    enum bg_status status;

    if (!name_is_valid(wish->what) || !is_bot_here(host, wish->what)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.80s': no event file here has a bot of this name", wish->what);
    }
    status = check_remote(host, wish->what, err);
    if (status != BG_OK) {
        return status;
    }
    host->bans.kick_number++;
    snprintf(host->bans.kicked, sizeof host->bans.kicked, "%s", wish->what);
    status = store(host, err);
    if (status == BG_OK) {
        *answer = memory_print("the connection of %s ends; it may come again\n", wish->what);
    }
    return status;
}

/* ------------------------------------------------------------------ in force */

static bool has_own_door(const struct host *host, const struct agenda_event *event)
{
    const struct host_event *found = host_config_find(&host->config, event->name);
    bool is_running = false;

    for (int i = 0; i < event->count; i++) {
        is_running = is_running || event->list[i].life == LIFE_RUNNING;
    }
    return is_running && found != NULL && found->listen[0] != '\0';
}

enum bg_status host_bans_in_force(struct host *host, char **answer, struct bg_error *err)
{
    char events[200] = "", *more;
    size_t used = 0;

    if (!host_door_settle(host->door, FORCE_NS)) {
        return bg_error_set(err, BG_E_SYSTEM,
                            "it is stored, but the gateway or the doorman has not taken it for %d "
                            "s: it holds when they do ('/healthz' shows them)",
                            (int)(FORCE_NS / INT64_C(1000000000)));
    }
    for (int i = 0; i < host->agenda.count && used < sizeof events; i++) {
        if (has_own_door(host, &host->agenda.events[i])) {
            used += (size_t)snprintf(events + used, sizeof events - used, "%s%.64s",
                                     used == 0 ? "" : ", ", host->agenda.events[i].name);
        }
    }
    if (used == 0) {
        return BG_OK;
    }
    more = memory_print("%sa door of its own takes it a moment later: %s\n", *answer, events);
    free(*answer);
    *answer = more;
    return BG_OK;
}

/* ------------------------------------------------------------------ the status */

void host_bans_status(FILE *out, const struct host *host)
{
    char at[UTC_TEXT];

    for (int i = 0; i < host->bans.count; i++) {
        const struct ban *ban = &host->bans.list[i];

        utc_write(at, ban->until_s);
        fprintf(out, "  ban: %s %s%s%s (%s)\n", ban_word(ban->kind), ban->what,
                at[0] == '\0' ? "" : " until ", at, ban->reason);
    }
}
