/* show.h - a decision as a person sees it. */
#ifndef BOTS_HUMAN_SHOW_H
#define BOTS_HUMAN_SHOW_H

#include <bgref/bot.h>

#include "console.h"

/* The board, score, cube and clocks. plain: sentences instead of a drawing. */
void show_ask(const struct console *console, const struct bg_ask *ask, bool plain);

/* The opponent's play that leads from before to the board of ask, if one roll and one play explain
 * it. Both boards have the person as seat 0. */
void show_last_play(const struct console *console, const struct bg_ask *ask,
                    const struct bg_board *before);

/* The question, and which answers it has. */
void show_question(const struct console *console, const struct bg_ask *ask);

/* Every legal play, or those whose text contains part. */
void show_plays(const struct console *console, const struct bg_ask *ask, const char *part);

#endif
