/* game_rollouts.h - the values of a game's questions by rollouts. Pure.
 *
 * The bot's own answer gives the best play of each roll, and what a passed double is worth. Every
 * position that such a play leads to, and the one after the actual play, is then rolled out with
 * the same dice for all; of a cube decision "no double" and "double, take" are. Dice follow from
 * the seed, the game's id and the question's place, so a game's values are the same in every run,
 * and independent of other games'.
 */
#ifndef REFEREE_JUDGE_GAME_ROLLOUTS_H
#define REFEREE_JUDGE_GAME_ROLLOUTS_H

#include "questions.h"

/* What the words after "rollout:" say. */
struct rollout_words {
    uint64_t trials; /* of each position; 0: no rollouts */
    int plies;       /* rolls until a trial is cut off; 0: none */
    bool reduces;    /* variance reduction */
    uint64_t seed;
};

struct game_rollouts;

/* All lent. */
struct game_rollouts_setup {
    const struct questions *questions;
    const char *game_id;
    struct bg_value *values;   /* to be filled in: one for each ask */
    struct value_noise *noise; /* the same, for asks of rolls */
};

struct game_rollouts *game_rollouts_create(const struct game_rollouts_setup *setup,
                                           const struct rollout_words *words);
void game_rollouts_destroy(struct game_rollouts *rollouts); /* NULL is fine */

/* Fills in the next questions to the bot, at most max, and returns their number; 0: all values are
 * known. They are lent until game_rollouts_take, which must come before the next call. */
size_t game_rollouts_next(struct game_rollouts *rollouts, const struct bg_ask **ask, size_t max);

/* The answers to the last questions, in their order. BG_E_ARGUMENT: the bot cannot value a
 * position. */
enum bg_status game_rollouts_take(struct game_rollouts *rollouts, const struct bg_value *values,
                                  size_t count, struct bg_error *err);

#endif
