/* gnubg_sgf.h - gnubg's analysis in a game that it has saved (.sgf, one game).
 *
 * The file comes from another program: its form is checked, its values are taken as they are.
 * Player 0 is White. Equities are gnubg's: normalised to the present cube (EMG in a match), for the
 * player who acts; cube equities of a match are match-winning chances.
 */
#ifndef REFEREE_JUDGE_GNUBG_SGF_H
#define REFEREE_JUDGE_GNUBG_SGF_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>
#include <bgref/play.h>

enum analysed_kind { ANALYSED_ROLL, ANALYSED_DOUBLE, ANALYSED_TAKE, ANALYSED_DROP };

enum { ANALYSED_MOVES_MAX = 4 };

/* Moves of player 0 or 1, as slots in that player's own count (bar BG_BAR, off BG_OFF). */
struct analysed_play {
    int moves;
    int from[ANALYSED_MOVES_MAX], to[ANALYSED_MOVES_MAX];
};

/* One node of the game: a roll with its play, or a cube action. */
struct analysed_node {
    enum analysed_kind kind;
    int player;
    int die[2];    /* ROLL */
    bool has_luck; /* LU */
    double luck;
    bool has_play;              /* A: gnubg compared the plays, and one of them was played */
    int plays;                  /* number of plays; 1: no choice */
    double best_equity, equity; /* of the best play, and of the actual one */
    struct analysed_play best;
    bool has_cube;          /* DA: at a double, its answer, and a roll without a double */
    double no_double, take; /* cubeful, for the player who may double or has doubled, in units of
                               the cube before it */
};

struct analysed {
    struct analysed_node *node; /* owned */
    size_t nodes;
    bool has_luck_sums; /* GS D */
    double luck[2];     /* player 0's and 1's, in points or match-winning chance */
};

/* Reads the game; text is terminated. BG_E_FORMAT: not such a file; the message names the byte. */
enum bg_status analysed_read(struct analysed *out, const char *text, struct bg_error *err);
void analysed_deinit(struct analysed *analysed); /* also when zeroed */

#endif
