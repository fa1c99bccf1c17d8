#include "session.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../log.h"
#include "letters.h"
#include "session_inside.h"

#define SECOND_NS INT64_C(1000000000)
/* A crashing process closes its connection seconds before it ends on a busy machine. */
#define LOST_GRACE_NS  (5 * SECOND_NS)
#define BACKOFF_NS     (SECOND_NS / 10)
#define BACKOFF_MAX_NS (10 * SECOND_NS)
#define GOODBYE_NS     (SECOND_NS / 2)

/* Checks that the change of state is permitted: every change passes here. */
static void session_enter(struct session *session, enum session_state state)
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
static void mark(void *user)
{
    const struct session *session = user;

    if (session->due != NULL) {
        due_mark(session->due, session->member);
    }
}

static const struct bot_process_listener process_listener;
static const struct inbox_listener inbox_listener;

enum bg_status session_create(struct session **out, const struct session_setup *setup,
                              struct bg_error *err)
{
    struct session *session = calloc(1, sizeof *session);
    const struct bot_process_setup process = {
        .bot = setup->bot,
        .instance = setup->instance,
        .loop = setup->loop,
        .memory_bytes = setup->memory_bytes,
        .confined = setup->confined,
        .hidden = setup->hidden,
        .nice = setup->nice,
        .pin = setup->pin,
        .listener = &process_listener,
        .user = session,
    };
    enum bg_status status = BG_OK;

