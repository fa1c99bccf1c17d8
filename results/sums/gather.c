/* A report is published: texts that may name folders pass foreign_public before they are kept,
 * so that no section can show one by mistake. Sums come from runs, which are read whole; a single
 * game is read only where a run has pairs that do not count, and once for each program of a bot,
 * whose words stand only in records. */
#include "gather.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <record/record_lookup.h>
#include <store/run.h>
#include <store/counted.h>
#include <store/store_file.h>

#include "record/game_id.h"
#include "base/again.h"
#include "base/foreign.h"

enum { KEY_ROOM = 256 };

/* A bot as described by a record. */
struct gather_games_seen {
    int bot, opponent; /* as in the tally */
    struct run_player player;
};

struct gather_games_reading {
    struct gather *gather;
    struct gather_games_seen *seen; /* owned; each bot and digest once, with its first game */
    size_t count, room;
    enum bg_status status;
    struct bg_error *err;
};

/* ----------------------------------------------------------------- players */

/* Compares by schedule order. */
static int compare_seen(const struct gather_games_seen *x, const struct gather_games_seen *y)
{
    const struct run_player *p = &x->player, *q = &y->player;

    if (p->pair != q->pair) {
        return p->pair < q->pair ? -1 : 1;
    }
    if (p->leg != q->leg) {
        return p->leg - q->leg;
    }
    if (p->game != q->game) {
        return p->game - q->game;
    }
    return x->bot != y->bot ? x->bot - y->bot : x->opponent - y->opponent;
}

static int by_place(const void *x, const void *y)
{
    return compare_seen(x, y);
}

static void note_seen(struct gather_games_reading *reading, const struct gather_games_seen *seen)
{
    for (size_t i = reading->count; i > 0; i--) {
        struct gather_games_seen *there = &reading->seen[i - 1];

        if (there->bot == seen->bot &&
            memcmp(there->player.digest, seen->player.digest, RUN_DIGEST) == 0) {
            *there = compare_seen(seen, there) < 0 ? *seen : *there;
            return;
        }
    }
    reading->seen = memory_list(reading->seen, &reading->room, reading->count + 1, sizeof *seen);
    reading->seen[reading->count++] = *seen;
}

static void note_value(char **place, bool *changed, const struct store_game *game, const char *key,
                       int seat)
{
    size_t size = 0;
    char name[16];
    const char *value;

    snprintf(name, sizeof name, seat < 0 ? "%s" : "%s%d", key, seat);
    value = header_lookup(&size, game->text, game->text_size, name);
    if (value == NULL) {
        return;
    }
    if (*place == NULL) {
        *place = memory_text_of(value, size);
    } else {
        *changed = *changed || strlen(*place) != size || memcmp(*place, value, size) != 0;
    }
}

/* The search for the record of a known game. */
struct gather_games_looking {
    struct gather *gather;
    const struct gather_games_seen *seen;
};

static bool look_at_seen(void *user, const struct store_game *game)
{
    const struct gather_games_looking *looking = user;
    struct gather *gather = looking->gather;
    struct gather_bot *bot = &gather->bot[looking->seen->bot];
    int seat = looking->seen->player.side ^ game->leg;
    bool ignored = false;

    if (game->game != looking->seen->player.game) {
        return true;
    }
    note_value(&bot->version, &bot->changed, game, "version", seat);
    note_value(&bot->program, &bot->changed, game, "program", seat);
    note_value(&bot->options, &bot->changed, game, "options", seat);
    note_value(&gather->host, &ignored, game, "host", -1);
    return false;
}

static enum bg_status read_players(struct gather_games_reading *reading)
{
    const struct tally *tally = &reading->gather->results.tally;
    struct store *store = reading->gather->results.store;
    enum bg_status status = BG_OK;

    if (reading->count > 0) {
        qsort(reading->seen, reading->count, sizeof *reading->seen, by_place);
    }
    for (size_t i = 0; i < reading->count && status == BG_OK; i++) {
        const struct gather_games_seen *seen = &reading->seen[i];
        struct gather_games_looking looking = {reading->gather, seen};
        bool is_a = seen->player.side == 0;

        status =
            store_leg_games(store, tally->bot[is_a ? seen->bot : seen->opponent].name,
                            tally->bot[is_a ? seen->opponent : seen->bot].name, seen->player.pair,
                            seen->player.leg, look_at_seen, &looking, reading->err);
    }
    return status;
}

