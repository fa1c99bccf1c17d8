/* Janowski's model (1993): between a dead cube, on a straight line between lost and won, and a
 * fully live one, on straight lines through the points where a double is passed, the value lies
 * at a constant share of the way. Money has closed formulas, as every level looks like the next;
 * in a match the levels are computed from the highest cube downwards, where it is dead. */
#include "cube.h"

#include <math.h>

#include "score.h"

/* A chance that counts as none. */
static const double NOTHING = 0.0005;

enum { LEVELS = 8 }; /* doublings that a match looks ahead */

/* A game at one value of the cube, from one side. */
struct cube_stake {
    double win, lose;   /* mean value of a game that is won or lost at this cube */
    double cash, give;  /* value when the other side or this one passes a double */
    double cash_chance; /* chance to win from which the other side passes; 1: the cube is dead */
    double give_chance; /* chance to win below which this side passes; 0: the cube is dead */
    double live;        /* share of the way from a dead cube to a fully live one */
};

double cube_points(const struct bg_ask *ask, double points)
{
    double cube = ldexp(1.0, ask->cube_log2);
    struct score score = {
        .own = ask->rules.length_points - (double)ask->score[0] - fmax(points, 0.0) * cube,
        .opponent = ask->rules.length_points - (double)ask->score[1] - fmax(-points, 0.0) * cube,
        .crawford_over = !ask->rules.crawford || ask->crawford_game || ask->post_crawford,
    };

    return ask->rules.length_points == 0 ? points : score_chance(&score);
}

/* Returns the mean value of the games that one side wins, sign 1 for own and -1 for the other. */
static double mean_of(const struct bg_ask *ask, const double chance[3], double points)
{
    double single = cube_points(ask, points);
    double twice = cube_points(ask, 2.0 * points), thrice = cube_points(ask, 3.0 * points);
    /* No wins, no share of gammons among them; the sum is 0 in any case. */
    double all = fmax(chance[0], 1e-9);

    return single + chance[1] / all * (twice - single) + chance[2] / all * (thrice - twice);
}

int cube_levels(const struct bg_ask *ask, int owner)
{
    /* Jacoby: gammons count only after a turned cube. */
    bool jacoby = ask->rules.length_points == 0 && ask->rules.jacoby && ask->rules.cube;

    return jacoby && owner == BG_CENTRED ? 1 : bg_variant_level_max(ask->rules.variant);
}

/* Sets what can be won and lost when the cube is turned so often. */
static void set_ends(struct cube_stake *stake, const struct bg_ask *ask,
                     const struct outlook *outlook, struct cube_at at)
{
    int most = cube_levels(ask, at.owner);
    double points = ldexp(1.0, at.turns);
    double wins[3] = {outlook->win, most > 1 ? outlook->gammon : 0.0,
                      most > 2 ? outlook->backgammon : 0.0};
    double losses[3] = {1.0 - outlook->win, most > 1 ? outlook->lose_gammon : 0.0,
                        most > 2 ? outlook->lose_backgammon : 0.0};

    stake->win = mean_of(ask, wins, points);
    stake->lose = mean_of(ask, losses, -points);
    stake->cash = cube_points(ask, points);
    stake->give = cube_points(ask, -points);
    stake->live = outlook->live;
}

/* Returns the value with a chance to win between points at which the value is known, on straight
 * lines. */
static double between(double chance, double low, double at_low, double high, double at_high)
{
    return high > low ? at_low + (at_high - at_low) * (chance - low) / (high - low) : at_low;
}

/* Value for a chance to win when a side may or may not turn the cube. */
static double value_at(const struct cube_stake *stake, double chance, bool own_may,
                       bool opponent_may)
{
    double low = opponent_may ? stake->give_chance : 0.0, high = own_may ? stake->cash_chance : 1.0;
    double at_low = low > 0.0 ? stake->give : stake->lose;
    double at_high = high < 1.0 ? stake->cash : stake->win;
    double dead = between(chance, 0.0, stake->lose, 1.0, stake->win), live;

    if (chance < low) {
        live = between(chance, 0.0, stake->lose, low, at_low);
    } else if (chance > high) {
        live = between(chance, high, at_high, 1.0, stake->win);
    } else {
        live = between(chance, low, at_low, high, at_high);
    }
    return stake->live * live + (1.0 - stake->live) * dead;
}

/* In money play every level looks like the next. */
static void set_money_chances(struct cube_stake *stake, const struct bg_ask *ask,
                              const struct outlook *outlook)
{
    struct cube_stake turned;
    double sum, win, lose;

    set_ends(&turned, ask, outlook, (struct cube_at){0, 0});
    win = turned.win;
    lose = -turned.lose;
    sum = win + lose + 0.5;
    stake->give_chance = fmax((lose - 0.5) / sum, 0.0);
    stake->cash_chance = fmin((lose + 1.0) / sum, 1.0);
}

/* Returns the chance to win at which own is as well off with the cube of `taken` in its hands as
 * with `passed`, 0..1: from there on it takes. mirrored: the other side's chance. The value is on
 * two straight lines, which meet where the taker could turn the cube again. */
