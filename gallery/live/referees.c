/* An event that ends, or is killed, is one connection less; its games in play are forgotten, and
 * its results stay on the pages. */
#define _GNU_SOURCE /* accept4 */
#include "referees.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "log.h"
#include "loop/socket_file.h"

#define LAST_NS INT64_C(300000000)

enum { WAITING = 64 };

struct referee {
    struct referee *next;
    struct referees *all;
    int fd;
    const char *event; /* that it has named; lent by the site */
};

struct referees {
    struct loop *loop; /* lent, like live and path */
    struct live *live;
    const char *path; /* NULL: nobody else connects */
    int listener;
    struct referee *list; /* owned */
};

static void take_told(void *user, const Inside__Message *message)
{
    struct referee *referee = user;

    live_take(referee->all->live, &referee->event, message);
}

/* Of a referee that is in the list no more. */
static void end_referee(struct referee *referee)
{
    loop_unwatch(referee->all->loop, referee->fd);
    close(referee->fd);
    free(referee);
}

static void drop_referee(struct referee *referee)
{
    struct referee **place = &referee->all->list;

    while (*place != referee) {
        place = &(*place)->next;
    }
    *place = referee->next;
    end_referee(referee);
}

static void on_last(void *user, int64_t now_ns)
{
    const struct referees *referees = user;

    (void)now_ns;
    loop_stop(referees->loop);
}

static void on_told(void *user)
{
    struct referee *referee = user;

    if (inside_each(referee->fd, "referee", take_told, referee)) {
        return;
    }
    if (referee->fd == INSIDE_FD) {
        /* Spectators read how the last game ended; our parent waits for us so long. */
        loop_unwatch(referee->all->loop, referee->fd);
        loop_after(referee->all->loop, LAST_NS, on_last, referee->all);
        return;
    }
    live_forget(referee->all->live, referee->event);
    drop_referee(referee);
}

static enum bg_status add_referee(struct referees *referees, int fd, struct bg_error *err)
{
    struct referee *referee = memory_zeroed(1, sizeof *referee);

    *referee = (struct referee){referees->list, referees, fd, NULL};
    referees->list = referee;
    return loop_watch(referees->loop, fd, on_told, referee, err);
}

static void on_connection(void *user)
{
    struct referees *referees = user;
    int fd = accept4(referees->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct bg_error err;

    if (fd >= 0 && add_referee(referees, fd, &err) != BG_OK) {
        log_warn("page", "%s", err.text);
    }
}

/* Those that are played are told by their referees, with what may be shown of them. */
static void add_results(const struct referees *referees)
{
    char *pattern = memory_print(
        "%.*s*.db", (int)(strrchr(referees->path, '/') + 1 - referees->path), referees->path);
    glob_t found = {.gl_pathc = 0};

    (void)glob(pattern, 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        live_add_ended(referees->live, found.gl_pathv[i]);
    }
    globfree(&found);
    free(pattern);
}

enum bg_status referees_open(struct referees **out, struct loop *loop, struct live *live,
                             const char *path, struct bg_error *err)
{
    struct referees *referees = memory_zeroed(1, sizeof *referees);
    enum bg_status status;

    *referees = (struct referees){.loop = loop, .live = live, .path = path, .listener = -1};
    *out = referees;
    status = add_referee(referees, INSIDE_FD, err);
    if (status == BG_OK && path != NULL) {
        add_results(referees);
        status = socket_file_open(&referees->listener, SOCK_SEQPACKET, path, "the pages' socket",
                                  WAITING, err);
        if (status == BG_OK) {
            status = loop_watch(loop, referees->listener, on_connection, referees, err);
        }
    }
    return status;
}

void referees_close(struct referees *referees)
{
    struct referee *referee;

    if (referees == NULL) {
        return;
    }
    loop_forget(referees->loop, referees);
    while ((referee = referees->list) != NULL) {
        referees->list = referee->next;
        end_referee(referee);
    }
    if (referees->listener >= 0) {
        loop_unwatch(referees->loop, referees->listener);
        socket_file_close(referees->listener, referees->path);
    }
    free(referees);
}
