/* rollout.h - several positions ("lines") played on many times by one bot, with the same dice.
 * Pure.
 *
 *     rollout_create(&rollout, &setup, &err);
 *     while (!rollout_is_done(rollout)) {
 *         count = rollout_next(rollout, slot, ask, max);     questions, in any number of requests
 *         rollout_take(rollout, slot[i], &value, &err);      their answers, in any order
 *     }
 *     rollout_sums(rollout)
 *
 * The result depends only on the setup and the bot's values, not on the order of the answers.
 */
#ifndef REFEREE_JUDGE_ROLLOUT_H
#define REFEREE_JUDGE_ROLLOUT_H

#include <bgref/evaluate.h>

#include "numbers/rollout_sums.h"
#include "trial.h"

enum {
    ROLLOUT_BLOCK = 36,     /* trials with all first throws; it stops only after whole blocks */
    ROLLOUT_STOP_BLOCKS = 4 /* fewest blocks before it can stop at an error */
};

#define ROLLOUT_TRIALS_MAX UINT64_C(1000000)

struct rollout_setup {
    const struct trial_start *line; /* lent for the call; all have the same rules and score */
    int lines;
    int cube_log2; /* the cube that is the unit of money values */
    int own;       /* the seat from whose view values are */
    uint64_t trials;
    int plies;    /* turns until a trial is cut off; 0: none */
    bool reduces; /* variance reduction by the bot's own luck */
    bool chances; /* also chances of wins and gammons */
    double until; /* stop when the error of the best line's difference to each other (one line: its
                     error) is at most this; 0: after all trials */
    uint64_t seed;
    const char *text; /* names the dice, with the seed; lent for the call */
    int open_max;     /* most questions at once; 1 or more */
};

struct rollout;

/* BG_E_ARGUMENT: the match is too long. */
enum bg_status rollout_create(struct rollout **out, const struct rollout_setup *setup,
                              struct bg_error *err);
void rollout_destroy(struct rollout *rollout); /* NULL is fine */

bool rollout_is_done(const struct rollout *rollout);

/* Fills in up to max questions that were not given out before, each with its slot, and returns
 * their number; 0: answers are missing, or it is done. ask[i] is lent until its answer. */
size_t rollout_next(struct rollout *rollout, int *slot, const struct bg_ask **ask, size_t max);

/* BG_E_ARGUMENT: the bot cannot value a position; the rollout is of no use then. */
enum bg_status rollout_take(struct rollout *rollout, int slot, const struct bg_value *value,
                            struct bg_error *err);

/* The trials so far, in their order. Lent. */
const struct rollout_sums *rollout_sums(const struct rollout *rollout);

/* Returns the line with the highest mean; -1 before the first trial. */
int rollout_best(const struct rollout *rollout);

/* A line's mean chances (not variance-reduced; equity is not set). False: not asked for, or the bot
 * cannot tell them where trials were cut off. */
bool rollout_chances(struct bg_chances *out, const struct rollout *rollout, int line);

#endif
