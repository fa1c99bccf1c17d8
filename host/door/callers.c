/* One thread and one epoll for all: the work of a message is a box of CURVE (some microseconds),
 * and the order of what one caller says needs no lock. Fairness is by pieces: at most INPUT bytes
 * of a caller in a round, so who floods waits for everybody else's turn.
 *
 * A caller is never freed where it is closed: functions up the stack may hold it. caller_close()
 * ends the descriptor, and the end of the round frees what has none (watched.fd < 0). */
#define _GNU_SOURCE
#include "callers.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gateway.h"
#include "inside.h"

#define MS_NS INT64_C(1000000)

enum {
    SWEEP_MS = 250,
    FLUSH_MS = 5, /* while messages to the referee wait */
    LOOK_MS = 10,
    HANDED = 16,       /* most new connections in a round, so that those that have ended are closed
                          meanwhile */
    INPUT = 16 * 1024, /* read of one caller in a round: a flood costs the others less than 1 ms */
    MESSAGE_MOST = 256 * 1024,
    REFUSED_MS = 2000 /* for the other side to read an ERROR */
};

/* ------------------------------------------------------------------------ sending */

/* The doorman has a duplicate of the descriptor: only a shutdown ends the connection. */
void caller_close(struct caller *caller)
{
    int fd = watched_end(&caller->watched, caller->callers->epoll);

    if (fd >= 0) {
        (void)shutdown(fd, SHUT_RDWR);
        close(fd);
    }
}

static void keep_bytes(struct caller *caller, const void *data, size_t size)
{
    /* Who lets so much wait does not read. It is closed, not paused: a pause would hold back the
     * referee's messages, with a clock running. */
    if (caller->watched.fd >= 0 && size > 0 &&
        (caller->backlog.size + size > CALLERS_UNSENT + CALLERS_OWED ||
         backlog_keep(&caller->backlog, data, size, 0) != BG_OK)) {
        caller_close(caller);
    }
}

void caller_owe(struct caller *caller, const void *data, size_t size)
{
    static uint8_t
        frame[MESSAGE_MOST + CURVE_OVERHEAD]; /* one thread; used only within this call */

    assert(size <= MESSAGE_MOST);
    /* Before that there is no key to seal with; after the last message nothing may follow it. */
    if (curve_is_ready(&caller->curve) && !caller->is_last) {
        keep_bytes(caller, frame, curve_seal(frame, &caller->curve, data, size));
    }
}

bool caller_send(struct caller *caller, const void *data, size_t size)
{
    /* What has to come (a Goodbye, notes) has room of its own behind this limit (CALLERS_OWED):
     * a caller that does not read still hears why it is ended, if it begins to. */
    if (caller->backlog.size + size > CALLERS_UNSENT) {
        return false;
    }
    caller_owe(caller, data, size);
    return caller->watched.fd >= 0;
}

