/* encounter.h - all games between two bots as sums: enough for ratings and error bars.
 *
 * Sums of games and of pairs, seen from A (the bot whose name is smaller by bytes). They are plain
 * numbers that can be added. So a store can keep them with its games in one transaction, and a
 * table of many bots is rated without reading a game. A pair of legs changes while it is played:
 * each new game removes the pair's old share, adds the game to the pair, and adds the new share.
 * Pure.
 */
#ifndef RESULTS_STORE_ENCOUNTER_H
#define RESULTS_STORE_ENCOUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bgref/match.h>

#include "pair.h"

enum { ENCOUNTER_LEVELS = 4 /* by level: [1] single, [2] gammon, [3] backgammon; [0] drawn */ };

/* What a finished game adds to the sums. */
struct encounter_game {
    int leg;           /* leg 0 has A on seat 0 */
    int length_points; /* 0 money: every game decides its leg */
    int winner;        /* 0 A, 1 B, -1 drawn */
    int64_t points;
    int level;
    enum bg_end end;
    int turns;
    bool match_over;
    int match_winner;
};

struct store_game;

/* Converts a stored game. */
struct encounter_game encounter_game_of(const struct store_game *game);

/* The state in which a game leaves its leg: a money game decides it, a match is decided by its last
 * game. */
static inline enum pair_state encounter_leg_after(const struct encounter_game *game)
{
    if (game->length_points == 0) {
        return pair_state_of(game->winner);
    }
    return game->match_over ? pair_state_of(game->match_winner) : PAIR_OPEN;
}

/* Counts. The numbers are stored: add new ones at the end. */
enum encounter_count {
    ENCOUNTER_GAMES,     /* finished games; in match play the games of the matches */
    ENCOUNTER_GAMES_WON, /* won by A, by B */
    ENCOUNTER_LEGS_WON = ENCOUNTER_GAMES_WON + 2,  /* won by A, by B */
    ENCOUNTER_LEGS_DRAWN = ENCOUNTER_LEGS_WON + 2, /* money games without a winner */
    ENCOUNTER_LEVEL,                               /* games that A won, by level; then B's */
    ENCOUNTER_END = ENCOUNTER_LEVEL + 2 * ENCOUNTER_LEVELS, /* games by how they ended */
    /* pairs with both legs decided and none drawn: by legs won by A; 12 leaves room above */
    ENCOUNTER_PAIRS = ENCOUNTER_END + 12,
    ENCOUNTER_HALVES = ENCOUNTER_PAIRS + 3,    /* one leg decided, not drawn: lost by A, won by A */
    ENCOUNTER_CLUSTERS = ENCOUNTER_HALVES + 2, /* pairs with a decided leg */
    ENCOUNTER_LEG_GAMES,                       /* games of decided legs: leg 0, leg 1 */
    /* pairs with both legs decided: one drawn and one lost by A; both drawn; one drawn and one won
     * by A */
    ENCOUNTER_DRAWN_PAIRS = ENCOUNTER_LEG_GAMES + 2,
    ENCOUNTER_DRAWN_HALVES = ENCOUNTER_DRAWN_PAIRS + 3, /* one leg decided, and it was drawn */
    ENCOUNTER_COUNTS
};

/* Sums. The numbers are stored too. */
enum encounter_sum {
    ENCOUNTER_TURNS,                             /* over all games, both sides */
    ENCOUNTER_SQUARES,                           /* squares of all games' points */
    ENCOUNTER_POINTS,                            /* over decided legs: won by A, by B */
    ENCOUNTER_LEG_POINTS = ENCOUNTER_POINTS + 2, /* A's net points in leg 0 and in leg 1 */
    /* clusters with D net points of A in n games: sums of D D, D n and n n */
    ENCOUNTER_DD = ENCOUNTER_LEG_POINTS + 2,
    ENCOUNTER_DN,
    ENCOUNTER_NN,
    ENCOUNTER_SUMS
};

struct encounter {
    uint32_t count[ENCOUNTER_COUNTS];
    int64_t sum[ENCOUNTER_SUMS];
};

/* Whether every field is in its range; required by the functions below. */
bool encounter_game_is_sound(const struct encounter_game *game);

/* Counts a finished game in the encounter and in its pair. */
void encounter_add_game(struct encounter *encounter, struct pair *pair,
                        const struct encounter_game *game);

/* Counts a game in the pair only, to rebuild a pair's state. */
void encounter_pair_add(struct pair *pair, const struct encounter_game *game);

/* Adds other to sum. */
void encounter_merge(struct encounter *sum, const struct encounter *other);

/* Subtracts part, whose games are all in sum. */
void encounter_subtract(struct encounter *sum, const struct encounter *part);

/* Returns the same games seen from the other bot. */
struct encounter encounter_flip(const struct encounter *encounter);

/* Bytes: for each value that is not 0, its field number and the value, as variable-length numbers.
 * pack returns the size, at most ENCOUNTER_BYTES. unpack returns false if the bytes are invalid. */
enum { ENCOUNTER_BYTES = (ENCOUNTER_COUNTS + ENCOUNTER_SUMS) * 11 };

size_t encounter_pack(unsigned char out[ENCOUNTER_BYTES], const struct encounter *encounter);
bool encounter_unpack(struct encounter *out, const unsigned char *bytes, size_t size);

#endif
