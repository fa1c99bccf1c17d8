/* Rolls that lead to the same position share one rollout (line_add): in a race most do. Several
 * positions of the game are in work at once, because the last trials of one position would leave
 * most of a request empty, and the process idle between requests. */
#include "game_rollouts.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "rollout.h"

enum {
    ACTIVE = 3, /* asks in work at once, so that requests are full although trials end */
    OPEN_MAX = 64,
    LINES_MAX = BG_ROLLS + 1 /* and the actual play */
};

/* One ask in work. */
struct active {
    bool busy;
    bool primed; /* its answer is known, and the rollout has begun */
    size_t ask;
    struct bg_value own; /* the bot's answer */
    struct rollout *rollout;
    int line_of[LINES_MAX]; /* of each roll and of the actual play */
};

/* A question given out: to which ask it belongs; slot -1: it is the ask itself. */
struct given {
    struct active *active;
    int slot;
};

struct game_rollouts {
    struct game_rollouts_setup setup;
    struct rollout_words words;
    struct active active[ACTIVE];
    struct given given[OPEN_MAX];
    size_t givens;
    size_t begun, known; /* asks */
    struct trial_start line[LINES_MAX];
};

struct game_rollouts *game_rollouts_create(const struct game_rollouts_setup *setup,
                                           const struct rollout_words *words)
{
    struct game_rollouts *rollouts = memory_zeroed(1, sizeof *rollouts);

    rollouts->setup = *setup;
    rollouts->words = *words;
    return rollouts;
}

void game_rollouts_destroy(struct game_rollouts *rollouts)
{
    for (int i = 0; rollouts != NULL && i < ACTIVE; i++) {
        rollout_destroy(rollouts->active[i].rollout);
    }
    free(rollouts);
}

/* ---------------------------------------------------------------- positions */

/* The match before the roll of ask; own is seat 0. */
static enum bg_status match_of(struct bg_match *out, const struct bg_ask *ask, struct bg_error *err)
{
    const struct bg_start start = {.board = ask->board,
                                   .score = {ask->score[0], ask->score[1]},
                                   .cube_log2 = ask->cube_log2,
                                   .cube_owner = ask->cube_owner,
                                   .crawford_game = ask->crawford_game,
                                   .crawford_done = ask->post_crawford};

    return bg_match_begin_at(out, &ask->rules, &start, err);
}

static enum bg_status broken_rule(enum bg_rule rule, struct bg_error *err)
{
    return bg_error_set(err, BG_E_ARGUMENT, "a rollout breaks rule %s", bg_rule_number(rule));
}

/* Rolls, and plays if anything can be played. board: the result of the play; NULL: play. */
static enum bg_status after_roll(struct bg_match *out, const struct bg_match *before,
                                 struct bg_roll roll, const struct bg_play *play,
                                 const struct bg_board *board, struct bg_error *err)
{
    const struct bg_step rolled = {
        .kind = BG_STEP_ROLL, .seat = 0, .die = {roll.die[0], roll.die[1]}};
    struct bg_step played = {.kind = BG_STEP_PLAY, .seat = 0};
    enum bg_rule rule;

    *out = *before;
    rule = bg_match_step(out, &rolled);
    if (rule == BG_RULE_NONE && out->need.kind == BG_NEED_PLAY && out->need.seat == 0) {
        if (board == NULL) {
            played.play = *play;
        } else {
            rule = bg_play_check_result(&played.play, out->rules.variant, &out->board, 0,
                                        &out->stage, board);
        }
        rule = rule != BG_RULE_NONE ? rule : bg_match_step(out, &played);
    }
    return rule == BG_RULE_NONE ? BG_OK : broken_rule(rule, err);
}

/* Adds a line, or finds it: many rolls lead to the same position. Returns its number. */
static int line_add(struct game_rollouts *rollouts, int *lines, const struct bg_match *match)
{
    for (int i = 0; i < *lines; i++) {
        if (bg_board_equal(&rollouts->line[i].match.board, &match->board)) {
            return i;
        }
    }
    rollouts->line[*lines] = (struct trial_start){.match = *match};
    return (*lines)++;
}

