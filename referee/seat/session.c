#include "session.h"

#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include <rules/clean.h>

#include "../log.h"
#include "flood.h"
#include "greeting.h"
#include "results_list.h"

enum {
    MESSAGE_BYTES = 65536, /* told in Welcome: the largest message taken */
};

#define SECOND_NS      INT64_C(1000000000)
#define EXIT_GRACE_NS  (SECOND_NS / 50) /* frames of a dead process may still be on their way */
#define LOST_GRACE_NS  (SECOND_NS / 2)  /* a process that ends loses its connection first */
#define BACKOFF_NS     (SECOND_NS / 10)
#define BACKOFF_MAX_NS (10 * SECOND_NS)
#define GOODBYE_NS     (SECOND_NS / 2)
#define HOLD_NS        (SECOND_NS / 1000)
#define STDERR_REST_NS (SECOND_NS / 100) /* so much is read at a time, then not for so long */

struct session {
    struct session_setup setup;
    enum session_state state;
    struct process *process;
    char token[SESSION_TOKEN];
    link_peer peer;  /* the door of this start; 0 none */
    bool is_greeted; /* its Hello has come by it */
    int64_t started_ns;
    int64_t stalled_ns; /* loop_stalled() at that time */
    int failures;       /* ends in a row without a decision answered */
    int failed_starts;  /* ... and without getting ready */
    bool closing;       /* session_close was called */
    bool failing;       /* inside fail(), which ends the process itself */
    bool exiting;       /* the process has ended; its last frames are awaited */
    bool leaving;       /* an earlier process was ended, and something of it is left */
    bool restart_due;   /* ... a new one starts when it is gone */
    bool lost;          /* the connection has ended; the end of the process is awaited */
    bool want_plays, stateful;
    struct decisions decisions;
    int64_t trip_ns;      /* from sending to answer, of the decision answered last */
    bool holding;         /* a deadline for what is held back is set */
    bool held_since_send; /* what waits was held back once: not again */
    struct wire_buffer buffer;
    struct results_list results; /* legal results of the message being sent */
    struct flood flood;
    bool said_late_answer; /* logged once */
    int tables;
    struct session_work work;
    char version[2 * WIRE_NAME + 1], options[1024];
    struct session_reply reply; /* what is being judged */
    struct wire_option *offers; /* owned; of the last Hello */
    size_t offer_count;
    char *said; /* the clean copy that session_stderr lent last */
    char variants[sizeof((struct wire_hello *)NULL)->variants];
};

/* The permitted edges: every change of state passes here. */
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

enum bg_status session_create(struct session **out, const struct session_setup *setup,
                              struct bg_error *err)
{
    struct session *session = calloc(1, sizeof *session);

    if (session == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "session state");
    }
    session->setup = *setup;
    session->state = SESSION_DOWN;
    decisions_begin(&session->decisions);
    *out = session;
    return BG_OK;
}

static void on_gone(void *user, int64_t now_ns);

/* Has the process ended; on_gone follows when nothing of it is left. */
static void forget_process(struct session *session)
{
    struct link *link = session->setup.link;

    link->ops->close(link, session->peer); /* first: what still comes is nobody's */
    session->peer = 0;
    if (session->process != NULL) {
        loop_unwatch(session->setup.loop, process_news_fd(session->process));
        loop_unwatch(session->setup.loop, process_stderr_fd(session->process));
    }
    loop_forget(session->setup.loop, session);
    if (session->process != NULL) {
        process_end(session->process, session->setup.loop, on_gone, session);
        session->process = NULL;
        session->leaving = true;
    }
    session->holding = session->held_since_send = false;
    session->is_greeted = session->exiting = session->lost = false;
}

void session_destroy(struct session *session)
{
    if (session == NULL) {
        return;
    }
    forget_process(session);
    process_forget(session);
    loop_forget(session->setup.loop, session);
    free(session->said);
    free(session->offers);
    wire_buffer_deinit(&session->buffer);
    results_list_deinit(&session->results);
    free(session);
}

/* ------------------------------------------------------------- the process */

static void on_exit_grace(void *user, int64_t now_ns);
static void fail(struct session *session, enum bg_fault fault, const char *story);

static void on_stderr(void *user);

