#include "random_match.h"

#include <stdlib.h>

#include <bgref/cube.h>

uint64_t chance_next(struct chance *chance)
{
    chance->state ^= chance->state << 13;
    chance->state ^= chance->state >> 7;
    chance->state ^= chance->state << 17;
    return chance->state * UINT64_C(2685821657736338717) >> 16;
}

int chance_below(struct chance *chance, int limit)
{
    return (int)(chance_next(chance) % (uint64_t)limit);
}

static void random_dice(struct bg_step *step, int count, struct chance *chance)
{
    for (int i = 0; i < count; i++) {
        step->die[i] = (uint8_t)(1 + chance_below(chance, 6));
    }
}

static void random_play(struct bg_step *step, const struct bg_match *match, struct chance *chance)
{
    static struct bg_play_list list;

    bg_play_list(&list, match->rules.variant, &match->board, step->seat, &match->stage);
    step->kind = BG_STEP_PLAY;
    step->play = list.play[chance_below(chance, (int)list.count)];
}

static void random_cube_answer(struct bg_step *step, const struct bg_match *match,
                               struct chance *chance)
{
    bool raises = bg_cube_may_raise(match) == BG_RULE_NONE && chance_below(chance, 2) == 0;

    step->kind = raises                         ? BG_STEP_RAISE
                 : chance_below(chance, 3) == 0 ? BG_STEP_PASS
                                                : BG_STEP_TAKE;
}

/* Something rare in play. Returns false: not this time. */
static bool random_exception(struct bg_step *step, const struct bg_match *match,
                             struct chance *chance)
{
    bool on_turn = match->need.kind == BG_NEED_PLAY || match->need.kind == BG_NEED_DOUBLE;

    if (!on_turn) {
        return false;
    }
    if (chance_below(chance, 60) == 0) {
        for (int level = match->resign_level + 1; level <= BG_CHECKERS; level++) {
            if (bg_match_may_resign(match, step->seat, level) == BG_RULE_NONE) {
                step->kind = BG_STEP_RESIGN;
                step->level = (uint8_t)level;
                return true;
            }
        }
    }
    if (chance_below(chance, 400) == 0) {
        step->kind = BG_STEP_FAULT;
        step->fault = BG_FAULT_LATE;
        return true;
    }
    return false;
}

struct bg_step random_step(const struct bg_match *match, struct chance *chance)
{
    struct bg_step step = {.seat = match->need.seat};

    if (random_exception(&step, match, chance)) {
        return step;
    }
    switch (match->need.kind) {
    case BG_NEED_OPENING:
        step.kind = BG_STEP_OPEN;
        random_dice(&step, bg_match_dice(match), chance);
        break;
    case BG_NEED_DOUBLE:
        if (chance_below(chance, 12) == 0) {
            step.kind = BG_STEP_DOUBLE;
            break;
        }
        step.kind = BG_STEP_ROLL;
        random_dice(&step, bg_match_dice(match), chance);
        break;
    case BG_NEED_ROLL:
        step.kind = BG_STEP_ROLL;
        random_dice(&step, bg_match_dice(match), chance);
        break;
    case BG_NEED_TAKE:
    case BG_NEED_RAISE:
        random_cube_answer(&step, match, chance);
        break;
    case BG_NEED_PLAY:
        random_play(&step, match, chance);
        break;
    case BG_NEED_KEEP:
        step.kind = chance_below(chance, 2) == 0 ? BG_STEP_KEEP : BG_STEP_REROLL;
        break;
    case BG_NEED_NAME:
        step.kind = BG_STEP_NAME;
        step.level = (uint8_t)(1 + chance_below(chance, 6));
        break;
    case BG_NEED_RESIGNATION:
        step.kind = chance_below(chance, 3) == 0 ? BG_STEP_ACCEPT : BG_STEP_REFUSE;
        break;
    case BG_NEED_GAME:
        step.kind = BG_STEP_NEXT;
        break;
    default:
        abort();
    }
    return step;
}

void random_game(struct record *record, char hash[RECORD_HASH], struct bg_match *match,
                 const char *id, const char *prev, bool times, struct chance *chance)
{
    const struct bg_match start = *match;
    const int64_t left_ns[2] = {chance_below(chance, 1000000), chance_below(chance, 1000000)};
    struct record_header header = {
        .game_id = id,
        .event = "by chance",
        .seat_name = {"left", "right"},
        .seat_program = {"-", "-"},
        .seat_version = {"left 1", "right 2"},
        .seat_options = {"", "Ply=0 Noise=0.02"},
        .start = &start,
        .has_clock = times,
        .clock = times ? "bank=60s,inc=100ms" : "none",
        .left_ns = {60000000000, 60000000000},
        .prev = prev,
        .dice = "keyed",
        .host = "",
    };

    record_begin(record, &header);
    while (match->need.kind != BG_NEED_NOTHING && match->need.kind != BG_NEED_GAME) {
        struct bg_step step = random_step(match, chance);
        int64_t spent_ns = times && step.seat >= 0 ? chance_below(chance, 100000) : -1;

        if (bg_match_step(match, &step) != BG_RULE_NONE) {
            abort();
        }
        record_append(record, &step, spent_ns);
    }
    record_end(record, &match->result, times ? left_ns : NULL, hash);
}
