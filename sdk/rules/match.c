/* match.c - the steps of a match.
 *
 * A step comes in through bg_match_step, which finds the function for its kind. That function first
 * judges (and returns the broken rule before anything is written), then writes. What follows from
 * it is the flow of the game (turn.c) or its end (stakes.c).
 */
#include "flow.h"

#include <assert.h>
#include <string.h>

#include <bgref/cube.h>

#include "games.h"

static bool owes(const struct bg_match *match, enum bg_need_kind kind, int seat)
{
    return match->need.kind == kind && match->need.seat == seat;
}

static struct bg_roll roll_of(uint8_t a, uint8_t b)
{
    struct bg_roll roll = {{a > b ? a : b, a > b ? b : a, 0}};

    return roll;
}

struct bg_need bg_match_need(const struct bg_match *match)
{
    return match->need;
}

/* ---- dice ---- */

/* The first count dice are 1 to 6; the others are unused. */
static bool dice_are_valid(const struct bg_step *step, int count)
{
    for (int i = 0; i < 4; i++) {
        if (i < count ? step->die[i] < 1 || step->die[i] > 6 : step->die[i] != 0) {
            return false;
        }
    }
    return true;
}

/* Rules 5.1, automatic doubles: a tie of single dice doubles the centred cube. */
static void double_automatically(struct bg_match *match)
{
    const struct bg_rules *rules = &match->rules;

    if (rules->length_points == 0 && rules->cube && match->auto_doubles < rules->auto_doubles &&
        match->cube_owner == BG_CENTRED && match->cube_log2 < BG_CUBE_LOG2_MAX) {
        match->auto_doubles++;
        match->cube_log2++;
    }
}

static enum bg_rule step_open(struct bg_match *match, const struct bg_step *step)
{
    enum bg_opening mode = match->rules.opening;
    bool sums = mode == BG_OPENING_SUM_REROLL || mode == BG_OPENING_SUM_PLAY;
    const uint8_t *die = step->die;
    int first, second;

    if (match->need.kind != BG_NEED_OPENING) {
        return BG_RULE_TURN;
    }
    if (!dice_are_valid(step, sums ? 4 : 2)) {
        return BG_RULE_DICE;
    }
    /* Ties count: the cube's rule C3 asks whether the game had an opening roll. */
    match->openings++;
    first = sums ? die[0] + die[1] : die[0];
    second = sums ? die[2] + die[3] : die[1];
    if (first == second) {
        if (!sums) {
            double_automatically(match);
        }
        return BG_RULE_NONE;
    }
    flow_begin_turn(match, first > second ? 0 : 1);
    if (mode == BG_OPENING_PLAY && match->need.kind == BG_NEED_ROLL) {
        flow_begin_roll(match, roll_of(die[0], die[1]));
    } else if (mode == BG_OPENING_SUM_PLAY && match->need.kind == BG_NEED_ROLL) {
        flow_begin_roll(match, first > second ? roll_of(die[0], die[1]) : roll_of(die[2], die[3]));
    } else if (mode == BG_OPENING_CHOICE && match->need.kind == BG_NEED_ROLL) {
        match->roll = roll_of(die[0], die[1]);
        set_need(match, BG_NEED_KEEP, match->on_roll);
    }
    /* REROLL, SUM_REROLL and the first game of WINNER: the next step brings the dice. */
    return BG_RULE_NONE;
}

static enum bg_rule step_keep(struct bg_match *match, const struct bg_step *step)
{
    if (!owes(match, BG_NEED_KEEP, step->seat)) {
        return BG_RULE_TURN;
    }
    flow_begin_roll(match, match->roll);
    return BG_RULE_NONE;
}

static enum bg_rule step_reroll(struct bg_match *match, const struct bg_step *step)
{
    if (!owes(match, BG_NEED_KEEP, step->seat)) {
        return BG_RULE_TURN;
    }
    memset(&match->roll, 0, sizeof match->roll);
    set_need(match, BG_NEED_ROLL, step->seat);
    return BG_RULE_NONE;
}

/* Returns the dice with the higher one first. */
static struct bg_roll sorted_roll(const struct bg_step *step, int dice)
{
    struct bg_roll roll = roll_of(step->die[0], step->die[1]);

    if (dice == 3) {
        uint8_t third = step->die[2];

        roll.die[2] = roll.die[1] < third ? roll.die[1] : third;
        roll.die[1] = roll.die[1] < third ? third : roll.die[1];
        if (roll.die[1] > roll.die[0]) {
            roll.die[1] = roll.die[0];
            roll.die[0] = third;
        }
    }
    return roll;
}

int bg_match_dice(const struct bg_match *match)
{
    enum bg_opening mode = match->rules.opening;

    switch (match->need.kind) {
    case BG_NEED_OPENING:
        return mode == BG_OPENING_SUM_REROLL || mode == BG_OPENING_SUM_PLAY ? 4 : 2;
    case BG_NEED_ROLL:
    case BG_NEED_DOUBLE:
        return match->rules.variant->dice;
    default:
        return 0;
    }
}

