/* Terms are what players say of a position: each is small enough to be read beside its name, has
 * a sign (good or bad for its owner), and units that make usual amounts about 1, so that weights
 * can be compared. What both sides share (the length of the race) divides a term, instead of
 * being one. */
#include "terms.h"

#include <math.h>

enum { HOME = 6, BAR_POINT = 7, ZONE = 12, OUTFIELD = 18, THROW_PIPS = 8 };

/* ---- the race ---- */

/* The length of the race for both sides. A lead of so many pips is worth more in a short race, as
 * the sum of dice strays with the root of their number. */
static double root_of_race(const struct side *own, const struct side *opponent)
{
    return sqrt(own->pips + opponent->pips + 4.0);
}

/* Pips to go, by the root of the race. */
static double pips(const struct side *own, const struct side *opponent)
{
    return own->pips / root_of_race(own, opponent);
}

/* The throw that this side is about to make, in the same unit. */
static double throw_first(const struct side *own, const struct side *opponent)
{
    return own->rolls ? THROW_PIPS / root_of_race(own, opponent) : 0.0;
}

/* Checkers to bear off, by the root of the race: each costs a half throw, whatever its pips. */
static double men_left(const struct side *own, const struct side *opponent)
{
    return (own->men - own->at[BG_OFF]) / root_of_race(own, opponent);
}

/* Pips wasted later: checkers piled on the three lowest points, counted 3, 2 and 1 there. */
static double wasted(const struct side *own, const struct side *opponent)
{
    double waste = 0.0;

    for (int slot = 1; slot <= 3; slot++) {
        waste += own->at[slot] > 2 ? (4 - slot) * (own->at[slot] - 2) : 0;
    }
    return waste / root_of_race(own, opponent);
}

/* Empty points 4, 5 and 6, on which a number is lost in the bear-off. */
static double gaps(const struct side *own, const struct side *opponent)
{
    int empty = 0;

    for (int slot = 4; slot <= HOME; slot++) {
        empty += own->at[slot] == 0 ? 1 : 0;
    }
    return empty / root_of_race(own, opponent);
}

/* Quarters of the board that checkers still have to cross before home. */
static double crossovers(const struct side *own, const struct side *opponent)
{
    int quarters = 0;

    for (int slot = HOME + 1; slot <= BG_BAR; slot++) {
        quarters += (slot - 1) / HOME * own->at[slot];
    }
    return quarters / root_of_race(own, opponent);
}

/* ---- blots and the bar ---- */

/* Tens of pips that the next throw costs us on average. */
static double pips_at_risk(const struct side *own, const struct side *opponent)
{
    (void)opponent;
    return own->rolls ? 0.0 : own->shots.loss / 10.0;
}

/* The chance to be hit and then to stay on the bar, 0..1: a hit costs more behind a strong
 * board. */
static double risk_of_board(const struct side *own, const struct side *opponent)
{
    return own->rolls ? 0.0 : own->shots.hit * opponent->stays_out;
}

/* Tens of pips at risk if we could not tidy up in the throw that we have. */
static double later_risk(const struct side *own, const struct side *opponent)
{
    (void)opponent;
    return own->rolls ? own->shots.loss / 10.0 : 0.0;
}

/* Tens of pips at risk, the more we lead: a hit gives a lead away, and costs little behind. */
static double lead_at_risk(const struct side *own, const struct side *opponent)
{
    return pips_at_risk(own, opponent) * own->ahead;
}

/* Checkers on the bar. */
static double on_bar(const struct side *own, const struct side *opponent)
{
    (void)opponent;
    return own->at[BG_BAR];
}

/* The chance that the first checker on the bar does not enter, 0..1. */
static double shut_out(const struct side *own, const struct side *opponent)
{
    return own->at[BG_BAR] > 0 ? opponent->stays_out : 0.0;
}

/* The same, counted almost only when the board is closed or nearly: its fourth power. */
static double closed_out(const struct side *own, const struct side *opponent)
{
    double out = shut_out(own, opponent);

    return out * out * out * out;
}

/* ---- boards and blocks ---- */

/* The square of our home points, in ninths: the fifth point is worth more than the third. */
static double board(const struct side *own, const struct side *opponent)
{
    (void)opponent;
    return own->home_points * own->home_points / 9.0;
}

