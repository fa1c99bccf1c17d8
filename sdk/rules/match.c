/* match.c - the match machine.
 *
 * A step comes in through bg_match_step, which finds the function for its kind. That function first
 * judges (and returns the broken rule before anything is written), then writes. The flow of a game
 * is in four places: begin_game, begin_turn, begin_stage and after_stage. A game whose turns are
 * made of several stages or rolls differs in after_stage only.
 */
#include <bgref/match.h>

#include <assert.h>
#include <string.h>

#include <bgref/cube.h>

#include "games.h"

enum { HOST = -1, NOBODY = -1, LENGTH_MAX = 10000 };

/* No score may come near the end of 64 bits, whatever cube is added to it. */
#define SCORE_MAX (INT64_C(1) << 60)

/* ---- names ---- */

const char *bg_step_name(enum bg_step_kind kind)
{
    static const char *const names[BG_STEP_COUNT] = {
        "open",   "roll",   "double", "take",   "pass", "raise", "play", "resign",
        "accept", "refuse", "keep",   "reroll", "name", "fault", "next",
    };

    return (unsigned)kind < BG_STEP_COUNT ? names[kind] : "unknown";
}

const char *bg_need_name(enum bg_need_kind kind)
{
    static const char *const names[BG_NEED_COUNT] = {
        "nothing", "opening", "roll", "double",      "take", "raise",
        "play",    "keep",    "name", "resignation", "game",
    };

    return (unsigned)kind < BG_NEED_COUNT ? names[kind] : "unknown";
}

const char *bg_end_name(enum bg_end end)
{
    static const char *const names[BG_END_COUNT] = {
        "none", "off", "pass", "resign", "fault", "dead", "cap", "special",
    };

    return (unsigned)end < BG_END_COUNT ? names[end] : "unknown";
}

/* ---- rules in force ---- */

struct bg_rules bg_rules_default(const struct bg_variant *variant, int length_points)
{
    struct bg_rules rules;

    memset(&rules, 0, sizeof rules); /* padding too: matches may be compared byte for byte */
    rules.variant = variant;
    rules.length_points = length_points;
    rules.opening = bg_variant_opening(variant);
    rules.cube = bg_variant_has_cube(variant);
    rules.jacoby = length_points == 0 && rules.cube;
    rules.crawford = length_points > 0;
    rules.turn_cap = BG_TURN_CAP;
    return rules;
}

/* Options that only money play has (rules 5.2). */
static enum bg_status check_money_options(const struct bg_rules *rules, struct bg_error *err)
{
    bool money = rules->length_points == 0;

    if (rules->jacoby && !money) {
        return bg_error_set(err, BG_E_ARGUMENT, "jacoby: only in money play, not in a match");
    }
    if (rules->beavers && !(money && rules->cube)) {
        return bg_error_set(err, BG_E_ARGUMENT, "beavers: only in money play with the cube");
    }
    if (rules->raises < -1 || rules->raises > BG_CUBE_LOG2_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "raises %d: expected 0 to %d, or -1 for unlimited",
                            rules->raises, BG_CUBE_LOG2_MAX);
    }
    if (rules->raises != 0 && !rules->beavers) {
        return bg_error_set(err, BG_E_ARGUMENT, "raises: need beavers");
    }
    if (rules->auto_doubles < 0 || rules->auto_doubles > BG_CUBE_LOG2_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "auto_doubles %d: expected 0 to %d",
                            rules->auto_doubles, BG_CUBE_LOG2_MAX);
    }
    if (rules->auto_doubles > 0 && !(money && rules->cube)) {
        return bg_error_set(err, BG_E_ARGUMENT, "auto_doubles: only in money play with the cube");
    }
    return BG_OK;
}

