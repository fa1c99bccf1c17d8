/* ask_answer.h - converts the state of a match into an Ask, and an Answer into a step of the match.
 * Pure.
 */
#ifndef REFEREE_TABLE_ASK_ANSWER_H
#define REFEREE_TABLE_ASK_ANSWER_H

#include <bgref/ask.h>

/* Fills the members that follow from the match: kind, rules, position as seat sees it, numbers,
 * cube, score, offers. The caller fills decision, game, clock, ceiling_ns and bot_seed; no
 * results are listed and no opponent is named. match->need must be owed by seat, not by the
 * host. */
void ask_from_match(struct bg_ask *ask, const struct bg_match *match, int seat);

/* Write why an answer does not fit: the answer, the question, and the fitting answers or the index
 * range. */
enum { ANSWER_MISFIT = 200 };
void answer_misfit(char out[ANSWER_MISFIT], enum bg_decision decision, const char *answer);
void answer_no_index(char out[ANSWER_MISFIT], const struct bg_ask *ask, uint32_t index);

/* Applies a fitting answer to ask: *match becomes the state after it, *step the step taken. Not
 * for BG_ANSWER_ROLL: rolling is the host's step. If a rule is broken, *match is unchanged;
 * BG_RULE_AMBIGUOUS is a fault of its own. */
enum bg_rule answer_take(struct bg_step *step, struct bg_match *match, const struct bg_ask *ask,
                         int seat, const struct bg_answer *answer);

#endif
