#include "skill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The leg that is being read: its games come one after another. */
struct leg {
    int a, b;
    uint64_t pair;
    int leg, games;
    double luck; /* of a minus that of b, over its games so far */
    bool whole;  /* every game from the first one on was judged */
};

struct results {
    struct luck_result *result; /* of the encounter's a */
    size_t count, room;
    struct luck_rolls rolls[2];
};

struct reading {
    struct skill *out;
    const struct tally *tally;
    struct leg leg;
    struct results *results; /* one for each encounter */
    int room;
    enum bg_status status;
    struct bg_error *err;
};

/* ---------------------------------------------------------------- which one */

struct choice {
    const char *wanted;
    char *judge;
    uint64_t games;
    char known[400]; /* the names of all, for one that is not among them */
    bool failed;
};

/* A judge is named in full ("gnubg 1.07.001 plies=0"), or by the words that this begins with. */
static bool is_wanted(const char *judge, const char *wanted)
{
    size_t size = wanted == NULL ? 0 : strlen(wanted);

    return wanted == NULL ||
           (strncmp(judge, wanted, size) == 0 && (judge[size] == ' ' || judge[size] == '\0'));
}

/* The one with most games of those that are wanted; a full name stands before all. */
static void choose(void *user, const char *judge, uint64_t games)
{
    struct choice *choice = user;
    size_t used = strlen(choice->known);

    snprintf(choice->known + used, sizeof choice->known - used, "%s'%s'", used > 0 ? ", " : "",
             judge);
    if (choice->wanted != NULL && strcmp(judge, choice->wanted) == 0) {
        games = UINT64_MAX;
    }
    if (is_wanted(judge, choice->wanted) && games > choice->games) {
        free(choice->judge);
        choice->judge = strdup(judge);
        choice->failed = choice->judge == NULL;
        choice->games = games;
    }
}

/* ------------------------------------------------------------------ reading */

static bool fail(struct reading *reading)
{
    reading->status = bg_error_set(reading->err, BG_E_MEMORY, "judgements of an event");
    return false;
}

static bool more_encounters(struct reading *reading)
{
    struct skill *out = reading->out;
    int room = out->room == 0 ? 32 : 2 * out->room;
    struct skill_encounter *encounter = realloc(out->encounter, (size_t)room * sizeof *encounter);
    struct results *results;

    if (encounter == NULL) {
        return false;
    }
    out->encounter = encounter;
    results = realloc(reading->results, (size_t)room * sizeof *results);
    if (results == NULL) {
        return false;
    }
    reading->results = results;
    out->room = room;
    return true;
}

/* The encounter of a and b, made when it is new: games come sorted by bots, so it is the last. */
static struct results *encounter_of(struct reading *reading, int a, int b)
{
    struct skill *out = reading->out;
    struct skill_encounter *last =
        out->encounters == 0 ? NULL : &out->encounter[out->encounters - 1];

    if (last != NULL && last->a == a && last->b == b) {
        return &reading->results[out->encounters - 1];
    }
    if (out->encounters == out->room && !more_encounters(reading)) {
        return NULL;
    }
    out->encounter[out->encounters] = (struct skill_encounter){.a = a, .b = b};
    reading->results[out->encounters] = (struct results){0};
    return &reading->results[out->encounters++];
}

static bool put_result(struct results *results, const struct luck_result *result)
{
    if (results->count == results->room) {
        size_t room = results->room == 0 ? 64 : 2 * results->room;
        struct luck_result *more = realloc(results->result, room * sizeof *more);

        if (more == NULL) {
            return false;
        }
        results->result = more;
        results->room = room;
    }
    results->result[results->count++] = *result;
    return true;
}

