/* show.h - a decision as a person sees it. */
#ifndef BOTS_HUMAN_SHOW_H
#define BOTS_HUMAN_SHOW_H

#include <bgref/bot.h>

#include "console.h"

/* The board, score, cube and clocks. plain: sentences instead of a drawing. */
void show_ask(struct console *console, const struct bg_ask *ask, bool plain);

/* The clocks when passed_ns of this decision's time are over. */
void show_time(struct console *console, const struct bg_ask *ask, int64_t passed_ns);

/* The position as other programs read it: XGID and GNU Backgammon's ID in backgammon, else the
 * notation of every game. */
void show_id(struct console *console, const struct bg_ask *ask);

/* Asks the question, and says which answers it has. */
void show_question(struct console *console, const struct bg_ask *ask);

/* Every legal play, or those whose text contains part. */
void show_plays(struct console *console, const struct bg_ask *ask, const char *part);

#endif
