#include "exact_race.h"

#include <check.h>
#include <math.h>
#include <string.h>

enum { PLACES = 7 * 7 * 7, OWNERS = EXACT_RACE_OWNERS };

/* Equity of the side on roll, per point of the cube, before its cube decision; NAN: not computed
 * yet. */
static double known[PLACES][PLACES][OWNERS];

/* For checks that run a million times: each of Check's assertions is a system call. */
static void require(bool condition)
{
    if (!condition) {
        ck_abort_msg("the exact evaluator met a position that is not a race in the home boards");
    }
}

/* Three checkers on points 0 to 6, sorted, as one number. */
int exact_race_place(const uint8_t at[BG_SLOTS])
{
    int place = 0, seen = 0;

    for (int slot = 6; slot >= 1; slot--) {
        for (int i = 0; i < at[slot]; i++, seen++) {
            place = place * 7 + slot;
        }
    }
    require(seen <= EXACT_RACE_CHECKERS);
    for (; seen < EXACT_RACE_CHECKERS; seen++) {
        place *= 7;
    }
    return place;
}

/* After a play of own; owner from own's view. */
double exact_race_after(const struct bg_board *board, int owner)
{
    static const int turned[OWNERS] = {1, 0, 2, EXACT_RACE_DEAD};
    struct bg_board opponents;

    if (board->at[0][BG_OFF] == BG_CHECKERS) {
        return 1.0;
    }
    bg_board_swap(&opponents, board);
    return -exact_race_equity(&opponents, turned[owner]);
}

/* Own rolls now. */
double exact_race_rolling(const struct bg_board *board, int owner)
{
    const struct bg_variant *variant = bg_variant_find("backgammon");
    double sum = 0.0;

    for (int i = 0; i < BG_ROLLS; i++) {
        struct bg_stage stage = bg_stage_of_roll(variant, bg_roll_at(i));
        struct bg_play_list plays; /* on the stack: a race is over within a few turns */
        double best = -9.0;

        bg_play_list(&plays, variant, board, 0, &stage);
        for (size_t k = 0; k < plays.count; k++) {
            struct bg_board after;

            bg_play_make(&after, variant, board, 0, &plays.play[k]);
            best = fmax(best, exact_race_after(&after, owner));
        }
        require(plays.count > 0); /* in a race at home every roll can be played */
        sum += bg_roll_weight(i) * best;
    }
    return sum / 36.0;
}

double exact_race_equity(const struct bg_board *board, int owner)
{
    double *place = &known[exact_race_place(board->at[0])][exact_race_place(board->at[1])][owner];

    if (isnan(*place)) {
        *place = exact_race_rolling(board, owner);
        if (owner == 0 || owner == 2) {
            *place = fmax(*place, fmin(1.0, 2.0 * exact_race_rolling(board, 1)));
        }
    }
    return *place;
}

int exact_race_owner(const struct bg_ask *ask)
{
    if (!ask->rules.cube || ask->rules.length_points > 0) {
        return EXACT_RACE_DEAD;
    }
    return ask->cube_owner == BG_CENTRED ? 2 : ask->cube_owner;
}

static double in_units(const struct bg_ask *ask, double value)
{
    return ask->rules.length_points > 0 ? (1.0 + value) / 2.0 : value;
}

static double exact(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    return in_units(ask, exact_race_after(board, exact_race_owner(ask)));
}

void exact_race_value(struct bg_value *out, const struct bg_ask *ask)
{
    memset(out, 0, sizeof *out);
    out->size = sizeof *out;
    out->kind = ask->kind;
    if (ask->kind == BG_VALUE_ROLLS) {
        bg_value_rolls(&out->of.rolls, ask, exact, NULL);
        return;
    }
    require(ask->kind == BG_VALUE_CUBE);
    out->of.cube.no_double = exact_race_rolling(&ask->board, exact_race_owner(ask));
    out->of.cube.double_take = 2.0 * exact_race_rolling(&ask->board, 1);
    out->of.cube.double_pass = 1.0;
}

void exact_race_setup(void)
{
    for (int i = 0; i < PLACES; i++) {
        for (int k = 0; k < PLACES; k++) {
            for (int owner = 0; owner < OWNERS; owner++) {
                known[i][k][owner] = NAN;
            }
        }
    }
}
