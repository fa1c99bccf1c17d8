/* met.h - match equity: the chance to win a match (MWC) at a score.
 *
 *     struct met met;
 *     met_model(&met, 25, &err);                  computed, never copied from a table
 *     met_chance(&met, 3, 5, MET_NORMAL);         needs 3 points, the other side 5
 *     met_deinit(&met);
 *
 * The model takes both sides as equally strong. It has five numbers: the share of games that are
 * gammons, of backgammons and of gammons for a trailer, the value of a live cube, and the spread of
 * winning chances when a trailer doubles (docs/statistics.md). Computing a table is cheap for the
 * usual lengths; keep one per program. Away is the number of points that a side needs; at 0 or
 * below it has won the match.
 */
#ifndef RESULTS_NUMBERS_MET_H
#define RESULTS_NUMBERS_MET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <bgref/error.h>

enum { MET_AWAY_MAX = 128 };

struct met {
    int away;     /* largest number of points away in the table */
    double *game; /* owned; [(i-1) * away + j-1]: chance of the side that needs i before a game, the
                     other side needs j; where one side needs 1 point, before the Crawford game */
    double *post; /* owned; [k-1]: chance of the trailer that needs k after the Crawford game */
};

/* Computes the table up to `away`, 1 to MET_AWAY_MAX. BG_E_ARGUMENT. */
enum bg_status met_model(struct met *out, int away, struct bg_error *err);

/* Reads a table from a text file: a line `away 1 2 ... n`, then n lines with `i` and its n chances,
 * then optionally a line `post` and n chances (default: the model's). Separators are blanks, tabs
 * or commas; skips lines with #. `file` is the file's name for error messages. BG_E_FORMAT: not
 * such a table, or met_check refuses it; BG_E_SYSTEM. */
enum bg_status met_read(struct met *out, FILE *in, const char *file, struct bg_error *err);

/* Checks a table: M(i,j) + M(j,i) = 1 within 1e-9, chances in 0..1, not rising with the points
 * needed and not falling with the other side's. BG_E_FORMAT: the message contains the first wrong
 * score. */
enum bg_status met_check(const struct met *met, struct bg_error *err);

void met_deinit(struct met *met); /* accepts a zeroed struct */

/* The phase of the current or next game. It matters only if a side needs 1 point. */
enum met_phase {
    MET_NORMAL, /* if a side needs 1 point: the Crawford game */
    MET_POST    /* after the Crawford game */
};

/* Chance of the side that needs `away` points, before a game. Both numbers at most met->away. */
double met_chance(const struct met *met, int away, int other, enum met_phase phase);

/* A score during a game. */
struct met_score {
    int away[2];
    bool crawford;      /* this is the Crawford game */
    bool crawford_done; /* the Crawford game was played */
};

/* Chance of `side` if this game ends now and `winner` has won `points` in it. */
double met_chance_after(const struct met *met, const struct met_score *score, int side, int winner,
                        int points);

/* What the cube at `value` is worth to `side`: MWC after winning a single game minus MWC after
 * losing it. The error of a decision in normalised equity (cube 1, EMG) is 2 * lost MWC / stake. */
double met_stake(const struct met *met, const struct met_score *score, int side, int value);

#endif