void caller_flush(struct caller *caller)
{
    if (caller->watched.fd < 0) {
        return;
    }
    if (backlog_flush(&caller->backlog, caller->watched.fd, 0) != BG_OK) {
        caller_close(caller);
    } else {
        if (caller->backlog.size == 0 && caller->is_last) {
            /* Only the sending: a close with unread bytes would become a reset, which discards
             * what was sent. */
            (void)shutdown(caller->watched.fd, SHUT_WR);
        }
        watched_change(&caller->watched, caller->callers->epoll,
                       /* A socket can nearly always be written: without something to send
                        * EPOLLOUT would wake the loop for ever. */
                       caller->backlog.size > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
    }
}

void caller_finish(struct caller *caller)
{
    if (caller->until_ns == 0) {
        caller->until_ns = caller->callers->now_ns + CALLERS_ENDING_MS * MS_NS;
    }
}

/* ------------------------------------------------------------------------ reading */

static const char *refusal(void *user, const uint8_t key[CURVE_KEY])
{
    struct caller *caller = user;
    const struct callers_setup *setup = &caller->callers->setup;

    return setup->refusal(setup->user, caller, key);
}

/* An ERROR is still sent; anything else that is broken needs no words. */
static void take_broken(struct caller *caller, bool is_told)
{
    if (!is_told) {
        caller_close(caller);
        return;
    }
    caller->is_last = true;
    caller->until_ns = caller->callers->now_ns + REFUSED_MS * MS_NS;
}

static void take_item(struct caller *caller, enum curve_news news, const struct curve_item *item)
{
    const struct callers_setup *setup = &caller->callers->setup;

    keep_bytes(caller, item->reply, item->reply_size);
    /* A PONG that nobody has asked for measures nothing. */
    if (news == CURVE_PONG && caller->asked_ns > 0) {
        if (setup->answered != NULL) {
            setup->answered(setup->user, caller, caller->callers->now_ns - caller->asked_ns);
        }
        caller->asked_ns = 0;
    } else if (news == CURVE_READY) {
        caller->was_ready = true;
    } else if (news == CURVE_BROKEN) {
        take_broken(caller, item->reply_size > 0);
        /* What an ending caller still sends concerns nobody any more. */
    } else if ((news == CURVE_MESSAGE || news == CURVE_DROPPED) && caller->until_ns == 0) {
        setup->message(setup->user, caller, item->data, item->size,
                       news == CURVE_MESSAGE ? 1 : item->parts);
    }
}

static void take_input(struct caller *caller, const uint8_t *at, const uint8_t *end)
{
    const struct callers_setup *setup = &caller->callers->setup;
    enum curve_news news = CURVE_MORE;

    do {
        struct curve_item item;

        news = curve_read(&item, &caller->curve, &at, end);
        take_item(caller, news, &item);
        /* Any of these messages may have closed the caller. */
    } while (news != CURVE_MORE && news != CURVE_BROKEN && caller->watched.fd >= 0);
    if (caller->watched.fd >= 0 && setup->taken != NULL) {
        setup->taken(setup->user, caller);
    }
}

static void on_caller(void *user, uint32_t events)
{
    static uint8_t input[INPUT]; /* one thread; used only within this call */
    struct caller *caller = user;
    ssize_t size;

    if ((events & ~(uint32_t)EPOLLOUT) != 0) {
        size = recv(caller->watched.fd, input, sizeof input, MSG_DONTWAIT);
        if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
            caller_close(caller);
            return;
        }
        /* Any byte is a sign of life, also of a handshake or of a half message. */
        caller->heard_ns = caller->callers->now_ns;
        if (size > 0 && !caller->is_last) {
            take_input(caller, input, input + size);
        }
    }
    caller_flush(caller);
}

/* ------------------------------------------------------------------------ from the doorman */

static struct caller *add_caller(struct callers *callers)
{
    struct caller *caller;

    if (callers->count == callers->room) {
        int room = callers->room == 0 ? 16 : 2 * callers->room;
        struct caller **list = realloc(callers->list, (size_t)room * sizeof *list);

        /* The doorman's limit is lower; this one holds if that one fails. */
        if (list == NULL || callers->count >= CALLERS_MOST) {
            callers->list = list == NULL ? callers->list : list;
            return NULL;
        }
        callers->list = list;
        callers->room = room;
    }
    caller = calloc(1, sizeof *caller);
    if (caller != NULL) {
        callers->list[callers->count++] = caller;
    }
    return caller;
}

