/* last_words.h - the line of a bot's standard error that goes into a message of one line. */
#ifndef REFEREE_SEAT_LAST_WORDS_H
#define REFEREE_SEAT_LAST_WORDS_H

enum { LAST_WORDS = 512 };

/* Writes the line of the last Python traceback that names the exception, else the last line of said
 * that is not blank; cleaned (rules/clean.h). "" if there is none. */
void last_words(char out[LAST_WORDS], const char *said);

#endif
