/* Three steps in this order: what is given (file, then flags), what follows from it
 * (config_event_settle), the check. A default may depend on another key (cube_limit on the game,
 * pairs on a sequential test), so none is final while keys are read. The check sees settled
 * values only, and refuses a pair of defaults that excludes each other like a pair of words. */
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "config.h"

#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allow.h"
#include "base/memory.h"
#include "door_value.h"
#include "keys.h"
#include "record/round_robin.h"
#include "openings.h"
#include "values.h"

enum {
    ROTATION_LENGTH = 5,
    CUBE_LIMIT_LOG2 = 6, /* of money games in which bots' cubes run away */
    CUBE_LIMIT = 1 << CUBE_LIMIT_LOG2
};

/* ---- defaults ---- */

int config_cores(void)
{
    cpu_set_t set;
    int count = 0;

    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        count = CPU_COUNT(&set);
    }
    return count > 0 ? count : 1;
}

void config_event_init(struct config_event *event)
{
    const int64_t second = 1000000000;

    memset(event, 0, sizeof *event);
    event->rules = bg_rules_default(bg_variant_find("backgammon"), 3);
    event->pairs = 50;
    event->duplicate = true;
    snprintf(event->seeds, sizeof event->seeds, "lot");
    event->clock.kind = CLOCK_NONE;
    event->ceiling_ns = 60 * second;
    event->start_ns = 30 * second;
    event->new_game_ns = 5 * second;
    event->store_wait_ns = 600 * second;
    event->concurrency = config_cores();
    event->instances = event->concurrency;
    event->quarantine = 5;
    event->broadcast_spectators = 2000;
    event->sandbox = CONFIG_SANDBOX_OFF;
    event->judge_sandbox = CONFIG_SANDBOX_AUTO;
    event->sprt = (struct config_sprt){.alpha = 0.05, .beta = 0.05, .min_clusters = 100};
}

void config_event_init_duel(struct config_event *event)
{
    config_event_init(event);
    event->rules = bg_rules_default(event->rules.variant, 0);
    event->pairs = 200;
}

void config_event_deinit(struct config_event *event)
{
    free(event->bots);
    free(event->rated);
    event->rated = NULL;
    openings_close(event->positions);
    event->positions = NULL;
    event->bots = NULL;
    event->bot_count = 0;
    event->bot_room = 0;
}

/* ---- what is given ---- */

enum bg_status config_event_set(struct config_event *event, const char *name, const char *text,
                                struct bg_error *err)
{
    const struct key *key = key_find(name);
    struct bg_error why = {.text = ""};
    enum bg_status status;

    assert(key != NULL);
    status = value_read(event, key, text, CONFIG_FLAG, &why);
    if (status != BG_OK) {
        return bg_error_set(err, status, "%s: %s", name, why.text);
    }
    for (int i = 0; key_at(i) != NULL; i++) { /* also replaces the file's aliases */
        if (key_at(i)->offset == key->offset) {
            event->given[i] = CONFIG_DEFAULT;
        }
    }
    event->given[key_number(key)] = CONFIG_FLAG;
    return BG_OK;
}

enum bg_status config_event_add(struct config_event *event, const struct competitor *bot,
                                struct bg_error *err)
{
    if (event->bot_count == COMPETITORS_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "more than %d bots", COMPETITORS_MAX);
    }
    if (competitor_find(event->bots, event->bot_count, bot->name) >= 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "two bots are called %s; give one another name, like "
                            "{name: %.58s-2, bot: %s}",
                            bot->name, bot->name, bot->name);
    }
    event->bots = memory_list(event->bots, &event->bot_room, (size_t)event->bot_count + 1,
                              sizeof *event->bots);
    event->bots[event->bot_count++] = *bot;
    return BG_OK;
}

/* ---- what follows from what was given ---- */