enum bg_status bg_rules_check(const struct bg_rules *rules, struct bg_error *err)
{
    if (rules->variant == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "variant: none given");
    }
    if (rules->length_points < 0 || rules->length_points > LENGTH_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "length %d: expected 1 to %d, or 0 for money",
                            rules->length_points, LENGTH_MAX);
    }
    if ((unsigned)rules->opening >= BG_OPENING_COUNT) {
        return bg_error_set(err, BG_E_ARGUMENT, "opening %d: no such mode", (int)rules->opening);
    }
    if (rules->crawford && rules->length_points == 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "crawford: only in a match, not in money play");
    }
    if (rules->holland && !rules->crawford) {
        return bg_error_set(err, BG_E_ARGUMENT, "holland: needs crawford");
    }
    if (rules->turn_cap < 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "turn_cap %d: expected 0 (none) or more",
                            rules->turn_cap);
    }
    return check_money_options(rules, err);
}

/* ---- small words ---- */

static bool is_seat(int seat)
{
    return seat == 0 || seat == 1;
}

static void set_need(struct bg_match *match, enum bg_need_kind kind, int seat)
{
    match->need.kind = kind;
    match->need.seat = seat;
}

static bool owes(const struct bg_match *match, enum bg_need_kind kind, int seat)
{
    return match->need.kind == kind && match->need.seat == seat;
}

/* Rules 5.1, Jacoby: gammons count only after a taken double. Without a cube they always count. */
static int counted_level(const struct bg_match *match, int level)
{
    const struct bg_rules *rules = &match->rules;
    bool jacoby = rules->length_points == 0 && rules->jacoby && rules->cube;

    return jacoby && !match->cube_turned ? 1 : level;
}

static struct bg_roll roll_of(uint8_t a, uint8_t b)
{
    struct bg_roll roll = {{a > b ? a : b, a > b ? b : a, 0}};

    return roll;
}

/* ---- the end of a game ---- */

/* winner NOBODY and level 0: drawn. */
static void finish_game(struct bg_match *match, enum bg_end end, int winner, int level)
{
    int length = match->rules.length_points;

    match->result.end = end;
    match->result.winner = winner;
    match->result.level = level;
    match->result.points = level * bg_cube_stake(match);
    match->last_winner = winner;
    match->doubler = NOBODY;
    match->raise = 0;
    if (winner != NOBODY) {
        match->score[winner] += match->result.points;
    }
    if (length == 0 || (winner != NOBODY && match->score[winner] >= length)) {
        match->match_winner = winner;
        set_need(match, BG_NEED_NOTHING, NOBODY);
    } else {
        set_need(match, BG_NEED_GAME, HOST);
    }
}

int64_t bg_match_forfeit(const struct bg_match *match, int seat, int *level)
{
    int worth;

    assert(is_seat(seat));
    worth =
        match->rules.forfeit_single
            ? 1
            : counted_level(match, bg_variant_level(match->rules.variant, &match->board, 1 - seat));
    if (level != NULL) {
        *level = worth;
    }
    return worth * bg_cube_stake(match);
}

/* ---- the flow of a game ---- */

static bool has_any_move(const struct bg_match *match, int seat)
{
    for (uint8_t number = 1; number <= 6; number++) {
        struct bg_stage stage = {.parts = 1, .part = {{number, 1}}};

        if (bg_play_exists(match->rules.variant, &match->board, seat, &stage)) {
            return true;
        }
    }
    return false;
}

/* G10: neither seat can move any more. Where checkers hit and move as in backgammon this needs both
 * seats on the bar against six closed points: without a checker on the bar a seat is stopped only
 * by a prime of six before every checker that is not home, and the rear of such a prime can always
 * step inside it, unless its own seat is on the bar, whose way in is then open. */
static bool is_dead(const struct bg_match *match)
{
    const struct bg_board *board = &match->board;

    if (match->rules.variant->mover == &mover_hit &&
        (board->at[0][BG_BAR] == 0 || board->at[1][BG_BAR] == 0)) {
        return false;
    }
    return !has_any_move(match, 0) && !has_any_move(match, 1);
}

