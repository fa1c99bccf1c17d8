/* judge_queue.h - the games that wait for a judge: from the store to the judge and back.
 *
 * The database itself is the waiting list: games that are durable and that this judge has not
 * judged are handed over while it has room, judgements are put into the store. So nothing is judged
 * twice, an interruption costs only the games under way, and a backlog costs no memory.
 */
#ifndef REFEREE_JUDGE_JUDGE_QUEUE_H
#define REFEREE_JUDGE_JUDGE_QUEUE_H

#include "judge.h"

struct judge_queue;

struct judge_queue_listener {
    /* A game was judged or failed, or the judge is ready: look at judge_queue_counts,
     * judge_queue_is_done. */
    void (*moved)(void *user);
    /* This game cannot be judged; others can. */
    void (*failed)(void *user, const char *game_id, const struct bg_error *err);
    /* The judge or the store cannot go on. */
    void (*broken)(void *user, const struct bg_error *err);
};

struct judge_queue_setup {
    struct store *store; /* lent, open for writing; outlives the queue */
    struct loop *loop;   /* lent */
    const char *judge;   /* as judge_open takes it; lent for the call */
    int jobs;            /* games at once */
    bool errors;         /* decisions too */
    bool again;          /* games that it has judged before as well */
    int nice;
    bool confined;      /* the judge's processes, in a sandbox */
    const char *hidden; /* results whose folder a confined judge must not see; lent; NULL none */
    /* Whether this game may be judged yet. One that may not holds back all that became durable
     * behind it, until judge_queue_wake asks again. NULL: every game may. */
    bool (*may_judge)(void *user, const struct store_game *game);
    /* Whether this game is left out, in this run for good. NULL: none is. */
    bool (*skips)(void *user, const struct store_game *game);
    const struct judge_queue_listener *listener; /* lent */
    void *user;
};

struct judge_queue_counts {
    uint64_t judged, failed, skipped; /* in this run */
    int64_t game_cpu_ns;              /* the judge's processor time for the judged games */
    int64_t cpu_ns;                   /* of its processes in all, starting included */
};

/* Opens the judge; what judge_open fails with. Callbacks come from the loop. */
enum bg_status judge_queue_open(struct judge_queue **out, const struct judge_queue_setup *setup,
                                struct bg_error *err);

/* Closes it with its judge; games under way stay unjudged. NULL is fine. */
void judge_queue_close(struct judge_queue *queue);

/* There may be games that have become durable since. */
void judge_queue_wake(struct judge_queue *queue);

/* Everything durable when judge_queue_wake was last called (or since it was opened) is judged or
 * failed, or held back, and the judgements are put. */
bool judge_queue_is_done(const struct judge_queue *queue);

void judge_queue_counts(struct judge_queue_counts *out, const struct judge_queue *queue);

/* The judge's name; NULL before it is ready. Lent. */
const char *judge_queue_judge(const struct judge_queue *queue);

#endif
