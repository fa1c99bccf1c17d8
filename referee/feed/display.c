/* Talk goes to standard error and tables to standard output, unless the event stream has taken
 * that. The leader's rating is the costly part of a progress line; it is computed anew after
 * LEADER_PAUSE times what it took, so that a large event does not spend its time on rating
 * itself. */
#define _GNU_SOURCE /* program_invocation_name */
#include "display.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "report/sheet.h"
#include "sums/results_set.h"
#include "tables/event_table.h"
#include "base/plural.h"
#include "base/utc.h"
#include "feed.h"

enum {
    COLUMNS_DEFAULT = 80,
    LEADER_PAUSE = 100 /* factor: rate again after this many times the duration of the last
                        * rating */
};

void display_init(struct display *display, const struct display_setup *setup, int64_t now_ns)
{
    *display = (struct display){
        .setup = *setup,
        .done_before = ledger_settled(setup->ledger) - ledger_unplayed(setup->ledger),
        .games_before = ledger_lock_tally(setup->ledger)->games,
        .began_ns = now_ns,
        .table_ns = now_ns,
        .out = strcmp(setup->event->events, "-") == 0 ? stderr : stdout,
        .terminal = isatty(STDERR_FILENO) == 1,
    };
    ledger_unlock_tally(setup->ledger);
}

void display_recount(struct display *display)
{
    struct ledger *ledger = display->setup.ledger;
    uint64_t done = ledger_settled(ledger) - ledger_unplayed(ledger);
    uint64_t games = ledger_lock_tally(ledger)->games;

    ledger_unlock_tally(ledger);
    /* An act of the desk may take out games that were there before this run: what the run has
     * played must not fall below nothing. */
    display->done_before = display->done_before < done ? display->done_before : done;
    display->games_before = display->games_before < games ? display->games_before : games;
}

static uint64_t total(const struct display *display)
{
    return source_total(display->setup.source);
}

static const char *fixtures_word(const struct display *display)
{
    return display->setup.event->rules.length_points == 0 ? "games" : "matches";
}

void display_head(const struct display *display)
{
    const struct config_event *event = display->setup.event;
    char digest[BG_KEY_HEX];

    if (display->setup.quiet) {
        return;
    }
    ledger_key_digest(digest, display->setup.ledger);
    fprintf(stderr, "bgref %s, event %s, %d bots, ", BG_VERSION, event->name, event->bot_count);
    if (config_event_has_form(event)) { /* the results decide how many matches there are */
        fprintf(stderr, "%s, matches", event->schedule);
    } else {
        fprintf(stderr, "%" PRIu64 " match%s", total(display), plural(total(display), "", "es"));
    }
    fprintf(stderr, event->rules.length_points == 0 ? " of one money game" : " to %d",
            event->rules.length_points);
    fprintf(stderr, "%s\n", event->duplicate ? ", duplicate pairs" : "");
    if (event->has_seed) {
        fprintf(stderr, "dice: reproducible, seed %" PRIu64 "\n", event->seed);
    } else if (event->manual_dice) {
        fprintf(stderr, "dice: entered by people, each roll confirmed by both operators\n");
    } else {
        fprintf(stderr, "dice: keyed, digest of the key %s\n", digest);
    }
    if (config_event_limits_cube(event)) {
        fprintf(stderr,
                "cube: at most %d, because bots' doubles run away in %s; cube_limit=0 lifts this\n",
                event->rules.cube_limit, bg_variant_id(event->rules.variant));
    }
    fprintf(stderr, "trust: %s%s\n", ledger_trust(display->setup.ledger),
            event->duplicate ? ", processes play both legs of a pair: for bots of one author"
                             : ", every game has its own dice");
    if (event->judge[0] != '\0') {
        fprintf(stderr, "judge: %s, %s\n", event->judge, display->judge);
    }
    fprintf(stderr, "results: %s%s\n", event->results,
            event->durable_decision ? ", durable: every decision" : "");
    fprintf(stderr, "command: %s\n", display->setup.command);
    if (ledger_unplayed(display->setup.ledger) > 0) {
        fprintf(stderr, "given up: %" PRIu64 " of %" PRIu64 " %s are unplayed\n",
                ledger_unplayed(display->setup.ledger), total(display), fixtures_word(display));
    }
    if (display->done_before > 0) {
        fprintf(stderr, "going on: %" PRIu64 " of %" PRIu64 " match%s are played\n",
                display->done_before, total(display), plural(total(display), "", "es"));
    }
}

