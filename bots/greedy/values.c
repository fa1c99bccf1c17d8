/* As a judge greedy has chances, and not only an order of plays: its pips go through logistic
 * curves that were counted in its own games. Match scores by Janowski's rule of thumb, which
 * needs no table. */
#include "values.h"

#include <math.h>

#include "classic.h"
#include "games.h"

/* Counted over 12,000 games of greedy with itself: on roll, 30 pips in contact won 77 % of the
 * games and 8 % of a race won 80 %. Of games won from the start about a quarter are gammons. */
static const double contact_slope = 1.208 / 30.0, race_slope = 1.386 / 0.08, gammon_part = 0.25;

static double chance_of(double lead)
{
    return 1.0 / (1.0 + exp(-lead));
}

double values_chance(const struct bg_variant *variant, const struct bg_board *board)
{
    double chance;

    if (games_chance(&chance, variant, board)) {
        return chance;
    }
    return classic_is_race(board) ? chance_of(race_slope * classic_race_lead(board))
                                  : chance_of(contact_slope * classic_value(board, 1.0));
}

static bool gammons_count(const struct bg_ask *ask)
{
    bool jacoby = ask->rules.length_points == 0 && ask->rules.cube && ask->rules.jacoby &&
                  ask->cube_owner == BG_CENTRED;

    return !jacoby && bg_variant_level_max(ask->rules.variant) > 1;
}

/* Returns the chance to win a match with so many points to go, by Janowski's rule of thumb: 85 % of
 * the lead, as a share of the trailer's points to go plus six. */
static double match_chance(double own_away, double opponent_away)
{
    double lead = opponent_away - own_away;
    double trailer = lead > 0.0 ? opponent_away : own_away;

    if (own_away <= 0.0) {
        return 1.0;
    }
    return opponent_away <= 0.0 ? 0.0 : 0.5 + 0.85 * lead / (trailer + 6.0);
}

/* Returns the equity of winning with this chance games of `points` for each point of the cube, for
 * a cube that is turned `turns` times from here. */
static double equity_of(const struct bg_ask *ask, double chance, double points, int turns)
{
    double stake = ldexp(points, ask->cube_log2 + turns);
    double length = ask->rules.length_points;
    double own = length - (double)ask->score[0], opponent = length - (double)ask->score[1];

    if (ask->rules.length_points == 0) {
        return (2.0 * chance - 1.0) * ldexp(points, turns);
    }
    return chance * match_chance(own - stake, opponent) +
           (1.0 - chance) * match_chance(own, opponent - stake);
}

/* A won game may be a gammon until the losing side has a checker off. */
static double points_on(const struct bg_ask *ask, const struct bg_board *board)
{
    bool early = board->at[0][BG_OFF] == 0 && board->at[1][BG_OFF] == 0;
    double level = games_level(ask->rules.variant);

    if (bg_variant_level_max(ask->rules.variant) > 3) { /* a point for each checker not off */
        return fmax(1.0, level * (30 - board->at[0][BG_OFF] - board->at[1][BG_OFF]) / 30.0);
    }
    level = level > 0.0 ? level : 1.0 + gammon_part;
    return early && gammons_count(ask) ? level : 1.0;
}

static double value_after(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    const struct bg_variant *variant = ask->rules.variant;
    struct bg_board theirs;

    (void)user;
    if (board->at[0][BG_OFF] == bg_board_count(board, 0)) {
        bool wins = games_kind(variant) != KIND_MISERE;
        int level = gammons_count(ask) ? bg_variant_level(variant, board, wins ? 0 : 1) : 1;

        return equity_of(ask, wins ? 1.0 : 0.0, level, 0);
    }
    bg_board_swap(&theirs, board);
    return equity_of(ask, 1.0 - values_chance(variant, &theirs), points_on(ask, board), 0);
}

static void chances_find(struct bg_chances *out, const struct bg_ask *ask)
{
    double win = values_chance(ask->rules.variant, &ask->board);
    double points = points_on(ask, &ask->board), gammons = fmin(points - 1.0, 1.0);

    *out = (struct bg_chances){
        .win = win,
        .win_gammon = win * gammons,
        .lose_gammon = (1.0 - win) * gammons,
        .equity = equity_of(ask, win, points, 0),
    };
}

static void cube_find(struct bg_cube_values *out, const struct bg_ask *ask)
{
    double win = values_chance(ask->rules.variant, &ask->board);
    double points = points_on(ask, &ask->board);

    out->no_double = equity_of(ask, win, points, 0);
    out->double_take = equity_of(ask, win, points, 1);
    out->double_pass = equity_of(ask, 1.0, 1.0, 0);
}

void values_find(struct bg_value *out, const struct bg_ask *ask)
{
    switch (ask->kind) {
    case BG_VALUE_ROLLS:
        bg_value_rolls(&out->of.rolls, ask, value_after, NULL);
        break;
    case BG_VALUE_THROWS:
        bg_value_throws(&out->of.throws, ask, value_after, NULL);
        break;
    case BG_VALUE_CUBE:
        cube_find(&out->of.cube, ask);
        break;
    default:
        chances_find(&out->of.chances, ask);
        break;
    }
}
