/* What a bot is credited for the cores that others had: between two looks at its threads. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/core_wait.h"
#include "support/suite.h"

#define MS_NS INT64_C(1000000)

enum { THREADS = 4 };

/* One thread between the looks, in milliseconds. */
struct story {
    int used, waited;
    bool is_new;    /* it began after the first look */
    bool ready_now; /* at the second look */
    bool no_turn;   /* ready at both, and had no core between */
};

static const struct {
    const char *what;
    struct {
        int sent, first, second; /* when it was sent and the looks were taken, in milliseconds */
        int ended_cpu;           /* used by threads and children that have ended */
    } at;
    int threads;
    struct story thread[THREADS];
    struct {
        int known, possible;
    } waited;
} cases[] = {
    {"a quick bot behind others", {0, 1, 55, 0}, 1, {{.used = 3, .waited = 51}}, {51, 51}},
    {"a bot that only thinks", {0, 1, 100, 0}, 1, {{99, 0, .ready_now = true}}, {0, 1}},
    {"a bot that sleeps", {0, 1, 100, 0}, 1, {{.used = 0, .waited = 0}}, {0, 0}},
    {"one that sleeps among threads that sleep",
     {0, 1, 100, 0},
     3,
     {{.used = 0, .waited = 0}, {.used = 0, .waited = 0}, {.used = 1, .waited = 0}},
     {0, 0}},
    {"a bot that thinks and waits", {0, 1, 101, 0}, 1, {{30, 70, .ready_now = true}}, {70, 71}},
    {"it has had no core since it was asked", {0, 1, 40, 0}, 1, {{0, 0, .no_turn = true}}, {0, 40}},
    {"it waits since it was asked, behind a wait from before",
     {10, 11, 40, 0},
     1,
     {{.used = 1, .waited = 90}},
     {29, 29}},
    {"four threads of its own on one core",
     {0, 0, 100, 0},
     4,
     {{.used = 25, .waited = 75},
      {.used = 25, .waited = 75},
      {.used = 25, .waited = 75},
      {.used = 25, .waited = 75}},
     {0, 0}},
    {"two threads of its own on one core of many, the others idle",
     {0, 0, 100, 0},
     2,
     {{.used = 50, .waited = 50}, {.used = 50, .waited = 50}},
     {0, 0}},
    {"it lets a thread of low priority wait behind its own work",
     {0, 0, 100, 0},
     2,
     {{.used = 99, .waited = 1}, {.used = 1, .waited = 99}},
     {0, 0}},
    {"a child that has ended burned what the bot waited for",
     {0, 0, 100, 95},
     1,
     {{.used = 5, .waited = 95}},
     {0, 0}},
    {"half of the wait is behind its own child",
     {0, 0, 100, 30},
     1,
     {{.used = 10, .waited = 80}},
     {50, 50}},
    {"two threads that wait for others at once: once",
     {0, 0, 100, 0},
     2,
     {{.used = 2, .waited = 60}, {.used = 2, .waited = 60}},
     {58, 58}},
    {"a new thread counts from its beginning",
     {0, 0, 100, 0},
     2,
     {{.used = 0, .waited = 0}, {10, 60, .is_new = true}},
     {60, 60}},
    {"no more than has passed without its own work",
     {0, 0, 20, 0},
     1,
     {{.used = 5, .waited = 40}},
     {15, 15}},
    {"a thread that turns in circles behind others",
     {0, 0, 60000, 0},
     1,
     {{.used = 5, .waited = 59995}},
     {10000, 10000}},
};