static void on_stderr_rested(void *user, int64_t now_ns)
{
    struct session *session = user;
    int fd = process_stderr_fd(session->process);
    struct bg_error err;

    (void)now_ns;
    if (fd >= 0 && loop_watch(session->setup.loop, fd, on_stderr, session, &err) != BG_OK) {
        log_warn("session", "bot=%s standard error is read no more: %s", session->setup.bot->name,
                 err.text);
    }
}

/* Reads what is there; at its end nobody watches the descriptor any more, whose number may soon be
 * another's. */
static void read_stderr(struct session *session)
{
    int fd = process_stderr_fd(session->process);

    process_read_stderr(session->process);
    if (process_stderr_fd(session->process) < 0) {
        loop_unwatch(session->setup.loop, fd);
    }
}

/* A bot that writes without end waits for us, not we for it: after each look there is a rest. */
static void on_stderr(void *user)
{
    struct session *session = user;
    int fd;
    struct bg_error err;

    read_stderr(session);
    fd = process_stderr_fd(session->process);
    if (fd >= 0 &&
        loop_after(session->setup.loop, STDERR_REST_NS, on_stderr_rested, session, &err) == BG_OK) {
        loop_unwatch(session->setup.loop, fd);
    }
}

/* More memory than is allowed; while it is being ended that does not matter any more. */
static void fail_memory(struct session *session, uint64_t held)
{
    char story[96];

    if (session->state != SESSION_ENDING) {
        snprintf(story, sizeof story, "it holds %" PRIu64 " MiB; %" PRIu64 " are allowed",
                 held >> 20, session->setup.memory_bytes >> 20);
        fail(session, BG_FAULT_MEMORY, story);
    }
}

static void on_process_news(void *user)
{
    struct session *session = user;
    uint64_t held = process_excess(session->process);
    struct bg_error err;
    char how[64];

    if (held > 0) {
        fail_memory(session, held);
        return;
    }
    if (!process_reap(session->process, how, sizeof how)) {
        return;
    }
    loop_unwatch(session->setup.loop, process_news_fd(session->process));
    session->exiting = true;
    if (loop_after(session->setup.loop, EXIT_GRACE_NS, on_exit_grace, session, &err) != BG_OK) {
        on_exit_grace(session, 0);
    }
}

static void make_token(char token[SESSION_TOKEN])
{
    unsigned char bytes[SESSION_TOKEN / 2];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(token, SESSION_TOKEN, bytes, sizeof bytes);
}

static bool owns(void *user, pid_t pid)
{
    return session_owns(user, pid);
}

static void restart(void *user, int64_t now_ns);

/* Opens the door of this start and starts the process that is told of it. */
static enum bg_status launch_process(struct session *session, struct bg_error *err)
{
    const struct session_setup *setup = &session->setup;
    struct link *link = setup->link;
    char endpoint[LINK_ENDPOINT];
    struct launch launch = {
        .cmd = setup->bot->cmd,
        .dir = setup->bot->dir,
        .endpoint = endpoint,
        .token = session->token,
        .bot = setup->bot->name,
        .slot = setup->instance,
        .confined = setup->confined,
        .hidden = setup->hidden,
        .nice = setup->nice,
        .memory_bytes = setup->memory_bytes,
        .stderr_file = setup->bot->stderr_file,
    };
    enum bg_status status;

    make_token(session->token);
    status = link->ops->open(&session->peer, endpoint, link, owns, session, err);
    if (status != BG_OK) {
        return status;
    }
    status = process_start(&session->process, &launch, err);
    if (status != BG_OK) {
        link->ops->close(link, session->peer);
        session->peer = 0;
    }
    return status;
}

enum bg_status session_start(struct session *session, struct bg_error *err)
{
    const struct session_setup *setup = &session->setup;
    enum bg_status status = launch_process(session, err);

    if (status != BG_OK) {
        return status;
    }
    session->started_ns = loop_now(setup->loop);
    session->stalled_ns = loop_stalled(setup->loop, session->started_ns);
    session_enter(session, SESSION_STARTING);
    status =
        loop_watch(setup->loop, process_news_fd(session->process), on_process_news, session, err);
    if (status == BG_OK && process_stderr_fd(session->process) >= 0) {
        status =
            loop_watch(setup->loop, process_stderr_fd(session->process), on_stderr, session, err);
    }
    return status;
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
}

void session_cancel(struct session *session, struct session_slot *slot)
{
    decisions_cancel(&session->decisions, slot);
}

