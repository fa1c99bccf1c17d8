/* The dice follow from the trial's number and the ply, not from the line, so all lines of a
 * trial have the same dice, and their difference varies less. The first throws of 36 trials are
 * all 36 throws once, which takes the luck of the first roll out of the sum. */
#include "trial.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "numbers/draw.h"
#include "value_ask.h"

enum { THROWS = 36 };

/* ---------------------------------------------------------------- dice */

enum bg_status trial_rules_init(struct trial_rules *out, const struct bg_match *start,
                                uint64_t seed, const char *text, struct bg_error *err)
{
    int length = start->rules.length_points;
    struct bg_dice_key key;

    *out = (struct trial_rules){.cube_log2 = start->cube_log2};
    bg_dice_key_from_seed(&key, seed);
    bg_dice_pair_key(&out->key, &key, &(struct bg_dice_pair){.a = "rollout", .b = text});
    if (length > MET_AWAY_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "a match to %d points: a rollout knows match equities up to %d", length,
                            MET_AWAY_MAX);
    }
    return length == 0 ? BG_OK : met_model(&out->met, length, err);
}

void trial_rules_deinit(struct trial_rules *rules)
{
    met_deinit(&rules->met);
}

/* Returns the first throw of a trial, 0..35: a shuffle of all throws for each 36 trials. */
static int first_throw(const struct trial_rules *rules, uint64_t number)
{
    uint64_t seed;
    uint8_t throws[THROWS] = {0};

    memcpy(&seed, rules->key.bytes, sizeof seed);
    struct draw draw = DRAW_INIT(seed + number / THROWS);
    for (int i = 0; i < THROWS; i++) {
        int j = (int)draw_below(&draw, (uint64_t)i + 1);

        throws[i] = throws[j];
        throws[j] = (uint8_t)i;
    }
    return throws[number % THROWS];
}

static struct bg_roll roll_of(const struct trial *trial)
{
    uint8_t die[2];

    if (trial->ply == 0) {
        int throw = first_throw(trial->rules, trial->number);

        return (struct bg_roll){{(uint8_t)(throw / 6 + 1), (uint8_t)(throw % 6 + 1), 0}};
    }
    bg_dice_draw(die, 2, &trial->rules->key, trial->number, BG_STREAM_0, (uint64_t)trial->ply);
    return (struct bg_roll){{die[0], die[1], 0}};
}

int trial_first_roll(const struct trial_rules *rules, uint64_t number)
{
    int throw = first_throw(rules, number);

    return bg_roll_number((struct bg_roll){{(uint8_t)(throw / 6 + 1), (uint8_t)(throw % 6 + 1)}});
}

/* ---------------------------------------------------------------- values */

static bool is_match(const struct trial *trial)
{
    return trial->match.rules.length_points > 0;
}

/* Returns own's value for a value of seat's at the present cube. */
static double own_value(const struct trial *trial, int seat, double value)
{
    bool mine = seat == trial->rules->own;

    if (is_match(trial)) {
        return mine ? value : 1.0 - value;
    }
    return ldexp(mine ? value : -value, trial->match.cube_log2 - trial->rules->cube_log2);
}

/* A drawn game changes nothing: the match goes on at the same score. */
static double match_value(const struct trial *trial)
{
    const struct bg_match *match = &trial->match;
    const struct bg_result *result = &match->result;
    int own = trial->rules->own, length = match->rules.length_points;
    int64_t before[2] = {match->score[0], match->score[1]};
    struct met_score score = {.crawford = match->crawford_game,
                              .crawford_done = match->crawford_done};
    int points = result->points > length ? length : (int)result->points;

    if (result->winner >= 0) {
        before[result->winner] -= result->points; /* the machine has already counted it */
    }
    for (int side = 0; side < 2; side++) {
        score.away[side] = length - (int)before[side];
    }
    return met_chance_after(&trial->rules->met, &score, own,
                            result->winner < 0 ? own : result->winner, points);
}

static void chances_of_result(struct trial *trial)
{
    const struct bg_result *result = &trial->match.result;
    struct bg_chances *out = &trial->chances;
    bool wins = result->winner == trial->rules->own, loses = result->winner >= 0 && !wins;

    *out = (struct bg_chances){
        .win = wins,
        .win_gammon = wins && result->level >= 2,
        .win_backgammon = wins && result->level >= 3,
        .lose_gammon = loses && result->level >= 2,
        .lose_backgammon = loses && result->level >= 3,
    };
    trial->has_chances = true;
}

