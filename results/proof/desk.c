/* desk.c - decides on an act and stores it with its effects beside the journal. In an event with a
 * form the season says what follows, and the effects are the difference between before and after. A
 * plain round robin has no season to ask, so its fixtures are counted from the settings. */
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

/* ------------------------------------------------------------------ lists of effects */

static void add_fixture(struct desk_deed *deed, const char *text)
{
    deed->fixture =
        memory_list(deed->fixture, &deed->fixture_room, deed->fixtures + 1, sizeof *deed->fixture);
    deed->fixture[deed->fixtures++] = memory_text(text);
}

struct leg_counting {
    uint64_t games;
    bool is_over; /* the leg */
};

static bool count_leg_game(void *user, const struct store_game *game)
{
    struct leg_counting *counting = user;

    counting->games++;
    counting->is_over = counting->is_over || game->match_over;
    return true;
}

static enum bg_status count_leg(struct leg_counting *out, const struct desk *desk,
                                const struct game_id *id, struct bg_error *err)
{
    return store_leg_games(desk->store, id->a, id->b, id->pair, id->leg, count_leg_game, out, err);
}

/* Adds a pair to set aside if it has games. The pair is one unit in the store: a leg cannot be
 * set aside alone, because both have the same dice. */
static enum bg_status add_pair(struct desk_deed *deed, const struct desk *desk, struct game_id id,
                               struct bg_error *err)
{
    struct leg_counting counting = {0};
    enum bg_status status = BG_OK;

    for (id.leg = 0; id.leg < 2 && status == BG_OK; id.leg++) {
        status = count_leg(&counting, desk, &id, err);
    }
    id.leg = 0;
    if (status != BG_OK || counting.games == 0) {
        return status;
    }
    deed->pair = memory_list(deed->pair, &deed->pair_room, deed->pairs + 1, sizeof *deed->pair);
    deed->pair[deed->pairs++] = id;
    deed->games += counting.games;
    return BG_OK;
}

/* ------------------------------------------------------------------ the form's fixtures */

/* Whether the act made a leg void that counted, or was to be played. A decision of a meeting drops
 * its open legs, and games of the same pair that were played count on. */
static bool is_newly_void(const struct desk_deed *deed, const struct desk *desk, uint64_t i)
{
    return season_fixture_is_void(deed->after, i) && !season_fixture_is_void(desk->season, i) &&
           !season_fixture_is_dropped(deed->after, i);
}

/* Legs that the act made void: their pairs no longer count. */
static enum bg_status find_void_pairs(struct desk_deed *deed, const struct desk *desk,
                                      struct bg_error *err)
{
    enum bg_status status = BG_OK;
    uint64_t before = season_fixtures(desk->season);

    for (uint64_t i = 0; (i = season_next_void(deed->after, i)) < before && status == BG_OK; i++) {
        struct season_fixture fixture;

        if (!is_newly_void(deed, desk, i)) {
            continue;
        }
        season_fixture(&fixture, desk->season, i);
        if (fixture.leg == 0 || !is_newly_void(deed, desk, i - 1)) { /* once a pair */
            status = add_pair(deed, desk,
                              game_id_of_leg(season_entrant(desk->season, fixture.a)->name,
                                             season_entrant(desk->season, fixture.b)->name,
                                             fixture.pair, 0),
                              err);
        }
    }
    return status;
}

/* ------------------------------------------------------------------ a plain round robin */

struct given_up {
    char **fixture; /* owned, and each; sorted after reading */
    size_t count, room;
};