/* ------------------------------------------------------- faults and restart */

static void restart(void *user, int64_t now_ns)
{
    struct session *session = user;
    struct bg_error err;

    (void)now_ns;
    /* A deadline set before the session was closed may come after it was opened again. */
    if (session->state != SESSION_DOWN) {
        return;
    }
    session->restart_due = session->leaving;
    if (!session->leaving && !session->closing && session_start(session, &err) != BG_OK) {
        fail(session, BG_FAULT_START, err.text);
    }
}

/* Nothing of the process that was ended last is left. */
static void on_gone(void *user, int64_t now_ns)
{
    struct session *session = user;

    session->leaving = false;
    if (session->closing) {
        session_enter(session, SESSION_DOWN);
        session->setup.listener->closed(session->setup.user, session);
    } else if (session->restart_due) {
        restart(session, now_ns);
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

/* Ends the process; a new one follows unless the session is being closed. */
static void renew(struct session *session)
{
    forget_process(session);
    if (session->closing && session->leaving) { /* `closed` follows when it is gone */
        session_enter(session, SESSION_ENDING);
        return;
    }
    session_enter(session, SESSION_DOWN);
    if (session->closing) {
        session->setup.listener->closed(session->setup.user, session);
    } else {
        plan_restart(session);
    }
}

/* Ends the process, charges the fault, and plans a new process unless the listener closed us. */
static void fail(struct session *session, enum bg_fault fault, const char *story)
{
    struct session_slot *charged = decisions_oldest(&session->decisions);

    if (charged != NULL) {
        decisions_close(&session->decisions, charged);
    }
    decisions_reopen(&session->decisions);
    if (session->process != NULL) {
        read_stderr(session);
    }
    session->failed_starts += session->state != SESSION_READY;
    session->failing = true;
    session->setup.listener->fault(session->setup.user, session, charged, fault, story);
    session->failing = false;
    renew(session);
}

static void on_exit_grace(void *user, int64_t now_ns)
{
    struct session *session = user;
    char how[64] = "ended";
    char story[160];

    (void)now_ns;
    process_reap(session->process, how, sizeof how);
    if (session->state == SESSION_ENDING) {
        forget_process(session);
        return;
    }
    snprintf(story, sizeof story, "the process ended: %s", how);
    fail(session, session->state == SESSION_READY ? BG_FAULT_CRASH : BG_FAULT_START, story);
}

static void on_lost_grace(void *user, int64_t now_ns)
{
    struct session *session = user;
    bool ready = session->state == SESSION_READY;

    (void)now_ns;
    if (session->exiting || session->state == SESSION_ENDING) {
        return; /* told as the end of the process */
    }
    fail(session, ready ? BG_FAULT_CRASH : BG_FAULT_START, "it closed its connection");
}

/* The bot has closed its connection: its process ends, too, or it has given up. */
static void on_closed_connection(struct session *session)
{
    struct bg_error err;

    if (!session->lost &&
        loop_after(session->setup.loop, LOST_GRACE_NS, on_lost_grace, session, &err) == BG_OK) {
        session->lost = true;
    }
}

void session_on_lost(struct session *session, enum link_end end, const char *why)
{
    static const enum bg_fault faults[] = {
        [LINK_CLOSED] = BG_FAULT_CRASH,    [LINK_OVERSIZED] = BG_FAULT_OVERSIZED,
        [LINK_ENDLESS] = BG_FAULT_GARBLED, [LINK_GARBLED] = BG_FAULT_GARBLED,
        [LINK_UNREAD] = BG_FAULT_UNREAD,   [LINK_TIRED] = BG_FAULT_START,
    };
    char story[300];

    if (session->state == SESSION_ENDING || session->state == SESSION_DOWN) {
        return;
    }
    if (end == LINK_CLOSED) {
        on_closed_connection(session);
        return;
    }
    snprintf(story, sizeof story, "%s%s", why,
             end == LINK_UNREAD || end == LINK_TIRED ? "" : "; the connection was ended");
    fail(session, session->state == SESSION_READY ? faults[end] : BG_FAULT_START, story);
}

/* A fault that the process survives: charged to the decision that has waited longest. */
static void charge(struct session *session, enum bg_fault fault, const char *story)
{
    struct session_slot *charged = decisions_oldest(&session->decisions);

    if (charged != NULL) {
        decisions_close(&session->decisions, charged);
    }
    session->setup.listener->fault(session->setup.user, session, charged, fault, story);
}

static void on_goodbye_overdue(void *user, int64_t now_ns)
{
    struct session *session = user;

    (void)now_ns;
    forget_process(session);
}

void session_close(struct session *session, const char *why)
{
    struct bg_error err;
    struct link *link = session->setup.link;

    if (session->closing) {
        return;
    }
    session->closing = true;
    if (session->failing) {
        return;
    }
    if (session->state == SESSION_DOWN && session->leaving) {
        session_enter(session, SESSION_ENDING);
        return;
    }
    if (session->state == SESSION_DOWN) {
        loop_forget(session->setup.loop, session);
        session->setup.listener->closed(session->setup.user, session);
        return;
    }
    if (session->is_greeted && wire_pack_goodbye(&session->buffer, why, &err) == BG_OK) {
        /* A bot that does not read is killed below, so a failed send is no news. */
        (void)link->ops->send(link, session->peer, session->buffer.data, session->buffer.size,
                              &err);
    } else {
        process_signal(session->process, SIGTERM);
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
    session->trip_ns = 0;
    decisions_begin(&session->decisions);
    restart(session, 0);
}

/* ------------------------------------------------------------------ sending */

static enum bg_status send_buffer(struct session *session, struct bg_error *err)
{
    struct link *link = session->setup.link;

    return link->ops->send(link, session->peer, session->buffer.data, session->buffer.size, err);
}

/* What became of sending to a bot. */
static void sent(struct session *session, enum bg_status status, const struct bg_error *err)
{
    if (status == BG_E_TIMEOUT) {
        fail(session, BG_FAULT_UNREAD, "it does not receive what it is sent");
    } else if (status == BG_E_CLOSED) {
        on_closed_connection(session);
    } else if (status != BG_OK) {
        fail(session, BG_FAULT_CRASH, err->text);
    }
}

/* Opens what waits, as far as there is room; asks[] gets what is to be sent. */
static int open_waiting(struct session *session, struct bg_ask **asks)
{
    struct session_slot *slot;
    int count = 0, from = 0;

    while ((slot = decisions_open(&session->decisions, &from)) != NULL) {
        asks[count++] = &slot->ask;
    }
    return count;
}

static void stamp(struct session *session, struct bg_ask *const *asks, int count)
{
    int64_t now_ns = loop_now(session->setup.loop);
    int64_t stalled_ns = loop_stalled(session->setup.loop, now_ns);

    for (int i = 0; i < count; i++) {
        struct session_slot *slot = NULL;

        decisions_find(&slot, &session->decisions, asks[i]->decision);
        slot->sent_ns = now_ns;
        slot->stalled_ns = stalled_ns;
    }
}

static void on_hold_end(void *user, int64_t now_ns)
{
    struct session *session = user;

    (void)now_ns; /* the loop settles every session after its deadlines */
    session->holding = false;
}

/* A bot that is at work and answers within HOLD_NS gets what waits in one message when it is
 * through: few large messages cost both sides far less than many small ones. Slow bots, which may
 * think on several decisions at once, get theirs at once. */
static bool holds_back(struct session *session)
{
    struct bg_error err;

    if (session->decisions.open == 0 || session->trip_ns >= HOLD_NS) {
        return false;
    }
    if (session->holding) {
        return true;
    }
    if (session->held_since_send) {
        return false;
    }
    session->holding = session->held_since_send =
        loop_after(session->setup.loop, HOLD_NS, on_hold_end, session, &err) == BG_OK;
    return session->holding;
}

void session_evaluate(struct session *session, uint64_t number, const struct bg_ask *const *asks,
                      size_t count)
{
    struct bg_error err = {.text = ""};
    enum bg_status status =
        wire_pack_evaluate(&session->buffer, number, asks, count, session->want_plays, &err);

    if (status == BG_OK) {
        status = send_buffer(session, &err);
    }
    sent(session, status, &err);
}

void session_settle(struct session *session)
{
    struct bg_ask *asks[DECISIONS_MAX];
    struct bg_error err;
    enum bg_status status = BG_OK;
    int count;

    if (session->state != SESSION_READY || session->exiting || session->lost ||
        session->decisions.first == NULL || session->decisions.open == session->decisions.most ||
        holds_back(session)) {
        return;
    }
    session->held_since_send = false;
    count = open_waiting(session, asks);
    if (session->want_plays) {
        status = results_list_fill(&session->results, asks, count, &err);
    }
    if (status == BG_OK) {
        status = wire_pack_asks(&session->buffer, (const struct bg_ask *const *)asks, (size_t)count,
                                &err);
    }
    stamp(session, asks, count);
    if (status == BG_OK) {
        status = send_buffer(session, &err);
    }
    sent(session, status, &err);
}

void session_commit(struct session *session, const char *subject,
                    const uint8_t key_digest[WIRE_SECRET])
{
    struct bg_error err;
    enum bg_status status;

    if (session->state != SESSION_READY || session->exiting || session->lost) {
        return;
    }
    status = wire_pack_commitment_to_bot(&session->buffer, key_digest, subject, &err);
    sent(session, status == BG_OK ? send_buffer(session, &err) : status, &err);
}

void session_reveal(struct session *session, const char *subject)
{
    struct bg_error err;
    enum bg_status status;

    if (session->state != SESSION_READY || session->exiting || session->lost) {
        return;
    }
    status = wire_pack_reveal_to_bot(&session->buffer, subject, &err);
    sent(session, status == BG_OK ? send_buffer(session, &err) : status, &err);
}

/* ---------------------------------------------------------------- receiving */

static void close_overdue(struct session *session, struct session_slot *slot, int64_t spent_ns)
{
    bool hung = slot->last_limit;

    decisions_close(&session->decisions, slot);
    if (!hung) {
        session->setup.listener->overdue(session->setup.user, slot, spent_ns);
        return;
    }
    /* The other games of a hung process are asked again of the next one. */
    decisions_reopen(&session->decisions);
    session->failing = true;
    session->setup.listener->overdue(session->setup.user, slot, spent_ns);
    session->failing = false;
    renew(session);
}

/* Of the decisions past their limit the one that was sent first: that is where a hung process
 * stopped. NULL: none is. */
static struct session_slot *first_overdue(int64_t *spent_ns, const struct session *session,
                                          int64_t now_ns, int64_t stalled_ns)
{
    struct session_slot *first = NULL;

    for (int i = 0; i < session->decisions.most && session->decisions.open > 0; i++) {
        struct session_slot *slot = session->decisions.place[i].slot;
        int64_t spent = slot == NULL ? 0 : now_ns - slot->sent_ns - (stalled_ns - slot->stalled_ns);

        if (slot != NULL && spent > slot->limit_ns &&
            (first == NULL || slot->sent_ns < first->sent_ns)) {
            first = slot;
            *spent_ns = spent;
        }
    }
    return first;
}

void session_sweep(struct session *session, int64_t now_ns)
{
    struct session_slot *slot;
    int64_t spent_ns = 0;
    /* While the referee itself was held up, nobody's time runs. */
    int64_t stalled_ns = loop_stalled(session->setup.loop, now_ns);
    int64_t running_ns = now_ns - session->started_ns - (stalled_ns - session->stalled_ns);

    if (session->exiting || session->lost) { /* what is open then is a crash, not lateness */
        return;
    }
    if ((session->state == SESSION_STARTING || session->state == SESSION_GREETED) &&
        running_ns > session->setup.start_ns) {
        fail(session, BG_FAULT_START,
             session->state == SESSION_STARTING
                 ? "no Hello in time: the bot sends it first, as soon as it is connected"
                 : "not Ready in time: the bot sends it after the Welcome, when it can play");
        return;
    }
    while ((slot = first_overdue(&spent_ns, session, now_ns, stalled_ns)) != NULL) {
        close_overdue(session, slot, spent_ns);
    }
}

/* What the answers of one message have in common: when it came, loop_stalled() then, and what it is
 * credited for the queue before it. */
struct receipt {
    int64_t received_ns, stalled_ns, queue_ns;
};

/* It costs nothing: the answer may have crossed a deadline. An author of a bot that answers twice
 * wants to know, once. */
static void note_late_answer(struct session *session, const struct bg_answer *answer)
{
    if (!session->said_late_answer) {
        session->said_late_answer = true;
        log_info("session",
                 "bot=%s answered decision %" PRIu64 " again, or after its deadline: dropped; more "
                 "such answers are not logged",
                 session->setup.bot->name, answer->decision);
    }
}

/* One answer. False: it was to a decision that is closed, and is dropped; so are all but the first
 * that answer what was never asked: one message is one offence. */
static bool take_answer(bool *strayed, struct session *session, const struct bg_answer *answer,
                        const struct receipt *receipt)
{
    struct session_slot *slot = NULL;
    enum decision_found found = decisions_find(&slot, &session->decisions, answer->decision);
    int64_t spent_ns, credit_ns;

    if (found == DECISION_NEVER && !*strayed) {
        char story[120];

        *strayed = true;
        snprintf(story, sizeof story,
                 "an answer to decision %" PRIu64 ", which was never asked; use the Ask's number",
                 answer->decision);
        charge(session, BG_FAULT_ORDER, story);
        return true;
    }
    if (found != DECISION_OPEN) {
        note_late_answer(session, answer);
        return false;
    }
    spent_ns = receipt->received_ns - slot->sent_ns;
    credit_ns = receipt->stalled_ns - slot->stalled_ns;
    credit_ns = credit_ns > receipt->queue_ns ? credit_ns : receipt->queue_ns;
    credit_ns = credit_ns < spent_ns ? credit_ns : spent_ns;
    decisions_close(&session->decisions, slot);
    session->failures = 0;
    session->trip_ns = spent_ns;
    session->work.decisions++;
    session->work.spent_ns += spent_ns;
    session->setup.credit->given_ns += credit_ns;
    session->setup.listener->answered(session->setup.user, slot, answer, spent_ns, credit_ns);
    return true;
}

/* what: the last of them. */
static void fail_flood(struct session *session, const char *what)
{
    char story[200];

    snprintf(story, sizeof story,
             "too many messages that answer nothing: more than %d or %d bytes in a second; the "
             "last was %s",
             FLOOD_MESSAGES, FLOOD_BYTES, what);
    fail(session, BG_FAULT_FLOOD, story);
}

static void take_answers(struct session *session, const struct wire_message *message, size_t bytes,
                         int64_t received_ns, int64_t queue_ns)
{
    struct receipt receipt = {received_ns, loop_stalled(session->setup.loop, received_ns),
                              queue_ns};
    bool fits = message->count > 0;
    bool strayed = false;

    for (size_t i = 0; i < message->count && session->state == SESSION_READY; i++) {
        session->reply.answer = &message->answers[i];
        session->reply.trouble = message->answer_trouble[i];
        fits &= take_answer(&strayed, session, &message->answers[i], &receipt);
    }
    if (!fits && flood_count(&session->flood, bytes, received_ns)) {
        fail_flood(session, message->count == 0
                                ? "an Answers without an answer"
                                : "an answer to a decision that was closed: answer each once");
    }
}

/* True when it is one that was asked for. */
static bool tell_commitment(struct session *session, const struct wire_message *message)
{
    const struct session_listener *listener = session->setup.listener;
    void *user = session->setup.user;

    if (message->content == WIRE_COMMITMENT && listener->committed != NULL) {
        return listener->committed(user, session, message->game, message->secret);
    }
    if (message->content == WIRE_REVEAL && listener->revealed != NULL) {
        return listener->revealed(user, session, message->game, message->secret,
                                  message->secret_size);
    }
    return message->content == WIRE_NOT_UNDERSTOOD && listener->cannot_commit != NULL &&
           (message->field == WIRE_FIELD_COMMITMENT || message->field == WIRE_FIELD_REVEAL) &&
           listener->cannot_commit(user, session);
}

static void take_other(struct session *session, const struct wire_message *message,
                       const struct link_frame *frame, int64_t received_ns)
{
    struct bg_error err;
    enum bg_status status = BG_OK;

    if (message->content == WIRE_READY && session->state == SESSION_GREETED) {
        session_enter(session, SESSION_READY);
        session->failed_starts = 0;
        session->setup.listener->ready(session->setup.user, session);
        return;
    }
    if (session->state == SESSION_READY && tell_commitment(session, message)) {
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
        fail(session, BG_FAULT_UNREAD, "it does not receive what it is sent");
    } else if (flood_count(&session->flood, frame->size, received_ns)) {
        fail_flood(session, "a message that was not asked for");
    }
}

/* After a charge, by which the listener may have ended the process already. */
static void count_offence(struct session *session, size_t bytes, int64_t received_ns)
{
    if (session->state != SESSION_ENDING && session->state != SESSION_DOWN &&
        flood_count(&session->flood, bytes, received_ns)) {
        fail_flood(session, "a message that was charged already");
    }
}

void session_on_trespass(struct session *session, pid_t pid)
{
    char story[120];

    snprintf(story, sizeof story, "its process %d tried to come in by the door of another bot",
             (int)pid);
    if (session->state == SESSION_READY) {
        charge(session, BG_FAULT_ORDER, story);
    } else if (session->state == SESSION_STARTING || session->state == SESSION_GREETED) {
        fail(session, BG_FAULT_START, story);
    }
}

static void take_oversized(struct session *session, const struct link_frame *frame)
{
    char story[80];

    snprintf(story, sizeof story, "a message of %zu bytes; %d are allowed", frame->size,
             MESSAGE_BYTES);
    charge(session, BG_FAULT_OVERSIZED, story);
}

static const char *of_parts(enum link_what what)
{
    return what == LINK_DELIMITED
               ? "an empty frame before the message, as REQ sockets send; a bot needs a DEALER and "
                 "sends its message as one frame"
               : "a message of several frames; one is asked for";
}

static void on_traffic(struct session *session, const struct link_frame *frame, int64_t received_ns,
                       int64_t queue_ns)
{
    struct wire_message message;
    struct bg_error err;

    if (frame->what == LINK_COMMAND) {
        count_offence(session, frame->size, received_ns);
    } else if (frame->what != LINK_MESSAGE) {
        charge(session, BG_FAULT_GARBLED, of_parts(frame->what));
        count_offence(session, frame->size, received_ns);
    } else if (frame->size > MESSAGE_BYTES) {
        take_oversized(session, frame);
        count_offence(session, frame->size, received_ns);
    } else if (wire_unpack_to_referee(&message, session->setup.reader, frame->data, frame->size,
                                      &err) != BG_OK) {
        charge(session, BG_FAULT_GARBLED, err.text);
        count_offence(session, frame->size, received_ns);
    } else if (message.content == WIRE_ANSWERS && session->state == SESSION_READY) {
        take_answers(session, &message, frame->size, received_ns, queue_ns);
    } else {
        take_other(session, &message, frame, received_ns);
    }
}

static int in_flight_of(const struct wire_hello *hello)
{
    if (hello->max_in_flight == 0) {
        return 1;
    }
    return hello->max_in_flight > DECISIONS_MAX ? DECISIONS_MAX : (int)hello->max_in_flight;
}

static void refuse(struct session *session, const char *what, const char *why)
{
    struct bg_error err;

    if (wire_pack_refusal(&session->buffer, what, why, &err) == BG_OK) {
        (void)send_buffer(session, &err); /* it is ended below in any case */
    }
    bg_error_set(&err, BG_E_REFUSED, "refused: %s: %s", what, why);
    fail(session, BG_FAULT_START, err.text);
}

/* Without memory for them they are as good as none. */
static void keep_offers(struct session *session, const struct wire_hello *hello)
{
    free(session->offers);
    session->offers = calloc(hello->option_count + 1, sizeof *session->offers);
    session->offer_count = session->offers == NULL ? 0 : hello->option_count;
    if (session->offer_count > 0) {
        memcpy(session->offers, hello->options, session->offer_count * sizeof *session->offers);
    }
}

static void on_hello(struct session *session, const struct wire_hello *hello)
{
    static struct wire_welcome welcome; /* large; used only within this call, on one thread */
    char what[WIRE_TEXT], why[WIRE_TEXT];
    const struct session_setup *setup = &session->setup;
    struct bg_error err;

    if (strcmp(hello->token, session->token) != 0) {
        refuse(session, "token", "it is not the one that this start was given as BGREF_TOKEN");
        return;
    }
    if (!greeting_answer(&welcome, what, why, hello, setup->bot, setup->rules)) {
        refuse(session, what, why);
        return;
    }
    if (setup->evaluator && !hello->evaluates) {
        refuse(session, "judge", "its Hello does not say that it evaluates");
        return;
    }
    keep_offers(session, hello);
    snprintf(session->variants, sizeof session->variants, "%s", hello->variants);
    session->want_plays = hello->want_plays;
    session->stateful = hello->stateful;
    session->decisions.most = in_flight_of(hello);
    greeting_version(session->version, sizeof session->version, hello);
    greeting_options(session->options, sizeof session->options, &welcome);
    snprintf(welcome.event, sizeof welcome.event, "%s", setup->event);
    welcome.limits = (struct wire_limits){
        .message_bytes = MESSAGE_BYTES,
        .messages_per_second = FLOOD_MESSAGES,
        .bytes_per_second = FLOOD_BYTES,
        .in_flight = (uint32_t)session->decisions.most,
        .start_ns = (uint64_t)setup->start_ns,
        .new_game_ns = (uint64_t)setup->new_game_ns,
        .decision_ns = (uint64_t)setup->ceiling_ns,
    };
    if (wire_pack_welcome(&session->buffer, &welcome, &err) != BG_OK ||
        send_buffer(session, &err) != BG_OK) {
        fail(session, BG_FAULT_START, err.text);
        return;
    }
    session_enter(session, SESSION_GREETED);
}

static void refuse_first(struct session *session, const char *why)
{
    struct bg_error err;
    char story[600];

    if (wire_pack_refusal(&session->buffer, "first message", why, &err) == BG_OK) {
        (void)send_buffer(session, &err); /* it is ended below in any case */
    }
    snprintf(story, sizeof story, "its first message is no Hello: %s", why);
    fail(session, BG_FAULT_START, story);
}

/* The first message of a start. Whatever it is, nobody else comes in by this door. */
static void on_first(struct session *session, const struct link_frame *frame)
{
    struct link *link = session->setup.link;
    struct wire_message message;
    struct bg_error err;

    link->ops->shut(link, session->peer);
    session->is_greeted = true;
    if (frame->what != LINK_MESSAGE) {
        refuse_first(session, of_parts(frame->what));
    } else if (wire_unpack_to_referee(&message, session->setup.reader, frame->data, frame->size,
                                      &err) != BG_OK) {
        refuse_first(session, err.text);
    } else if (message.content != WIRE_HELLO) {
        refuse_first(session, "it says something else before it greets");
    } else {
        on_hello(session, message.hello);
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
        session->reply = (struct session_reply){.data = frame->data, .size = frame->size};
        on_traffic(session, frame, received_ns, credit_for_queue(credit, received_ns, lag_ns));
        session->reply = (struct session_reply){.data = NULL};
    }
    credit_note_work(credit, received_ns, lag_ns, loop_now(session->setup.loop));
}

/* ---------------------------------------------------------------- accessors */

enum session_state session_state(const struct session *session)
{
    return session->state;
}

link_peer session_peer(const struct session *session)
{
    return session->is_greeted ? session->peer : 0;
}

bool session_owns(const struct session *session, pid_t pid)
{
    return session->process != NULL && process_owns(session->process, pid);
}

int session_bot_index(const struct session *session)
{
    return session->setup.bot_index;
}

int session_instance(const struct session *session)
{
    return session->setup.instance;
}

bool session_is_stateful(const struct session *session)
{
    return session->stateful;
}

const char *session_version(const struct session *session)
{
    return session->version;
}

const struct wire_option *session_offers(const struct session *session, size_t *count)
{
    *count = session->offer_count;
    return session->offers;
}

const char *session_options(const struct session *session)
{
    return session->options;
}

bool session_plays(const struct session *session, const struct bg_variant *variant)
{
    return greeting_plays(session->variants, variant);
}

int64_t session_cpu_ns(const struct session *session)
{
    return session->process == NULL ? 0 : process_cpu_ns(session->process);
}

int session_in_flight(const struct session *session)
{
    return session->decisions.most;
}

uint64_t session_memory(const struct session *session)
{
    return session->process == NULL ? 0 : process_memory(session->process);
}

struct session_reply session_reply(const struct session *session)
{
    return session->reply;
}

const char *session_stderr(struct session *session)
{
    size_t size = 0;
    const char *tail = session->process == NULL ? "" : process_stderr_tail(session->process, &size);

    free(session->said);
    session->said = malloc(CLEAN_GROWTH * size + 1);
    if (session->said == NULL) {
        return "";
    }
    clean_write(session->said, CLEAN_GROWTH * size + 1, tail, size, CLEAN_TEXT);
    return session->said;
}

struct session_work session_work(const struct session *session)
{
    return session->work;
}

int *session_tables(struct session *session)
{
    return &session->tables;
}
