/* chess_words.h - words of chess harnesses after -engine, as a competitor of ours has them. */
#ifndef REFEREE_BOT_CHESS_WORDS_H
#define REFEREE_BOT_CHESS_WORDS_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

enum { CHESS_WORDS_CLOCK = 96 };

/* "60+0.6", "1:30+1" (time + increment of a whole game, in seconds) as "bank=60s,inc=600ms". Text
 * of another form is copied. BG_E_ARGUMENT: moves a session ("40/60"), which no clock here has. */
enum bg_status chess_words_tc(char out[CHESS_WORDS_CLOCK], const char *text, struct bg_error *err);

/* "st=0.5": seconds a move, as "move=500ms". BG_E_ARGUMENT. */
enum bg_status chess_words_st(char out[CHESS_WORDS_CLOCK], const char *text, struct bg_error *err);

/* Words that ask for what is always so, or for what a bot has as an option of its own. True: key is
 * one of them, and *status says whether it may stand there (BG_OK, BG_E_ARGUMENT). */
bool chess_words_other(enum bg_status *status, const char *key, const char *value,
                       struct bg_error *err);

#endif
