/* again.h - the command that puts a bot before a decision once more: bgref ask. */
#ifndef REFEREE_TABLE_AGAIN_H
#define REFEREE_TABLE_AGAIN_H

#include <bgref/match.h>

#include <stdbool.h>
#include <stddef.h>

/* words: the bot as bot_words makes it; game: the id that it was told, NULL none. False: the
 * decision has no words that bgref ask reads (a double to be named, opening numbers to be kept, the
 * cube of other games in a match), or no room. Of a part of a turn the roll is named that leaves
 * the same numbers. */
bool again_command(char *out, size_t size, const char *words, const char *game,
                   const struct bg_match *match);

#endif
