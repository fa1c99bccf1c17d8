#include "succession.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../log.h"
#include "../loop/loop.h"
#include "config/lineage.h"
#include "store/editions.h"

#define REST_NS INT64_C(10000000000)

/* Finds the program with which the bot has played. BG_E_MISMATCH: it is the same one, or another
 * key: no matter of versions. */
static enum bg_status find_last(struct edition *last, const struct succession *succession, int bot,
                                const char *version, struct bg_error *err)
{
    enum { ROOM = 131072 };
    const struct preflight *preflight = succession->preflight;
    const struct entrants *entrants = preflight->entrants;
    struct store *store = ledger_store(preflight->ledger);
    char key[EDITIONS_KEY], *text = malloc(ROOM);
    bool found = false;
    enum bg_status status;

    if (text == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "programs of the bots");
    }
    editions_key(key, entrants->names[bot]);
    status = store->ops->meta_get(store, key, text, ROOM, &found, err);
    found = status == BG_OK && found && edition_last(last, text);
    free(text);
    if (status == BG_OK && (!found || strcmp(last->digest, entrants->program[bot].digest) != 0 ||
                            strcmp(last->version, "-") == 0 ||
                            edition_has_version(last, version[0] == '\0' ? "-" : version))) {
        return bg_error_set(err, BG_E_MISMATCH, "not another version");
    }
    return status;
}

static bool plays_now(const struct entrants_bot *entrant)
{
    for (int i = 0; i < entrant->session_count; i++) {
        if (*session_tables(entrant->sessions[i]) > 0) {
            return true;
        }
    }
    return false;
}

static bool has_too_many_faults(const struct preflight *preflight, int bot)
{
    const struct entrants_bot *entrant = &preflight->entrants->list[bot];

    return entrant->quarantined || entrant->faults >= preflight->event->quarantine;
}

/* BG_E_ARGUMENT: the event does not take it; err says why. */
static enum bg_status check_entry(const struct succession *succession, int bot,
                                  struct bg_error *err)
{
    const struct preflight *preflight = succession->preflight;
    const struct config_event *event = preflight->event;
    const struct revisions_setup setup = preflight_revisions(preflight);
    struct played played = {.is_read = false};
    char next[NAME_SIZE];
    const char *why = NULL;
    enum bg_status status = played_read(&played, ledger_store(preflight->ledger), err);

    if (status == BG_OK && has_too_many_faults(preflight, bot)) {
        why = "it is quarantined, which another version does not end; 'bgref reinstate' does";
    } else if (status == BG_OK && !played_has(&played, event->bots[bot].name) &&
               !plays_now(&preflight->entrants->list[bot])) {
        why = "it has no game yet, and may change when the event is started again";
    } else if (status == BG_OK) {
        why = entry_obstacle(next, event, bot, &played);
    }
    if (status == BG_OK && why == NULL) {
        status = revisions_check(&setup, bot, next, err);
    }
    played_deinit(&played);
    return why == NULL ? status : bg_error_set(err, BG_E_ARGUMENT, "%s", why);
}

static enum bg_status check(const struct succession *succession, int bot, const char *version,
                            struct bg_error *err)
{
    struct store *store = ledger_store(succession->preflight->ledger);
    struct edition last;
    enum bg_status status = store->ops->flush(store, err);

    if (status == BG_OK) {
        status = find_last(&last, succession, bot, version, err);
    }
    return status == BG_OK ? check_entry(succession, bot, err) : status;
}

static bool was_just_refused(const struct succession *succession, int bot)
{
    return succession->refused[0] != '\0' && succession->refused_bot == bot &&
           loop_now(succession->loop) - succession->refused_ns < REST_NS;
}

static void refuse(struct succession *succession, int bot, const char *why)
{
    const char *name = succession->preflight->entrants->names[bot];

    succession->refused_bot = bot;
    succession->refused_ns = loop_now(succession->loop);
    snprintf(succession->refused, sizeof succession->refused, "%s", why);
    if (why[0] != '\0') {
        log_warn("event", "bot=%s is no new entrant: %s", name, why);
    }
}

/* Whether new_entry has a word in what this bot comes as. */
static bool is_asked(const struct succession *succession, int bot)
{
    const struct config_event *event = succession->preflight->event;

    return event->revisions == CONFIG_REVISIONS_NEW_ENTRY && succession->wishes != NULL &&
           lineage_last(event, bot) == bot;
}

/* Decides anew. Returns true also if that is impossible now: the bot comes again. */
static bool decide(struct succession *succession, int bot, const char *version)
{
    struct entry_wish wish = {.refused = ""};
    struct bg_error err = {.text = ""};
    enum bg_status status = check(succession, bot, version, &err);

    if (status == BG_OK) {
        snprintf(wish.name, sizeof wish.name, "%s", succession->preflight->entrants->names[bot]);
        snprintf(wish.version, sizeof wish.version, "%s", version[0] == '\0' ? "-" : version);
        status = entry_wishes_add(succession->wishes, &wish, &err);
    }
    if (status == BG_OK) {
        succession->is_wanted = true;
        log_warn("event",
                 "bot=%s comes as %s: it goes on as a new entrant when the running games are over",
                 wish.name, wish.version);
    } else if (status == BG_E_ARGUMENT) {
        refuse(succession, bot, err.text);
    } else if (status == BG_E_MISMATCH) {
        refuse(succession, bot, "");
    }
    return status != BG_E_ARGUMENT && status != BG_E_MISMATCH;
}

bool succession_takes(struct succession *succession, int bot, const char *version,
                      char why[SUCCESSION_REASON])
{
    const struct entry_wish *wish;
    bool takes;

    why[0] = '\0';
    if (!is_asked(succession, bot)) {
        return false;
    }
    wish = entry_wishes_find(succession->wishes, succession->preflight->entrants->names[bot]);
    if (wish != NULL && !wish->is_old) {
        snprintf(why, SUCCESSION_REASON, "%.199s", wish->refused);
        return wish->refused[0] == '\0';
    }
    if (succession->is_closed) { /* the next run decides */
        return true;
    }
    takes = !was_just_refused(succession, bot) && decide(succession, bot, version);
    if (!takes && succession->refused_bot == bot) {
        snprintf(why, SUCCESSION_REASON, "%s", succession->refused);
    }
    return takes;
}

void succession_look(struct succession *succession)
{
    const struct entrants *entrants = succession->preflight->entrants;
    char why[SUCCESSION_REASON];

    for (int i = 0; i < entrants->event->bot_count; i++) {
        const struct entrants_bot *entrant = &entrants->list[i];

        if (!entrants->event->bots[i].remote && entrant->was_ready && !entrant->absent &&
            !entrant->quarantined) {
            (void)succession_takes(succession, i, entrant->version, why);
        }
    }
}

void succession_give_up(const struct succession *succession)
{
    const struct entrants *entrants = succession->preflight->entrants;

    for (int i = 0; i < entrants->event->bot_count; i++) {
        const struct entrants_bot *entrant = &entrants->list[i];
        const struct entry_wish *wish = entry_wishes_find(succession->wishes, entrants->names[i]);

        for (int k = 0; k < entrant->session_count && wish != NULL && !wish->is_old; k++) {
            session_give_up(entrant->sessions[k], "it has come as another version");
        }
    }
}
