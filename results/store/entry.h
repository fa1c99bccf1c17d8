/* entry.h - what is declared of a bot in an event: its author, its operator, its origins; and whom
 * its program names as its author.
 *
 * Stored as settings "event.author.NAME", "event.operator.NAME", "event.origins.NAME" and
 * "event.said_author.NAME": one line per text, the last one in force. A second line means that the
 * text changed after the bot's first game.
 */
#ifndef RESULTS_STORE_ENTRY_H
#define RESULTS_STORE_ENTRY_H

#include <stdbool.h>

enum entry_word {
    ENTRY_AUTHOR,
    ENTRY_OPERATOR,
    ENTRY_ORIGINS,
    ENTRY_SAID_AUTHOR, /* by the program, in its Hello */
    ENTRY_WORDS
};

enum { ENTRY_KEY = 96 };

/* The word as in the event file and in the setting, "author". Static. */
const char *entry_word_name(enum entry_word word);

/* Writes the setting's name, with "event." in front of it. */
void entry_key(char out[ENTRY_KEY], enum entry_word word, const char *bot);

/* Returns the bot's name in the key of such a setting ("author.NAME", without "event."), or NULL.
 * Lent. */
const char *entry_bot(const char *key);

/* Returns the last line. Lent from text. */
const char *entry_last(const char *text);

/* Returns the text with one more line, owned by the caller. before may be NULL. */
char *entry_add(const char *before, const char *line);

/* Whether the program names another author than the declared one; false if either is missing.
 * Capitals do not count. */
bool entry_differs(const char *author, const char *said);

#endif
