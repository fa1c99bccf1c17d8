/* Counts in pips, so that a person can check a value by hand: what a blot, a point or an anchor
 * is worth is said in the pips that a good player would give for it. No search, no tables; it is
 * the opponent that a first bot should beat. */
#include "classic.h"

static int rearmost(const uint8_t at[BG_SLOTS])
{
    int slot = BG_BAR;

    while (slot > 0 && at[slot] == 0) {
        slot--;
    }
    return slot;
}

bool classic_is_race(const struct bg_board *board)
{
    return rearmost(board->at[0]) + rearmost(board->at[1]) < 25;
}

/* Returns the share of 36 rolls that hit a blot `distance` away on an open board. */
static double shots(int distance)
{
    static const int rolls[25] = {0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3,
                                  0, 0,  1,  1,  0,  1,  0,  1, 0, 0, 0, 1};

    return distance < 25 ? rolls[distance] / 36.0 : 0.0;
}

/* Returns the chance that a checker of `opponent` hits ours on slot; opponent is numbered from the
 * other side. */
static double hit_chance(const uint8_t opponent[BG_SLOTS], int slot)
{
    double missed = 1.0;
    int target = 25 - slot;

    for (int from = target + 1; from <= BG_BAR; from++) {
        if (opponent[from] > 0) {
            missed *= 1.0 - shots(from - target);
        }
    }
    return 1.0 - missed;
}

static int home_points(const uint8_t at[BG_SLOTS])
{
    int points = 0;

    for (int slot = 1; slot <= 6; slot++) {
        points += at[slot] >= 2;
    }
    return points;
}

/* Returns the cost of a hit on each of our blots: the pips back to the bar, and the time behind a
 * strong board. */
static double blot_cost(const uint8_t own[BG_SLOTS], const uint8_t opponent[BG_SLOTS])
{
    double cost = 0.0;
    int strength = home_points(opponent);

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        if (own[slot] == 1) {
            cost +=
                hit_chance(opponent, slot) * (25 - slot + 3.0 * strength * strength / 4.0 + 4.0);
        }
    }
    return cost;
}

/* Blocks: single points by their place, and runs of points before opposing checkers. */
static double point_value(const uint8_t own[BG_SLOTS], const uint8_t opponent[BG_SLOTS])
{
    static const double place[25] = {0, 2, 3, 5, 7, 9, 8, 7, 4, 3, 2, 1, 1,
                                     2, 1, 2, 2, 2, 6, 4, 9, 8, 5, 3, 3};
    double value = 0.0;
    int run = 0, opponent_back = 25 - rearmost(opponent);

    for (int slot = BG_POINTS; slot >= 1; slot--) {
        run = own[slot] >= 2 ? run + 1 : 0;
        if (run > 0 && slot > opponent_back) {
            value += place[slot] + 1.5 * (run - 1);
        } else if (run > 0) {
            value += place[slot] / 3.0; /* no opposing checker is behind it */
        }
    }
    return value;
}

/* Counts checkers far behind, in high stacks, or on the bar against points. */
static double awkward_cost(const uint8_t own[BG_SLOTS], const uint8_t opponent[BG_SLOTS])
{
    double cost = own[BG_BAR] * (4.0 + 2.5 * home_points(opponent));

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        if (own[slot] > 4) {
            cost += 1.5 * (own[slot] - 4);
        }
    }
    for (int slot = 22; slot <= BG_POINTS; slot++) {
        cost += 1.0 * own[slot];
    }
    return cost;
}

/* Counts pips, and pips that will be wasted: stacks on low points and gaps lose pips at the end. */
static double race_cost(const struct bg_board *board, int seat)
{
    const uint8_t *at = board->at[seat];
    double cost = bg_board_pips(board, seat) + 2.0 * (bg_board_count(board, seat) - at[BG_OFF]);

    for (int slot = 1; slot <= 6; slot++) {
        cost += at[slot] == 0 && slot > 3 ? 1.0 : 0.0;
        cost += slot <= 3 && at[slot] > 2 ? (4 - slot) * 0.7 * (at[slot] - 2) : 0.0;
    }
    for (int slot = 7; slot <= BG_BAR; slot++) {
        cost += at[slot] * 1.0; /* crossing into the home board comes first */
    }
    return cost;
}

static double side_value(const struct bg_board *board, int seat, double blot_fear)
{
    const uint8_t *own = board->at[seat], *opponent = board->at[1 - seat];

    return point_value(own, opponent) - blot_fear * blot_cost(own, opponent) -
           awkward_cost(own, opponent) - bg_board_pips(board, seat);
}

double classic_value(const struct bg_board *board, double blot_fear)
{
    if (classic_is_race(board)) {
        return race_cost(board, 1) - race_cost(board, 0);
    }
    return side_value(board, 0, blot_fear) - side_value(board, 1, blot_fear / 3.0);
}

double classic_race_lead(const struct bg_board *board)
{
    double own = race_cost(board, 0), opponent = race_cost(board, 1);

    return (opponent - own) / own;
}