static void name_from_file(char name[NAME_SIZE], const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash == NULL ? file : slash + 1;
    const char *dot = strrchr(base, '.');
    size_t length = dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base);

    length = length < NAME_SIZE - 1 ? length : NAME_SIZE - 1;
    for (size_t i = 0; i < length; i++) {
        char one[2] = {base[i], '\0'};

        name[i] = base[i];
        if (!name_is_valid(one)) {
            name[i] = '-';
        }
    }
    name[length] = '\0';
}

/* Returns the defaults for game and length; a rotation has no cube, and so no Crawford game. */
static struct bg_rules default_rules(const struct bg_rules *given)
{
    struct bg_rules rules = bg_rules_default(given->variant, given->length_points);

    if (given->rotation != NULL) {
        rules.rotation = given->rotation;
        rules.cube = rules.jacoby = rules.crawford = false;
    }
    return rules;
}

/* Games in which bots' cube decisions may be trusted, so that money play needs no limit. In others
 * two bots that value a position differently both double on: of 80 games of asodio between td and
 * greedy 26 had a cube above 64 and two one of 2^40, and misere is no better; of 1,200 games of
 * these four one had (docs/statistics.md, "Heavy tails"). */
static bool has_sound_cube(const struct bg_variant *variant)
{
    static const char *const games[] = {"backgammon", "nackgammon", "hypergammon", "short-nardi"};

    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        if (strcmp(bg_variant_id(variant), games[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A limit that nobody asked for must not refuse automatic doubles that somebody did. */
static int default_cube_limit(const struct config_event *event, const struct bg_rules *rules)
{
    bool cube = (config_event_is_given(event, "cube") ? event->rules.cube : rules->cube) ||
                strstr(event->conditions, "cube=on") != NULL;

    return cube && rules->length_points == 0 && !has_sound_cube(rules->variant) &&
                   event->rules.auto_doubles <= CUBE_LIMIT_LOG2
               ? CUBE_LIMIT
               : 0;
}

bool config_event_limits_cube(const struct config_event *event)
{
    return event->rules.cube_limit > 0 && !config_event_is_given(event, "cube_limit");
}

/* The reserve is for a whole match: a side whose reserve is used up could only lose the rest of the
 * match. */
static bool has_bank(const struct config_event *event)
{
    bool found = clock_has_bank(&event->clock);

    for (int i = 0; i < event->bot_count; i++) {
        found = found || (event->bots[i].has_clock && clock_has_bank(&event->bots[i].clock));
    }
    return found;
}

/* A sequential test is capped by default, so that equal bots do not play for ever. */
static void settle_sprt(struct config_event *event)
{
    if (event->sprt.on && !config_event_is_given(event, "pairs")) {
        event->pairs = CONFIG_SPRT_GAMES / round_robin_of_pairing(1, event->duplicate);
    }
}

/* Equal schedules get equal texts. A wrong one stays as it is: the check refuses it. */
static void settle_schedule(struct config_event *event)
{
    struct plan *plan = memory_zeroed(1, sizeof *plan);

    if (config_event_has_form(event) &&
        plan_read(plan, event->schedule, event->pairs, NULL) == BG_OK) {
        plan_write(event->schedule, plan);
        event->schedule[plan->stages == 0 ? 0 : strlen(event->schedule)] = '\0';
    }
    free(plan);
}

/* The same for conditions. */
static void settle_conditions(struct config_event *event)
{
    char text[CONFIG_SEEDS] = "", words[TERMS_TEXT];
    const char *at = event->conditions;
    struct terms_between one;
    size_t used = 0;
    bool more = true;

    while (terms_next(&one, &more, &at, event->rules.length_points, NULL) == BG_OK && more) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s,%s %s", used > 0 ? "; " : "",
                             one.name[0], one.name[1], terms_write(words, &one.terms));
        if (used >= sizeof text) {
            return;
        }
    }
    if (!more) { /* all could be read */
        memcpy(event->conditions, text, used + 1);
    }
}

/* Returns the length that all stages of `match` have; 0: none has, or they differ. */
static int match_length(const struct config_event *event)
{
    struct plan *plan = memory_zeroed(1, sizeof *plan);
    int length = 0;
    bool differs = false;

    if (config_event_has_form(event) &&
        plan_read(plan, event->schedule, event->pairs, NULL) == BG_OK) {
        for (int i = 0; i < plan->stages; i++) {
            const struct plan_stage *stage = &plan->stage[i];

            if (stage->terms == PLAN_MATCH) {
                differs = differs || (length > 0 && length != stage->count);
                length = stage->count;
            }
        }
    }
    free(plan);
    return differs ? 0 : length;
}

static void settle_chess_lines(struct config_event *event)
{
    event->chess_lines = event->chess_lines || event->rating_interval > 0 ||
                         event->score_interval > 0 || event->outcome_interval > 0;
    if (event->chess_lines && !config_event_is_given(event, "score_interval")) {
        event->score_interval = 1;
    }
    if (event->chess_lines && !config_event_is_given(event, "rating_interval")) {
        event->rating_interval = 10;
    }
}

bool config_event_has_remote(const struct config_event *event)
{
    for (int i = 0; i < event->bot_count; i++) {
        if (event->bots[i].remote) {
            return true;
        }
    }
    return false;
}

void config_event_play_single(struct config_event *event)
{
    if (event->duplicate && !config_event_is_given(event, "duplicate")) {
        event->duplicate = false;
        event->pairs *= config_event_has_form(event) ? 1 : 2;
    }
}

/* A roll of people cannot be rolled again, neither for a pair nor after a kill. */
static void settle_dice(struct config_event *event)
{
    if (!event->manual_dice) {
        return;
    }
    config_event_play_single(event);
    if (!config_event_is_given(event, "durable")) {
        event->durable_decision = true;
    }
}

/* The author of a remote bot sees its dice. */
static void settle_remote(struct config_event *event)
{
    if (!config_event_has_remote(event)) {
        return;
    }
    config_event_play_single(event);
    if (!config_event_is_given(event, "absent")) {
        event->absent_unplayed = true;
    }
    (void)door_value_complete(&event->door, NULL); /* the check reports what is missing */
}

void config_event_settle(struct config_event *event)
{
    struct config_event fresh = *event;

    if (!config_event_is_given(event, "length") && match_length(event) > 0) {
        event->rules.length_points = match_length(event);
    } else if (!config_event_is_given(event, "length") && event->rules.rotation != NULL) {
        event->rules.length_points = ROTATION_LENGTH;
    }
    fresh.rules = default_rules(&event->rules);
    fresh.rules.cube_limit = default_cube_limit(event, &fresh.rules);
    fresh.rules.flag_match = fresh.rules.length_points > 0 && has_bank(event);
    for (int i = 0; key_at(i) != NULL; i++) {
        /* Through its text, because only value_write() and value_read() know the type behind a
         * key. */
        if (key_at(i)->rules && key_given(event, key_at(i)) == NULL) {
            char value[CONFIG_VALUE];

            value_write(value, sizeof value, &fresh, key_at(i));
            value_read(event, key_at(i), value, CONFIG_DEFAULT, NULL);
        }
    }
    /* These may turn pairs into twice as many single games; settle_sprt(), whose limit is a
     * number of games, has to know which of both are played. */
    settle_dice(event);
    settle_remote(event);
    if (event->trust == CONFIG_TRUST_STRANGERS) {
        config_event_play_single(event);
    }
    settle_sprt(event);
    settle_schedule(event);
    settle_conditions(event);
    settle_chess_lines(event);
    if (event->name[0] == '\0') {
        name_from_file(event->name, event->file[0] == '\0' ? "event" : event->file);
    }
    if (event->results[0] == '\0') {
        snprintf(event->results, sizeof event->results, "./bgref-results/%s.db", event->name);
    }
    if (!config_event_is_given(event, "instances")) {
        int cores = config_cores();

        event->instances = event->concurrency < cores ? event->concurrency : cores;
    }
}

/* ---- the check before anything starts ---- */

/* Adds file and line before a message that begins with a key's name. */
static enum bg_status check_error(const struct config_event *event, const struct bg_error *why,
                                  struct bg_error *err)
{
    /* A message of the check begins with its key, which is all that it needs to know of the
     * file. */
    size_t length = strcspn(why->text, ": ,");
    char name[32];
    const struct key *key = NULL;

    if (length < sizeof name) {
        memcpy(name, why->text, length);
        name[length] = '\0';
        key = key_find(name) == NULL ? NULL : key_given(event, key_find(name));
    }
    if (key != NULL && event->given[key_number(key)] > 0) {
        return bg_error_set(err, BG_E_CONFIG, "%.200s:%d: %.300s", event->file,
                            event->given[key_number(key)], why->text);
    }
    if (key != NULL) {
        return key_flag_error(err, BG_E_ARGUMENT, why->text);
    }
    return bg_error_set(err, event->file[0] != '\0' ? BG_E_CONFIG : BG_E_ARGUMENT, "%.200s%s%.300s",
                        event->file, event->file[0] != '\0' ? ": " : "", why->text);
}

/* Normalised Elo counts in standard deviations, and luck adjustment changes those. */
static enum bg_status normalised_check(const struct config_sprt *sprt, struct bg_error *err)
{
    if (sprt->luck) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "sprt: normalised Elo is of plain results; statistic=luck goes with "
                            "ppg0=, ppg1= or FIBS points");
    }
    if (sprt->model != CONFIG_SPRT_AUTO && sprt->model != CONFIG_SPRT_NORMAL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "sprt: normalised Elo has no counts; leave model out");
    }
    return BG_OK;
}

