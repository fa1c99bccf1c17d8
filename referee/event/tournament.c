/* Callbacks of tables and sessions note what happened; tables are opened and cleared when the
 * round settles (on_settle), never from inside of a callback of theirs. So no table goes while
 * one of its functions is on the stack, and many ends in one round are handled at once. Every
 * end of the run passes wind_down(), and enter() alone changes the phase. */
#include <stdio.h>

#include "../log.h"
#include "../process/launcher.h"
#include "../process/view.h"
#include "../seat/greeting.h"
#include "base/exit_status.h"
#include "tournament_inside.h"

enum { ARENA_BYTES = 4 << 20 };

#define MS_NS                INT64_C(1000000)
#define SWEEP_CLOCKED_NS     (5 * MS_NS)
#define SWEEP_NS             (100 * MS_NS)
#define LOOK_NS              (1000 * MS_NS) /* time between checks that the results still exist */
#define PROGRESS_TERMINAL_NS (500 * MS_NS)
#define PROGRESS_PLAIN_NS    (10000 * MS_NS)

static void enter(struct tournament *t, enum phase phase)
{
    phase_enter(&t->phase, phase, t->run->notify);
    t->offences.is_over = t->phase == PHASE_CLOSE;
    t->places.is_closed = t->phase > PHASE_PLAY;
}

/* The loop ends when the bots are gone and, if the event has ended, its games are judged. */
static void stop_when_over(void *user)
{
    struct tournament *t = user;

    if (t->phase == PHASE_CLOSE && roster_is_down(&t->roster) &&
        (t->exit_status != 0 || judging_is_done(&t->judging))) {
        loop_stop(t->loop);
    }
}

/* Ends the run: sends Goodbye to the bots; the loop stops when they are gone. */
static void wind_down(struct tournament *t, const char *why)
{
    if (t->phase == PHASE_CLOSE) {
        return;
    }
    enter(t, PHASE_CLOSE);
    roster_close(&t->roster, why);
    stop_when_over(t);
}

static void abort_run(void *user, int exit_status, const struct bg_error *err)
{
    struct tournament *t = user;

    if (t->status == BG_OK) {
        t->status = err->status;
        t->exit_status = exit_status;
        if (t->err != NULL && t->err != err) {
            *t->err = *err;
        }
    }
    wind_down(t, exit_status == EXIT_SURROUNDINGS
                     ? preflight_interrupted(&t->preflight, "the referee stops")
                     : "the referee stops");
}

/* The fixtures that are played: the event's own, or those of another machine. */
static const struct source *fixtures_of(const struct tournament *t)
{
    return t->run->supply.ops != NULL ? t->run->supply.source : director_source(t->director);
}

/* --------------------------------------------------------------------- the store */

/* Handles a status of the store: nothing to do, an error to wait out, or the end of the run.
 * Returns false if it is not BG_OK. */
static bool heed(void *user, enum bg_status status, struct bg_error *err)
{
    struct tournament *t = user;
    bool was_on = t->holding.on;

    if (status == BG_E_TIMEOUT || was_on) {
        display_break(&t->display);
    }
    if (holding_see(&t->holding, status, err, loop_now(t->loop)) != BG_OK) {
        abort_run(t, EXIT_SURROUNDINGS, err);
    }
    t->places.is_held = t->holding.on;
    return status == BG_OK;
}

/* Play has ended, so a blocking flush is allowed; after it the judge can see every game. */
static void judge_the_rest(struct tournament *t)
{
    struct bg_error err;

    if (t->judging.queue == NULL) {
        return;
    }
    if (holding_flush(&t->holding, ledger_store(t->ledger), t->signals, &err) != BG_OK) {
        abort_run(t, EXIT_SURROUNDINGS, &err);
        return;
    }
    judging_finish(&t->judging, ledger_lock_tally(t->ledger)->games);
    ledger_unlock_tally(t->ledger);
    reports_begin_rest(&t->reports, loop_now(t->loop));
}

/* Lets no new game begin, or no new match; the running ones are finished. */
static void wind_up(struct tournament *t, bool finish_matches)
{
    enter(t, PHASE_WIND_UP);
    if (t->run->supply.ops != NULL) {
        t->run->supply.ops->winding(t->run->supply.self);
    }
    if (!finish_matches) {
        places_stop(&t->places);
    }
}

