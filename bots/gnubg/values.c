/* A position is valued by asking for chances of the side on roll; for the value after a play the
 * other side is asked, and its answer turned around. Rolls without a play share one position, so
 * what was asked in this question is kept (known). */
#include "values.h"

#include <string.h>

/* Values found for one ask: all rolls without a legal play lead to one position, and other rolls
 * may share a position too. */
struct values_finder {
    const struct bg_ask *ask;
    struct engine *engine;
    const struct query_strength *strength;
    struct {
        struct bg_board board;
        double value;
    } known[BG_ROLLS + 1];
    size_t knowns;
};

/* Finds the value of the position in shown for own, which is about to roll or has just played. */
static enum bg_status value_ask(double *out, const struct values_finder *finder,
                                const struct bg_ask *shown, bool own_rolls, struct bg_error *err)
{
    struct bg_chances chances;
    char line[QUERY_LINE], reply[QUERY_LINE];
    enum bg_status status = query_write_value(line, shown, own_rolls, finder->strength, err);

    if (status != BG_OK ||
        (status = engine_ask(reply, sizeof reply, finder->engine, line, err)) != BG_OK ||
        (status = query_read_value(&chances, reply, err)) != BG_OK) {
        return status;
    }
    if (own_rolls) {
        *out = chances.equity;
    } else {
        *out = shown->rules.length_points > 0 ? 1.0 - chances.equity : -chances.equity;
    }
    return BG_OK;
}

/* Finds the value of board for own, whose play has led to it. */
static enum bg_status value_after(double *out, struct values_finder *finder,
                                  const struct bg_board *board, struct bg_error *err)
{
    struct bg_ask shown = *finder->ask;
    enum bg_status status;

    for (size_t i = 0; i < finder->knowns; i++) {
        if (bg_board_equal(&finder->known[i].board, board)) {
            *out = finder->known[i].value;
            return BG_OK;
        }
    }
    shown.board = *board;
    status = value_ask(out, finder, &shown, false, err);
    if (status == BG_OK) {
        finder->known[finder->knowns].board = *board;
        finder->known[finder->knowns++].value = *out;
    }
    return status;
}

/* Finds gnubg's play of the stage and the board after it. */
static enum bg_status play_ask(struct bg_play *out, struct bg_board *after,
                               const struct values_finder *finder, const struct bg_stage *stage,
                               struct bg_error *err)
{
    struct bg_ask shown = *finder->ask;
    struct bg_answer answer;
    char line[QUERY_LINE], reply[QUERY_LINE];
    enum bg_rule broken;
    enum bg_status status;

    shown.kind = BG_DECIDE_PLAY;
    shown.stage = *stage;
    if ((status = query_write(line, &shown, finder->strength, err)) != BG_OK ||
        (status = engine_ask(reply, sizeof reply, finder->engine, line, err)) != BG_OK ||
        (status = query_read(&answer, &shown, reply, err)) != BG_OK) {
        return status;
    }
    broken = bg_play_check(after, shown.rules.variant, &shown.board, 0, stage, &answer.play);
    if (broken != BG_RULE_NONE) {
        return bg_error_set(err, BG_E_FORMAT, "gnubg plays \"%.80s\", which breaks rule %s", reply,
                            bg_rule_number(broken));
    }
    *out = answer.play;
    return BG_OK;
}

static enum bg_status roll_find(struct bg_roll_values *out, int i, struct values_finder *finder,
                                struct bg_error *err)
{
    static struct bg_play_list plays;
    const struct bg_ask *ask = finder->ask;
    struct bg_stage stage = bg_stage_of_roll(ask->rules.variant, bg_roll_at(i));
    struct bg_board after = ask->board;
    enum bg_status status = BG_OK;

    bg_play_list(&plays, ask->rules.variant, &ask->board, 0, &stage);
    out->best[i].moves = 0;
    if (plays.count == 1) {
        out->best[i] = plays.play[0];
        bg_play_make(&after, ask->rules.variant, &ask->board, 0, &plays.play[0]);
    } else if (plays.count > 1) {
        status = play_ask(&out->best[i], &after, finder, &stage, err);
    }
    return status != BG_OK ? status : value_after(&out->equity[i], finder, &after, err);
}

static enum bg_status rolls_find(struct bg_roll_values *out, struct values_finder *finder,
                                 struct bg_error *err)
{
    const struct bg_ask_played *played = finder->ask->played;
    enum bg_status status = BG_OK;

    for (int i = 0; i < BG_ROLLS && status == BG_OK; i++) {
        status = roll_find(out, i, finder, err);
    }
    if (status == BG_OK && played != NULL) {
        status = value_after(&out->played, finder, &played->board, err);
    }
    return status;
}

/* Sets a position that wins one point of the present cube, as gnubg sees it: a passed double. */
static void show_won(struct bg_ask *shown)
{
    memset(&shown->board, 0, sizeof shown->board);
    shown->board.at[0][BG_OFF] = BG_CHECKERS;
    shown->board.at[1][BG_OFF] = BG_CHECKERS - 1;
    shown->board.at[1][1] = 1;
}

static enum bg_status cube_find(struct bg_cube_values *out, const struct values_finder *finder,
                                struct bg_error *err)
{
    struct bg_ask shown = *finder->ask;
    enum bg_status status = value_ask(&out->no_double, finder, &shown, true, err);

    shown.cube_log2++;
    shown.cube_owner = 1;
    if (status == BG_OK) {
        status = value_ask(&out->double_take, finder, &shown, true, err);
    }
    if (shown.rules.length_points == 0) {
        out->double_take *= 2.0; /* gnubg gives it for each point of the new cube */
        out->double_pass = 1.0;
        return status;
    }
    shown = *finder->ask;
    show_won(&shown);
    return status != BG_OK ? status : value_ask(&out->double_pass, finder, &shown, false, err);
}

static enum bg_status chances_find(struct bg_chances *out, const struct values_finder *finder,
                                   struct bg_error *err)
{
    char line[QUERY_LINE], reply[QUERY_LINE];
    enum bg_status status = query_write_value(line, finder->ask, true, finder->strength, err);

    if (status == BG_OK) {
        status = engine_ask(reply, sizeof reply, finder->engine, line, err);
    }
    return status != BG_OK ? status : query_read_value(out, reply, err);
}

enum bg_status values_ask(struct bg_value *out, const struct bg_ask *ask, struct engine *engine,
                          const struct query_strength *strength, struct bg_error *err)
{
    struct values_finder finder = {.ask = ask, .engine = engine, .strength = strength};

    out->kind = ask->kind;
    switch (ask->kind) {
    case BG_VALUE_ROLLS:
        return rolls_find(&out->of.rolls, &finder, err);
    case BG_VALUE_CUBE:
        return cube_find(&out->of.cube, &finder, err);
    default:
        return chances_find(&out->of.chances, &finder, err);
    }
}
