/* Chances of gammons have terms of their own: what wins a game may be worthless for a gammon, as
 * an anchor or a race lead. Backgammons use the same measures with other weights. */
#include "terms.h"

#include <math.h>

enum { HOME = 6 };

/* All for a game that own wins: what keeps opponent from saving the gammon. Units are small numbers
 * of throws, checkers or points, so that weights are of one size. */

/* Most games are not gammons: what speaks against one in every position. */
static double rare(const struct side *own, const struct side *opponent)
{
    (void)own;
    (void)opponent;
    return 1.0;
}

/* One throw is about eight pips. Returns how many opponent needs to bring all home and bear one
 * off. */
static double throws_to_save(const struct side *opponent)
{
    int distance = 0;

    for (int slot = HOME + 1; slot <= BG_BAR; slot++) {
        distance += (slot - HOME) * opponent->at[slot];
    }
    return (distance + 3) / 8.0;
}

/* Throws that opponent lacks to save the gammon before own is done, -8..8. */
static double throws_short(const struct side *own, const struct side *opponent)
{
    int left = own->men - own->at[BG_OFF];
    double mine = fmax(own->pips / 8.0, left / 2.0);

    return fmax(-8.0, fmin(8.0, throws_to_save(opponent) - mine));
}

/* Throws that opponent needs to save it. */
static double to_save(const struct side *own, const struct side *opponent)
{
    (void)own;
    return throws_to_save(opponent);
}

/* The opponent's checkers that are not home yet. */
static double not_home(const struct side *own, const struct side *opponent)
{
    int count = 0;

    (void)own;
    for (int slot = HOME + 1; slot <= BG_BAR; slot++) {
        count += opponent->at[slot];
    }
    return count;
}

/* The opponent's checkers in own's home or on the bar. */
static double opponent_back(const struct side *own, const struct side *opponent)
{
    (void)own;
    return opponent->back;
}

/* The opponent's checkers on the bar. */
static double opponent_on_bar(const struct side *own, const struct side *opponent)
{
    (void)own;
    return opponent->at[BG_BAR];
}

/* The chance that opponent's checker on the bar stays there, or would. */
static double opponent_shut_out(const struct side *own, const struct side *opponent)
{
    return own->stays_out * (opponent->back > 0 ? 1.0 : 0.0);
}

/* The opponent's anchor in own's home, 0 or 1: it is not closed out. */
static double opponent_anchor(const struct side *own, const struct side *opponent)
{
    (void)own;
    for (int slot = BG_POINTS - HOME + 1; slot <= BG_POINTS; slot++) {
        if (opponent->at[slot] >= 2) {
            return 1.0;
        }
    }
    return 0.0;
}

/* The opponent's blots in own's home. */
static double opponent_blots(const struct side *own, const struct side *opponent)
{
    int count = 0;

    (void)own;
    for (int slot = BG_POINTS - HOME + 1; slot <= BG_POINTS; slot++) {
        count += opponent->at[slot] == 1 ? 1 : 0;
    }
    return count;
}

/* Own's home points. */
static double own_board(const struct side *own, const struct side *opponent)
{
    (void)opponent;
    return own->home_points;
}

const struct term gammon_terms[GAMMON_TERMS] = {
    {"rare", rare, -1},
    {"throws_short", throws_short, 1},
    {"to_save", to_save, 1},
    {"not_home", not_home, 1},
    {"opponent_back", opponent_back, 1},
    {"opponent_on_bar", opponent_on_bar, 1},
    {"opponent_shut_out", opponent_shut_out, 1},
    {"opponent_anchor", opponent_anchor, -1},
    {"opponent_blots", opponent_blots, 1},
    {"own_board", own_board, 1},
};
