/* again.h - makes the command line that poses a decision to a bot again: bgref ask. */
#ifndef REFEREE_TABLE_AGAIN_H
#define REFEREE_TABLE_AGAIN_H

#include <bgref/match.h>

#include <stdbool.h>
#include <stddef.h>

/* words: the bot as bot_words makes it; game: the game id that the bot saw, NULL none. Returns
 * false if the buffer is too small. For a part of a turn the command names a roll that leaves
 * the same numbers. */
bool again_command(char *out, size_t size, const char *words, const char *game,
                   const struct bg_match *match);

#endif
