/* questions.h - the questions about one game to a judge that evaluates positions, and the judgement
 * from its values. Pure: no processes here.
 *
 *     questions_read(&questions, &game, errors, &err);
 *     ...values[i] answers questions.ask[i], in any order, from one evaluator...
 *     questions_judge(judgement, &questions, values, &err);
 *
 * The match machine replays the record. Every roll is asked with the cube after the cube decision;
 * the opening roll, which also decides the starter, from both sides (option `first`). With errors
 * the actual play is part of the question, and each cube decision is asked as well. Where a turn
 * has several stages, the play is that of the roll's first stage; another roll in the turn is a
 * question of its own.
 */
#ifndef REFEREE_JUDGE_QUESTIONS_H
#define REFEREE_JUDGE_QUESTIONS_H

#include <bgref/evaluate.h>

#include "store/judgement.h"
#include "store/store.h"

struct question; /* why an ask was made */

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

/* Reads game's record. BG_E_ARGUMENT: an opening decided by sums and then played, or one of two
 * dice that is played in a game with three; BG_E_FORMAT, BG_E_MISMATCH: the record cannot be
 * replayed. */
enum bg_status questions_read(struct questions *out, const struct store_game *game, bool errors,
                              struct bg_error *err);

/* How uncertain the values of one ask for rolls are, if they are means of random trials. */
struct value_noise {
    double covariance[BG_ROLLS][BG_ROLLS];
};

/* Fills lists and sums of *out (zeroed; judgement_destroy frees them). Every value must be valid
 * for its ask (bg_value_check; means of trials may lie outside 0..1). A roll's value must not be
 * `cannot`; cube decisions without value are left out. noise: one for each ask; NULL: the values
 * are not random. BG_E_ARGUMENT: as met_model. */
enum bg_status questions_judge(struct judgement *out, const struct questions *questions,
                               const struct bg_value *values, const struct value_noise *noise,
                               struct bg_error *err);

#endif
