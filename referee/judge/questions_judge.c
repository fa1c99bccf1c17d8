/* The formulas are in numbers/ (luck.h, errors.h, met.h); here is only which value goes where.
 * Bots' values are in units of the present cube, or chances in a match; raw_of() and loss_unit()
 * are the only places where one becomes the other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <bgref/notation.h>

#include "numbers/errors.h"
#include "record/game_id.h"
#include "numbers/luck.h"
#include "numbers/met.h"
#include "question.h"

struct answers_judging {
    struct judgement *out;
    const struct questions *questions;
    const struct bg_value *values;
    const struct value_noise *noise; /* NULL: the values are not random */
    struct met met; /* for match play with errors: the value of a point of the cube */
    double luck[2]; /* by seat */
};

static int bot_of(const struct answers_judging *judging, int seat)
{
    return game_id_bot_at(judging->questions->leg, seat);
}

static const struct bg_ask *ask_of(const struct answers_judging *judging,
                                   const struct question *question)
{
    return &judging->questions->ask[question->ask];
}

static bool is_match(const struct bg_ask *ask)
{
    return ask->rules.length_points > 0;
}

/* Returns the factor that makes this ask's values raw. */
static double raw_of(const struct bg_ask *ask)
{
    return is_match(ask) ? 1.0 : ldexp(1.0, ask->cube_log2);
}

/* ---------------------------------------------------------------- luck */

static bool has_three_dice(const struct answers_judging *judging, size_t ask)
{
    return judging->questions->ask[ask].kind == BG_VALUE_THROWS;
}

/* Writes the raw values of one ask's rolls. */
static void values_of(double out[LUCK_ROLLS], const struct answers_judging *judging, size_t ask)
{
    for (int i = 0; i < LUCK_ROLLS; i++) {
        out[i] = judging->values[ask].of.rolls.equity[i] * raw_of(&judging->questions->ask[ask]);
    }
}

/* The same of three dice. */
static void throws_of(double out[LUCK_THROWS], const struct answers_judging *judging, size_t ask)
{
    for (int i = 0; i < LUCK_THROWS; i++) {
        out[i] = judging->values[ask].of.throws.equity[i] * raw_of(&judging->questions->ask[ask]);
    }
}

/* Returns the raw value of an ask before the roll. */
static double before_of(const struct answers_judging *judging, size_t ask)
{
    double throws[LUCK_THROWS], rolls[LUCK_ROLLS];
    struct luck_roll luck;

    if (has_three_dice(judging, ask)) {
        throws_of(throws, judging, ask);
        luck_of_throw(&luck, throws, 0);
    } else {
        values_of(rolls, judging, ask);
        luck_of_roll(&luck, rolls, 0);
    }
    return luck.before;
}

/* Writes the opening dice's values for the starter. */
static void opening_values(double out[LUCK_ROLLS], const struct answers_judging *judging,
                           size_t ask, enum question_opening opening)
{
    const double anew = before_of(judging, ask);

    if (opening != OPENING_ROLLS) {
        values_of(out, judging, ask);
    }
    for (int i = 0; i < LUCK_ROLLS && opening != OPENING_PLAYS; i++) {
        out[i] = opening == OPENING_ROLLS ? anew : fmax(out[i], anew);
    }
}

static double luck_of_three(const struct answers_judging *judging, const struct question *question)
{
    double after[LUCK_THROWS];
    struct luck_roll luck;

    throws_of(after, judging, question->ask);
    luck_of_throw(&luck, after, bg_throw_number(question->roll));
    return luck.luck;
}

/* Of two dice, and of an opening. */
static double luck_of_two(const struct answers_judging *judging, const struct question *question)
{
    double after[LUCK_ROLLS], other[LUCK_ROLLS];
    enum luck_unit unit = is_match(ask_of(judging, question)) ? LUCK_MWC : LUCK_POINTS;
    int index = luck_roll_index(question->roll.die[0], question->roll.die[1]);
    struct luck_roll luck;

    if (question->kind == QUESTION_OPENING) {
        opening_values(after, judging, question->ask, question->opening);
        opening_values(other, judging, question->other, question->opening);
        luck_of_opening(&luck, after, other, index, unit);
    } else {
        values_of(after, judging, question->ask);
        luck_of_roll(&luck, after, index);
    }
    return luck.luck;
}

