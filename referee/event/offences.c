/* A fault is printed, streamed and counted before its consequence, so that log and stream read
 * as cause and effect. After the end of play nothing is charged: bots that are being sent away
 * may do what they like with connections that are about to close. */
#include "offences.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "base/memory.h"
#include "../log.h"
#include "../seat/last_words.h"
#include "base/exit_status.h"
#include "fixtures/absence.h"
#include "base/plural.h"

static void stop(struct offences *offences, int exit_status, const struct bg_error *err)
{
    offences->listener->stop(offences->user, exit_status, err);
}

/* bot: because of whom; -1 of none. */
static void give_up(struct offences *offences, const struct fixture *fixture, int bot,
                    const char *why)
{
    struct store *store = ledger_store(offences->ledger);
    const struct game_id game = fixture_game(offences->entrants->names, fixture);
    char id[BG_GAME_ID];
    struct bg_error err;

    game_id_write_leg(id, &game);
    if (store_put_unplayed(store, id, bot < 0 ? "" : offences->entrants->names[bot], why, &err) !=
        BG_OK) {
        stop(offences, EXIT_SURROUNDINGS, &err);
        return;
    }
    feed_unplayed(offences->feed, fixture, bot, why);
    ledger_give_up(offences->ledger, fixture);
}

void offences_give_up(struct offences *offences, const struct fixture *fixture, int bot)
{
    /* In an event with a form the opponent gets a walkover. */
    if (!config_event_has_form(offences->event)) {
        give_up(offences, fixture, bot, "quarantined");
    }
}

void offences_unplayable(struct offences *offences, const struct fixture *fixture, const char *why)
{
    log_warn("event", "pair=%s|%s|%" PRIu64 " unplayed: %s", offences->entrants->names[fixture->a],
             offences->entrants->names[fixture->b], fixture->pair, why);
    give_up(offences, fixture, -1, why);
}

void offences_close_sessions(const struct offences *offences)
{
    for (int i = 0; i < offences->event->bot_count; i++) {
        const struct entrants_bot *entrant = &offences->entrants->list[i];

        for (int k = 0; k < entrant->session_count; k++) {
            if (entrant->quarantined || (entrant->absent && !entrant->trying)) {
                session_close(entrant->sessions[k],
                              entrant->quarantined ? "quarantined" : "it does not start");
            }
        }
    }
}

/* ---------------------------------------------------------------------- counting */

static void quarantine(struct offences *offences, int bot)
{
    struct entrants_bot *entrant = &offences->entrants->list[bot];
    const struct session_door *door = offences->entrants->setup.door;

    entrant->quarantined = true;
    offences->has_changed = true;
    feed_quarantined(offences->feed, bot, entrant->faults, "faults");
    if (door != NULL && door->put_out != NULL && offences->event->bots[bot].remote) {
        door->put_out(door->user, bot, entrant->faults);
    }
    log_warn("event", "bot=%s quarantined after %d %s; its remaining matches are unplayed",
             offences->entrants->names[bot], entrant->faults,
             plural((uint64_t)entrant->faults, "fault", "faults"));
}

/* message: logged with the fault. */
static void count(struct offences *offences, const struct events_fault *fault, const char *message)
{
    const char *name = offences->entrants->names[fault->bot];
    struct entrants_bot *entrant = &offences->entrants->list[fault->bot];
    struct events_fault counted = *fault;
    struct bg_error err;

    /* What went wrong on our side is no bot's fault. */
    if (fault->fault == BG_FAULT_HOST || offences->is_over) {
        return;
    }
    offences->display->faults++;
    offences->counted[fault->fault]++;
    snprintf(entrant->last_fault, sizeof entrant->last_fault, "%s: %.180s",
             bg_fault_name(fault->fault), fault->message == NULL ? "" : fault->message);
    /* One absence costs a game at each of its tables, and counts once (table/away.h). */
    entrant->faults += !absence_is_repeated(fault->fault, fault->message);
    counted.count = entrant->faults;
    display_break(offences->display);
    log_warn("fault", "bot=%s fault=%s count=%d %s", name, bg_fault_name(fault->fault),
             entrant->faults, message);
    feed_fault(offences->feed, &counted);
    if (offences->event->strict) {
        bg_error_set(&err, BG_E_MISMATCH, "stopped by a fault of %s: %s (--strict)", name,
                     bg_fault_name(fault->fault));
        stop(offences, EXIT_FAULT, &err);
        return;
    }
    if (entrant->faults >= offences->event->quarantine && !entrant->quarantined) {
        quarantine(offences, fault->bot);
    }
}