/* A luck-adjusted test cannot continue past a game that has no judgement. */
static void stop_unjudged(struct tournament *t)
{
    if (t->phase == PHASE_PLAY && feed_needs_judge(&t->feed) && judging_has_failed(&t->judging)) {
        t->exit_status = EXIT_SURROUNDINGS;
        display_break(&t->display);
        log_error("sprt", "the test of luck-adjusted results needs a judgement of every game; the "
                          "event stops here");
        wind_up(t, false);
    }
}

/* Stores what follows from new games, and who is absent or back. knows_games: all those that a bot
 * had ended when it was put out; its last one may end a meeting, which is then no walkover. */
static void direct(struct tournament *t, bool knows_games)
{
    struct bg_error err;

    if (t->phase != PHASE_PREFLIGHT && !t->holding.on) {
        const struct entrants *playing =
            t->phase == PHASE_PLAY && knows_games ? &t->entrants : NULL;

        (void)heed(t, director_run(t->director, playing, loop_calendar(), &err), &err);
    }
}

/* -------------------------------------------------------------- the loop's calls */

/* Reads the games that have become durable. Also called when nothing was written, to check that
 * the results are still in their place. */
static void look_at_store(struct tournament *t, int64_t now_ns)
{
    struct store *store = ledger_store(t->ledger);
    struct bg_error err;
    uint64_t durable, put;

    t->looked_ns = now_ns;
    store->ops->progress(store, NULL, &put,
                         NULL); /* these games are taken below, and perhaps more */
    if (!heed(t, store->ops->settled(store, &durable, &err), &err)) {
        return;
    }
    t->metrics.games = durable;
    places_on_durable(&t->places);
    feed_take(&t->feed);
    direct(t, put >= t->put_by_change);
    judging_wake(&t->judging);
    if (t->phase == PHASE_PLAY && feed_is_decided(&t->feed)) {
        /* Tables and readers of the results leave out games that end after the test's decision.
         * If this fails, the end of the run tries again. */
        (void)feed_keep(&t->feed, NULL);
        (void)feed_count(&t->feed, NULL);
        t->display.counted = feed_counted(&t->feed);
        wind_up(t, false);
    }
}

/* Begins fixtures at free tables. A new one can need a bot whose processes were not started. */
static void fill(struct tournament *t)
{
    if (fixture_queue_has_news(&t->queue)) {
        absences_recall_needed(&t->absences);
    }
    places_fill(&t->places, loop_now(t->loop));
}

/* Whether the games that another machine has asked for have arrived there. */
static bool is_sent(const struct tournament *t)
{
    return t->run->supply.ops == NULL || t->run->supply.ops->is_sent(t->run->supply.self);
}

/* Returns true if no bot here has fixtures left, the event waits for no start, and no bot has a
 * match to lose. */
static bool is_played(const struct tournament *t)
{
    return fixture_queue_is_done(&t->queue) && !absences_recalling(&t->absences) &&
           !forfeits_are_open(&t->forfeits);
}

static void on_settle(void *user)
{
    struct tournament *t = user;
    struct store *store = ledger_store(t->ledger);
    struct bg_error err;

    /* A plain round robin does not wait for the disk: nothing follows from its games. */
    if (t->offences.has_changed && director_pairs(t->director)) {
        store->ops->progress(store, &t->put_by_change, NULL, NULL);
        (void)heed(t, store->ops->flush(store, &err), &err); /* the desk may act at once */
        look_at_store(t, loop_now(t->loop));
    }
    if (t->places.ended > 0 || t->offences.has_changed) {
        places_clear(&t->places, t->offences.has_changed ? PLACES_LEFT : PLACES_DONE);
        t->offences.has_changed = false;
        offences_close_sessions(&t->offences);
        fixture_queue_leave_out(&t->queue);
    }
    stop_unjudged(t);
    if (t->phase == PHASE_PLAY) {
        places_settle(&t->places, loop_now(t->loop));
        fill(t);
        if (places_taken(&t->places) == 0 && !t->holding.on && is_played(t)) {
            judge_the_rest(t);
            wind_down(t, "the event has ended");
        }
    } else if (t->phase == PHASE_WIND_UP && t->places.live == 0 && is_sent(t)) {
        if (t->exit_status == 0 && conclusion_is_complete(&t->conclusion)) {
            judge_the_rest(t);
            wind_down(t, "the event has ended");
        } else {
            wind_down(t, preflight_interrupted(&t->preflight, PREFLIGHT_INTERRUPTED));
        }
    }
    roster_settle(&t->roster);
}

