/* again.h - the command that puts a bot before a decision once more: bgref ask. */
#ifndef TABLE_AGAIN_H
#define TABLE_AGAIN_H

#include <bgref/match.h>

#include <stdbool.h>
#include <stddef.h>

/* words: the bot as bot_words makes it; game: the id that it was told, NULL none. False: the
 * decision has no notation that bgref ask reads (part of a turn, an offer to resign), or no room.
 */
bool again_command(char *out, size_t size, const char *words, const char *game,
                   const struct bg_match *match);

#endif
