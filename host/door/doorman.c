/* Everything that a stranger can do without a key happens here, in a process without secrets:
 * floods of connections, half-open ones, banned networks. It reads no byte, so no bytes can be
 * wrong in it; a connection costs it one descriptor and one struct.
 *
 * All memory is taken at the start (visits), as many as limits and descriptors allow. So no
 * connection can fail later for want of memory, and a flood cannot grow this process. */
#define _GNU_SOURCE
#include "doorman.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sodium.h>

#include "door_counts.h"
#include "base/exit_status.h"
#include "base/memory.h"
#include "ban_list.h"
#include "handover.h"
#include "inside.h"
#include "limits.h"
#include "stranger_process.h"
#include "tcp_listen.h"
#include "base/units.h"
#include "watched.h"
#include "wire/zmtp.h"
#include "base/utc.h"

/* A connection that the gateway has ended closes by then. */
#define ENDING_NS INT64_C(2000000000)
#define DRAIN_NS  INT64_C(500000000)
#define TELL_NS   INT64_C(250000000) /* the referee reads counts at most so often */

enum {
    WAITING_ROOM = 256, /* connections that the kernel keeps for us */
    ACCEPTS = 32,       /* most taken in one round */
    SWEEP_MS = 250,
    PER_CONNECTION = 2, /* descriptors of a connection in the gateway, which has the same limit */
    SPARE_DESCRIPTORS = 32
};

struct doorman;

/* A connection that the gateway has: our duplicate counts it, and can end it. */
struct visit {
    struct doorman *doorman;
    struct watched watched; /* fd -1: free */
    struct limits_place *place;
    int64_t ending_ns; /* it is ending since then; 0: it is not */
    char address[HANDOVER_ADDRESS];
};

struct doorman {
    int epoll;
    struct watched control, listener;
    struct watched gateway; /* fd -1: not connected */
    const char *path;       /* of the gateway's socket */
    struct limits limits;
    struct visit *visits; /* owned; one for each connection that the limits admit */
    int ending;           /* connections that are ending */
    int64_t now_ns;
    bool has_said[DOOR_WHYS];
    uint64_t refused[DOOR_WHYS];
    int64_t told_ns;                 /* when the referee read the counts last */
    bool has_changed;                /* they have since then */
    struct cidr bars[BAN_LIST_MOST]; /* networks that are kept out */
    int bar_count;
    bool is_paused; /* the system has no descriptor for another connection */
    bool is_over;
};

/* ------------------------------------------------------------------------ a connection */

static void end_visit(struct visit *visit)
{
    struct doorman *doorman = visit->doorman;
    int fd = watched_end(&visit->watched, doorman->epoll);

    doorman->ending -= visit->ending_ns != 0;
    /* The place of its address is free at once; what was sent last is the kernel's to deliver. */
    limits_release(&doorman->limits, visit->place);
    doorman->has_changed = true;
    (void)shutdown(fd, SHUT_RDWR);
    close(fd);
}

/* The gateway is gone: what it sent last is still on its way. Closing a socket with unread bytes
 * would discard it, so only the sending is ended. */
static void note_ending(struct visit *visit)
{
    if (visit->watched.fd >= 0 && visit->ending_ns == 0) {
        visit->ending_ns = visit->doorman->now_ns;
        visit->doorman->ending++;
        (void)shutdown(visit->watched.fd, SHUT_WR);
    }
}

/* Both directions have ended: the gateway has shut it down, or both sides have. */
static void on_visit(void *user, uint32_t events)
{
    /* epoll reports both without being asked, so a visit is watched for nothing else. */
    if ((events & (EPOLLHUP | EPOLLERR)) != 0) {
        end_visit(user);
    }
}

static void listen_again(struct doorman *doorman)
{
    if (doorman->is_paused) {
        doorman->is_paused = false;
        watched_change(&doorman->listener, doorman->epoll, EPOLLIN);
    }
}

static void tell_counts(struct doorman *doorman)
{
    uint64_t counts[INSIDE_COUNTS] = {(uint64_t)doorman->limits.open};

    _Static_assert((int)INSIDE_COUNTS == 1 + (int)DOOR_WHYS,
                   "connections, then why some are refused");
    if (doorman->has_changed && doorman->now_ns - doorman->told_ns >= TELL_NS) {
        memcpy(counts + 1, doorman->refused, sizeof doorman->refused);
        inside_send_counts(inside_own(), counts);
        doorman->told_ns = doorman->now_ns;
        doorman->has_changed = false;
    }
}

