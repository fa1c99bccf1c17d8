/* stakes.c - what a game is worth: the cube (bgref/rule.h explains C1 to C7), ends of games and
 * their points (rules G9, 5.1, 5.4 and the scores of section 6).
 *
 * May is judged here, what follows from it in match.c: so a bot's question "may I double?" and
 * the verdict on a step are one function, and nobody is asked a question whose answer would be
 * illegal. */
#include "flow.h"

#include <assert.h>

#include <bgref/cube.h>

#include "games.h"

/* Rules 5.1, Jacoby: gammons count only after a taken double. Without a cube they always count.
 * Checkers that are counted one by one are not gammons (6.14). */
int score_counted(const struct bg_match *match, int level)
{
    const struct bg_rules *rules = &match->rules;
    bool jacoby = rules->length_points == 0 && rules->jacoby && rules->cube &&
                  rules->variant->score == SCORE_LEVELS;

    return jacoby && !match->cube_turned ? 1 : level;
}

int score_level(const struct bg_match *match, int winner)
{
    return score_counted(match, bg_variant_level(match->rules.variant, &match->board, winner));
}

void score_finish(struct bg_match *match, enum bg_end end, int winner, int level)
{
    int length = match->rules.length_points;

    match->result.end = end;
    match->result.winner = winner;
    match->result.level = level;
    /* Before the score changes: the stake is that of the cube as it stands. */
    match->result.points = level * bg_cube_stake(match);
    match->last_winner = winner;
    /* In a row only: a won game brings the match nearer to its end. */
    match->drawn_games = winner == NOBODY ? match->drawn_games + 1 : 0;
    match->doubler = NOBODY;
    match->raise = 0;
    if (winner != NOBODY) {
        match->score[winner] += match->result.points;
    }
    /* M2: equally strong sides could draw game after game without end */
    if (length == 0 || (winner != NOBODY && match->score[winner] >= length) ||
        match->drawn_games >= BG_DRAWN_GAMES) {
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
    /* What a side would lose if the game ended as the board stands: leaving must not be cheaper
     * than losing. */
    worth = match->rules.forfeit_single ? 1 : score_level(match, 1 - seat);
    if (level != NULL) {
        *level = worth;
    }
    return worth * bg_cube_stake(match);
}

/* R1: the levels that exist in this game's scoring. */
static bool is_level(const struct bg_match *match, int seat, int level)
{
    const struct bg_variant *variant = match->rules.variant;
    int most = variant->level_max > variant->mother ? variant->level_max : variant->mother;

    if (variant->score == SCORE_CHECKERS) { /* 5.4: exactly the number of the remaining checkers */
        return level == bg_variant_level(variant, &match->board, 1 - seat);
    }
    return level >= 1 && level <= most;
}

enum bg_rule bg_match_may_resign(const struct bg_match *match, int seat, int level)
{
    enum bg_need_kind kind = match->need.kind;
    bool own_turn = kind == BG_NEED_DOUBLE || kind == BG_NEED_ROLL || kind == BG_NEED_KEEP ||
                    kind == BG_NEED_PLAY || kind == BG_NEED_NAME;

    if (!is_seat(seat)) {
        return BG_RULE_SLOT;
    }
    /* R2: the answer to a double is to take or to pass. */
    if ((kind == BG_NEED_TAKE || kind == BG_NEED_RAISE) && match->need.seat == seat) {
        return BG_RULE_RESIGN_ORDER;
    }
    if (!own_turn || match->need.seat != seat) {
        return BG_RULE_TURN;
    }
    if (!is_level(match, seat, level)) {
        return BG_RULE_RESIGN_LEVEL;
    }
    if (level <= match->resign_level || match->resign_offers >= BG_OFFERS_MAX) { /* R2 */
        return BG_RULE_RESIGN_ORDER;
    }
    return BG_RULE_NONE;
}

const char *bg_result_how(const struct bg_variant *variant, const struct bg_result *result)
{
    static const char *const levels[] = {"-", "single", "gammon", "backgammon"};
    bool won = result->winner != NOBODY;

    switch (result->end) {
    case BG_END_NONE:
        return "-";
    case BG_END_DEAD:
        return "draw-dead";
    case BG_END_CAP:
        return "draw-cap";
    case BG_END_SPECIAL:
        if (won) {
            return "mother";
        }
        return variant->equal_turns ? "draw-turns" : "draw-mothers";
    default:
        break;
    }
    if (variant->score == SCORE_CHECKERS && result->end != BG_END_PASS) {
        return "checkers";
    }
    return result->level >= 0 && result->level <= 3 ? levels[result->level] : "checkers";
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