/* Checks what a sequential test requires from the event. */
static enum bg_status sprt_check(const struct config_event *event, struct bg_error *err)
{
    const struct config_sprt *sprt = &event->sprt;
    bool money = event->rules.length_points == 0;

    if (!sprt->on) {
        return event->exit_verdict
                   ? bg_error_set(err, BG_E_ARGUMENT,
                                  "exit_verdict: needs a sequential test; set sprt too")
                   : BG_OK;
    }
    if (event->bot_count != 2) {
        return bg_error_set(err, BG_E_ARGUMENT, "sprt: a test is between two bots; there are %d",
                            event->bot_count);
    }
    if (sprt->unit == CONFIG_SPRT_NORMALISED) {
        return normalised_check(sprt, err);
    }
    if (money != (sprt->unit == CONFIG_SPRT_PPG)) {
        return bg_error_set(
            err, BG_E_ARGUMENT,
            money ? "sprt: money games are tested in points per game: ppg0=0 ppg1=0.05 (or in "
                    "normalised Elo: elo0=0 elo1=5 unit=normalised)"
                  : "sprt: matches are tested in FIBS points, elo0=0 elo1=50, or in chess Elo: "
                    "unit=chess");
    }
    if (sprt->model == CONFIG_SPRT_BINOMIAL && (money || event->duplicate)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "sprt: model=binomial is for matches with plain dice (duplicate off)");
    }
    if (sprt->model == CONFIG_SPRT_MULTINOMIAL && (money || !event->duplicate)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "sprt: model=multinomial is for matches in duplicate pairs");
    }
    if (sprt->luck && sprt->model != CONFIG_SPRT_AUTO && sprt->model != CONFIG_SPRT_NORMAL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "sprt: luck-adjusted results are not counts; statistic=luck "
                            "requires model=normal");
    }
    if (sprt->luck && event->judge[0] == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "sprt: statistic=luck needs a judge that values every game; add judge, "
                            "like --judge gnubg");
    }
    return BG_OK;
}