static void on_frame(void *user, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns)
{
    struct tournament *t = user;

    health_frame(&t->health, lag_ns);
    roster_on_frame(&t->roster, frame, received_ns, lag_ns);
}

static int64_t sweep_interval_ns(const struct tournament *t)
{
    return t->event->clock.kind == CLOCK_NONE ? SWEEP_NS : SWEEP_CLOCKED_NS;
}

static void on_sweep(void *user, int64_t now_ns)
{
    struct tournament *t = user;
    struct store *store = ledger_store(t->ledger);

    notify_watchdog(t->run->notify, now_ns);
    roster_sweep(&t->roster, now_ns);
    if (t->phase == PHASE_PLAY) {
        absences_sweep(&t->absences, now_ns);
        if (!t->offences.has_changed && !t->holding.on) {
            forfeits_sweep(&t->forfeits, now_ns - loop_stalled(t->loop, now_ns));
        }
    }
    places_tell_away(&t->places);
    feed_pump(&t->feed, now_ns);
    metrics_tick(&t->metrics, store, t->loop, now_ns);
    if (now_ns - t->looked_ns >= LOOK_NS && store->ops->settled_fd(store) >= 0) {
        look_at_store(t, now_ns);
    }
    loop_after(t->loop, sweep_interval_ns(t), on_sweep, t);
}

static void on_progress(void *user, int64_t now_ns)
{
    struct tournament *t = user;
    struct bg_error err;
    enum bg_status status = BG_OK;

    if (t->phase == PHASE_PLAY || t->phase == PHASE_WIND_UP) {
        director_round(t->display.round, t->director);
        status = reports_progress(&t->reports, now_ns, &err);
    } else if (t->phase == PHASE_CLOSE && !judging_is_done(&t->judging)) {
        reports_rest(&t->reports, now_ns);
    }
    loop_after(t->loop, t->display.terminal ? PROGRESS_TERMINAL_NS : PROGRESS_PLAIN_NS, on_progress,
               t);
    if (status != BG_OK) {
        abort_run(t, EXIT_SURROUNDINGS, &err);
    }
}

static void on_store(void *user)
{
    struct tournament *t = user;

    look_at_store(t, loop_now(t->loop));
}

/* The first signal lets running games end (TOURNAMENT_FINISH: running matches); of a cancelled
 * event they do not. The next one, or one while no game runs, ends everything at once, without a
 * Goodbye to the bots. */
static void on_signal(void *user)
{
    struct tournament *t = user;
    int number = signals_take(t->signals);

    if (number == 0 || (number == TOURNAMENT_FINISH && t->phase > PHASE_PLAY)) {
        return;
    }
    t->exit_status = signals_exit_status(number);
    t->holding.patience_ns = 0;
    display_break(&t->display);
    if (preflight_note_end(&t->preflight, signals_value(t->signals)) && t->phase < PHASE_CLOSE) {
        wind_down(t, preflight_interrupted(&t->preflight, PREFLIGHT_INTERRUPTED));
    } else if (t->phase == PHASE_PLAY) {
        display_interrupted(t->places.live, number == TOURNAMENT_FINISH);
        wind_up(t, number == TOURNAMENT_FINISH);
    } else {
        places_clear(&t->places, PLACES_ALL);
        enter(t, PHASE_CLOSE);
        loop_stop(t->loop);
    }
}

/* ------------------------------------------------------------ the sessions' listener */

/* What comes from another machine ends, or what goes there fails. */
static void on_supply_stops(void *user, int exit_status, const struct bg_error *err)
{
    struct tournament *t = user;

    if (exit_status != 0) {
        abort_run(t, exit_status, err);
    } else if (t->phase == PHASE_PLAY) {
        wind_up(t, true);
    }
}

/* Other machines are connected when the settings are stored. */
static enum bg_status open_machines(struct tournament *t, struct bg_error *err)
{
    const struct supply *supply = &t->run->supply;

    return supply->ops != NULL ? supply->ops->open(supply->self, t->loop, on_supply_stops, t, err)
                               : places_open_elsewhere(&t->places, t->loop, err);
}

