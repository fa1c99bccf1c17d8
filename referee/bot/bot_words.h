/* bot_words.h - a competitor as words of a command line. */
#ifndef REFEREE_BOT_BOT_WORDS_H
#define REFEREE_BOT_BOT_WORDS_H

#include "competitor.h"

/* Writes words from which registry_engine (registry.h) makes the same program and options,
 * quoted for a shell: "greedy option.Style=bold", "./mybot", "cmd='./mybot --fast'". Returns
 * false if they do not fit. */
bool bot_words(char *out, size_t size, const struct competitor *bot);

#endif
