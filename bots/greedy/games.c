/* The other games have too few strong players for known values, so only what their rules reward
 * is counted, by kind: blocking, pinning, hitting, losing. The curves from pips to chances are
 * fits to games of greedy with itself, for judging; a bad fit costs little, as plays are
 * compared by pips. */
#include "games.h"

#include <math.h>
#include <string.h>

#include "classic.h"

enum { HOME = 6, MOTHER = 24, GAME_WON = 100000 };

struct games_game {
    const char *id; /* without options */
    enum kind kind;
    double slope,
        tempo;    /* log-odds to win for each pip of the value, and for the roll; 0: classic.c's */
    double level; /* mean level of a win, 0: see values.c */
};

/* slope, tempo and level were counted in 2,000 games of greedy with itself (nard: 600, xii-scripta:
 * 200; misere: the 64 that ended). The fits hold: of positions valued at 60 to 70 % between 59 and
 * 73 % were won. */
static const struct games_game games[] = {
    {"backgammon", KIND_CLASSIC, 0, 0, 0},
    {"nackgammon", KIND_CLASSIC, 0, 0, 0},
    {"hypergammon", KIND_CLASSIC, 0.079, 0.63, 0}, /* three checkers: a pip decides more */
    {"short-nardi", KIND_CLASSIC, 0, 0, 0},
    {"portes", KIND_CLASSIC, 0, 0, 0},
    {"tavla", KIND_CLASSIC, 0, 0, 0},
    {"old-english", KIND_CLASSIC, 0, 0, 0},
    {"irish", KIND_CLASSIC, 0, 0, 0},
    {"shuanglu", KIND_CLASSIC, 0, 0, 0},
    {"hoyle-1870", KIND_CLASSIC, 0, 0, 0},
    {"long-nardi", KIND_BLOCK, 0.0058, 0.03, 1.21},
    {"fevga", KIND_BLOCK, 0.0081, 0.03, 1.22},
    {"moultezim", KIND_BLOCK, 0.0082, 0.03, 1.22},
    {"gul", KIND_BLOCK, 0.0120, 0.05, 1.69},
    {"gulbara", KIND_BLOCK, 0.0086, 0.05, 1.42},
    {"nard", KIND_BLOCK, 0.0210, 0.06, 1.32},
    {"plakoto", KIND_PIN, 0.0173, -0.03, 1.39},
    {"tapa", KIND_PIN, 0.0180, -0.03, 1.38},
    {"acey-deucey", KIND_HIT, 0.0150, 0.10, 10.8},
    {"asodio", KIND_HIT, 0.0095, 0.06, 1.15},
    {"russian", KIND_HIT, 0.0064, 0.05, 1.47},
    {"tabula", KIND_HIT, 0.0467, 0.27, 1.0},
    {"dutch", KIND_HIT, 0.0328, 0.13, 1.21},
    {"xii-scripta", KIND_HIT, 0.0101, 0.06, 1.0},
    {"misere", KIND_MISERE, 0.0361, 0.06, 1.0},
    {"kiz-tavlasi", KIND_PIPS, 0.0372, 0.10, 1.0},
};

/* An unknown game has pips, as kiz-tavlasi. */
static const struct games_game *game_of(const struct bg_variant *variant)
{
    enum { COUNT = sizeof games / sizeof games[0] };
    const char *id = bg_variant_id(variant);
    size_t size = strcspn(id, ":");

    for (int i = 0; i < COUNT - 1; i++) {
        if (strlen(games[i].id) == size && memcmp(games[i].id, id, size) == 0) {
            return &games[i];
        }
    }
    return &games[COUNT - 1];
}

enum kind games_kind(const struct bg_variant *variant)
{
    return game_of(variant)->kind;
}

double games_level(const struct bg_variant *variant)
{
    return game_of(variant)->level;
}

static bool is_point(int slot)
{
    return slot >= 1 && slot != BG_BAR && slot != BG_HAND;
}

/* Returns the points that a checker on this slot still has to move, 0 if it is off. */
static int walk(int slot, int points)
{
    if (slot == BG_BAR || slot == BG_HAND) {
        return points + 1;
    }
    return slot >= BG_FAR ? slot - 2 : slot;
}

static int points_of(const struct bg_board *board)
{
    for (int seat = 0; seat < 2; seat++) {
        for (int slot = BG_FAR; slot < BG_SLOTS; slot++) {
            if (board->at[seat][slot] > 0) {
                return BG_POINTS + BG_POINTS / 2;
            }
        }
    }
    return BG_POINTS;
}

/* Counts pips, plus a little for each checker that is not off, and more for each one that is not
 * home yet. */
static double race_cost(const struct bg_board *board, int seat, int points)
{
    double cost = 0.0;

    for (int slot = 1; slot < BG_SLOTS; slot++) {
        int far = walk(slot, points);

        cost += board->at[seat][slot] * (far + 4.0 + (far > HOME ? 2.0 : 0.0));
    }
    return cost;
}

/* ---- hitting ---- */

/* Returns the share of 36 rolls in which one of two dice, or both together, make this distance. */
static double shot(int distance)
{
    if (distance <= 0 || distance > 24) {
        return 0.0;
    }
    return distance <= HOME ? (10.0 + distance) / 36.0 : distance <= 12 ? 4.0 / 36.0 : 1.0 / 36.0;
}