static void sweep_connections(struct doorman *doorman)
{
    /* Descriptors may be free again by now. */
    listen_again(doorman);
    tell_counts(doorman);
    doorman->is_over |= !inside_flush(inside_own());
    for (int i = 0; i < doorman->limits.connections && doorman->ending > 0; i++) {
        struct visit *visit = &doorman->visits[i];

        if (visit->watched.fd >= 0 && visit->ending_ns != 0 &&
            doorman->now_ns - visit->ending_ns > ENDING_NS) {
            end_visit(visit);
        }
    }
}

/* ------------------------------------------------------------------------ the gateway */

/* It sends nothing: it has ended, and with it all its connections. */
static void on_gateway(void *user, uint32_t events)
{
    struct doorman *doorman = user;

    (void)events;
    close(watched_end(&doorman->gateway, doorman->epoll));
    for (int i = 0; i < doorman->limits.connections; i++) {
        note_ending(&doorman->visits[i]);
    }
}

/* Gives a connection to the gateway, the present one. Returns false if it does not take it. */
static bool give(struct doorman *doorman, int fd, const char *address)
{
    /* Connected when it is first needed, since the gateway may be new: its socket has the same
     * path. */
    if (doorman->gateway.fd < 0) {
        int gateway = handover_connect(doorman->path);

        if (gateway < 0) {
            return false;
        }
        if (!watched_begin(&doorman->gateway, doorman->epoll, gateway, EPOLLIN)) {
            doorman->gateway.fd = -1;
            close(gateway);
            return false;
        }
    }
    /* False also when its socket is full: a gateway that does not take connections has no use
     * for more. */
    return handover_give(doorman->gateway.fd, fd, address);
}

