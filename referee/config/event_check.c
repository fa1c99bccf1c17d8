/* The check of an event before anything starts, and what is read once it has passed. A message
 * begins with the key that it is about, from which its place is found: a line of the file, or a
 * flag. */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allow.h"
#include "base/cidr.h"
#include "base/memory.h"
#include "door_value.h"
#include "keys.h"
#include "record/round_robin.h"
#include "openings.h"
#include "values.h"

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

static enum bg_status bots_check(const struct config_event *event, struct bg_error *err)
{
    if (!event_name_is_valid(event->name)) {
        return bg_error_set(err, BG_E_ARGUMENT, "event: '%s' is not a name", event->name);
    }
    if (event->bot_count < 2) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "bots: %s; an event needs at least two, like 'bots: [gnubg, greedy]'",
                            event->bot_count == 0 ? "there is none" : "there is only one");
    }
    for (int i = 0; i < event->bot_count; i++) {
        const struct competitor *bot = &event->bots[i];

        if (competitor_find(event->bots, i, bot->name) >= 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "bots: two are called %s", bot->name);
        }
        if (!name_is_valid(bot->name) || (bot->cmd[0] == '\0' && !bot->remote)) {
            return bg_error_set(err, BG_E_ARGUMENT, "bots: '%s' has no proper name or no command",
                                bot->name);
        }
    }
    return late_check(event, err);
}

static enum bg_status together_check(const struct config_event *event, struct bg_error *err)
{
    if (event->openings.file[0] != '\0' && !event->duplicate) {
        return bg_error_set(
            err, BG_E_ARGUMENT,
            "openings: each position is played twice with exchanged sides, else one side "
            "has the better one; leave duplicate on, and strangers out (trust=own)");
    }
    if (event->commit && event->has_seed) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "seed: seed and commit exclude each other, since anyone can compute "
                            "the dice from a seed; remove one of the two");
    }
    if (event->rules.cube_limit > 0 && !event->rules.cube &&
        strstr(event->conditions, "cube=on") == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "cube_limit: the cube is off; leave the limit out, or turn the cube "
                            "on");
    }
    return BG_OK;
}

/* A host's events say in their files what its pages show, also where they are played alone. */
static enum bg_status pages_check(const struct config_event *event, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    struct cidr proxy;

    if (event->broadcast_proxy[0] != '\0' &&
        cidr_read(&proxy, event->broadcast_proxy, &why) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT, "broadcast_proxy: %s", why.text);
    }
    for (int i = 0; event->page[0] == '\0' && event->gallery[0] == '\0' && key_at(i) != NULL; i++) {
        if (event->given[i] == CONFIG_FLAG && strncmp(key_at(i)->name, "broadcast_", 10) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "%s: there are no pages; add --browser or --page "
                                "tcp://127.0.0.1:8080, or leave it out",
                                key_at(i)->name);
        }
    }
    return BG_OK;
}

static enum bg_status rules_check(const struct config_event *event, struct bg_error *err)
{
    return bg_rules_check(&event->rules, err);
}

enum bg_status config_event_check(const struct config_event *event, struct bg_error *err)
{
    static enum bg_status (*const checks[])(const struct config_event *, struct bg_error *) = {
        bots_check,  schedule_check, conditions_check, dice_check, together_check,
        trust_check, remote_check,   rules_check,      sprt_check, pages_check};
    struct bg_error why = {.text = ""};

    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (checks[i](event, &why) != BG_OK) {
            return check_error(event, &why, err);
        }
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
