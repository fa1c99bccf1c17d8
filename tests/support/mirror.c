#include "mirror.h"

#include <string.h>

static const char *begin_at(struct mirror *mirror, int on_roll)
{
    const struct bg_game_begin *begin = &mirror->begin;
    const struct bg_start start = {.board = begin->board,
                                   .on_roll = on_roll,
                                   .score = {begin->score[0], begin->score[1]},
                                   .cube_log2 = begin->cube_log2,
                                   .cube_owner = begin->cube_owner,
                                   .crawford_game = begin->crawford_game,
                                   .crawford_done = begin->post_crawford,
                                   .game = begin->game_number,
                                   .by_next = on_roll >= 0};

    mirror->is_begun = true;
    return bg_match_begin_at(&mirror->match, &begin->rules, &start, NULL) == BG_OK
               ? NULL
               : "the begin is no position";
}

static const char *hear_step(struct mirror *mirror, const struct bg_tell_step *told)
{
    struct bg_step step = {.kind = told->kind,
                           .seat = told->own ? 0 : 1,
                           .level = (uint8_t)told->level,
                           .fault = told->fault,
                           .play = told->play};
    const char *wrong = NULL;

    mirror->steps++;
    if (mirror->is_late) {
        mirror->begin.board = told->kind == BG_STEP_PLAY ? told->board : mirror->begin.board;
        return NULL;
    }
    if (told->kind == BG_STEP_OPEN) {
        step.seat = -1;
    }
    memcpy(step.die, told->die, sizeof step.die);
    if (!mirror->is_begun) {
        wrong = begin_at(mirror, step.seat);
    }
    if (wrong == NULL && bg_match_step(&mirror->match, &step) != BG_RULE_NONE) {
        wrong = "a step breaks a rule";
    }
    if (wrong == NULL && told->kind == BG_STEP_PLAY &&
        !bg_board_equal(&mirror->match.board, &told->board)) {
        wrong = "the board after a play differs";
    }
    return wrong;
}

static const char *hear_end(const struct mirror *mirror, const struct bg_tell_end *told)
{
    const struct bg_result *result = &mirror->match.result;
    int64_t points = result->winner == 0 ? result->points : -result->points;

    return mirror->is_late ||
                   (told->end == result->end && told->level == result->level &&
                    told->own_points == points && told->score[0] == mirror->match.score[0] &&
                    told->score[1] == mirror->match.score[1])
               ? NULL
               : "the game's end differs";
}

static const char *hear_match_end(const struct mirror *mirror, int own_won)
{
    int winner = mirror->match.match_winner;

    return mirror->is_late || own_won == (winner < 0 ? -1 : winner == 0)
               ? NULL
               : "the match's end differs";
}

const char *mirror_hear(struct mirror *mirror, const struct bg_tell *tell)
{
    bool is_next = tell->number == mirror->next;

    mirror->next = tell->number + 1;
    switch (tell->kind) {
    case BG_TELL_BEGIN:
        mirror->begin = tell->begin;
        mirror->is_begun = false;
        mirror->is_late = tell->number > 0;
        mirror->begins++;
        return NULL;
    case BG_TELL_STEP:
        return is_next ? hear_step(mirror, &tell->step) : "a tell is missing";
    case BG_TELL_END:
        mirror->ends++;
        return is_next ? hear_end(mirror, &tell->end) : "a tell is missing";
    default:
        mirror->match_ends++;
        return is_next ? hear_match_end(mirror, tell->own_won) : "a tell is missing";
    }
}

static bool same_stage(const struct bg_stage *a, const struct bg_stage *b)
{
    bool same = a->parts == b->parts;

    for (int i = 0; same && i < a->parts; i++) {
        same = a->part[i].number == b->part[i].number && a->part[i].times == b->part[i].times;
    }
    return same;
}

const char *mirror_compare(const struct mirror *mirror, const struct bg_ask *ask)
{
    const struct bg_match *match = &mirror->match;

    if (strcmp(mirror->begin.game, ask->game) != 0) {
        return "an Ask of a game that was not begun";
    }
    if (mirror->is_late) {
        return bg_board_equal(&mirror->begin.board, &ask->board) ? NULL : "the board differs";
    }
    if (!mirror->is_begun) { /* a decision before the first roll, from a given position */
        return bg_board_equal(&mirror->begin.board, &ask->board) ? NULL : "the start differs";
    }
    if (!bg_board_equal(&match->board, &ask->board)) {
        return "the board differs";
    }
    if (match->need.seat != 0 || match->turn != ask->turn) {
        return "the turn differs";
    }
    if (match->cube_log2 != ask->cube_log2 || match->cube_owner != ask->cube_owner ||
        match->score[0] != ask->score[0] || match->score[1] != ask->score[1]) {
        return "cube or score differ";
    }
    return ask->kind != BG_DECIDE_PLAY || same_stage(&match->stage, &ask->stage)
               ? NULL
               : "the numbers to play differ";
}