/* Sets the lines of an ask for all rolls. */
static enum bg_status lines_of_rolls(int *lines, struct game_rollouts *rollouts,
                                     struct active *active, struct bg_error *err)
{
    const struct bg_ask *ask = &rollouts->setup.questions->ask[active->ask];
    const struct bg_roll_values *own = &active->own.of.rolls;
    struct bg_match before, after;
    enum bg_status status = match_of(&before, ask, err);

    *lines = 0;
    for (int i = 0; i < BG_ROLLS && status == BG_OK; i++) {
        status = after_roll(&after, &before, bg_roll_at(i), &own->best[i], NULL, err);
        active->line_of[i] = status == BG_OK ? line_add(rollouts, lines, &after) : 0;
    }
    if (status == BG_OK && ask->played != NULL) {
        status = after_roll(&after, &before, ask->played->roll, NULL, &ask->played->board, err);
        active->line_of[BG_ROLLS] = status == BG_OK ? line_add(rollouts, lines, &after) : 0;
    }
    return status;
}

/* Sets the two lines of a cube decision: no double; double, take. */
static enum bg_status lines_of_cube(int *lines, struct game_rollouts *rollouts,
                                    const struct active *active, struct bg_error *err)
{
    const struct bg_step twice = {.kind = BG_STEP_DOUBLE, .seat = 0};
    const struct bg_step take = {.kind = BG_STEP_TAKE, .seat = 1};
    struct trial_start *line = rollouts->line;
    enum bg_status status =
        match_of(&line[0].match, &rollouts->setup.questions->ask[active->ask], err);
    enum bg_rule rule = BG_RULE_NONE;

    *lines = 2;
    line[1] = line[0];
    if (status == BG_OK) {
        rule = bg_match_step(&line[1].match, &twice);
        rule = rule != BG_RULE_NONE ? rule : bg_match_step(&line[1].match, &take);
    }
    line[0].decided = line[1].decided = true;
    return status != BG_OK || rule == BG_RULE_NONE ? status : broken_rule(rule, err);
}

/* A cube decision has two positions instead of 21: it gets whole blocks of first throws. */
static uint64_t trials_of(const struct game_rollouts *rollouts, const struct bg_ask *ask)
{
    uint64_t trials = rollouts->words.trials;

    return ask->kind == BG_VALUE_CUBE ? (trials + ROLLOUT_BLOCK - 1) / ROLLOUT_BLOCK * ROLLOUT_BLOCK
                                      : trials;
}

static enum bg_status prime(struct game_rollouts *rollouts, struct active *active,
                            struct bg_error *err)
{
    const struct bg_ask *ask = &rollouts->setup.questions->ask[active->ask];
    char text[BG_GAME_ID + 32];
    struct rollout_setup setup = {.line = rollouts->line,
                                  .cube_log2 = ask->cube_log2,
                                  .trials = trials_of(rollouts, ask),
                                  .plies = rollouts->words.plies,
                                  .reduces = rollouts->words.reduces,
                                  .seed = rollouts->words.seed,
                                  .text = text,
                                  .open_max = OPEN_MAX};
    enum bg_status status = ask->kind == BG_VALUE_CUBE
                                ? lines_of_cube(&setup.lines, rollouts, active, err)
                                : lines_of_rolls(&setup.lines, rollouts, active, err);

    snprintf(text, sizeof text, "%s|%zu", rollouts->setup.game_id, active->ask);
    if (status == BG_OK) {
        status = rollout_create(&active->rollout, &setup, err);
    }
    active->primed = status == BG_OK;
    return status;
}

/* ---------------------------------------------------------------- values */

