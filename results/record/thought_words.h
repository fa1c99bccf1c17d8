/* thought_words.h - what a bot thought, in words for people. */
#ifndef RESULTS_RECORD_THOUGHT_WORDS_H
#define RESULTS_RECORD_THOUGHT_WORDS_H

#include <bgref/thought.h>

enum { THOUGHT_WORDS = 1024 };

/* "8/5 6/5 +0.331, 24/21 6/5 +0.290"; "" without candidates. */
void thought_candidates_write(char out[THOUGHT_WORDS], const struct bg_thought *thought);

/* All of it in one line: "wins 62.1 % (gammon 17.1 %, backgammon 0.1 %), loses a gammon 8.0 %, a
 * backgammon 0.1 %; equity +0.331; 2 plies; best 8/5 6/5 +0.331, ...; "its text"". */
void thought_words_write(char out[THOUGHT_WORDS], const struct bg_thought *thought);

#endif
