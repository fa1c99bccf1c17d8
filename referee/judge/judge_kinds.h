/* judge_kinds.h - the kinds of judges, for judge.c alone. Each has the words behind "KIND:". */
#ifndef REFEREE_JUDGE_JUDGE_KINDS_H
#define REFEREE_JUDGE_JUDGE_KINDS_H

#include "judge.h"

/* Opens, or with setup NULL only checks the words. */
typedef enum bg_status (*judge_open_fn)(struct judge **out, const char *words,
                                        const struct judge_setup *setup, struct bg_error *err);

/* judge_gnubg.c, unmodified gnubg processes that analyse exported games: plies=0..2, program=PATH.
 */
enum bg_status judge_gnubg_open(struct judge **out, const char *words,
                                const struct judge_setup *setup, struct bg_error *err);

/* judge_bot.c, any bot that values positions (questions.h says which): its name or path, then its
 * options. */
enum bg_status judge_bot_open(struct judge **out, const char *words,
                              const struct judge_setup *setup, struct bg_error *err);

/* The next of words separated by commas, as KEY=VALUE or a lone KEY (value ""): copied into key and
 * value. False at the end. *words moves on. */
enum { JUDGE_WORD = 512 };
bool judge_word(char key[JUDGE_WORD], char value[JUDGE_WORD], const char **words);

#endif