/* Rolls of people have no key, and no second time. */
static enum bg_status dice_check(const struct config_event *event, struct bg_error *err)
{
    const struct {
        bool given;
        const char *key, *why;
    } rows[] = {
        {event->duplicate, "duplicate",
         "people cannot roll the same dice again with exchanged sides; leave duplicate out (2 "
         "single games take the place of a pair)"},
        {event->has_seed, "seed", "with dice=manual no dice are drawn; leave seed out"},
        {event->key_file[0] != '\0', "key_file",
         "with dice=manual no dice are drawn; leave key_file out"},
        {event->commit, "commit", "with dice=manual no dice are drawn; leave commit out"},
        {event->openings.file[0] != '\0', "openings",
         "each position is played twice with the same dice, which people cannot roll; leave "
         "openings out"},
        {!event->durable_decision, "durable",
         "with dice=manual a game that a kill cuts off cannot be played again, since people would "
         "have to roll the same dice; leave durable out"},
    };

    for (size_t i = 0; event->manual_dice && i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].given) {
            return bg_error_set(err, BG_E_ARGUMENT, "%s: %s", rows[i].key, rows[i].why);
        }
    }
    return BG_OK;
}

enum bg_status config_event_check_pairs(const struct config_event *event, struct bg_error *err)
{
    return event->duplicate
               ? bg_error_set(err, BG_E_ARGUMENT,
                              "duplicate: strangers play single games, because processes on one "
                              "machine can pass on dice by what they share (its page cache, the "
                              "time of an operation), and in the second leg they would be the "
                              "opponent's; leave duplicate out (2 single games take the place of a "
                              "pair), or give trust=own")
               : BG_OK;
}

