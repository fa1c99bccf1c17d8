/* What a bot may say depends on the state of its session: a Hello, then Ready, then answers. A
 * message that comes at another time is not a fault of its own, since a newer bot may say what
 * this referee does not know; it counts toward the flood limit (count_idle), so that it cannot
 * cost the referee more than that. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "letters.h"
#include "session_inside.h"

static bool is_open(void *user)
{
    return ((const struct session *)user)->state == SESSION_READY;
}

static int64_t on_waited(void *user, struct session_slot *slot, int64_t received_ns,
                         int64_t charged_ns)
{
    struct session *session = user;

    return core_watch_answered(&session->cores, slot, received_ns, charged_ns);
}

static void on_answered(void *user, struct session_slot *slot, const struct bg_answer *answer,
                        int64_t spent_ns, int64_t credit_ns)
{
    struct session *session = user;

    /* Only ends in a row make the next start wait longer. */
    session->failures = 0;
    outbox_note_trip(&session->outbox, spent_ns);
    session_mark(session);
    session->setup.listener->answered(session->setup.user, slot, answer, spent_ns, credit_ns);
}

static void on_strayed(void *user, const char *text)
{
    session_charge(user, BG_FAULT_ORDER, text);
}

const struct inbox_listener session_inbox_listener = {on_waited, is_open, on_answered, on_strayed};

/* Counts a message that answers nothing; an earlier charge may have ended the process already. */
static void count_idle(struct session *session, const char *what, size_t bytes, int64_t received_ns)
{
    char text[INBOX_TEXT];

    if (session->state != SESSION_ENDING && session->state != SESSION_DOWN &&
        inbox_floods(&session->inbox, text, what, bytes, received_ns,
                     loop_stalled(session->setup.loop, received_ns))) {
        session_fail(session, BG_FAULT_FLOOD, text);
    }
}

/* Returns false if the bot was not asked to be Ready for this game. */
static bool take_ready(struct session *session, const char *game)
{
    struct session_slot *slot = decisions_announced(&session->decisions, game);

    if (slot == NULL) {
        return false;
    }
    outbox_note_ready(&session->outbox, game);
    session_mark(session);
    if (slot->held) { /* it keeps its number, and its time has run */
        slot->announces = false;
    } else {
        decisions_close(&session->decisions, slot);
        session->failures = 0;
        session->setup.listener->answered(session->setup.user, slot, NULL, 0, 0);
    }
    return true;
}

static void note_back(struct session *session)
{
    if (session->absence == SESSION_EXCUSED) {
        decisions_forgive(&session->decisions,
                          loop_now(session->setup.loop) - session->away_since_ns);
    }
    session->absence = SESSION_PRESENT;
}

static void take_other(struct session *session, const struct wire_message *message,
                       const struct link_frame *frame, int64_t received_ns)
{
    struct bg_error err;
    enum bg_status status = BG_OK;

    if (message->content == WIRE_READY && session->state == SESSION_GREETED) {
        session_enter(session, SESSION_READY);
        note_back(session);
        session->failed_starts = 0;
        session->starts++;
        session->refusals = 0;
        session->takes_version = false;
        session_mark(session);
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
        status = session_send_buffer(session, &err);
    }
    if (status == BG_E_TIMEOUT) {
        session_fail(session, BG_FAULT_UNREAD, "it does not read the messages sent to it");
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
        session_charge(session, BG_FAULT_ORDER, text);
    } else if (session_is_starting(session)) {
        session_fail(session, BG_FAULT_START, text);
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
        session_charge(session, fault, text);
        count_idle(session, charged, frame->size, receipt->received_ns);
    } else if (message.content != WIRE_ANSWERS || session->state != SESSION_READY) {
        take_other(session, &message, frame, receipt->received_ns);
    } else if (!inbox_take_answers(&what, &session->inbox, &message, receipt)) {
        count_idle(session, what, frame->size, receipt->received_ns);
    }
}

/* What is open for a bot whose line was lost. The list is used at once. */
static void list_open(struct greeting_terms *terms, const struct session *session)
{
    static const char *list[WIRE_BATCH_MAX]; /* one thread */
    const struct session_games *games = session->setup.games;

    terms->resuming = session_is_away(session);
    if (terms->resuming && games != NULL) {
        terms->open_games = list;
        terms->open_game_count = games->list(games->user, session, list, WIRE_BATCH_MAX);
    }
}

/* The version that it has to be; NULL: any. */
static const char *version_of(const struct session *session)
{
    if (session->takes_version) {
        return session->next_version[0] == '\0' ? NULL : session->next_version;
    }
    return session->setup.holds_version && session->starts > 0 ? session->greeting.version : NULL;
}

/* Handles the first message of a start. After it no other process can connect by this door. */
static void on_first(struct session *session, const struct link_frame *frame)
{
    const struct session_setup *setup = &session->setup;
    struct greeting_terms terms = {
        .bot = setup->bot,
        .token = bot_process_token(session->process),
        .event = setup->event,
        .rules = setup->rules,
        .evaluator = setup->evaluator,
        .enters_dice = setup->enters_dice,
        .want_thoughts = setup->wants_thoughts,
        .version = version_of(session),
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
    list_open(&terms, session);
    is_welcome = greeting_take(&session->greeting, &session->buffer, text, frame, &terms);
    if (session->buffer.size > 0) {
        status = session_send_buffer(session, &err);
    }
    if (!is_welcome) { /* also if its Refusal could not be sent */
        session_turn_away(session, text);
    } else if (status != BG_OK) {
        session_fail(session, BG_FAULT_START, err.text);
    } else {
        session->decisions.most = session->greeting.in_flight;
        session->outbox.announces = session->greeting.stateful;
        session->outbox.tells = session->greeting.want_tells ? &session->tells : NULL;
        session->outbox.new_game_ns = setup->new_game_ns;
        session_enter(session, SESSION_GREETED);
        if (setup->door != NULL && setup->door->came != NULL) {
            setup->door->came(setup->door->user, setup->bot_index);
        }
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
        const struct receipt receipt = {received_ns, session_stalled(session, received_ns),
                                        credit_for_queue(credit, received_ns, lag_ns)};

        session->inbox.reply = (struct session_reply){.data = frame->data, .size = frame->size};
        on_traffic(session, frame, &receipt);
        session->inbox.reply = (struct session_reply){.data = NULL};
    }
    credit_note_work(credit, received_ns, lag_ns, loop_now(session->setup.loop));
}