static void begin_turn(struct bg_match *match, int seat)
{
    match->on_roll = seat;
    memset(&match->roll, 0, sizeof match->roll);
    memset(&match->stage, 0, sizeof match->stage);
    match->resign_level = 0;
    match->resign_offers = 0;
    if (is_dead(match)) {
        finish_game(match, BG_END_DEAD, NOBODY, 0);
        return;
    }
    set_need(match, BG_NEED_ROLL, seat);
    if (bg_cube_may_double(match, seat) == BG_RULE_NONE) {
        set_need(match, BG_NEED_DOUBLE, seat);
    }
}

static void end_turn(struct bg_match *match)
{
    int seat = match->on_roll;
    int cap = match->rules.turn_cap;

    match->turn++;
    match->turns[seat]++;
    if (cap > 0 && match->turns[0] >= cap && match->turns[1] >= cap) {
        finish_game(match, BG_END_CAP, NOBODY, 0);
        return;
    }
    begin_turn(match, 1 - seat);
}

/* A stage has been played, or nothing of it could be. Here games differ: extra rolls, escalated
 * or complementary stages, handed-over numbers, ends other than "all off" (rules 6) are decided
 * here, by what the description of the game says. */
static void after_stage(struct bg_match *match)
{
    const struct bg_variant *variant = match->rules.variant;
    int seat = match->on_roll;

    if (match->board.at[seat][BG_OFF] == variant->checkers) { /* G9 */
        finish_game(match, BG_END_OFF, seat,
                    counted_level(match, bg_variant_level(variant, &match->board, seat)));
        return;
    }
    end_turn(match);
}

/* G7: a seat that cannot play is not asked. */
static void begin_stage(struct bg_match *match)
{
    int seat = match->on_roll;

    if (bg_play_exists(match->rules.variant, &match->board, seat, &match->stage)) {
        set_need(match, BG_NEED_PLAY, seat);
    } else {
        after_stage(match);
    }
}

static void begin_roll(struct bg_match *match, struct bg_roll roll)
{
    match->roll = roll;
    match->stage = bg_stage_of_roll(match->rules.variant, roll);
    begin_stage(match);
}

/* Rules 5.2: the first game after one seat, and only one, has come to length - 1. */
static bool is_crawford_score(const struct bg_match *match)
{
    int length = match->rules.length_points;
    int64_t high = match->score[0] > match->score[1] ? match->score[0] : match->score[1];
    int64_t low = match->score[0] + match->score[1] - high;

    return length > 0 && high == length - 1 && low < length - 1;
}

/* Everything that belongs to one game; score, Crawford and the number of the game stay. */
static void begin_game(struct bg_match *match)
{
    bg_variant_setup(&match->board, match->rules.variant);
    memset(&match->stage, 0, sizeof match->stage);
    memset(&match->roll, 0, sizeof match->roll);
    match->on_roll = NOBODY;
    match->turn = 0;
    memset(match->turns, 0, sizeof match->turns);
    memset(match->rolls, 0, sizeof match->rolls);
    match->openings = 0;
    match->cube_log2 = 0;
    match->cube_owner = BG_CENTRED;
    match->cube_turned = false;
    match->set_position = false;
    match->raise = 0;
    match->doubler = NOBODY;
    match->resign_level = 0;
    match->resign_offers = 0;
    memset(&match->resign_need, 0, sizeof match->resign_need);
    match->auto_doubles = 0;
    memset(&match->result, 0, sizeof match->result);
    match->result.winner = NOBODY;
    /* G8: after a draw nobody is the last winner, and the dice decide again. */
    if (match->rules.opening == BG_OPENING_WINNER && match->last_winner != NOBODY) {
        begin_turn(match, match->last_winner);
    } else {
        set_need(match, BG_NEED_OPENING, HOST);
    }
}

void bg_match_begin(struct bg_match *match, const struct bg_rules *rules)
{
    assert(bg_rules_check(rules, NULL) == BG_OK);
    memset(match, 0, sizeof *match);
    match->rules = *rules;
    match->last_winner = NOBODY;
    match->match_winner = NOBODY;
    begin_game(match);
}

/* ---- beginning elsewhere ---- */