/* The board that opposing checkers already feel: its strength for each of up to three behind it. */
static double board_at_work(const struct side *own, const struct side *opponent)
{
    return own->stays_out * (opponent->back < 3 ? opponent->back : 3);
}

/* How many of the bar point and the points 4, 5 and 6 are ours, while an opposing checker is behind
 * them. */
static double key_points(const struct side *own, const struct side *opponent)
{
    int count = 0;

    for (int slot = 4; slot <= BAR_POINT; slot++) {
        count += own->at[slot] >= 2 && slot > BG_BAR - opponent->rear ? 1 : 0;
    }
    return count;
}

/* The longest row of our points before an opposing checker, squared, in ninths. */
static double prime(const struct side *own, const struct side *opponent)
{
    int longest = 0, row = 0;

    for (int slot = BG_BAR - opponent->rear + 1; slot <= OUTFIELD; slot++) {
        row = slot >= 1 && own->at[slot] >= 2 ? row + 1 : 0;
        longest = row > longest ? row : longest;
    }
    return longest * longest / 9.0;
}

/* The chance that an opponent's rearmost checker does not get away with one throw, for each of up
 * to three behind our lines. */
static double held_points(const struct side *own, const struct side *opponent)
{
    double stays;

    if (opponent->back == 0) {
        return 0.0;
    }
    stays = 1.0 - shots_escapes(own->at, opponent->rear, OUTFIELD - 3);
    return stays * stays * (opponent->back < 3 ? opponent->back : 3);
}

/* Our checkers in the zone (points 1 to 12), above seven, against opposing blots and bar there. */
static double attack(const struct side *own, const struct side *opponent)
{
    int near = -7, targets = opponent->at[BG_BAR];

    for (int slot = 1; slot <= ZONE; slot++) {
        near += own->at[slot];
    }
    for (int slot = BG_POINTS - HOME + 1; slot <= BG_POINTS; slot++) {
        targets += opponent->at[slot] == 1 ? 1 : 0;
    }
    return near > 0 ? near * (targets < 2 ? targets : 2) / 5.0 : 0.0;
}

/* Checkers beyond the second on the points 6 to 11: material for the next point. Up to four. */
static double builders(const struct side *own, const struct side *opponent)
{
    int count = 0;

    (void)opponent;
    for (int slot = HOME; slot < ZONE; slot++) {
        int men = own->at[slot];

        count += men == 1 || men == 3 ? 1 : men > 3 ? 2 : 0;
    }
    return count < 4 ? count : 4;
}

/* ---- checkers behind the other side's lines ---- */

/* Our checkers in the other side's home, or on the bar. */
static double back_men(const struct side *own, const struct side *opponent)
{
    (void)opponent;
    return own->back;
}

/* Our most forward anchor, 0..1: the five point and the four point are best. */
static double anchor(const struct side *own, const struct side *opponent)
{
    static const double worth[BG_BAR] = {
        [18] = 0.7, [19] = 0.6, [20] = 1.0, [21] = 0.9, [22] = 0.6, [23] = 0.35, [24] = 0.25};
    double best = 0.0;

    (void)opponent;
    for (int slot = OUTFIELD; slot <= BG_POINTS; slot++) {
        best = own->at[slot] >= 2 && worth[slot] > best ? worth[slot] : best;
    }
    return best;
}

/* The anchor, the more we trail: those who wait need it most. */
static double anchor_behind(const struct side *own, const struct side *opponent)
{
    return anchor(own, opponent) * (1.0 - own->ahead);
}

/* Any anchor, by the chance that it spares us to stay on the bar: the other side's board. */
static double safe_landing(const struct side *own, const struct side *opponent)
{
    for (int slot = OUTFIELD + 1; slot <= BG_POINTS; slot++) {
        if (own->at[slot] >= 2) {
            return opponent->stays_out;
        }
    }
    return 0.0;
}

/* The chance that our rearmost checker gets away with one throw, 0..1; 1 when none is behind. */
static double escape(const struct side *own, const struct side *opponent)
{
    return own->back == 0 ? 1.0 : shots_escapes(opponent->at, own->rear, OUTFIELD - 3);
}