static void begin_caller(struct callers *callers, int door, int fd, const char *address)
{
    struct caller *caller = fd < 0 ? NULL : add_caller(callers);
    uint8_t greeting[ZMTP_GREETING];

    if (caller == NULL) {
        if (fd >= 0) {
            (void)shutdown(fd, SHUT_RDWR);
            close(fd);
        }
        return;
    }
    caller->callers = callers;
    caller->door = door;
    caller->begun_ns = caller->heard_ns = callers->now_ns;
    caller->watched.fn = on_caller;
    caller->watched.user = caller;
    snprintf(caller->address, sizeof caller->address, "%s", address);
    caller->as_server = (struct curve_server){.public = callers->setup.host->public.key,
                                              .secret = callers->setup.host->key,
                                              .refusal = refusal,
                                              .user = caller};
    curve_init_server(&caller->curve, &caller->as_server, callers->setup.message_max);
    if (!watched_begin(&caller->watched, callers->epoll, fd, EPOLLIN)) {
        caller_close(caller);
        return;
    }
    /* ZMTP 3: both sides send their greeting at once; a client may wait for ours. */
    curve_greeting(greeting, &caller->curve);
    keep_bytes(caller, greeting, sizeof greeting);
    caller_flush(caller);
}

/* Without its doorman nobody counts these connections. */
static void end_door(struct callers *callers, struct callers_door *door)
{
    int number = (int)(door - callers->doors);

    close(watched_end(&door->watched, callers->epoll));
    for (int i = 0; i < callers->count; i++) {
        if (callers->list[i]->door == number) {
            caller_close(callers->list[i]);
        }
    }
}

static void on_door(void *user, uint32_t events)
{
    struct callers_door *door = user;
    struct callers *callers = door->callers;
    char address[HANDOVER_ADDRESS];
    enum handover_got got;
    int fd, taken = 0;

    (void)events;
    do {
        got = handover_take(&fd, address, door->watched.fd);
        if (got == HANDOVER_TAKEN) {
            begin_caller(callers, (int)(door - callers->doors), fd, address);
        }
        /* The rest stays in the socket, and epoll (level-triggered) wakes for it in the next round.
         */
    } while (got == HANDOVER_TAKEN && ++taken < HANDED);
    if (got == HANDOVER_ENDED) {
        end_door(callers, door);
    }
}

static void on_listener(void *user, uint32_t events)
{
    struct callers *callers = user;
    int fd = handover_accept(callers->listener.fd);
    struct callers_door *door = NULL;

    (void)events;
    /* A new doorman comes while the connections of the old one may still end. */
    for (int i = 0; i < CALLERS_DOORS && door == NULL; i++) {
        door = callers->doors[i].watched.fd < 0 ? &callers->doors[i] : NULL;
    }
    if (fd >= 0 && (door == NULL || !watched_begin(&door->watched, callers->epoll, fd, EPOLLIN))) {
        close(fd);
    }
}

/* ------------------------------------------------------------------------ the round */

static void beat(struct caller *caller)
{
    const int64_t now_ns = caller->callers->now_ns;
    /* An unanswered PING is not repeated before another heartbeat has passed. */
    int64_t silent_since =
        caller->heard_ns > caller->pinged_ns ? caller->heard_ns : caller->pinged_ns;
    uint8_t ping[CURVE_WRITTEN];

    if ((now_ns - silent_since >= GATEWAY_HEARTBEAT_MS * MS_NS ||
         now_ns - caller->pinged_ns >= GATEWAY_MEASURE_MS * MS_NS) &&
        curve_is_ready(&caller->curve)) {
        caller->pinged_ns = now_ns;
        caller->asked_ns = caller->asked_ns == 0 ? now_ns : caller->asked_ns;
        keep_bytes(caller, ping, curve_seal_ping(ping, &caller->curve, 0));
        caller_flush(caller);
    }
}

static bool is_due(const struct caller *caller)
{
    const int64_t now_ns = caller->callers->now_ns;

    return now_ns - caller->heard_ns >= GATEWAY_DEAD_MS * MS_NS ||
           (caller->until_ns != 0 && now_ns >= caller->until_ns) ||
           (!caller->was_ready && now_ns - caller->begun_ns >= CALLERS_HANDSHAKE_MS * MS_NS);
}

