/* judge_queue.h - the games that wait for a judge: from the store to the judge and back.
 *
 * The database itself is the waiting list. Durable games without a judgement of this judge are
 * submitted while it has room; judgements are stored. So no game is judged twice, an interruption
 * costs only the games in work, and a backlog needs no memory.
 */
#ifndef REFEREE_JUDGE_JUDGE_QUEUE_H
#define REFEREE_JUDGE_JUDGE_QUEUE_H

#include "judge.h"

struct judge_queue;

struct judge_queue_listener {
    /* A game was judged or failed, or the judge is ready: look at judge_queue_counts,
     * judge_queue_is_done. */
    void (*moved)(void *user);
    /* This game cannot be judged; other games can be. */
    void (*failed)(void *user, const char *game_id, const struct bg_error *err);
    /* The judge or the store cannot continue. */
    void (*broken)(void *user, const struct bg_error *err);
};

struct judge_queue_setup {
    struct store *store; /* lent, open for writing; outlives the queue */
    struct loop *loop;   /* lent */
    const char *judge;   /* as judge_open takes it; lent for the call */
    int jobs;            /* games at once */
    bool errors;         /* judge decisions too */
    bool again;          /* also games that it has judged before */
    int nice;
    bool confined;      /* the judge's processes run in a sandbox */
    const char *hidden; /* folder of the results, hidden from a confined judge; lent; NULL none */
    bool waits;         /* submits nothing before the first judge_queue_wake */
    const struct judge_queue_listener *listener; /* lent */
    void *user;
};

struct judge_queue_counts {
    uint64_t judged, failed; /* in this run */
    int64_t game_cpu_ns;     /* the judge's processor time for the judged games */
    int64_t cpu_ns;          /* all processes' time, starting included */
};

/* Opens the judge; fails as judge_open does. Callbacks come from the loop. */
enum bg_status judge_queue_open(struct judge_queue **out, const struct judge_queue_setup *setup,
                                struct bg_error *err);

/* Closes it and its judge; games in work stay unjudged. NULL is fine. */
void judge_queue_close(struct judge_queue *queue);

/* Call when games may have become durable. */
void judge_queue_wake(struct judge_queue *queue);

/* Returns true if every game that was durable at the last judge_queue_wake (or at opening) is
 * judged or failed, and the judgements are stored. */
bool judge_queue_is_done(const struct judge_queue *queue);

void judge_queue_counts(struct judge_queue_counts *out, const struct judge_queue *queue);

/* The judge's name; NULL before it is ready. Lent. */
const char *judge_queue_judge(const struct judge_queue *queue);

/* Returns true if decisions are judged too: the setup or the judge's words asked for it. */
bool judge_queue_errors(const struct judge_queue *queue);

#endif
