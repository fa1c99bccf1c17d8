#include "judged_sums.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <store/counted.h>

#include "decision_key.h"
#include "record/game_id.h"
#include "leg_luck.h"

/* The leg being read; its games follow each other. */
struct judged_sums_leg {
    int a, b;
    uint64_t pair;
    int leg;
    struct leg_luck luck;
    double error, decisions; /* of both sides' counted decisions */
};

struct judged_sums_reading {
    struct judged_sums *out;
    const struct tally *tally; /* NULL: bots are numbered in order of appearance */
    uint64_t counted;          /* only pairs below this count */
    struct judged_sums_leg leg;
};

/* ---------------------------------------------------------------- which judge */

struct judged_sums_choice {
    const char *wanted;
    char *judge;
    uint64_t games;
    char known[400]; /* all judges' names, for the error message */
};

static bool is_wanted(const char *judge, const char *wanted)
{
    size_t size = wanted == NULL ? 0 : strlen(wanted);

    return wanted == NULL ||
           (strncmp(judge, wanted, size) == 0 && (judge[size] == ' ' || judge[size] == '\0'));
}

/* Chooses the wanted judge with most games; an exact name has priority. */
static void choose(void *user, const char *judge, uint64_t games)
{
    struct judged_sums_choice *choice = user;
    size_t used = strlen(choice->known);

    snprintf(choice->known + used, sizeof choice->known - used, "%s'%s'", used > 0 ? ", " : "",
             judge);
    if (choice->wanted != NULL && strcmp(judge, choice->wanted) == 0) {
        games = UINT64_MAX;
    }
    if (is_wanted(judge, choice->wanted) && games > choice->games) {
        free(choice->judge);
        choice->judge = memory_text(judge);
        choice->games = games;
    }
}

/* ------------------------------------------------------------------ reading */

/* Returns a bot's number; -1: not in the tally. */
static int bot_number(struct judged_sums_reading *reading, const char *name)
{
    struct judged_sums *out = reading->out;

    if (reading->tally != NULL) {
        return tally_find(reading->tally, name);
    }
    for (int i = out->bots - 1; i >= 0; i--) {
        if (strcmp(out->bot[i].name, name) == 0) {
            return i;
        }
    }
    out->bot = memory_list(out->bot, &out->bot_room, (size_t)out->bots + 1, sizeof *out->bot);
    out->bot[out->bots] = (struct judged_bot){.name = memory_text(name)};
    return out->bots++;
}

/* Returns the encounter of a and b, or creates it. Games are sorted by bots, so it is the last
 * one. */
static struct judged_encounter *encounter_of(struct judged_sums *out, int a, int b)
{
    struct judged_encounter *last =
        out->encounters == 0 ? NULL : &out->encounter[out->encounters - 1];

    if (last != NULL && last->a == a && last->b == b) {
        return last;
    }
    out->encounter = memory_list(out->encounter, &out->room, (size_t)out->encounters + 1,
                                 sizeof *out->encounter);
    out->encounter[out->encounters] = (struct judged_encounter){.a = a, .b = b};
    return &out->encounter[out->encounters++];
}

/* Returns a's errors minus b's. */
static double loss_of(const struct judgement *judgement)
{
    double loss = 0;

    for (size_t i = 0; i < judgement->choices; i++) {
        const struct judged_choice *choice = &judgement->choice[i];

        loss += choice->bot == 0 ? choice->loss : -choice->loss;
    }
    return loss;
}

/* Adds the game to its leg; starts a new leg if the game belongs to another one. Returns whether
 * the leg counts with this game, its last one. */
