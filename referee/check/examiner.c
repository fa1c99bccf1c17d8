/* Whoever examines wants to wait, and the sessions need a loop: so each wait is one loop_run()
 * that ends when what is waited for has happened (stop_when). The sessions, the link and the
 * process are those of an event, which makes an examination worth something. */
#include "examiner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "../process/descriptors.h"
#include "process/launcher.h"
#include "../seat/greeting.h"
#include "../seat/last_words.h"
#include "../seat/roster.h"

enum { ARENA_BYTES = 4 << 20, ENDS_MAX = 5 };

#define MS_NS      INT64_C(1000000)
#define SWEEP_NS   (5 * MS_NS)
#define GOODBYE_NS (500 * MS_NS) /* as in session.c: after this time a bot is killed */

/* The event for which the loop waits. */
enum wait { WAIT_NOTHING, WAIT_READY, WAIT_ANSWERS, WAIT_END };

struct examiner {
    struct session_setup setup;
    struct competitor bot;
    struct bg_rules rules;
    struct link *link;
    struct loop *loop;
    struct wire_reader *reader;
    struct roster roster;    /* all sessions so far; the last one is the bot's current session */
    struct session *session; /* lent from roster */
    enum wait wait;
    size_t open; /* questions still without a result */
    int ends;    /* unexpected ends of its process */
    struct credit credit;
    struct said *said; /* lent; may be NULL */
    int64_t begun_ns, ready_ns;
    char why[300]; /* why it does not get ready; "" if it does */
};

/* ------------------------------------------------------------ the loop's calls */

static void stop_when(struct examiner *examiner, enum wait wait)
{
    if (examiner->wait == wait) {
        examiner->wait = WAIT_NOTHING;
        loop_stop(examiner->loop);
    }
}

static void on_frame(void *user, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns)
{
    struct examiner *examiner = user;

    roster_on_frame(&examiner->roster, frame, received_ns, lag_ns);
}

static void on_settle(void *user)
{
    struct examiner *examiner = user;

    roster_settle(&examiner->roster);
}

static void on_sweep(void *user, int64_t now_ns)
{
    struct examiner *examiner = user;

    roster_sweep(&examiner->roster, now_ns);
    loop_after(examiner->loop, SWEEP_NS, on_sweep, examiner);
}

/* -------------------------------------------------------- events of the session */

static void on_session_ready(void *user, struct session *session)
{
    struct examiner *examiner = user;

    (void)session;
    examiner->ready_ns = loop_now(examiner->loop) - examiner->begun_ns;
    stop_when(examiner, WAIT_READY);
}

static void settle_question(struct examiner *examiner)
{
    if (--examiner->open == 0) {
        stop_when(examiner, WAIT_ANSWERS);
    }
}

static void on_answered(void *user, struct session_slot *slot, const struct bg_answer *answer,
                        int64_t spent_ns, int64_t credit_ns)
{
    struct examiner_question *question = slot->owner;
    struct examiner *examiner = user;
    struct bg_thought thought;

    question->answered = true;
    question->answer = *answer;
    question->spent_ns = spent_ns - credit_ns;
    if (examiner->setup.wants_thoughts && session_take_thought(&thought, examiner->session) &&
        question->thought != NULL) {
        *question->thought = thought;
    }
    settle_question(user);
}

static void keep_said(struct examiner *examiner, struct session *session)
{
    if (examiner->said != NULL) {
        said_take(examiner->said, session_stderr(session));
    }
}

/* Ends the examination; why: a reason caused by the bot. */
static void stop_with(struct examiner *examiner, struct session *session, const char *message)
{
    char said[LAST_WORDS];

    last_words(said, session_stderr(session));
    snprintf(examiner->why, sizeof examiner->why, "%s%s%.160s", message,
             said[0] == '\0' ? "" : "; its last words: ", said);
    examiner->wait = WAIT_NOTHING;
    loop_stop(examiner->loop);
}

static bool ends_process(enum bg_fault fault)
{
    return fault == BG_FAULT_CRASH || fault == BG_FAULT_UNREAD || fault == BG_FAULT_FLOOD ||
           fault == BG_FAULT_MEMORY;
}

