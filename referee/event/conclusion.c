/* The order in store_all() is that of what follows from what: games, acts that follow from them,
 * the end of a test, and the root last, because it is over everything that stands in the
 * results. Each step that the store could only queue (BG_E_TIMEOUT: a full disk) is waited for
 * before the next. */
#include "conclusion.h"

#include <stdio.h>

#include "../log.h"
#include "../loop/loop.h"
#include "base/exit_status.h"

static bool is_played(const struct conclusion *conclusion)
{
    return source_is_over(director_source(conclusion->director),
                          ledger_settled(conclusion->ledger));
}

bool conclusion_is_complete(const struct conclusion *conclusion)
{
    return is_played(conclusion) || feed_is_decided(conclusion->feed);
}

/* Returns true if a bot is left out of this run. */
static bool is_anyone_absent(const struct conclusion *conclusion)
{
    bool any = false;

    for (int i = 0; i < conclusion->event->bot_count; i++) {
        any = any || conclusion->entrants->list[i].absent ||
              conclusion->entrants->list[i].quarantined;
    }
    return any;
}

const char *conclusion_outcome(const struct conclusion *conclusion, bool failed, int exit_status)
{
    return failed                                             ? "failed"
           : feed_is_decided(conclusion->feed)                ? "decided"
           : is_played(conclusion)                            ? "complete"
           : exit_status == 0 && is_anyone_absent(conclusion) ? "unplayed"
                                                              : "interrupted";
}

int conclusion_status(const struct conclusion *conclusion, int exit_status)
{
    const struct sequential *test = feed_test(conclusion->feed);
    bool complete = conclusion_is_complete(conclusion);

    /* a run that was interrupted goes on, whoever was absent */
    if (!judging_is_done(conclusion->judging) ||
        (!complete && (exit_status != 0 || !is_anyone_absent(conclusion)))) {
        return exit_status;
    }
    if (conclusion->judging->is_broken) {
        return EXIT_SURROUNDINGS;
    }
    if (!complete || (test == NULL && ledger_unplayed(conclusion->ledger) > 0) ||
        director_lacks_games(conclusion->director)) {
        return EXIT_UNPLAYED;
    }
    if (test == NULL || !conclusion->event->exit_verdict) {
        return EXIT_DONE;
    }
    return test->test.state == SPRT_H1   ? EXIT_H1
           : test->test.state == SPRT_H0 ? EXIT_H0
                                         : EXIT_UNDECIDED;
}

/* ----------------------------------------------------------------- what is stored */

static enum bg_status flush(const struct conclusion *conclusion, struct bg_error *err)
{
    return holding_flush(conclusion->holding, ledger_store(conclusion->ledger), conclusion->signals,
                         err);
}

/* Queues what is to be stored; waits if it cannot be written now. */
static enum bg_status waited(const struct conclusion *conclusion, enum bg_status status,
                             struct bg_error *err)
{
    return status == BG_E_TIMEOUT ? flush(conclusion, err) : status;
}

static enum bg_status publish_root(char root[RECORD_HASH], const struct conclusion *conclusion,
                                   struct bg_error *err)
{
    enum bg_status status = ledger_publish(root, conclusion->ledger, err);

    if (status == BG_E_TIMEOUT && waited(conclusion, status, err) == BG_OK) {
        status = ledger_publish(root, conclusion->ledger, err);
    }
    return status;
}

/* Stores the games and what follows from them; key and root too if the event is complete. */
static enum bg_status store_all(char root[RECORD_HASH], bool *complete,
                                const struct conclusion *conclusion, struct bg_error *err)
{
    enum bg_status status = flush(conclusion, err);

    if (status == BG_OK) {
        feed_take(conclusion->feed);
        status =
            waited(conclusion, director_settle(conclusion->director, loop_calendar(), err), err);
    }
    *complete = conclusion_is_complete(conclusion);
    if (status == BG_OK && *complete && !is_played(conclusion)) {
        status = waited(conclusion, ledger_decide(conclusion->ledger, err), err);
    }
    if (status == BG_OK) {
        status = waited(conclusion, feed_keep(conclusion->feed, err), err);
    }
    return status == BG_OK && *complete ? publish_root(root, conclusion, err) : status;
}

/* Lists what was not played and why; prints nothing if all was played. */
static void show_unplayed(const struct conclusion *conclusion, bool complete)
{
    const struct display *display = conclusion->reports->display;

    display_unplayed(display);
    director_print_lacking(display->out, conclusion->director, conclusion->entrants);
    for (int i = 0; i < conclusion->event->bot_count; i++) {
        const struct entrants_bot *entrant = &conclusion->entrants->list[i];

        if (entrant->absent) {
            display_absent(display, conclusion->entrants->names[i], entrant->absent_why);
        }
    }
    if (!complete) {
        display_open(display);
    }
}

/* A host starts its events again itself, with words that are of no use to people. */
static void say_command(const struct conclusion *conclusion, const char *what)
{
    if (conclusion->event->door.bans[0] == '\0') {
        fprintf(stderr, "%s: %s\n", what, conclusion->command);
    }
}

enum bg_status conclusion_draw(const struct conclusion *conclusion, int exit_status,
                               uint64_t decisions, int64_t now_ns, struct bg_error *err)
{
    struct display *display = conclusion->reports->display;
    char root[RECORD_HASH] = "";
    bool complete;
    enum bg_status status = store_all(root, &complete, conclusion, err);

    if (status == BG_OK) {
        director_round(display->round, conclusion->director);
        status = display_standing(display, director_season(conclusion->director), err);
    }
    if (status == BG_OK) {
        status = reports_final(conclusion->reports, decisions, complete, now_ns, err);
    }
    display_break(display);
    if (status == BG_OK) {
        if (complete || exit_status == 0) {
            show_unplayed(conclusion, complete);
        }
        display_end(display, complete, root);
    }
    /* Also of a complete event, if the end of it is not stored. */
    if (!complete || status != BG_OK || !judging_is_done(conclusion->judging)) {
        say_command(conclusion,
                    complete && status != BG_OK ? "to go on when the cause is gone" : "to go on");
    }
    return status;
}

void conclusion_rescue(const struct conclusion *conclusion, bool can_go_on)
{
    struct store *store = ledger_store(conclusion->ledger);
    const char *results = conclusion->event->results;
    struct bg_error err;

    if (store->ops->flush(store, NULL) != BG_OK) {
        log_error("event", "results=%s the last games could not be stored", results);
    }
    if (ledger_keep_key(conclusion->ledger, &err) != BG_OK) {
        log_error("event", "results=%s the key of its dice is lost: %s", results, err.text);
    }
    if (can_go_on) {
        say_command(conclusion, "to go on when the cause is gone");
    }
}