static void sweep_callers(struct callers *callers)
{
    callers->sweep_ns = callers->now_ns + SWEEP_MS * MS_NS;
    for (int i = 0; i < callers->count; i++) {
        struct caller *caller = callers->list[i];

        /* Every SWEEP_MS, not by a timer of each caller: limits of seconds need no finer one. */
        if (is_due(caller)) {
            caller_close(caller);
        } else if (caller->watched.fd >= 0) {
            beat(caller);
        }
    }
}

static void free_caller(struct callers *callers, int i)
{
    struct caller *caller = callers->list[i];

    callers->setup.gone(callers->setup.user, caller);
    curve_deinit(&caller->curve);
    backlog_deinit(&caller->backlog);
    /* The last one takes its place, so loops that free go from the end. */
    callers->list[i] = callers->list[--callers->count];
    free(caller);
}

/* What was silent while this process was stopped is not dead for that. */
static void on_woke(void *user)
{
    struct callers *callers = user;
    int64_t stop_ns = pulse_beat(callers->pulse, &callers->beat_ns, callers->now_ns);

    for (int i = 0; i < callers->count && stop_ns > 0; i++) {
        struct caller *caller = callers->list[i];

        caller->begun_ns += stop_ns;
        caller->heard_ns += stop_ns;
        caller->pinged_ns += stop_ns;
        caller->asked_ns += caller->asked_ns == 0 ? 0 : stop_ns;
        caller->until_ns += caller->until_ns == 0 ? 0 : stop_ns;
    }
}

bool callers_round(struct callers *callers)
{
    int wait_ms = inside_waits(inside_own()) ? FLUSH_MS : callers->count > 0 ? PULSE_MS : -1;
    bool is_well;

    if (wait_ms < 0) {
        pulse_rest(callers->pulse, &callers->beat_ns);
    }
    is_well = watched_round(&callers->now_ns, callers->epoll, wait_ms, on_woke, callers);
    if (callers->now_ns >= callers->sweep_ns) {
        sweep_callers(callers);
    }
    for (int i = callers->count; i-- > 0;) {
        if (callers->list[i]->watched.fd < 0) {
            free_caller(callers, i);
        }
    }
    return is_well;
}

/* ------------------------------------------------------------------------ beginning and end */

bool callers_init(struct callers *callers, const struct callers_setup *setup, int listener)
{
    *callers = (struct callers){.setup = *setup,
                                .epoll = epoll_create1(EPOLL_CLOEXEC),
                                .listener = {.fd = listener, .fn = on_listener, .user = callers}};
    assert(setup->message_max <= MESSAGE_MOST);
    for (int i = 0; i < CALLERS_DOORS; i++) {
        struct callers_door *door = &callers->doors[i];

        *door = (struct callers_door){callers, {.fd = -1, .fn = on_door, .user = door}};
    }
    callers->now_ns = watched_now();
    return callers->epoll >= 0;
}

bool callers_open(struct callers *callers)
{
    return watched_begin(&callers->listener, callers->epoll, callers->listener.fd, EPOLLIN);
}

/* Returns whether something still waits to be sent. */
static bool flush_all(struct callers *callers)
{
    bool waits = false;

    for (int i = 0; i < callers->count; i++) {
        caller_flush(callers->list[i]);
        waits = waits || (callers->list[i]->watched.fd >= 0 && callers->list[i]->backlog.size > 0);
    }
    return waits;
}

void callers_deinit(struct callers *callers)
{
    for (int waited_ms = 0; flush_all(callers) && waited_ms < CALLERS_LINGER_MS;
         waited_ms += LOOK_MS) {
        poll(NULL, 0, LOOK_MS);
    }
    while (callers->count > 0) {
        /* What comes now stays unread: the doorman's duplicate keeps it from becoming a reset. */
        int fd = watched_end(&callers->list[0]->watched, callers->epoll);

        if (fd >= 0) {
            (void)shutdown(fd, SHUT_WR);
            close(fd);
        }
        free_caller(callers, 0);
    }
    free(callers->list);
}
