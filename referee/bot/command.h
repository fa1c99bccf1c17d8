/* command.h - command lines as people write them, split into words.
 *
 * Like a shell without its expansions: blanks separate words; 'single' quotes keep everything,
 * "double" quotes everything but \" and \\; a backslash outside quotes keeps the next character.
 * Signs that would mean something to a shell and nothing here (; | & < > $ `) are plain text.
 */
#ifndef REFEREE_BOT_COMMAND_H
#define REFEREE_BOT_COMMAND_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

/* Splits text into a NULL-terminated vector of words: one block of memory, which the caller
 * frees with free(). BG_E_ARGUMENT: a quote is not closed, a backslash ends the text, or there
 * is no word. */
enum bg_status command_split(char ***out, const char *text, struct bg_error *err);

/* Appends word to text (which has room for size bytes), after a blank unless text is empty, and
 * quotes it for command_split. Returns false, with text unchanged, if it does not fit. */
bool command_append(char *text, size_t size, const char *word);

#endif