static void set_line(int fd)
{
    const int yes = 1, idle_s = 30, every_s = 10, times = 3;

    /* A decision is one small packet that a clock waits for: Nagle's algorithm would hold it
     * until the last one is acknowledged. Keepalive finds a machine that has vanished within a
     * minute, also while its connection is not yet heard by the gateway. */
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every_s, sizeof every_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

/* Says why in the protocol of the host, as nobody reads another one here: a greeting, and ERROR. It
 * is no secret and proves nothing. A sender's few bytes always fit, and are read before the reset.
 */
static void say_why(int fd, const char *words)
{
    uint8_t bytes[ZMTP_GREETING + ZMTP_WRITTEN];
    size_t size = ZMTP_GREETING;

    zmtp_greeting_of(bytes, "CURVE", true);
    size += zmtp_error(bytes + size, words);
    (void)send(fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Ends a connection with a reset: it leaves nothing behind in the kernel. */
static void turn_away(int fd, const char *words)
{
    /* Otherwise a flood would leave thousands of sockets in TIME_WAIT. */
    const struct linger now = {.l_onoff = 1, .l_linger = 0};

    say_why(fd, words);
    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
}

static struct visit *free_visit(const struct doorman *doorman)
{
    struct visit *visit = NULL;

    for (int i = 0; i < doorman->limits.connections && visit == NULL; i++) {
        visit = doorman->visits[i].watched.fd >= 0 ? NULL : &doorman->visits[i];
    }
    return visit;
}

static void write_address(char out[HANDOVER_ADDRESS], const struct sockaddr_storage *from,
                          socklen_t size)
{
    if (getnameinfo((const struct sockaddr *)from, size, out, HANDOVER_ADDRESS, NULL, 0,
                    NI_NUMERICHOST) != 0) {
        snprintf(out, HANDOVER_ADDRESS, "?");
    }
}

/* It is watched for its end only: bytes that come on it wake nobody here. */
static void begin_visit(struct doorman *doorman, int fd, struct limits_place *place,
                        const char *address)
{
    struct visit *visit = free_visit(doorman);

    set_line(fd);
    /* Watched before it is given away: the gateway may end it at once, and that end has to be
     * seen. */
    if (visit == NULL || !watched_begin(&visit->watched, doorman->epoll, fd, 0)) {
        limits_release(&doorman->limits, place);
        turn_away(fd, limits_why(&doorman->limits, LIMITS_FULL));
        doorman->refused[DOOR_WHY_CONNECTIONS]++;
        doorman->has_changed = true;
        return;
    }
    visit->place = place;
    visit->ending_ns = 0;
    doorman->has_changed = true;
    snprintf(visit->address, sizeof visit->address, "%s", address);
    if (!give(doorman, fd, address)) {
        limits_release(&doorman->limits, place);
        turn_away(watched_end(&visit->watched, doorman->epoll),
                  "the host is starting its gateway anew");
        doorman->refused[DOOR_WHY_GATEWAY]++; /* the referee knows why, and says so */
    }
}

/* Each reason is reported once, with the first address; then they are only counted. */
static void reject(struct doorman *doorman, int fd, enum door_why why, const char *words,
                   const struct sockaddr_storage *from, socklen_t size)
{
    char address[HANDOVER_ADDRESS];

    turn_away(fd, words);
    doorman->refused[why]++;
    doorman->has_changed = true;
    if (!doorman->has_said[why]) {
        doorman->has_said[why] = true;
        write_address(address, from, size);
        inside_send_place(inside_own(), INSIDE__KIND__LIMITED, NULL, 0, words, address);
    }
}

static enum door_why why_of(enum limits_verdict verdict)
{
    static const enum door_why whys[LIMITS_VERDICTS] = {
        [LIMITS_ADDRESS_FULL] = DOOR_WHY_ADDRESS_CONNECTIONS,
        [LIMITS_ADDRESS_FAST] = DOOR_WHY_ADDRESS_RATE,
        [LIMITS_FULL] = DOOR_WHY_CONNECTIONS,
        [LIMITS_FAST] = DOOR_WHY_RATE,
    };

    return whys[verdict];
}

static bool is_barred(const struct doorman *doorman, const struct sockaddr_storage *from)
{
    for (int i = 0; i < doorman->bar_count; i++) {
        if (cidr_has(&doorman->bars[i], from)) {
            return true;
        }
    }
    return false;
}

/* Returns false if nobody waits. */
static bool accept_one(struct doorman *doorman)
{
    struct sockaddr_storage from = {.ss_family = AF_UNSPEC};
    socklen_t size = sizeof from;
    int fd = accept4(doorman->listener.fd, (struct sockaddr *)&from, &size,
                     SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct limits_address address = limits_address_of(&from);
    struct limits_place *place = NULL;
    char text[HANDOVER_ADDRESS];
    enum limits_verdict verdict;

    /* The connection stays in the kernel's queue, for which the listener remains readable. */
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)) {
        watched_change(&doorman->listener, doorman->epoll, 0);
        doorman->is_paused = true; /* until the next sweep: epoll would report it without end */
        return false;
    }
    if (fd < 0) {
        /* accept4 also reports the errors of a connection that ended in the queue (ECONNABORTED
         * and others): the next one may be fine. */
        return errno != EAGAIN;
    }
    if (is_barred(doorman, &from)) {
        reject(doorman, fd, DOOR_WHY_BANNED, "its network is banned", &from, size);
        return true;
    }
    verdict = limits_admit(&place, &doorman->limits, &address, doorman->now_ns);
    if (verdict != LIMITS_ADMIT) {
        reject(doorman, fd, why_of(verdict), limits_why(&doorman->limits, verdict), &from, size);
    } else {
        write_address(text, &from, size);
        begin_visit(doorman, fd, place, text);
    }
    return true;
}

/* ------------------------------------------------------------------------ the round */

/* Keeps a network out; its connections end. */
static void bar(struct doorman *doorman, const char *text)
{
    struct cidr network;

    if (doorman->bar_count == BAN_LIST_MOST || cidr_read(&network, text, NULL) != BG_OK) {
        return;
    }
    /* A ban ends what is open too: the descriptor here is a duplicate, and a shutdown works on
     * both. */
    doorman->bars[doorman->bar_count++] = network;
    for (int i = 0; i < doorman->limits.connections; i++) {
        if (doorman->visits[i].watched.fd >= 0 &&
            cidr_has_text(&network, doorman->visits[i].address)) {
            end_visit(&doorman->visits[i]);
        }
    }
}

static void take_of_referee(void *user, const Inside__Message *message)
{
    struct doorman *doorman = user;

    switch (message->kind) {
    case INSIDE__KIND__UNBAR:
        /* `unbar` and the `bar`s behind it are the whole list anew; who slips in between is
         * ended by its `bar`. */
        doorman->bar_count = 0;
        break;
    case INSIDE__KIND__BAR:
        bar(doorman, message->text);
        break;
    case INSIDE__KIND__MARK:
        inside_send(inside_own(), INSIDE__KIND__MARKED, NULL, message->number, NULL);
        break;
    default:
        break;
    }
}

static void on_control(void *user, uint32_t events)
{
    struct doorman *doorman = user;

    (void)events;
    doorman->is_over |= !inside_each(INSIDE_FD, "referee", take_of_referee, doorman);
}

static void on_listener(void *user, uint32_t events)
{
    struct doorman *doorman = user;

    (void)events;
    /* A bound, so that under a flood messages of the referee and ends of connections have their
     * turn. */
    for (int i = 0; i < ACCEPTS && accept_one(doorman); i++) {
    }
}

static void play_round(struct doorman *doorman, int most_ms)
{
    doorman->is_over |= !watched_round(&doorman->now_ns, doorman->epoll, most_ms, NULL, NULL);
    /* Without a deadline there is nothing to sweep. */
    if (most_ms >= 0) {
        sweep_connections(doorman);
    }
}

/* ------------------------------------------------------------------------ beginning */

/* Returns as many connections as the descriptors suffice for, here and in the gateway. */
static int room_for(int connections)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return connections;
    }
    if (limit.rlim_cur <= SPARE_DESCRIPTORS + PER_CONNECTION) {
        return 1;
    }
    return (rlim_t)connections * PER_CONNECTION + SPARE_DESCRIPTORS > limit.rlim_cur
               ? (int)((limit.rlim_cur - SPARE_DESCRIPTORS) / PER_CONNECTION)
               : connections;
}

