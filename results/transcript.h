/* transcript.h - whole games as rows of a table, judged by the match machine.
 *
 * Seven columns, separated by tabs: variant, game, row, side, kind, data, position (docs/rules.md,
 * transcripts). Every row is made a step of the machine, so the machine decides which stage comes
 * next, what can be played and when the game is over. */
#ifndef RESULTS_TRANSCRIPT_H
#define RESULTS_TRANSCRIPT_H

#include <stdio.h>

#include "exit_status.h"

/* Reads rows from in to its end ('#' begins a comment) and prints a line for each game to out:
 * VARIANT GAME "ok" POINTS:HOW, or VARIANT GAME "bad" ROW RULE, separated by tabs. Why a game is bad
 * goes to talk, after `name` and the line. Returns EXIT_DONE, EXIT_CHECK when a game is bad,
 * EXIT_MISUSE when a row cannot be read at all (which ends it), EXIT_SURROUNDINGS. */
int transcript_judge(FILE *in, const char *name, FILE *out, FILE *talk);

#endif
