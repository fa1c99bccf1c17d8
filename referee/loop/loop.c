/* The loop waits inside its first link, whose epoll has the loop's epoll as one of its
 * descriptors: a wake-up and the list of what is ready are one system call, where most rounds
 * only move frames. Descriptors are watched level-triggered, so a callback may read a part and
 * gets another call; whoever has seen the end of a file has to unwatch it. */
#include "loop.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "timers.h"
#include "base/utc.h"

/* Frames taken from a link before deadlines and sending get their turn. */
enum { FRAMES_A_ROUND = 256, EVENTS_A_ROUND = 32 };

/* A round or a late wake-up up to this is normal; a longer one counts as a stall. */
#define STALL_NS INT64_C(20000000)
/* In a round the loop's own work is known as processor time, so the rest is certain: it counts from
 * here on. A loop that loses its core between stamping a decision and sending it, or before it
 * reads an answer, would else charge the bot up to STALL_NS. */
#define ROUND_NS INT64_C(2000000)
/* A wait that ends later than this is a stall, too, if it is not credited in full (see
 * loop_stalled). */
#define OVERSLEPT_NS INT64_C(5000000)
/* While there are deadlines no wait is longer than this. A stop that ends before the wait would
 * have ended is not seen, so an unseen stop is not longer than this. */
#define LONGEST_WAIT_NS INT64_C(50000000)
/* Reading the thread's processor time is a system call: do it at most this often. */
#define CPU_EVERY_NS INT64_C(1000000)

struct watch {
    int fd; /* -1: free to be reused */
    loop_fn fn;
    void *user;
};

/* A link in the loop. */
struct port {
    struct link *link; /* lent; NULL: free to be reused */
    loop_frame_fn fn;
    void *user;
    int fd;             /* its frame_fd, watched; -1: the loop waits in this link */
    bool may_have_more; /* it may have more frames */
    int64_t taken_ns;   /* when its frames were taken last */
    int64_t idle_ns;    /* when it last looked at every connection */
};

struct loop {
    struct port *ports; /* owned */
    int port_count;
    size_t port_room, watch_room;
    int main_port;     /* place of the link that the loop waits in; -1 none */
    int watched_ports; /* number of the others */
    struct timers timers;
    int epoll_fd;
    struct watch *watches; /* owned */
    int watch_count;
    loop_fn settle_fn;
    void *settle_user;
    int64_t woke_ns; /* when this round began */
    int64_t cpu_ns;  /* this thread's processor time at cpu_at_ns, a short time ago */
    int64_t cpu_at_ns;
    int64_t stalled_ns; /* stalled in the rounds and waits before this round */
    bool stopped;
};

static void begin_round(struct loop *loop)
{
    loop->woke_ns = loop_now(loop);
    if (loop->woke_ns - loop->cpu_at_ns >= CPU_EVERY_NS) {
        loop->cpu_at_ns = loop->woke_ns;
        loop->cpu_ns = utc_thread_ns();
    }
}

enum bg_status loop_create(struct loop **out, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct loop *loop = memory_zeroed(1, sizeof *loop);

    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll_fd < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "epoll: %s", strerror(errno));
        free(loop);
        return status;
    }
    loop->main_port = -1;
    begin_round(loop); /* time before loop_run counts as well */
    *out = loop;
    return BG_OK;
}

void loop_destroy(struct loop *loop)
{
    if (loop == NULL) {
        return;
    }
    close(loop->epoll_fd);
    timers_deinit(&loop->timers);
    free(loop->watches);
    free(loop->ports);
    free(loop);
}

int64_t loop_wall(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t loop_now(const struct loop *loop)
{
    (void)loop;
    return utc_steady_ns();
}

int64_t loop_calendar(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec;
}

static int64_t stall(int64_t took_ns)
{
    return took_ns > STALL_NS ? took_ns : 0;
}

/* Only the part of a long round in which the loop did not work is a stall. */
int64_t loop_stalled(const struct loop *loop, int64_t now_ns)
{
    int64_t took_ns = now_ns - loop->woke_ns;
    int64_t rest_ns = took_ns <= ROUND_NS ? 0 : took_ns - (utc_thread_ns() - loop->cpu_ns);

    return loop->stalled_ns + (rest_ns > ROUND_NS ? rest_ns : 0);
}

/* ------------------------------------------------------------------ links */

/* Notes which of the links the loop waits in and how many it watches. */
static void count_ports(struct loop *loop)
{
    loop->main_port = -1;
    loop->watched_ports = 0;
    for (int i = 0; i < loop->port_count; i++) {
        if (loop->ports[i].link != NULL && loop->ports[i].fd < 0) {
            loop->main_port = i;
        }
        loop->watched_ports += loop->ports[i].link != NULL && loop->ports[i].fd >= 0;
    }
}

static struct port *free_port(struct loop *loop)
{
    for (int i = 0; i < loop->port_count; i++) {
        if (loop->ports[i].link == NULL) {
            return &loop->ports[i];
        }
    }
    loop->ports = memory_list(loop->ports, &loop->port_room, (size_t)loop->port_count + 1,
                              sizeof *loop->ports);
    loop->ports[loop->port_count] = (struct port){.link = NULL};
    return &loop->ports[loop->port_count++];
}

enum bg_status loop_add_link(struct loop *loop, struct link *link, loop_frame_fn fn, void *user,
                             struct bg_error *err)
{
    int fd = loop->main_port < 0 ? -1 : link->ops->frame_fd(link);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    struct port *port = free_port(loop);
    int64_t now_ns = loop_now(loop);

    if (fd >= 0 && epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "watch a link: %s", strerror(errno));
    }
    *port = (struct port){link, fn, user, fd, true, now_ns, now_ns};
    count_ports(loop);
    return BG_OK;
}

