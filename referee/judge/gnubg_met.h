/* gnubg_met.h - gnubg's match equity table, as it prints it (`show matchequitytable`).
 *
 * gnubg gives luck in a match as normalised equity; the conversion to chances needs the table that
 * gnubg used.
 */
#ifndef REFEREE_JUDGE_GNUBG_MET_H
#define REFEREE_JUDGE_GNUBG_MET_H

#include <bgref/error.h>
#include <bgref/match.h>

enum { GNUBG_MET_SIZE = 64 };

/* Chances to win the match, 0..1; [i] and [j] stand for i + 1 and j + 1 points away. */
struct gnubg_met {
    double before[GNUBG_MET_SIZE][GNUBG_MET_SIZE]; /* for the player i + 1 points away; row and
                                                      column 0: the Crawford game */
    double after[GNUBG_MET_SIZE];                  /* for the trailer, after the Crawford game */
};

/* Finds the table in gnubg's output. BG_E_FORMAT: the message names what is missing. */
enum bg_status gnubg_met_read(struct gnubg_met *out, const char *text, struct bg_error *err);

/* Returns seat's chance to win the match if `winner` wins this many points in the present game;
 * score and Crawford are match's. */
double gnubg_met_after(const struct gnubg_met *met, const struct bg_match *match, int seat,
                       int winner, int64_t points);

/* Returns the value of one unit of normalised equity with the cube at this value, in points (money)
 * or match-winning chance. met may be NULL in money play. */
double gnubg_met_unit(const struct gnubg_met *met, const struct bg_match *match, int seat,
                      int64_t cube);

#endif
