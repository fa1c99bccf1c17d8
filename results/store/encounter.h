/* encounter.h - what two bots have played, as sums: all that ratings and error bars need.
 *
 * Sums of games and of pairs, seen from A (the bot whose name is smaller by bytes). They are plain
 * numbers that add up, so a store can keep them with its games, in one transaction, and a table of
 * many bots is rated without reading a game. A pair of legs changes while it is played: its share
 * is taken out, the game added to the pair, and the new share put in. Pure.
 */
#ifndef RESULTS_STORE_ENCOUNTER_H
#define RESULTS_STORE_ENCOUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bgref/match.h>

enum { ENCOUNTER_LEVELS = 4 /* by level: [1] single, [2] gammon, [3] backgammon; [0] drawn */ };

/* How a leg (a money game, or a match) stands. */
enum encounter_leg { ENCOUNTER_OPEN, ENCOUNTER_WON_A, ENCOUNTER_WON_B, ENCOUNTER_DRAWN };

/* One pair of legs: the cluster of the statistics. With plain dice only leg 0 is used. */
struct encounter_pair {
    int64_t points[2][2];      /* [leg][0]: points won by A over its games, [leg][1]: by B */
    uint32_t games[2];         /* by leg: games played */
    enum encounter_leg leg[2]; /* a match is decided by the game that ended it */
};

/* What a finished game adds. */
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

/* What this game adds. */
struct encounter_game encounter_game_of(const struct store_game *game);

/* Counts. Numbers are stored: new ones come at the end. */
enum encounter_count {
    ENCOUNTER_GAMES,     /* finished; in match play the games of the matches */
    ENCOUNTER_GAMES_WON, /* by A, by B */
    ENCOUNTER_LEGS_WON = ENCOUNTER_GAMES_WON + 2,           /* by A, by B */
    ENCOUNTER_LEGS_DRAWN = ENCOUNTER_LEGS_WON + 2,          /* money games without a winner */
    ENCOUNTER_LEVEL,                                        /* A's games by level, then B's */
    ENCOUNTER_END = ENCOUNTER_LEVEL + 2 * ENCOUNTER_LEVELS, /* games by the way they ended */
    /* both legs decided and none drawn: by legs A won; 12 is room */
    ENCOUNTER_PAIRS = ENCOUNTER_END + 12,
    ENCOUNTER_HALVES = ENCOUNTER_PAIRS + 3,    /* one leg decided, not drawn: lost, won by A */
    ENCOUNTER_CLUSTERS = ENCOUNTER_HALVES + 2, /* pairs with a decided leg */
    ENCOUNTER_LEG_GAMES,                       /* games of decided legs: of leg 0, of leg 1 */
    /* both legs decided, one drawn and the other lost by A, both drawn, one drawn and one won */
    ENCOUNTER_DRAWN_PAIRS = ENCOUNTER_LEG_GAMES + 2,
    ENCOUNTER_DRAWN_HALVES = ENCOUNTER_DRAWN_PAIRS + 3, /* one leg decided, drawn */
    ENCOUNTER_COUNTS
};

/* Sums. Likewise. */
enum encounter_sum {
    ENCOUNTER_TURNS,                             /* over all games, both sides */
    ENCOUNTER_SQUARES,                           /* squares of all games' points */
    ENCOUNTER_POINTS,                            /* over decided legs: won by A, by B */
    ENCOUNTER_LEG_POINTS = ENCOUNTER_POINTS + 2, /* A's net points in leg 0, in leg 1 */
    /* of clusters with D net points of A in n games: sums of D D, D n and n n */
    ENCOUNTER_DD = ENCOUNTER_LEG_POINTS + 2,
    ENCOUNTER_DN,
    ENCOUNTER_NN,
    ENCOUNTER_SUMS
};

struct encounter {
    uint32_t count[ENCOUNTER_COUNTS];
    int64_t sum[ENCOUNTER_SUMS];
};

/* Whether every field is in its range; the functions below need that. */
bool encounter_game_is_sound(const struct encounter_game *game);

/* Counts a finished game, in the encounter and in its pair. */
void encounter_add_game(struct encounter *encounter, struct encounter_pair *pair,
                        const struct encounter_game *game);

/* The pair alone, without any encounter: to rebuild how a pair stands. */
void encounter_pair_add(struct encounter_pair *pair, const struct encounter_game *game);

/* Adds other to sum. */
void encounter_merge(struct encounter *sum, const struct encounter *other);

/* Both as bytes: pairs of field number and value that is not 0, as variable-length numbers.
 * pack returns the size, at most ENCOUNTER_BYTES. unpack: false when bytes are none of ours. */
enum { ENCOUNTER_BYTES = (ENCOUNTER_COUNTS + ENCOUNTER_SUMS) * 11 };

size_t encounter_pack(unsigned char out[ENCOUNTER_BYTES], const struct encounter *encounter);
bool encounter_unpack(struct encounter *out, const unsigned char *bytes, size_t size);

#endif
