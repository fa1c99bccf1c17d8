/* A table that cannot be printed is no reason to stop an event: its reader has gone (a closed
 * pipe), and the games go on to the results. Only what the store or the counting says ends the
 * run. */
#include "reports.h"

#include <stdio.h>

#include "../log.h"

#define SECOND_NS INT64_C(1000000000)

void reports_rest(const struct reports *reports, int64_t now_ns)
{
    struct judging_rest rest;

    if (reports->judging_ns > 0 && judging_rest(&rest, reports->judging)) {
        display_judging(reports->display, rest.done, rest.total, reports->judging_ns, now_ns);
    }
}

void reports_begin_rest(struct reports *reports, int64_t now_ns)
{
    reports->judging_ns = now_ns;
    if (!judging_is_done(reports->judging) && !reports->display->setup.quiet) {
        display_break(reports->display);
        fprintf(stderr, "all games are played; judging the remaining ones\n");
        reports_rest(reports, now_ns);
    }
}

static enum bg_status show_judged(const struct reports *reports, struct bg_error *err)
{
    uint64_t games = ledger_lock_tally(reports->ledger)->games;

    ledger_unlock_tally(reports->ledger);
    return judging_table(reports->display->out, reports->judging, reports->event, games, err);
}

/* The run continues if a reader has gone. */
static void show_interval(struct reports *reports, int64_t now_ns)
{
    struct display *display = reports->display;
    struct bg_error err;

    display->table_ns = now_ns;
    if (!display->unheard && (display_table(display, false, now_ns, &err) != BG_OK ||
                              show_judged(reports, &err) != BG_OK)) {
        display->unheard = true;
        log_warn("event", "no more tables: %s", err.text);
    }
}

enum bg_status reports_progress(struct reports *reports, int64_t now_ns, struct bg_error *err)
{
    int64_t interval_ns = (int64_t)reports->event->rating_interval_s * SECOND_NS;
    enum bg_status status = BG_OK;

    if (interval_ns > 0 && now_ns - reports->display->table_ns >= interval_ns) {
        show_interval(reports, now_ns);
        status = feed_standings(reports->feed, false, err);
    }
    display_progress(reports->display, false, now_ns);
    return status;
}

enum bg_status reports_final(struct reports *reports, uint64_t decisions, bool complete,
                             int64_t now_ns, struct bg_error *err)
{
    struct display *display = reports->display;
    enum bg_status status = feed_count(reports->feed, err);

    display->counted = feed_counted(reports->feed);
    if (status == BG_OK) {
        status = feed_final(reports->feed, err);
    }
    if (status == BG_OK) {
        reports_rest(reports, now_ns);
        display_break(display);
        display_progress(display, true, now_ns);
        display_health(display, decisions, now_ns);
        status = display_table(display, complete, now_ns, err);
    }
    if (status == BG_OK) {
        status = feed_standings(reports->feed, complete, err);
    }
    return status == BG_OK ? show_judged(reports, err) : status;
}