static void rolls_finish(struct game_rollouts *rollouts, struct active *active)
{
    const struct rollout_sums *sums = rollout_sums(active->rollout);
    struct value_noise *noise = &rollouts->setup.noise[active->ask];
    struct bg_roll_values *out = &active->own.of.rolls;

    for (int i = 0; i < BG_ROLLS; i++) {
        out->equity[i] = rollout_sums_mean(sums, active->line_of[i]);
        for (int k = 0; k < BG_ROLLS; k++) {
            noise->covariance[i][k] =
                rollout_sums_covariance(sums, active->line_of[i], active->line_of[k]);
        }
    }
    if (rollouts->setup.questions->ask[active->ask].played != NULL) {
        out->played = rollout_sums_mean(sums, active->line_of[BG_ROLLS]);
    }
}

static void finish_active(struct game_rollouts *rollouts, struct active *active)
{
    if (active->own.cannot) {
        /* a cube decision without value is left out */
    } else if (active->own.kind == BG_VALUE_CUBE) {
        const struct rollout_sums *sums = rollout_sums(active->rollout);

        active->own.of.cube.no_double = rollout_sums_mean(sums, 0);
        active->own.of.cube.double_take = rollout_sums_mean(sums, 1);
    } else {
        rolls_finish(rollouts, active);
    }
    rollouts->setup.values[active->ask] = active->own;
    rollout_destroy(active->rollout);
    *active = (struct active){.busy = false};
    rollouts->known++;
}

/* ---------------------------------------------------------------- questions */

static void give(struct game_rollouts *rollouts, const struct bg_ask **out, struct active *active,
                 int slot, const struct bg_ask *ask)
{
    out[rollouts->givens] = ask;
    rollouts->given[rollouts->givens++] = (struct given){active, slot};
}

/* Gives out what one ask needs; finishes it if it needs nothing more. */
static void give_active(struct game_rollouts *rollouts, const struct bg_ask **out,
                        struct active *active, size_t max)
{
    const struct bg_ask *ask[OPEN_MAX];
    int slot[OPEN_MAX];
    size_t count;

    if (!active->primed) {
        give(rollouts, out, active, -1, &rollouts->setup.questions->ask[active->ask]);
        return;
    }
    count = rollout_next(active->rollout, slot, ask, max - rollouts->givens);
    for (size_t i = 0; i < count; i++) {
        give(rollouts, out, active, slot[i], ask[i]);
    }
    if (rollout_is_done(active->rollout)) {
        finish_active(rollouts, active);
    }
}

size_t game_rollouts_next(struct game_rollouts *rollouts, const struct bg_ask **ask, size_t max)
{
    max = max < OPEN_MAX ? max : OPEN_MAX;
    rollouts->givens = 0;
    do {
        for (int i = 0; i < ACTIVE && rollouts->givens < max; i++) {
            struct active *active = &rollouts->active[i];

            if (!active->busy && rollouts->begun < rollouts->setup.questions->count) {
                *active = (struct active){.busy = true, .ask = rollouts->begun++};
            }
            if (active->busy) {
                give_active(rollouts, ask, active, max);
            }
        }
        /* Nothing was given although asks remain: those in work were finished at once. */
    } while (rollouts->givens == 0 && rollouts->known < rollouts->setup.questions->count);
    return rollouts->givens;
}

/* Takes the bot's answer to the ask itself. */
static enum bg_status take_own(struct game_rollouts *rollouts, struct active *active,
                               const struct bg_value *value, struct bg_error *err)
{
    active->own = *value;
    if (!value->cannot) {
        return prime(rollouts, active, err);
    }
    if (value->kind != BG_VALUE_CUBE) {
        return bg_error_set(err, BG_E_ARGUMENT, "it cannot evaluate position %zu of the game: %s",
                            active->ask + 1, value->why);
    }
    finish_active(rollouts, active);
    return BG_OK;
}

enum bg_status game_rollouts_take(struct game_rollouts *rollouts, const struct bg_value *values,
                                  size_t count, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    assert(count == rollouts->givens);
    for (size_t i = 0; i < count && status == BG_OK; i++) {
        struct active *active = rollouts->given[i].active;

        status = rollouts->given[i].slot < 0
                     ? take_own(rollouts, active, &values[i], err)
                     : rollout_take(active->rollout, rollouts->given[i].slot, &values[i], err);
    }
    return status;
}
