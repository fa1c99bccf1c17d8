/* finished.h - games and judgements that became durable, on their way from the store's thread to
 * the loop's: each is taken once, in the order in which it became durable.
 */
#ifndef EVENT_FINISHED_H
#define EVENT_FINISHED_H

#include <pthread.h>

#include "finder.h"
#include "record/record_times.h"

/* A finished game that is durable, without its text; thinking is zeroed unless it was asked for. */
typedef void (*ledger_game_fn)(void *user, const struct fixture *fixture,
                               const struct store_game *game, const struct thinking *thinking);

/* A judgement that is durable, of game number `game` of a fixture. */
typedef void (*ledger_judged_fn)(void *user, const struct fixture *fixture, int game,
                                 const struct judgement *judgement);

struct finished_game;
struct finished_judgement;

struct finished {
    pthread_mutex_t mutex; /* guards all below */
    bool watching, thinking;
    struct finished_game *game, **last_game; /* owned; that nobody has taken yet */
    struct finished_judgement *judgement, **last_judgement;
};

void finished_init(struct finished *out);
void finished_deinit(struct finished *finished);

/* From now on games are kept; thinking: also what is read of their records. */
void finished_watch(struct finished *finished, bool thinking);

/* On the store's thread; what they are given is lent. A game is dropped while nobody watches. */
void finished_put_game(struct finished *finished, const struct store_game *game);
void finished_put_judgement(struct finished *finished, const struct judgement *judgement);

/* Those since the last call that are of the finder's event. */
void finished_take_games(struct finished *finished, const struct finder *finder, ledger_game_fn fn,
                         void *user);
void finished_take_judgements(struct finished *finished, const struct finder *finder,
                              ledger_judged_fn fn, void *user);

#endif
