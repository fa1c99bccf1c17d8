/* turn.c - the flow of a game.
 *
 * A game is turns; a turn is handed-over numbers (gul, gulbara), the cube, and a roll; a roll is
 * one stage or, where the game says so, several, and there may be another roll after them. Every
 * stage goes through begin_stage. It ends in flow_take_result, or is passed over at once, and then
 * go_on_turn is called after one that was played completely, give_up_turn after one that was not.
 */
#include "flow.h"

#include <assert.h>
#include <string.h>

#include <bgref/cube.h>

#include "games.h"

static void begin_stage(struct bg_match *match);

/* ---- stages ---- */

static struct bg_stage same_number(int number, int times)
{
    struct bg_stage stage = {.parts = 1, .part = {{(uint8_t)number, (uint8_t)times}}};

    return stage;
}

static int numbers_of(const struct bg_stage *stage)
{
    int numbers = 0;

    for (int i = 0; i < stage->parts; i++) {
        numbers += stage->part[i].times;
    }
    return numbers;
}

static bool is_double(struct bg_roll roll)
{
    return roll.die[0] == roll.die[1];
}

static bool is_21(struct bg_roll roll)
{
    return roll.die[0] == 2 && roll.die[1] == 1;
}

static bool moves_any(const struct bg_match *match, int seat)
{
    for (int number = 6; number >= 1; number--) {
        /* Only equal numbers pass asodio's gate (V15.1), so the gate never makes a position
         * dead. */
        const struct bg_stage stage = same_number(number, 1);

        if (bg_play_exists(match->rules.variant, &match->board, seat, &stage)) {
            return true;
        }
    }
    return false;
}

/* G10: neither seat can move any more. In games with the hits and moves of backgammon this needs
 * both seats on the bar against six closed points. Reason: without a checker on the bar, only a
 * prime of six in front of every checker outside home stops a seat. The rear of such a prime can
 * always step inside it, unless its own seat is on the bar, and then that seat's entry points are
 * open. */
static bool is_dead(const struct bg_match *match)
{
    const struct bg_board *board = &match->board;
    const int seat = match->on_roll;

    if (match->rules.variant->mover == &mover_hit &&
        (board->at[0][BG_BAR] == 0 || board->at[1][BG_BAR] == 0)) {
        return false;
    }
    return !moves_any(match, seat) && !moves_any(match, 1 - seat);
}

/* ---- turns ---- */

/* Begins the seat's own turn, after any handed-over numbers have been played. */
static void begin_own_turn(struct bg_match *match)
{
    int seat = match->on_roll;

    memset(&match->stage, 0, sizeof match->stage);
    match->part = BG_PART_ROLL;
    match->escalates = false;
    /* Asked at each turn, since in a dead position neither side would ever be asked for a play
     * again, and the match would roll for ever. */
    if (!match->last_turn && is_dead(match)) {
        score_finish(match, BG_END_DEAD, NOBODY, 0);
        return;
    }
    set_need(match, BG_NEED_ROLL, seat);
    if (bg_cube_may_double(match, seat) == BG_RULE_NONE) {
        set_need(match, BG_NEED_DOUBLE, seat);
    }
}

static void enter_turn(struct bg_match *match, int seat)
{
    match->on_roll = seat;
    memset(&match->roll, 0, sizeof match->roll);
    match->resign_level = 0;
    match->resign_offers = 0;
}

void flow_begin_turn(struct bg_match *match, int seat)
{
    /* The first turn of a game, also of one that begins at a set position. */
    if (match->began == NOBODY) {
        match->began = seat;
    }
    enter_turn(match, seat);
    begin_own_turn(match);
}

/* Returns the number of turns after which the game is drawn: the host's cap or the game's own
 * (V18); 0: no limit. */
static int turns_allowed(const struct bg_match *match)
{
    int host = match->rules.turn_cap, own = match->rules.variant->turns_cap;

    return own > 0 && (host == 0 || own < host) ? own : host;
}