/* -------------------------------------------------------------------- sums */

static void add_time(struct gather_bot *bot, const struct run_time *time)
{
    bot->time.count += time->spent.count;
    bot->time.sum_ns += time->spent.sum_ns;
    bot->time.most_ns = fmax(bot->time.most_ns, time->spent.most_ns);
    for (int i = 0; i < HISTOGRAM_PLACES; i++) {
        bot->time.place[i] += time->spent.place[i];
    }
    if (time->least_left_ns < bot->least_left_ns) {
        bot->least_left_ns = time->least_left_ns;
    }
}

static void add_sums(struct gather_games_reading *reading, const struct run_sums *sums,
                     const int bot[2])
{
    struct gather *gather = reading->gather;

    add_time(&gather->bot[bot[0]], &sums->time[0]);
    add_time(&gather->bot[bot[1]], &sums->time[1]);
    for (int i = 0; i < RUN_ROLLS; i++) {
        dice_count(&gather->dice, 1 + i / 6, 1 + i % 6, sums->roll[i]);
    }
    for (size_t i = 0; i < sums->players; i++) {
        const struct run_player *player = &sums->player[i];
        const struct gather_games_seen seen = {bot[player->side], bot[1 - player->side], *player};

        note_seen(reading, &seen);
    }
}

static bool sum_game(void *user, const struct store_game *game)
{
    run_sums_add(user, game);
    return true;
}

/* Counts the games of counting pairs, in a run that also has other pairs. */
static void add_counted(struct gather_games_reading *reading, const struct run *run,
                        const int bot[2])
{
    struct store *store = reading->gather->results.store;
    struct run_sums sums;

    run_sums_init(&sums);
    for (uint64_t at = 2 * run->first;
         at < 2 * reading->gather->results.counted && reading->status == BG_OK; at++) {
        reading->status = store_leg_games(store, run->a, run->b, at / 2, (int)(at % 2), sum_game,
                                          &sums, reading->err);
    }
    if (reading->status == BG_OK) {
        add_sums(reading, &sums, bot);
    }
    run_sums_deinit(&sums);
}

/* -------------------------------------------------------------------- games */

static bool sum_run(void *user, const struct run *run)
{
    struct gather_games_reading *reading = user;
    struct gather *gather = reading->gather;
    const struct tally *tally = &gather->results.tally;
    const int bot[2] = {tally_find(tally, run->a), tally_find(tally, run->b)};
    uint64_t counted = gather->results.counted;

    if (run->first >= counted || bot[0] < 0 || bot[1] < 0) {
        return true; /* surplus, or finished after the counts were read */
    }
    legs_add_run(&gather->legs, tally, run, counted);
    if (run->games > 0 && run->game[run->games - 1].pair >= counted) {
        add_counted(reading, run, bot);
    } else {
        add_sums(reading, &run->sums, bot);
    }
    return reading->status == BG_OK;
}

/* Reads legs, matches, times, clocks, rolls and players of every game that counts, from the store's
 * runs. Reads records only for the first game of each program. */
static enum bg_status gather_games(struct gather *out, struct bg_error *err)
{
    struct gather_games_reading reading = {.gather = out, .err = err};
    struct store *store = out->results.store;
    enum bg_status status = store_all_runs(store, true, sum_run, &reading, err);

    status = status == BG_OK ? reading.status : status;
    if (status == BG_OK) {
        status = read_players(&reading);
    }
    free(reading.seen);
    return status;
}

/* ---------------------------------------------------------------- settings */

static void keep_setting(void *user, const char *key, const char *value)
{
    struct gather *gather = user;

    gather->setting = memory_list(gather->setting, &gather->setting_room,
                                  (size_t)gather->settings + 1, sizeof *gather->setting);
    gather->setting[gather->settings++] =
        (struct gather_setting){foreign_public(key + strlen("event.")), foreign_public(value)};
}