/* Checks that do not depend on whether bots can be confined. */
static enum bg_status trust_check(const struct config_event *event, struct bg_error *err)
{
    if (event->trust == CONFIG_TRUST_STRANGERS && event->has_seed) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "trust: strangers could find the number of a seed by trying; give "
                            "key_file with 32 bytes in place of seed, or trust=own");
    }
    if (event->trust == CONFIG_TRUST_STRANGERS && event->sandbox == CONFIG_SANDBOX_OFF) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "trust: strangers have to be confined, else they can read each "
                            "other's memory of the dice; add sandbox=on, or give trust=own");
    }
    if (event->trust == CONFIG_TRUST_STRANGERS && event->duplicate) {
        return config_event_check_pairs(event, err);
    }
    if (event->key_file[0] != '\0' && event->has_seed) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "key_file: the dice already come from seed; remove one of the two");
    }
    return BG_OK;
}

/* Bots that may enter late need a form that takes them, and two others to begin with. */
static enum bg_status late_check(const struct config_event *event, struct bg_error *err)
{
    int entrants = 0;

    for (int i = 0; i < event->bot_count; i++) {
        const struct competitor *bot = &event->bots[i];

        entrants += !bot->late;
        if (bot->late && !config_event_has_form(event)) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "bots: %s has 'late', which needs a 'schedule'; into a plain round "
                                "robin a bot comes by the list of bots at any time",
                                bot->name);
        }
    }
    return entrants >= 2 ? BG_OK
                         : bg_error_set(err, BG_E_ARGUMENT,
                                        "bots: all but %d have 'late'; an event begins with at "
                                        "least two",
                                        entrants);
}

/* Checks what remote bots require from the event. */
static enum bg_status remote_check(const struct config_event *event, struct bg_error *err)
{
    struct config_door door = event->door;
    struct bg_error why = {.text = ""};

    if (!config_event_has_remote(event)) {
        return door.listen[0] == '\0'
                   ? BG_OK
                   : bg_error_set(err, BG_E_ARGUMENT,
                                  "door: no bot of the event is remote, like {name: anna, remote: "
                                  "true}; leave door out");
    }
    if (door_value_complete(&door, &why) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT, "door: remote bots need a door, and %s", why.text);
    }
    if (event->duplicate) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "duplicate: the author of a remote bot sees its dice, so they cannot "
                            "be played again with exchanged sides; leave duplicate out (2 single "
                            "games take the place of a pair)");
    }
    if (event->has_seed) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "seed: the author of a remote bot could find the number by trying; "
                            "leave seed out");
    }
    if (event->key_file[0] != '\0') {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "key_file: the author of a remote bot sees its dice, and another event "
                            "with this key has the same; leave key_file out");
    }
    for (int i = 0; i < event->bot_count; i++) {
        if (event->bots[i].remote && event->bots[i].instances > 1) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "bots: %s is remote, so it has one process; leave instances out",
                                event->bots[i].name);
        }
    }
    return BG_OK;
}

