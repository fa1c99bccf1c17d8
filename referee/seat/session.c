/* A listener may close its session from inside of any callback. `failing` is set around those
 * that are followed by renew(): session_close() then only notes the wish, and renew() fulfils
 * it. How a connection ends says whose loss it is: session_fail() the bot's, go_away() and
 * wait_on() that of its line, lose_connection() our own, for which nobody is charged. */
#include "session.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../log.h"
#include "base/memory.h"
#include "letters.h"
#include "session_inside.h"

#define SECOND_NS INT64_C(1000000000)
/* A crashing process closes its connection seconds before it ends on a busy machine. */
#define LOST_GRACE_NS  (5 * SECOND_NS)
#define BACKOFF_NS     (SECOND_NS / 10)
#define BACKOFF_MAX_NS (10 * SECOND_NS)
#define GOODBYE_NS     (SECOND_NS / 2)

enum { RETURNS_MOST = 5 /* of a bot in a match, while it owed a decision */ };

/* Checks that the change of state is permitted: every change passes here. */
void session_enter(struct session *session, enum session_state state)
{
    static const unsigned char allowed[SESSION_STATE_COUNT] = {
        [SESSION_DOWN] = 1 << SESSION_STARTING | 1 << SESSION_ENDING | 1 << SESSION_DOWN,
        [SESSION_STARTING] = 1 << SESSION_GREETED | 1 << SESSION_ENDING | 1 << SESSION_DOWN,
        [SESSION_GREETED] = 1 << SESSION_READY | 1 << SESSION_ENDING | 1 << SESSION_DOWN,
        [SESSION_READY] = 1 << SESSION_ENDING | 1 << SESSION_DOWN,
        [SESSION_ENDING] = 1 << SESSION_DOWN | 1 << SESSION_ENDING,
    };

    assert(allowed[session->state] & 1 << state);
    session->state = state;
}

/* Marks the session: it may have messages to send. */
void session_mark(void *user)
{
    const struct session *session = user;

    if (session->due != NULL) {
        due_mark(session->due, session->member);
    }
}

static const struct bot_process_listener process_listener;

struct session *session_create(const struct session_setup *setup)
{
    struct session *session = memory_zeroed(1, sizeof *session);
    const struct bot_process_setup process = {
        .bot = setup->bot,
        .instance = setup->instance,
        .loop = setup->loop,
        .memory_bytes = setup->memory_bytes,
        .open_files = setup->open_files,
        .confined = setup->confined,
        .hidden = setup->hidden,
        .nice = setup->nice,
        .pin = setup->pin,
        .listener = &process_listener,
        .user = session,
    };

    session->setup = *setup;
    session->state = SESSION_DOWN;
    decisions_begin(&session->decisions);
    outbox_init(&session->outbox, &session->decisions, setup->loop, session_mark, session);
    session->outbox.is_far = setup->door != NULL && setup->door->away_ns > 0;
    session->outbox.stalled = session_stalled;
    session->inbox = (struct inbox){.bot = setup->bot->name,
                                    .decisions = &session->decisions,
                                    .credit = setup->credit,
                                    .loop = setup->loop,
                                    .listener = &session_inbox_listener,
                                    .user = session};
    if (setup->door == NULL) {
        session->process = bot_process_create(&process);
    }
    session->cores =
        (struct core_watch){&session->decisions, session->process, setup->loop, false, NULL};
    return session;
}

void session_join(struct session *session, struct due *due, int member)
{
    session->due = due;
    session->member = member;
}

/* Notes that session_sweep has nothing to do before at_ns. */
static void sweep_by(struct session *session, int64_t at_ns)
{
    if (session->due != NULL) {
        due_hasten(session->due, session->member, at_ns);
    }
}

/* Ends the connection and the process; on_gone follows when nothing of it is left. */
static void forget_connection(struct session *session)
{
    struct link *link = session->setup.link;

    link->ops->close(link, session->peer); /* first: frames that still arrive are dropped */
    session->peer = 0;
    loop_forget(session->setup.loop, session);
    core_watch_end(&session->cores);
    outbox_reset(&session->outbox);
    session->tells.size = 0;
    bot_process_end(session->process);
    session->is_greeted = session->lost = false;
}

