/* transcript.h - whole games as rows of a table, judged by the match machine.
 *
 * Seven columns, separated by tabs:
 *     variant   as bg_variant_find knows it
 *     game, row numbers, each from 1
 *     side      w or b: who plays this row; in the row 'end' the winner, - when drawn
 *     kind      open, the parts of a turn (bg_part_name), or end
 *     data      open: "w4b4,w2b5", then ",keep" or ",reroll" where there is a choice; stages: "63",
 *               "33", "4x3" (N3); end: "2:gammon" (bg_result_how)
 *     position  after the row, in the notation N3; unchanged when nothing could be played
 * Every row is made a step of the machine, so the machine decides which stage comes next, what can
 * be played and when the game is over. */
#ifndef RESULTS_RULEBOOK_TRANSCRIPT_H
#define RESULTS_RULEBOOK_TRANSCRIPT_H

#include <stdio.h>

#include "exit_status.h"

/* Reads rows from in to its end ('#' begins a comment) and prints a line for each game to out:
 * VARIANT GAME "ok" POINTS:HOW, or VARIANT GAME "bad" ROW RULE, separated by tabs. Why a game is
 * bad goes to talk, after `name` and the line. Returns EXIT_DONE, EXIT_CHECK when a game is bad,
 * EXIT_MISUSE when a row cannot be read at all (which ends it), EXIT_SURROUNDINGS. */
int transcript_judge(FILE *in, const char *name, FILE *out, FILE *talk);

#endif