static enum bg_rule step_roll(struct bg_match *match, const struct bg_step *step)
{
    int dice = match->rules.variant->dice;

    if (!owes(match, BG_NEED_ROLL, step->seat) && !owes(match, BG_NEED_DOUBLE, step->seat)) {
        return BG_RULE_TURN;
    }
    if (!dice_are_valid(step, dice)) {
        return BG_RULE_DICE;
    }
    match->rolls[step->seat]++; /* G7: counted even when no play is possible */
    flow_begin_roll(match, sorted_roll(step, dice));
    return BG_RULE_NONE;
}

/* ---- the cube ---- */

static enum bg_rule step_double(struct bg_match *match, const struct bg_step *step)
{
    enum bg_rule broken = bg_cube_may_double(match, step->seat); /* C1-C6, G7 */

    if (broken != BG_RULE_NONE) {
        return broken;
    }
    match->doubler = step->seat;
    match->raise = 0;
    set_need(match, BG_NEED_TAKE, 1 - step->seat);
    return BG_RULE_NONE;
}

static bool owes_cube_answer(const struct bg_match *match, int seat)
{
    return owes(match, BG_NEED_TAKE, seat) || owes(match, BG_NEED_RAISE, seat);
}

/* The cube belongs to the seat that was doubled first, whichever seat raised (rules 5.1). */
static void turn_cube(struct bg_match *match)
{
    match->cube_log2++;
    match->cube_owner = 1 - match->doubler;
    match->cube_turned = true;
}

static enum bg_rule step_take(struct bg_match *match, const struct bg_step *step)
{
    if (!owes_cube_answer(match, step->seat)) {
        return BG_RULE_TURN;
    }
    turn_cube(match);
    set_need(match, BG_NEED_ROLL, match->doubler);
    match->doubler = NOBODY;
    match->raise = 0;
    return BG_RULE_NONE;
}

static enum bg_rule step_pass(struct bg_match *match, const struct bg_step *step)
{
    if (!owes_cube_answer(match, step->seat)) {
        return BG_RULE_TURN;
    }
    score_finish(match, BG_END_PASS, 1 - step->seat, 1);
    return BG_RULE_NONE;
}

/* Takes the offered cube and offers twice its value. */
static enum bg_rule step_raise(struct bg_match *match, const struct bg_step *step)
{
    enum bg_rule broken;

    if (!owes_cube_answer(match, step->seat)) {
        return BG_RULE_TURN;
    }
    broken = bg_cube_may_raise(match); /* C5, C7 */
    if (broken != BG_RULE_NONE) {
        return broken;
    }
    turn_cube(match);
    match->raise++;
    set_need(match, BG_NEED_RAISE, 1 - step->seat);
    return BG_RULE_NONE;
}

/* ---- plays ---- */

/* The numbers that the last step passed over belong to that step only. Unused entries stay zero, so
 * that equal matches are equal byte for byte. */
static void forget_passes(struct bg_match *match)
{
    if (match->passes > 0) {
        memset(match->pass, 0, sizeof match->pass);
        match->passes = 0;
    }
}

void bg_match_play_result(struct bg_match *match, const struct bg_board *result)
{
    assert(match->need.kind == BG_NEED_PLAY);
    forget_passes(match);
    flow_take_result(match, result);
}

static enum bg_rule step_play(struct bg_match *match, const struct bg_step *step)
{
    struct bg_board result;
    enum bg_rule broken;

    if (!owes(match, BG_NEED_PLAY, step->seat)) {
        return BG_RULE_TURN;
    }
    broken = bg_play_check(&result, match->rules.variant, &match->board, step->seat, &match->stage,
                           &step->play); /* G1-G6 */
    if (broken == BG_RULE_NONE) {
        flow_take_result(match, &result);
    }
    return broken;
}

/* ---- resigning ---- */

static enum bg_rule step_resign(struct bg_match *match, const struct bg_step *step)
{
    enum bg_rule broken = bg_match_may_resign(match, step->seat, step->level);

    if (broken != BG_RULE_NONE) {
        return broken;
    }
    match->resign_level = step->level;
    match->resign_offers++;
    /* What is refused changes nothing: the decision that was open is open again. */
    match->resign_need = match->need;
    set_need(match, BG_NEED_RESIGNATION, 1 - step->seat);
    return BG_RULE_NONE;
}

static enum bg_rule step_accept(struct bg_match *match, const struct bg_step *step)
{
    if (!owes(match, BG_NEED_RESIGNATION, step->seat)) {
        return BG_RULE_TURN;
    }
    memset(&match->resign_need, 0, sizeof match->resign_need);
    score_finish(match, BG_END_RESIGN, step->seat, score_counted(match, match->resign_level));
    return BG_RULE_NONE;
}

