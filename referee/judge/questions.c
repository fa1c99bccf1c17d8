/* Asks and what they are about are two lists: an opening roll needs two asks (from both sides),
 * and the answer to a double needs none of its own, as the double's ask has all three values.
 * The match machine replays every step before anything is asked of it, so a broken record costs
 * no evaluation. */
#include "questions.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <bgref/cube.h>

#include "question.h"
#include "record/record.h"
#include "value_ask.h"

void questions_deinit(struct questions *questions)
{
    free(questions->ask);
    free(questions->played);
    free(questions->about);
    *questions = (struct questions){.ask = NULL};
}

/* ---------------------------------------------------------------- lists */

/* Adds an ask. Returns its index. */
static size_t add_ask(struct questions *questions, const struct bg_match *match, int seat,
                      enum bg_decision kind)
{
    size_t count = questions->count + 1, room = questions->room;

    questions->ask = memory_list(questions->ask, &room, count, sizeof *questions->ask);
    questions->played =
        memory_list(questions->played, &questions->room, count, sizeof *questions->played);
    value_ask_fill(&questions->ask[questions->count], match, seat, kind);
    return questions->count++;
}

/* Adds a question, zeroed except for its kind, seat and step. */
static struct question *add_about(struct questions *questions, enum question_kind kind, int seat,
                                  int step)
{
    questions->about = memory_list(questions->about, &questions->about_room, questions->abouts + 1,
                                   sizeof *questions->about);
    questions->about[questions->abouts] =
        (struct question){.kind = kind, .seat = seat, .step = step, .play_step = -1};
    return &questions->about[questions->abouts++];
}

/* ---------------------------------------------------------------- steps */

static bool has_three_dice(const struct questions *questions)
{
    return bg_variant_dice(questions->variant) == 3;
}

static enum bg_decision kind_of_rolls(const struct questions *questions)
{
    return has_three_dice(questions) ? BG_VALUE_THROWS : BG_VALUE_ROLLS;
}

/* The dice of a roll. */
static struct bg_roll high_first(const struct questions *questions, const uint8_t die[3])
{
    const struct bg_roll roll = {{die[0], die[1], die[2]}};

    return has_three_dice(questions) ? bg_throw_at(bg_throw_number(roll))
                                     : bg_roll_at(bg_roll_number(roll));
}

/* before: the match before the opening dice; after: the match after them. */
static enum bg_status on_opening(struct questions *questions, const struct bg_match *before,
                                 const struct bg_match *after, const struct bg_step *step, int i,
                                 struct bg_error *err)
{
    static const enum question_opening openings[BG_OPENING_COUNT] = {
        [BG_OPENING_PLAY] = OPENING_PLAYS,   [BG_OPENING_CHOICE] = OPENING_KEEPS,
        [BG_OPENING_REROLL] = OPENING_ROLLS, [BG_OPENING_SUM_REROLL] = OPENING_ROLLS,
        [BG_OPENING_WINNER] = OPENING_ROLLS,
    };
    int seat = after->began;
    struct question *about;

    if (seat < 0) {
        return BG_OK; /* a tie: the dice are rolled again */
    }
    if (after->rules.opening == BG_OPENING_SUM_PLAY) {
        return bg_error_set(
            err, BG_E_ARGUMENT,
            "an opening decided by sums and then played: its luck cannot be computed");
    }
    if (has_three_dice(questions) && openings[after->rules.opening] != OPENING_ROLLS) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "an opening of two dice, played in a game with three: its luck cannot "
                            "be computed");
    }
    about = add_about(questions, QUESTION_OPENING, seat, i);
    about->opening = openings[after->rules.opening];
    about->roll = (struct bg_roll){{2, 1, 0}}; /* any roll: the starter's roll follows */
    if (about->opening != OPENING_ROLLS) {
        about->roll = bg_roll_at(bg_roll_number((struct bg_roll){{step->die[0], step->die[1], 0}}));
    }
    about->ask = add_ask(questions, before, seat, kind_of_rolls(questions));
    about->other = add_ask(questions, before, 1 - seat, kind_of_rolls(questions));
    return BG_OK;
}

static void on_cube(struct questions *questions, const struct bg_match *before,
                    const struct bg_step *step, int i)
{
    bool raises = before->rules.beavers && before->rules.length_points == 0;
    struct question *about;

    if (!questions->errors) {
        return;
    }
    about = add_about(questions, QUESTION_DOUBLE, before->need.seat, i);
    about->done = step->kind;
    about->may_raise = raises;
    about->ask = add_ask(questions, before, before->need.seat, BG_VALUE_CUBE);
}

