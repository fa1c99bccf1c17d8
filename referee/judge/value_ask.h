/* value_ask.h - a position of a match as a question to a bot that values positions. */
#ifndef REFEREE_JUDGE_VALUE_ASK_H
#define REFEREE_JUDGE_VALUE_ASK_H

#include <bgref/ask.h>

/* Fills *out with the position from seat's view, who is about to double or to roll. kind:
 * BG_VALUE_... */
void value_ask_fill(struct bg_ask *out, const struct bg_match *match, int seat,
                    enum bg_decision kind);

#endif
