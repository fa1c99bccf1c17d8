/* world.c - virtual time, and the doubles of link_zmq.c and launcher.c. */
#define _GNU_SOURCE
#include "sim.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "seat/launcher.h"

enum { PROCESSES_MAX = 4096 };

enum event_kind { TO_REFEREE, TO_BOT, DEATH };

struct event {
    int64_t at_ns;
    uint64_t order;
    enum event_kind kind;
    int process;
    uint8_t *data; /* owned */
    size_t size;
};

struct process {
    int index;
    int end_fd; /* readable when it has ended */
    bool dead, reaped;
    struct sim_bot *bot;
};

static struct world {
    struct sim_plan plan;
    int64_t now_ns;
    uint64_t order;
    struct event *heap;
    int count, room;
    struct process *processes[PROCESSES_MAX];
    int process_count;
    uint8_t *held;        /* data of the frame lent last */
    int64_t interrupt_ns; /* -1 none */
    uint64_t chance;
} world;

int64_t sim_now(void)
{
    return world.now_ns;
}

const struct sim_plan *sim_plan(void)
{
    return &world.plan;
}

static uint64_t next_chance(void)
{
    uint64_t z = world.chance += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int __real_clock_gettime(clockid_t id, struct timespec *out);
int __wrap_clock_gettime(clockid_t id, struct timespec *out);

int __wrap_clock_gettime(clockid_t id, struct timespec *out)
{
    if (id != CLOCK_MONOTONIC) {
        return __real_clock_gettime(id, out);
    }
    out->tv_sec = (time_t)(world.now_ns / 1000000000);
    out->tv_nsec = (long)(world.now_ns % 1000000000);
    return 0;
}

/* ---------------------------------------------------------------- what will happen */

static bool is_before(const struct event *a, const struct event *b)
{
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

static void swap(struct event *a, struct event *b)
{
    struct event held = *a;

    *a = *b;
    *b = held;
}

static void plan_event(enum event_kind kind, int process, const void *data, size_t size,
                       int64_t after_ns)
{
    struct event event = {world.now_ns + after_ns, world.order++, kind, process, NULL, size};
    int i = world.count;

    if (size > 0) {
        event.data = malloc(size);
        memcpy(event.data, data, size);
    }
    if (world.count == world.room) {
        world.room = world.room == 0 ? 256 : 2 * world.room;
        world.heap = realloc(world.heap, (size_t)world.room * sizeof *world.heap);
    }
    world.heap[world.count++] = event;
    for (; i > 0 && is_before(&world.heap[i], &world.heap[(i - 1) / 2]); i = (i - 1) / 2) {
        swap(&world.heap[i], &world.heap[(i - 1) / 2]);
    }
}

static struct event take_event(void)
{
    struct event first = world.heap[0];
    int i = 0;

    world.heap[0] = world.heap[--world.count];
    for (;;) {
        int least = i;

        for (int child = 2 * i + 1; child <= 2 * i + 2 && child < world.count; child++) {
            if (is_before(&world.heap[child], &world.heap[least])) {
                least = child;
            }
        }
        if (least == i) {
            return first;
        }
        swap(&world.heap[i], &world.heap[least]);
        i = least;
    }
}

void sim_reply(const struct sim_replies *replies, const void *data, size_t size, int64_t after_ns)
{
    plan_event(TO_REFEREE, replies->process, data, size, after_ns + SIM_LINK_NS);
}

void sim_die(const struct sim_replies *replies, int64_t after_ns)
{
    plan_event(DEATH, replies->process, NULL, 0, after_ns);
}

static void end_process(struct process *process)
{
    uint64_t one = 1;

    if (!process->dead) {
        process->dead = true;
        if (write(process->end_fd, &one, sizeof one) != (ssize_t)sizeof one) {
            abort();
        }
    }
}

void sim_begin(const struct sim_plan *plan)
{
    memset(&world, 0, sizeof world);
    world.plan = *plan;
    world.now_ns = 1000000000;
    world.chance = plan->seed;
}

static void forget_events(void)
{
    while (world.count > 0) {
        free(world.heap[--world.count].data);
    }
    free(world.held);
    world.held = NULL;
}

void sim_new_run(bool may_be_interrupted)
{
    forget_events();
    world.process_count = 0; /* their owners have destroyed them */
    world.interrupt_ns = -1;
    if (may_be_interrupted && world.plan.interrupt_every_ns > 0) {
        uint64_t span = 2 * (uint64_t)world.plan.interrupt_every_ns;

        world.interrupt_ns = world.now_ns + (int64_t)(next_chance() % span);
    }
}

void sim_end(void)
{
    forget_events();
    free(world.heap);
    world.heap = NULL;
    world.room = 0;
}

int sim_hush(void)
{
    int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    fflush(stdout);
    if (out < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) {
        abort();
    }
    close(nowhere);
    return out;
}

void sim_speak(int hushed)
{
    fflush(stdout);
    if (dup2(hushed, STDOUT_FILENO) < 0) {
        abort();
    }
    close(hushed);
}

/* ------------------------------------------------------------------------ the link */

static struct link_peer peer_of(int process)
{
    struct link_peer peer = {.size = 5};

    memcpy(peer.bytes + 1, &process, sizeof process);
    return peer;
}

static int process_of(const struct link_peer *peer)
{
    int process;

    memcpy(&process, peer->bytes + 1, sizeof process);
    return process;
}

static void fake_destroy(struct link *link)
{
    free(link);
}

static const char *fake_endpoint(const struct link *link)
{
    (void)link;
    return "sim://";
}

static enum bg_status fake_send(struct link *link, const struct link_peer *peer, const void *data,
                                size_t size, struct bg_error *err)
{
    int index = process_of(peer);

    (void)link;
    if (index >= world.process_count || world.processes[index] == NULL ||
        world.processes[index]->dead) {
        return bg_error_set(err, BG_E_CLOSED, "peer is gone");
    }
    plan_event(TO_BOT, index, data, size, SIM_LINK_NS);
    return BG_OK;
}

static enum bg_status fake_receive(struct link_frame *out, struct link *link, struct bg_error *err)
{
    struct event event;

    (void)link;
    (void)err;
    if (world.count == 0 || world.heap[0].at_ns > world.now_ns ||
        world.heap[0].kind != TO_REFEREE) {
        return BG_E_TIMEOUT;
    }
    event = take_event();
    free(world.held);
    world.held = event.data;
    out->peer = peer_of(event.process);
    out->data = event.data;
    out->size = event.size;
    return BG_OK;
}

static pid_t fake_sender(const struct link *link)
{
    (void)link;
    return 0;
}

/* Lets the next thing happen to a bot; false: the next thing is the referee's. */
static bool happen(void)
{
    struct process *process;
    struct event event;

    if (world.heap[0].kind == TO_REFEREE) {
        return false;
    }
    event = take_event();
    process = world.processes[event.process];
    if (process != NULL && !process->dead) {
        if (event.kind == DEATH) {
            end_process(process);
        } else {
            sim_bot_frame(process->bot, &(struct sim_replies){&world, event.process}, event.data,
                          event.size);
        }
    }
    free(event.data);
    return true;
}

static bool is_readable(int fd)
{
    struct pollfd poll_fd = {fd, POLLIN, 0};

    return fd >= 0 && poll(&poll_fd, 1, 0) == 1;
}

static enum bg_status fake_wait(bool *fd_ready, struct link *link, int fd, int64_t timeout_ns,
                                struct bg_error *err)
{
    int64_t until_ns = timeout_ns < 0 ? INT64_MAX : world.now_ns + timeout_ns;

    (void)link;
    *fd_ready = is_readable(fd);
    while (!*fd_ready) {
        bool none = world.count == 0 || world.heap[0].at_ns > until_ns;

        if (none && until_ns == INT64_MAX) {
            fprintf(stderr, "sim: nothing will ever happen\n");
            abort();
        }
        world.now_ns = none                                 ? until_ns
                       : world.heap[0].at_ns > world.now_ns ? world.heap[0].at_ns
                                                            : world.now_ns;
        if (world.interrupt_ns >= 0 && world.now_ns >= world.interrupt_ns) {
            world.interrupt_ns = -1;
            return bg_error_set(err, BG_E_LINK, "sim: the plug is pulled");
        }
        if (none || !happen()) {
            return BG_OK;
        }
        *fd_ready = is_readable(fd);
    }
    return BG_OK;
}

/* Connections here end with their process only. */
static void fake_mind(struct link *link, const struct link_peer *peer)
{
    (void)link;
    (void)peer;
}

static int fake_lost_fd(const struct link *link)
{
    (void)link;
    return -1;
}

static bool fake_next_lost(struct link_loss *out, struct link *link)
{
    (void)out;
    (void)link;
    return false;
}

enum bg_status link_zmq_open(struct link **out, size_t message_bytes, struct bg_error *err)
{
    static const struct link_ops ops = {fake_destroy, fake_endpoint, fake_send,
                                        fake_receive, fake_sender,   fake_wait,
                                        fake_mind,    fake_lost_fd,  fake_next_lost};
    struct link *link = malloc(sizeof *link);

    (void)message_bytes;
    if (link == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "link state");
    }
    link->ops = &ops;
    *out = link;
    return BG_OK;
}

/* ------------------------------------------------------------------- the processes */

enum bg_status process_start(struct process **out, const struct launch *launch,
                             struct bg_error *err)
{
    struct process *process = calloc(1, sizeof *process);

    if (process == NULL || world.process_count == PROCESSES_MAX) {
        free(process);
        return bg_error_set(err, BG_E_START, "no room for another process");
    }
    process->index = world.process_count++;
    process->end_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    process->bot = sim_bot_create(launch->bot, launch->token);
    world.processes[process->index] = process;
    *out = process;
    sim_bot_start(process->bot, &(struct sim_replies){&world, process->index});
    return BG_OK;
}

void process_destroy(struct process *process)
{
    if (process == NULL) {
        return;
    }
    world.processes[process->index] = NULL;
    close(process->end_fd);
    sim_bot_destroy(process->bot);
    free(process);
}

pid_t process_pid(const struct process *process)
{
    return 1000000 + process->index;
}

int process_pidfd(const struct process *process)
{
    return process->end_fd;
}

int process_stderr_fd(const struct process *process)
{
    (void)process;
    return -1;
}

void process_read_stderr(struct process *process)
{
    (void)process;
}

const char *process_stderr_tail(struct process *process)
{
    (void)process;
    return "";
}

void process_signal(struct process *process, int signal)
{
    (void)signal;
    end_process(process);
}

bool process_reap(struct process *process, char *how, size_t size)
{
    snprintf(how, size, "exit 0");
    process->reaped = process->dead;
    return process->dead;
}

int64_t process_cpu_ns(const struct process *process)
{
    (void)process;
    return 0;
}

bool process_owns(const struct process *process, pid_t pid)
{
    return pid == process_pid(process);
}

uint64_t process_memory(const struct process *process)
{
    (void)process;
    return 0;
}

int launcher_begin(void)
{
    return 0;
}

void launcher_end(void)
{
}
