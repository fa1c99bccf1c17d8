/* The order to end is the end of our half of the socket (shutdown): it also reaches a keeper
 * that is busy, and cannot be lost. The other half stays open, and its end tells that the keeper
 * has gone, so nothing is polled; only a bot that has stopped its keeper makes the rests
 * necessary. */
#include "ending.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../log.h"
#include "base/memory.h"
#include "cgroup.h"
#include "orphans.h"

#define MS_NS    INT64_C(1000000)
#define SOON_NS  (1 * MS_NS)  /* first check after the keeper has closed its socket */
#define REST_NS  (50 * MS_NS) /* a bot may have stopped its keeper: continue it this often */
#define PAUSE_MS 2

struct being_ended {
    struct ending about;
    bool reaped;   /* the keeper was reaped */
    bool watched;  /* the loop watches its socket */
    bool is_clean; /* the keeper reported that nothing is left */
    struct being_ended *next;
};

static struct being_ended *first;

static void on_rest(void *user, int64_t now_ns);

/* Returns true if nothing is left of the bot. */
static bool has_ended(struct being_ended *ending)
{
    int status = 0;

    if (!ending->reaped) {
        pid_t pid = waitpid(ending->about.keeper, &status, WNOHANG);

        if (pid == 0) {
            kill(ending->about.keeper, SIGCONT);
            return false;
        }
        ending->reaped = true;
        ending->is_clean = pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        orphans_forget(ending->about.keeper);
    }
    return ending->is_clean ||
           cgroup_sweep(ending->about.keeper) + orphans_end(ending->about.session) == 0;
}

static void leave_loop(struct being_ended *ending)
{
    if (ending->about.loop != NULL) {
        if (ending->watched) {
            loop_unwatch(ending->about.loop, ending->about.socket);
        }
        loop_forget(ending->about.loop, ending);
        ending->about.loop = NULL;
    }
}

static void drop(struct being_ended *ending)
{
    struct being_ended **at = &first;

    leave_loop(ending);
    while (*at != ending) {
        at = &(*at)->next;
    }
    *at = ending->next;
    close(ending->about.socket);
    free(ending);
}

static void go_on(struct being_ended *ending, int64_t rest_ns)
{
    loop_after(ending->about.loop, rest_ns, on_rest, ending);
}

static void look(struct being_ended *ending, int64_t rest_ns, int64_t now_ns)
{
    struct ending about = ending->about;

    if (!has_ended(ending)) {
        go_on(ending, ending->reaped ? SOON_NS : rest_ns);
        return;
    }
    drop(ending);
    if (about.gone != NULL) {
        about.gone(about.user, now_ns);
    }
}

static void on_rest(void *user, int64_t now_ns)
{
    look(user, REST_NS, now_ns);
}

/* The keeper has closed its end: it is exiting, or was killed. */
static void on_socket(void *user)
{
    struct being_ended *ending = user;
    struct loop *loop = ending->about.loop;
    char report[256];

    if (recv(ending->about.socket, report, sizeof report, MSG_DONTWAIT) > 0) {
        return; /* a report that is no longer needed */
    }
    loop_unwatch(loop, ending->about.socket);
    ending->watched = false;
    loop_forget(loop, ending);
    look(ending, SOON_NS, loop_now(loop));
}

/* Handles the endings that no loop watches. */
static void collect(void)
{
    for (struct being_ended *at = first, *next; at != NULL; at = next) {
        next = at->next;
        if (at->about.loop == NULL && has_ended(at)) {
            drop(at);
        }
    }
}

void ending_begin(const struct ending *take)
{
    struct being_ended *ending = memory_zeroed(1, sizeof *ending);
    struct bg_error err;

    collect();
    shutdown(take->socket, SHUT_WR);
    kill(take->keeper, SIGCONT);
    *ending = (struct being_ended){.about = *take, .next = first};
    first = ending;
    if (take->loop != NULL) {
        ending->watched = loop_watch(take->loop, take->socket, on_socket, ending, &err) == BG_OK;
        go_on(ending, ending->watched ? REST_NS : SOON_NS);
    }
}

void ending_forget(const void *user)
{
    for (struct being_ended *at = first; at != NULL; at = at->next) {
        if (at->about.user == user) {
            leave_loop(at);
            at->about.gone = NULL;
            at->about.user = NULL;
        }
    }
}

int ending_wait(int64_t limit_ns)
{
    int64_t end_ns = loop_now(NULL) + limit_ns;
    int left = 0;

    for (struct being_ended *at = first; at != NULL; at = at->next) {
        leave_loop(at);
        at->about.gone = NULL;
    }
    for (collect(); first != NULL && loop_now(NULL) < end_ns; collect()) {
        struct pollfd closed = {.fd = first->reaped ? -1 : first->about.socket, .events = 0};

        poll(&closed, 1, PAUSE_MS);
    }
    for (struct being_ended *at = first; at != NULL; at = at->next) {
        left++;
    }
    return left;
}