static bool count_judged(struct judged_sums_leg *leg, const struct judged_encounter *encounter,
                         const struct store_game *game, const struct judgement *judgement)
{
    const struct leg_luck_game judged = {judgement->luck[0] - judgement->luck[1],
                                         loss_of(judgement), judgement->has_choices};
    bool money = game->length_points == 0;
    int number = money ? 0 : game->game;

    if (money || leg->a != encounter->a || leg->b != encounter->b || leg->pair != game->pair ||
        leg->leg != game->leg) {
        leg_luck_clear(&leg->luck);
        leg->error = leg->decisions = 0;
        leg->a = encounter->a;
        leg->b = encounter->b;
        leg->pair = game->pair;
        leg->leg = game->leg;
    }
    for (size_t i = 0; i < judgement->choices; i++) {
        leg->error += judgement->choice[i].counted ? judgement->choice[i].error : 0;
        leg->decisions += judgement->choice[i].counted;
    }
    leg_luck_add(&leg->luck, number, &judged);
    return (money || game->match_over) && leg_luck_is_whole(&leg->luck, number + 1);
}

static double result_of(const struct store_game *game)
{
    if (game->length_points == 0) {
        return game->winner < 0    ? 0
               : game->winner == 0 ? (double)game->points
                                   : -(double)game->points;
    }
    return pair_share(pair_state_of(game->match_winner));
}

/* Adds the luck of rolls. Leaves out a game's first roll: it also decides the starter, so on
 * average it favours the starter, who is credited with it. */
static void add_rolls(struct judged_encounter *encounter, const struct judgement *judgement)
{
    for (size_t i = 1; i < judgement->rolls; i++) {
        luck_rolls_add(&encounter->rolls[judgement->roll[i].bot], judgement->roll[i].luck);
    }
}

/* Keeps a bot's largest errors, largest first. */
static void keep_worst(struct judged_bot *bot, const struct judged_choice *choice,
                       const char *game_id)
{
    int place = bot->worst_count;

    while (place > 0 && bot->worst[place - 1].error < choice->error) {
        place--;
    }
    if (place == JUDGED_WORST || !(choice->error > 0)) {
        return;
    }
    if (bot->worst_count == JUDGED_WORST) {
        free(bot->worst[--bot->worst_count].game_id);
    }
    memmove(&bot->worst[place + 1], &bot->worst[place],
            (size_t)(bot->worst_count - place) * sizeof bot->worst[0]);
    bot->worst_count++;
    bot->worst[place] = (struct judged_worst){.game_id = memory_text(game_id),
                                              .step = choice->step,
                                              .kind = choice->kind,
                                              .error = choice->error,
                                              .loss = choice->loss};
    memcpy(bot->worst[place].best, choice->best, sizeof choice->best);
}

static void add_choices(struct judged_sums *out, struct judged_encounter *encounter,
                        const struct store_game *game, const struct judgement *judgement)
{
    const int bots[2] = {encounter->a, encounter->b};

    out->choices = out->choices || judgement->has_choices;
    encounter->has_errors = encounter->has_errors || judgement->has_choices;
    for (size_t i = 0; i < judgement->choices; i++) {
        const struct judged_choice *choice = &judgement->choice[i];
        struct judged_bot *bot = &out->bot[bots[choice->bot]];
        struct errors_sum *sums[2] = {&bot->sum[choice->kind],
                                      &encounter->sum[choice->bot][choice->kind]};

        if (choice->kind == JUDGED_PLAY) {
            out->bot[bots[1 - choice->bot]].opponent_moves++;
        }
        for (int k = 0; k < 2; k++) {
            errors_count(sums[k], choice->kind == JUDGED_PLAY, choice->counted, choice->error);
        }
        if (choice->counted) {
            keep_worst(bot, choice, game->id);
        }
    }
}

