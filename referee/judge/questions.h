/* questions.h - what a judge that values positions is asked about one game, and the judgement that
 * its values make. Pure: nothing here knows of processes.
 *
 *     questions_read(&questions, &game, errors, &err);
 *     ...values[i] answers questions.ask[i], in any order, from one evaluator...
 *     questions_judge(judgement, &questions, values, &err);
 *
 * The record is walked through the match machine. Every roll is asked with the cube as it stands
 * after the cube decision; the opening roll, which decides the starter too, from both sides (option
 * `first`). With errors the play that was made goes along, and each cube decision is asked as well.
 */
#ifndef REFEREE_JUDGE_QUESTIONS_H
#define REFEREE_JUDGE_QUESTIONS_H

#include <bgref/evaluate.h>

#include "store/judgement.h"
#include "store/store.h"

struct question; /* what asks are about */

/* Starts as {0}. */
struct questions {
    struct bg_ask *ask; /* owned */
    size_t count, room;
    struct bg_ask_played *played; /* owned; what ask[i].played points to */
    struct question *about;       /* owned */
    size_t abouts, about_room;
    const struct bg_variant *variant;
    int leg;
    bool errors;
};

void questions_deinit(struct questions *questions);

/* Reads the record of game. BG_E_ARGUMENT: a game whose turns are not one roll of two dice, or an
 * opening by sums that is played; BG_E_FORMAT, BG_E_MISMATCH: not a record that can be replayed;
 * BG_E_MEMORY. */
enum bg_status questions_read(struct questions *out, const struct store_game *game, bool errors,
                              struct bg_error *err);

/* Fills lists and sums of *out (zeroed; judgement_destroy frees them). Every value must fit its ask
 * (bg_value_check); those of rolls must not be `cannot`, cube decisions that are stay out.
 * BG_E_MEMORY. */
enum bg_status questions_judge(struct judgement *out, const struct questions *questions,
                               const struct bg_value *values, struct bg_error *err);

#endif