static enum bg_status check_board(const struct bg_board *board, const struct bg_variant *variant,
                                  struct bg_error *err)
{
    for (int seat = 0; seat < 2; seat++) {
        int count = bg_board_count(board, seat);

        if (count != variant->checkers) {
            return bg_error_set(err, BG_E_ARGUMENT, "position: seat %d has %d checkers, not %d",
                                seat, count, variant->checkers);
        }
        if (board->at[seat][BG_OFF] == variant->checkers) {
            return bg_error_set(err, BG_E_ARGUMENT, "position: seat %d has all checkers off", seat);
        }
        for (int slot = BG_FAR; variant->points == BG_POINTS && slot < BG_SLOTS; slot++) {
            if (board->at[seat][slot] != 0) {
                return bg_error_set(err, BG_E_ARGUMENT,
                                    "position: seat %d has checkers on slot %d of a board of 24",
                                    seat, slot);
            }
        }
    }
    for (int slot = 1; variant->contact != CONTACT_NONE && slot <= BG_POINTS; slot++) {
        int foe = bg_variant_foe_slot(variant, slot);

        if (board->at[0][slot] != 0 && board->at[1][foe] != 0 &&
            (board->pinned[0] >> slot & 1) == 0 && (board->pinned[1] >> foe & 1) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "position: both seats have checkers on point %d of seat 0", slot);
        }
    }
    return BG_OK;
}

static enum bg_status check_cube(const struct bg_start *start, const struct bg_rules *rules,
                                 struct bg_error *err)
{
    if (start->cube_log2 < 0 || start->cube_log2 > BG_CUBE_LOG2_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "cube 2^%d: expected 2^0 to 2^%d", start->cube_log2,
                            BG_CUBE_LOG2_MAX);
    }
    if (start->cube_owner < BG_CENTRED || start->cube_owner > 1) {
        return bg_error_set(err, BG_E_ARGUMENT, "cube owner %d: expected 0, 1 or -1 (centred)",
                            start->cube_owner);
    }
    if (!rules->cube && (start->cube_log2 != 0 || start->cube_owner != BG_CENTRED)) {
        return bg_error_set(err, BG_E_ARGUMENT, "cube turned in a game without cube");
    }
    return BG_OK;
}

static enum bg_status check_score(const struct bg_start *start, const struct bg_rules *rules,
                                  struct bg_error *err)
{
    int length = rules->length_points;
    int64_t most = length > 0 ? length - 1 : SCORE_MAX;

    for (int seat = 0; seat < 2; seat++) {
        if (start->score[seat] < 0 || start->score[seat] > most) {
            return bg_error_set(err, BG_E_ARGUMENT, "score %lld of seat %d: expected 0 to %lld",
                                (long long)start->score[seat], seat, (long long)most);
        }
    }
    if (start->game < 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "game %d: expected 0 or more", start->game);
    }
    return BG_OK;
}

/* A score at which the Crawford game is due must say whether it is this game or past. */
static enum bg_status check_crawford(const struct bg_start *start, const struct bg_match *match,
                                     struct bg_error *err)
{
    bool due = match->rules.crawford && is_crawford_score(match);

    if (start->crawford_game && (!due || start->crawford_done)) {
        return bg_error_set(err, BG_E_ARGUMENT, "no Crawford game at %lld-%lld in a match to %d",
                            (long long)start->score[0], (long long)start->score[1],
                            match->rules.length_points);
    }
    if (due && !start->crawford_game && !start->crawford_done) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "score %lld-%lld in a match to %d: either this is the Crawford game "
                            "or it is past",
                            (long long)start->score[0], (long long)start->score[1],
                            match->rules.length_points);
    }
    return BG_OK;
}