static bool add_judgement(void *user, const struct store_game *game,
                          const struct judgement *judgement)
{
    struct judged_sums_reading *reading = user;
    struct judged_sums *out = reading->out;
    int a = bot_number(reading, game->a), b = bot_number(reading, game->b);
    struct judged_encounter *encounter;

    if (a < 0 || b < 0 || game->pair >= reading->counted) {
        return true; /* finished after the counts were read, or surplus */
    }
    encounter = encounter_of(out, a, b);
    if (count_judged(&reading->leg, encounter, game, judgement)) {
        const struct judged_sums_leg *leg = &reading->leg;

        encounter->result = memory_list(encounter->result, &encounter->room, encounter->results + 1,
                                        sizeof *encounter->result);
        encounter->result[encounter->results++] =
            (struct luck_result){.cluster = game->pair,
                                 .result = result_of(game),
                                 .luck = leg->luck.luck,
                                 .has_loss = !leg->luck.lacks_loss,
                                 .loss = leg->luck.loss,
                                 .error = leg->decisions > 0 ? leg->error / leg->decisions : 0};
    }
    add_rolls(encounter, judgement);
    for (size_t i = 0; i < judgement->rolls; i++) {
        out->noise += judgement->roll[i].se * judgement->roll[i].se;
    }
    add_choices(out, encounter, game, judgement);
    out->length_points = game->length_points;
    encounter->games++;
    out->games++;
    if (judgement->cpu_ns >= 0) {
        out->cpu_s += (double)judgement->cpu_ns / 1e9;
        out->cpu_games++;
    }
    return true;
}

/* -------------------------------------------------------------- summarising */

static struct luck_result flipped(enum luck_unit unit, const struct luck_result *result)
{
    return (struct luck_result){.cluster = result->cluster,
                                .result = luck_other_side(unit, result->result),
                                .luck = -result->luck,
                                .has_loss = result->has_loss,
                                .loss = -result->loss,
                                .error = result->error};
}

/* Sums up one bot's results against all opponents; clusters have different numbers in each
 * encounter. */
static void summarise_bot(struct judged_sums *out, int bot, struct luck_result *work)
{
    struct luck_rolls rolls[2] = {{.rolls = 0}, {.rolls = 0}};
    size_t count = 0;

    for (int e = 0; e < out->encounters; e++) {
        const struct judged_encounter *encounter = &out->encounter[e];
        int flip = encounter->b == bot;

        if (encounter->a != bot && encounter->b != bot) {
            continue;
        }
        for (size_t i = 0; i < encounter->results; i++) {
            work[count] = flip ? flipped(out->unit, &encounter->result[i]) : encounter->result[i];
            work[count].against = e;
            /* The number of the encounter stands before that of the pair: pair 1 against one
             * opponent and pair 1 against another have different dice. */
            work[count].cluster =
                (uint64_t)e << 40 | (work[count].cluster & ((UINT64_C(1) << 40) - 1));
            count++;
        }
        luck_rolls_merge(&rolls[0], &encounter->rolls[flip]);
        luck_rolls_merge(&rolls[1], &encounter->rolls[1 - flip]);
    }
    luck_summary_of(&out->bot[bot].luck, out->unit, work, count, rolls);
}

static void summarise(struct judged_sums *out)
{
    struct luck_result *work;
    size_t all = 0;

    for (int e = 0; e < out->encounters; e++) {
        struct judged_encounter *encounter = &out->encounter[e];

        all += encounter->results;
        luck_summary_of(&encounter->luck, out->unit, encounter->result, encounter->results,
                        encounter->rolls);
    }
    work = memory_zeroed(all, sizeof *work);
    for (int bot = 0; bot < out->bots; bot++) {
        summarise_bot(out, bot, work);
    }
    free(work);
}

void judged_sums_flip(struct luck_summary *out, const struct judged_sums *sums,
                      const struct judged_encounter *encounter)
{
    const struct luck_rolls rolls[2] = {encounter->rolls[1], encounter->rolls[0]};
    struct luck_result *work = memory_zeroed(encounter->results, sizeof *work);

    for (size_t i = 0; i < encounter->results; i++) {
        work[i] = flipped(sums->unit, &encounter->result[i]);
    }
    luck_summary_of(out, sums->unit, work, encounter->results, rolls);
    free(work);
}

/* ----------------------------------------------------------------- the whole */

