/* Two bots face the same decision if all that may matter is equal, seen from the side that
 * decides; the key is text, so that what is compared can be printed. Scores count as points to
 * go: 3-5 in a match to 7 is 4-2 away wherever it comes from. */
#include "decision_key.h"

#include <stdio.h>

/* Score and cube from the side of the seat that decides. */
static void write_cube(char *out, size_t room, const struct bg_match *match, int seat)
{
    int length = match->rules.length_points;
    int owner = match->cube_owner == BG_CENTRED ? -1 : match->cube_owner == seat ? 1 : 0;

    if (length == 0) {
        snprintf(out, room, " money jacoby=%d beavers=%d cube=%d owner=%d raise=%d",
                 match->rules.jacoby, match->rules.beavers, match->cube_turned, owner,
                 match->raise);
    } else {
        snprintf(out, room, " away=%lld:%lld crawford=%d cube=%d owner=%d raise=%d",
                 (long long)length - match->score[seat], (long long)length - match->score[1 - seat],
                 match->crawford_done, match->cube_log2, owner, match->raise);
    }
}

bool decision_key(char out[DECISION_KEY], const struct bg_match *match)
{
    static _Thread_local struct bg_play_list plays; /* large */
    const struct bg_variant *variant = match->rules.variant;
    char position[BG_POSITION_TEXT], stage[BG_STAGE_TEXT], cube[120];
    int seat = match->need.seat;

    if (match->need.kind == BG_NEED_PLAY) {
        bg_play_list(&plays, variant, &match->board, seat, &match->stage);
        /* A forced play says nothing about who made it. */
        if (plays.count < 2) {
            return false;
        }
        bg_position_order_text(position, variant, &match->board, seat);
        bg_stage_write(stage, &match->stage);
        snprintf(out, DECISION_KEY, "%s %s %s", bg_variant_id(variant), position, stage);
        return true;
    }
    if (match->need.kind == BG_NEED_DOUBLE || match->need.kind == BG_NEED_TAKE ||
        match->need.kind == BG_NEED_RAISE) {
        bg_position_order_text(position, variant, &match->board, seat);
        write_cube(cube, sizeof cube, match, seat);
        snprintf(out, DECISION_KEY, "%s %s %s%s", bg_variant_id(variant), position,
                 bg_need_name(match->need.kind), cube);
        return true;
    }
    return false;
}

bool decision_choice(char out[DECISION_CHOICE], const struct bg_match *match,
                     const struct bg_step *step)
{
    enum bg_need_kind need = match->need.kind;
    struct bg_board after;

    if (need == BG_NEED_PLAY && step->kind == BG_STEP_PLAY && step->seat == match->need.seat) {
        if (bg_play_check(&after, match->rules.variant, &match->board, step->seat, &match->stage,
                          &step->play) != BG_RULE_NONE) {
            return false;
        }
        bg_position_order_text(out, match->rules.variant, &after, step->seat);
        return true;
    }
    if ((need == BG_NEED_DOUBLE && (step->kind == BG_STEP_DOUBLE || step->kind == BG_STEP_ROLL)) ||
        ((need == BG_NEED_TAKE || need == BG_NEED_RAISE) &&
         (step->kind == BG_STEP_TAKE || step->kind == BG_STEP_PASS ||
          step->kind == BG_STEP_RAISE))) {
        snprintf(out, DECISION_CHOICE, "%s", bg_step_name(step->kind));
        return true;
    }
    return false;
}

void decision_words(char out[DECISION_WORDS], const struct bg_match *match,
                    const struct bg_step *step)
{
    char text[BG_PLAY_TEXT];

    if (step->kind == BG_STEP_PLAY) {
        bg_play_write(text, match->rules.variant, &match->board, step->seat, &step->play);
    }
    snprintf(out, DECISION_WORDS, "%s",
             step->kind == BG_STEP_PLAY ? text : bg_step_name(step->kind));
}

bool decision_find(struct bg_match *match, struct bg_step *step, const struct record_view *view,
                   int index)
{
    bool found = record_view_start(match, view, NULL) == BG_OK && index < record_view_steps(view);
    int64_t spent_ns;

    for (int i = 0; i < index && found; i++) {
        record_view_step(step, &spent_ns, view, i);
        found = bg_match_step(match, step) == BG_RULE_NONE;
    }
    if (found) {
        record_view_step(step, &spent_ns, view, index);
    }
    return found;
}