enum bg_status bg_match_begin_at(struct bg_match *match, const struct bg_rules *rules,
                                 const struct bg_start *start, struct bg_error *err)
{
    struct bg_match begun;
    enum bg_status status = bg_rules_check(rules, err);

    if (status == BG_OK) {
        status = check_board(&start->board, rules->variant, err);
    }
    if (status == BG_OK) {
        status = check_cube(start, rules, err);
    }
    if (status == BG_OK) {
        status = check_score(start, rules, err);
    }
    if (status == BG_OK && (start->on_roll < NOBODY || start->on_roll > 1)) {
        status = bg_error_set(err, BG_E_ARGUMENT, "seat on roll %d: expected 0, 1 or -1 (opening)",
                              start->on_roll);
    }
    if (status != BG_OK) {
        return status;
    }
    bg_match_begin(&begun, rules);
    begun.board = start->board;
    memcpy(begun.score, start->score, sizeof begun.score);
    begun.cube_log2 = start->cube_log2;
    begun.cube_owner = start->cube_owner;
    begun.cube_turned = start->cube_owner != BG_CENTRED; /* somebody took it */
    begun.crawford_game = start->crawford_game;
    begun.crawford_done = start->crawford_done;
    begun.game = start->game;
    begun.set_position = start->on_roll != NOBODY;
    status = check_crawford(start, &begun, err);
    if (status != BG_OK) {
        return status;
    }
    if (begun.set_position) {
        begin_turn(&begun, start->on_roll);
    }
    *match = begun;
    return BG_OK;
}

struct bg_need bg_match_need(const struct bg_match *match)
{
    return match->need;
}

/* ---- dice ---- */

/* count dice of 1 to 6, the rest unused. */
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
    match->openings++;
    first = sums ? die[0] + die[1] : die[0];
    second = sums ? die[2] + die[3] : die[1];
    if (first == second) {
        if (!sums) {
            double_automatically(match);
        }
        return BG_RULE_NONE;
    }
    begin_turn(match, first > second ? 0 : 1);
    if (mode == BG_OPENING_PLAY && match->need.kind == BG_NEED_ROLL) {
        begin_roll(match, roll_of(die[0], die[1]));
    } else if (mode == BG_OPENING_SUM_PLAY && match->need.kind == BG_NEED_ROLL) {
        begin_roll(match, first > second ? roll_of(die[0], die[1]) : roll_of(die[2], die[3]));
    } else if (mode == BG_OPENING_CHOICE && match->need.kind == BG_NEED_ROLL) {
        match->roll = roll_of(die[0], die[1]);
        set_need(match, BG_NEED_KEEP, match->on_roll);
    }
    /* REROLL, SUM_REROLL and the first game of WINNER: the dice come with the next step. */
    return BG_RULE_NONE;
}

static enum bg_rule step_keep(struct bg_match *match, const struct bg_step *step)
{
    if (!owes(match, BG_NEED_KEEP, step->seat)) {
        return BG_RULE_TURN;
    }
    begin_roll(match, match->roll);
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

/* Dice in any order, high first out. */
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

static enum bg_rule step_roll(struct bg_match *match, const struct bg_step *step)
{
    int dice = match->rules.variant->dice;

    if (!owes(match, BG_NEED_ROLL, step->seat) && !owes(match, BG_NEED_DOUBLE, step->seat)) {
        return BG_RULE_TURN;
    }
    if (!dice_are_valid(step, dice)) {
        return BG_RULE_DICE;
    }
    match->rolls[step->seat]++; /* G7: counted also when nothing can be played */
    begin_roll(match, sorted_roll(step, dice));
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

/* Whoever raises, the cube belongs to the seat that was doubled first (rules 5.1). */
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
    finish_game(match, BG_END_PASS, 1 - step->seat, 1);
    return BG_RULE_NONE;
}

/* Takes what is offered and offers the double of it. */
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

void bg_match_play_result(struct bg_match *match, const struct bg_board *result)
{
    assert(match->need.kind == BG_NEED_PLAY);
    match->board = *result;
    after_stage(match);
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
        bg_match_play_result(match, &result);
    }
    return broken;
}

/* ---- resigning ---- */

