/* desk.c - decides on an act and stores it with its effects. */
#define _GNU_SOURCE
#include "base/memory.h"
#include "desk_deed.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "root.h"
#include "rules/clean.h"
#include "published.h"
#include "base/utc.h"

void desk_sign_act(struct act *act)
{
    desk_sign_act_as(act, geteuid());
}

void desk_sign_act_as(struct act *act, unsigned uid)
{
    const struct passwd *user = getpwuid(uid);
    char host[65] = "", name[65] = "";

    gethostname(host, sizeof host - 1);
    if (user == NULL) {
        snprintf(name, sizeof name, "%u", uid);
    } else {
        snprintf(name, sizeof name, "%.64s", user->pw_name);
    }
    snprintf(act->who, sizeof act->who, "%s@%s", name, host);
    /* Names of users and hosts come from the system, where anything is allowed, and are
     * published with the journal. */
    if (clean_find(act->who, strlen(act->who), CLEAN_LINE) != strlen(act->who)) {
        snprintf(act->who, sizeof act->who, "%u@host", uid);
    }
    utc_write(act->at, (int64_t)time(NULL));
}

void desk_deed_destroy(struct desk_deed *deed)
{
    if (deed == NULL) {
        return;
    }
    season_destroy(deed->after);
    for (size_t i = 0; i < deed->fixtures; i++) {
        free(deed->fixture[i]);
    }
    free(deed->fixture);
    free(deed->pair);
    free(deed->reinstated);
    free(deed);
}

const struct act *desk_deed_acts(size_t *count, const struct desk_deed *deed)
{
    *count = deed->acts;
    return deed->act;
}

const struct season *desk_deed_season(const struct desk_deed *deed)
{
    return deed->after;
}

const struct game_id *desk_deed_pairs(size_t *count, const struct desk_deed *deed)
{
    *count = deed->pairs;
    return deed->pair;
}

const char *const *desk_deed_fixtures(size_t *count, const char **why, const struct desk_deed *deed)
{
    *why = deed->why;
    *count = deed->fixtures;
    return (const char *const *)deed->fixture;
}

/* ------------------------------------------------------------------ what is asked for */

/* Control characters would let a reason paint over the terminal of whoever reads the journal. */
static enum bg_status check_text(const struct act *wish, enum act_kind kind, struct bg_error *err)
{
    char word[80];
    const struct {
        const char *what, *text;
    } parts[] = {{"subject", wish->subject}, {"reason", wish->reason}};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t size = strlen(parts[i].text);

        if (clean_find(parts[i].text, size, CLEAN_LINE) != size) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "%s: the %s is one line of text without control characters",
                                wish->kind, parts[i].what);
        }
    }
    if (!act_subject_fits(word, sizeof word, kind, wish->subject)) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: '%s': expected %s", wish->kind, word,
                            act_rules[kind].subject);
    }
    return BG_OK;
}

/* Acts that a plain round robin cannot follow. */
static enum bg_status check_plain(const struct act *wish, enum act_kind kind, struct bg_error *err)
{
    switch (kind) {
    case ACT_ABSENT:
        return bg_error_set(err, BG_E_ARGUMENT,
                            "absent: a plain round robin has no rounds; withdraw takes a bot out, "
                            "and reinstate brings it back");
    case ACT_CONDITION:
        return bg_error_set(err, BG_E_ARGUMENT,
                            "condition: the terms of a plain round robin are those of its file "
                            "('conditions' before the first game); the desk sets them with another "
                            "'schedule'");
    case ACT_ENTER:
    case ACT_LATE_ENTER:
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: into a plain round robin a bot comes by the event file: add it to "
                            "'bots', and the next run plays its games",
                            wish->kind);
    default:
        return BG_OK;
    }
}

/* Seals the row and takes it. */
static enum bg_status seal_and_take(struct desk_deed *deed, const struct act *wish,
                                    struct bg_error *err)
{
    struct act *act = &deed->act[deed->acts];
    enum bg_status status;

    *act = *wish;
    season_seal(act, deed->after);
    status = season_take(deed->after, act, err);
    deed->acts += status == BG_OK;
    return status;
}

/* A bot that its faults took out of a plain round robin was never noted as absent. */
static enum bg_status take_absence(struct desk_deed *deed, const struct desk *desk,
                                   const struct act *wish, struct bg_error *err)
{
    struct act absent = *wish;
    char name[PLAN_NAME] = "";
    bool is_out;
    int entrant;

    act_word(name, sizeof name, wish->subject, "bot");
    is_out = desk->out != NULL && strcmp(desk->out, name) == 0;
    entrant = season_find(deed->after, name);
    if (entrant < 0 || season_entrant(deed->after, entrant)->state != SEASON_IN ||
        (deed->given_up == 0 && !is_out)) {
        return BG_OK;
    }
    snprintf(absent.kind, sizeof absent.kind, "absent");
    snprintf(absent.who, sizeof absent.who, "bgref");
    snprintf(absent.reason, sizeof absent.reason, "%s",
             deed->given_up > 0 ? "its games were given up" : "it does not start");
    return seal_and_take(deed, &absent, err);
}

/* ------------------------------------------------------------------ a published root */