/* Ends the trial if its game is over. */
static bool ends(struct trial *trial)
{
    const struct bg_result *result = &trial->match.result;
    double sign = result->winner == trial->rules->own ? 1.0 : -1.0;

    if (result->end == BG_END_NONE) {
        return false;
    }
    trial->over = true;
    trial->value = is_match(trial) ? match_value(trial)
                                   : ldexp(sign * (double)result->points, -trial->rules->cube_log2);
    trial->value -= trial->luck;
    chances_of_result(trial);
    return true;
}

/* ---------------------------------------------------------------- play */

void trial_begin(struct trial *out, const struct trial_rules *rules,
                 const struct trial_start *start, uint64_t number)
{
    *out = (struct trial){
        .rules = rules, .match = start->match, .decided = start->decided, .number = number};
    (void)ends(out);
}

bool trial_ask(struct bg_ask *out, const struct trial *trial)
{
    const struct bg_need *need = &trial->match.need;
    enum bg_decision kind = trial->cut                                        ? BG_VALUE_POSITION
                            : need->kind == BG_NEED_DOUBLE && !trial->decided ? BG_VALUE_CUBE
                                                                              : BG_VALUE_ROLLS;

    if (!trial->over) {
        value_ask_fill(out, &trial->match, need->seat, kind);
    }
    return !trial->over;
}

static void step(struct trial *trial, const struct bg_step *step)
{
    enum bg_rule broken = bg_match_step(&trial->match, step);

    assert(broken == BG_RULE_NONE);
    (void)broken;
}

/* Doubles if that is right by the bot's values; the opponent answers by the same values. */
static void take_cube(struct trial *trial, const struct bg_value *value)
{
    const struct bg_cube_values *cube = &value->of.cube;
    int seat = trial->match.need.seat;
    bool takes = !value->cannot && cube->double_take < cube->double_pass;

    trial->decided = true;
    if (value->cannot || fmin(cube->double_take, cube->double_pass) <= cube->no_double) {
        return;
    }
    step(trial, &(struct bg_step){.kind = BG_STEP_DOUBLE, .seat = seat});
    step(trial, &(struct bg_step){.kind = takes ? BG_STEP_TAKE : BG_STEP_PASS, .seat = 1 - seat});
    (void)ends(trial);
}

static enum bg_status take_rolls(struct trial *trial, const struct bg_value *value,
                                 struct bg_error *err)
{
    const struct bg_roll_values *rolls = &value->of.rolls;
    int seat = trial->match.need.seat, number;
    struct bg_roll roll = roll_of(trial);
    double before = 0.0, after;

    if (value->cannot) {
        return bg_error_set(err, BG_E_ARGUMENT, "it cannot value a position of the rollout: %s",
                            value->why);
    }
    number = bg_roll_number(roll);
    for (int i = 0; i < BG_ROLLS; i++) {
        before += bg_roll_weight(i) * own_value(trial, seat, rolls->equity[i]) / THROWS;
    }
    after = own_value(trial, seat, rolls->equity[number]);
    trial->luck += trial->rules->reduces ? after - before : 0.0;
    step(trial,
         &(struct bg_step){.kind = BG_STEP_ROLL, .seat = seat, .die = {roll.die[0], roll.die[1]}});
    if (trial->match.need.kind == BG_NEED_PLAY && trial->match.need.seat == seat) {
        step(trial,
             &(struct bg_step){.kind = BG_STEP_PLAY, .seat = seat, .play = rolls->best[number]});
    }
    trial->ply++;
    trial->decided = false;
    if (!ends(trial) && trial->ply == trial->rules->plies) {
        trial->value = after - trial->luck;
        trial->cut = trial->rules->chances;
        trial->over = !trial->cut;
    }
    return BG_OK;
}

static void take_chances(struct trial *trial, const struct bg_value *value)
{
    const struct bg_chances *in = &value->of.chances;
    bool mine = trial->match.need.seat == trial->rules->own;

    trial->over = true;
    trial->has_chances = !value->cannot;
    trial->chances = *in;
    if (!mine) {
        double win_gammon = in->win_gammon, win_backgammon = in->win_backgammon;

        trial->chances.win = 1.0 - in->win;
        trial->chances.win_gammon = in->lose_gammon;
        trial->chances.win_backgammon = in->lose_backgammon;
        trial->chances.lose_gammon = win_gammon;
        trial->chances.lose_backgammon = win_backgammon;
    }
}

enum bg_status trial_take(struct trial *trial, const struct bg_value *value, struct bg_error *err)
{
    const struct bg_need *need = &trial->match.need;

    assert(!trial->over);
    if (trial->cut) {
        take_chances(trial, value);
        return BG_OK;
    }
    if (need->kind == BG_NEED_DOUBLE && !trial->decided) {
        take_cube(trial, value);
        return BG_OK;
    }
    return take_rolls(trial, value, err);
}
