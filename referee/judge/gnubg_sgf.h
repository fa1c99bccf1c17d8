/* gnubg_sgf.h - what gnubg wrote into a game that it has analysed (.sgf, one game).
 *
 * Bytes of another program: nothing is believed but its form. Player 0 is White. Equities are
 * gnubg's: normalised to the cube in force (EMG in a match), of the player who acts; cube
 * equities of a match are match-winning chances.
 */
#ifndef REFEREE_JUDGE_GNUBG_SGF_H
#define REFEREE_JUDGE_GNUBG_SGF_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>
#include <bgref/play.h>

enum analysed_kind { ANALYSED_ROLL, ANALYSED_DOUBLE, ANALYSED_TAKE, ANALYSED_DROP };

enum { ANALYSED_MOVES_MAX = 4 };

/* Moves of player 0 or 1, as slots of that player's own count (bar BG_BAR, off BG_OFF). */
struct analysed_play {
    int moves;
    int from[ANALYSED_MOVES_MAX], to[ANALYSED_MOVES_MAX];
};

/* One node of the game: a roll with its play, or a word about the cube. */
struct analysed_node {
    enum analysed_kind kind;
    int player;
    int die[2];    /* ROLL */
    bool has_luck; /* LU */
    double luck;
    bool has_play;              /* A: the plays were compared, and one of them was played */
    int plays;                  /* how many; 1: there was no choice */
    double best_equity, equity; /* of the best play, of the one that was played */
    struct analysed_play best;
    bool has_cube;          /* DA, at a double, its answer, and at a roll without a double */
    double no_double, take; /* cubeful; of the player who may double or has doubled, both in units
                               of the cube before it */
};

struct analysed {
    struct analysed_node *node; /* owned */
    size_t nodes;
    bool has_luck_sums; /* GS D */
    double luck[2];     /* of player 0 and 1, in points or match-winning chance */
};

/* Reads the game; text is terminated. BG_E_FORMAT: not such a file, the story names the byte;
 * BG_E_MEMORY. */
enum bg_status analysed_read(struct analysed *out, const char *text, struct bg_error *err);
void analysed_deinit(struct analysed *analysed); /* also when zeroed */

#endif