static void forget_process(struct session *session)
{
    if (session->setup.door != NULL) {
        session->setup.door->closed(session->setup.door->user, session->setup.bot_index);
    }
    forget_connection(session);
}

void session_destroy(struct session *session)
{
    if (session == NULL) {
        return;
    }
    forget_process(session);
    bot_process_destroy(session->process);
    greeting_deinit(&session->greeting);
    wire_buffer_deinit(&session->buffer);
    wire_buffer_deinit(&session->tells_buffer);
    wire_tells_deinit(&session->tells);
    outbox_deinit(&session->outbox);
    free(session);
}

/* ------------------------------------------------------------------ starting */

static void restart(void *user, int64_t now_ns);

/* Returns true if the process may connect. */
static bool is_own_pid(void *user, pid_t pid)
{
    const struct session *session = user;

    const struct session_door *door = session->setup.door;

    return door == NULL ? session_owns(session, pid) : door->owns(door->user, pid);
}

/* Returns how long it may be away from which time on: while it plays and its opponents have to
 * answer, no clock of its own runs. */
static int64_t away_limit(int64_t *from_ns, const struct session *session)
{
    const struct session_door *door = session->setup.door;
    int64_t back_ns = session->away_since_ns + door->away_ns;
    bool is_idle = session->decisions.open == 0 && session->tables > 0 && door->idle_ns > 0 &&
                   session->absence != SESSION_EXCUSED &&
                   session->idle_since_ns + door->idle_ns < back_ns;

    *from_ns = is_idle ? session->idle_since_ns : session->away_since_ns;
    return is_idle ? door->idle_ns : door->away_ns;
}

/* Returns the time by which it must be ready. */
static int64_t start_by(const struct session *session)
{
    int64_t from_ns = session->started_ns;
    int64_t limit_ns =
        session_is_away(session) ? away_limit(&from_ns, session) : session->setup.start_ns;

    return from_ns + limit_ns;
}

enum bg_status session_start(struct session *session, struct bg_error *err)
{
    struct loop *loop = session->setup.loop;
    struct link *link = session->setup.link;
    char endpoint[LINK_ENDPOINT];
    enum bg_status status =
        link->ops->open(&session->peer, endpoint, link, is_own_pid, session, err);

    if (status != BG_OK) {
        return status;
    }
    if (session->process != NULL) {
        status = bot_process_start(session->process, endpoint, err);
    } else {
        session->setup.door->opened(session->setup.door->user, session->setup.bot_index, endpoint,
                                    session_is_away(session) || session->starts > 0);
    }
    if (status != BG_OK) {
        link->ops->close(link, session->peer);
        session->peer = 0;
        return status;
    }
    session->started_ns = session_is_away(session) ? session->away_since_ns : loop_now(loop);
    session->stalled_ns = session_stalled(session, loop_now(loop));
    session_enter(session, SESSION_STARTING);
    sweep_by(session, start_by(session));
    return BG_OK;
}

void session_start_later(struct session *session)
{
    loop_after(session->setup.loop, 0, restart, session);
}

/* The clock of a bot that is away runs from when its turn begins, as if it had been asked: who
 * leaves gains no time to think. What was announced first waits: no clock runs before its Ready. */
static void open_away(struct session *session)
{
    const int64_t now_ns = loop_now(session->setup.loop);
    struct decisions *decisions = &session->decisions;
    struct session_slot *slot;
    int from = 0;

    while (session->absence == SESSION_AWAY && decisions->first != NULL &&
           decisions->first->ask.kind != BG_DECIDE_NONE &&
           (slot = decisions_open(decisions, &from)) != NULL) {
        slot->held = true;
        slot->sent_ns = now_ns;
        slot->stalled_ns = session_stalled(session, now_ns);
        sweep_by(session, now_ns + slot->allowed_ns);
    }
}

/* A decision of a bot is not open any more. */
static void note_closed(struct session *session)
{
    if (session_is_away(session) && session->decisions.open == 0) {
        session->idle_since_ns = loop_now(session->setup.loop);
        sweep_by(session, start_by(session));
    }
}

void session_ask(struct session *session, struct session_slot *slot)
{
    decisions_wait(&session->decisions, slot);
    open_away(session);
    session_mark(session);
}

