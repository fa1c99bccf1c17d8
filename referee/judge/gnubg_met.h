/* gnubg_met.h - gnubg's match equity table, as it prints it (`show matchequitytable`).
 *
 * Luck in a match is told in normalised equity; the chances behind it are those of the very table
 * that gnubg has used.
 */
#ifndef REFEREE_JUDGE_GNUBG_MET_H
#define REFEREE_JUDGE_GNUBG_MET_H

#include <bgref/error.h>
#include <bgref/match.h>

enum { GNUBG_MET_SIZE = 64 };

/* Chances to win the match, 0..1; [i] and [j] stand for i + 1 and j + 1 points away. */
struct gnubg_met {
    double before[GNUBG_MET_SIZE][GNUBG_MET_SIZE]; /* of who is i + 1 away; row and column 0: the
                                                      Crawford game */
    double after[GNUBG_MET_SIZE]; /* of the trailer, once the Crawford game is past */
};

/* Reads the table out of whatever else gnubg said. BG_E_FORMAT names what is missing. */
enum bg_status gnubg_met_read(struct gnubg_met *out, const char *text, struct bg_error *err);

/* Chance of seat to win the match when `winner` wins this many points in the game that match is
 * in; score and Crawford are those of match. */
double gnubg_met_after(const struct gnubg_met *met, const struct bg_match *match, int seat,
                       int winner, int64_t points);

/* What one unit of normalised equity is worth with the cube at this value, in points (money) or
 * match-winning chance. met may be NULL in money play. */
double gnubg_met_unit(const struct gnubg_met *met, const struct bg_match *match, int seat,
                      int64_t cube);

#endif
