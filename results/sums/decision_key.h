/* decision_key.h - when two decisions are the same one, and two choices the same choice; a decision
 * of a record, and its choice in words. Pure. */
#ifndef RESULTS_SUMS_DECISION_KEY_H
#define RESULTS_SUMS_DECISION_KEY_H

#include <bgref/match.h>
#include <bgref/notation.h>

#include "record/record.h"

enum { DECISION_KEY = BG_POSITION_TEXT + 160, DECISION_CHOICE = BG_POSITION_TEXT + 16 };

/* Writes the decision that the match waits for: game, position from the mover's side, dice; for the
 * cube the score and the cube instead of dice. Returns false if it is not compared: nothing to
 * choose, one legal play only, or a question that is neither play, double nor answer to a double.
 */
bool decision_key(char out[DECISION_KEY], const struct bg_match *match);

/* Writes a choice for that decision: the position that a play leads to, or the name of the step.
 * Returns false if the step is not a choice for it. */
bool decision_choice(char out[DECISION_CHOICE], const struct bg_match *match,
                     const struct bg_step *step);

/* Writes a choice in words: a play in moves, or the step's name. */
enum { DECISION_WORDS = 96 };
void decision_words(char out[DECISION_WORDS], const struct bg_match *match,
                    const struct bg_step *step);

/* Plays a record up to the step with this index, which *step then is. False: it has no such step,
 * or cannot be replayed. */
bool decision_find(struct bg_match *match, struct bg_step *step, const struct record_view *view,
                   int index);

#endif