static double take_chance(const struct cube_stake *taken, double passed, bool mirrored)
{
    double sign = mirrored ? -1.0 : 1.0; /* the taker's values rise with its chance */
    double turn = mirrored ? 1.0 - taken->give_chance : taken->cash_chance;
    double at_turn = sign * value_at(taken, mirrored ? 1.0 - turn : turn, !mirrored, mirrored);
    double at_none = sign * (mirrored ? taken->win : taken->lose);
    double at_all = sign * (mirrored ? taken->lose : taken->win);
    double chance = at_turn >= sign * passed ? between(sign * passed, at_none, 0.0, at_turn, turn)
                                             : between(sign * passed, at_turn, turn, at_all, 1.0);

    return fmin(fmax(chance, 0.0), 1.0);
}

/* In a match the cube is dead for a side that it brings home; so the levels are computed from the
 * highest. */
static void set_match_chances(struct cube_stake *stake, const struct bg_ask *ask,
                              const struct outlook *outlook, struct cube_at at)
{
    struct cube_stake higher = {0};

    for (int turns = at.turns + LEVELS; turns >= at.turns; turns--) {
        double points = ldexp(1.0, ask->cube_log2 + turns);
        struct cube_stake here;

        set_ends(&here, ask, outlook, (struct cube_at){turns, at.owner});
        here.cash_chance = 1.0;
        here.give_chance = 0.0;
        if (turns < at.turns + LEVELS) {
            if (points < ask->rules.length_points - (double)ask->score[0]) {
                here.cash_chance = 1.0 - take_chance(&higher, here.cash, true);
            }
            if (points < ask->rules.length_points - (double)ask->score[1]) {
                here.give_chance = take_chance(&higher, here.give, false);
            }
        }
        higher = here;
    }
    *stake = higher;
}

/* A cube that nobody can turn any more: none in this game, or the largest value. */
static bool cube_is_still(const struct bg_ask *ask, struct cube_at at)
{
    int log2 = ask->cube_log2 + at.turns;

    return !ask->rules.cube || ask->crawford_game ||
           (ask->rules.cube_limit > 0 && ldexp(1.0, log2) >= ask->rules.cube_limit);
}

double cube_value(const struct bg_ask *ask, const struct outlook *outlook, struct cube_at at)
{
    struct cube_stake stake;

    set_ends(&stake, ask, outlook, at);
    if (cube_is_still(ask, at)) {
        return between(outlook->win, 0.0, stake.lose, 1.0, stake.win);
    }
    if (ask->rules.length_points == 0) {
        set_money_chances(&stake, ask, outlook);
    } else {
        set_match_chances(&stake, ask, outlook, at);
    }
    return value_at(&stake, outlook->win, at.owner != 1, at.owner != 0);
}

double cube_decided(const struct bg_ask *ask, const struct outlook *outlook, struct cube_at at,
                    int roller, double held)
{
    double taken, passed;

    if (at.owner == 1 - roller || cube_is_still(ask, at)) {
        return held;
    }
    taken = cube_value(ask, outlook, (struct cube_at){at.turns + 1, 1 - roller});
    passed = cube_points(ask, ldexp(roller == 0 ? 1.0 : -1.0, at.turns));
    return roller == 0 ? fmax(held, fmin(taken, passed)) : fmin(held, fmax(taken, passed));
}

double cube_turn(const struct bg_ask *ask, const struct outlook *outlook, struct cube_at at,
                 int roller)
{
    return cube_decided(ask, outlook, at, roller, cube_value(ask, outlook, at));
}

bool cube_doubles(const struct bg_ask *ask, const struct outlook *outlook)
{
    double waits = cube_value(ask, outlook, (struct cube_at){0, ask->cube_owner});
    double taken = cube_value(ask, outlook, (struct cube_at){1, 1});
    double passed = cube_points(ask, 1.0);

    return fmin(taken, passed) > waits;
}

struct cube_at cube_taken(const struct bg_ask *ask)
{
    bool raised = ask->kind == BG_DECIDE_RAISE;
    bool doubler = raised && ask->raise % 2 == 1; /* the cube belongs to the side doubled first */

    return (struct cube_at){raised ? 1 + ask->raise : 1, doubler ? 1 : 0};
}

enum bg_answer_kind cube_reply(const struct bg_ask *ask, double taken)
{
    /* A raise doubles what this side expects, which is for it only above 0. */
    if (ask->may_raise && taken > 0.0) {
        return BG_ANSWER_RAISE; /* money only: so this side gains by a higher cube */
    }
    return taken >= cube_points(ask, -ldexp(0.5, cube_taken(ask).turns)) ? BG_ANSWER_TAKE
                                                                         : BG_ANSWER_PASS;
}

enum bg_answer_kind cube_answer(const struct bg_ask *ask, const struct outlook *outlook)
{
    return cube_reply(ask, cube_value(ask, outlook, cube_taken(ask)));
}

int cube_resigns(const struct bg_ask *ask, const struct outlook *outlook)
{
    double gammons = cube_levels(ask, ask->cube_owner) > 1 ? outlook->lose_gammon : 0.0;

    /* Only what is certain: an estimate that is wrong by a little would give games away. */
    if (outlook->win > NOTHING || (gammons > 0.0 && outlook->lose_backgammon > NOTHING)) {
        return 0;
    }
    return gammons < NOTHING ? 1 : gammons > 1.0 - 2.0 * NOTHING ? 2 : 0;
}