const char *config_seeds_are_rated(const struct config_event *event)
{
    static const char rating[] = "rating=";

    return strncmp(event->seeds, rating, strlen(rating)) == 0 ? event->seeds + strlen(rating)
                                                              : NULL;
}

/* Returns whether every stage is played in pairs with the same dice. */
static bool has_pairs_only(const struct plan *plan)
{
    bool pairs = true;

    for (int i = 0; i < plan->stages; i++) {
        pairs = pairs && plan->stage[i].terms == PLAN_PAIRS;
    }
    return pairs;
}

/* Checks the length of a stage's matches, and of its play-off's. */
static enum bg_status length_check(const struct config_event *event, const struct plan_stage *stage,
                                   struct bg_error *err)
{
    int event_length = event->rules.length_points;

    for (int playoff = 0; playoff < 2; playoff++) {
        int length = plan_length(stage, playoff == 1, event_length);

        if (length != event_length && event_length == 0) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "matches to %d in an event of money games: the two have no common "
                                "table; give the event a length, like length: %d",
                                length, length);
        }
        if (length != event_length && event->openings.file[0] != '\0') {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "matches to %d in an event of length %d: the positions of openings "
                                "have one length; leave one of the two out",
                                length, event_length);
        }
    }
    return BG_OK;
}

/* Checks the rules that differ by pairing. */
static enum bg_status conditions_check(const struct config_event *event, struct bg_error *err)
{
    const char **names = memory_zeroed((size_t)event->bot_count, sizeof *names);
    struct bg_error why = {.text = ""};
    struct terms_between one;
    const char *at = event->conditions;
    int length = event->rules.length_points;
    enum bg_status status = BG_OK;
    bool more = true;

    for (int i = 0; i < event->bot_count; i++) {
        names[i] = event->bots[i].name;
    }
    status = terms_check(event->conditions, names, event->bot_count, length, &why);
    while (status == BG_OK && terms_next(&one, &more, &at, length, &why) == BG_OK && more) {
        struct bg_rules rules = terms_rules(&event->rules, &one.terms);

        status = bg_rules_check(&rules, &why);
        if (status == BG_OK && rules.length_points != length && event->openings.file[0] != '\0') {
            status = bg_error_set(&why, BG_E_ARGUMENT,
                                  "length=%d: the positions of openings have one length; leave one "
                                  "of the two out",
                                  rules.length_points);
        }
    }
    if (status == BG_OK && event->sprt.on && event->conditions[0] != '\0') {
        status = bg_error_set(&why, BG_E_ARGUMENT,
                              "a sequential test has two bots and one set of rules; give them for "
                              "the whole event");
    }
    if (status != BG_OK) {
        bg_error_set(err, status, "conditions: %.400s", why.text);
    }
    free(names);
    return status;
}