static void take_tally(struct judged_sums *out, const struct tally *tally)
{
    out->bot = memory_zeroed((size_t)tally->bots, sizeof *out->bot);
    out->bots = tally->bots;
    out->bot_room = (size_t)tally->bots;
    out->length_points = tally->length_points;
    for (int i = 0; i < tally->bots; i++) {
        out->bot[i].name = memory_text(tally->bot[i].name);
        out->bot[i].display = memory_text(tally->bot[i].display);
    }
}

enum bg_status judged_sums_read(struct judged_sums *out, struct store *store,
                                const struct tally *tally, const char *judge, struct bg_error *err)
{
    struct judged_sums_choice choice = {.wanted = judge};
    enum bg_status status = store_each_judge(store, choose, &choice, err);

    *out = (struct judged_sums){.games = 0};
    if (status == BG_OK && judge != NULL && choice.judge == NULL) {
        status = bg_error_set(
            err, BG_E_ARGUMENT, "judge '%.100s': has judged no game of these results; %s%.300s",
            judge, choice.known[0] == '\0' ? "no judge has" : "there are ", choice.known);
    }
    if (status == BG_OK) {
        status = judged_sums_of(out, store, tally, choice.judge, err);
    }
    free(choice.judge);
    return status;
}

enum bg_status judged_sums_of(struct judged_sums *out, struct store *store,
                              const struct tally *tally, const char *judge, struct bg_error *err)
{
    struct judged_sums_reading reading = {.out = out, .tally = tally, .leg = {.a = -1}};
    enum bg_status status = BG_OK;

    *out = (struct judged_sums){.judge = memory_text(judge)};
    if (tally != NULL) {
        take_tally(out, tally);
    }
    if (judge != NULL) {
        status = counted_read(&reading.counted, store, err);
    }
    if (judge != NULL && status == BG_OK) {
        status = store_each_judgement(store, judge, add_judgement, &reading, err);
    }
    leg_luck_deinit(&reading.leg.luck);
    out->unit = out->length_points == 0 ? LUCK_POINTS : LUCK_MWC;
    if (status == BG_OK) {
        summarise(out);
    }
    if (status != BG_OK) {
        judged_sums_deinit(out);
    }
    return status;
}

double judged_sums_noise(const struct judged_sums *sums)
{
    double legs = 0;

    for (int i = 0; i < sums->encounters; i++) {
        legs += (double)sums->encounter[i].results;
    }
    return legs > 0 ? sqrt(sums->noise / legs) : NAN;
}

bool judged_sums_is_exact(const struct judged_sums *sums)
{
    static const double rounding = 0.001; /* of sums of single floats at a high cube */
    bool exact = sums->choices && sums->games >= 10 && sums->bots > 0;

    for (int i = 0; i < sums->bots && exact; i++) { /* not when the spread is not known: NaN */
        exact = sums->bot[i].luck.itself.sd < rounding;
    }
    return exact;
}

double judged_sums_ratio(const struct judged_sums *sums)
{
    double plain = 0, adjusted = 0;

    for (int i = 0; i < sums->encounters; i++) {
        const struct luck_summary *luck = &sums->encounter[i].luck;

        if (isfinite(luck->plain.sd) && isfinite(luck->adjusted.sd)) {
            plain += luck->results * luck->plain.sd * luck->plain.sd;
            adjusted += luck->results * luck->adjusted.sd * luck->adjusted.sd;
        }
    }
    return adjusted > 0 ? plain / adjusted : NAN;
}

double judged_sums_strong(double *results, const struct judged_sums *sums)
{
    double plain = 0, rest = 0;

    *results = 0;
    for (int i = 0; i < sums->encounters; i++) {
        const struct luck_summary *luck = &sums->encounter[i].luck;
        double part = luck->strong.results * luck->strong.sd * luck->strong.sd;

        *results += luck->strong.results;
        if (isfinite(luck->strong.ratio)) {
            plain += part * luck->strong.ratio;
            rest += part;
        }
    }
    return rest > 0 ? plain / rest : NAN;
}

const char *judged_sums_shown(const struct judged_sums *sums, int bot)
{
    const struct judged_bot *known = &sums->bot[bot];

    return known->display != NULL ? known->display : known->name;
}