/* The bots have started: stores the event's settings; then the first game may begin. */
static void begin_play(struct tournament *t)
{
    struct bg_error err;
    enum bg_status status = preflight_play(&t->preflight, loop_now(t->loop), &err);

    if (status != BG_OK) {
        t->refused = status == BG_E_CONFIG;
        abort_run(t, exit_status_of_results(status), &err);
        return;
    }
    status = open_machines(t, &err);
    if (status != BG_OK) {
        abort_run(t, exit_status_of(status), &err);
        return;
    }
    enter(t, PHASE_PLAY);
    broadcast_start(t->feed.broadcast, t->loop);
    judging_begin(&t->judging);
}

/* Begins when every bot is ready or left out. */
static void end_preflight(struct tournament *t)
{
    struct bg_error err;
    enum bg_status status;

    if (t->phase != PHASE_PREFLIGHT || !entrants_were_ready(&t->entrants)) {
        return;
    }
    status = preflight_check(&t->preflight, &err);
    if (status == BG_OK || (status == BG_E_START && forfeits_are_open(&t->forfeits))) {
        begin_play(t);
    } else {
        abort_run(t, status == BG_E_START ? EXIT_START : EXIT_SURROUNDINGS, &err);
    }
}

static void on_session_ready(void *user, struct session *session)
{
    struct tournament *t = user;
    struct entrants_bot *entrant = &t->entrants.list[session_bot_index(session)];

    if (entrant->absent ? t->phase != PHASE_PLAY || !absences_ready(&t->absences, session)
                        : t->phase == PHASE_PREFLIGHT && !offences_admit(&t->offences, session)) {
        return;
    }
    absences_note_ready(&t->absences, session, t->phase == PHASE_PLAY);
    feed_ready(&t->feed, session_bot_index(session), session_instance(session),
               session_version(session), session_options(session));
    end_preflight(t);
}

/* Once bots got their Goodbye, their games are given up: their frames are ignored. */
static void on_answered(void *user, struct session_slot *slot, const struct bg_answer *answer,
                        int64_t spent_ns, int64_t credit_ns)
{
    struct tournament *t = user;

    if (t->phase != PHASE_CLOSE) {
        histogram_add(&t->metrics.decisions, spent_ns);
        table_on_answer(slot->owner, answer, spent_ns, credit_ns);
    }
}

static void on_overdue(void *user, struct session_slot *slot, int64_t spent_ns)
{
    const struct tournament *t = user;

    if (t->phase != PHASE_CLOSE) {
        table_on_overdue(slot->owner, spent_ns);
    }
}

static void on_left_out(void *user, int bot)
{
    (void)bot;
    end_preflight(user);
}

static const struct offences_listener offences_listener = {abort_run, on_left_out};

static void on_session_fault(void *user, struct session *session, struct session_slot *slot,
                             enum bg_fault fault, const char *message)
{
    struct tournament *t = user;

    if (t->phase == PHASE_CLOSE) {
        return;
    }
    if (t->phase == PHASE_PREFLIGHT && !t->entrants.tolerant) {
        offences_preflight_failed(&t->offences, session, message);
    } else if (slot == NULL && session_failed_starts(session) > 0) {
        offences_start_failed(&t->offences, session, fault, message, loop_now(t->loop));
    } else if (slot != NULL) {
        table_on_fault(slot->owner, fault, message);
    } else { /* no decision open: charged to the bot, no game lost */
        offences_of_session(&t->offences, session, fault, message);
    }
}

static void on_closed(void *user, struct session *session)
{
    (void)session;
    stop_when_over(user);
}

static bool on_committed(void *user, struct session *session, const char *subject,
                         const uint8_t digest[WIRE_SECRET])
{
    const struct tournament *t = user;

    return commit_on_digest(t->places.commit, session, subject, digest);
}

static bool on_revealed(void *user, struct session *session, const char *subject,
                        const uint8_t *nonce, size_t size)
{
    const struct tournament *t = user;

    return commit_on_nonce(t->places.commit, session, subject, nonce, size);
}

static bool on_cannot_commit(void *user, struct session *session)
{
    const struct tournament *t = user;

    return commit_on_unknown(t->places.commit, session);
}

static const struct session_listener session_listener = {
    .ready = on_session_ready,
    .answered = on_answered,
    .overdue = on_overdue,
    .fault = on_session_fault,
    .committed = on_committed,
    .revealed = on_revealed,
    .cannot_commit = on_cannot_commit,
    .closed = on_closed,
};

/* ------------------------------------------------------------------- setting up */