static void on_roll(struct questions *questions, const struct bg_match *before,
                    const struct bg_step *step, int i)
{
    struct question *about;

    if (before->need.kind == BG_NEED_DOUBLE) {
        on_cube(questions, before, step, i);
    }
    about = add_about(questions, QUESTION_ROLL, before->need.seat, i);
    about->roll = high_first(questions, step->die);
    about->ask = add_ask(questions, before, before->need.seat, kind_of_rolls(questions));
}

/* Handles the answer to the first double; raises are not valued. */
static void on_answer(struct questions *questions, const struct bg_match *before,
                      const struct bg_step *step, int i)
{
    const struct question *doubled =
        questions->abouts > 0 ? &questions->about[questions->abouts - 1] : NULL;
    size_t ask;
    struct question *about;

    if (!questions->errors || before->need.kind != BG_NEED_TAKE || doubled == NULL ||
        doubled->kind != QUESTION_DOUBLE) {
        return;
    }
    ask = doubled->ask;
    about = add_about(questions, QUESTION_TAKE, before->need.seat, i);
    about->ask = ask;
    about->done = step->kind;
    about->may_raise = bg_cube_may_raise(before) == BG_RULE_NONE;
}

/* Handles the play of the last roll: of its first stage, where a turn has several. */
static void on_play(struct questions *questions, const struct bg_match *before,
                    const struct bg_step *step, int i)
{
    static struct bg_play_list plays;
    const struct bg_variant *variant = before->rules.variant;
    struct question *about = &questions->about[questions->abouts - 1];
    struct bg_ask_played *played;
    struct bg_board after;

    if (!questions->errors || questions->abouts == 0 || before->part != BG_PART_ROLL ||
        (about->kind != QUESTION_ROLL && about->kind != QUESTION_OPENING) ||
        about->seat != step->seat) {
        return;
    }
    if (bg_play_check(&after, variant, &before->board, step->seat, &before->stage, &step->play) !=
        BG_RULE_NONE) {
        return; /* the match machine has already refused it */
    }
    bg_play_list(&plays, variant, &before->board, step->seat, &before->stage);
    about->play_step = i;
    about->choices = plays.count;
    played = &questions->played[about->ask];
    played->roll = about->roll;
    played->board = after;
    if (step->seat == 1) {
        bg_board_swap(&played->board, &after);
    }
    questions->ask[about->ask].played = played; /* set again after the list has grown */
}

static enum bg_status on_step(struct questions *questions, const struct bg_match *before,
                              const struct bg_match *after, const struct bg_step *step, int i,
                              struct bg_error *err)
{
    switch (step->kind) {
    case BG_STEP_OPEN:
        return on_opening(questions, before, after, step, i, err);
    case BG_STEP_ROLL:
        on_roll(questions, before, step, i);
        return BG_OK;
    case BG_STEP_DOUBLE:
        on_cube(questions, before, step, i);
        return BG_OK;
    case BG_STEP_TAKE:
    case BG_STEP_PASS:
    case BG_STEP_RAISE:
        on_answer(questions, before, step, i);
        return BG_OK;
    case BG_STEP_PLAY:
        on_play(questions, before, step, i);
        return BG_OK;
    default:
        return BG_OK;
    }
}

/* ---------------------------------------------------------------- the record */

static enum bg_status walk(struct questions *questions, const struct record_view *view,
                           struct bg_error *err)
{
    struct bg_match match, before;
    enum bg_status status = record_view_start(&match, view, err);

    if (status != BG_OK) {
        return status;
    }
    questions->variant = match.rules.variant;
    for (int i = 0; i < record_view_steps(view) && status == BG_OK; i++) {
        struct bg_step step;
        int64_t spent_ns;
        enum bg_rule broken;

        record_view_step(&step, &spent_ns, view, i);
        before = match;
        broken = bg_match_step(&match, &step);
        if (broken != BG_RULE_NONE) {
            return bg_error_set(err, BG_E_MISMATCH, "step %d breaks rule %s", i + 1,
                                bg_rule_number(broken));
        }
        status = on_step(questions, &before, &match, &step, i, err);
    }
    return status;
}

enum bg_status questions_read(struct questions *out, const struct store_game *game, bool errors,
                              struct bg_error *err)
{
    struct record_view *view = NULL;
    enum bg_status status = record_read(&view, game->text, game->text_size, err);

    *out = (struct questions){.leg = game->leg, .errors = errors};
    if (status == BG_OK) {
        status = walk(out, view, err);
    }
    for (size_t i = 0; i < out->count && status == BG_OK; i++) {
        if (out->ask[i].played != NULL) {
            out->ask[i].played = &out->played[i];
        }
    }
    record_view_destroy(view);
    if (status != BG_OK) {
        questions_deinit(out);
    }
    return status;
}
