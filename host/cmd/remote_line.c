/* One line that comes back by itself: what its owner sends before it stands waits (before), and
 * whatever fails is told as news, which the owner need not act on. The owner waits for one
 * descriptor, an epoll with the socket and a timer in it, so a line can stand in any loop.
 *
 * Who says something is always asked: before the host has proved its key anybody may have
 * spoken, and nothing that is said then ends the line for good (drop_line). */
#define _GNU_SOURCE
#include "remote_line.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <sodium.h>

#include "door/curve.h"
#include "door/gateway.h"
#include "tcp_dial.h"
#include "wire/backlog.h"
#include "base/memory.h"
#include "base/utc.h"

#define MS           INT64_C(1000000)
#define HANDSHAKE_NS (5000 * MS)
#define RETRY_NS     (250 * MS)
#define RETRY_MOST   (5000 * MS)
#define BEAT_NS      (GATEWAY_HEARTBEAT_MS * MS)
#define DEAD_NS      (GATEWAY_DEAD_MS * MS)
#define LINGER_NS    (500 * MS)

enum {
    READ = 64 * 1024,
    UNSENT = 4 << 20, /* bytes that may wait for the host */
    READS_A_TURN = 16,
    NEWS = 8, /* that wait; nobody is told of more */
    NAME = 64
};

enum remote_line_stage { RESTS, DIALS, GREETS, STANDS, ENDED };

struct remote_line {
    const struct host_file *host;
    enum remote_line_stage stage;
    int64_t until_ns;      /* RESTS: the next try; GREETS: the end of its patience */
    int64_t pause_ns;      /* after the next failure */
    int64_t heard_ns;      /* the last byte of the host */
    struct tcp_dial *dial; /* NULL: none */
    int fd;                /* -1: not connected */
    int epoll, timer;      /* what others wait for; it wakes at `until` or at a beat */
    int watched;           /* the descriptor in epoll besides the timer; -1 none */
    uint32_t events;       /* and what for */
    int64_t wakes_ns;      /* when the timer does */
    struct curve_client client;
    char name[NAME];
    struct curve curve;
    struct backlog backlog; /* sealed bytes */
    struct backlog before;  /* messages before the line stands: each with its size before it */
    uint8_t *sealed;        /* owned; the message that is sent */
    size_t sealed_room;
    bool has_heard; /* a byte of the other side has come since the line was dialled */
    bool is_mute;   /* nothing can be sent any more */
    uint8_t input[READ];
    const uint8_t *at, *end; /* what is not yet read of it */
    bool is_drained;         /* the last read took all */
    int reads;               /* since its owner was last told that nothing is left */
    enum remote_news news[NEWS];
    int news_count;
    char why[256];
};

static void add_news(struct remote_line *line, enum remote_news news)
{
    if (line->news_count < NEWS) {
        line->news[line->news_count++] = news;
    }
}

static void set_why(struct remote_line *line, const char *why)
{
    snprintf(line->why, sizeof line->why, "%s", why);
}

/* ------------------------------------------------------------------------ what is waited for */

static void watch_socket(struct remote_line *line, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events};

    if (fd == line->watched && events == line->events) {
        return;
    }
    if (line->watched >= 0 && fd != line->watched) { /* a closed one has gone by itself */
        (void)epoll_ctl(line->epoll, EPOLL_CTL_DEL, line->watched, NULL);
    }
    if (fd >= 0) {
        (void)epoll_ctl(line->epoll, fd == line->watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd,
                        &event);
    }
    line->watched = fd;
    line->events = events;
}

static void wake_at(struct remote_line *line, int64_t at_ns)
{
    const struct itimerspec when = {.it_value = {at_ns / 1000000000, at_ns % 1000000000}};

    if (at_ns != line->wakes_ns) {
        line->wakes_ns = at_ns;
        (void)timerfd_settime(line->timer, TFD_TIMER_ABSTIME, &when, NULL);
    }
}

