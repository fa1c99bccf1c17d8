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