/* R2 after R1: offers rise within a turn, and a double is answered by taking or passing. */
static enum bg_rule step_resign(struct bg_match *match, const struct bg_step *step)
{
    enum bg_need_kind kind = match->need.kind;
    bool own_turn = kind == BG_NEED_DOUBLE || kind == BG_NEED_ROLL || kind == BG_NEED_KEEP ||
                    kind == BG_NEED_PLAY || kind == BG_NEED_NAME;

    if (owes_cube_answer(match, step->seat)) {
        return BG_RULE_RESIGN_ORDER;
    }
    if (!own_turn || match->need.seat != step->seat) {
        return BG_RULE_TURN;
    }
    if (step->level < 1 || step->level > bg_variant_level_max(match->rules.variant)) {
        return BG_RULE_RESIGN_LEVEL;
    }
    if (step->level <= match->resign_level || match->resign_offers >= BG_OFFERS_MAX) {
        return BG_RULE_RESIGN_ORDER;
    }
    match->resign_level = step->level;
    match->resign_offers++;
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
    finish_game(match, BG_END_RESIGN, step->seat, counted_level(match, match->resign_level));
    return BG_RULE_NONE;
}

/* Play goes on as if nothing had been said; only the level is remembered until the turn ends. */
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

/* Rules 5.4: a fault may come at any moment of a game, from either seat. */
static enum bg_rule step_fault(struct bg_match *match, const struct bg_step *step)
{
    int level;

    if (match->need.kind == BG_NEED_GAME) {
        return BG_RULE_TURN;
    }
    /* A fault of the host costs no bot anything: the game is void and is no step of a match. */
    if ((unsigned)step->fault >= BG_FAULT_COUNT || step->fault == BG_FAULT_NONE ||
        step->fault == BG_FAULT_HOST) {
        return BG_RULE_SLOT;
    }
    bg_match_forfeit(match, step->seat, &level);
    finish_game(match, BG_END_FAULT, 1 - step->seat, level);
    match->result.fault = step->fault;
    if (match->rules.fault_match) {
        match->match_winner = 1 - step->seat;
        set_need(match, BG_NEED_NOTHING, NOBODY);
    }
    return BG_RULE_NONE;
}

/* Crawford happens once; but a drawn game has decided nothing and is played again as it was. */
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
        match->rules.crawford && !match->crawford_done && is_crawford_score(match);
    match->game++;
    begin_game(match);
    return BG_RULE_NONE;
}

/* No game known here lets a seat name a double. */
static enum bg_rule step_name(struct bg_match *match, const struct bg_step *step)
{
    (void)match;
    (void)step;
    return BG_RULE_TURN;
}

enum bg_rule bg_match_step(struct bg_match *match, const struct bg_step *step)
{
    static const struct {
        enum bg_rule (*take)(struct bg_match *match, const struct bg_step *step);
        bool host;
    } kinds[BG_STEP_COUNT] = {
        [BG_STEP_OPEN] = {step_open, true},      [BG_STEP_ROLL] = {step_roll, false},
        [BG_STEP_DOUBLE] = {step_double, false}, [BG_STEP_TAKE] = {step_take, false},
        [BG_STEP_PASS] = {step_pass, false},     [BG_STEP_RAISE] = {step_raise, false},
        [BG_STEP_PLAY] = {step_play, false},     [BG_STEP_RESIGN] = {step_resign, false},
        [BG_STEP_ACCEPT] = {step_accept, false}, [BG_STEP_REFUSE] = {step_refuse, false},
        [BG_STEP_KEEP] = {step_keep, false},     [BG_STEP_REROLL] = {step_reroll, false},
        [BG_STEP_NAME] = {step_name, false},     [BG_STEP_FAULT] = {step_fault, false},
        [BG_STEP_NEXT] = {step_next, true},
    };

    if (match->need.kind == BG_NEED_NOTHING) { /* M1 */
        return BG_RULE_OVER;
    }
    if ((unsigned)step->kind >= BG_STEP_COUNT) {
        return BG_RULE_TURN;
    }
    if (kinds[step->kind].host ? step->seat != HOST : !is_seat(step->seat)) {
        return BG_RULE_SLOT;
    }
    return kinds[step->kind].take(match, step);
}