void session_cancel(struct session *session, struct session_slot *slot)
{
    decisions_cancel(&session->decisions, slot);
    open_away(session);
    note_closed(session);
    session_mark(session);
}

/* ------------------------------------------------------- faults and restart */

static void restart(void *user, int64_t now_ns)
{
    struct session *session = user;
    struct bg_error err;

    (void)now_ns;
    /* The deadline may be from before the session was closed and opened again. */
    if (session->state != SESSION_DOWN) {
        return;
    }
    session->restart_due = bot_process_is_leaving(session->process);
    if (!session->restart_due && !session->closing && session_start(session, &err) != BG_OK) {
        session_fail(session, BG_FAULT_START, err.text);
    }
}

/* Does the last step of session_close. */
static void finish_closing(struct session *session)
{
    session_enter(session, SESSION_DOWN);
    session->setup.listener->closed(session->setup.user, session);
}

/* The process that was ended last is gone completely. */
static void on_gone(void *user)
{
    struct session *session = user;

    if (session->closing) {
        finish_closing(session);
    } else if (session->restart_due) {
        restart(session, 0);
    }
}

static void plan_restart(struct session *session)
{
    /* A program that dies at its start would else be started as fast as the machine can. */
    int64_t delay_ns = BACKOFF_NS << (session->failures < 7 ? session->failures : 7);

    session->failures++;
    if (delay_ns > BACKOFF_MAX_NS) {
        delay_ns = BACKOFF_MAX_NS;
    }
    loop_after(session->setup.loop, delay_ns, restart, session);
}

/* Ends the process; starts a new one unless the session is being closed. */
static void renew(struct session *session)
{
    forget_process(session);
    if (session->closing && bot_process_is_leaving(session->process)) {
        session_enter(session, SESSION_ENDING); /* `closed` follows when the process is gone */
    } else if (session->closing) {
        finish_closing(session);
    } else {
        session_enter(session, SESSION_DOWN);
        plan_restart(session);
    }
}

/* A bot whose line may be lost keeps its open decisions, with their time; else they are asked again
 * by the next process. */
static void keep_decisions(struct session *session)
{
    const struct session_door *door = session->setup.door;

    if (door == NULL || door->away_ns == 0) {
        decisions_reopen(&session->decisions);
        return;
    }
    decisions_hold(&session->decisions, session->absence != SESSION_EXCUSED);
    if (session->state == SESSION_READY) {
        session->absence = session->absence == SESSION_EXCUSED ? SESSION_EXCUSED : SESSION_AWAY;
        session->is_charged = false;
        session->away_since_ns = session->idle_since_ns = loop_now(session->setup.loop);
    }
}

/* charged: idle; NULL: none is charged. */
static void end_with(struct session *session, struct session_slot *charged, enum bg_fault fault,
                     const char *text)
{
    bot_process_read_stderr(session->process);
    session->failed_starts += session->state != SESSION_READY;
    keep_decisions(session);
    session->failing = true;
    session->setup.listener->fault(session->setup.user, session, charged, fault, text);
    session->failing = false;
    renew(session);
}

void session_fail(struct session *session, enum bg_fault fault, const char *text)
{
    struct session_slot *charged = decisions_oldest(&session->decisions);

    if (charged != NULL) {
        decisions_close(&session->decisions, charged);
    }
    end_with(session, charged, fault, text);
}

static void on_ended(void *user, const char *how)
{
    struct session *session = user;
    char text[160];

    if (session->state == SESSION_ENDING) {
        renew(session);
        return;
    }
    snprintf(
        text, sizeof text, "the process ended: %s%s", how,
        session->state == SESSION_STARTING
            ? " before it said Hello, a bot's first message; docs/bot-guide.md has what a bot does"
            : "");
    session_fail(session, session->state == SESSION_READY ? BG_FAULT_CRASH : BG_FAULT_START, text);
}

/* The process holds more memory than allowed. Ignored if the process is already being ended. */
static void on_too_large(void *user, uint64_t held)
{
    struct session *session = user;
    char text[96];

    if (session->state != SESSION_ENDING) {
        snprintf(text, sizeof text,
                 "it holds %" PRIu64 " MiB of memory; at most %" PRIu64 " are allowed", held >> 20,
                 session->setup.memory_bytes >> 20);
        session_fail(session, BG_FAULT_MEMORY, text);
    }
}