static void on_overdue(void *user, struct session_slot *slot, int64_t spent_ns)
{
    struct examiner *examiner = user;
    struct examiner_question *question = slot->owner;

    question->fault = BG_FAULT_SILENT;
    question->spent_ns = spent_ns;
    snprintf(question->message, sizeof question->message, "%s in %.1f s",
             slot->announces ? "no Ready for the announced game" : "no answer",
             (double)spent_ns / 1e9);
    settle_question(examiner);
    if (++examiner->ends == ENDS_MAX) { /* counted each time its process is killed and restarted */
        stop_with(examiner, examiner->session, question->message);
    }
}

/* The session restarts a process that failed; questions not charged with the fault wait. The
 * examination ends if the process does not restart, or fails too often. */
static void on_fault(void *user, struct session *session, struct session_slot *slot,
                     enum bg_fault fault, const char *message)
{
    struct examiner *examiner = user;

    examiner->ends += ends_process(fault);
    if (fault != BG_FAULT_ILLEGAL) {
        keep_said(examiner, session);
    }
    if (slot != NULL) {
        struct examiner_question *question = slot->owner;

        question->fault = fault;
        snprintf(question->message, sizeof question->message, "%s", message);
        settle_question(examiner);
    }
    if (fault == BG_FAULT_START || (slot == NULL && session_state(session) != SESSION_READY) ||
        examiner->ends == ENDS_MAX) {
        stop_with(examiner, session, message);
    }
}

static void on_closed(void *user, struct session *session)
{
    (void)session;
    stop_when(user, WAIT_END);
}

static const struct session_listener listener = {.ready = on_session_ready,
                                                 .answered = on_answered,
                                                 .overdue = on_overdue,
                                                 .fault = on_fault,
                                                 .closed = on_closed};

/* ---------------------------------------------------------------- starting, ending */

static enum bg_status wait_for(struct examiner *examiner, enum wait wait, struct bg_error *err)
{
    examiner->wait = wait;
    examiner->why[0] = '\0';

    enum bg_status status = loop_run(examiner->loop, err);

    if (status == BG_OK && examiner->why[0] != '\0') {
        status = bg_error_set(err, BG_E_START, "%s", examiner->why);
    }
    return status;
}

static enum bg_status start_bot(struct examiner *examiner, struct bg_error *err)
{
    enum bg_status status;

    examiner->session = session_create(&examiner->setup);
    roster_add(&examiner->roster, examiner->session);
    examiner->begun_ns = loop_now(examiner->loop);
    status = session_start(examiner->session, err);
    return status == BG_OK ? wait_for(examiner, WAIT_READY, err) : status;
}

static enum bg_status open_loop(struct examiner *examiner, struct bg_error *err)
{
    enum bg_status status = link_zmtp_open(&examiner->link, GREETING_MESSAGE_BYTES, err);

    if (status == BG_OK) {
        status = loop_create(&examiner->loop, err);
    }
    if (status == BG_OK) {
        status = loop_add_link(examiner->loop, examiner->link, on_frame, examiner, err);
    }
    if (status == BG_OK) {
        status = wire_reader_create(&examiner->reader, ARENA_BYTES, err);
    }
    if (status != BG_OK) {
        return status;
    }
    loop_on_settle(examiner->loop, on_settle, examiner);
    loop_after(examiner->loop, SWEEP_NS, on_sweep, examiner);
    return BG_OK;
}

enum bg_status examiner_open(struct examiner **out, const struct examiner_setup *setup,
                             struct bg_error *err)
{
    enum bg_status status;
    struct examiner *examiner = memory_zeroed(1, sizeof *examiner);

    launcher_begin();
    /* Before the bot: a limit that is met later looks like its failure. */
    status = descriptors_suffice(1, 0, err);
    examiner->bot = *setup->bot;
    if (setup->rules != NULL) {
        examiner->rules = *setup->rules;
    }
    examiner->said = setup->said;
    if (status == BG_OK) {
        status = open_loop(examiner, err);
    }
    examiner->setup = (struct session_setup){
        .bot = &examiner->bot,
        .event = "check",
        .rules = setup->rules == NULL ? NULL : &examiner->rules,
        .loop = examiner->loop,
        .link = examiner->link,
        .reader = examiner->reader,
        .credit = &examiner->credit,
        .start_ns = setup->start_ns,
        .ceiling_ns = setup->ceiling_ns,
        .new_game_ns = setup->start_ns,
        .wants_thoughts = setup->reads_thoughts,
        .listener = &listener,
        .user = examiner,
    };
    if (status == BG_OK) {
        status = start_bot(examiner, err);
    }
    if (status != BG_OK) {
        goto done;
    }
    *out = examiner;
    examiner = NULL; /* now the caller's */
done:
    examiner_close(examiner);
    return status;
}

