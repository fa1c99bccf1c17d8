#define _GNU_SOURCE
#include "judged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One pair's games on their way into its summary. */
struct reading {
    struct judged *out;
    const char *first;
    char a[JUDGED_NAME], b[JUDGED_NAME]; /* the pair at hand, as the store has it */
    bool swapped;                        /* it is seen from b */
    struct judged_pair pair;
    struct luck_rolls rolls[2];
    struct luck_result *result; /* owned */
    size_t results, room;
    double luck; /* of the match at hand: A's minus B's, as seen */
    uint64_t match_pair;
    int match_leg, match_games; /* the match at hand and how many of its games came, in a row */
    enum bg_status status;
    struct bg_error *err;
};

static bool add_result(struct reading *reading, const struct store_game *game, double result,
                       double luck)
{
    if (reading->results == reading->room) {
        size_t room = reading->room == 0 ? 256 : reading->room * 2;
        struct luck_result *grown = realloc(reading->result, room * sizeof *grown);

        if (grown == NULL) {
            reading->status = bg_error_set(reading->err, BG_E_MEMORY, "judged games");
            return false;
        }
        reading->result = grown;
        reading->room = room;
    }
    reading->result[reading->results++] = (struct luck_result){game->pair, result, luck};
    return true;
}

static double side_sign(const struct reading *reading, int winner)
{
    return winner < 0 ? 0 : (winner == 0) != reading->swapped ? 1 : -1;
}

static bool add_money(struct reading *reading, const struct store_game *game, double luck)
{
    return add_result(reading, game, side_sign(reading, game->winner) * (double)game->points, luck);
}

/* A match counts once its last game has come and none before it was missing. */
static bool add_match_game(struct reading *reading, const struct store_game *game, double luck)
{
    if (game->game == 0) {
        reading->match_pair = game->pair;
        reading->match_leg = game->leg;
        reading->match_games = 0;
        reading->luck = 0;
    }
    if (game->pair != reading->match_pair || game->leg != reading->match_leg ||
        game->game != reading->match_games) {
        reading->match_games = -1;
        return true;
    }
    reading->match_games++;
    reading->luck += luck;
    return !game->match_over ||
           add_result(reading, game, side_sign(reading, game->match_winner) > 0, reading->luck);
}

static void add_choices(struct reading *reading, const struct judgement *judgement)
{
    struct judged_pair *pair = &reading->pair;

    pair->has_errors = pair->has_errors || judgement->has_choices;
    for (size_t i = 0; i < judgement->choices; i++) {
        const struct judged_choice *choice = &judgement->choice[i];
        int side = choice->bot ^ reading->swapped;
        bool is_play = choice->kind == JUDGED_PLAY;
        struct errors_decision decision = {.kind = is_play           ? ERRORS_MOVE
                                                   : choice->counted ? ERRORS_DOUBLE
                                                                     : ERRORS_NODOUBLE,
                                           .forced = is_play && !choice->counted,
                                           .error = choice->error};

        errors_add(is_play ? &pair->play[side] : &pair->cube[side], &decision);
    }
}

static bool end_pair(struct reading *reading)
{
    struct judged *out = reading->out;
    enum luck_unit unit = out->length_points == 0 ? LUCK_POINTS : LUCK_MWC;
    struct judged_pair *grown;

    if (reading->a[0] == '\0' || reading->status != BG_OK) {
        return reading->status == BG_OK;
    }
    reading->status = luck_summary_of(&reading->pair.luck, unit, reading->result, reading->results,
                                      reading->rolls, reading->err);
    if (reading->status != BG_OK) {
        return false;
    }
    grown = realloc(out->pair, (out->pairs + 1) * sizeof *grown);
    if (grown == NULL) {
        reading->status = bg_error_set(reading->err, BG_E_MEMORY, "judged pairs");
        return false;
    }
    out->pair = grown;
    out->pair[out->pairs++] = reading->pair;
    return true;
}

static void begin_pair(struct reading *reading, const struct store_game *game)
{
    snprintf(reading->a, sizeof reading->a, "%s", game->a);
    snprintf(reading->b, sizeof reading->b, "%s", game->b);
    reading->swapped = reading->first != NULL && strcmp(reading->first, game->b) == 0;
    reading->pair = (struct judged_pair){0};
    snprintf(reading->pair.name[reading->swapped], JUDGED_NAME, "%s", game->a);
    snprintf(reading->pair.name[!reading->swapped], JUDGED_NAME, "%s", game->b);
    memset(reading->rolls, 0, sizeof reading->rolls);
    reading->results = 0;
    reading->match_games = -1;
}

static bool on_judgement(void *user, const struct store_game *game,
                         const struct judgement *judgement)
{
    struct reading *reading = user;
    double luck = judgement->luck[reading->swapped] - judgement->luck[!reading->swapped];

    if (strcmp(reading->a, game->a) != 0 || strcmp(reading->b, game->b) != 0) {
        if (!end_pair(reading)) {
            return false;
        }
        begin_pair(reading, game);
        luck = judgement->luck[reading->swapped] - judgement->luck[!reading->swapped];
    }
    reading->out->length_points = game->length_points;
    reading->out->games++;
    reading->pair.games++;
    if (judgement->cpu_ns > 0) {
        reading->out->cpu_ns += judgement->cpu_ns;
        reading->pair.cpu_ns += judgement->cpu_ns;
    }
    for (size_t i = 0; i < judgement->rolls; i++) {
        luck_rolls_add(&reading->rolls[judgement->roll[i].bot ^ reading->swapped],
                       judgement->roll[i].luck);
    }
    add_choices(reading, judgement);
    return game->length_points == 0 ? add_money(reading, game, luck)
                                    : add_match_game(reading, game, luck);
}

void judged_deinit(struct judged *judged)
{
    free(judged->judge);
    free(judged->pair);
    *judged = (struct judged){0};
}

enum bg_status judged_read(struct judged *out, struct store *store, const char *judge,
                           const char *first, struct bg_error *err)
{
    struct reading reading = {.out = out, .first = first, .err = err};
    enum bg_status status;

    *out = (struct judged){.judge = strdup(judge)};
    if (out->judge == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "judged games");
    }
    status = store->ops->each_judgement(store, judge, on_judgement, &reading, err);
    if (status == BG_OK) {
        end_pair(&reading);
        status = reading.status;
    }
    free(reading.result);
    if (status != BG_OK) {
        judged_deinit(out);
    }
    return status;
}
