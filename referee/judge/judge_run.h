/* judge_run.h - judges an event's games while it runs.
 *
 * It must not slow the games: the judge's processes have the lowest priority, and a broken judge
 * stops no game. Games not judged when the run ends are judged by the next run, or by `bgref
 * judge`.
 */
#ifndef REFEREE_JUDGE_JUDGE_RUN_H
#define REFEREE_JUDGE_JUDGE_RUN_H

#include <stdio.h>

#include "config/config.h"
#include "judge_queue.h"

/* The judge is ready, and this is its name. */
typedef void (*judging_named_fn)(void *user, const char *judge);

struct judging_setup {
    const struct config_event *event; /* lent, as are these */
    struct store *store;
    struct loop *loop;
    bool confined;          /* the judge's processes */
    judging_named_fn named; /* as in struct judging */
    loop_fn done;
    void *user;
};

struct judging {
    struct judge_queue *queue; /* NULL: the event has no judge */
    struct store *store;       /* lent */
    judging_named_fn named;    /* once, before the first game is judged */
    loop_fn done;              /* every durable game is judged, or the judge broke */
    void *user;
    uint64_t logged; /* failures that were logged one by one */
    bool is_begun, is_named, is_broken;
    uint64_t played; /* games, when play had ended */
    bool is_last;    /* it has, so the games still to be judged can be counted ... */
    bool is_counted; /* ... and are: */
    struct judging_rest {
        uint64_t done, total; /* games; failed ones count as done */
    } rest;
    uint64_t done_before;
};

/* Opens the judge event->judge, confined or not; the loop calls named and done. *out must not be
 * moved afterwards. Without a judge: BG_OK, and the calls below do nothing. Else fails as
 * judge_open does.
 */
enum bg_status judging_open(struct judging *out, const struct judging_setup *setup,
                            struct bg_error *err);
void judging_close(struct judging *judging); /* also when zeroed */

/* Call when the event is stored: judgements and the judge's name are stored only after it. */
void judging_begin(struct judging *judging);

/* Call when games have become durable. */
void judging_wake(struct judging *judging);
/* Call when play has ended and all its games are durable: counts those that are left to be judged.
 */
void judging_finish(struct judging *judging, uint64_t games);

/* Returns true if every game that was durable at the last wake is judged, or there is no judge. */
bool judging_is_done(const struct judging *judging);

/* Returns how many of the games left at the end of play are judged, after judging_finish. False:
 * none was left, or it is not known yet. */
bool judging_rest(struct judging_rest *out, const struct judging *judging);

/* Returns true if the judge broke, or a game was not judged in this run. */
bool judging_has_failed(const struct judging *judging);

/* Prints the judge's table of the event so far to out, in the order of its bots; games: finished,
 * judged or not. Prints nothing without a judge. */
enum bg_status judging_table(FILE *out, const struct judging *judging,
                             const struct config_event *event, uint64_t games,
                             struct bg_error *err);

#endif