static const struct bot_process_listener process_listener = {on_ended, on_too_large, on_gone};

/* Charges decisions whose match saw too many lost lines. */
static void charge_returns(struct session *session)
{
    struct session_slot *slot = decisions_next_held(&session->decisions, 0);

    session->failing = true;
    while (slot != NULL) {
        int next = slot->place + 1;

        if (slot->returns > RETURNS_MOST) {
            decisions_close(&session->decisions, slot);
            session->setup.listener->fault(
                session->setup.user, session, slot, BG_FAULT_CRASH,
                "its line was lost for the sixth time in this match while it had to answer");
        }
        slot = decisions_next_held(&session->decisions, next);
    }
    session->failing = false;
}

/* Waits for the bot at once, or does the last step of closing. Its door must not think meanwhile
 * that nobody waits here: a host would lend the bot's next connection to another event. */
static void wait_again(struct session *session)
{
    struct bg_error err;

    if (session->closing) {
        forget_process(session);
        finish_closing(session);
        return;
    }
    forget_connection(session);
    session_enter(session, SESSION_DOWN);
    if (session_start(session, &err) != BG_OK) {
        session_fail(session, BG_FAULT_START, err.text);
    }
}

/* The connection of a bot that is started elsewhere has ended by our own failure: its decisions are
 * asked again when it is back. */
static void lose_connection(struct session *session)
{
    decisions_reopen(&session->decisions);
    wait_again(session);
}

/* The line of a bot that was ready is lost: nothing is decided by that. It is waited for at once.
 */
static void go_away(struct session *session, bool is_ours)
{
    session->absence = is_ours ? SESSION_EXCUSED : SESSION_AWAY;
    keep_decisions(session);
    if (!is_ours) {
        charge_returns(session);
        open_away(session);
    }
    wait_again(session);
}

/* The line of a bot that has not been ready yet is lost: it is waited for until the same time. */
static void wait_on(struct session *session)
{
    const int64_t started_ns = session->started_ns, stalled_ns = session->stalled_ns;

    wait_again(session);
    if (session->state == SESSION_STARTING) {
        session->started_ns = started_ns;
        session->stalled_ns = stalled_ns;
        sweep_by(session, start_by(session));
    }
}

static void give_up_connection(struct session *session)
{
    const struct session_door *door = session->setup.door;
    bool may_return = door != NULL && door->away_ns > 0;
    bool is_ours = door != NULL && door->is_down(door->user, session->setup.bot_index);

    if (may_return && (session->state == SESSION_READY || session_is_away(session))) {
        go_away(session, is_ours || session->absence == SESSION_EXCUSED);
    } else if (is_ours) {
        lose_connection(session);
    } else if (may_return && session_is_starting(session)) {
        wait_on(session);
    } else {
        session_fail(session, session->state == SESSION_READY ? BG_FAULT_CRASH : BG_FAULT_START,
                     "it closed its connection");
    }
}

void session_turn_away(struct session *session, const char *text)
{
    session->refusals++;
    if (session_is_away(session)) {
        go_away(session, session->absence == SESSION_EXCUSED);
    } else {
        session_fail(session, BG_FAULT_START, text);
    }
}

static void on_lost_grace(void *user, int64_t now_ns)
{
    struct session *session = user;

    (void)now_ns;
    if (!bot_process_is_exiting(session->process) && session->state != SESSION_ENDING) {
        give_up_connection(session); /* otherwise the end of the process is reported */
    }
}

/* The bot has closed its connection: either its process ends soon, or it has given up. */
static void on_closed_connection(struct session *session)
{
    const struct session_door *door = session->setup.door;
    int64_t grace_ns = door == NULL ? LOST_GRACE_NS : door->grace_ns;

    if (grace_ns == 0) {
        give_up_connection(session);
    } else if (!session->lost) {
        loop_after(session->setup.loop, grace_ns, on_lost_grace, session);
        session->lost = true;
    }
}