void loop_remove_link(struct loop *loop, const struct link *link)
{
    for (int i = 0; i < loop->port_count && link != NULL; i++) {
        struct port *port = &loop->ports[i];

        if (port->link == link && port->fd >= 0) {
            epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, port->fd, NULL);
        }
        if (port->link == link) {
            *port = (struct port){.link = NULL};
        }
    }
    count_ports(loop);
}

/* ------------------------------------------------- descriptors and deadlines */

void loop_on_settle(struct loop *loop, loop_fn fn, void *user)
{
    loop->settle_fn = fn;
    loop->settle_user = user;
}

static struct watch *free_watch(struct loop *loop)
{
    for (int i = 0; i < loop->watch_count; i++) {
        if (loop->watches[i].fd < 0) {
            return &loop->watches[i];
        }
    }
    loop->watches = memory_list(loop->watches, &loop->watch_room, (size_t)loop->watch_count + 1,
                                sizeof *loop->watches);
    return &loop->watches[loop->watch_count++];
}

enum bg_status loop_watch(struct loop *loop, int fd, loop_fn fn, void *user, struct bg_error *err)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    struct watch *watch = free_watch(loop);

    *watch = (struct watch){fd, fn, user};
    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        watch->fd = -1;
        return bg_error_set(err, BG_E_SYSTEM, "watch descriptor %d: %s", fd, strerror(errno));
    }
    return BG_OK;
}

void loop_unwatch(struct loop *loop, int fd)
{
    for (int i = 0; i < loop->watch_count; i++) {
        if (fd >= 0 && loop->watches[i].fd == fd) {
            epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
            loop->watches[i].fd = -1;
        }
    }
}

void loop_after(struct loop *loop, int64_t delay_ns, loop_timer_fn fn, void *user)
{
    timers_add(&loop->timers, loop_now(loop) + delay_ns, fn, user);
}

void loop_forget(struct loop *loop, const void *user)
{
    timers_remove(&loop->timers, user);
}

static void call_watch(struct loop *loop, int fd)
{
    for (int i = 0; i < loop->watch_count; i++) {
        if (loop->watches[i].fd == fd) {
            /* One that a callback before has unwatched is not found any more, and its event is
             * dropped. Returns at once, as the callback may have moved the list. */
            loop->watches[i].fn(loop->watches[i].user);
            return;
        }
    }
    for (int i = 0; i < loop->port_count; i++) {
        struct port *port = &loop->ports[i];

        port->may_have_more |= port->link != NULL && port->fd == fd;
    }
}

static void take_events(struct loop *loop)
{
    struct epoll_event events[EVENTS_A_ROUND];
    int count = epoll_wait(loop->epoll_fd, events, EVENTS_A_ROUND, 0);

    for (int i = 0; i < count && !loop->stopped; i++) {
        call_watch(loop, events[i].data.fd);
    }
}

/* ------------------------------------------------------------------ a round */

/* Takes the waiting frames of a link, up to a round's share. Any callback may add or remove
 * links. */
static enum bg_status take_frames_of(int at, struct loop *loop, struct bg_error *err)
{
    const struct link *link = loop->ports[at].link;
    int64_t now_ns = loop->woke_ns;

    loop->ports[at].taken_ns = now_ns;
    for (int i = 0; i < FRAMES_A_ROUND && !loop->stopped; i++) {
        struct port *port = &loop->ports[at];
        struct link_frame frame;
        enum bg_status status;

        if (port->link != link) {
            return BG_OK; /* removed by the frame before */
        }
        status = port->link->ops->receive(&frame, port->link, now_ns, err);
        if (status != BG_OK) {
            port->may_have_more = false;
            return status == BG_E_TIMEOUT ? BG_OK : status;
        }
        now_ns = loop_now(loop);
        port->fn(port->user, &frame, now_ns, now_ns - port->idle_ns);
    }
    return BG_OK;
}