void offences_recall(struct offences *offences)
{
    for (int i = 0; i < offences->event->bot_count; i++) {
        struct entrants_bot *entrant = &offences->entrants->list[i];

        entrant->faults = ledger_faults(offences->ledger, i);
        entrant->quarantined = entrant->faults >= offences->event->quarantine;
        if (entrant->quarantined) {
            feed_quarantined(offences->feed, i, entrant->faults, "faults in earlier runs");
            log_warn(
                "event",
                "bot=%s stays quarantined after %d %s; 'bgref desk' lets it play on (reinstate)",
                offences->entrants->names[i], entrant->faults,
                plural((uint64_t)entrant->faults, "fault", "faults"));
        }
    }
}

/* At a bot's first failure in a run its last stderr lines may show the cause. */
static void show_words(struct offences *offences, int bot, const char *said)
{
    if (!offences->entrants->list[bot].showed_words) {
        offences->entrants->list[bot].showed_words = true;
        display_break(offences->display);
        last_words_print(&offences->event->bots[bot], said, offences->event->results);
    }
}

void offences_at_table(struct offences *offences, const struct table_fault *fault)
{
    const struct events_fault charged = {.bot = fault->bot,
                                         .fault = fault->fault,
                                         .game_id = fault->game_id,
                                         .message = fault->message,
                                         .rule = fault->rule,
                                         .reply = fault->reply};
    char costs[320];

    snprintf(costs, sizeof costs, "costs the %s%s%.300s",
             fault->fault == BG_FAULT_GONE ? "match" : "game",
             charged.message[0] == '\0' ? "" : ": ", charged.message);
    count(offences, &charged, costs);
    if (fault->fault == BG_FAULT_CRASH) {
        show_words(offences, fault->bot, fault->said);
    }
}

/* ---------------------------------------------------------------- outside of games */

static void keep_fault(struct offences *offences, const struct events_fault *fault,
                       const char *said)
{
    struct store *store = ledger_store(offences->ledger);
    struct store_fault *kept = memory_zeroed(1, sizeof *kept);
    struct bg_error err;

    kept->bot = memory_text(offences->entrants->names[fault->bot]);
    kept->fault = fault->fault;
    kept->story = clean_copy(fault->message, CLEAN_LINE);
    kept->stderr_tail = clean_copy(said, CLEAN_TEXT);
    if (store_put_fault(store, kept, &err) != BG_OK) {
        stop(offences, EXIT_SURROUNDINGS, &err);
    }
}

void offences_charge(struct offences *offences, const struct events_fault *fault, const char *said)
{
    keep_fault(offences, fault, said);
    count(offences, fault, fault->message);
}

/* Charges a process while none of its decisions is open. */
static struct events_fault fault_of(const struct session *session, enum bg_fault fault,
                                    const char *message)
{
    return (struct events_fault){
        .bot = session_bot_index(session), .fault = fault, .message = message};
}

void offences_of_session(struct offences *offences, struct session *session, enum bg_fault fault,
                         const char *message)
{
    const struct events_fault charged = fault_of(session, fault, message);

    if (offences->entrants->list[charged.bot].quarantined) {
        return; /* it is being sent away: what is on the way costs nothing, and is not kept */
    }
    offences_charge(offences, &charged, session_stderr(session));
    show_words(offences, charged.bot, session_stderr(session));
}

/* ------------------------------------------------------------------------- starts */