static void keep_dice(void *user, const char *key, const char *value)
{
    struct gather *gather = user;
    char **place = strcmp(key, "dice.kind") == 0     ? &gather->dice_kind
                   : strcmp(key, "dice.digest") == 0 ? &gather->dice_digest
                   : strcmp(key, "dice.key") == 0    ? &gather->dice_key
                                                     : NULL;

    if (place != NULL && *place == NULL) {
        *place = foreign_public(value);
    }
}

const char *gather_setting(const struct gather *gather, const char *key)
{
    for (int i = 0; i < gather->settings; i++) {
        if (strcmp(gather->setting[i].key, key) == 0) {
            return gather->setting[i].value;
        }
    }
    return "";
}

/* Returns the number after a word like "frames=" in a run's account. A run that goes on, or was
 * killed, has no words about its end: what is missing is NaN and prints as unknown. */
static double account_number(const char *account, const char *word)
{
    const char *at = strstr(account, word);
    char *end = NULL;
    double number;

    if (at == NULL) {
        return NAN;
    }
    number = strtod(at + strlen(word), &end);
    return end == at + strlen(word) ? NAN : number;
}

static char *account_text(const char *account, const char *word, const char *stop)
{
    const char *at = strstr(account, word);

    return at == NULL ? NULL : memory_text_of(at + strlen(word), strcspn(at + strlen(word), stop));
}

static void add_run(void *user, const char *key, const char *value)
{
    struct gather *gather = user;

    (void)key;
    gather->run =
        memory_list(gather->run, &gather->run_room, (size_t)gather->runs + 1, sizeof *gather->run);
    gather->run[gather->runs++] = (struct gather_run){
        .begun_s = account_number(value, "begun="),
        .seconds = account_number(value, " seconds="),
        .frames = account_number(value, " frames="),
        .lag_mean_us = account_number(value, " lag_mean_us="),
        .lag_p99_us = account_number(value, " lag_p99_us="),
        .lag_most_us = account_number(value, " lag_most_us="),
        .stalled_ms = account_number(value, " stalled_ms="),
        .credited_ms = account_number(value, " credited_ms="),
        .given_up = account_number(value, " given_up="),
        .exit = account_number(value, " exit="),
        .durable = account_text(value, " durable=", " "),
        .bgref = account_text(value, " bgref=", " "),
        .system = account_text(value, " system=", ""),
    };
}

static enum bg_status read_root(struct gather *gather, struct bg_error *err)
{
    char text[RECORD_HASH] = "";
    enum bg_status status =
        store_meta_text(text, sizeof text, gather->results.store, "results.root", err);

    if (status == BG_OK && text[0] != '\0') {
        gather->root = foreign_public(text);
    }
    return status;
}

/* The setting is "yes" once a sequential test has ended the event. */
static enum bg_status read_decided(struct gather *gather, struct bg_error *err)
{
    char text[8] = "";
    enum bg_status status =
        store_meta_text(text, sizeof text, gather->results.store, "results.decided", err);

    gather->decided = strcmp(text, "yes") == 0;
    return status;
}

/* Keeps the last one: settings come by key, and the number of a run has leading zeros. */
static void add_command(void *user, const char *key, const char *value)
{
    struct gather *gather = user;

    (void)key;
    free(gather->command);
    gather->command = foreign_public(value);
}

static void add_conditions(void *user, const char *key, const char *value)
{
    struct gather *gather = user;

    if (strncmp(key, "conditions.judge.", strlen("conditions.judge.")) != 0) {
        free(gather->conditions);
        gather->conditions = foreign_public(value);
    }
}

/* Adds time deducted from a bot by a run: `credit.RUN.BOT`, nanoseconds: of the referee, and (not
 * in older results) waited for a core. */
static void add_credit(void *user, const char *key, const char *value)
{
    struct gather *gather = user;
    const char *dot = strchr(key + strlen("credit."), '.');
    int bot = dot == NULL ? -1 : tally_find(&gather->results.tally, dot + 1);

    if (bot >= 0) {
        char *rest;

        gather->bot[bot].credited_ns += strtod(value, &rest);
        gather->bot[bot].waited_ns += strtod(rest, NULL);
    }
}

