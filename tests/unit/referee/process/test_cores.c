#define _GNU_SOURCE /* sched_getaffinity, pthread_getaffinity_np */
#include "process/cores.h"

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "process/launcher.h"
#include "support/suite.h"

static cpu_set_t mine(void)
{
    cpu_set_t set;

    ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

TEST(a_bound_thread_has_one_of_its_cores_until_it_is_released)
{
    cpu_set_t before = mine(), now;
    int core = cores_bind();

    ck_assert_int_ge(core, 0);
    ck_assert(CPU_ISSET((size_t)core, &before));
    now = mine();
    ck_assert_int_eq(CPU_COUNT(&now), 1);
    ck_assert(CPU_ISSET((size_t)core, &now));
    ck_assert(CPU_EQUAL(cores_before(), &before));
    ck_assert_int_eq(cores_bind(), core); /* a second call keeps what was before the first */
    ck_assert(CPU_EQUAL(cores_before(), &before));
    cores_release();
    now = mine();
    ck_assert(CPU_EQUAL(&now, &before));
    ck_assert_ptr_null(cores_before());
    cores_release();
    now = mine();
    ck_assert(CPU_EQUAL(&now, &before));
}

static void *sleep_until(void *user)
{
    pthread_barrier_wait(user);
    return NULL;
}

TEST(a_thread_that_was_there_before_keeps_its_cores)
{
    cpu_set_t before = mine(), its;
    pthread_barrier_t end;
    pthread_t thread;

    pthread_barrier_init(&end, NULL, 2);
    ck_assert_int_eq(pthread_create(&thread, NULL, sleep_until, &end), 0);
    ck_assert_int_ge(cores_bind(), 0);
    ck_assert_int_eq(pthread_getaffinity_np(thread, sizeof its, &its), 0);
    ck_assert(CPU_EQUAL(&its, &before));
    cores_release();
    pthread_barrier_wait(&end);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&end);
}

/* Runs a process that ends with status 0 if it has `count` cores; returns whether it has. */
static bool has_cores(int count, int pin)
{
    char cmd[200], how[64];
    struct launch launch = {
        .cmd = cmd, .dir = "", .endpoint = "", .token = "", .bot = "counter", .pin = pin};
    struct process *process = NULL;

    snprintf(cmd, sizeof cmd,
             "/usr/bin/python3 -c 'import os; os._exit(len(os.sched_getaffinity(0)) != %d)'",
             count);
    ck_assert_int_eq(process_start(&process, &launch, NULL), BG_OK);
    while (!process_reap(process, how, sizeof how)) {
        struct pollfd news = {.fd = process_news_fd(process), .events = POLLIN};

        ck_assert_int_eq(poll(&news, 1, 60000), 1);
    }
    process_destroy(process);
    return strcmp(how, "exit 0") == 0;
}

TEST(a_process_of_a_bound_thread_gets_the_cores_from_before)
{
    cpu_set_t before = mine();
    int core = cores_bind();

    ck_assert(has_cores(CPU_COUNT(&before), 0));
    ck_assert(has_cores(1, 1 + core));
    cores_release();
}