/* A watched link is read if its descriptor is readable, or if something may have become too old. */
static bool is_to_be_asked(const struct port *port, int64_t now_ns)
{
    return port->fd < 0 || port->may_have_more || now_ns - port->taken_ns >= LONGEST_WAIT_NS;
}

/* Takes the waiting frames. *more: a link has used up its share of the round. */
static enum bg_status take_frames(bool *more, struct loop *loop, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    *more = false;
    for (int i = 0; i < loop->port_count && !loop->stopped && status == BG_OK; i++) {
        if (loop->ports[i].link == NULL || !is_to_be_asked(&loop->ports[i], loop->woke_ns)) {
            continue;
        }
        loop->ports[i].may_have_more = true;
        status = take_frames_of(i, loop, err);
        *more |= loop->ports[i].link != NULL && loop->ports[i].may_have_more;
    }
    return status;
}

/* Waits in the main link, or in epoll if there is none. */
static enum bg_status wait_for_news(struct link_woken *woken, struct loop *loop, int64_t wait_ns,
                                    struct bg_error *err)
{
    struct pollfd poll_fd = {loop->epoll_fd, POLLIN, 0};

    if (loop->main_port >= 0) {
        struct link *link = loop->ports[loop->main_port].link;

        return link->ops->wait(woken, link, loop->epoll_fd, wait_ns, err);
    }
    /* Rounded up: waking slightly late is fine; otherwise the loop would spin until the time
     * comes. */
    woken->fd_ready =
        poll(&poll_fd, 1, wait_ns < 0 ? -1 : (int)((wait_ns + 999999) / 1000000)) == 1;
    return BG_OK;
}

/* Notes since when a frame that comes now may have waited for the loop. */
static void note_looks(struct loop *loop, bool main_looked)
{
    for (int i = 0; i < loop->port_count; i++) {
        struct port *port = &loop->ports[i];

        if (port->fd < 0 ? main_looked : !port->may_have_more) {
            port->idle_ns = loop->woke_ns;
        }
    }
}

/* Waits for a frame, a descriptor or the next deadline, and calls the watches of what is ready.
 * more: frames are left from this round. */
static enum bg_status wait_a_round(struct loop *loop, bool more, struct bg_error *err)
{
    int64_t now_ns = loop_now(loop);
    int64_t wait_ns = more ? 0 : timers_wait(&loop->timers, now_ns);
    bool endless = wait_ns < 0 && loop->watched_ports == 0;
    int64_t allowed_ns = endless                                     ? -1
                         : wait_ns >= 0 && wait_ns < LONGEST_WAIT_NS ? wait_ns
                                                                     : LONGEST_WAIT_NS;
    int64_t due_ns = endless ? INT64_MAX : now_ns + allowed_ns, late_ns;
    struct link_woken woken = {false, true};
    enum bg_status status;

    loop->stalled_ns = loop_stalled(loop, now_ns);
    status = wait_for_news(&woken, loop, allowed_ns, err);
    begin_round(loop);
    late_ns = loop->woke_ns - due_ns;
    note_looks(loop, woken.looked);
    /* After a long stall the moment when it began is unknown, and so is the time at which frames
     * arrived: charge none of it to bots. After a short one credit only the certain part, otherwise
     * a busy machine would stop every clock. */
    if (stall(late_ns) > 0) {
        loop->stalled_ns += loop->woke_ns - now_ns;
    } else if (late_ns > OVERSLEPT_NS) {
        loop->stalled_ns += late_ns;
    }
    if (status == BG_OK && woken.fd_ready) {
        take_events(loop);
    }
    return status;
}

enum bg_status loop_run(struct loop *loop, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    loop->stopped = false;
    for (int i = 0; i < loop->port_count; i++) {
        loop->ports[i].may_have_more = true;
        loop->ports[i].idle_ns = loop_now(loop);
    }
    while (!loop->stopped && status == BG_OK) {
        bool more;

        status = take_frames(&more, loop, err);
        if (status != BG_OK) {
            break;
        }
        /* After the frames: an answer that has come in time is taken before anybody looks at its
         * deadline. */
        timers_run(&loop->timers, loop_now(loop));
        /* Last: what frames and deadlines have caused is sent together. */
        if (loop->settle_fn != NULL && !loop->stopped) {
            loop->settle_fn(loop->settle_user);
        }
        if (!loop->stopped) {
            status = wait_a_round(loop, more, err);
        }
    }
    return status;
}

void loop_stop(struct loop *loop)
{
    loop->stopped = true;
}
