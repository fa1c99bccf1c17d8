/* Other programs say only whether this is Crawford's game. That it was played before follows
 * from the score: a side is 1-away, and this is not it. */
#include "ask_position.h"

static const struct bg_variant *variant_of(const struct ask_position *position)
{
    return position->variant != NULL ? position->variant : bg_variant_find("backgammon");
}

enum bg_status ask_position_match(struct bg_match *out, const struct ask_position *position,
                                  int on_roll, struct bg_error *err)
{
    struct bg_rules rules = bg_rules_default(variant_of(position), position->length_points);
    struct bg_start start = {.board = position->board,
                             .on_roll = on_roll,
                             .cube_log2 = position->cube_log2,
                             .cube_owner = position->cube_owner};
    int last = position->length_points - 1; /* the score at 1-away */

    if (position->length_points > 0) {
        bool own = position->score[0] == last, opponent = position->score[1] == last;

        start.score[0] = position->score[0];
        start.score[1] = position->score[1];
        start.crawford_game = own != opponent && position->crawford;
        start.crawford_done = (own || opponent) && !start.crawford_game;
    } else {
        rules.jacoby = position->jacoby;
        rules.beavers = position->beavers;
    }
    return bg_match_begin_at(out, &rules, &start, err);
}

bool ask_position_roll(struct bg_match *match, int high, int low)
{
    struct bg_step step = {
        .kind = BG_STEP_ROLL, .seat = match->need.seat, .die = {(uint8_t)high, (uint8_t)low}};

    return bg_match_step(match, &step) == BG_RULE_NONE;
}

bool ask_position_set_off(struct ask_position *position)
{
    struct bg_board setup;

    bg_variant_setup(&setup, variant_of(position));
    for (int seat = 0; seat < 2; seat++) {
        int all = bg_board_count(&setup, seat);
        int there = bg_board_count(&position->board, seat) - position->board.at[seat][BG_OFF];

        if (there > all) {
            return false;
        }
        position->board.at[seat][BG_OFF] = (uint8_t)(all - there);
    }
    return true;
}

int ask_position_cube_log2(int64_t value)
{
    for (int i = 0; i <= BG_CUBE_LOG2_MAX; i++) {
        if (value == INT64_C(1) << i) {
            return i;
        }
    }
    return -1;
}