/* Play continues unchanged; only the refused level is kept until the turn ends. */
static enum bg_rule step_refuse(struct bg_match *match, const struct bg_step *step)
{
    if (!owes(match, BG_NEED_RESIGNATION, step->seat)) {
        return BG_RULE_TURN;
    }
    match->need = match->resign_need;
    memset(&match->resign_need, 0, sizeof match->resign_need);
    return BG_RULE_NONE;
}

/* ---- the rest ---- */

/* Whether a fault costs the whole match. Who stays away from a match loses it whatever the rules
 * say: else a lost match could be left by losing one game of it. */
static bool costs_match(const struct bg_rules *rules, enum bg_fault fault)
{
    return fault == BG_FAULT_GONE || rules->fault_match ||
           (rules->flag_match && fault == BG_FAULT_LATE);
}

/* Rules 5.4: a fault can happen at any time in a game, by either seat. */
static enum bg_rule step_fault(struct bg_match *match, const struct bg_step *step)
{
    int level;

    if (match->need.kind == BG_NEED_GAME) {
        return BG_RULE_TURN;
    }
    /* A fault of the host costs the bots nothing: the game is void, so it is not a step of a
     * match. */
    if ((unsigned)step->fault >= BG_FAULT_COUNT || step->fault == BG_FAULT_NONE ||
        step->fault == BG_FAULT_HOST) {
        return BG_RULE_SLOT;
    }
    bg_match_forfeit(match, step->seat, &level);
    score_finish(match, BG_END_FAULT, 1 - step->seat, level);
    match->result.fault = step->fault;
    if (costs_match(&match->rules, step->fault)) {
        match->match_winner = 1 - step->seat;
        set_need(match, BG_NEED_NOTHING, NOBODY);
    }
    return BG_RULE_NONE;
}

/* The Crawford game happens once. A drawn game has decided nothing, so it is played again with the
 * same setting. */
static enum bg_rule step_next(struct bg_match *match, const struct bg_step *step)
{
    (void)step;
    if (match->need.kind != BG_NEED_GAME) {
        return BG_RULE_TURN;
    }
    if (match->crawford_game && match->result.winner != NOBODY) {
        match->crawford_done = true;
    }
    match->crawford_game =
        match->rules.crawford && !match->crawford_done && flow_is_crawford_score(match);
    match->game++;
    flow_begin_game(match);
    return BG_RULE_NONE;
}

/* V14.1, V15.2: any double may be named, even one that has no legal play. */
static enum bg_rule step_name(struct bg_match *match, const struct bg_step *step)
{
    if (!owes(match, BG_NEED_NAME, step->seat)) {
        return BG_RULE_TURN;
    }
    if (step->level < 1 || step->level > 6) {
        return BG_RULE_SLOT;
    }
    flow_begin_choice(match, step->level);
    return BG_RULE_NONE;
}

enum bg_rule bg_match_step(struct bg_match *match, const struct bg_step *step)
{
    static const struct {
        enum bg_rule (*take)(struct bg_match *match, const struct bg_step *step);
        bool host;
    } kinds[BG_STEP_COUNT] = {
        /* host: the step is nobody's, so a seat in it is a mistake. */
        [BG_STEP_OPEN] = {step_open, true},      [BG_STEP_ROLL] = {step_roll, false},
        [BG_STEP_DOUBLE] = {step_double, false}, [BG_STEP_TAKE] = {step_take, false},
        [BG_STEP_PASS] = {step_pass, false},     [BG_STEP_RAISE] = {step_raise, false},
        [BG_STEP_PLAY] = {step_play, false},     [BG_STEP_RESIGN] = {step_resign, false},
        [BG_STEP_ACCEPT] = {step_accept, false}, [BG_STEP_REFUSE] = {step_refuse, false},
        [BG_STEP_KEEP] = {step_keep, false},     [BG_STEP_REROLL] = {step_reroll, false},
        [BG_STEP_NAME] = {step_name, false},     [BG_STEP_FAULT] = {step_fault, false},
        [BG_STEP_NEXT] = {step_next, true},
    };
    struct bg_match before;
    enum bg_rule broken;

    if (match->need.kind == BG_NEED_NOTHING) { /* M1 */
        return BG_RULE_OVER;
    }
    if ((unsigned)step->kind >= BG_STEP_COUNT) {
        return BG_RULE_TURN;
    }
    if (kinds[step->kind].host ? step->seat != HOST : !is_seat(step->seat)) {
        return BG_RULE_SLOT;
    }
    if (match->passes == 0) {
        return kinds[step->kind].take(match, step);
    }
    /* A step that breaks a rule changes nothing, and the passes of the last step are part of the
     * match: they are put back. */
    before = *match;
    forget_passes(match);
    broken = kinds[step->kind].take(match, step);
    if (broken != BG_RULE_NONE) {
        *match = before;
    }
    return broken;
}