static void say_goodbye(struct examiner *examiner)
{
    if (session_state(examiner->session) != SESSION_DOWN) {
        /* Before the call: a session without a process is closed inside of it. */
        examiner->wait = WAIT_END;
        session_close(examiner->session, "the examination is over");
        if (session_state(examiner->session) != SESSION_DOWN) {
            (void)loop_run(examiner->loop,
                           NULL); /* ignored: the process is killed below in any case */
        }
    }
}

void examiner_close(struct examiner *examiner)
{
    if (examiner == NULL) {
        return;
    }
    if (examiner->session != NULL) {
        say_goodbye(examiner);
    }
    roster_deinit(&examiner->roster);
    wire_reader_destroy(examiner->reader);
    loop_destroy(examiner->loop);
    link_destroy(examiner->link);
    launcher_end();
    free(examiner);
}

enum bg_status examiner_restart(struct examiner *examiner, int64_t *goodbye_ns, bool *by_itself,
                                struct bg_error *err)
{
    int64_t begun_ns = loop_now(examiner->loop);

    say_goodbye(examiner);
    *goodbye_ns = loop_now(examiner->loop) - begun_ns;
    *by_itself = *goodbye_ns < GOODBYE_NS;
    return start_bot(examiner, err);
}

/* ------------------------------------------------------------------- questions */

enum bg_status examiner_ask(struct examiner *examiner, struct examiner_question *questions,
                            size_t count, struct bg_error *err)
{
    enum bg_status status;

    examiner->open = count;
    for (size_t i = 0; i < count; i++) {
        struct examiner_question *question = &questions[i];

        question->answered = false;
        question->fault = BG_FAULT_NONE;
        question->message[0] = '\0';
        question->slot.state = SLOT_IDLE;
        question->slot.owner = question;
        question->slot.limit_ns = examiner->setup.ceiling_ns;
        /* Who does not answer is started anew, so that the next question finds a process. */
        question->slot.last_limit = true;
        question->slot.ask.ceiling_ns = examiner->setup.ceiling_ns;
        session_ask(examiner->session, &question->slot);
    }
    status = count == 0 ? BG_OK : wait_for(examiner, WAIT_ANSWERS, err);
    for (size_t i = 0; i < count && status != BG_OK; i++) {
        /* The slots are the caller's: nothing may be answered into them after this call. */
        session_cancel(examiner->session, &questions[i].slot);
    }
    return status;
}

bool question_has_result(const struct examiner_question *question)
{
    return question->answered || question->fault != BG_FAULT_NONE;
}

enum bg_status examiner_send(struct examiner *examiner, const void *data, size_t size,
                             struct bg_error *err)
{
    link_peer peer = session_peer(examiner->session);

    return peer == 0 ? bg_error_set(err, BG_E_CLOSED, "the bot is not connected")
                     : examiner->link->ops->send(examiner->link, peer, data, size, err);
}

bool examiner_plays(const struct examiner *examiner, const struct bg_variant *variant)
{
    return session_plays(examiner->session, variant);
}

const char *examiner_version(const struct examiner *examiner)
{
    return session_version(examiner->session);
}

const char *examiner_options(const struct examiner *examiner)
{
    return session_options(examiner->session);
}

const struct wire_option *examiner_offers(const struct examiner *examiner, size_t *count)
{
    return session_offers(examiner->session, count);
}

int examiner_in_flight(const struct examiner *examiner)
{
    return session_in_flight(examiner->session);
}

uint64_t examiner_memory(const struct examiner *examiner)
{
    return session_memory(examiner->session);
}

int64_t examiner_ready_ns(const struct examiner *examiner)
{
    return examiner->ready_ns;
}