/* Checks the form of the event against its bots and its other settings. */
static enum bg_status schedule_check(const struct config_event *event, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    enum bg_status status;
    const char **names;
    struct plan *plan;

    if (!config_event_has_form(event)) {
        return strcmp(event->seeds, "lot") == 0
                   ? BG_OK
                   : bg_error_set(
                         err, BG_E_ARGUMENT,
                         "seeds: a plain round robin has no seeds; leave them out, or give "
                         "a schedule");
    }
    plan = memory_zeroed(1, sizeof *plan);
    names = memory_zeroed((size_t)event->bot_count, sizeof *names);
    for (int i = 0; i < event->bot_count; i++) {
        names[i] = event->bots[i].name;
    }
    status = plan_read(plan, event->schedule, event->pairs, &why);
    if (status == BG_OK) {
        status = plan_check(plan, names, event->bot_count, &why);
    }
    for (int i = 0; i < plan->stages && status == BG_OK; i++) {
        status = length_check(event, &plan->stage[i], &why);
    }
    if (status != BG_OK) {
        bg_error_set(err, status, "schedule: %.400s", why.text);
    } else if (event->sprt.on) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "sprt: a test ends a duel of pairs; leave schedule out");
    } else if (event->openings.file[0] != '\0' && !has_pairs_only(plan)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "openings: each position is played twice with exchanged sides; give "
                              "every stage of the schedule pairs=N");
    }
    free(plan);
    free(names);
    return status;
}

enum bg_status config_event_check(const struct config_event *event, struct bg_error *err)
{
    struct bg_error why = {.text = ""};

    if (!event_name_is_valid(event->name)) {
        bg_error_set(&why, BG_E_ARGUMENT, "event: '%s' is not a name", event->name);
        return check_error(event, &why, err);
    }
    if (event->bot_count < 2) {
        bg_error_set(&why, BG_E_ARGUMENT,
                     "bots: %s; an event needs at least two, like 'bots: [gnubg, greedy]'",
                     event->bot_count == 0 ? "there is none" : "there is only one");
        return check_error(event, &why, err);
    }
    for (int i = 0; i < event->bot_count; i++) {
        if (competitor_find(event->bots, i, event->bots[i].name) >= 0) {
            bg_error_set(&why, BG_E_ARGUMENT, "bots: two are called %s", event->bots[i].name);
            return check_error(event, &why, err);
        }
        if (!name_is_valid(event->bots[i].name) ||
            (event->bots[i].cmd[0] == '\0' && !event->bots[i].remote)) {
            bg_error_set(&why, BG_E_ARGUMENT, "bots: '%s' has no proper name or no command",
                         event->bots[i].name);
            return check_error(event, &why, err);
        }
    }
    if (late_check(event, &why) != BG_OK) {
        return check_error(event, &why, err);
    }
    if (schedule_check(event, &why) != BG_OK) {
        return check_error(event, &why, err);
    }
    if (conditions_check(event, &why) != BG_OK) {
        return check_error(event, &why, err);
    }
    if (dice_check(event, &why) != BG_OK) {
        return check_error(event, &why, err);
    }
    if (event->openings.file[0] != '\0' && !event->duplicate) {
        bg_error_set(&why, BG_E_ARGUMENT,
                     "openings: each position is played twice with exchanged sides, else one side "
                     "has the better one; leave duplicate on, and strangers out (trust=own)");
        return check_error(event, &why, err);
    }
    if (event->commit && event->has_seed) {
        bg_error_set(&why, BG_E_ARGUMENT,
                     "seed: seed and commit exclude each other, since anyone can compute the dice "
                     "from a seed; remove one of the two");
        return check_error(event, &why, err);
    }
    if (trust_check(event, &why) != BG_OK || remote_check(event, &why) != BG_OK) {
        return check_error(event, &why, err);
    }
    if (bg_rules_check(&event->rules, &why) != BG_OK || sprt_check(event, &why) != BG_OK) {
        return check_error(event, &why, err);
    }
    return BG_OK;
}

enum bg_status config_event_load(struct config_event *event, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    enum bg_status status;

    openings_close(event->positions);
    event->positions = NULL;
    if (config_event_has_remote(event) && event->door.allow[0] != '\0') {
        status = allow_read(event, event->door.allow, err);
        if (status != BG_OK) {
            return status;
        }
    }
    if (event->openings.file[0] == '\0') {
        return BG_OK;
    }
    status = openings_open(&event->positions, &event->openings, &event->rules, &why);
    if (status == BG_E_ARGUMENT) {
        return check_error(event, &why, err);
    }
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "%s", why.text);
}