static double luck_of(const struct answers_judging *judging, const struct question *question)
{
    return question->kind == QUESTION_ROLL && has_three_dice(judging, question->ask)
               ? luck_of_three(judging, question)
               : luck_of_two(judging, question);
}

/* Returns the variance of a sum of one ask's values, with these coefficients. */
static double variance_of(const struct answers_judging *judging, size_t ask,
                          const double coefficient[LUCK_ROLLS])
{
    const struct value_noise *noise = &judging->noise[ask];
    double sum = 0.0;

    for (int i = 0; i < LUCK_ROLLS; i++) {
        for (int k = 0; k < LUCK_ROLLS; k++) {
            sum += coefficient[i] * coefficient[k] * noise->covariance[i][k];
        }
    }
    return fmax(sum, 0.0) * raw_of(&judging->questions->ask[ask]) *
           raw_of(&judging->questions->ask[ask]);
}

/* Returns the standard error of a roll's luck; 0: the values are not random. Where the starter may
 * roll again, as if it played the opening numbers. */
static double luck_error(const struct answers_judging *judging, const struct question *question)
{
    int index = luck_roll_index(question->roll.die[0], question->roll.die[1]);
    bool opens = question->kind == QUESTION_OPENING;
    double own[LUCK_ROLLS], other[LUCK_ROLLS];

    if (judging->noise == NULL) {
        return 0.0;
    }
    for (int i = 0; i < LUCK_ROLLS; i++) {
        double weight = luck_roll_weight(i);

        if (opens && question->opening == OPENING_ROLLS) { /* the mean of own less half of both */
            own[i] = other[i] = weight / 72.0;
        } else if (opens) { /* 30 throws: no doubles, and either side may start */
            own[i] = (i == index ? 1.0 : 0.0) - (weight == 2.0 ? 1.0 / 30.0 : 0.0);
            other[i] = weight == 2.0 ? 1.0 / 30.0 : 0.0;
        } else {
            own[i] = (i == index ? 1.0 : 0.0) - weight / 36.0;
        }
    }
    return sqrt(variance_of(judging, question->ask, own) +
                (opens ? variance_of(judging, question->other, other) : 0.0));
}

/* ---------------------------------------------------------------- errors */

/* Returns the raw value of one unit of normalised equity at this ask, for the player to move.
 * Scores beyond the table use its last entry. */
static double loss_unit(const struct answers_judging *judging, const struct bg_ask *ask)
{
    struct met_score score = {.crawford = ask->crawford_game, .crawford_done = ask->post_crawford};

    if (!is_match(ask)) {
        return raw_of(ask);
    }
    for (int side = 0; side < 2; side++) {
        int64_t away = ask->rules.length_points - ask->score[side];

        score.away[side] = away > judging->met.away ? judging->met.away : (int)away;
    }
    return met_stake(&judging->met, &score, 0, 1 << (ask->cube_log2 < 8 ? ask->cube_log2 : 8)) / 2;
}

static struct judged_choice *add_choice(struct answers_judging *judging, enum judged_kind kind,
                                        const struct question *question, int step, double loss)
{
    struct judged_choice *choice = &judging->out->choice[judging->out->choices++];
    const struct bg_ask *ask = ask_of(judging, question);

    loss = loss > 0.0 ? loss * raw_of(ask) : 0.0;
    *choice = (struct judged_choice){
        .step = step,
        .bot = bot_of(judging, question->seat),
        .kind = kind,
        .counted = true,
        .error = loss / loss_unit(judging, ask),
        .loss = loss,
    };
    return choice;
}

/* What the judge says of the roll that fell. */
struct best {
    double equity, played;
    const struct bg_play *play; /* lent */
};

static struct best best_of(const struct answers_judging *judging, const struct question *question)
{
    const struct bg_value *value = &judging->values[question->ask];
    const struct bg_roll_values *rolls = &value->of.rolls;
    const struct bg_throw_values *throws = &value->of.throws;
    bool three = has_three_dice(judging, question->ask);
    int i = three ? bg_throw_number(question->roll) : bg_roll_number(question->roll);

    return three ? (struct best){throws->equity[i], throws->played, &throws->best[i]}
                 : (struct best){rolls->equity[i], rolls->played, &rolls->best[i]};
}