static enum bg_status start_bots(struct tournament *t, struct bg_error *err)
{
    const struct session_setup setup = {.loop = t->loop,
                                        .link = t->link,
                                        .reader = t->reader,
                                        .listener = &session_listener,
                                        .games = &t->places.games,
                                        .user = t};
    enum bg_status status;

    status = preflight_start(&t->preflight, &setup, &t->roster, err);
    if (status == BG_OK && entrants_were_ready(&t->entrants)) { /* all bots are ready */
        begin_play(t);
    }
    return status;
}

static void on_judge(void *user, const char *judge)
{
    struct tournament *t = user;
    struct bg_error err;

    if (feed_judge(&t->feed, judge, &err) != BG_OK) {
        abort_run(t, exit_status_of(err.status), &err);
        stop_when_over(t); /* it may have been judging only */
    }
}

static enum bg_status open_loop(struct tournament *t, struct bg_error *err)
{
    struct store *store = ledger_store(t->ledger);
    enum bg_status status = link_zmtp_open(&t->link, GREETING_MESSAGE_BYTES, err);

    if (status == BG_OK) {
        status = wire_reader_create(&t->reader, ARENA_BYTES, err);
    }
    if (status == BG_OK) {
        status = loop_create(&t->loop, err);
    }
    if (status != BG_OK) {
        return status;
    }
    loop_on_settle(t->loop, on_settle, t);
    status = loop_add_link(t->loop, t->link, on_frame, t, err);
    if (status == BG_OK) {
        status = loop_watch(t->loop, signals_fd(t->signals), on_signal, t, err);
    }
    if (status == BG_OK && store->ops->settled_fd(store) >= 0) {
        status = loop_watch(t->loop, store->ops->settled_fd(store), on_store, t, err);
    }
    loop_after(t->loop, sweep_interval_ns(t), on_sweep, t);
    loop_after(t->loop, PROGRESS_TERMINAL_NS, on_progress, t);
    if (status == BG_OK) {
        const struct judging_setup setup = {.event = t->event,
                                            .store = store,
                                            .loop = t->loop,
                                            .confined = t->surroundings.judge.confined,
                                            .named = on_judge,
                                            .done = stop_when_over,
                                            .user = t};

        status = judging_open(&t->judging, &setup, err);
    }
    return status;
}

static void close_machines(struct tournament *t)
{
    const struct elsewhere *elsewhere = &t->run->elsewhere;

    if (elsewhere->ops != NULL) {
        elsewhere->ops->close(elsewhere->self, t->status == BG_OK && t->conclusion.ledger != NULL &&
                                                   conclusion_is_complete(&t->conclusion));
    }
    if (t->run->supply.ops != NULL) {
        t->run->supply.ops->close(t->run->supply.self);
    }
}

static void tournament_deinit(struct tournament *t)
{
    close_machines(t);
    live_desk_close(&t->desk);
    places_deinit(&t->places);
    judging_close(&t->judging);
    broadcast_close(t->feed.broadcast);
    t->feed.broadcast = NULL;
    roster_deinit(&t->roster);
    preflight_close_door(&t->preflight);
    wire_reader_destroy(t->reader);
    loop_destroy(t->loop);
    link_destroy(t->link);
    entrants_deinit(&t->entrants);
    fixture_queue_deinit(&t->queue);
    director_destroy(t->director);
    openings_order_deinit(&t->openings);
    launcher_end();
    signals_close(t->signals);
    feed_close(&t->feed);
    ledger_close(t->ledger);
    /* Last: it moves the database, which the ledger has just closed. */
    preflight_undo(&t->preflight);
}

/* ---------------------------------------------------------------------- running */

static void on_run_broken(void *user, const struct bg_error *err)
{
    abort_run(user, EXIT_SURROUNDINGS, err);
}

static const struct places_listener places_listener = {heed, on_run_broken};

/* Starts the bots and plays until the event ends or something stops it. */
static enum bg_status play(struct tournament *t, struct bg_error *err)
{
    int left = launcher_begin();
    enum bg_status status = surroundings_suffice(t->event, err);

