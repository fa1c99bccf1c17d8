/* transcript.h - whole games as rows of a table, judged by the match machine.
 *
 * Seven columns, separated by tabs:
 *     variant   an id known to bg_variant_find
 *     game, row numbers, each from 1
 *     side      w or b: the side that plays this row; in the row 'end' the winner, - if drawn
 *     kind      open, the parts of a turn (bg_part_name), or end
 *     data      open: "w4b4,w2b5", then ",keep" or ",reroll" if there is a choice; stages: "63",
 *         "33", "4x3" (N3); end: "2:gammon" (bg_result_how)
 *     position  after the row, in the notation N3; unchanged if nothing could be played
 * Every row becomes a step of the machine, so the machine decides which stage comes next, what can
 * be played and when the game is over.
 */
#ifndef RESULTS_FORMAT_TRANSCRIPT_H
#define RESULTS_FORMAT_TRANSCRIPT_H

#include <stdio.h>

#include "base/exit_status.h"

/* Reads rows from in to its end ('#' begins a comment) and prints a line for each game to out:
 * VARIANT GAME "ok" POINTS:HOW, or VARIANT GAME "bad" ROW RULE, separated by tabs. The reason why a
 * game is bad goes to talk, after `name` and the line. Returns EXIT_DONE; EXIT_CHECK if a game is
 * bad; EXIT_MISUSE if a row cannot be read at all (stops there); EXIT_SURROUNDINGS. */
int transcript_judge(FILE *in, const char *name, FILE *out, FILE *talk);

#endif
