/* Each function of session_door reads first what the host has sent: within one turn of the loop a
 * session may see its connection break before the message that excuses it is served.
 *
 * The event trusts what the host says and keeps nothing that could outlive the host: when the
 * socket ends, all bots are down (is_gone), and the event goes on with the others. */
#include "lent_door.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "inside.h"
#include "pulse.h"
#include "base/memory.h"

/* The host hears of the end of its gateway a little later than we do. */
#define GRACE_NS INT64_C(250000000)

enum { START_MS = 10000, LAST_MS = 2000 };

struct lent_door {
    int fd;
    struct inside_queue out; /* to the host */
    const struct competitor *bots;
    bool
        *has_failed; /* owned; by bot: the host's side has failed since it came or was waited for */
    bool *are_kept;  /* owned; by bot: the host keeps it from this event */
    int *tables;     /* owned; by bot: as the host says; -1 nothing yet */
    int bot_count;
    bool goes_on;
    pid_t gateway;            /* 0: none */
    struct pulse_page *pulse; /* owned: the gateway's; NULL: its stops are not known */
    bool is_gone;             /* the host has ended */
    char ends[INSIDE_TEXT / 2];
    struct session_door of_sessions;
    struct loop *loop; /* lent; NULL: nobody watches fd */
    door_status_fn status;
    void *status_user;
};

/* What is said of one bot. */
static void take_of_bot(struct lent_door *door, int bot, const Inside__Message *news)
{
    char line[STATUS_LINE];

    if (news->kind == INSIDE__KIND__TABLES) {
        door->tables[bot] = (int)news->number;
    } else if (news->kind == INSIDE__KIND__KEPT) {
        door->are_kept[bot] = news->number != 0;
    } else if (news->kind == INSIDE__KIND__ASKS && door->status != NULL) {
        door->status(door->status_user, bot, line);
        inside_send(&door->out, INSIDE__KIND__STATUS, news->bot, 0, line);
    }
}

static void take_of_host(void *user, const Inside__Message *news)
{
    struct lent_door *door = user;
    int bot;

    switch (news->kind) {
    case INSIDE__KIND__PULSE:
        door->pulse = door->pulse == NULL ? pulse_open(news->text) : door->pulse;
        break;
    case INSIDE__KIND__GATEWAY:
        door->gateway = (pid_t)news->number;
        break;
    case INSIDE__KIND__FAILED:
        memset(door->has_failed, true, (size_t)door->bot_count * sizeof *door->has_failed);
        break;
    case INSIDE__KIND__ENDS:
        snprintf(door->ends, sizeof door->ends, "%s", news->text);
        break;
    default:
        bot = competitor_find(door->bots, door->bot_count, news->bot);
        if (bot >= 0) {
            take_of_bot(door, bot, news);
        }
    }
}

static void hear_host(struct lent_door *door)
{
    door->is_gone = !inside_each(door->fd, "host", take_of_host, door) || door->out.is_broken;
}

static void stop_watching(struct lent_door *door)
{
    if (door->loop != NULL) {
        loop_unwatch(door->loop, door->fd);
        door->loop = NULL;
    }
}

static void on_host_line(void *user)
{
    struct lent_door *door = user;

    hear_host(door);
    if (door->is_gone) { /* the descriptor stays readable */
        stop_watching(door);
    }
}

enum bg_status lent_door_watch(struct lent_door *door, struct loop *loop, door_status_fn status,
                               void *user, struct bg_error *err)
{
    enum bg_status watched = loop_watch(loop, door->fd, on_host_line, door, err);

    door->status = status;
    door->status_user = user;
    door->loop = watched == BG_OK ? loop : NULL;
    return watched;
}

static void opened(void *user, int bot, const char *endpoint, bool again)
{
    struct lent_door *door = user;

    hear_host(door); /* what was before is no failure of this wait */
    door->has_failed[bot] = false;
    inside_send(&door->out, INSIDE__KIND__OPEN, door->bots[bot].name,
                again           ? INSIDE__HOW__AGAIN
                : door->goes_on ? INSIDE__HOW__BEGUN
                                : INSIDE__HOW__FIRST,
                endpoint);
}

/* What failed while it was away does not excuse what it does now. */
static void came(void *user, int bot)
{
    struct lent_door *door = user;

    hear_host(door);
    door->has_failed[bot] = false;
}

static void closed(void *user, int bot)
{
    struct lent_door *door = user;

    inside_send(&door->out, INSIDE__KIND__SHUT, door->bots[bot].name, 0, NULL);
}

