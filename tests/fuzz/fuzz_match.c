/* Bytes become rules, then steps: for any input the laws of support/match_laws.h hold. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "support/match_laws.h"

struct input {
    const uint8_t *data;
    size_t size;
};

/* The next byte; 0 when no bytes are left. */
static uint8_t next_byte(struct input *input)
{
    if (input->size == 0) {
        return 0;
    }
    input->size--;
    return *input->data++;
}

static struct bg_step any_step(struct input *input)
{
    struct bg_step step;

    memset(&step, 0, sizeof step);
    step.kind = (enum bg_step_kind)(next_byte(input) % (BG_STEP_COUNT + 2) - 1);
    step.seat = next_byte(input) % 5 - 2;
    for (int i = 0; i < 4; i++) {
        step.die[i] = next_byte(input);
    }
    step.level = next_byte(input);
    step.fault = (enum bg_fault)(next_byte(input) - 1);
    step.play.moves = next_byte(input);
    for (int i = 0; i < BG_MOVES_MAX; i++) {
        step.play.move[i].from = next_byte(input);
        step.play.move[i].to = next_byte(input);
    }
    return step;
}

/* The step that is due, one byte per choice: plain bytes would hardly ever give a legal play. */
static struct bg_step fitting_step(const struct bg_match *match, struct input *input)
{
    static const enum bg_step_kind kinds[BG_NEED_COUNT][3] = {
        [BG_NEED_OPENING] = {BG_STEP_OPEN, BG_STEP_OPEN, BG_STEP_OPEN},
        [BG_NEED_ROLL] = {BG_STEP_ROLL, BG_STEP_ROLL, BG_STEP_RESIGN},
        [BG_NEED_DOUBLE] = {BG_STEP_ROLL, BG_STEP_DOUBLE, BG_STEP_RESIGN},
        [BG_NEED_TAKE] = {BG_STEP_TAKE, BG_STEP_PASS, BG_STEP_RAISE},
        [BG_NEED_RAISE] = {BG_STEP_TAKE, BG_STEP_PASS, BG_STEP_RAISE},
        [BG_NEED_PLAY] = {BG_STEP_PLAY, BG_STEP_PLAY, BG_STEP_RESIGN},
        [BG_NEED_KEEP] = {BG_STEP_KEEP, BG_STEP_REROLL, BG_STEP_RESIGN},
        [BG_NEED_NAME] = {BG_STEP_NAME, BG_STEP_NAME, BG_STEP_RESIGN},
        [BG_NEED_RESIGNATION] = {BG_STEP_ACCEPT, BG_STEP_REFUSE, BG_STEP_REFUSE},
        [BG_NEED_GAME] = {BG_STEP_NEXT, BG_STEP_NEXT, BG_STEP_NEXT},
    };
    static struct bg_play_list plays;
    uint8_t choice = next_byte(input);
    struct bg_step step;

    memset(&step, 0, sizeof step);
    step.seat = match->need.seat;
    step.kind = kinds[match->need.kind][choice % 3];
    step.level = (uint8_t)(1 + choice / 3 % (step.kind == BG_STEP_NAME ? 6 : 3));
    if (step.kind == BG_STEP_RESIGN && bg_variant_level_max(match->rules.variant) > 3) {
        step.level =
            (uint8_t)bg_variant_level(match->rules.variant, &match->board, 1 - match->need.seat);
    }
    if (step.kind == BG_STEP_OPEN || step.kind == BG_STEP_ROLL) {
        for (int i = 0; i < bg_match_dice(match); i++) {
            step.die[i] = (uint8_t)(1 + next_byte(input) % 6);
        }
    } else if (step.kind == BG_STEP_PLAY) {
        bg_play_list(&plays, match->rules.variant, &match->board, match->need.seat, &match->stage);
        step.play = plays.play[next_byte(input) % plays.count];
    }
    return step;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    uint64_t seed = next_byte(&input);
    struct bg_rules rules;
    struct bg_match match;

    seed = seed << 8 | next_byte(&input);
    rules = laws_rules(&seed);
    bg_match_begin(&match, &rules);
    while (input.size > 0) {
        bool fitting = next_byte(&input) % 8 != 0 && match.need.kind != BG_NEED_NOTHING;
        struct bg_step step = fitting ? fitting_step(&match, &input) : any_step(&input);
        enum bg_rule broken;
        const char *law = laws_of_step(&match, &step, &broken);

        if (law != NULL) {
            fprintf(stderr, "%s: not true that %s\n", bg_step_name(step.kind), law);
            abort();
        }
    }
    return 0;
}
