/* make_games DB GAMES PAIRS BOT BOT... - fills a results database with plausible games, quickly.
 *
 * Every bot meets every other over PAIRS pairs of two money legs, in an event's order, until about
 * GAMES games exist. Pairs with a stored game are left unchanged, so a database that an event has
 * begun can be filled up. A few hundred random games are played; every stored game is a copy of one
 * of them under its own id, with thinking times, and with its own record and hash. Some end in
 * passed doubles, resignations and faults with evidence. The database is made through the store's
 * own interface.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <record/record.h>
#include <store/store.h>

#include "../support/random_match.h"

enum { POOL = 400, POOL_FAULTS = 40, STEPS_MAX = 4000, BOTS_MAX = 256, FLUSH = 20000 };

/* A game that was played randomly. */
struct played {
    struct bg_step *step;
    int steps;
    struct bg_result result;
    int turns;
};

struct making {
    struct store *store;
    struct bg_match start;
    struct played pool[POOL];
    struct record record;
    struct chance chance;
    char **bot; /* by name */
    int bots;
    uint64_t pairs;
    unsigned char *taken; /* [a * bots + b] * pairs + pair: the pair has a stored game */
    long long made;
};

static void must(enum bg_status status, const struct bg_error *err)
{
    if (status != BG_OK) {
        fprintf(stderr, "make_games: %s\n", err->text);
        exit(1);
    }
}

static void play(struct played *out, const struct bg_match *start, struct chance *chance)
{
    struct bg_match match = *start;

    out->step = calloc(STEPS_MAX, sizeof *out->step);
    while (match.need.kind != BG_NEED_NOTHING && out->steps < STEPS_MAX) {
        struct bg_step step = random_step(&match, chance);

        if (bg_match_step(&match, &step) != BG_RULE_NONE) {
            abort();
        }
        out->step[out->steps++] = step;
    }
    if (match.need.kind != BG_NEED_NOTHING) {
        abort();
    }
    out->result = match.result;
    out->turns = match.turn;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

static unsigned char *taken(const struct making *making, int a, int b, uint64_t pair)
{
    return &making->taken[((uint64_t)(a * making->bots + b)) * making->pairs + pair];
}

static int bot_of(const struct making *making, const char *name)
{
    char **found = bsearch(&name, making->bot, (size_t)making->bots, sizeof *found, by_name);

    return found == NULL ? -1 : (int)(found - making->bot);
}

static bool note_game(void *user, const struct store_game *game)
{
    struct making *making = user;
    int a = bot_of(making, game->a), b = bot_of(making, game->b);

    if (a >= 0 && b >= 0 && game->pair < making->pairs) {
        *taken(making, a, b, game->pair) = 1;
    }
    return true;
}

static void write_record(struct making *making, const struct played *played,
                         struct store_game *game)
{
    const char *by_seat[2] = {game->leg == 0 ? game->a : game->b,
                              game->leg == 0 ? game->b : game->a};
    const struct record_header header = {
        .game_id = game->id,
        .event = "growth",
        .seat_name = {by_seat[0], by_seat[1]},
        .seat_program = {"-", "-"},
        .seat_version = {by_seat[0], by_seat[1]},
        .seat_options = {"", ""},
        .start = &making->start,
        .clock = "none",
        .prev = "",
        .dice = "reproducible",
        .host = "",
    };

    record_begin(&making->record, &header);
    for (int i = 0; i < played->steps; i++) {
        const struct bg_step *step = &played->step[i];
        int64_t spent_ns =
            step->kind == BG_STEP_PLAY || step->kind == BG_STEP_TAKE || step->kind == BG_STEP_PASS
                ? 20000 + chance_below(&making->chance, 200000)
                : -1;

        record_append(&making->record, step, spent_ns);
    }
    record_end(&making->record, &played->result, NULL, game->hash);
    game->text = strdup(making->record.text);
    game->text_size = making->record.size;
}

static void put_game(struct making *making, int a, int b, uint64_t pair, int leg)
{
    const struct played *played = &making->pool[chance_below(&making->chance, POOL)];
    struct store_game *game = calloc(1, sizeof *game);
    struct bg_error err = {0};
    char id[BG_GAME_ID];

    snprintf(id, sizeof id, "%s|%s|%llu|%d|0", making->bot[a], making->bot[b],
             (unsigned long long)pair, leg);
    *game = (struct store_game){.id = strdup(id),
                                .a = strdup(making->bot[a]),
                                .b = strdup(making->bot[b]),
                                .pair = pair,
                                .leg = leg,
                                .match_over = true};
    game->winner = played->result.winner < 0 ? -1 : played->result.winner ^ leg;
    game->match_winner = game->winner;
    game->points = played->result.points;
    game->level = played->result.level;
    game->end = played->result.end;
    game->fault = played->result.fault;
    game->turns = played->turns;
    game->score_a = game->winner == 0 ? game->points : 0;
    game->score_b = game->winner == 1 ? game->points : 0;
    write_record(making, played, game);
    if (game->end == BG_END_FAULT) {
        game->evidence = calloc(1, sizeof *game->evidence);
        *game->evidence = (struct store_fault){.game_id = strdup(id),
                                               .bot = strdup(game->winner == 0 ? game->b : game->a),
                                               .fault = game->fault,
                                               .story = strdup("by chance")};
    }
    must(store_put_game(making->store, game, &err), &err);
    if (++making->made % FLUSH == 0) { /* limits the queue */
        must(making->store->ops->flush(making->store, &err), &err);
    }
}

static void put_pair(struct making *making, uint64_t pair, long long games)
{
    for (int a = 0; a < making->bots; a++) {
        for (int b = a + 1; b < making->bots && making->made < games; b++) {
            if (!*taken(making, a, b, pair)) {
                put_game(making, a, b, pair, 0);
                put_game(making, a, b, pair, 1);
            }
        }
    }
}

int main(int argc, char **argv)
{
    struct making *making = calloc(1, sizeof *making);
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    struct bg_error err = {0};
    long long games = argc < 6 ? 0 : atoll(argv[2]);

    if (argc < 6 || argc > 4 + BOTS_MAX || games <= 0 || atoll(argv[3]) <= 0) {
        fprintf(stderr, "usage: make_games DB GAMES PAIRS BOT BOT...\n");
        return 2;
    }
    making->pairs = (uint64_t)atoll(argv[3]);
    making->bot = argv + 4;
    making->bots = argc - 4;
    qsort(making->bot, (size_t)making->bots, sizeof *making->bot, by_name);
    making->taken = calloc((size_t)(making->bots * making->bots) * making->pairs, 1);
    making->chance = (struct chance){7};
    bg_match_begin(&making->start, &rules);
    for (int i = 0; i < POOL; i++) {
        do { /* few faults */
            free(making->pool[i].step);
            making->pool[i] = (struct played){0};
            play(&making->pool[i], &making->start, &making->chance);
        } while (i >= POOL_FAULTS && making->pool[i].result.end == BG_END_FAULT);
    }
    must(store_sqlite_open(&making->store, argv[1], &err), &err);
    must(store_all_games(making->store, false, note_game, making, &err), &err);
    for (uint64_t pair = 0; pair < making->pairs && making->made < games; pair++) {
        put_pair(making, pair, games);
    }
    must(making->store->ops->flush(making->store, &err), &err);
    store_destroy(making->store);
    printf("%lld games\n", making->made);
    for (int i = 0; i < POOL; i++) {
        free(making->pool[i].step);
    }
    record_deinit(&making->record);
    free(making->taken);
    free(making);
    return 0;
}