void session_on_lost(struct session *session, enum link_end end, const char *why)
{
    char text[INBOX_TEXT];
    enum bg_fault fault;

    if (session->state == SESSION_ENDING && session->process == NULL) {
        renew(session); /* no further event of it is expected */
    } else if (session->state == SESSION_ENDING || session->state == SESSION_DOWN) {
        return;
    } else if (end == LINK_CLOSED) {
        on_closed_connection(session);
    } else {
        fault = inbox_lost(text, end, why);
        session_fail(session, session->state == SESSION_READY ? fault : BG_FAULT_START, text);
    }
}

/* Charges a fault that does not end the process to the decision that has waited longest. */
void session_charge(struct session *session, enum bg_fault fault, const char *text)
{
    struct session_slot *charged = decisions_oldest(&session->decisions);

    if (charged != NULL) {
        decisions_close(&session->decisions, charged);
        session_mark(session);
    }
    session->setup.listener->fault(session->setup.user, session, charged, fault, text);
}

static void on_goodbye_overdue(void *user, int64_t now_ns)
{
    (void)now_ns;
    renew(user);
}

static enum bg_status send_from(struct session *session, const struct wire_buffer *buffer,
                                struct bg_error *err)
{
    struct link *link = session->setup.link;

    return link->ops->send(link, session->peer, buffer->data, buffer->size, err);
}

enum bg_status session_send_buffer(struct session *session, struct bg_error *err)
{
    return send_from(session, &session->buffer, err);
}

void session_close(struct session *session, const char *why)
{
    struct bg_error err;

    if (session->closing) {
        return;
    }
    session->closing = true;
    /* renew(), which follows the listener's call, does the rest */
    if (session->failing) {
        return;
    }
    if (session->state == SESSION_DOWN && bot_process_is_leaving(session->process)) {
        session_enter(session, SESSION_ENDING);
        return;
    }
    if (session->state == SESSION_DOWN) {
        loop_forget(session->setup.loop, session);
        finish_closing(session);
        return;
    }
    /* Ignore failed sends: a bot that does not read is killed below. */
    if (session->tells.size > 0 && session_can_be_asked(session) &&
        wire_pack_tells(&session->tells_buffer, &session->tells, &err) == BG_OK) {
        (void)send_from(session, &session->tells_buffer, &err);
    }
    if (session->is_greeted && wire_pack_goodbye(&session->buffer, why, &err) == BG_OK) {
        (void)session_send_buffer(session, &err);
    } else if (session->process != NULL) {
        bot_process_ask_to_end(session->process);
    } else {
        renew(session);
        return;
    }
    session_enter(session, SESSION_ENDING);
    loop_after(session->setup.loop, GOODBYE_NS, on_goodbye_overdue, session);
}

static void stop_waiting(struct session *session)
{
    if (session_is_away(session)) {
        session->absence = SESSION_GIVEN_UP;
    }
}

void session_reopen(struct session *session)
{
    assert(session->state == SESSION_DOWN && session->closing && session->tables == 0);
    session->closing = false;
    session->failures = session->failed_starts = 0;
    stop_waiting(session);
    outbox_note_trip(&session->outbox, 0);
    decisions_begin(&session->decisions);
    restart(session, 0);
}

/* ------------------------------------------------------------------ sending */

/* Open decisions are then charged as a crash, not as late. */
static bool has_left(const struct session *session)
{
    return bot_process_is_exiting(session->process) || session->lost;
}

bool session_can_be_asked(const struct session *session)
{
    return session->state == SESSION_READY && !has_left(session);
}

static void note_sent(struct session *session, enum bg_status status, const struct bg_error *err)
{
    if (status == BG_E_TIMEOUT) {
        session_fail(session, BG_FAULT_UNREAD, "it does not read the messages sent to it");
    } else if (status == BG_E_CLOSED) {
        on_closed_connection(session);
    } else if (status != BG_OK) {
        session_fail(session, BG_FAULT_CRASH, err->text);
    }
}

void session_send(struct session *session, enum bg_status packed, struct bg_error *err)
{
    note_sent(session, packed == BG_OK ? session_send_buffer(session, err) : packed, err);
}

static void send_tells(struct session *session)
{
    struct bg_error err;
    enum bg_status status;

    if (session->tells.size > 0 && session_can_be_asked(session)) {
        status = wire_pack_tells(&session->tells_buffer, &session->tells, &err);
        session->tells.size = 0;
        note_sent(session,
                  status == BG_OK ? send_from(session, &session->tells_buffer, &err) : status,
                  &err);
    }
}

