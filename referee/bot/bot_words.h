/* bot_words.h - a competitor as words of a command line. */
#ifndef REFEREE_BOT_BOT_WORDS_H
#define REFEREE_BOT_BOT_WORDS_H

#include "competitor.h"

/* Words that registry_engine (registry.h) makes the same program and options of, quoted for a
 * shell: "greedy option.Style=bold", "./mybot", "cmd='./mybot --fast'". False: no room. */
bool bot_words(char *out, size_t size, const struct competitor *bot);

#endif