/* Pips that our checkers have to go to pass the other side's rearmost, in tens; up to 60 pips. */
static double to_pass(const struct side *own, const struct side *opponent)
{
    double distance = 0.0;

    for (int slot = BG_BAR - opponent->rear + 1; slot <= BG_BAR; slot++) {
        distance += slot >= 1 ? (slot - BG_BAR + opponent->rear) * own->at[slot] : 0;
    }
    return distance < 60.0 ? distance / 10.0 : 6.0;
}

/* ---- shape and time ---- */

/* Checkers above the third on a point: they do nothing there. */
static double stacks(const struct side *own, const struct side *opponent)
{
    int count = 0;

    (void)opponent;
    for (int slot = 1; slot <= BG_POINTS; slot++) {
        count += own->at[slot] > 3 ? own->at[slot] - 3 : 0;
    }
    return count;
}

/* Checkers on the points 1 and 2 while an opposing checker is still to be held: out of play. */
static double dead_men(const struct side *own, const struct side *opponent)
{
    return opponent->back > 0 ? own->at[1] + own->at[2] : 0;
}

/* Distances above six between neighbouring checkers, in sixes: men who cannot help each other. */
static double split_back(const struct side *own, const struct side *opponent)
{
    int last = 0, over = 0;

    (void)opponent;
    for (int slot = 1; slot <= BG_BAR; slot++) {
        if (own->at[slot] > 0) {
            over += last > 0 && slot - last > HOME ? slot - last - HOME : 0;
            last = slot;
        }
    }
    return over / 6.0;
}

/* Tens of pips that we can play before the board must break, up to 40; for those who wait. */
static double timing(const struct side *own, const struct side *opponent)
{
    int spare = 0;

    (void)opponent;
    if (own->back < 2) {
        return 0.0;
    }
    for (int slot = HOME + 1; slot <= OUTFIELD; slot++) {
        spare += (slot - HOME) * own->at[slot];
    }
    return spare < 40 ? spare / 10.0 : 4.0;
}

/* The same, the more we trail. */
static double timing_behind(const struct side *own, const struct side *opponent)
{
    return timing(own, opponent) * (1.0 - own->ahead);
}

/* The mid point, a place to land for checkers that come from behind, 0 or 1. */
static double midpoint(const struct side *own, const struct side *opponent)
{
    (void)opponent;
    return own->back > 0 && own->at[13] >= 2 ? 1.0 : 0.0;
}

/* Blots in our home board while an opposing checker is on the bar or behind: a shot in return. */
static double holes_at_home(const struct side *own, const struct side *opponent)
{
    int count = 0;

    for (int slot = 1; slot <= HOME; slot++) {
        count += own->at[slot] == 1 && slot > BG_BAR - opponent->rear ? 1 : 0;
    }
    return count;
}

/* An odd number of checkers on the highest two points that we hold at home: a blot soon. */
static double uneven_top(const struct side *own, const struct side *opponent)
{
    if (own->rear > HOME || own->rear < 2 || own->rear <= BG_BAR - opponent->rear) {
        return 0.0;
    }
    return (own->at[own->rear] + own->at[own->rear - 1]) % 2;
}

const struct term terms[TERMS] = {
    {"pips", pips, -1},
    {"throw_first", throw_first, 1},
    {"men_left", men_left, -1},
    {"wasted", wasted, -1},
    {"gaps", gaps, -1},
    {"crossovers", crossovers, -1},
    {"pips_at_risk", pips_at_risk, -1},
    {"lead_at_risk", lead_at_risk, -1},
    {"risk_of_board", risk_of_board, -1},
    {"later_risk", later_risk, -1},
    {"on_bar", on_bar, -1},
    {"shut_out", shut_out, -1},
    {"closed_out", closed_out, -1},
    {"board", board, 1},
    {"board_at_work", board_at_work, 1},
    {"key_points", key_points, 1},
    {"prime", prime, 1},
    {"hold", held_points, 1},
    {"attack", attack, 1},
    {"builders", builders, 1},
    {"back_men", back_men, -1},
    {"anchor_behind", anchor_behind, 1},
    {"safe_landing", safe_landing, 1},
    {"escape", escape, 1},
    {"to_pass", to_pass, -1},
    {"stacks", stacks, -1},
    {"dead_men", dead_men, -1},
    {"split", split_back, -1},
    {"timing_behind", timing_behind, 1},
    {"midpoint", midpoint, 1},
    {"holes_at_home", holes_at_home, -1},
    {"uneven_top", uneven_top, -1},
};
