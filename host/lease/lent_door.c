#include "lent_door.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "front/control.h"
#include "front/control_queue.h"
#include "front/pulse.h"
#include "base/memory.h"

/* The host hears of the end of its gateway a little later than we do. */
#define GRACE_NS INT64_C(250000000)

enum { START_MS = 10000, LAST_MS = 2000 };

struct lent_door {
    int fd;
    struct control_queue out; /* to the host */
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
    char ends[CONTROL_TEXT / 2];
    struct session_door of_sessions;
    struct loop *loop; /* lent; NULL: nobody watches fd */
    door_status_fn status;
    void *status_user;
};

static void take_tables(const struct lent_door *door, char *rest)
{
    const char *name = control_word(&rest);

    for (int i = 0; i < door->bot_count; i++) {
        if (strcmp(door->bots[i].name, name) == 0) {
            door->tables[i] = (int)strtol(control_word(&rest), NULL, 10);
        }
    }
}

static void take_kept(const struct lent_door *door, char *rest)
{
    const char *name = control_word(&rest);

    for (int i = 0; i < door->bot_count; i++) {
        if (strcmp(door->bots[i].name, name) == 0) {
            door->are_kept[i] = strcmp(control_word(&rest), "1") == 0;
        }
    }
}

static void answer_status(struct lent_door *door, const char *name)
{
    char line[STATUS_LINE];

    for (int bot = 0; door->status != NULL && bot < door->bot_count; bot++) {
        if (strcmp(door->bots[bot].name, name) == 0) {
            door->status(door->status_user, bot, line);
            control_queue_send(&door->out, "status %s %s", name, line);
        }
    }
}

static void hear_host(struct lent_door *door)
{
    char text[CONTROL_TEXT];
    enum control_got got;

    while ((got = control_take(text, door->fd)) == CONTROL_LINE) {
        char *rest = text;
        const char *word = control_word(&rest);

        if (strcmp(word, "pulse") == 0 && door->pulse == NULL) {
            door->pulse = pulse_open(control_word(&rest));
        } else if (strcmp(word, "gateway") == 0) {
            door->gateway = (pid_t)strtol(control_word(&rest), NULL, 10);
        } else if (strcmp(word, "tables") == 0) {
            take_tables(door, rest);
        } else if (strcmp(word, "kept") == 0) {
            take_kept(door, rest);
        } else if (strcmp(word, "failed") == 0) {
            for (int i = 0; i < door->bot_count; i++) {
                door->has_failed[i] = true;
            }
        } else if (strcmp(word, "ends") == 0) {
            snprintf(door->ends, sizeof door->ends, "%s", rest == NULL ? "" : rest);
        } else if (strcmp(word, "asks") == 0) {
            answer_status(door, control_word(&rest));
        }
    }
    door->is_gone = got == CONTROL_ENDED || door->out.is_broken;
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
    control_queue_send(&door->out, "open %s %s%s", door->bots[bot].name, endpoint,
                       again           ? " again"
                       : door->goes_on ? " begun"
                                       : "");
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

    control_queue_send(&door->out, "shut %s", door->bots[bot].name);
}

static void put_out(void *user, int bot, int faults)
{
    struct lent_door *door = user;

    control_queue_send(&door->out, "out %s %d", door->bots[bot].name, faults);
}

static void refused(void *user, int bot, const char *version)
{
    struct lent_door *door = user;

    control_queue_send(&door->out, "refused %s %s", door->bots[bot].name, version);
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
    control_queue_open(&door->out, door->fd, setup->loop);
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
        control_queue_send(&door->out, "ready");
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
        control_queue_finish(&door->out, LAST_MS);
        control_queue_close(&door->out);
        close(door->fd);
        pulse_close(door->pulse);
        free(door->has_failed);
        free(door->tables);
        free(door->are_kept);
        free(door);
    }
}