static enum bg_status open_doorman(struct doorman *doorman, char **argv,
                                   char bound[TCP_LISTEN_TEXT], struct bg_error *err)
{
    int per_address, wanted, connections;
    int listener = -1;
    uint64_t secret;
    enum bg_status status = tcp_listen(&listener, bound, argv[1], WAITING_ROOM, err);

    if (status == BG_OK) {
        status = int_read(&per_address, argv[3], 1, DOORMAN_CONNECTIONS_MOST, err);
    }
    if (status == BG_OK) {
        status = int_read(&wanted, argv[4], 1, DOORMAN_CONNECTIONS_MOST, err);
    }
    if (status != BG_OK) {
        return status;
    }
    /* Fewer places are announced (`lowered`) instead of failing one connection after another
     * later. */
    connections = room_for(wanted);
    /* For the hash of addresses: nobody can choose addresses that share a place (limits.c). */
    randombytes_buf(&secret, sizeof secret);
    limits_init(&doorman->limits, per_address, connections, secret);
    doorman->path = argv[2];
    doorman->control = (struct watched){.fn = on_control, .user = doorman};
    doorman->listener = (struct watched){.fn = on_listener, .user = doorman};
    doorman->gateway = (struct watched){.fd = -1, .fn = on_gateway, .user = doorman};
    doorman->visits = memory_zeroed((size_t)connections, sizeof *doorman->visits);
    doorman->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (doorman->epoll < 0 ||
        !watched_begin(&doorman->control, doorman->epoll, INSIDE_FD, EPOLLIN) ||
        !watched_begin(&doorman->listener, doorman->epoll, listener, EPOLLIN)) {
        return bg_error_set(err, BG_E_SYSTEM, "prepare the doorman: %s", strerror(errno));
    }
    for (int i = 0; i < connections; i++) {
        struct visit *visit = &doorman->visits[i];

        visit->doorman = doorman;
        visit->watched = (struct watched){.fd = -1, .fn = on_visit, .user = visit};
    }
    if (connections < wanted) {
        inside_send(inside_own(), INSIDE__KIND__LOWERED, NULL, connections, NULL);
    }
    return BG_OK;
}

/* The gateway ends before the doorman: the other sides have a moment to read what it sent last. */
static void drain(struct doorman *doorman)
{
    const int64_t until_ns = utc_steady_ns() + DRAIN_NS;

    (void)watched_end(&doorman->listener, doorman->epoll);
    /* The control socket has ended and would wake each round. */
    (void)watched_end(&doorman->control, doorman->epoll);
    while (doorman->limits.open > 0 && utc_steady_ns() < until_ns) {
        play_round(doorman, SWEEP_MS / 10);
    }
}

static void close_doorman(struct doorman *doorman)
{
    for (int i = 0; doorman->visits != NULL && i < doorman->limits.connections; i++) {
        if (doorman->visits[i].watched.fd >= 0) {
            end_visit(&doorman->visits[i]);
        }
    }
    free(doorman->visits);
}

int doorman_main(int argc, char **argv)
{
    static struct doorman doorman = {.epoll = -1};
    struct bg_error err = {.text = ""};
    char bound[TCP_LISTEN_TEXT];
    int exit_status = stranger_process_begin(
        DOORMAN_NAME, argc == 5,
        argc > 1 && strcmp(argv[1], TCP_LISTEN_GIVEN) == 0 ? TCP_LISTEN_FD + 1 : INSIDE_FD + 1);

    if (exit_status != EXIT_DONE) {
        return exit_status;
    }
    if (open_doorman(&doorman, argv, bound, &err) != BG_OK) {
        return stranger_process_fail(EXIT_MISUSE, err.text);
    }
    /* After all files and sockets are open: from here on none can be opened. */
    stranger_process_confine(DOORMAN_NAME);
    inside_send(inside_own(), INSIDE__KIND__BOUND, NULL, 0, bound);
    while (!doorman.is_over) {
        bool sweeps = doorman.ending > 0 || doorman.is_paused || doorman.has_changed ||
                      inside_waits(inside_own());

        play_round(&doorman, sweeps ? SWEEP_MS : -1);
    }
    drain(&doorman);
    close_doorman(&doorman);
    return EXIT_DONE;
}