static struct core_look look_of(struct core_thread *threads, const struct story *story, int count,
                                bool is_second)
{
    struct core_look look = {.threads = threads};

    for (int i = 0; i < count; i++) {
        if (story[i].is_new && !is_second) {
            continue;
        }
        threads[look.count++] = (struct core_thread){
            .tid = 100 + i,
            .cpu_ns = (story[i].is_new ? 0 : 500 * MS_NS) + (is_second ? story[i].used * MS_NS : 0),
            .delay_ns =
                (story[i].is_new ? 0 : 700 * MS_NS) + (is_second ? story[i].waited * MS_NS : 0),
            .turns = is_second && !story[i].no_turn ? 8 : 7,
            .is_ready = is_second ? story[i].ready_now || story[i].no_turn : story[i].no_turn,
        };
        look.cpu_ns += threads[look.count - 1].cpu_ns;
    }
    return look;
}

TEST_ROWS(what_was_waited_because_of_others_is_credited, cases)
{
    struct core_thread before[THREADS], after[THREADS];
    struct core_look first = look_of(before, cases[_i].thread, cases[_i].threads, false);
    struct core_look second = look_of(after, cases[_i].thread, cases[_i].threads, true);
    struct core_wait wait;

    first.at_ns = cases[_i].at.first * MS_NS;
    second.at_ns = cases[_i].at.second * MS_NS;
    second.cpu_ns += cases[_i].at.ended_cpu * MS_NS;
    wait = core_wait_between(&first, &second, cases[_i].at.sent * MS_NS);
    ck_assert_msg(wait.known_ns == cases[_i].waited.known * MS_NS, "%s: %g ms known",
                  cases[_i].what, (double)wait.known_ns / 1e6);
    ck_assert_msg(wait.possible_ns == cases[_i].waited.possible * MS_NS, "%s: %g ms possible",
                  cases[_i].what, (double)wait.possible_ns / 1e6);
}

/* Whatever the threads do: a bot is charged at least what all its processes used, at most what has
 * passed. */
TEST(a_bot_is_charged_between_its_work_and_the_time)
{
    for (int round = 0; round < 20000; round++) {
        struct core_thread before[THREADS], after[THREADS];
        struct story story[THREADS] = {{0}};
        int count = 1 + rand() % THREADS, used = 0;
        int64_t charged_ns;
        struct core_look first, second;
        struct core_wait wait;

        for (int i = 0; i < count; i++) {
            story[i].used = rand() % 101;
            story[i].waited = rand() % (101 - story[i].used);
            story[i].ready_now = rand() % 2 == 0;
            story[i].is_new = rand() % 4 == 0;
            used += story[i].used;
        }
        first = look_of(before, story, count, false);
        second = look_of(after, story, count, true);
        /* threads that are new have no time in the first look */
        second.cpu_ns = first.cpu_ns + used * MS_NS;
        second.at_ns = 100 * MS_NS;
        wait = core_wait_between(&first, &second, 0);
        charged_ns = 100 * MS_NS - wait.known_ns;
        ck_assert_int_ge(charged_ns, (used < 100 ? used : 100) * MS_NS);
        ck_assert_int_le(charged_ns, 100 * MS_NS);
        ck_assert_int_ge(wait.possible_ns, wait.known_ns);
        ck_assert_int_le(wait.possible_ns, 100 * MS_NS);
    }
}

/* The kernel's own numbers: this process burns, and the look sees it. */
TEST(a_look_reads_the_system)
{
    pid_t child = fork();
    struct core_look *look;

    if (child == 0) {
        for (;;) {
            pause();
        }
    }
    ck_assert_int_gt(child, 0);
    look = core_look_take(getpid(), 5 * MS_NS);
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    if (access("/proc/self/schedstat", R_OK) != 0) {
        ck_assert_ptr_null(look); /* a kernel without it: nothing is credited */
        return;
    }
    ck_assert_ptr_nonnull(look);
    ck_assert_int_eq(look->at_ns, 5 * MS_NS);
    ck_assert_int_eq((int)look->count, 1);
    ck_assert_int_eq(look->threads[0].tid, child);
    ck_assert_int_ge(look->threads[0].cpu_ns, 0);
    ck_assert(!look->is_stopped);
    look->uses = 2;
    core_look_release(look);
    core_look_release(look);
    ck_assert_ptr_null(core_look_take(0, 0));
}