static int columns(const struct display *display)
{
    struct winsize size;

    if (!display->terminal) {
        return 0;
    }
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) {
        return COLUMNS_DEFAULT;
    }
    return size.ws_col;
}

static enum progress_end end_of(const struct display *display)
{
    if (display->test == NULL) {
        return PROGRESS_ALL;
    }
    return sequential_is_over(display->test) ? PROGRESS_DECIDED : PROGRESS_TEST;
}

static uint64_t planned_legs(const struct display *display)
{
    return feed_planned_legs(display->setup.event, display->counted == NULL ? NULL : display->test);
}

/* Updates the leader's figures with the table's estimator; sets none if a rating is impossible. */
static void update_leader(struct display *display, const struct tally *tally, bool last,
                          int64_t now_ns)
{
    struct summary_options options = {.rating = RATING_OPTIONS_INIT,
                                      .planned_legs = planned_legs(display),
                                      .final = last && ledger_settled(display->setup.ledger) >=
                                                           total(display)};
    struct summary summary;
    /* Not the time that passes: while bots have the core, the rating costs nothing. */
    int64_t began_ns = utc_thread_ns();
    int *place = NULL;

    if (!last && now_ns < display->leader_due_ns) {
        return;
    }
    if (event_places(&place, source_season(display->setup.source), tally, NULL) == BG_OK) {
        options.place = place;
        if (summary_of(&summary, tally, &options, NULL) == BG_OK) {
            progress_leader(display->leader, &summary);
            summary_deinit(&summary);
        }
    }
    free(place);
    display->leader_due_ns = now_ns + LEADER_PAUSE * (utc_thread_ns() - began_ns);
}

static void write_progress(struct display *display, const char *text)
{
    if (display->terminal) {
        /* The line is written over itself, and its rest cleared; display_break() ends it before
         * anything else is said. */
        fprintf(stderr, "\r%s\033[K", text);
        display->line_open = true;
    } else {
        fprintf(stderr, "%s\n", text);
    }
}

void display_progress(struct display *display, bool last, int64_t now_ns)
{
    const struct tally *tally;
    char text[PROGRESS_TEXT], test[SEQUENTIAL_LINE];
    struct progress progress = {
        .done = ledger_settled(display->setup.ledger) - ledger_unplayed(display->setup.ledger),
        .unplayed = ledger_unplayed(display->setup.ledger),
        .total = total(display),
        .done_before = display->done_before,
        .elapsed_s = (double)(now_ns - display->began_ns) / 1e9,
        .faults = display->faults,
        .end = end_of(display),
        .columns = columns(display),
    };

    if (display->setup.quiet) {
        return;
    }
    if (config_event_has_form(display->setup.event)) {
        progress.round = display->round;
    }
    if (display->test != NULL) {
        sequential_short(test, display->test);
        progress.test = test;
    }
    if (display->counted != NULL) {
        progress.done = display->counted->legs;
    }
    tally = ledger_lock_tally(display->setup.ledger);
    progress.games = tally->games - display->games_before;
    update_leader(display, display->counted == NULL ? tally : display->counted, last, now_ns);
    ledger_unlock_tally(display->setup.ledger);
    progress.leader = display->leader;
    progress_format(text, &progress);
    write_progress(display, text);
}

void display_judging(struct display *display, uint64_t done, uint64_t total, int64_t began_ns,
                     int64_t now_ns)
{
    const struct progress_judging judging = {.done = done,
                                             .total = total,
                                             .elapsed_s = (double)(now_ns - began_ns) / 1e9,
                                             .columns = columns(display)};
    char text[PROGRESS_TEXT];

    if (!display->setup.quiet) {
        progress_judging(text, &judging);
        write_progress(display, text);
    }
}

void display_break(struct display *display)
{
    if (display->line_open) {
        fputc('\n', stderr);
        display->line_open = false;
    }
}

enum bg_status display_standing(struct display *display, const struct season *season,
                                struct bg_error *err)
{
    if (season_plan(season)->stages == 0) {
        return BG_OK;
    }
    display_break(display);
    return sheet_standing_write(display->out, season, err);
}

