/* met.h - match equity: the chance to win a match (MWC) at a score.
 *
 *     struct met met;
 *     met_model(&met, 25, &err);                  computed, never copied from a table
 *     met_chance(&met, 3, 5, MET_NORMAL);         needs 3 points, the other side 5
 *     met_deinit(&met);
 *
 * The model plays both sides equally strong with five numbers: how many games are gammons and
 * backgammons, how much a live cube is worth, how sharp the double of a trailer is
 * (docs/statistics.md). A table is cheap for the lengths that are played, so its user keeps one.
 * Away is the number of points a side needs; at 0 or below the match is won.
 */
#ifndef RESULTS_NUMBERS_MET_H
#define RESULTS_NUMBERS_MET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <bgref/error.h>

enum { MET_AWAY_MAX = 128 };

struct met {
    int away;     /* the table goes to this many points away */
    double *game; /* owned; [(i-1) * away + j-1]: needs i, the other j, before a game; where one
                     needs 1 point, before the Crawford game */
    double *post; /* owned; [k-1]: the trailer needs k, the Crawford game is over */
};

/* Computes the table up to `away`, 1 to MET_AWAY_MAX. BG_E_ARGUMENT, BG_E_MEMORY. */
enum bg_status met_model(struct met *out, int away, struct bg_error *err);

/* Room for a table whose chances the caller fills in; all 0. BG_E_MEMORY. */
enum bg_status met_init(struct met *out, int away, struct bg_error *err);

/* Reads a foreign table: a line `away 1 2 ... n`, n lines of `i` and its n chances, perhaps a line
 * `post` and n chances (else the model's); separated by blanks, tabs or commas; lines with # are
 * skipped. `file` names it in errors. BG_E_FORMAT: not such a table, or one that met_check refuses;
 * BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status met_read(struct met *out, FILE *in, const char *file, struct bg_error *err);

/* Whether a table can be: M(i,j) + M(j,i) = 1 within 1e-9, chances in 0..1, never rising with the
 * points needed and never falling with the other side's. BG_E_FORMAT names the first score that is
 * wrong. */
enum bg_status met_check(const struct met *met, struct bg_error *err);

void met_deinit(struct met *met); /* also of a zeroed one */

/* The game that is played or comes next. It matters only where a side needs 1 point. */
enum met_phase {
    MET_NORMAL, /* where a side needs 1 point: the Crawford game */
    MET_POST    /* the Crawford game is over */
};

/* Chance of the side that needs `away` before a game. Both at most met->away. */
double met_chance(const struct met *met, int away, int other, enum met_phase phase);

/* A score with a game under way. */
struct met_score {
    int away[2];
    bool crawford;      /* this is the Crawford game */
    bool crawford_done; /* it is over */
};

/* Chance of `side` when this game ends now and `winner` has won `points` in it. */
double met_chance_after(const struct met *met, const struct met_score *score, int side, int winner,
                        int points);

/* What the cube at `value` has at stake for `side`: MWC after winning minus after losing a single
 * game. The error of a decision in normalised (cube 1, EMG) equity is 2 lost MWC / stake. */
double met_stake(const struct met *met, const struct met_score *score, int side, int value);

/* MWC to normalised equity and back: 1 is a single game won at `value`, -1 one lost. */
double met_equity(const struct met *met, const struct met_score *score, int side, int value,
                  double chance);
double met_chance_of_equity(const struct met *met, const struct met_score *score, int side,
                            int value, double equity);

#endif
