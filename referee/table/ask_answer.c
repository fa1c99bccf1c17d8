/* The Ask is always that of the side that is asked: it is seat 0, its points come first, and the
 * board is turned. So a bot cannot see which seat it has, and with it which leg of a pair this
 * is. */
#include "ask_answer.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <bgref/cube.h>

#include "../seat/results_list.h"

static enum bg_decision decision_of(enum bg_need_kind need)
{
    static const enum bg_decision decisions[BG_NEED_COUNT] = {
        [BG_NEED_DOUBLE] = BG_DECIDE_DOUBLE,
        [BG_NEED_TAKE] = BG_DECIDE_TAKE,
        [BG_NEED_RAISE] = BG_DECIDE_RAISE,
        [BG_NEED_PLAY] = BG_DECIDE_PLAY,
        [BG_NEED_KEEP] = BG_DECIDE_KEEP,
        [BG_NEED_NAME] = BG_DECIDE_NAME,
        [BG_NEED_RESIGNATION] = BG_DECIDE_RESIGNATION,
    };

    return decisions[need];
}

void ask_from_match(struct bg_ask *ask, const struct bg_match *match, int seat)
{
    ask->kind = decision_of(match->need.kind);
    ask->opponent[0] = '\0';
    ask->rules = match->rules;
    if (seat == 0) {
        ask->board = match->board;
    } else {
        bg_board_swap(&ask->board, &match->board);
    }
    memset(&ask->stage, 0, sizeof ask->stage);
    if (ask->kind == BG_DECIDE_PLAY) {
        ask->stage = match->stage;
    } else if (ask->kind == BG_DECIDE_KEEP) {
        ask->stage = bg_stage_of_roll(match->rules.variant, match->roll);
    }
    ask->seat = 0; /* the number of the seat would tell the leg */
    ask->cube_log2 = match->cube_log2;
    ask->cube_owner = match->cube_owner < 0 ? BG_CENTRED : match->cube_owner == seat ? 0 : 1;
    ask->score[0] = match->score[seat];
    ask->score[1] = match->score[1 - seat];
    ask->crawford_game = match->crawford_game;
    ask->post_crawford = match->crawford_done;
    ask->may_raise = (ask->kind == BG_DECIDE_TAKE || ask->kind == BG_DECIDE_RAISE) &&
                     bg_cube_may_raise(match) == BG_RULE_NONE;
    ask->raise = match->raise;
    ask->resign_level = ask->kind == BG_DECIDE_RESIGNATION ? match->resign_level : 0;
    ask->refused_level = ask->kind == BG_DECIDE_RESIGNATION ? 0 : match->resign_level;
    ask->turn = match->turn;
    ask->dice = 0;
    ask->result_count = 0; /* the session lists them if its bot wants them */
    ask->results = NULL;
}

void answer_misfit(char out[ANSWER_MISFIT], enum bg_decision decision, const char *answer)
{
    snprintf(out, ANSWER_MISFIT, "'%.60s' does not answer DECISION_%s; expected %s", answer,
             bg_decision_name(decision), bg_decision_answers(decision));
}

void answer_no_index(char out[ANSWER_MISFIT], const struct bg_ask *ask, uint32_t index)
{
    static _Thread_local struct bg_play_list plays;

    bg_play_list(&plays, ask->rules.variant, &ask->board, 0, &ask->stage);
    snprintf(out, ANSWER_MISFIT,
             "index %" PRIu32 " is not one of the %zu legal results, which count from 0", index,
             (size_t)plays.count);
}

/* Converts a play of any form into single moves and the board after them. */
static enum bg_rule judge_play(struct bg_play *play, struct bg_board *result,
                               const struct bg_match *match, const struct bg_ask *ask, int seat,
                               const struct bg_answer *answer)
{
    const struct bg_variant *variant = match->rules.variant;
    enum bg_rule rule;

    if (answer->kind == BG_ANSWER_MOVES) {
        *play = answer->play;
        return bg_play_check(result, variant, &match->board, seat, &match->stage, play);
    }
    if (answer->kind == BG_ANSWER_INDEX) {
        if (!results_list_play(play, ask, answer->value)) {
            return BG_RULE_SLOT;
        }
        bg_play_make(result, variant, &match->board, seat, play);
        return BG_RULE_NONE;
    }
    *result = answer->result;
    if (seat == 1) {
        bg_board_swap(result, result);
    }
    rule = bg_play_check_result(play, variant, &match->board, seat, &match->stage, result);
    return rule;
}

static enum bg_rule take_play(struct bg_step *step, struct bg_match *match,
                              const struct bg_ask *ask, int seat, const struct bg_answer *answer)
{
    struct bg_board result;
    enum bg_rule rule = judge_play(&step->play, &result, match, ask, seat, answer);

    step->kind = BG_STEP_PLAY;
    if (rule == BG_RULE_NONE) {
        bg_match_play_result(match, &result);
    }
    return rule;
}

static enum bg_rule take_other(struct bg_step *step, struct bg_match *match,
                               const struct bg_answer *answer)
{
    static const enum bg_step_kind steps[BG_ANSWER_COUNT] = {
        [BG_ANSWER_DOUBLE] = BG_STEP_DOUBLE, [BG_ANSWER_TAKE] = BG_STEP_TAKE,
        [BG_ANSWER_PASS] = BG_STEP_PASS,     [BG_ANSWER_RAISE] = BG_STEP_RAISE,
        [BG_ANSWER_KEEP] = BG_STEP_KEEP,     [BG_ANSWER_REROLL] = BG_STEP_REROLL,
        [BG_ANSWER_ACCEPT] = BG_STEP_ACCEPT, [BG_ANSWER_REFUSE] = BG_STEP_REFUSE,
        [BG_ANSWER_NAME] = BG_STEP_NAME,     [BG_ANSWER_RESIGN] = BG_STEP_RESIGN,
    };

    step->kind = steps[answer->kind];
    step->level = (uint8_t)(answer->value > UINT8_MAX ? UINT8_MAX : answer->value);
    return bg_match_step(match, step);
}

enum bg_rule answer_take(struct bg_step *step, struct bg_match *match, const struct bg_ask *ask,
                         int seat, const struct bg_answer *answer)
{
    assert(answer->kind != BG_ANSWER_ROLL);
    *step = (struct bg_step){.seat = seat};
    return ask->kind == BG_DECIDE_PLAY && answer->kind != BG_ANSWER_RESIGN
               ? take_play(step, match, ask, seat, answer)
               : take_other(step, match, answer);
}
