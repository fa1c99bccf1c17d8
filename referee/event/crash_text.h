/* crash_text.h - prints what a bot wrote to standard error before it failed. */
#ifndef REFEREE_EVENT_CRASH_TEXT_H
#define REFEREE_EVENT_CRASH_TEXT_H

#include "bot/competitor.h"

/* Prints on standard error: the last lines of said, the remedy for a known cause, and where the
 * complete output is kept. Prints nothing if the bot wrote nothing. */
void crash_text_print(const struct competitor *bot, const char *said, const char *results);

#endif