static void add_play(struct answers_judging *judging, const struct question *question)
{
    const struct bg_ask *ask = ask_of(judging, question);
    char text[BG_PLAY_TEXT];
    struct judged_choice *choice;
    struct best best;

    if (question->play_step < 0) { /* nor has an opening of three dice a throw */
        return;
    }
    best = best_of(judging, question);
    choice =
        add_choice(judging, JUDGED_PLAY, question, question->play_step, best.equity - best.played);
    choice->counted = question->choices > 1;
    bg_play_write(text, ask->rules.variant, &ask->board, 0, best.play);
    snprintf(choice->best, sizeof choice->best, "%.*s", JUDGED_BEST - 1, text);
}

/* Returns a double's value after the opponent's best answer. */
static double double_value(const struct bg_cube_values *cube, bool may_raise)
{
    double value = fmin(cube->double_take, cube->double_pass);

    return may_raise ? fmin(value, 2.0 * cube->double_take) : value;
}

/* Returns true if not doubling was a close decision, in normalised equity. */
static bool is_close(const struct answers_judging *judging, const struct bg_ask *ask,
                     const struct bg_cube_values *cube)
{
    double scale = raw_of(ask) / loss_unit(judging, ask);

    return errors_is_close(cube->no_double * scale, cube->double_take * scale,
                           cube->double_pass * scale);
}

static void add_double(struct answers_judging *judging, const struct question *question)
{
    const struct bg_cube_values *cube = &judging->values[question->ask].of.cube;
    double doubled = double_value(cube, question->may_raise);
    bool doubles = question->done == BG_STEP_DOUBLE;
    double loss = doubles ? cube->no_double - doubled : doubled - cube->no_double;
    struct judged_choice *choice =
        add_choice(judging, JUDGED_DOUBLE, question, question->step, loss);

    choice->counted = doubles || loss > 0.0 || is_close(judging, ask_of(judging, question), cube);
    strcpy(choice->best, doubles == (loss > 0.0) ? "roll" : "double");
}

/* The values are the doubler's: what an answer costs the opponent is the doubler's gain. */
static void add_take(struct answers_judging *judging, const struct question *question)
{
    const struct bg_cube_values *cube = &judging->values[question->ask].of.cube;
    double best = double_value(cube, question->may_raise);
    double done = question->done == BG_STEP_PASS   ? cube->double_pass
                  : question->done == BG_STEP_TAKE ? cube->double_take
                                                   : 2.0 * cube->double_take;
    struct judged_choice *choice =
        add_choice(judging, JUDGED_TAKE, question, question->step, done - best);

    strcpy(choice->best, best == cube->double_pass   ? "pass"
                         : best == cube->double_take ? "take"
                                                     : "beaver");
}

/* ---------------------------------------------------------------- the whole */

static void judge_question(struct answers_judging *judging, const struct question *question)
{
    struct judgement *out = judging->out;

    if (judging->values[question->ask].cannot) {
        return;
    }
    if (question->kind == QUESTION_DOUBLE) {
        add_double(judging, question);
    } else if (question->kind == QUESTION_TAKE) {
        add_take(judging, question);
    } else {
        double luck = luck_of(judging, question);
        int bot = bot_of(judging, question->seat);

        out->roll[out->rolls++] =
            (struct judged_roll){question->step, bot, luck, luck_error(judging, question)};
        out->luck[bot] += luck;
        add_play(judging, question);
    }
}

static enum bg_status met_begin(struct answers_judging *judging, struct bg_error *err)
{
    const struct questions *questions = judging->questions;
    int length = questions->count == 0 ? 0 : questions->ask[0].rules.length_points;

    if (!questions->errors || length == 0) {
        return BG_OK;
    }
    return met_model(&judging->met, length < MET_AWAY_MAX ? length : MET_AWAY_MAX, err);
}

enum bg_status questions_judge(struct judgement *out, const struct questions *questions,
                               const struct bg_value *values, const struct value_noise *noise,
                               struct bg_error *err)
{
    struct answers_judging judging = {
        .out = out, .questions = questions, .values = values, .noise = noise};
    enum bg_status status = met_begin(&judging, err);

    if (status != BG_OK) {
        return status;
    }
    out->roll = memory_zeroed(questions->abouts, sizeof *out->roll);
    out->choice = memory_zeroed(questions->abouts, sizeof *out->choice);
    out->has_choices = questions->errors;
    for (size_t i = 0; i < questions->abouts; i++) {
        judge_question(&judging, &questions->about[i]);
    }
    met_deinit(&judging.met);
    return BG_OK;
}