/* Counts the turn. Returns false if it ends the game. */
static bool close_turn(struct bg_match *match)
{
    int seat = match->on_roll, cap = turns_allowed(match);

    match->turn++;
    match->turns[seat]++;
    /* V11, flag t: counts up when the turn passes to the other side. */
    if (match->rules.variant->flags == FLAGS_TURNS && match->board.turns[seat] < 3) {
        match->board.turns[seat]++;
    }
    if (match->last_turn && seat != match->began) { /* V4, equal turns: it did not equalise */
        score_finish(match, BG_END_OFF, match->began, score_level(match, match->began));
        return false;
    }
    if (!match->last_turn && cap > 0 && match->turns[0] >= cap && match->turns[1] >= cap) {
        score_finish(match, BG_END_CAP, NOBODY, 0);
        return false;
    }
    return true;
}

static void end_turn(struct bg_match *match)
{
    if (close_turn(match)) {
        flow_begin_turn(match, 1 - match->on_roll);
    }
}

/* ---- numbers that are not played ---- */

/* Returns the part of the stage that its legal plays leave unused; no parts: nothing. All legal
 * plays use the same count of numbers (G6.1); of two different numbers that cannot both be played
 * they use the same one (G6.2). So the play itself does not matter. */
static struct bg_stage unplayed(const struct bg_match *match)
{
    const struct bg_variant *variant = match->rules.variant;
    const struct bg_stage nothing = {0};
    struct bg_stage stage = match->stage, higher = same_number(stage.part[0].number, 1);
    struct bg_play_list list;
    int used;

    bg_play_list(&list, variant, &match->board, match->on_roll, &stage);
    /* Any legal play serves, see above. */
    used = list.count > 0 ? list.play[0].moves : 0;
    if (used == numbers_of(&stage)) {
        return nothing;
    }
    if (stage.parts == 1) {
        stage.part[0].times = (uint8_t)(stage.part[0].times - used);
        return stage;
    }
    assert(used == 1);
    return bg_play_exists(variant, &match->board, match->on_roll, &higher)
               ? same_number(stage.part[1].number, 1)
               : higher;
}

/* V10.2: the opponent's turn begins with the numbers that could not be played. */
static void hand_over(struct bg_match *match, const struct bg_stage *stage, bool escalates)
{
    if (close_turn(match)) {
        enter_turn(match, 1 - match->on_roll);
        match->stage = *stage;
        match->part = BG_PART_CARRY;
        match->escalates = escalates;
        begin_stage(match);
    }
}

/* ---- after a stage was played ---- */

enum follow {
    FOLLOW_END,        /* the turn is over */
    FOLLOW_ROLL,       /* another roll of the same seat */
    FOLLOW_NAME,       /* the seat names a double */
    FOLLOW_NEXT,       /* the next higher number four times */
    FOLLOW_COMPLEMENT, /* seven minus the number four times */
};

/* V10.1, V11.2 */
static enum follow follow_escalating(const struct bg_match *match)
{
    return match->escalates && match->stage.part[0].number < 6 ? FOLLOW_NEXT : FOLLOW_END;
}

/* V14.1 */
static enum follow follow_acey(const struct bg_match *match)
{
    if (match->part == BG_PART_CHOICE) {
        return FOLLOW_ROLL;
    }
    if (is_21(match->roll)) {
        return FOLLOW_NAME;
    }
    return is_double(match->roll) && match->rules.variant->doubles_again ? FOLLOW_ROLL : FOLLOW_END;
}

/* V15.2, and V16.2 without its options. */
static enum follow follow_asodio(const struct bg_match *match, bool named_after_21)
{
    switch (match->part) {
    case BG_PART_COMPLEMENT:
        return FOLLOW_ROLL;
    case BG_PART_CHOICE:
        return FOLLOW_COMPLEMENT;
    default:
        break;
    }
    if (named_after_21 && is_21(match->roll)) {
        return FOLLOW_NAME;
    }
    return is_double(match->roll) ? FOLLOW_COMPLEMENT : FOLLOW_END;
}

static enum follow follow_russian(const struct bg_match *match)
{
    const struct bg_variant *variant = match->rules.variant;

    /* Option first-double=plain: each side's first double is an ordinary roll. */
    if (match->part == BG_PART_ROLL && is_double(match->roll) && variant->plain_first &&
        match->doubles[match->on_roll] == 1) {
        return FOLLOW_END;
    }
    return follow_asodio(match, variant->wild_21 != 0);
}