void display_interrupted(int live, bool finish_matches)
{
    const char *one = finish_matches ? "match is" : "game is";
    const char *several = finish_matches ? "matches are" : "games are";

    fprintf(stderr, "%s: interrupted; %d running %s finished first (again: stop now)\n",
            program_invocation_name, live, plural((uint64_t)live, one, several));
}

static double cpu_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void display_health(struct display *display, uint64_t decisions, int64_t now_ns)
{
    double seconds = (double)(now_ns - display->began_ns) / 1e9;

    if (display->setup.quiet || decisions == 0 || seconds <= 0) {
        return;
    }
    display_break(display);
    fprintf(stderr,
            "played: %" PRIu64 " decisions in %.1f s, %.0f a second; referee CPU %.2f us each\n",
            decisions, seconds, (double)decisions / seconds,
            cpu_seconds() * 1e6 / (double)decisions);
}

enum bg_status display_table(struct display *display, bool final, int64_t now_ns,
                             struct bg_error *err)
{
    const struct config_event *event = display->setup.event;
    struct report_options options = REPORT_OPTIONS_INIT;
    const struct tally *tally;
    int *place = NULL;
    enum bg_status status;

    display_break(display);
    display->table_ns = now_ns;
    options.title = event->name;
    options.brief = true;
    options.jacoby = event->rules.jacoby && event->rules.cube;
    options.trust = ledger_trust(display->setup.ledger);
    options.planned_legs = planned_legs(display);
    options.final = final;
    options.elapsed_s = (double)(now_ns - display->began_ns) / 1e9;
    tally = ledger_lock_tally(display->setup.ledger);
    options.run_games = tally->games - display->games_before;
    if (display->counted != NULL) {
        options.decided = true;
        options.surplus = tally->games - display->counted->games;
        tally = display->counted;
    }
    status = event_places(&place, source_season(display->setup.source), tally, err);
    options.place = place;
    if (status == BG_OK) {
        status = display->setup.duel && event->bot_count == 2
                     ? report_duel(display->out, tally, tally_find(tally, event->bots[0].name),
                                   tally_find(tally, event->bots[1].name), &options, err)
                     : report_table(display->out, tally, &options, err);
    }
    free(place);
    ledger_unlock_tally(display->setup.ledger);
    if (status == BG_OK && display->test != NULL) {
        sequential_write(display->out, display->test);
    }
    if (status == BG_OK && fflush(display->out) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM,
                              "standard output: %s; nothing is lost: 'bgref show %s' has the table",
                              strerror(errno), event->results);
    }
    return status;
}

void display_unplayed(const struct display *display)
{
    uint64_t unplayed = ledger_unplayed(display->setup.ledger);

    if (unplayed > 0) {
        fprintf(display->out, "NOT PLAYED: %" PRIu64 " of %" PRIu64 " %s, given up\n", unplayed,
                total(display), fixtures_word(display));
    }
}

void display_absent(const struct display *display, const char *bot, const char *why)
{
    fprintf(display->out, "ABSENT: %s does not start (%s)\n", bot, why);
}

void display_open(const struct display *display)
{
    uint64_t open = total(display) - ledger_settled(display->setup.ledger);

    if (open > 0) {
        fprintf(display->out,
                "OPEN: %" PRIu64 " of %" PRIu64 " %s wait; the same command tries again\n", open,
                total(display), fixtures_word(display));
    }
}

/* What unpaired dice cost (docs/statistics.md, "How many games"). */
static void tell_unpaired(const struct display *display)
{
    const struct config_event *event = display->setup.event;

    if (!config_event_has_remote(event)) {
        return;
    }
    fprintf(display->out, "dice: remote bots see theirs, so none are played twice: error bars of "
                          "nearly equal bots are about 9 %% wider than in pairs (20 %% more games "
                          "make up for it); adjusted for luck they have a seventh of their width");
    if (event->judge[0] == '\0') {
        fprintf(display->out, ": bgref judge %s", event->results);
    }
    fputc('\n', display->out);
}

void display_end(const struct display *display, bool complete, const char *root)
{
    fprintf(display->out, "trust: %s\nresults: %s\n", ledger_trust(display->setup.ledger),
            display->setup.event->results);
    tell_unpaired(display);
    if (complete) {
        fprintf(display->out, "root: %s\n", root);
    }
    fflush(display->out);
}
