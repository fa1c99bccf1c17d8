/* What happened since the last question is told as sentences, from the steps that the referee
 * tells (Tells). The board of before is kept here, because a play is written in notation only
 * together with its position. */
#include "story.h"

#include <bgref/notation.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void story_stage_write(char out[STORY_STAGE], const struct bg_stage *stage)
{
    const int number = stage->part[0].number, times = stage->part[0].times;

    if (stage->parts != 1) {
        bg_stage_write(out, stage);
    } else if (times == 4) {
        snprintf(out, STORY_STAGE, "%d%d", number, number);
    } else {
        snprintf(out, STORY_STAGE, "%d (%d time%s)", number, times, times == 1 ? "" : "s");
    }
}

static void tell_new(char text[STORY_TEXT], struct story *story, const struct bg_game_begin *begin)
{
    struct bg_board setup;
    char target[48] = "";

    *story = (struct story){.variant = begin->rules.variant,
                            .rules = begin->rules,
                            .board = begin->board,
                            .start = {.score = {begin->score[0], begin->score[1]},
                                      .cube_log2 = begin->cube_log2,
                                      .cube_owner = begin->cube_owner,
                                      .crawford_game = begin->crawford_game,
                                      .crawford_done = begin->post_crawford,
                                      .game = begin->game_number}};
    if (begin->rules.length_points > 0) {
        snprintf(target, sizeof target, ", %" PRId64 " to %" PRId64 " in a match to %d",
                 begin->score[0], begin->score[1], begin->rules.length_points);
    }
    bg_variant_setup(&setup, begin->rules.variant);
    snprintf(text, STORY_TEXT, "\n%s%s%s: %s%s%s.\n",
             bg_board_equal(&setup, &begin->board) ? "A new game" : "The game goes on",
             begin->opponent[0] == '\0' ? "" : " against ", begin->opponent,
             bg_variant_id(begin->rules.variant), target,
             begin->crawford_game ? ", the Crawford game" : "");
}

static void open_game(char text[STORY_TEXT], const struct bg_tell_step *step)
{
    if (step->dice == 2) {
        snprintf(text, STORY_TEXT, "The opening: you %d, the opponent %d.\n", step->die[0],
                 step->die[1]);
    } else if (step->dice == 4) {
        snprintf(text, STORY_TEXT, "The opening: you %d and %d, the opponent %d and %d.\n",
                 step->die[0], step->die[1], step->die[2], step->die[3]);
    }
}

static void keep_roll(struct story *story, const uint8_t *die, int dice)
{
    const struct bg_roll roll = {{die[0], die[1], dice > 2 ? die[2] : (uint8_t)0}};

    story->stage = bg_stage_of_roll(story->variant, roll);
    story->has_stage = true;
}

/* The opening's dice are played, unless a roll follows. */
static void keep_opening(struct story *story, const struct bg_tell_step *step)
{
    const uint8_t *die = step->die;

    if (step->dice == 2 && die[0] != die[1]) {
        keep_roll(story, die, 2);
    } else if (step->dice == 4 && die[0] + die[1] != die[2] + die[3]) {
        keep_roll(story, die[0] + die[1] > die[2] + die[3] ? die : die + 2, 2);
    }
}

/* Some games play a roll in several stages: only the first is called the roll. */
static void tell_play(char text[STORY_TEXT], struct story *story, const struct bg_tell_step *step)
{
    char moves[BG_PLAY_TEXT], dice[STORY_STAGE], rolled[48] = "";

    bg_play_write(moves, story->variant, &story->board, step->own ? 0 : 1, &step->play);
    if (story->has_stage) {
        story_stage_write(dice, &story->stage);
        snprintf(rolled, sizeof rolled, " rolled %s and", dice);
    }
    story->board = step->board;
    story->has_stage = false;
    if (!step->own) {
        snprintf(text, STORY_TEXT, "The opponent%s played %s.\n", rolled, moves);
        snprintf(story->last, sizeof story->last, "%s", text);
    }
}

/* What the opponent answered; the person's own answers are known. */
static void tell_answer(char text[STORY_TEXT], const struct bg_tell_step *step)
{
    const char *said = NULL;

    switch (step->kind) {
    case BG_STEP_TAKE:
        said = "takes";
        break;
    case BG_STEP_PASS:
        said = "drops";
        break;
    case BG_STEP_RAISE:
        said = "turns the cube once more";
        break;
    case BG_STEP_ACCEPT:
        said = "accepts your resignation";
        break;
    case BG_STEP_REFUSE:
        said = "refuses your resignation";
        break;
    case BG_STEP_REROLL:
        said = "rolls the opening again";
        break;
    default:
        break;
    }
    if (said != NULL && !step->own) {
        snprintf(text, STORY_TEXT, "The opponent %s.\n", said);
    }
}