static enum follow follow_up(const struct bg_match *match)
{
    switch (match->rules.variant->turns) {
    case TURNS_ESCALATE:
        return follow_escalating(match);
    case TURNS_ACEY:
        return follow_acey(match);
    case TURNS_ASODIO:
        return follow_asodio(match, true);
    case TURNS_RUSSIAN:
        return follow_russian(match);
    case TURNS_PLAIN:
        break;
    }
    return FOLLOW_END;
}

/* A carry ends with the seat's own turn; any other stage ends the turn. */
static void end_part(struct bg_match *match)
{
    if (match->part == BG_PART_CARRY) {
        begin_own_turn(match);
    } else {
        end_turn(match);
    }
}

static void go_on_turn(struct bg_match *match)
{
    int number = match->stage.part[0].number;

    switch (follow_up(match)) {
    case FOLLOW_END:
        end_part(match);
        return;
    case FOLLOW_ROLL:
        memset(&match->stage, 0, sizeof match->stage);
        match->part = BG_PART_ROLL;
        set_need(match, BG_NEED_ROLL, match->on_roll);
        return;
    case FOLLOW_NAME:
        memset(&match->stage, 0, sizeof match->stage);
        set_need(match, BG_NEED_NAME, match->on_roll);
        return;
    case FOLLOW_NEXT:
        match->stage = same_number(number + 1, 4);
        match->part = match->part == BG_PART_CARRY ? BG_PART_CARRY : BG_PART_NEXT;
        break;
    case FOLLOW_COMPLEMENT:
        match->stage = same_number(7 - number, 4);
        match->part = BG_PART_COMPLEMENT;
        break;
    }
    begin_stage(match);
}

/* ---- ends ---- */

/* V4, option equal-turns: the side that began has finished first, so the opponent has one more
 * turn. */
static void begin_last_turn(struct bg_match *match)
{
    match->last_turn = true;
    end_turn(match);
}

/* G9, V7.1, V18.1: returns true if the board, or the turn that just ended, has decided the game. */
static bool is_decided(struct bg_match *match)
{
    const struct bg_variant *variant = match->rules.variant;
    int seat = match->on_roll;

    if (match->last_turn) {
        if (match->board.at[seat][BG_OFF] == variant->checkers) {
            score_finish(match, BG_END_SPECIAL, NOBODY, 0);
            return true;
        }
        return false;
    }
    if (variant->mother == 0 && match->board.at[seat][BG_OFF] < variant->checkers) {
        return false; /* only the mover can have finished */
    }
    switch (board_end(&seat, variant, &match->board)) {
    case BOARD_GOES_ON:
        return false;
    case BOARD_OFF:
        if (variant->equal_turns && seat == match->began) {
            begin_last_turn(match);
            return true;
        }
        if (variant->goal == GOAL_LAST_OFF) { /* V18.1 */
            seat = 1 - seat;
        }
        score_finish(match, BG_END_OFF, seat, score_level(match, seat));
        return true;
    case BOARD_MOTHER: /* not a gammon, so Jacoby does not apply */
        score_finish(match, BG_END_SPECIAL, seat, variant->mother);
        return true;
    case BOARD_DRAW:
        score_finish(match, BG_END_SPECIAL, NOBODY, 0);
        return true;
    }
    return false;
}

/* A stage that was not played completely ends the turn. In games with handed-over numbers the
 * opponent gets the rest, but numbers are never handed back. */
static void give_up_turn(struct bg_match *match, const struct bg_stage *left)
{
    if (match->rules.variant->carry && match->part != BG_PART_CARRY) {
        hand_over(match, left, match->escalates);
    } else {
        end_part(match);
    }
}

void flow_take_result(struct bg_match *match, const struct bg_board *result)
{
    struct bg_stage left;

    if (match->rules.variant->turns == TURNS_PLAIN) { /* remaining numbers do not matter */
        match->board = *result;
        if (!is_decided(match)) {
            end_turn(match);
        }
        return;
    }
    left = unplayed(match);
    match->board = *result;
    if (is_decided(match)) {
        return;
    }
    if (left.parts == 0) {
        go_on_turn(match);
    } else {
        give_up_turn(match, &left);
    }
}

