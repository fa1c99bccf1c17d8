/* asking.h - between a match and a bot: the Ask that a state of the match comes to, and what an
 * Answer comes to in it. Pure.
 */
#ifndef REFEREE_TABLE_ASKING_H
#define REFEREE_TABLE_ASKING_H

#include <bgref/ask.h>

/* Fills what the match says: kind, rules, position as seat sees it, numbers, cube, score, offers.
 * decision, game, clock, ceiling_ns and bot_seed are the caller's; no results are listed and no
 * opponent is named.
 * match->need must be owed by seat, not by the host. */
void asking_fill(struct bg_ask *ask, const struct bg_match *match, int seat);

/* Why an answer does not fit: what it is, what was asked and what would fit, or where an index
 * would be. */
enum { ASKING_MISFIT = 200 };
void asking_misfit(char out[ASKING_MISFIT], enum bg_decision decision, const char *answer);
void asking_no_index(char out[ASKING_MISFIT], const struct bg_ask *ask, uint32_t index);

/* Takes a fitting answer to ask: *match becomes the state after it, *step what was done. To roll is
 * the host's step, so BG_ANSWER_ROLL is not for here. The broken rule leaves *match unchanged;
 * BG_RULE_AMBIGUOUS is a fault of its own. */
enum bg_rule asking_take(struct bg_step *step, struct bg_match *match, const struct bg_ask *ask,
                         int seat, const struct bg_answer *answer);

#endif
