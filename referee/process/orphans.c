/* A child that we did not start is taken for a bot's by one of three signs: this program had no
 * children when it began, it is in the session of a bot that is being ended, or its environment
 * has a token. Children from before are the caller's: a shell that starts programs in the
 * background and then executes us leaves them to us. */
#define _GNU_SOURCE /* syscall */
#include "orphans.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../loop/folder.h"
#include "tree.h"

enum {
    ENVIRONMENT = 256 * 1024, /* most bytes read of one environment */
    CALLERS_MAX = 256,        /* children that this process had at its start */
    KEEPER_MS = 1000          /* within which a keeper ends its bot, also on a busy machine */
};

static struct tree_list own; /* children that we started */
static struct tree_process callers[CALLERS_MAX];
static size_t caller_count;

void orphans_begin(void)
{
    struct tree_list children = {.pids = NULL};

    caller_count = 0;
    tree_children(&children, getpid());
    for (size_t i = 0; i < children.count && caller_count < CALLERS_MAX; i++) {
        caller_count += tree_read(&callers[caller_count], children.pids[i]);
    }
    tree_list_deinit(&children);
}

void orphans_except(pid_t pid)
{
    tree_list_add(&own, pid);
}

static size_t find_own(pid_t pid)
{
    size_t i = 0;

    while (i < own.count && own.pids[i] != pid) {
        i++;
    }
    return i;
}

bool orphans_is_own(pid_t pid)
{
    return find_own(pid) < own.count;
}

void orphans_forget(pid_t pid)
{
    size_t i = find_own(pid);

    if (i < own.count) {
        own.pids[i] = own.pids[--own.count];
    }
    if (own.count == 0) {
        tree_list_deinit(&own);
    }
}

/* Returns a variable's value in pid's initial environment; NULL: none, or unreadable. */
static const char *variable(pid_t pid, const char *name)
{
    static char text[ENVIRONMENT];
    char path[64];
    size_t length = strlen(name);
    ssize_t size;

    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    size = tree_read_file(text, sizeof text, path);
    for (const char *at = text; at < text + size; at += strlen(at) + 1) {
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            return at + length + 1;
        }
    }
    return NULL;
}

static bool is_callers(const struct tree_process *process)
{
    for (size_t i = 0; i < caller_count; i++) {
        if (callers[i].pid == process->pid && callers[i].started == process->started) {
            return true;
        }
    }
    return false;
}

static bool is_orphan(const struct tree_process *process, pid_t session)
{
    return !is_callers(process) &&
           (caller_count == 0 || (session > 0 && process->session == session) ||
            variable(process->pid, "BGREF_TOKEN") != NULL);
}

int orphans_end(pid_t session)
{
    struct tree_list children = {.pids = NULL};
    int left = 0;

    tree_children(&children, getpid());
    for (size_t i = 0; i < children.count; i++) {
        pid_t pid = children.pids[i];
        struct tree_process process;

        if (find_own(pid) < own.count || !tree_read(&process, pid)) {
            continue;
        }
        if (process.state == 'Z') {
            waitpid(pid, NULL, WNOHANG); /* only its parent, this process, can reap it */
            left++;                      /* its children may have become ours after we looked */
        } else if (is_orphan(&process, session)) {
            kill(pid, SIGKILL);
            left++;
        }
    }
    tree_list_deinit(&children);
    return left;
}

/* A bot has a session of its own (keeper.c). In ours is perhaps a shell in which somebody has set
 * the variable to try a bot by hand, and from which we were started. */
static bool is_left(pid_t pid)
{
    const char *endpoint = getsid(pid) == getsid(0) ? NULL : variable(pid, "BGREF_ENDPOINT");

    return endpoint != NULL && folder_is_left(endpoint, pid);
}

/* Whether the referee of the process is gone; ends: and it was killed. It is held by a descriptor
 * while its environment is read (Linux 5.3), because its number may be another's by the time of the
 * signal: other processes of the machine reap it, not we. */
static bool meets_left(pid_t pid, bool ends)
{
    int held = ends ? (int)syscall(SYS_pidfd_open, pid, 0U) : -1;
    bool is_met = is_left(pid);

    if (is_met && ends) {
        is_met = (held >= 0 ? syscall(SYS_pidfd_send_signal, held, SIGKILL, NULL, 0U)
                            : kill(pid, SIGKILL)) == 0;
    }
    if (held >= 0) {
        close(held);
    }
    return is_met;
}

/* Counts, or ends, the processes whose referee is gone. */
static int sweep(bool ends)
{
    struct tree_list all = {.pids = NULL};
    int count = 0;

    tree_all(&all);
    for (size_t i = 0; i < all.count; i++) {
        count += meets_left(all.pids[i], ends);
    }
    tree_list_deinit(&all);
    return count;
}

/* Looks twice: keepers end the bots of a referee that was killed a moment ago. */
int orphans_sweep(void)
{
    return tree_is_visible() && sweep(false) > 0 && poll(NULL, 0, KEEPER_MS) == 0 ? sweep(true) : 0;
}