static void note_pass(struct bg_match *match)
{
    struct bg_pass *pass = &match->pass[match->passes++];

    assert(match->passes <= BG_PASSES_MAX);
    pass->seat = (int8_t)match->on_roll;
    pass->part = (uint8_t)match->part;
    pass->stage = match->stage;
    memcpy(pass->turns, match->board.turns, sizeof pass->turns);
}

/* G7: a seat without a legal play is not asked. */
static void begin_stage(struct bg_match *match)
{
    if (bg_play_exists(match->rules.variant, &match->board, match->on_roll, &match->stage)) {
        set_need(match, BG_NEED_PLAY, match->on_roll);
        return;
    }
    note_pass(match);
    give_up_turn(match, &match->stage);
}

/* ---- rolls ---- */

/* V11.1: a double in the first turns is an ordinary roll. */
static bool has_grace(const struct bg_match *match)
{
    const uint8_t *turns = match->board.turns;

    switch (match->rules.variant->grace) {
    case GRACE_OWN:
        return turns[match->on_roll] < 3;
    case GRACE_GLOBAL: /* turns alternate, so a count that stopped at 3 is already past the grace */
        return turns[0] + turns[1] < 3;
    case GRACE_NONE:
        break;
    }
    return false;
}

void flow_begin_roll(struct bg_match *match, struct bg_roll roll)
{
    match->roll = roll;
    match->stage = bg_stage_of_roll(match->rules.variant, roll);
    if (is_double(roll)) {
        match->doubles[match->on_roll]++;
        match->escalates = match->rules.variant->turns == TURNS_ESCALATE && !has_grace(match);
    }
    begin_stage(match);
}

void flow_begin_choice(struct bg_match *match, int number)
{
    match->stage = same_number(number, 4);
    match->part = BG_PART_CHOICE;
    begin_stage(match);
}

/* ---- games ---- */

bool flow_is_crawford_score(const struct bg_match *match)
{
    int length = match->rules.length_points;
    int64_t high = match->score[0] > match->score[1] ? match->score[0] : match->score[1];
    int64_t low = match->score[0] + match->score[1] - high;

    return length > 0 && high == length - 1 && low < length - 1;
}

/* G8 and the rotations: the seat that begins the game after the one in *match; NOBODY: the dice
 * decide. */
static int next_to_begin(const struct bg_match *match)
{
    const struct bg_rules *rules = &match->rules;
    enum bg_next next = rules->opening == BG_OPENING_WINNER ? BG_NEXT_WINNER : rules->next;
    bool drawn = match->last_winner == NOBODY;

    if (drawn && (rules->rotation == NULL || next == BG_NEXT_SAME)) {
        return NOBODY;
    }
    switch (next) {
    case BG_NEXT_WINNER:
        return drawn ? match->began : match->last_winner;
    case BG_NEXT_HOYLE: /* V24.2: only a hit gives the right to throw first */
        if (drawn) {
            return match->began;
        }
        return match->result.level == 1 ? match->last_winner : NOBODY;
    case BG_NEXT_ALTERNATE:
        return match->began == NOBODY ? NOBODY : 1 - match->began;
    default:
        return NOBODY;
    }
}

static void clear_game(struct bg_match *match)
{
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
    memset(&match->stage, 0, sizeof match->stage);
    memset(&match->roll, 0, sizeof match->roll);
    match->part = BG_PART_ROLL;
    match->escalates = false;
    match->last_turn = false;
    match->began = NOBODY;
    memset(match->doubles, 0, sizeof match->doubles);
}

void flow_begin_game(struct bg_match *match)
{
    int first = next_to_begin(match);

    if (match->rules.rotation != NULL) {
        match->rules.variant = bg_rotation_game(match->rules.rotation, match->game);
    }
    clear_game(match);
    bg_variant_setup(&match->board, match->rules.variant);
    if (first == NOBODY) {
        set_need(match, BG_NEED_OPENING, HOST);
    } else {
        flow_begin_turn(match, first);
    }
}
