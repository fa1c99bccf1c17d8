/* Sums come from runs, which are read whole; a single game is read only where a run has pairs
 * that do not count, and once for each program of a bot, whose words stand only in records. */
#include "gather_games.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <record/record_lookup.h>
#include <store/run.h>

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

/* Adds a finished match for the ratings in schedule order. a, b: the run's bots. */
static void note_match(struct gather *gather, const struct run_game *game, int a, int b)
{
    bool won = game->facts.match_winner == 0;
    const struct fibs_order_match match = {.pair = game->pair,
                                           .a = a < b ? a : b,
                                           .b = a < b ? b : a,
                                           .leg = (int8_t)game->facts.leg,
                                           .a_won = won == (a < b),
                                           .length_points = game->facts.length_points};

    if (game->facts.length_points > 0 && game->facts.match_over && game->facts.match_winner >= 0) {
        fibs_order_add(&gather->order, &match);
    }
}

static bool add_run(void *user, const struct run *run)
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
    for (size_t i = 0; i < run->games; i++) {
        if (run->game[i].pair < counted) {
            note_match(gather, &run->game[i], bot[0], bot[1]);
        }
    }
    if (run->games > 0 && run->game[run->games - 1].pair >= counted) {
        add_counted(reading, run, bot);
    } else {
        add_sums(reading, &run->sums, bot);
    }
    return reading->status == BG_OK;
}

enum bg_status gather_games(struct gather *out, struct bg_error *err)
{
    struct gather_games_reading reading = {.gather = out, .err = err};
    struct store *store = out->results.store;
    enum bg_status status = store_all_runs(store, true, add_run, &reading, err);

    status = status == BG_OK ? reading.status : status;
    if (status == BG_OK) {
        status = read_players(&reading);
    }
    free(reading.seen);
    return status;
}
