/* Which waits for a core are credited, to which decision and when. The looks at the bot's threads
 * and the loop are doubles (--wrap). */
#include <stdlib.h>

#include "seat/core_watch.h"
#include "support/suite.h"

#define MS_NS INT64_C(1000000)

enum { LIMIT_MS = 20 };

/* What the double of the system shows: one thread. */
static int64_t cpu_ns, delay_ns;
static bool is_ready, is_hidden;
static uint64_t turns;
static int looks;

struct core_look *__wrap_bot_process_core_look(const struct bot_process *process, int64_t now_ns);
struct core_look *__wrap_bot_process_core_look(const struct bot_process *process, int64_t now_ns)
{
    struct core_look *look = calloc(1, sizeof *look);

    looks++;
    if (is_hidden) {
        free(look);
        return NULL;
    }
    look->threads = calloc(1, sizeof *look->threads);
    look->at_ns = now_ns;
    look->cpu_ns = cpu_ns;
    look->count = look->room = 1;
    look->threads[0] = (struct core_thread){
        .tid = 1, .cpu_ns = cpu_ns, .delay_ns = delay_ns, .turns = turns, .is_ready = is_ready};
    return look;
}

static loop_timer_fn due;
static int64_t due_after_ns;

void __wrap_loop_after(struct loop *loop, int64_t after_ns, loop_timer_fn fn, void *user);
void __wrap_loop_after(struct loop *loop, int64_t after_ns, loop_timer_fn fn, void *user)
{
    (void)loop, (void)user;
    due = fn;
    due_after_ns = after_ns;
}

void __wrap_loop_forget(struct loop *loop, const void *user);
void __wrap_loop_forget(struct loop *loop, const void *user)
{
    (void)loop, (void)user;
    due = NULL;
}

static struct decisions decisions;
static struct session_slot slot;
static struct core_watch watch;

/* Sends a decision at 0. */
static void send_one(bool pays_bank)
{
    int from = 0;

    cpu_ns = delay_ns = 0;
    is_ready = is_hidden = false;
    looks = 0;
    due = NULL;
    decisions = (struct decisions){.most = 4};
    slot = (struct session_slot){.limit_ns = LIMIT_MS * MS_NS, .pays_bank = pays_bank};
    watch = (struct core_watch){.decisions = &decisions, .process = (struct bot_process *)&slot};
    decisions_wait(&decisions, &slot);
    ck_assert_ptr_eq(decisions_open(&decisions, &from), &slot);
    slot.allowed_ns = slot.limit_ns;
    core_watch_sent(&watch);
}

/* The bot's thread has run and waited so long since. */
static void pass(int ran_ms, int waited_ms)
{
    cpu_ns += ran_ms * MS_NS;
    delay_ns += waited_ms * MS_NS;
    turns++;
}

static void end(void)
{
    decisions_close(&decisions, &slot);
    core_watch_end(&watch);
}

static void first_look(void)
{
    ck_assert(due != NULL);
    due(&watch, due_after_ns);
    ck_assert_int_eq(looks, 1);
}

static const struct {
    const char *what;
    bool pays_bank, looked;
    int ran, waited, charged; /* ms */
    int credited;
} answers[] = {
    {"late behind others", false, true, 3, 51, 55, 51},
    {"late by its own work", false, true, 55, 0, 55, 0},
    {"in time: it does not matter", false, true, 3, 10, 15, 0},
    {"in time, but its bank pays", true, true, 3, 10, 15, 10},
    {"no more than it would be charged", false, true, 0, 51, 30, 30},
    {"late, and answered before the first look", false, false, 3, 51, 55, 0},
};

TEST_ROWS(what_a_late_answer_has_waited_is_not_charged, answers)
{
    int64_t waited_ns;

    send_one(answers[_i].pays_bank);
    if (answers[_i].looked) {
        first_look();
    }
    pass(answers[_i].ran, answers[_i].waited);
    waited_ns = core_watch_answered(&watch, &slot, 55 * MS_NS, answers[_i].charged * MS_NS);
    ck_assert_msg(waited_ns == answers[_i].credited * MS_NS, "%s: %.1f ms", answers[_i].what,
                  (double)waited_ns / 1e6);
    ck_assert_int_eq(slot.waited_ns, waited_ns);
    end();
}

TEST(a_decision_is_overdue_by_what_its_bot_has_used)
{
    int64_t spent_ns = 0;

    send_one(false);
    first_look();
    pass(3, 25);
    ck_assert_ptr_null(core_watch_overdue(&spent_ns, &watch, 30 * MS_NS, 0));
    pass(20, 0);
    ck_assert_ptr_eq(core_watch_overdue(&spent_ns, &watch, 51 * MS_NS, 0), &slot);
    ck_assert_int_eq(spent_ns, 26 * MS_NS);
    end();
}

/* A wait is counted when it ends: the next look comes when even this one would not excuse it. */
TEST(one_that_may_be_waiting_is_not_overdue_yet)
{
    int64_t spent_ns = 0;

    send_one(false);
    is_ready = true;
    first_look();
    ck_assert_ptr_null(core_watch_overdue(&spent_ns, &watch, 30 * MS_NS, 0));
    pass(48, 0); /* it has run all the time */
    is_ready = false;
    ck_assert_ptr_eq(core_watch_overdue(&spent_ns, &watch, 51 * MS_NS, 0), &slot);
    end();
}

TEST(where_nothing_can_be_seen_all_is_charged)
{
    int64_t spent_ns = 0;

    send_one(false);
    is_hidden = true;
    first_look();
    ck_assert(slot.is_unseen);
    pass(3, 50);
    ck_assert_ptr_eq(core_watch_overdue(&spent_ns, &watch, 30 * MS_NS, 0), &slot);
    ck_assert_int_eq(core_watch_answered(&watch, &slot, 55 * MS_NS, 55 * MS_NS), 0);
    end();
    send_one(false);
    end();
    watch.process = NULL; /* on another machine */
    decisions_wait(&decisions, &slot);
    core_watch_sent(&watch);
    ck_assert(due == NULL);
    decisions_cancel(&decisions, &slot);
}
