/* again.h - the command that puts a bot before a decision once more: bgref ask. */
#ifndef REFEREE_TABLE_AGAIN_H
#define REFEREE_TABLE_AGAIN_H

#include <bgref/match.h>

#include <stdbool.h>
#include <stddef.h>

/* words: the bot as bot_words makes it; game: the id that it was told, NULL none. False: no room.
 * Of a part of a turn the roll is named that leaves the same numbers. */
bool again_command(char *out, size_t size, const char *words, const char *game,
                   const struct bg_match *match);

#endif