/* Follows the stage. A traffic's beat is not moved with each message: it wakes once too often. */
static void settle_line(struct remote_line *line)
{
    short wanted = 0;

    switch (line->stage) {
    case RESTS:
        watch_socket(line, -1, 0);
        wake_at(line, line->until_ns);
        break;
    case DIALS: {
        int fd = tcp_dial_fd(line->dial, &wanted);

        watch_socket(line, fd, wanted == POLLIN ? EPOLLIN : EPOLLOUT);
        wake_at(line, line->until_ns);
        break;
    }
    case GREETS:
    case STANDS:
        watch_socket(line, line->fd, line->backlog.size > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
        if (line->stage == GREETS) {
            wake_at(line, line->until_ns);
        }
        break;
    case ENDED:
        watch_socket(line, -1, 0);
        break;
    }
}

/* ------------------------------------------------------------------------ ends and beginnings */

static void hang_up(struct remote_line *line)
{
    watch_socket(line, -1, 0);
    tcp_dial_close(line->dial);
    line->dial = NULL;
    if (line->fd >= 0) {
        close(line->fd);
        line->fd = -1;
    }
    curve_deinit(&line->curve);
    backlog_deinit(&line->backlog);
    line->at = line->end = line->input;
    line->is_drained = line->is_mute = line->has_heard = false;
}

/* A try has failed; the next one comes after a pause. */
static void rest(struct remote_line *line, enum remote_news news)
{
    hang_up(line);
    add_news(line, news);
    line->stage = RESTS;
    line->until_ns = utc_steady_ns() + line->pause_ns;
    /* A host that is started again finds all its bots at its door: they must not come all at
     * once, for ever. */
    line->pause_ns = 2 * line->pause_ns < RETRY_MOST ? 2 * line->pause_ns : RETRY_MOST;
}

static void finish_line(struct remote_line *line, enum remote_news news)
{
    hang_up(line);
    add_news(line, news);
    line->stage = ENDED;
}

/* The connection has ended, or cannot be used. */
static void drop_line(struct remote_line *line, const char *why)
{
    if (line->stage == STANDS) {
        set_why(line, why);
        finish_line(line, REMOTE_LOST);
    } else if (line->curve.is_refused && line->curve.is_server_proven) {
        bool is_unknown = strcmp(line->curve.refusal, CURVE_UNKNOWN_KEY) == 0;

        set_why(line, is_unknown ? "the host does not know the key" : line->curve.refusal);
        if (is_unknown) {
            finish_line(line, REMOTE_FORBIDDEN);
        } else {
            rest(line, REMOTE_TURNED);
        }
    } else if (line->curve.is_refused) { /* a doorman speaks for its host, and has not its key */
        snprintf(line->why, sizeof line->why, "%.200s (said before the host has proved its key)",
                 line->curve.refusal);
        rest(line, REMOTE_TURNED);
    } else {
        set_why(line, why);
        rest(line, line->has_heard ? REMOTE_UNPROVEN : REMOTE_SILENT);
    }
}

/* If the other side has closed, what it said before can still be read: reading ends the line. */
static void send_bytes(struct remote_line *line, const void *bytes, size_t size)
{
    if (!line->is_mute &&
        backlog_send(&line->backlog, line->fd, NULL, 0, bytes, size, 0) != BG_OK) {
        line->is_mute = true;
        backlog_deinit(&line->backlog);
    }
}

static void greet_host(struct remote_line *line)
{
    uint8_t greeting[ZMTP_GREETING];
    const int yes = 1;

    /* Routers forget quiet connections; the beats below do the same, where they are answered. */
    (void)setsockopt(line->fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    line->stage = GREETS;
    line->heard_ns = utc_steady_ns();
    line->until_ns = line->heard_ns + HANDSHAKE_NS;
    if (!curve_init_client(&line->curve, &line->client, GATEWAY_MESSAGE_BYTES)) {
        drop_line(line, "the host's key is none");
        return;
    }
    curve_greeting(greeting, &line->curve);
    send_bytes(line, greeting, sizeof greeting);
}

static void dial(struct remote_line *line)
{
    struct bg_error why = {.text = ""};

    line->stage = DIALS;
    line->until_ns = utc_steady_ns() + TCP_DIAL_MOST_NS;
    if (tcp_dial_open(&line->dial, line->host->endpoint, &why) != BG_OK) {
        set_why(line, why.text);
        rest(line, REMOTE_ABSENT);
    }
}

static void go_on_dialling(struct remote_line *line)
{
    struct bg_error why = {.text = ""};
    int64_t now_ns = utc_steady_ns();

    switch (tcp_dial_go_on(&line->fd, line->dial, now_ns, &why)) {
    case TCP_DIAL_CONNECTED:
        watch_socket(line, -1, 0); /* before its descriptor gets another use */
        tcp_dial_close(line->dial);
        line->dial = NULL;
        greet_host(line);
        break;
    case TCP_DIAL_FAILED:
        set_why(line, why.text);
        rest(line, REMOTE_ABSENT);
        break;
    case TCP_DIAL_WAITS:
        line->until_ns = now_ns < line->until_ns ? line->until_ns : now_ns + TCP_DIAL_MOST_NS;
        break;
    }
}

/* ------------------------------------------------------------------------ traffic */

static void seal(struct remote_line *line, const void *data, size_t size)
{
    line->sealed = memory_list(line->sealed, &line->sealed_room, size + CURVE_OVERHEAD, 1);
    send_bytes(line, line->sealed, curve_seal(line->sealed, &line->curve, data, size));
}

/* They may have a secret: the token of a registration. */
static void forget_before(struct remote_line *line)
{
    if (line->before.bytes != NULL) {
        sodium_memzero(line->before.bytes, line->before.room);
    }
    backlog_deinit(&line->before);
}

/* The messages from before the line stood. */
static void send_before(struct remote_line *line)
{
    size_t at = line->before.from, last = at + line->before.size, size;

    while (at < last) {
        memcpy(&size, line->before.bytes + at, sizeof size);
        at += sizeof size;
        seal(line, line->before.bytes + at, size);
        at += size;
    }
    forget_before(line);
}

static void stand(struct remote_line *line)
{
    line->stage = STANDS;
    line->pause_ns = RETRY_NS;
    wake_at(line, utc_steady_ns() + BEAT_NS);
    add_news(line, REMOTE_PROVEN);
    send_before(line);
}

/* Takes what was read. Returns whether *data is a message. */
static bool parse_message(const void **data, size_t *size, struct remote_line *line)
{
    while (line->stage == GREETS || line->stage == STANDS) {
        struct curve_item item;
        enum curve_news news = curve_read(&item, &line->curve, &line->at, line->end);

        if (item.reply_size > 0) {
            send_bytes(line, item.reply, item.reply_size);
        }
        switch (news) {
        case CURVE_MORE:
            return false;
        case CURVE_READY:
            stand(line);
            break;
        case CURVE_MESSAGE:
            *data = item.data;
            *size = item.size;
            return true;
        case CURVE_BROKEN:
            drop_line(line, line->curve.reader.why);
            return false;
        default: /* a reply, a sign of life, or a message of several frames, which no host sends */
            break;
        }
    }
    return false;
}

/* Reads once. Returns whether something came. */
static bool fill_buffer(struct remote_line *line)
{
    ssize_t got;

    if (line->fd < 0 || line->is_drained) {
        return false;
    }
    do {
        got = recv(line->fd, line->input, sizeof line->input, MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got < 0 && (errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM)) {
        return false;
    }
    if (got <= 0) {
        drop_line(line, got == 0 ? "the other side has closed the connection" : strerror(errno));
        return false;
    }
    line->has_heard = true;
    line->heard_ns = utc_steady_ns();
    line->at = line->input;
    line->end = line->input + got;
    /* A read that was not filled has taken all there was: one call less for each message. */
    line->is_drained = (size_t)got < sizeof line->input;
    return true;
}

/* Signs of life, and the end of patience. */
static void beat(struct remote_line *line)
{
    int64_t now_ns = utc_steady_ns();
    uint8_t ping[CURVE_WRITTEN];

    if (line->stage == GREETS && now_ns >= line->until_ns) {
        drop_line(line, "the handshake takes too long");
    } else if (line->stage == STANDS && now_ns >= line->wakes_ns) {
        wake_at(line, now_ns + BEAT_NS);
        if (now_ns - line->heard_ns >= DEAD_NS) {
            drop_line(line, "the line gives no sign of life");
        } else {
            /* The PING has our patience in it, as ZMTP 3.1 wants: a peer may end a line that
             * gives no sign for so long. */
            send_bytes(line, ping, curve_seal_ping(ping, &line->curve, GATEWAY_DEAD_MS));
        }
    }
}

/* What is due, and what the socket takes now. */
static void serve_line(struct remote_line *line)
{
    const int64_t now_ns = utc_steady_ns();
    uint64_t times;

    if ((now_ns >= line->wakes_ns && read(line->timer, &times, sizeof times) > 0) ||
        line->stage == RESTS) {
        if (line->stage == RESTS && now_ns >= line->until_ns) {
            dial(line);
        }
        beat(line);
    }
    if (line->stage == DIALS) {
        go_on_dialling(line);
    }
    if (line->fd >= 0 && backlog_flush(&line->backlog, line->fd, 0) != BG_OK) {
        line->is_mute = true;
        backlog_deinit(&line->backlog);
    }
}

bool remote_line_take(const void **data, size_t *size, struct remote_line *line)
{
    for (;;) {
        if (parse_message(data, size, line)) {
            return true;
        }
        /* A host that never stops to send, even only signs of life, gets a turn like others: the
         * caller has a clock to look at. */
        if (line->reads++ == READS_A_TURN || !fill_buffer(line)) {
            line->is_drained = false;
            line->reads = 0;
            serve_line(line);
            settle_line(line);
            return false;
        }
    }
}

bool remote_line_send(struct remote_line *line, const void *data, size_t size)
{
    /* A host that does not read must not fill the author's memory. */
    if (line->stage == ENDED || line->backlog.size + line->before.size + size > UNSENT) {
        return false;
    }
    if (line->stage == STANDS) {
        seal(line, data, size);
        settle_line(line);
        return true;
    }
    /* Unsealed, because the keys of the next connection are not known yet. */
    return backlog_keep(&line->before, &size, sizeof size, 0) == BG_OK &&
           backlog_keep(&line->before, data, size, 0) == BG_OK;
}

enum remote_news remote_line_news(struct remote_line *line)
{
    enum remote_news first;

    if (line->news_count == 0) {
        return REMOTE_NOTHING;
    }
    first = line->news[0];
    memmove(line->news, line->news + 1, (size_t)--line->news_count * sizeof line->news[0]);
    return first;
}

const char *remote_line_why(const struct remote_line *line)
{
    return line->why;
}

int remote_line_fd(const struct remote_line *line)
{
    return line->epoll;
}

/* ------------------------------------------------------------------------ open and close */

/* The name of this connection; no two are equal, but they begin with the same digits in one
 * process. */
static void set_name(struct remote_line *line, int place)
{
    enum { RANDOM = GATEWAY_RUN / 2 };
    static unsigned char run[RANDOM];
    static pid_t owner;
    unsigned char bytes[RANDOM];
    char runs[GATEWAY_RUN + 1], hex[GATEWAY_RUN + 1];

    if (owner != getpid()) { /* not the digits of a parent process */
        owner = getpid();
        randombytes_buf(run, sizeof run);
    }
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(runs, sizeof runs, run, sizeof run);
    sodium_bin2hex(hex, sizeof hex, bytes, sizeof bytes);
    snprintf(line->name, sizeof line->name, "%s%c-%s%s", GATEWAY_JOINER, '0' + place, runs, hex);
}

static bool open_descriptors(struct remote_line *line)
{
    struct epoll_event event = {.events = EPOLLIN};

    line->epoll = epoll_create1(EPOLL_CLOEXEC);
    line->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    return line->epoll >= 0 && line->timer >= 0 &&
           epoll_ctl(line->epoll, EPOLL_CTL_ADD, line->timer, &event) == 0;
}

enum bg_status remote_line_open(struct remote_line **out, const struct host_file *host,
                                const struct join_secret *own, int place, struct bg_error *err)
{
    struct remote_line *line = memory_zeroed(1, sizeof *line);
    enum bg_status status;

    line->fd = line->watched = line->epoll = line->timer = -1;
    line->host = host;
    line->pause_ns = RETRY_NS;
    set_name(line, place);
    line->client = (struct curve_client){
        .server = host->key, .public = own->public.key, .secret = own->key, .identity = line->name};
    line->stage = DIALS;
    line->until_ns = utc_steady_ns() + TCP_DIAL_MOST_NS;
    status = !open_descriptors(line)
                 ? bg_error_set(err, BG_E_SYSTEM, "connect %s: %s", host->endpoint, strerror(errno))
                 : tcp_dial_open(&line->dial, host->endpoint, err);
    if (status != BG_OK) {
        remote_line_close(line);
        return status;
    }
    settle_line(line);
    *out = line;
    return BG_OK;
}

/* Most a moment. */
static void linger(struct remote_line *line)
{
    const int64_t until_ns = utc_steady_ns() + LINGER_NS;

    while (line->stage == STANDS && line->backlog.size > 0) {
        struct pollfd fd = {line->fd, POLLOUT, 0};
        int64_t left_ns = until_ns - utc_steady_ns();

        if (left_ns <= 0 || poll(&fd, 1, (int)(left_ns / MS) + 1) <= 0 ||
            backlog_flush(&line->backlog, line->fd, 0) != BG_OK) {
            return;
        }
    }
}

void remote_line_close(struct remote_line *line)
{
    if (line == NULL) {
        return;
    }
    linger(line);
    hang_up(line);
    forget_before(line);
    free(line->sealed);
    if (line->timer >= 0) {
        close(line->timer);
    }
    if (line->epoll >= 0) {
        close(line->epoll);
    }
    free(line);
}