static void take_given_up(void *user, const char *fixture, const char *bot, const char *why)
{
    struct given_up *given_up = user;

    (void)bot;
    (void)why;
    given_up->fixture = memory_list(given_up->fixture, &given_up->room, given_up->count + 1,
                                    sizeof *given_up->fixture);
    given_up->fixture[given_up->count++] = memory_text(fixture);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_given_up(const struct given_up *given_up, const char *fixture)
{
    return given_up->count > 0 && bsearch(&fixture, given_up->fixture, given_up->count,
                                          sizeof *given_up->fixture, by_text) != NULL;
}

static enum bg_status read_given_up(struct given_up *out, const struct desk *desk,
                                    struct bg_error *err)
{
    enum bg_status status = store_all_unplayed(desk->store, take_given_up, out, err);

    if (out->count > 0) {
        qsort(out->fixture, out->count, sizeof *out->fixture, by_text);
    }
    return status;
}

static void given_up_free(struct given_up *given_up)
{
    for (size_t i = 0; i < given_up->count; i++) {
        free(given_up->fixture[i]);
    }
    free(given_up->fixture);
}

/* Marks the leg unplayed unless it is over, or given up already, or for another end. */
static enum bg_status give_up_leg(struct desk_deed *deed, const struct desk *desk,
                                  const struct given_up *given_up, const struct game_id *id,
                                  struct bg_error *err)
{
    struct leg_counting counting = {0};
    char text[BG_GAME_ID];
    enum bg_status status;

    game_id_write_leg(text, id);
    if (is_given_up(given_up, text)) {
        return BG_OK;
    }
    status = count_leg(&counting, desk, id, err);
    if (status == BG_OK && !counting.is_over) {
        add_fixture(deed, text);
    }
    return status;
}

/* The fixtures of a withdrawn entrant that are still to be played. */
static enum bg_status find_open(struct desk_deed *deed, const struct desk *desk,
                                struct bg_error *err)
{
    struct given_up given_up = {0};
    uint64_t legs = (uint64_t)season_legs(desk->season);
    enum bg_status status = read_given_up(&given_up, desk, err);

    for (int i = 0; i < season_entrants(desk->season) && status == BG_OK; i++) {
        const char *other = season_entrant(desk->season, i)->name;
        int order = strcmp(deed->bot, other);

        for (uint64_t unit = 0;
             order != 0 && unit < season_pairs(desk->season) * legs && status == BG_OK; unit++) {
            struct game_id id =
                game_id_of_leg(order < 0 ? deed->bot : other, order < 0 ? other : deed->bot,
                               unit / legs, (int)(unit % legs));

            status = give_up_leg(deed, desk, &given_up, &id, err);
        }
    }
    given_up_free(&given_up);
    return status;
}

/* The pair of a subject that the season has taken. */
static struct game_id pair_of(const struct act *wish)
{
    char text[BG_GAME_ID] = "";
    struct game_id id = {0};

    if (act_word(text, sizeof text, wish->subject, "game")) {
        (void)game_id_read(&id, text);
    } else if (act_word(text, sizeof text, wish->subject, "pair")) {
        (void)game_id_read_pair(&id, text);
    }
    return id;
}

/* A voided pair is not played again. */
static enum bg_status void_pair(struct desk_deed *deed, const struct desk *desk,
                                const struct act *wish, struct bg_error *err)
{
    struct game_id id = pair_of(wish);
    char text[BG_GAME_ID];
    enum bg_status status = add_pair(deed, desk, id, err);

    for (id.leg = 0; id.leg < season_legs(desk->season) && status == BG_OK; id.leg++) {
        game_id_write_leg(text, &id);
        add_fixture(deed, text);
    }
    return status;
}

/* Without its games the pair is open, and played with its next attempt. */
static enum bg_status replay_pair(struct desk_deed *deed, const struct desk *desk,
                                  const struct act *wish, struct bg_error *err)
{
    enum bg_status status = add_pair(deed, desk, pair_of(wish), err);

    return status == BG_OK && deed->pairs == 0
               ? bg_error_set(err, BG_E_ARGUMENT, "replay %s: no game of it has been played",
                              wish->subject)
               : status;
}

/* ------------------------------------------------------------------ all effects of an act */

/* Reinstate: sets bot and given_up. */
static enum bg_status count_given_up(struct desk_deed *deed, const struct desk *desk,
                                     const struct act *wish, struct bg_error *err)
{
    struct reinstated act = {.fixtures = 0};
    enum bg_status status;

    act_word(deed->bot, sizeof deed->bot, wish->subject, "bot");
    status = reinstated_count(&act, desk->store, deed->bot, err);
    deed->given_up = act.fixtures;
    return status;
}

/* Returns how many bytes of a text fit without cutting a character. The store's field is shorter
 * than an act's reason, and half a character would be refused by strict readers. */
static int bytes_of(const char *text, int most)
{
    int size = (int)strnlen(text, (size_t)most + 1);

    if (size > most) {
        size = most;
        while (size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80) {
            size--;
        }
    }
    return size;
}

/* The line that ends the counting of earlier faults. */
static enum bg_status add_reinstated(struct desk_deed *deed, const struct desk *desk,
                                     const struct act *wish, struct bg_error *err)
{
    struct reinstated act = {.fixtures = 0};
    enum bg_status status = reinstated_count(&act, desk->store, deed->bot, err);

    snprintf(act.at, sizeof act.at, "%s", wish->at);
    snprintf(act.root, sizeof act.root, "%s", deed->root);
    snprintf(act.reason, sizeof act.reason, "%.*s", bytes_of(wish->reason, REINSTATED_REASON - 1),
             wish->reason);
    if (status == BG_OK) {
        status = reinstated_line(&deed->reinstated, deed->reinstated_key, desk->store, deed->bot,
                                 &act, err);
    }
    if (status == BG_OK) {
        deed->setting[deed->settings++] =
            (struct store_setting){deed->reinstated_key, deed->reinstated};
    }
    return status;
}

/* A running referee knows it: else its next start takes what the bot is then. */
static void add_accepted(struct desk_deed *deed, const struct act *wish)
{
    char bot[PLAN_NAME] = "";

    act_word(bot, sizeof bot, wish->subject, "bot");
    editions_accepted_key(deed->accepted_key, bot);
    deed->setting[deed->settings++] = (struct store_setting){deed->accepted_key, "next"};
}

/* Finds pairs to set aside, fixtures to mark, settings to write. */
static enum bg_status find_effects(struct desk_deed *deed, const struct desk *desk,
                                   const struct act *wish, enum act_kind kind, struct bg_error *err)
{
    if (kind == ACT_REINSTATE) {
        return add_reinstated(deed, desk, wish, err);
    }
    if (kind == ACT_ACCEPT && !desk->is_running) {
        add_accepted(deed, wish);
        return BG_OK;
    }
    if (!deed->is_plain) {
        return kind == ACT_VOID || kind == ACT_REPLAY ? find_void_pairs(deed, desk, err) : BG_OK;
    }
    if (kind == ACT_WITHDRAW) {
        act_word(deed->bot, sizeof deed->bot, wish->subject, "bot");
        snprintf(deed->why, sizeof deed->why, "withdrawn: %s", wish->reason);
        return find_open(deed, desk, err);
    }
    if (kind == ACT_VOID) {
        snprintf(deed->why, sizeof deed->why, "void: %s", wish->reason);
        return void_pair(deed, desk, wish, err);
    }
    return kind == ACT_REPLAY ? replay_pair(deed, desk, wish, err) : BG_OK;
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
        status = count_given_up(deed, desk, wish, err);
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
    return status == BG_OK ? find_effects(deed, desk, wish, kind, err) : status;
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
