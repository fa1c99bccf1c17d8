/* evaluators.h - processes of one bot that values positions, in the loop.
 *
 *     evaluators_open(&pool, &setup, &err);
 *     ...ready(user, place): the process of this place can be asked...
 *     evaluators_ask(pool, place, asks, count);
 *     ...valued(user, place, values, count): asks[i] has values[i]...
 *
 * One request at a time for each process. A process that dies is started again and gets its request
 * again. Callbacks come from the loop, never from within a call of this header; within a callback
 * all calls but evaluators_close are allowed.
 */
#ifndef REFEREE_JUDGE_EVALUATORS_H
#define REFEREE_JUDGE_EVALUATORS_H

#include <bgref/evaluate.h>

#include "bot/competitor.h"
#include "../loop/loop.h"

enum { EVALUATORS_ASKS_MAX = 64 }; /* in one request */

struct evaluators;

struct evaluators_listener {
    /* The process of this place is ready for the first time. */
    void (*ready)(void *user, int place);
    /* The answers to the place's request, each checked with bg_value_check; values are lent for the
     * call. */
    void (*valued)(void *user, int place, const struct bg_value *values, size_t count);
    /* It cannot continue: it does not start, dies repeatedly, or answers what is no answer. No
     * callback follows. */
    void (*broken)(void *user, const struct bg_error *err);
};

struct evaluators_setup {
    struct loop *loop;            /* lent; outlives the pool */
    const struct competitor *bot; /* copied */
    int places;                   /* processes; 1 or more */
    const char *role;             /* "judge": begins each message of broken; a literal */
    const char *start_hint;       /* ends the message when its process does not start; a literal */
    bool confined;                /* its processes run in a sandbox */
    const char *hidden; /* folder of results, hidden from a confined bot; lent; NULL none */
    int nice;           /* added to the niceness of its processes, 0..19 */
    const struct evaluators_listener *listener; /* lent */
    void *user;
};

/* Starts the processes. BG_E_START, BG_E_SYSTEM. */
enum bg_status evaluators_open(struct evaluators **out, const struct evaluators_setup *setup,
                               struct bg_error *err);

/* Ends the processes; open requests get no callback. NULL is fine. */
void evaluators_close(struct evaluators *pool);

/* Returns true if the place's process is ready and has no request. */
bool evaluators_is_free(const struct evaluators *pool, int place);

/* Sends 1..EVALUATORS_ASKS_MAX asks to a free place. The asks are lent until they are valued; the
 * list of pointers is copied. */
void evaluators_ask(struct evaluators *pool, int place, const struct bg_ask *const *asks,
                    size_t count);

/* Returns true if the bot of a ready place values this game. */
bool evaluators_play(const struct evaluators *pool, int place, const struct bg_variant *variant);

/* "name version" of its Hello, and its options as set; after the first ready. Lent. */
const char *evaluators_version(const struct evaluators *pool);
const char *evaluators_options(const struct evaluators *pool);

/* Processor time of the place's processes, ended ones too, in nanoseconds. */
int64_t evaluators_cpu_ns(const struct evaluators *pool, int place);
/* The part of it since its processes were ready: without their start. */
int64_t evaluators_work_ns(const struct evaluators *pool, int place);

#endif
