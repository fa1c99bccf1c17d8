/* sgf.h - a backgammon game as .sgf (FF[4], GM[6]), as GNU Backgammon reads it.
 *
 * gnubg takes such a file with `load match` and analyses it; it checks no legality, so what is
 * written here has been played through bg_match_step. Unplayed dice (a resignation or a forfeit
 * after the roll) are an empty move, `;W[65]`: gnubg then counts their luck. Faults and refused
 * resignations, which the format cannot express, are in the root's comment.
 */
#ifndef RESULTS_FORMAT_SGF_H
#define RESULTS_FORMAT_SGF_H

#include <record/record.h>

/* Where a game stands in its file. */
struct sgf_place {
    int white;        /* seat that is White, player 0 of gnubg */
    int game;         /* number of the game in the file, from 0 */
    int64_t score[2]; /* of each seat before the game: in a money session the sum so far */
    bool judged;      /* for gnubg's analysis, see sgf_write_game_judged */
};

/* Appends the game of view as a complete single-game file: White is seat 0, number and score are
 * those of the record. Other statuses leave *out as it was: BG_E_ARGUMENT names what .sgf cannot
 * express (a game other than backgammon, nackgammon and hypergammon, a cube above 4096, a match
 * above 64 points, a fault that costs the match); BG_E_MISMATCH: the record does not replay;
 * BG_E_MEMORY.
 */
enum bg_status sgf_write_game(struct record *out, const struct record_view *view,
                              struct bg_error *err);

/* The same for gnubg's analysis. Of a game that begins on its set-up gnubg takes the first roll for
 * an opening roll (unless it is a double), which has other luck. A backgammon game that began there
 * without an opening roll is therefore written as nackgammon from a given position, and the other
 * way round: rules and evaluation are the same. */
enum bg_status sgf_write_game_judged(struct record *out, const struct record_view *view,
                                     struct bg_error *err);

/* The same, as one game of a match or a session; such games follow each other in a file. */
enum bg_status sgf_write_game_at(struct record *out, const struct record_view *view,
                                 const struct sgf_place *place, struct bg_error *err);

#endif