/* What was open when the line was lost is sent first. */
static void settle_held(struct session *session)
{
    struct bg_error err;
    enum bg_status packed;

    while (session_can_be_asked(session) && outbox_has_held(&session->outbox)) {
        packed = outbox_pack_held(&session->outbox, &session->buffer, session->greeting.want_plays,
                                  &err);
        send_tells(session);
        if (session_can_be_asked(session)) {
            session_send(session, packed, &err);
        }
    }
}

void session_settle(struct session *session)
{
    struct bg_error err;
    enum bg_status packed;

    settle_held(session);
    while (session_can_be_asked(session) && outbox_is_due(&session->outbox)) {
        packed =
            outbox_pack(&session->outbox, &session->buffer, session->greeting.want_plays, &err);
        sweep_by(session, session->outbox.due_ns);
        send_tells(session); /* what came before these decisions */
        if (session_can_be_asked(session)) {
            session_send(session, packed, &err);
        }
    }
    core_watch_sent(&session->cores);
    send_tells(session);
}

/* ----------------------------------------------------------------- deadlines */

static void close_overdue(struct session *session, struct session_slot *slot, int64_t spent_ns)
{
    bool is_new = slot->announces && !slot->held;
    bool hung = session->state == SESSION_READY && (slot->last_limit || is_new);

    decisions_close(&session->decisions, slot);
    session->setup.credit->waited_ns += slot->waited_ns;
    if (!hung) {
        open_away(session);
        note_closed(session);
        session_mark(session);
        session->setup.listener->overdue(session->setup.user, slot, spent_ns);
        return;
    }
    /* The hung process's other games ask the next process again. */
    keep_decisions(session);
    session->failing = true;
    session->setup.listener->overdue(session->setup.user, slot, spent_ns);
    session->failing = false;
    renew(session);
}

bool session_is_starting(const struct session *session)
{
    return session->state == SESSION_STARTING || session->state == SESSION_GREETED;
}

/* Returns the earliest time at which something can be overdue, as known now. While the referee is
 * held up, no bot's time runs. */
static int64_t sweep_ns(const struct session *session, int64_t stalled_ns)
{
    int64_t start_ns = session_is_starting(session)
                           ? start_by(session) + (stalled_ns - session->stalled_ns)
                           : DUE_NEVER;
    int64_t answer_ns = session->absence == SESSION_EXCUSED
                            ? DUE_NEVER
                            : decisions_due_ns(&session->decisions, stalled_ns);

    if (has_left(session)) {
        return DUE_NEVER;
    }
    return start_ns < answer_ns ? start_ns : answer_ns;
}

/* It was not ready in time. One that was away for too long loses its games: the listener does that
 * when it is left out. */
static void give_up_start(struct session *session)
{
    char text[96];

    if (session_is_away(session)) {
        int64_t from_ns;

        snprintf(text, sizeof text, "it was away for more than %.0f s",
                 (double)away_limit(&from_ns, session) / 1e9);
        stop_waiting(session);
        end_with(session, NULL, BG_FAULT_START, text);
    } else {
        session_fail(
            session, BG_FAULT_START,
            session->state == SESSION_STARTING && session->process == NULL
                ? "it has not joined in time"
            : session->state == SESSION_STARTING
                ? "no Hello in time: a bot must send it first, as soon as it is connected"
                : "no Ready in time: a bot must send it after the Welcome, when it can play");
    }
}

void session_sweep(struct session *session, int64_t now_ns)
{
    struct session_slot *slot;
    int64_t spent_ns = 0;
    int64_t stalled_ns = session_stalled(session, now_ns);

    if (session_is_starting(session) &&
        now_ns > start_by(session) + (stalled_ns - session->stalled_ns)) {
        give_up_start(session);
    }
    while (!has_left(session) && session->absence != SESSION_EXCUSED &&
           (slot = core_watch_overdue(&spent_ns, &session->cores, now_ns, stalled_ns)) != NULL) {
        close_overdue(session, slot, spent_ns);
    }
    if (session->due != NULL) {
        due_set(session->due, session->member, sweep_ns(session, stalled_ns));
    }
}
