/* What .mat and .sgf can say of a game: the steps of a record reduced to rolls, plays and cube
 * actions. The match is played again for it, because a record has neither hits nor whether a
 * roll could be played, and both formats write them. */
#include "actions.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <record/thought_words.h>

/* Variants whose turn is one roll of two dice, played with hits from the bar to the home board. */
static const char *const supported[] = {"backgammon", "nackgammon", "hypergammon"};

static bool is_told(const struct bg_variant *variant)
{
    for (size_t i = 0; i < sizeof supported / sizeof supported[0]; i++) {
        if (strcmp(bg_variant_id(variant), supported[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The dice for this stage: 63 is {6 once, 3 once}, 33 is {3 four times}. */
static struct bg_roll roll_of_stage(const struct bg_stage *stage)
{
    uint8_t low = stage->part[stage->parts > 1 ? 1 : 0].number;

    return (struct bg_roll){{stage->part[0].number, low, 0}};
}

static struct action *add_action(struct actions *actions, enum action_kind kind, int seat, int step)
{
    struct action *action = &actions->action[actions->count++];

    *action = (struct action){.kind = kind, .seat = seat, .step = step, .play_step = -1};
    return action;
}

/* Adds an action for a roll: its seat must now play, or has lost the turn. */
static void add_rolled(struct actions *actions, const struct bg_match *match, int step)
{
    if (match->need.kind == BG_NEED_PLAY) {
        struct action *action = add_action(actions, ACTION_ROLL, match->need.seat, step);

        action->roll = roll_of_stage(&match->stage);
        action->unplayed = true; /* until a play follows */
    } else if (match->passes > 0) {
        add_action(actions, ACTION_ROLL, match->pass[0].seat, step)->roll =
            roll_of_stage(&match->pass[0].stage);
    }
}

/* The play is taken from its result: a record may have moves in an order that other programs do
 * not accept, and the rules give the usual one. */
static void add_moves(struct actions *actions, const struct bg_match *match,
                      const struct bg_step *step, int number)
{
    const struct bg_variant *variant = match->rules.variant;
    struct action *action = &actions->action[actions->count - 1];
    struct bg_board board = match->board, result;
    enum bg_rule broken =
        bg_play_check(&result, variant, &board, step->seat, &match->stage, &step->play);

    if (broken == BG_RULE_NONE) {
        broken = bg_play_check_result(&action->play, variant, &board, step->seat, &match->stage,
                                      &result);
    }
    assert(broken == BG_RULE_NONE); /* the match machine accepted the step before */
    for (int i = 0; i < action->play.moves; i++) {
        const struct bg_play one = {1, {action->play.move[i]}};
        int to = one.move[0].to;

        action->hit[i] =
            to != BG_OFF && board.at[1 - step->seat][bg_variant_opponent_slot(variant, to)] > 0;
        bg_play_make(&board, variant, &board, step->seat, &one);
    }
    action->play_step = number;
    action->unplayed = false;
}

static void note_fault(struct actions *actions, const struct bg_match *before,
                       const struct bg_step *step, int number)
{
    struct action_note *note = &actions->note[actions->notes++];

    *note = (struct action_note){.step = number, .seat = step->seat, .fault = step->fault};
    if (step->kind != BG_STEP_FAULT) {
        note->seat = 1 - step->seat;
        note->level = before->resign_level;
        note->accepted = step->kind == BG_STEP_ACCEPT;
        note->fault = BG_FAULT_NONE;
    }
}

/* Adds the action for a step that was just made; before: the match before the step. */
static void add_step(struct actions *actions, const struct bg_match *before,
                     const struct bg_match *match, const struct bg_step *step, int number)
{
    switch (step->kind) {
    case BG_STEP_OPEN:
    case BG_STEP_ROLL:
    case BG_STEP_KEEP:
        add_rolled(actions, match, number);
        break;
    case BG_STEP_PLAY:
        add_moves(actions, before, step, number);
        break;
    case BG_STEP_DOUBLE:
    case BG_STEP_RAISE:
        add_action(actions, step->kind == BG_STEP_DOUBLE ? ACTION_DOUBLE : ACTION_RAISE, step->seat,
                   number)
            ->cube = INT64_C(2) << (before->cube_log2 + (step->kind == BG_STEP_RAISE));
        break;
    case BG_STEP_TAKE:
        add_action(actions, ACTION_TAKE, step->seat, number);
        break;
    case BG_STEP_PASS:
        add_action(actions, ACTION_DROP, step->seat, number);
        break;
    case BG_STEP_ACCEPT:
    case BG_STEP_REFUSE:
    case BG_STEP_FAULT:
        note_fault(actions, before, step, number);
        break;
    default: /* the offer itself, rolls for the start */
        break;
    }
}

static enum bg_status play_steps(struct actions *actions, const struct record_view *view,
                                 struct bg_error *err)
{
    struct bg_match *match = &actions->end;
    int steps = record_view_steps(view);

    for (int i = 0; i < steps; i++) {
        struct bg_match before = *match;
        struct bg_step step;
        enum bg_rule broken;

        record_view_step(&step, NULL, view, i);
        broken = bg_match_step(match, &step);
        if (broken != BG_RULE_NONE) {
            return bg_error_set(err, BG_E_MISMATCH, "game %.150s: step %d (%s): %s: %s",
                                record_view_value(view, "id"), i + 1, bg_step_name(step.kind),
                                bg_rule_number(broken), bg_rule_text(broken));
        }
        add_step(actions, &before, match, &step, i);
    }
    return BG_OK;
}

enum bg_status actions_read(struct actions *out, const struct record_view *view,
                            struct bg_error *err)
{
    struct actions actions = {0};
    size_t most = (size_t)record_view_steps(view);
    enum bg_status status = record_view_start(&actions.start, view, err);

    if (status != BG_OK) {
        return status;
    }
    if (!is_told(actions.start.rules.variant)) {
        return bg_error_set(err, BG_E_ARGUMENT, "game %.150s: %s, not backgammon",
                            record_view_value(view, "id"),
                            bg_variant_id(actions.start.rules.variant));
    }
    /* As many as there are steps is always enough, since no step gives more than one action. */
    actions.action = memory_zeroed(most, sizeof actions.action[0]);
    actions.note = memory_zeroed(most, sizeof actions.note[0]);
    actions.end = actions.start;
    status = play_steps(&actions, view, err);
    if (status == BG_OK) {
        *out = actions;
    } else {
        actions_deinit(&actions);
    }
    return status;
}

void actions_deinit(struct actions *actions)
{
    free(actions->action);
    free(actions->note);
    *actions = (struct actions){0};
}

void action_thought_write(char out[ACTION_THOUGHT], const struct record_view *view,
                          const struct action *action)
{
    const int step[] = {action->step, action->play_step};
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < 2; i++) {
        struct bg_thought thought;
        char words[THOUGHT_WORDS];

        if (step[i] >= 0 && record_view_thought(&thought, view, step[i])) {
            thought_words_write(words, &thought);
            used += (size_t)snprintf(
                out + used, ACTION_THOUGHT - used, "%s%s%s", used > 0 ? "; " : "",
                action->kind == ACTION_ROLL && i == 0 ? "before the roll: " : "", words);
        }
    }
}

void action_note_write(char out[ACTION_NOTE], const struct action_note *note, const char *name)
{
    static const char *const levels[] = {"-", "a single game", "a gammon", "a backgammon"};

    if (note->level == 0) {
        snprintf(out, ACTION_NOTE, "%s loses%s by a fault (%s)", name,
                 note->fault == BG_FAULT_GONE ? " the match" : "", bg_fault_name(note->fault));
    } else {
        snprintf(out, ACTION_NOTE, "%s offers to resign %s, %s", name, levels[note->level],
                 note->accepted ? "accepted" : "refused");
    }
}
