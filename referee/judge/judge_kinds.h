/* judge_kinds.h - the kinds of judges, for judge.c only. Each gets the words after "KIND:". */
#ifndef REFEREE_JUDGE_JUDGE_KINDS_H
#define REFEREE_JUDGE_JUDGE_KINDS_H

#include "judge.h"

/* Opens the judge; with setup NULL only checks the words. */
typedef enum bg_status (*judge_open_fn)(struct judge **out, const char *words,
                                        const struct judge_setup *setup, struct bg_error *err);

/* judge_gnubg.c, unmodified gnubg processes that analyse exported games: plies=0..2, program=PATH.
 */
enum bg_status judge_gnubg_open(struct judge **out, const char *words,
                                const struct judge_setup *setup, struct bg_error *err);

/* judge_bot.c, any bot that values positions (see questions.h): its name or path, then "errors" and
 * its options. */
enum bg_status judge_bot_open(struct judge **out, const char *words,
                              const struct judge_setup *setup, struct bg_error *err);

/* The same with the bot's values replaced by rollouts (game_rollouts.h). Among its options:
 * trials=, truncate=, variance-reduction=, seed=. */
enum bg_status judge_rollout_open(struct judge **out, const char *words,
                                  const struct judge_setup *setup, struct bg_error *err);

/* Reads the next of the words, separated by commas: KEY=VALUE or only KEY (value ""), copied into
 * key and value. Returns false at the end. *words moves on. */
enum { JUDGE_WORD = 512 };
bool judge_word(char key[JUDGE_WORD], char value[JUDGE_WORD], const char **words);

#endif