/* Luck of a leg is that of all its games: a match in which one was not judged is left out. */
static bool add_luck(struct reading *reading, struct results *results,
                     const struct store_game *game, const struct judgement *judgement)
{
    struct leg *leg = &reading->leg;
    bool money = game->length_points == 0;

    if (game->game == 0 || leg->pair != game->pair || leg->leg != game->leg ||
        leg->games != game->game || money) {
        *leg =
            (struct leg){.pair = game->pair, .leg = game->leg, .whole = money || game->game == 0};
    }
    leg->games = game->game + 1;
    leg->luck += judgement->luck[0] - judgement->luck[1];
    for (size_t i = 0; i < judgement->rolls; i++) {
        luck_rolls_add(&results->rolls[judgement->roll[i].bot], judgement->roll[i].luck);
    }
    if (!leg->whole || (!money && (!game->match_over || game->match_winner < 0))) {
        return true;
    }

    struct luck_result result = {
        .cluster = game->pair,
        .result =
            money
                ? game->winner < 0 ? 0 : (double)(game->winner == 0 ? game->points : -game->points)
                : game->match_winner == 0,
        .luck = leg->luck,
    };

    return put_result(results, &result);
}

/* Keeps the largest errors of a bot, largest first. */
static bool keep_worst(struct skill_bot *bot, const struct judged_choice *choice,
                       const char *game_id)
{
    int place = bot->worst_count;
    char *id;

    while (place > 0 && bot->worst[place - 1].error < choice->error) {
        place--;
    }
    if (place == SKILL_WORST || !(choice->error > 0)) {
        return true;
    }
    id = strdup(game_id);
    if (id == NULL) {
        return false;
    }
    if (bot->worst_count == SKILL_WORST) {
        free(bot->worst[--bot->worst_count].game_id);
    }
    memmove(&bot->worst[place + 1], &bot->worst[place],
            (size_t)(bot->worst_count - place) * sizeof bot->worst[0]);
    bot->worst_count++;
    bot->worst[place] = (struct skill_worst){.game_id = id,
                                             .step = choice->step,
                                             .kind = choice->kind,
                                             .error = choice->error,
                                             .loss = choice->loss};
    memcpy(bot->worst[place].best, choice->best, sizeof choice->best);
    return true;
}

static bool add_choices(struct skill *out, const int bots[2], const struct store_game *game,
                        const struct judgement *judgement)
{
    bool fine = true;

    out->choices = out->choices || judgement->has_choices;
    for (size_t i = 0; fine && i < judgement->choices; i++) {
        const struct judged_choice *choice = &judgement->choice[i];
        struct skill_bot *bot = &out->bot[bots[choice->bot]];
        struct errors_sum *sum = &bot->sum[choice->kind];

        if (choice->kind == JUDGED_PLAY) {
            sum->moves++;
            out->bot[bots[1 - choice->bot]].foe_moves++;
        }
        if (choice->counted) {
            sum->counted++;
            sum->error += choice->error;
            fine = keep_worst(bot, choice, game->id);
        }
    }
    return fine;
}

static bool add_judgement(void *user, const struct store_game *game,
                          const struct judgement *judgement)
{
    struct reading *reading = user;
    struct skill *out = reading->out;
    int bots[2] = {tally_find(reading->tally, game->a), tally_find(reading->tally, game->b)};
    struct results *results;

    if (bots[0] < 0 || bots[1] < 0) {
        return true; /* finished after the counts were read */
    }
    results = encounter_of(reading, bots[0], bots[1]);
    if (results == NULL || !add_luck(reading, results, game, judgement) ||
        !add_choices(out, bots, game, judgement)) {
        return fail(reading);
    }
    out->games++;
    if (judgement->cpu_ns >= 0) {
        out->cpu_s += (double)judgement->cpu_ns / 1e9;
        out->cpu_games++;
    }
    return true;
}

/* -------------------------------------------------------------- summarising */

static void merge_rolls(struct luck_rolls *sum, const struct luck_rolls *more)
{
    double rolls = sum->rolls + more->rolls, apart = more->mean - sum->mean;

    if (more->rolls > 0) {
        sum->squares += more->squares + apart * apart * sum->rolls * more->rolls / rolls;
        sum->mean += apart * more->rolls / rolls;
        sum->rolls = rolls;
    }
}

/* The results of one bot against everybody, with clusters that differ between encounters. */
static enum bg_status summarise_bot(struct reading *reading, int bot, struct luck_result *work)
{
    struct skill *out = reading->out;
    struct luck_rolls rolls[2] = {{.rolls = 0}, {.rolls = 0}};
    size_t count = 0;

