/* judge.h - what values finished games: its kinds behind one interface.
 *
 * A judge is asynchronous and lives in the loop: games go in while there is room, a callback
 * returns a judgement or a failure for each. Callbacks come from the loop, never from within a call
 * of this header; within a callback all calls but judge_destroy are allowed.
 * judge_kinds.h lists the kinds.
 *
 *     judge_open(&judge, "gnubg:plies=0", &setup, &err);
 *     ...ready: judge_name(judge) identifies its judgements in the store...
 *     while (judge_room(judge) > 0 && there is a game) judge_submit(judge, &game);
 *     ...judged: the judgement is put into the store...
 */
#ifndef REFEREE_JUDGE_JUDGE_H
#define REFEREE_JUDGE_JUDGE_H

#include "../loop/loop.h"
#include "store/judgement.h"
#include "store/store.h"

struct judge;

/* A judge's callbacks. Each submitted game gets exactly one call of judged or failed. */
struct judge_listener {
    /* It can judge games now, and its name is known. Called again if a process was replaced, so
     * that there is room again. */
    void (*ready)(void *user);
    /* The listener must destroy *take. */
    void (*judged)(void *user, struct judgement *take);
    /* This game cannot be judged; err has the reason. Other games can be. */
    void (*failed)(void *user, const char *game_id, const struct bg_error *err);
    /* The judge cannot continue (it does not start, or dies repeatedly). No callback follows. */
    void (*broken)(void *user, const struct bg_error *err);
};

struct judge_setup {
    struct loop *loop;  /* lent; outlives the judge */
    int jobs;           /* games at once: processes; 1 or more */
    bool errors;        /* judge decisions as well, not only luck */
    bool confined;      /* its processes run in a sandbox (confinement.h) */
    const char *hidden; /* folder of the results, hidden from a confined judge; lent for its life;
                           NULL none */
    int nice;           /* added to the niceness of its processes, 0..19 */
    const struct judge_listener *listener; /* lent */
    void *user;
};

struct judge_ops {
    void (*destroy)(struct judge *judge);
    const char *(*name)(const struct judge *judge);
    int (*room)(const struct judge *judge);
    int (*busy)(const struct judge *judge);
    void (*submit)(struct judge *judge, const struct store_game *game);
    int64_t (*cpu_ns)(const struct judge *judge);
};

struct judge {
    const struct judge_ops *ops;
    bool errors; /* it judges decisions: the setup or its words asked for it */
};

/* Opens a judge from the user's text: KIND or KIND:KEY=VALUE,FLAG,... Starts its processes; `ready`
 * is called when they are up. BG_E_ARGUMENT: unknown kind or key; the message lists the known ones;
 * BG_E_START: its program is missing; BG_E_SYSTEM. */
enum bg_status judge_open(struct judge **out, const char *spec, const struct judge_setup *setup,
                          struct bg_error *err);

/* Checks a specification without starting anything. BG_E_ARGUMENT as above. */
enum bg_status judge_check(const char *spec, struct bg_error *err);

/* Ends its processes; games in work get no callback. NULL is fine. */
static inline void judge_destroy(struct judge *judge)
{
    if (judge != NULL) {
        judge->ops->destroy(judge);
    }
}

/* Names the judge and its settings, the same in every run: "gnubg 1.07.001 plies=0". NULL before
 * ready; lent. */
static inline const char *judge_name(const struct judge *judge)
{
    return judge->ops->name(judge);
}

/* Returns how many more games it accepts now; 0 before ready. */
static inline int judge_room(const struct judge *judge)
{
    return judge->ops->room(judge);
}

/* Returns the number of games in work. */
static inline int judge_busy(const struct judge *judge)
{
    return judge->ops->busy(judge);
}

/* Submits one game with its text (lent for the call); judge_room must be > 0. Errors of the game
 * itself are reported by failed. */
static inline void judge_submit(struct judge *judge, const struct store_game *game)
{
    judge->ops->submit(judge, game);
}

/* Processor time of its processes since it was opened, starting included, in nanoseconds. */
static inline int64_t judge_cpu_ns(const struct judge *judge)
{
    return judge->ops->cpu_ns(judge);
}

#endif