void judged_sums_deinit(struct judged_sums *sums)
{
    for (int bot = 0; sums->bot != NULL && bot < sums->bots; bot++) {
        for (int i = 0; i < sums->bot[bot].worst_count; i++) {
            free(sums->bot[bot].worst[i].game_id);
        }
        free(sums->bot[bot].name);
        free(sums->bot[bot].display);
    }
    for (int e = 0; e < sums->encounters; e++) {
        free(sums->encounter[e].result);
    }
    free(sums->judge);
    free(sums->bot);
    free(sums->encounter);
    *sums = (struct judged_sums){.games = 0};
}

const struct judged_encounter *judged_sums_encounter(const struct judged_sums *sums, int x, int y,
                                                     bool *flip)
{
    for (int e = 0; e < sums->encounters; e++) {
        const struct judged_encounter *encounter = &sums->encounter[e];

        *flip = encounter->b == x;
        if ((encounter->a == x && encounter->b == y) || (encounter->a == y && encounter->b == x)) {
            return encounter;
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------ the worst choices */

struct blunder_finding {
    struct blunder *blunder;
    bool found;
};

/* Inserts a choice into the worst found so far, which are sorted. */
static void put_worst(struct blunder *out, int *count, int room, int bot,
                      const struct judged_worst *worst)
{
    int place = *count;

    while (place > 0 && out[place - 1].worst.error < worst->error) {
        place--;
    }
    if (place == room) {
        return;
    }
    *count += *count < room;
    memmove(&out[place + 1], &out[place], (size_t)(*count - 1 - place) * sizeof *out);
    memset(&out[place], 0, sizeof *out);
    out[place].bot = bot;
    out[place].worst = *worst;
}

/* Replays the match up to the step of the choice. */
static bool replay(struct blunder *blunder, const struct record_view *view)
{
    struct bg_step step;

    if (!decision_find(&blunder->match, &step, view, blunder->worst.step) || step.seat < 0) {
        return false;
    }
    blunder->seat = step.seat;
    decision_words(blunder->played, &blunder->match, &step);
    return true;
}

static bool look_at_worst(void *user, const struct store_game *game)
{
    struct blunder_finding *finding = user;
    struct blunder *blunder = finding->blunder;
    struct record_view *view = NULL;

    if (strcmp(game->id, blunder->worst.game_id) != 0) {
        return true;
    }
    if (record_read(&view, game->text, game->text_size, NULL) == BG_OK) {
        finding->found = replay(blunder, view);
        snprintf(blunder->opponent, sizeof blunder->opponent, "%s",
                 game_id_bot_at(game->leg, blunder->seat) == 0 ? game->b : game->a);
    }
    record_view_destroy(view);
    return false;
}

static enum bg_status find_blunder(bool *found, struct blunder *blunder, struct store *store,
                                   struct bg_error *err)
{
    struct blunder_finding finding = {.blunder = blunder};
    enum bg_status status = BG_OK;
    struct game_id id;

    if (game_id_read(&id, blunder->worst.game_id)) {
        status = store_leg_games(store, id.a, id.b, id.pair, id.leg, look_at_worst, &finding, err);
    }
    *found = finding.found;
    return status;
}

enum bg_status blunders_find(struct blunder *out, int *count, int room, struct store *store,
                             const struct judged_sums *judged, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int all = 0, each = judged->bots > 0 ? room / judged->bots : 0;

    each = each < 1 ? 1 : each; /* so that a weak bot does not hide the others */
    for (int bot = 0; bot < judged->bots; bot++) {
        for (int i = 0; i < judged->bot[bot].worst_count && i < each; i++) {
            put_worst(out, &all, room, bot, &judged->bot[bot].worst[i]);
        }
    }
    *count = 0;
    for (int i = 0; status == BG_OK && i < all; i++) {
        bool found = false;

        out[*count] = out[i];
        status = find_blunder(&found, &out[*count], store, err);
        *count += found;
    }
    return status;
}