    for (int e = 0; e < out->encounters; e++) {
        const struct skill_encounter *encounter = &out->encounter[e];
        const struct results *results = &reading->results[e];
        int flip = encounter->b == bot;

        if (encounter->a != bot && encounter->b != bot) {
            continue;
        }
        for (size_t i = 0; i < results->count; i++) {
            struct luck_result result = results->result[i];

            result.cluster = (uint64_t)e << 40 | (result.cluster & ((UINT64_C(1) << 40) - 1));
            if (flip) {
                result.result = luck_other_side(out->unit, result.result);
                result.luck = -result.luck;
            }
            work[count++] = result;
        }
        merge_rolls(&rolls[0], &results->rolls[flip]);
        merge_rolls(&rolls[1], &results->rolls[1 - flip]);
    }
    return luck_summary_of(&out->bot[bot].luck, out->unit, work, count, rolls, reading->err);
}

static enum bg_status summarise(struct reading *reading)
{
    struct skill *out = reading->out;
    enum bg_status status = BG_OK;
    struct luck_result *work = NULL;
    size_t all = 1;

    for (int e = 0; status == BG_OK && e < out->encounters; e++) {
        struct results *results = &reading->results[e];

        all += results->count;
        status = luck_summary_of(&out->encounter[e].luck, out->unit, results->result,
                                 results->count, results->rolls, reading->err);
    }
    work = calloc(all, sizeof *work);
    if (work == NULL) {
        return bg_error_set(reading->err, BG_E_MEMORY, "judgements of an event");
    }
    for (int bot = 0; status == BG_OK && bot < out->bots; bot++) {
        status = summarise_bot(reading, bot, work);
    }
    free(work);
    return status;
}

enum bg_status skill_read(struct skill *out, struct store *store, const struct tally *tally,
                          const char *judge, struct bg_error *err)
{
    struct choice choice = {.wanted = judge};
    struct reading reading = {.out = out, .tally = tally, .err = err};
    enum bg_status status = store->ops->each_judge(store, choose, &choice, err);

    *out = (struct skill){.unit = tally->length_points == 0 ? LUCK_POINTS : LUCK_MWC,
                          .bots = tally->bots,
                          .judge = choice.judge};
    out->bot = calloc((size_t)tally->bots + 1, sizeof *out->bot);
    if (status == BG_OK && (choice.failed || out->bot == NULL)) {
        status = bg_error_set(err, BG_E_MEMORY, "judgements of an event");
    }
    if (status == BG_OK && judge != NULL && choice.judge == NULL) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "judge '%.100s': has judged nothing here; %s%.300s", judge,
                              choice.known[0] == '\0' ? "nobody has" : "there are ", choice.known);
    }
    if (status == BG_OK && choice.judge != NULL) {
        status = store->ops->each_judgement(store, choice.judge, add_judgement, &reading, err);
    }
    if (status == BG_OK) {
        status = reading.status;
    }
    if (status == BG_OK) {
        status = summarise(&reading);
    }
    for (int e = 0; e < out->encounters; e++) {
        free(reading.results[e].result);
    }
    free(reading.results);
    if (status != BG_OK) {
        skill_deinit(out);
    }
    return status;
}

void skill_deinit(struct skill *skill)
{
    for (int bot = 0; skill->bot != NULL && bot < skill->bots; bot++) {
        for (int i = 0; i < skill->bot[bot].worst_count; i++) {
            free(skill->bot[bot].worst[i].game_id);
        }
    }
    free(skill->judge);
    free(skill->bot);
    free(skill->encounter);
    *skill = (struct skill){0};
}

const struct skill_encounter *skill_encounter(const struct skill *skill, int x, int y, bool *flip)
{
    for (int e = 0; e < skill->encounters; e++) {
        const struct skill_encounter *encounter = &skill->encounter[e];

        *flip = encounter->b == x;
        if ((encounter->a == x && encounter->b == y) || (encounter->a == y && encounter->b == x)) {
            return encounter;
        }
    }
    return NULL;
}
