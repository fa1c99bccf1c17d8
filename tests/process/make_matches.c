/* make_matches - results databases for tests of the programs that read them.
 *
 *     make_matches RESULTS.db chance COUNT SEED RULES   random matches (or money games)
 *     make_matches RESULTS.db lines FILE                one game per line: "RULES; START; STEPS"
 *
 * RULES and START are words of tests/support/match_script.h, STEPS those of record_script.h. Bots
 * are alice and bob, seats as legs have them; matches are numbered as pairs and legs.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <store/store.h>

#include "../support/match_script.h"
#include "../support/random_match.h"
#include "../support/record_script.h"

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "make_matches: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

/* Puts the ended game in *match into the store; number is the match's. */
static void put(struct store *store, const struct record *record, const char hash[RECORD_HASH],
                const struct bg_match *match, int number)
{
    struct store_game *game = calloc(1, sizeof *game);
    struct bg_error err = {0};

    if (game == NULL ||
        asprintf(&game->id, "alice|bob|%d|%d|%d", number / 2, number % 2, match->game) < 0) {
        give_up("game", "no memory");
    }
    game->a = strdup("alice");
    game->b = strdup("bob");
    game->pair = (uint64_t)number / 2;
    game->leg = number % 2;
    game->game = match->game;
    store_game_result(game, match, game->leg);
    memcpy(game->hash, hash, sizeof game->hash);
    game->text = strndup(record->text, record->size);
    game->text_size = record->size;
    if (store_put_game(store, game, &err) != BG_OK) {
        give_up("put", err.text);
    }
}

/* What no format must take for something else. */
static void think(struct record *record, const struct bg_step *step)
{
    struct bg_thought thought = BG_THOUGHT_INIT;

    thought.has_chances = thought.has_equity = true;
    thought.chances = (struct bg_chances){0.62, 0.2, 0, 0.1, 0, -0.25};
    if (step->kind == BG_STEP_PLAY) {
        thought.candidate_count = 1;
        thought.candidate[0] = (struct bg_candidate){BG_ANSWER_MOVES, step->play, -0.25};
    }
    strcpy(thought.text, "7 point match] Game 2 \\ ;B[31] \"Losses 3 points\" 1) 31: 8/5 6/5");
    record_append_thought(record, &thought);
}

static void play_game(struct record *record, char hash[RECORD_HASH], struct bg_match *match,
                      const char *prev, int number, struct chance *chance)
{
    const struct bg_match start = *match;
    char id[BG_GAME_ID];
    struct record_header header = {.game_id = id,
                                   .event = "by chance, \"quoted\"",
                                   .seat_version = {"one 1", "two 2"},
                                   .start = &start,
                                   .clock = "none",
                                   .prev = prev,
                                   .dice = "keyed"};
    char before[RECORD_HASH];

    snprintf(id, sizeof id, "alice|bob|%d|%d|%d", number / 2, number % 2, match->game);
    snprintf(before, sizeof before, "%s", prev);
    header.prev = before;
    header.seat_name[number % 2] = "alice";
    header.seat_name[1 - number % 2] = "bob";
    record_begin(record, &header);
    while (match->need.kind != BG_NEED_NOTHING && match->need.kind != BG_NEED_GAME) {
        struct bg_step step = random_step(match, chance);

        if (bg_match_step(match, &step) != BG_RULE_NONE) {
            give_up(id, "step");
        }
        record_append(record, &step, step.seat < 0 ? -1 : 1000);
        if (step.seat >= 0 && record->steps % 5 == 0) {
            think(record, &step);
        }
    }
    record_end(record, &match->result, NULL, hash);
}

static void play_match(struct store *store, const struct bg_rules *rules, int number,
                       struct chance *chance)
{
    const struct bg_step next = {.kind = BG_STEP_NEXT, .seat = -1};
    struct record record = {0};
    struct bg_match match;
    char hash[RECORD_HASH] = "";

    bg_match_begin(&match, rules);
    play_game(&record, hash, &match, "", number, chance);
    put(store, &record, hash, &match, number);
    while (match.need.kind == BG_NEED_GAME) {
        bg_match_step(&match, &next);
        play_game(&record, hash, &match, hash, number, chance);
        put(store, &record, hash, &match, number);
    }
    record_deinit(&record);
}

static void by_chance(struct store *store, char **words)
{
    struct chance chance = {strtoull(words[1], NULL, 10)};
    struct bg_rules rules;
    char message[128];

    if (!script_rules(&rules, words[2], message, sizeof message)) {
        give_up(words[2], message);
    }
    for (int i = 0; i < atoi(words[0]); i++) {
        play_match(store, &rules, i, &chance);
    }
}

static void by_lines(struct store *store, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[4096];
    struct record record = {0};

    if (file == NULL) {
        give_up(path, "cannot be opened");
    }
    for (int number = 0; fgets(line, sizeof line, file) != NULL; number += 2) {
        char *rest = NULL, *rules = strtok_r(line, ";", &rest), *start = strtok_r(NULL, ";", &rest);
        char *steps = strtok_r(NULL, ";\n", &rest);
        struct record_view *view = NULL;
        struct bg_match match;
        char id[BG_GAME_ID];

        if (steps == NULL) {
            give_up(path, "expected RULES; START; STEPS");
        }
        snprintf(id, sizeof id, "alice|bob|%d|0|0", number / 2);
        record_script(&record, id, rules, start, steps);
        if (record_read(&view, record.text, record.size, NULL) != BG_OK ||
            record_replay(&match, view, NULL) != BG_OK) {
            give_up(steps, "not a record");
        }
        match.game = 0;
        put(store, &record, record_view_hash(view), &match, number);
        record_view_destroy(view);
    }
    record_deinit(&record);
    fclose(file);
}

int main(int argc, char **argv)
{
    struct store *store = NULL;
    struct bg_error err = {0};

    if (argc < 4 || store_sqlite_open(&store, argv[1], &err) != BG_OK) {
        give_up("RESULTS.db chance COUNT SEED RULES | RESULTS.db lines FILE", err.text);
    }
    if (strcmp(argv[2], "chance") == 0 && argc == 6) {
        by_chance(store, argv + 3);
    } else {
        by_lines(store, argv[3]);
    }
    if (store->ops->flush(store, &err) != BG_OK) {
        give_up(argv[1], err.text);
    }
    store_destroy(store);
    return EXIT_SUCCESS;
}