static void add_test(void *user, const char *key, const char *value)
{
    struct gather *gather = user;
    char **place = strcmp(key, "sprt.outcome") == 0 ? &gather->test
                   : strcmp(key, "sprt.judge") == 0 ? &gather->test_judge
                                                    : NULL;

    if (place != NULL && *place == NULL) {
        *place = foreign_public(value);
    }
}

static void add_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    struct gather *gather = user;
    int i = bot == NULL ? -1 : tally_find(&gather->results.tally, bot);

    (void)fixture;
    if (i >= 0) {
        gather->bot[i].unplayed++;
        free(gather->bot[i].why);
        gather->bot[i].why = foreign_public(why);
    }
}

/* ------------------------------------------------------------------ faults */

/* A walk along the list: faults have few kinds and rules, however many they are. */
static struct gather_fault *fault_group(struct gather *gather, int bot,
                                        const struct store_fault *fault)
{
    const char *rule = fault->rule == NULL ? "" : fault->rule;
    struct gather_fault *group;

    for (int i = 0; i < gather->faults; i++) {
        group = &gather->fault[i];
        if (group->bot == bot && group->fault == fault->fault && strcmp(group->rule, rule) == 0) {
            return group;
        }
    }
    gather->fault = memory_list(gather->fault, &gather->fault_room, (size_t)gather->faults + 1,
                                sizeof *gather->fault);
    group = &gather->fault[gather->faults++];
    *group = (struct gather_fault){.bot = bot, .fault = fault->fault, .rule = foreign_public(rule)};
    return group;
}

static struct store_fault *fault_copy(const struct store_fault *fault)
{
    struct store_fault *copy = memory_zeroed(1, sizeof *copy);
    struct again again;

    copy->fault = fault->fault;
    copy->decision = fault->decision;
    copy->game_id = foreign_public(fault->game_id);
    copy->bot = foreign_public(fault->bot);
    copy->rule = foreign_public(fault->rule);
    copy->dice = foreign_public(fault->dice);
    copy->reply = foreign_public(fault->reply);
    copy->stderr_tail = foreign_public(fault->stderr_tail);
    again_init(&again, fault->reproduce);
    copy->reproduce = foreign_public(again.rules); /* the other line contains folder names */
    again_deinit(&again);
    copy->story = foreign_public(fault->story);
    copy->position_id = memory_text(fault->position_id);
    copy->xgid = memory_text(fault->xgid);
    return copy;
}

static void add_fault(void *user, const struct store_fault *fault)
{
    struct gather *gather = user;
    int bot = fault->bot == NULL ? -1 : tally_find(&gather->results.tally, fault->bot);
    struct gather_fault *group;

    /* A fault of a game that does not count would stand beside a row of games without that game. */
    if (!counted_has(gather->results.counted, fault->game_id)) {
        gather->surplus_faults++;
        return;
    }
    group = fault_group(gather, bot, fault);
    group->count++;
    if (group->samples < GATHER_SAMPLES) {
        /* Only some are kept: a bot may fault in every game, and the report shows examples. */
        group->sample[group->samples++] = fault_copy(fault);
    }
}

static int by_bot(const void *x, const void *y)
{
    const struct gather_fault *a = x, *b = y;

    if (a->bot != b->bot) {
        return a->bot - b->bot;
    }
    return a->fault != b->fault ? (int)a->fault - (int)b->fault : strcmp(a->rule, b->rule);
}

/* ----------------------------------------------------------------- reading */

static enum bg_status read_store(struct gather *out, struct bg_error *err)
{
    struct store *store = out->results.store;
    enum bg_status status = store_meta_each(store, "event.", keep_setting, out, err);