    if (status == BG_OK) {
        places_open_queue(&t->places, fixtures_of(t));
        status = open_loop(t, err);
    }
    t->absences = (struct absences){&t->entrants, &t->queue, t->ledger, t->loop};
    t->forfeits = (struct forfeits){
        .event = t->event, .entrants = &t->entrants, .queue = &t->queue, .places = &t->places};
    health_left(left);
    if (status == BG_OK) {
        surroundings_gather(&t->surroundings, t->event, t->ledger);
        t->desk = (struct live_desk){t->director, &t->offences,        &t->places,    &t->holding,
                                     t->signals,  &t->preflight.begun, on_run_broken, t,
                                     NULL};
        live_desk_open(&t->desk, t->loop, t->event->results);
        status = start_bots(t, err);
        t->exit_status = status == BG_E_START ? EXIT_START : t->exit_status;
    }
    if (status == BG_OK) {
        status = loop_run(t->loop, err);
        /* The account of the run is written with the games; an error here is reported later. */
        (void)holding_flush(&t->holding, ledger_store(t->ledger), t->signals, NULL);
        metrics_end(&t->metrics, ledger_store(t->ledger), t->loop);
        t->health.given_up = t->places.given_up + (uint64_t)t->places.live;
        health_credits(&t->health, &t->entrants);
        health_end(&t->health, loop_stalled(t->loop, loop_now(t->loop)), loop_now(t->loop),
                   t->exit_status);
    }
    surroundings_leave(&t->surroundings);
    return status == BG_OK ? t->status : status;
}

/* Every game is played, but not every game is judged. */
static enum bg_status judge_only(struct tournament *t, struct bg_error *err)
{
    enum bg_status status = open_loop(t, err);

    if (status == BG_OK) {
        enter(t, PHASE_CLOSE);
        judging_begin(&t->judging);
        judge_the_rest(t);
        status = loop_run(t->loop, err);
    }
    return status == BG_OK ? t->status : status;
}

/* Plays the remaining games, or has them judged, and concludes. */
static enum bg_status run_to_end(struct tournament *t, struct bg_error *err)
{
    const struct conclusion *conclusion = &t->conclusion;
    enum bg_status status;

    if (!conclusion_is_complete(conclusion)) {
        status = play(t, err);
    } else {
        status = preflight_store(&t->preflight, NULL, err);
        if (status == BG_OK && t->event->judge[0] != '\0') {
            status = judge_only(t, err);
        }
    }
    if (t->run->supply.ops != NULL) {
        return status == BG_OK ? t->status : status; /* its results are at the other machine */
    }
    if (status == BG_OK) {
        status = conclusion_draw(conclusion, t->exit_status, entrants_decisions(&t->entrants),
                                 loop_now(NULL), err);
    } else {
        conclusion_rescue(conclusion, t->exit_status != EXIT_START && !t->refused);
    }
    feed_end(&t->feed,
             conclusion_outcome(conclusion, status != BG_OK || t->status != BG_OK, t->exit_status));
    if (status == BG_OK && t->status == BG_OK) {
        t->exit_status = conclusion_status(conclusion, t->exit_status);
    }
    return status;
}

/* Whoever looks on at this terminal may go on to; a script does not wait. */
static void linger(struct tournament *t)
{
    if (t->loop != NULL && t->event->browser && t->display.terminal && t->exit_status == 0 &&
        t->status == BG_OK) {
        fputs("the event has ended; its pages stay until Ctrl-C\n", stderr);
        (void)loop_run(t->loop, NULL);
        t->exit_status = 0; /* the signal interrupted nothing */
    }
}

int tournament_run(const struct tournament_run *run, struct bg_error *err)
{
    struct tournament t = {.run = run, .event = run->event, .err = err};
    enum bg_status status;

    entrants_init(&t.entrants, run->event);
    status = director_create(&t.director, run->event, t.entrants.names, err);
    view_hide(run->event->key_file);
    if (status == BG_OK) { /* before any thread is created: threads inherit the signal mask */
        status = signals_open(&t.signals, err);
    }
    status = status == BG_OK ? signals_add(t.signals, TOURNAMENT_FINISH, err) : status;
    for (int i = 0; i < run->event->bot_count; i++) {
        if (competitor_is_person(&run->event->bots[i])) {
            signals_keep_running();
        }
    }
    if (status == BG_OK) {
        status = tournament_open_results(&t, err);
    }
    if (status != BG_OK) {
        goto done;
    }
    tournament_open_places(&t, &offences_listener, &places_listener);
    if (!source_is_over(fixtures_of(&t), ledger_settled(t.ledger))) {
        offences_recall(&t.offences);
    }
    tournament_open_reports(&t);
    display_head(&t.display);
    status = run_to_end(&t, err);
    linger(&t);
done:
    tournament_deinit(&t);
    return t.exit_status != 0 ? t.exit_status : exit_status_of_results(status);
}
