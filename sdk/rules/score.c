/* score.c - ends of games and their points (rules G9, 5.1, 5.4 and the scores of section 6).
 */
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