static void put_out(void *user, int bot, int faults)
{
    struct lent_door *door = user;

    inside_send(&door->out, INSIDE__KIND__OUT, door->bots[bot].name, faults, NULL);
}

static void refused(void *user, int bot, const char *version)
{
    struct lent_door *door = user;

    inside_send(&door->out, INSIDE__KIND__VERSION, door->bots[bot].name, 0, version);
}

static int tables(void *user, int bot, int entry)
{
    const struct lent_door *door = user;

    return door->tables[bot] < 0 ? entry : door->tables[bot];
}

static bool is_bot_kept(void *user, int bot)
{
    struct lent_door *door = user;

    hear_host(door);
    return door->are_kept[bot];
}

static bool is_gateway(void *user, pid_t pid)
{
    struct lent_door *door = user;

    hear_host(door);
    /* Read before it is compared: the host tells the gateway's process before that can connect. */
    return pid > 0 && pid == door->gateway;
}

static bool is_down(void *user, int bot)
{
    struct lent_door *door = user;

    hear_host(door);
    return door->has_failed[bot] || door->is_gone || pulse_was_long(door->pulse, loop_now(NULL));
}

static int64_t stalled(void *user, int64_t now_ns)
{
    const struct lent_door *door = user;

    return pulse_stalled(door->pulse, now_ns);
}

const struct session_door *lent_door_of_sessions(const struct lent_door *door)
{
    return &door->of_sessions;
}

/* The host tells its gateway as soon as it has started us. */
static enum bg_status wait_for_host(struct lent_door *door, struct bg_error *err)
{
    struct pollfd wait = {door->fd, POLLIN, 0};
    int type = 0;
    socklen_t size = sizeof type;

    /* --lender is an option that a user can type, with the number of any descriptor. */
    if (getsockopt(door->fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET) {
        return bg_error_set(err, BG_E_SYSTEM, "lender: descriptor %d is not the host's socket",
                            door->fd);
    }
    if (poll(&wait, 1, START_MS) <= 0) {
        return bg_error_set(err, BG_E_SYSTEM, "lender: the host does not answer");
    }
    hear_host(door);
    return door->is_gone ? bg_error_set(err, BG_E_SYSTEM, "lender: the host has ended") : BG_OK;
}

static void make_lists(struct lent_door *door)
{
    size_t count = (size_t)door->bot_count;

    door->has_failed = memory_zeroed(count, sizeof *door->has_failed);
    door->tables = memory_zeroed(count, sizeof *door->tables);
    door->are_kept = memory_zeroed(count, sizeof *door->are_kept);
    for (size_t i = 0; i < count; i++) {
        /* Until the host says otherwise the entry's own number holds (tables). */
        door->tables[i] = -1;
    }
}

enum bg_status lent_door_open(struct lent_door **out, const struct lent_door_setup *setup,
                              struct bg_error *err)
{
    struct lent_door *door = memory_zeroed(1, sizeof *door);
    enum bg_status status;

    door->fd = setup->fd;
    door->bots = setup->bots;
    door->bot_count = setup->bot_count;
    door->goes_on = setup->goes_on;
    inside_open(&door->out, door->fd, setup->loop);
    door->of_sessions = (struct session_door){.opened = opened,
                                              .closed = closed,
                                              .came = came,
                                              .owns = is_gateway,
                                              .is_down = is_down,
                                              .stalled = stalled,
                                              .put_out = put_out,
                                              .refused = refused,
                                              .is_kept = is_bot_kept,
                                              .tables = tables,
                                              .user = door,
                                              .away_ns = setup->away_ns,
                                              .idle_ns = setup->idle_ns,
                                              .grace_ns = GRACE_NS};
    make_lists(door);
    status = wait_for_host(door, err);
    if (status != BG_OK) {
        lent_door_close(door);
        return status;
    }
    *out = door;
    return BG_OK;
}

void lent_door_ready(struct lent_door *door)
{
    if (door != NULL) {
        inside_send(&door->out, INSIDE__KIND__READY, NULL, 0, NULL);
    }
}

const char *lent_door_end(struct lent_door *door)
{
    hear_host(door);
    return door->ends;
}

void lent_door_close(struct lent_door *door)
{
    if (door != NULL) {
        stop_watching(door);
        inside_finish(&door->out, LAST_MS);
        inside_close(&door->out);
        close(door->fd);
        pulse_close(door->pulse);
        free(door->has_failed);
        free(door->tables);
        free(door->are_kept);
        free(door);
    }
}