    if (status == BG_OK) {
        status = store_meta_each(store, "run.", add_run, out, err);
    }
    if (status == BG_OK) {
        status = store_meta_each(store, "command.", add_command, out, err);
    }
    if (status == BG_OK) {
        status = store_meta_each(store, "conditions.", add_conditions, out, err);
    }
    if (status == BG_OK) {
        status = read_root(out, err);
    }
    if (status == BG_OK) {
        status = read_decided(out, err);
    }
    if (status == BG_OK) {
        status = store_meta_each(store, "credit.", add_credit, out, err);
    }
    if (status == BG_OK) {
        status = store_meta_each(store, "dice.", keep_dice, out, err);
    }
    if (status == BG_OK) {
        status = store_meta_each(store, "sprt.", add_test, out, err);
    }
    if (status == BG_OK) {
        status = gather_games(out, err);
    }
    if (status == BG_OK) {
        status = store_all_unplayed(store, add_unplayed, out, err);
    }
    if (status == BG_OK) {
        status = store_all_faults(store, add_fault, out, err);
    }
    if (out->faults > 0) {
        qsort(out->fault, (size_t)out->faults, sizeof *out->fault, by_bot);
    }
    return status;
}

static enum bg_status summarise(struct gather *out, struct bg_error *err)
{
    struct report_options table = event_results_options(&out->results);
    struct summary_options options = report_summary_options(&table);

    options.legs = &out->legs;
    options.bootstrap = out->bootstrap;
    /* With a schedule nobody knows the number of fixtures; the root is published at its end. */
    out->final = table.final || (out->root != NULL && gather_setting(out, "schedule")[0] != '\0');
    return summary_of(&out->summary, &out->results.tally, &options, err);
}

enum bg_status gather_open(struct gather *out, const char *path, const char *judge, int bootstrap,
                           struct bg_error *err)
{
    enum bg_status status;

    *out = (struct gather){.bootstrap = bootstrap};
    status = event_results_open(&out->results, path, err);
    if (status != BG_OK) {
        return status;
    }
    out->bot = memory_zeroed((size_t)out->results.tally.bots, sizeof *out->bot);
    out->course = memory_zeroed(1, sizeof *out->course);
    out->blunder = memory_zeroed(GATHER_BLUNDERS, sizeof *out->blunder);
    for (int i = 0; i < out->results.tally.bots; i++) {
        out->bot[i].least_left_ns = INT64_MAX;
    }
    status = read_store(out, err);
    if (status == BG_OK) {
        legs_close(&out->legs);
        status = summarise(out, err);
    }
    out->kept_back = out->results.duplicate && out->root == NULL && store_sqlite_is_released(path);
    /* Asked of the lock and not of the account alone: a killed run has no end either. */
    out->running = !out->final && out->runs > 0 && isnan(out->run[out->runs - 1].seconds) &&
                   store_lock_is_held(path);
    if (status == BG_OK) {
        status =
            judged_sums_read(&out->judged, out->results.store, &out->results.tally, judge, err);
    }
    if (status == BG_OK) {
        status = blunders_find(out->blunder, &out->blunders, GATHER_BLUNDERS, out->results.store,
                               &out->judged, err);
    }
    if (status != BG_OK) {
        gather_close(out);
    }
    return status;
}

void gather_close(struct gather *gather)
{
    for (int i = 0; gather->bot != NULL && i < gather->results.tally.bots; i++) {
        free(gather->bot[i].version);
        free(gather->bot[i].program);
        free(gather->bot[i].options);
        free(gather->bot[i].why);
    }
    for (int i = 0; i < gather->settings; i++) {
        free(gather->setting[i].key);
        free(gather->setting[i].value);
    }
    for (int i = 0; i < gather->runs; i++) {
        free(gather->run[i].durable);
        free(gather->run[i].bgref);
        free(gather->run[i].system);
    }
    for (int i = 0; i < gather->faults; i++) {
        for (int k = 0; k < gather->fault[i].samples; k++) {
            store_fault_destroy(gather->fault[i].sample[k]);
        }
        free(gather->fault[i].rule);
    }
    if (gather->course != NULL) {
        rating_history_deinit(&gather->course->history);
    }
    free(gather->course);
    free(gather->bot);
    free(gather->blunder);
    free(gather->setting);
    free(gather->fault);
    free(gather->run);
    free(gather->test);
    free(gather->test_judge);
    free(gather->dice_kind);
    free(gather->dice_digest);
    free(gather->dice_key);
    free(gather->host);
    free(gather->root);
    free(gather->command);
    free(gather->conditions);
    judged_sums_deinit(&gather->judged);
    legs_deinit(&gather->legs);
    summary_deinit(&gather->summary);
    event_results_close(&gather->results);
    *gather = (struct gather){0};
}