/* Keeps the match in step with what is told, the person as seat 0. A game may go on in its middle,
 * with its turn unknown: then the next roll begins it. Returns false if the match is not known. */
static bool follow(struct story *story, const struct bg_tell_step *told)
{
    const bool has_dice = told->kind == BG_STEP_OPEN || told->kind == BG_STEP_ROLL;
    struct bg_step step = {.kind = told->kind,
                           .seat = told->kind == BG_STEP_OPEN ? -1
                                   : told->own                ? 0
                                                              : 1,
                           .level = (uint8_t)told->level,
                           .fault = told->fault,
                           .play = told->play};

    memcpy(step.die, told->die, sizeof step.die);
    if (story->is_followed && bg_match_step(&story->match, &step) == BG_RULE_NONE) {
        return true;
    }
    story->start.board = story->board;
    story->start.on_roll = step.seat;
    story->is_followed =
        has_dice && bg_match_begin_at(&story->match, &story->rules, &story->start, NULL) == BG_OK &&
        bg_match_step(&story->match, &step) == BG_RULE_NONE;
    return story->is_followed;
}

/* Nobody is asked for numbers that cannot be moved, and no play follows: the roll is all that is
 * told of them. */
static void tell_passes(char text[STORY_TEXT], struct story *story)
{
    for (int i = 0; i < story->match.passes; i++) {
        const struct bg_pass *pass = &story->match.pass[i];
        const bool is_roll = pass->part == BG_PART_ROLL;
        const size_t used = strlen(text);
        char dice[STORY_STAGE];

        story_stage_write(dice, &pass->stage);
        snprintf(text + used, STORY_TEXT - used, "%s %s %s%s.\n",
                 pass->seat == 0 ? "You" : "The opponent", is_roll ? "rolled" : "cannot move", dice,
                 is_roll ? " and cannot move" : "");
        if (is_roll) {
            story->has_stage = false;
        }
        if (is_roll && pass->seat == 1) {
            snprintf(story->last, sizeof story->last, "%s", text + used);
        }
    }
}

static void tell_one(char text[STORY_TEXT], struct story *story, const struct bg_tell_step *step)
{
    switch (step->kind) {
    case BG_STEP_OPEN:
        open_game(text, step);
        keep_opening(story, step);
        break;
    case BG_STEP_ROLL:
        keep_roll(story, step->die, step->dice);
        break;
    case BG_STEP_PLAY:
        tell_play(text, story, step);
        break;
    case BG_STEP_NAME:
        if (!step->own) {
            snprintf(text, STORY_TEXT, "The opponent names %d.\n", step->level);
        }
        break;
    case BG_STEP_FAULT:
        snprintf(text, STORY_TEXT, "%s fault: %s.\n", step->own ? "Your" : "The opponent's",
                 bg_fault_name(step->fault));
        break;
    default:
        tell_answer(text, step);
        break;
    }
}

static void step(char text[STORY_TEXT], struct story *story, const struct bg_tell_step *step)
{
    const bool is_known = follow(story, step);

    tell_one(text, story, step);
    if (is_known) {
        tell_passes(text, story);
    }
}

static void tell_end(char text[STORY_TEXT], const struct bg_tell_end *end)
{
    const int64_t points = end->own_points < 0 ? -end->own_points : end->own_points;

    if (points == 0) {
        snprintf(text, STORY_TEXT, "The game is drawn.\n");
    } else {
        snprintf(text, STORY_TEXT,
                 "You %s %" PRId64 " point%s. The score: you %" PRId64 ", the opponent %" PRId64
                 ".\n",
                 end->own_points > 0 ? "win" : "lose", points, points == 1 ? "" : "s",
                 end->score[0], end->score[1]);
    }
}

void story_tell(char text[STORY_TEXT], struct story *story, const struct bg_tell *tell)
{
    text[0] = '\0';
    switch (tell->kind) {
    case BG_TELL_BEGIN:
        tell_new(text, story, &tell->begin);
        break;
    case BG_TELL_STEP:
        if (story->variant != NULL) {
            step(text, story, &tell->step);
        }
        break;
    case BG_TELL_END:
        tell_end(text, &tell->end);
        break;
    case BG_TELL_MATCH_END:
        snprintf(text, STORY_TEXT, "The match is %s.\n",
                 tell->own_won > 0    ? "yours"
                 : tell->own_won == 0 ? "the opponent's"
                                      : "drawn");
        break;
    default:
        break;
    }
}
