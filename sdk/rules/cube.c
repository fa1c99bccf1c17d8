/* May is judged here, what follows from it in match.c: so a bot's question "may I double?" and
 * the verdict on a step are one function, and nobody is asked a question whose answer would be
 * illegal. */
#include <bgref/cube.h>

/* rule.h explains the numbers C1 to C7 beside the rules. */

static bool is_seat(int seat)
{
    return seat == 0 || seat == 1;
}

/* C5: the cube has a largest value, set by the host or by the machine. */
static bool is_beyond(const struct bg_rules *rules, int cube_log2)
{
    return cube_log2 > BG_CUBE_LOG2_MAX ||
           (rules->cube_limit > 0 && INT64_C(1) << cube_log2 > rules->cube_limit);
}

enum bg_rule bg_cube_may_double(const struct bg_match *match, int seat)
{
    const struct bg_rules *rules = &match->rules;
    bool before_roll = match->need.kind == BG_NEED_DOUBLE || match->need.kind == BG_NEED_ROLL;

    if (!is_seat(seat)) {
        return BG_RULE_SLOT;
    }
    if (!before_roll || match->need.seat != seat || match->roll.die[0] != 0) {
        return BG_RULE_TURN;
    }
    /* C1: one-point matches have no cube, and neither has the Crawford game. */
    if (!rules->cube || match->crawford_game || rules->length_points == 1) {
        return BG_RULE_DOUBLE_OFF;
    }
    if (match->cube_owner == 1 - seat) { /* C2 */
        return BG_RULE_DOUBLE_OWNER;
    }
    if (match->turn == 0 && match->openings > 0) { /* C3: not for a game from a set position */
        return BG_RULE_DOUBLE_FIRST;
    }
    /* C4: the cube's present value is already enough for the doubler to win the match. */
    if (rules->length_points > 0 &&
        match->score[seat] + bg_cube_stake(match) >= rules->length_points) {
        return BG_RULE_DOUBLE_DEAD;
    }
    /* A draw is the most that side can reach, so more points are nothing to it. */
    if (match->last_turn) { /* C4 too: V4's last turn can only equal the score */
        return BG_RULE_DOUBLE_DEAD;
    }
    if (is_beyond(rules, match->cube_log2 + 1)) {
        return BG_RULE_DOUBLE_LIMIT;
    }
    /* C6: two turns of each side first; dances count. */
    if (rules->holland && match->crawford_done && (match->turns[0] < 2 || match->turns[1] < 2)) {
        return BG_RULE_DOUBLE_HOLLAND;
    }
    return BG_RULE_NONE;
}

enum bg_rule bg_cube_may_raise(const struct bg_match *match)
{
    const struct bg_rules *rules = &match->rules;

    if (match->need.kind != BG_NEED_TAKE && match->need.kind != BG_NEED_RAISE) {
        return BG_RULE_TURN;
    }
    /* C7: raise is the number of raises so far: 0 asks for the beaver, 1 for the raccoon. */
    if (rules->length_points > 0 || !rules->beavers ||
        (rules->raises >= 0 && match->raise > rules->raises)) {
        return BG_RULE_BEAVER;
    }
    /* C5: a raise takes the offered cube and offers twice its value. */
    return is_beyond(rules, match->cube_log2 + 2) ? BG_RULE_DOUBLE_LIMIT : BG_RULE_NONE;
}

int64_t bg_cube_stake(const struct bg_match *match)
{
    /* An offer turns the cube only when it is taken, and a raise takes the previous offer first. So
     * the cube always shows the points that a pass would cost (rules 5.1: v, 2v, 4v). */
    return INT64_C(1) << match->cube_log2;
}