    if (session == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "session state");
    }
    session->setup = *setup;
    session->state = SESSION_DOWN;
    decisions_begin(&session->decisions);
    outbox_init(&session->outbox, &session->decisions, setup->loop, mark, session);
    session->inbox = (struct inbox){.bot = setup->bot->name,
                                    .decisions = &session->decisions,
                                    .credit = setup->credit,
                                    .loop = setup->loop,
                                    .listener = &inbox_listener,
                                    .user = session};
    if (setup->door == NULL) {
        status = bot_process_create(&session->process, &process, err);
    }
    if (status != BG_OK) {
        free(session);
        return status;
    }
    *out = session;
    return BG_OK;
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
static void forget_process(struct session *session)
{
    struct link *link = session->setup.link;

    link->ops->close(link, session->peer); /* first: frames that still arrive are dropped */
    session->peer = 0;
    if (session->setup.door != NULL) {
        session->setup.door->closed(session->setup.door->user, session->setup.bot_index);
    }
    loop_forget(session->setup.loop, session);
    outbox_reset(&session->outbox);
    session->tells.size = 0;
    bot_process_end(session->process);
    session->is_greeted = session->lost = false;
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

static void fail(struct session *session, enum bg_fault fault, const char *text);
static void restart(void *user, int64_t now_ns);

/* Returns true if the process may connect. */
static bool owns(void *user, pid_t pid)
{
    const struct session *session = user;

    const struct session_door *door = session->setup.door;

    return door == NULL ? session_owns(session, pid) : door->owns(door->user, pid);
}

enum bg_status session_start(struct session *session, struct bg_error *err)
{
    struct loop *loop = session->setup.loop;
    struct link *link = session->setup.link;
    char endpoint[LINK_ENDPOINT];
    enum bg_status status = link->ops->open(&session->peer, endpoint, link, owns, session, err);

    if (status != BG_OK) {
        return status;
    }
    if (session->process != NULL) {
        status = bot_process_start(session->process, endpoint, err);
    } else {
        session->setup.door->opened(session->setup.door->user, session->setup.bot_index, endpoint);
    }
    if (status != BG_OK) {
        link->ops->close(link, session->peer);
        session->peer = 0;
        return status;
    }
    session->started_ns = loop_now(loop);
    session->stalled_ns = loop_stalled(loop, session->started_ns);
    session_enter(session, SESSION_STARTING);
    sweep_by(session, session->started_ns + session->setup.start_ns);
    return BG_OK;
}

enum bg_status session_start_later(struct session *session, struct bg_error *err)
{
    return loop_after(session->setup.loop, 0, restart, session, err);
}

int session_failed_starts(const struct session *session)
{
    return session->failed_starts;
}

void session_ask(struct session *session, struct session_slot *slot)
{
    decisions_wait(&session->decisions, slot);
    mark(session);
}

void session_cancel(struct session *session, struct session_slot *slot)
{
    decisions_cancel(&session->decisions, slot);
    mark(session);
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
        fail(session, BG_FAULT_START, err.text);
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
    int64_t delay_ns = BACKOFF_NS << (session->failures < 7 ? session->failures : 7);
    struct bg_error err;

    session->failures++;
    if (delay_ns > BACKOFF_MAX_NS) {
        delay_ns = BACKOFF_MAX_NS;
    }
    if (loop_after(session->setup.loop, delay_ns, restart, session, &err) != BG_OK) {
        log_error("session", "bot=%s restart: %s", session->setup.bot->name, err.text);
    }
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

/* Ends the process, charges the fault, and plans a new process unless the listener closed the
 * session. */
static void fail(struct session *session, enum bg_fault fault, const char *text)
{
    struct session_slot *charged = decisions_oldest(&session->decisions);

    if (charged != NULL) {
        decisions_close(&session->decisions, charged);
    }
    decisions_reopen(&session->decisions);
    bot_process_read_stderr(session->process);
    session->failed_starts += session->state != SESSION_READY;
    session->failing = true;
    session->setup.listener->fault(session->setup.user, session, charged, fault, text);
    session->failing = false;
    renew(session);
}

static void on_ended(void *user, const char *how)
{
    struct session *session = user;
    char text[160];

    if (session->state == SESSION_ENDING) {
        renew(session);
        return;
    }
    snprintf(text, sizeof text, "the process ended: %s", how);
    fail(session, session->state == SESSION_READY ? BG_FAULT_CRASH : BG_FAULT_START, text);
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
        fail(session, BG_FAULT_MEMORY, text);
    }
}

static const struct bot_process_listener process_listener = {on_ended, on_too_large, on_gone};

/* The connection of a bot that is started elsewhere has ended by our own failure: its decisions are
 * asked again when it is back. */
static void lose_connection(struct session *session)
{
    decisions_reopen(&session->decisions);
    renew(session);
}

static void give_up_connection(struct session *session)
{
    const struct session_door *door = session->setup.door;

    if (door != NULL && door->is_down(door->user, session->setup.bot_index)) {
        lose_connection(session);
        return;
    }
    fail(session, session->state == SESSION_READY ? BG_FAULT_CRASH : BG_FAULT_START,
         "it closed its connection");
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
    struct bg_error err;

    if (grace_ns == 0) {
        give_up_connection(session);
    } else if (!session->lost &&
               loop_after(session->setup.loop, grace_ns, on_lost_grace, session, &err) == BG_OK) {
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
        fail(session, session->state == SESSION_READY ? fault : BG_FAULT_START, text);
    }
}

/* Charges a fault that does not end the process to the decision that has waited longest. */
static void charge(struct session *session, enum bg_fault fault, const char *text)
{
    struct session_slot *charged = decisions_oldest(&session->decisions);

    if (charged != NULL) {
        decisions_close(&session->decisions, charged);
        mark(session);
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

static enum bg_status send_buffer(struct session *session, struct bg_error *err)
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
        (void)send_buffer(session, &err);
    } else if (session->process != NULL) {
        bot_process_ask_to_end(session->process);
    } else {
        renew(session);
        return;
    }
    session_enter(session, SESSION_ENDING);
    if (loop_after(session->setup.loop, GOODBYE_NS, on_goodbye_overdue, session, &err) != BG_OK) {
        on_goodbye_overdue(session, 0);
    }
}

void session_reopen(struct session *session)
{
    assert(session->state == SESSION_DOWN && session->closing && session->tables == 0);
    session->closing = false;
    session->failures = session->failed_starts = 0;
    outbox_note_trip(&session->outbox, 0);
    decisions_begin(&session->decisions);
    restart(session, 0);
}

/* ------------------------------------------------------------------ sending */

/* Open decisions are then charged as a crash, not as late. */
static bool has_ended(const struct session *session)
{
    return bot_process_is_exiting(session->process) || session->lost;
}

bool session_can_be_asked(const struct session *session)
{
    return session->state == SESSION_READY && !has_ended(session);
}

struct wire_buffer *session_buffer(struct session *session)
{
    return &session->buffer;
}

static void note_sent(struct session *session, enum bg_status status, const struct bg_error *err)
{
    if (status == BG_E_TIMEOUT) {
        fail(session, BG_FAULT_UNREAD, "it does not read the messages sent to it");
    } else if (status == BG_E_CLOSED) {
        on_closed_connection(session);
    } else if (status != BG_OK) {
        fail(session, BG_FAULT_CRASH, err->text);
    }
}

void session_send(struct session *session, enum bg_status packed, struct bg_error *err)
{
    note_sent(session, packed == BG_OK ? send_buffer(session, err) : packed, err);
}

void session_tell(struct session *session, struct wire_tells *tells)
{
    struct bg_error err;

    if (session->state == SESSION_READY && session->greeting.want_tells &&
        wire_tells_move(&session->tells, tells, &err) == BG_OK) {
        mark(session);
    }
    tells->size = 0;
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

void session_settle(struct session *session)
{
    struct bg_error err;
    enum bg_status packed;

    while (session_can_be_asked(session) && outbox_is_due(&session->outbox)) {
        packed =
            outbox_pack(&session->outbox, &session->buffer, session->greeting.want_plays, &err);
        sweep_by(session, session->outbox.due_ns);
        send_tells(session); /* what came before these decisions */
        if (session_can_be_asked(session)) {
            session_send(session, packed, &err);
        }
    }
    send_tells(session);
}

/* ---------------------------------------------------------------- receiving */

static void close_overdue(struct session *session, struct session_slot *slot, int64_t spent_ns)
{
    bool hung = slot->last_limit || slot->announces;

    decisions_close(&session->decisions, slot);
    if (!hung) {
        mark(session);
        session->setup.listener->overdue(session->setup.user, slot, spent_ns);
        return;
    }
    /* The hung process's other games ask the next process again. */
    decisions_reopen(&session->decisions);
    session->failing = true;
    session->setup.listener->overdue(session->setup.user, slot, spent_ns);
    session->failing = false;
    renew(session);
}

static bool is_starting(const struct session *session)
{
    return session->state == SESSION_STARTING || session->state == SESSION_GREETED;
}

/* Returns the earliest time at which something can be overdue, as known now. While the referee is
 * held up, no bot's time runs. */
static int64_t sweep_ns(const struct session *session, int64_t stalled_ns)
{
    if (has_ended(session)) {
        return DUE_NEVER;
    }
    return is_starting(session)
               ? session->started_ns + session->setup.start_ns + (stalled_ns - session->stalled_ns)
               : decisions_due_ns(&session->decisions, stalled_ns);
}

void session_sweep(struct session *session, int64_t now_ns)
{
    struct session_slot *slot;
    int64_t spent_ns = 0;
    int64_t stalled_ns = loop_stalled(session->setup.loop, now_ns);

    if (is_starting(session) && now_ns > sweep_ns(session, stalled_ns)) {
        fail(session, BG_FAULT_START,
             session->state == SESSION_STARTING && session->process == NULL
                 ? "it has not joined in time"
             : session->state == SESSION_STARTING
                 ? "no Hello in time: a bot must send it first, as soon as it is connected"
                 : "no Ready in time: a bot must send it after the Welcome, when it can play");
    }
    while (!has_ended(session) &&
           (slot = decisions_overdue(&spent_ns, &session->decisions, now_ns, stalled_ns)) != NULL) {
        close_overdue(session, slot, spent_ns);
    }
    if (session->due != NULL) {
        due_set(session->due, session->member, sweep_ns(session, stalled_ns));
    }
}

static bool is_open(void *user)
{
    return ((const struct session *)user)->state == SESSION_READY;
}

static void on_answered(void *user, struct session_slot *slot, const struct bg_answer *answer,
                        int64_t spent_ns, int64_t credit_ns)
{
    struct session *session = user;

    session->failures = 0;
    outbox_note_trip(&session->outbox, spent_ns);
    mark(session);
    session->setup.listener->answered(session->setup.user, slot, answer, spent_ns, credit_ns);
}

static void on_strayed(void *user, const char *text)
{
    charge(user, BG_FAULT_ORDER, text);
}

static const struct inbox_listener inbox_listener = {is_open, on_answered, on_strayed};

/* Counts a message that answers nothing; an earlier charge may have ended the process already. */
static void count_idle(struct session *session, const char *what, size_t bytes, int64_t received_ns)
{
    char text[INBOX_TEXT];

    if (session->state != SESSION_ENDING && session->state != SESSION_DOWN &&
        inbox_floods(&session->inbox, text, what, bytes, received_ns)) {
        fail(session, BG_FAULT_FLOOD, text);
    }
}

/* Returns false if the bot was not asked to be Ready for this game. */
static bool take_ready(struct session *session, const char *game)
{
    struct session_slot *slot = decisions_announced(&session->decisions, game);

    if (slot == NULL) {
        return false;
    }
    decisions_close(&session->decisions, slot);
    outbox_note_ready(&session->outbox, game);
    session->failures = 0;
    mark(session);
    if (slot->ask.kind == BG_DECIDE_NONE) {
        session->setup.listener->answered(session->setup.user, slot, NULL, 0, 0);
    } else {
        decisions_wait_first(&session->decisions, slot);
    }
    return true;
}

static void take_other(struct session *session, const struct wire_message *message,
                       const struct link_frame *frame, int64_t received_ns)
{
    struct bg_error err;
    enum bg_status status = BG_OK;

    if (message->content == WIRE_READY && session->state == SESSION_GREETED) {
        session_enter(session, SESSION_READY);
        session->failed_starts = 0;
        session->starts++;
        mark(session);
        session->setup.listener->ready(session->setup.user, session);
        return;
    }
    if (message->content == WIRE_READY && session->state == SESSION_READY &&
        take_ready(session, message->game)) {
        return;
    }
    if (session->state == SESSION_READY &&
        letters_take(session->setup.listener, session->setup.user, session, message)) {
        return;
    }
    if (message->content == WIRE_EVALUATION && session->setup.evaluator &&
        session->state == SESSION_READY) {
        session->failures = 0;
        session->setup.listener->valued(session->setup.user, session, message);
        return;
    }
    if (message->content == WIRE_NOTHING &&
        wire_pack_not_understood_to_bot(&session->buffer, message->field, &err) == BG_OK) {
        status = send_buffer(session, &err);
    }
    if (status == BG_E_TIMEOUT) {
        fail(session, BG_FAULT_UNREAD, "it does not read the messages sent to it");
    } else {
        count_idle(session, "a message that was not asked for", frame->size, received_ns);
    }
}

void session_on_trespass(struct session *session, pid_t pid)
{
    char text[120];

    snprintf(text, sizeof text, "its process %d tried to connect to another bot's socket",
             (int)pid);
    if (session->state == SESSION_READY) {
        charge(session, BG_FAULT_ORDER, text);
    } else if (is_starting(session)) {
        fail(session, BG_FAULT_START, text);
    }
}

static void on_traffic(struct session *session, const struct link_frame *frame,
                       const struct receipt *receipt)
{
    static const char charged[] = "a message that was charged already";
    struct wire_message message;
    char text[INBOX_TEXT];
    const char *what;
    enum bg_fault fault;

    if (frame->what == LINK_COMMAND) {
        count_idle(session, charged, frame->size, receipt->received_ns);
        return;
    }
    fault = inbox_read(&message, text, frame, session->setup.reader);
    if (fault != BG_FAULT_NONE) {
        charge(session, fault, text);
        count_idle(session, charged, frame->size, receipt->received_ns);
    } else if (message.content != WIRE_ANSWERS || session->state != SESSION_READY) {
        take_other(session, &message, frame, receipt->received_ns);
    } else if (!inbox_take_answers(&what, &session->inbox, &message, receipt)) {
        count_idle(session, what, frame->size, receipt->received_ns);
    }
}

/* Handles the first message of a start. After it no other process can connect by this door. */
static void on_first(struct session *session, const struct link_frame *frame)
{
    const struct session_setup *setup = &session->setup;
    const struct greeting_terms terms = {
        .bot = setup->bot,
        .token = bot_process_token(session->process),
        .event = setup->event,
        .rules = setup->rules,
        .evaluator = setup->evaluator,
        .start_ns = setup->start_ns,
        .new_game_ns = setup->new_game_ns,
        .ceiling_ns = setup->ceiling_ns,
        .reader = setup->reader,
    };
    char text[GREETING_TEXT];
    struct bg_error err;
    enum bg_status status = BG_OK;
    bool is_welcome;

    setup->link->ops->shut(setup->link, session->peer);
    session->is_greeted = true;
    is_welcome = greeting_take(&session->greeting, &session->buffer, text, frame, &terms);
    if (session->buffer.size > 0) {
        status = send_buffer(session, &err);
    }
    if (!is_welcome) { /* also if its Refusal could not be sent */
        fail(session, BG_FAULT_START, text);
    } else if (status != BG_OK) {
        fail(session, BG_FAULT_START, err.text);
    } else {
        session->decisions.most = session->greeting.in_flight;
        session->outbox.announces = session->greeting.stateful;
        session->outbox.tells = session->greeting.want_tells ? &session->tells : NULL;
        session->outbox.new_game_ns = setup->new_game_ns;
        session_enter(session, SESSION_GREETED);
    }
}

void session_on_frame(struct session *session, const struct link_frame *frame, int64_t received_ns,
                      int64_t lag_ns)
{
    struct credit *credit = session->setup.credit;

    if (session->state == SESSION_ENDING || session->state == SESSION_DOWN) {
        return;
    }
    if (session->state == SESSION_STARTING && frame->what != LINK_COMMAND) {
        on_first(session, frame);
    } else {
        const struct receipt receipt = {received_ns, loop_stalled(session->setup.loop, received_ns),
                                        credit_for_queue(credit, received_ns, lag_ns)};

        session->inbox.reply = (struct session_reply){.data = frame->data, .size = frame->size};
        on_traffic(session, frame, &receipt);
        session->inbox.reply = (struct session_reply){.data = NULL};
    }
    credit_note_work(credit, received_ns, lag_ns, loop_now(session->setup.loop));
}
