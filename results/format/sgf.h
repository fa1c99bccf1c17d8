/* sgf.h - a backgammon game as .sgf (FF[4], GM[6]), in the form GNU Backgammon reads.
 *
 * gnubg reads such a file with `load match` and analyses it. It does not check legality, so the
 * games written here have been played through bg_match_step. Unplayed dice (a resignation or a
 * forfeit after the roll) are an empty move, `;W[65]`: gnubg then counts their luck. Faults and
 * refused resignations, which the format cannot express, are in the root's comment.
 */
#ifndef RESULTS_FORMAT_SGF_H
#define RESULTS_FORMAT_SGF_H

#include <record/record.h>

/* A game's place in its file. */
struct sgf_place {
    int white;        /* the seat that is White, gnubg's player 0 */
    int game;         /* the game's number in the file, from 0 */
    int64_t score[2]; /* by seat, before the game; in a money session the sum so far */
    bool judged;      /* for gnubg's analysis, see sgf_write_game */
    int64_t at_s;     /* when the game ended, UTC; 0: the file has no date */
};

/* Appends the game of view as a complete file with one game: White is seat 0; number and score come
 * from the record. On failure *out is unchanged. BG_E_ARGUMENT: .sgf cannot express the game, the
 * message has the reason (a variant other than backgammon, nackgammon and hypergammon, a cube above
 * 4096, a match above 64 points, a fault that costs the match); BG_E_MISMATCH: the record cannot be
 * replayed.
 *
 * judged: for gnubg's analysis. If a game begins from its normal starting position, gnubg treats
 * the first roll as an opening roll (unless it is a double), which has other luck. So a backgammon
 * game that began there without an opening roll is written as nackgammon from a given position, and
 * a nackgammon game as backgammon: rules and evaluation are the same. */
enum bg_status sgf_write_game(struct record *out, const struct record_view *view, bool judged,
                              struct bg_error *err);

/* The same, as one game of a match or a session; such games follow each other in a file. */
enum bg_status sgf_write_game_at(struct record *out, const struct record_view *view,
                                 const struct sgf_place *place, struct bg_error *err);

#endif