/* Whether after this act there is nothing to play that was not before. */
static bool stays_over(const struct desk_deed *deed, enum act_kind kind)
{
    if (kind == ACT_NOTE || kind == ACT_CLOSE) {
        return true;
    }
    if (deed->is_plain) {
        return kind != ACT_REINSTATE && kind != ACT_REPLAY;
    }
    return season_is_over(deed->after);
}

static bool changes_games(enum act_kind kind)
{
    return kind == ACT_VOID || kind == ACT_REPLAY || kind == ACT_REINSTATE;
}

/* What was published about the whole event no longer holds. Found before the act is stored,
 * since both go into one transaction: a root must never stand beside games that it does not
 * cover. */
static enum bg_status withdraw_published(struct desk_deed *deed, const struct desk *desk,
                                         enum act_kind kind, struct bg_error *err)
{
    struct withdrawn withdrawn;
    enum bg_status status = withdrawn_find(&withdrawn, desk->store, err);

    if (status != BG_OK) {
        return status;
    }
    deed->had_root = withdrawn.root[0] != '\0';
    snprintf(deed->root, sizeof deed->root, "%s", deed->had_root ? withdrawn.root : "-");
    deed->republishes = deed->had_root && stays_over(deed, kind);
    for (size_t i = 0; i < withdrawn.count; i++) {
        if (changes_games(kind) || strcmp(withdrawn.setting[i].key, "results.root") == 0) {
            deed->setting[deed->settings++] = withdrawn.setting[i];
        }
    }
    return BG_OK;
}

/* ------------------------------------------------------------------ public */

static enum bg_status decide(struct desk_deed *deed, const struct desk *desk,
                             const struct act *wish, enum act_kind kind, struct bg_error *err)
{
    enum bg_status status = check_text(wish, kind, err);

    if (status == BG_OK && deed->is_plain) {
        status = check_plain(wish, kind, err);
    }
    if (status == BG_OK && kind == ACT_REINSTATE) {
        status = desk_count_given_up(deed, desk, wish, err);
    }
    if (status == BG_OK && kind == ACT_REINSTATE && deed->is_plain) {
        status = take_absence(deed, desk, wish, err);
    }
    if (status == BG_OK) {
        status = seal_and_take(deed, wish, err);
    }
    if (status == BG_OK) {
        status = withdraw_published(deed, desk, kind, err);
    }
    return status == BG_OK ? desk_find_effects(deed, desk, wish, kind, err) : status;
}

static struct desk_deed *begin_deed(const struct desk *desk)
{
    struct desk_deed *deed = memory_zeroed(1, sizeof *deed);

    deed->is_plain = season_plan(desk->season)->stages == 0;
    deed->after = season_clone(desk->season);
    return deed;
}

enum bg_status desk_prepare(struct desk_deed **out, const struct desk *desk, const struct act *wish,
                            struct bg_error *err)
{
    enum act_kind kind = act_kind_read(wish->kind);
    struct desk_deed *deed;
    enum bg_status status;

    if (kind == ACT_KINDS) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.15s' is not an act", wish->kind);
    }
    deed = begin_deed(desk);
    status = decide(deed, desk, wish, kind, err);
    if (status == BG_OK) {
        *out = deed;
        deed = NULL;
    }
    desk_deed_destroy(deed);
    return status;
}

/* The act is durable, so a failure here does not take it back, and must not look as if it did. */
static enum bg_status publish_act(const struct desk *desk, uint64_t number, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    char root[RECORD_HASH];
    enum bg_status status = root_of_store(root, desk->store, &why);

    if (status == BG_OK) {
        status = store_meta_set(desk->store, "results.root", root, &why);
    }
    return status == BG_OK
               ? BG_OK
               : bg_error_set(err, status,
                              "act %" PRIu64 " is taken, but the new root could not be published: "
                              "%.300s; the event's next run publishes it",
                              number, why.text);
}

/* One change, one transaction: a crash leaves either the act with all its effects or nothing. */
enum bg_status desk_store(struct desk_deed *deed, const struct desk *desk, struct bg_error *err)
{
    const struct act *last = &deed->act[deed->acts - 1];
    struct store_unplayed *unplayed = memory_zeroed(deed->fixtures, sizeof *unplayed);
    struct store_change change = {.settings = deed->setting,
                                  .setting_count = deed->settings,
                                  .pairs = deed->pair,
                                  .pair_count = deed->pairs,
                                  .reason = last->reason,
                                  .at = last->at,
                                  .reinstated = deed->given_up > 0 ? deed->bot : NULL,
                                  .acts = deed->act,
                                  .act_count = deed->acts,
                                  .unplayed = unplayed,
                                  .unplayed_count = deed->fixtures};
    enum bg_status status;

    for (size_t i = 0; i < deed->fixtures; i++) {
        unplayed[i] = (struct store_unplayed){deed->fixture[i],
                                              deed->bot[0] == '\0' ? "-" : deed->bot, deed->why};
    }
    status = desk->store->ops->change(desk->store, &change, err);
    if (status == BG_OK && deed->republishes) {
        status = publish_act(desk, last->number, err);
    }
    free(unplayed);
    return status;
}