void offences_preflight_failed(struct offences *offences, struct session *session,
                               const char *message)
{
    int bot = session_bot_index(session);
    char said[LAST_WORDS];
    struct bg_error err;

    last_words(said, session_stderr(session));
    display_break(offences->display);
    last_words_print(&offences->event->bots[bot], session_stderr(session), NULL);
    bg_error_set(&err, BG_E_START, "bot %s does not start: %s%s%s", offences->entrants->names[bot],
                 message, said[0] == '\0' ? "" : "; its last words: ", said);
    stop(offences, EXIT_START, &err);
}

/* Reports a failed start that leaves the bot out. */
static struct events_fault report_failed(struct offences *offences, struct session *session,
                                         enum bg_fault fault, const char *message)
{
    struct events_fault charged = fault_of(session, fault, message);

    charged.count = offences->entrants->list[charged.bot].faults;
    offences->has_changed = true;
    offences->display->faults++;
    keep_fault(offences, &charged, session_stderr(session));
    feed_fault(offences->feed, &charged);
    feed_absent(offences->feed, charged.bot, message);
    display_break(offences->display);
    return charged;
}

/* The start that the desk, or a new fixture, asked for. */
static void not_recalled(struct offences *offences, struct session *session, enum bg_fault fault,
                         const char *message)
{
    const struct events_fault charged = report_failed(offences, session, fault, message);

    show_words(offences, charged.bot, session_stderr(session));
    log_warn(
        "event",
        "bot=%s does not start (%s): it stays absent; when its program is mended, 'bgref desk' "
        "reinstates it",
        offences->entrants->names[charged.bot], message);
}

/* Leaves out the bot until it is back. Its unplayed games stay open. */
static void mark_absent(struct offences *offences, struct session *session, enum bg_fault fault,
                        const char *message)
{
    struct events_fault charged;

    absences_begin(offences->absences, session_bot_index(session), message);
    charged = report_failed(offences, session, fault, message);
    log_warn("event",
             "bot=%s absent: it does not start (%s); the event goes on without it and tries again "
             "now and then, the next run too",
             offences->entrants->names[charged.bot], message);
    offences->listener->left_out(offences->user, charged.bot);
}

bool offences_admit(struct offences *offences, struct session *session)
{
    int bot = session_bot_index(session);
    const struct identity identity = session_identity(session);
    struct bg_error err;

    if (ledger_admit(offences->ledger, bot, &identity, &err) == BG_OK) {
        return true;
    }
    absences_begin(offences->absences, bot, err.text);
    offences->entrants->list[bot].is_changed = true;
    snprintf(offences->entrants->list[bot].changed_to,
             sizeof offences->entrants->list[bot].changed_to, "%s", identity.version);
    offences->entrants->list[bot].try_ns = 0; /* it would not be the same one in this run */
    offences->has_changed = true;
    feed_absent(offences->feed, bot, err.text);
    display_break(offences->display);
    log_warn("event", "bot=%s absent: the event goes on without it: %s",
             offences->entrants->names[bot], err.text);
    session_close(session, "it has changed since its last game in this event");
    offences->listener->left_out(offences->user, bot);
    return false;
}

void offences_start_failed(struct offences *offences, struct session *session, enum bg_fault fault,
                           const char *message, int64_t now_ns)
{
    const struct events_fault charged = fault_of(session, fault, message);
    const struct entrants_bot *entrant = &offences->entrants->list[charged.bot];
    const bool was_absent = entrant->absent; /* a refused candidate is not any more */

    if (entrant->recalled && !entrant->is_candidate) {
        not_recalled(offences, session, fault, message);
    }
    if (was_absent) {
        absences_failed(offences->absences, session, message);
    }
    if (was_absent || entrant->quarantined) {
        return;
    }
    if (offences->event->strict) {
        offences_charge(offences, &charged, session_stderr(session));
        return;
    }
    show_words(offences, charged.bot, session_stderr(session));
    if (entrants_give_up(offences->entrants, charged.bot, now_ns)) {
        mark_absent(offences, session, fault, message);
    } else if (session_instance(session) == 0 && session_failed_starts(session) <= ENTRANTS_TRIES) {
        display_break(offences->display);
        log_warn("event", "bot=%s start %d of %d failed: %s; it is tried again",
                 offences->entrants->names[charged.bot], session_failed_starts(session),
                 ENTRANTS_TRIES, message);
    }
}
