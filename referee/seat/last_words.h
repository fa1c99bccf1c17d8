/* last_words.h - what a bot wrote to standard error before it failed. */
#ifndef REFEREE_SEAT_LAST_WORDS_H
#define REFEREE_SEAT_LAST_WORDS_H

#include "bot/competitor.h"

enum { LAST_WORDS = 512 };

/* For a message of one line: writes the line of the last Python traceback that names the exception,
 * else the last line of said that is not blank; cleaned (rules/clean.h). "" if there is none. */
void last_words(char out[LAST_WORDS], const char *said);

/* Prints on standard error: the last lines of said, the remedy for a known cause, and where the
 * complete output is kept. Prints nothing if the bot wrote nothing. */
void last_words_print(const struct competitor *bot, const char *said, const char *results);

#endif
