/* chess_words.h - words of chess harnesses after -engine, as a competitor of ours has them. */
#ifndef REFEREE_BOT_CHESS_WORDS_H
#define REFEREE_BOT_CHESS_WORDS_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

enum { CHESS_WORDS_CLOCK = 96 };

/* Converts "60+0.6" or "1:30+1" (time and increment of a whole game, in seconds) to
 * "bank=60s,inc=600ms". Copies text of another form. BG_E_ARGUMENT: a number of moves per
 * session ("40/60"), which the referee's clocks do not support. */
enum bg_status chess_words_tc(char out[CHESS_WORDS_CLOCK], const char *text, struct bg_error *err);

/* Converts "0.5" of "st=0.5" (seconds per move) to "move=500ms". BG_E_ARGUMENT: not such a
 * number. */
enum bg_status chess_words_st(char out[CHESS_WORDS_CLOCK], const char *text, struct bg_error *err);

/* Checks keys of chess harnesses that set nothing here: the referee always does so or has its
 * own setting, or the bot has its own option. Returns true if key is one of them; *status is
 * then BG_OK or BG_E_ARGUMENT. */
bool chess_words_other(enum bg_status *status, const char *key, const char *value,
                       struct bg_error *err);

#endif