/* Returns the expected loss from seat's single checkers that opposing checkers can still hit. */
static double danger(const struct bg_variant *variant, const struct bg_board *board, int seat,
                     int points)
{
    const uint8_t *own = board->at[seat], *opponent = board->at[1 - seat];
    double cost = 0.0;

    for (int slot = 1; slot < BG_SLOTS; slot++) {
        double missed = 1.0;
        int target;

        if (!is_point(slot) || own[slot] != 1) {
            continue;
        }
        target = walk(bg_variant_opponent_slot(variant, slot), points);
        for (int from = 1; from < BG_SLOTS; from++) {
            if (opponent[from] > 0) {
                missed *= 1.0 - shot(walk(from, points) - target);
            }
        }
        cost += (1.0 - missed) * (points + 1 - walk(slot, points) + 3.0);
    }
    return cost;
}

/* Counts points held by two or more checkers in the way of the other side's checkers. */
static double walls(const struct bg_variant *variant, const struct bg_board *board, int seat,
                    int points, int least)
{
    const uint8_t *own = board->at[seat], *opponent = board->at[1 - seat];
    double value = 0.0;
    int run = 0;

    for (int slot = 1; slot < BG_SLOTS; slot++) {
        int behind = 0, target;

        if (!is_point(slot) || own[slot] < least) {
            run = 0;
            continue;
        }
        run++;
        target = walk(bg_variant_opponent_slot(variant, slot), points);
        for (int from = 1; from < BG_SLOTS; from++) {
            int ahead = walk(from, points) - target;

            behind += ahead > 0 && ahead <= 12 ? opponent[from] : 0;
        }
        value += (behind > 4 ? 4 : behind) * (0.25 + 0.25 * run);
    }
    return value;
}

static double value_hit(const struct bg_variant *variant, const struct bg_board *board)
{
    int points = points_of(board);

    return race_cost(board, 1, points) - race_cost(board, 0, points) -
           danger(variant, board, 0, points) + 0.3 * danger(variant, board, 1, points) +
           walls(variant, board, 0, points, 2) - walls(variant, board, 1, points, 2) +
           3.0 * board->at[1][BG_BAR];
}

/* ---- blocking ---- */

/* Counts checkers that are tied up: those on one point only can leave it with few numbers. */
static double heaps(const struct bg_board *board, int seat)
{
    double cost = 0.0;

    for (int slot = HOME + 1; slot <= BG_POINTS; slot++) {
        int over = board->at[seat][slot] - 3;

        cost += over > 0 ? 0.6 * over : 0.0;
    }
    return cost;
}

static double value_block(const struct bg_variant *variant, const struct bg_board *board)
{
    return race_cost(board, 1, BG_POINTS) - race_cost(board, 0, BG_POINTS) - heaps(board, 0) +
           2.0 * walls(variant, board, 0, BG_POINTS, 1) -
           2.0 * walls(variant, board, 1, BG_POINTS, 1);
}

/* ---- pinning ---- */

/* Returns the cost of a pinned checker: the more pips it still has to move, the higher. */
static double pinned_cost(const struct bg_board *board, int seat)
{
    double cost = 0.0;

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        if ((board->pinned[seat] >> slot & 1) != 0) {
            cost += 12.0 + 1.5 * slot + (slot == MOTHER ? 60.0 : 0.0);
        }
    }
    return cost;
}

/* Counts single checkers on which the other side can still land. */
static double pin_danger(const struct bg_variant *variant, const struct bg_board *board, int seat)
{
    const uint8_t *own = board->at[seat], *opponent = board->at[1 - seat];
    double cost = 0.0;

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        double missed = 1.0;
        int target = bg_variant_opponent_slot(variant, slot);

        if (own[slot] != 1 || (board->pinned[seat] >> slot & 1) != 0) {
            continue;
        }
        for (int from = target + 1; from <= BG_POINTS; from++) {
            missed *= opponent[from] > 0 ? 1.0 - shot(from - target) : 1.0;
        }
        cost += (1.0 - missed) * (12.0 + 1.5 * slot + (slot == MOTHER ? 60.0 : 0.0));
    }
    return cost;
}

static double value_pin(const struct bg_variant *variant, const struct bg_board *board)
{
    return race_cost(board, 1, BG_POINTS) - race_cost(board, 0, BG_POINTS) + pinned_cost(board, 1) -
           pinned_cost(board, 0) - pin_danger(variant, board, 0) +
           0.3 * pin_danger(variant, board, 1) +
           0.7 * (walls(variant, board, 0, BG_POINTS, 2) - walls(variant, board, 1, BG_POINTS, 2));
}

double games_value(const struct bg_variant *variant, enum kind kind, const struct bg_board *board)
{
    int points = points_of(board);

    if (kind != KIND_MISERE && board->at[0][BG_OFF] == bg_board_count(board, 0)) {
        return GAME_WON; /* this play ends the game */
    }
    switch (kind) {
    case KIND_HIT:
        return value_hit(variant, board);
    case KIND_BLOCK:
        return value_block(variant, board);
    case KIND_PIN:
        return value_pin(variant, board);
    case KIND_MISERE: /* stay behind, get hit, do not hit */
        return race_cost(board, 0, points) - race_cost(board, 1, points) +
               danger(variant, board, 0, points) - danger(variant, board, 1, points);
    case KIND_CLASSIC:
    case KIND_PIPS:
        break;
    }
    return race_cost(board, 1, points) - race_cost(board, 0, points);
}

/* As after the other side's play. */
static double value_on_roll(const struct bg_variant *variant, const struct bg_board *board)
{
    enum kind kind = games_kind(variant);
    struct bg_board theirs;

    if (kind == KIND_CLASSIC) {
        return classic_value(board, 1.0);
    }
    bg_board_swap(&theirs, board);
    return -games_value(variant, kind, &theirs);
}

bool games_chance(double *chance, const struct bg_variant *variant, const struct bg_board *board)
{
    const struct games_game *game = game_of(variant);

    if (game->slope == 0.0) {
        return false;
    }
    *chance = 1.0 / (1.0 + exp(-game->slope * value_on_roll(variant, board) - game->tempo));
    return true;
}
