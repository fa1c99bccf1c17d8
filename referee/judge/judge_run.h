/* judge_run.h - an event's games judged while it runs.
 *
 * Beside the games and never in their way: the judge's processes are the last in line for the
 * processors, and a judge that breaks stops no game. What is not judged when the run ends is judged
 * by the next run, or by `bgref judge`.
 *
 * Where strangers compete a game is judged only when both legs of its pair have ended: a judge may
 * be the program of an entrant, and what it knows of one leg would be worth something in the other.
 */
#ifndef REFEREE_JUDGE_JUDGE_RUN_H
#define REFEREE_JUDGE_JUDGE_RUN_H

#include <stdio.h>

#include "config/config.h"
#include "judge_queue.h"
#include "fixtures/ledger.h"

/* The judge is ready, and this is its name. */
typedef void (*judging_named_fn)(void *user, const char *judge);

struct judging_setup {
    const struct config_event *event; /* lent, as are these */
    struct ledger *ledger;
    struct loop *loop;
    bool confined;          /* the judge's processes */
    judging_named_fn named; /* as below */
    loop_fn done;
    void *user;
};

struct judging {
    struct judge_queue *queue; /* NULL: no judge is wanted */
    struct ledger *ledger;     /* lent */
    judging_named_fn named;    /* once, before the first game is judged */
    loop_fn done;              /* nothing durable is left to judge, or the judge broke */
    void *user;
    uint64_t told; /* failures that were told one by one */
    bool is_begun, is_named, is_broken;
    bool is_released; /* nothing is held back any more ... */
    bool is_counted;  /* ... and it is known how much that was: */
    struct judging_rest {
        uint64_t done, total; /* games; those that could not be judged are done, too */
    } rest;
    uint64_t done_before;
};

/* Opens the judge of event->judge, confined or not, with named and done called from the loop; *out
 * may be moved no more. No judge wanted: BG_OK, and every call below is harmless. Else what
 * judge_open fails with.
 */
enum bg_status judging_open(struct judging *out, const struct judging_setup *setup,
                            struct bg_error *err);
void judging_close(struct judging *judging); /* also when zeroed */

/* What the event is, is stored: before that no judgement is, nor the judge's name. */
void judging_begin(struct judging *judging);

/* Games have become durable. */
void judging_wake(struct judging *judging);
/* No game is played any more: what was held back is judged too. */
void judging_release(struct judging *judging);

/* Everything durable at the last wake is judged, or there is nobody to judge. */
bool judging_is_done(const struct judging *judging);

/* Of what was left when play ended, after judging_release: how much is judged. False: there was
 * nothing, or it is not known yet. */
bool judging_rest(struct judging_rest *out, const struct judging *judging);

/* The judge broke, or a game was not judged in this run. */
bool judging_has_failed(const struct judging *judging);

/* Games judged in this run; 0 without a judge. */
uint64_t judging_games(const struct judging *judging);

/* What the judge says of the event so far, to out, in the order of its bots; games: finished,
 * judged or not. Nothing without a judge. */
enum bg_status judging_table(FILE *out, const struct judging *judging,
                             const struct config_event *event, uint64_t games,
                             struct bg_error *err);

#endif
