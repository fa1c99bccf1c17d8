/* crash_text.h - what a bot wrote to standard error before it failed, for whoever watches a run. */
#ifndef REFEREE_EVENT_CRASH_TEXT_H
#define REFEREE_EVENT_CRASH_TEXT_H

#include "bot/competitor.h"

/* Prints on standard error: the last lines of said, what to do about a known cause, and where all
 * of it is kept. Nothing when the bot wrote nothing. */
void crash_text_print(const struct competitor *bot, const char *said, const char *results);

#endif
