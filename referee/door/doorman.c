#define _GNU_SOURCE
#include "doorman.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <sodium.h>

#include "confine.h"
#include "control.h"
#include "exit_status.h"
#include "gate.h"
#include "limits.h"
#include "process/portable.h"
#include "relay.h"
#include "tcp_listen.h"
#include "text/units.h"

/* A connection that the gateway has ended closes by then. */
#define ENDING_NS INT64_C(2000000000)
#define DRAIN_NS  INT64_C(500000000)

enum {
    WAITING_ROOM = 256, /* connections that the kernel keeps for us */
    ACCEPTS = 32,       /* most taken in one round, between the bytes of those that play */
    EVENTS = 128,
    SWEEP_MS = 250,
    TURNED_AWAY = 300, /* bytes from inside: a handshake that succeeds has more */
    SPARE_DESCRIPTORS = 32
};

/* Of what epoll reports: a side of a connection, or one of these. */
enum { TOKEN_CONTROL, TOKEN_LISTEN, TOKEN_CALLS };

struct visit {
    struct relay relay;
    bool is_open;
    struct limits_place *place;
    int64_t ending_ns; /* the gateway has ended it at that time; 0: it has not */
    uint32_t watched[RELAY_SIDES];
    char address[DOORMAN_ADDRESS];
};

struct doorman {
    int epoll, listener;
    struct limits limits;
    struct visit *visits; /* owned; one for each connection that the limits admit */
    struct sockaddr_un gateway;
    uint32_t number; /* of the last connection */
    int ending;      /* connections that the gateway has ended */
    bool has_said[LIMITS_VERDICTS];
    struct cidr bars[GATE_BANS]; /* networks that are kept out */
    int bar_count;
    bool has_said_bar;
    bool is_paused; /* the system has no descriptor for another connection */
    bool is_over;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ------------------------------------------------------------------------ watching */

static bool watch(const struct doorman *doorman, int fd, uint64_t token, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u64 = token};

    return epoll_ctl(doorman->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static uint64_t token_of(const struct doorman *doorman, const struct visit *visit, int side)
{
    return TOKEN_CALLS + (uint64_t)(visit - doorman->visits) * RELAY_SIDES + (uint64_t)side;
}

/* Watches what the connection needs now. A side that is watched for nothing still reports its
 * end; one that has ended is not watched at all. */
static void rewatch(const struct doorman *doorman, struct visit *visit)
{
    for (int side = 0; side < RELAY_SIDES; side++) {
        uint32_t events = (relay_reads(&visit->relay, side) ? EPOLLIN : 0U) |
                          (relay_writes(&visit->relay, side) ? EPOLLOUT : 0U);
        struct epoll_event event = {.events = events, .data.u64 = token_of(doorman, visit, side)};

        if (events != visit->watched[side]) {
            int what = events == 0                 ? EPOLL_CTL_DEL
                       : visit->watched[side] == 0 ? EPOLL_CTL_ADD
                                                   : EPOLL_CTL_MOD;

            (void)epoll_ctl(doorman->epoll, what, visit->relay.fd[side], &event);
            visit->watched[side] = events;
        }
    }
}

/* ------------------------------------------------------------------------ a connection */

static void end_visit(struct doorman *doorman, struct visit *visit)
{
    if (visit->relay.told < TURNED_AWAY && !doorman->is_over) {
        control_send(CONTROL_FD, "turned %s", visit->address);
    }
    doorman->ending -= visit->ending_ns != 0;
    limits_release(&doorman->limits, visit->place);
    relay_close(&visit->relay); /* epoll forgets closed descriptors */
    visit->is_open = false;
}

static void note_ending(struct doorman *doorman, struct visit *visit)
{
    if (visit->ending_ns == 0 && visit->relay.has_ended[RELAY_INSIDE]) {
        visit->ending_ns = now_ns();
        doorman->ending++;
    }
}

static void serve(struct doorman *doorman, struct visit *visit, int side)
{
    if (!visit->is_open) {
        return; /* ended by an earlier event of this round */
    }
    if (!relay_serve(&visit->relay, side)) {
        end_visit(doorman, visit);
        return;
    }
    note_ending(doorman, visit);
    rewatch(doorman, visit);
}

static void listen_again(struct doorman *doorman)
{
    if (doorman->is_paused && watch(doorman, doorman->listener, TOKEN_LISTEN, EPOLLIN)) {
        doorman->is_paused = false;
    }
}

static void sweep(struct doorman *doorman)
{
    int64_t now = doorman->ending > 0 ? now_ns() : 0;

    listen_again(doorman);
    for (int i = 0; i < doorman->limits.connections && doorman->ending > 0; i++) {
        struct visit *visit = &doorman->visits[i];

        if (visit->is_open && visit->ending_ns != 0 && now - visit->ending_ns > ENDING_NS) {
            end_visit(doorman, visit);
        }
    }
}

/* Connects to the gateway from a name that tells the address. Returns -1: it does not listen. */
static int call_gateway(struct doorman *doorman, const char *address)
{
    struct sockaddr_un own = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int size = snprintf(own.sun_path + 1, sizeof own.sun_path - 1, "bgref-door-%d-%u-%s",
                        (int)getpid(), (unsigned)++doorman->number, address);

    if (fd >= 0 &&
        (bind(fd, (const struct sockaddr *)&own,
              (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size)) != 0 ||
         connect(fd, (const struct sockaddr *)&doorman->gateway, sizeof doorman->gateway) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void set_line(int fd)
{
    const int yes = 1, idle_s = 30, every_s = 10, times = 3;

    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every_s, sizeof every_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

/* Ends a connection with a reset: it leaves nothing behind in the kernel. */
static void turn_away(int fd)
{
    const struct linger now = {.l_onoff = 1, .l_linger = 0};

    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
}

static struct visit *free_visit(const struct doorman *doorman)
{
    struct visit *visit = NULL;

    for (int i = 0; i < doorman->limits.connections && visit == NULL; i++) {
        visit = doorman->visits[i].is_open ? NULL : &doorman->visits[i];
    }
    return visit;
}

static void write_address(char out[DOORMAN_ADDRESS], const struct sockaddr_storage *from,
                          socklen_t size)
{
    if (getnameinfo((const struct sockaddr *)from, size, out, DOORMAN_ADDRESS, NULL, 0,
                    NI_NUMERICHOST) != 0) {
        snprintf(out, DOORMAN_ADDRESS, "?");
    }
}

static void begin_visit(struct doorman *doorman, int fd, struct limits_place *place,
                        const char *address)
{
    struct visit *visit = free_visit(doorman);
    int inside = visit == NULL ? -1 : call_gateway(doorman, address);

    if (inside < 0) {
        limits_release(&doorman->limits, place);
        turn_away(fd);
        return;
    }
    set_line(fd);
    *visit = (struct visit){.is_open = true, .place = place};
    snprintf(visit->address, sizeof visit->address, "%s", address);
    relay_init(&visit->relay, fd, inside);
    rewatch(doorman, visit);
}

/* A reason is told once, with the first address; the referee counts nothing here. */
static void refuse(struct doorman *doorman, int fd, enum limits_verdict verdict,
                   const struct sockaddr_storage *from, socklen_t size)
{
    char address[DOORMAN_ADDRESS];

    turn_away(fd);
    if (!doorman->has_said[verdict]) {
        doorman->has_said[verdict] = true;
        write_address(address, from, size);
        control_send(CONTROL_FD, "limited %s %s", address, limits_why(&doorman->limits, verdict));
    }
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

static void refuse_barred(struct doorman *doorman, int fd, const struct sockaddr_storage *from,
                          socklen_t size)
{
    char address[DOORMAN_ADDRESS];

    turn_away(fd);
    if (!doorman->has_said_bar) {
        doorman->has_said_bar = true;
        write_address(address, from, size);
        control_send(CONTROL_FD, "limited %s its network is banned", address);
    }
}

/* Returns false if nobody waits. */
static bool accept_one(struct doorman *doorman)
{
    struct sockaddr_storage from = {.ss_family = AF_UNSPEC};
    socklen_t size = sizeof from;
    int fd =
        accept4(doorman->listener, (struct sockaddr *)&from, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct limits_address address = limits_address_of(&from);
    struct limits_place *place = NULL;
    char text[DOORMAN_ADDRESS];
    enum limits_verdict verdict;

    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)) {
        (void)epoll_ctl(doorman->epoll, EPOLL_CTL_DEL, doorman->listener, NULL);
        doorman->is_paused = true; /* until the next sweep: epoll would report it without end */
        return false;
    }
    if (fd < 0) {
        return errno != EAGAIN;
    }
    if (is_barred(doorman, &from)) {
        refuse_barred(doorman, fd, &from, size);
        return true;
    }
    verdict = limits_admit(&place, &doorman->limits, &address, now_ns());
    if (verdict != LIMITS_ADMIT) {
        refuse(doorman, fd, verdict, &from, size);
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

    if (doorman->bar_count == GATE_BANS || cidr_read(&network, text, NULL) != BG_OK) {
        return;
    }
    doorman->bars[doorman->bar_count++] = network;
    for (int i = 0; i < doorman->limits.connections; i++) {
        if (doorman->visits[i].is_open && cidr_has_text(&network, doorman->visits[i].address)) {
            end_visit(doorman, &doorman->visits[i]);
        }
    }
}

static void take_control(struct doorman *doorman)
{
    char text[CONTROL_TEXT];
    enum control_got got;

    while ((got = control_take(text, CONTROL_FD)) == CONTROL_LINE) {
        char *rest = text;
        const char *word = control_word(&rest);

        if (strcmp(word, "unbar") == 0) {
            doorman->bar_count = 0;
        } else if (strcmp(word, "bar") == 0) {
            while (rest != NULL && rest[0] != '\0') {
                bar(doorman, control_word(&rest));
            }
        }
    }
    doorman->is_over = got == CONTROL_ENDED;
}

/* Those that play are served before anybody new. */
static void play_round(struct doorman *doorman, int most_ms)
{
    struct epoll_event events[EVENTS];
    bool waits = false;
    int count = epoll_wait(doorman->epoll, events, EVENTS, most_ms);

    doorman->is_over = count < 0 && errno != EINTR;
    for (int i = 0; i < count; i++) {
        uint64_t token = events[i].data.u64;

        if (token == TOKEN_CONTROL) {
            take_control(doorman);
        } else if (token == TOKEN_LISTEN) {
            waits = true;
        } else {
            serve(doorman, &doorman->visits[(token - TOKEN_CALLS) / RELAY_SIDES],
                  (int)((token - TOKEN_CALLS) % RELAY_SIDES));
        }
    }
    for (int i = 0; waits && i < ACCEPTS; i++) {
        waits = accept_one(doorman);
    }
    if (most_ms >= 0) {
        sweep(doorman);
    }
}

/* ------------------------------------------------------------------------ beginning */

/* Two descriptors a connection. Returns as many connections as they suffice for. */
static int room_for(int connections)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return connections;
    }
    if (limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
        (void)getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur <= SPARE_DESCRIPTORS + RELAY_SIDES) {
        return 1;
    }
    return (rlim_t)connections * RELAY_SIDES + SPARE_DESCRIPTORS > limit.rlim_cur
               ? (int)((limit.rlim_cur - SPARE_DESCRIPTORS) / RELAY_SIDES)
               : connections;
}

static enum bg_status open_doorman(struct doorman *doorman, char **argv,
                                   char bound[TCP_LISTEN_TEXT], struct bg_error *err)
{
    int per_address, wanted, connections;
    uint64_t secret;
    enum bg_status status = tcp_listen(&doorman->listener, bound, argv[1], WAITING_ROOM, err);

    if (status == BG_OK) {
        status = int_read(&per_address, argv[3], 1, DOORMAN_CONNECTIONS_MOST, err);
    }
    if (status == BG_OK) {
        status = int_read(&wanted, argv[4], 1, DOORMAN_CONNECTIONS_MOST, err);
    }
    if (status != BG_OK) {
        return status;
    }
    connections = room_for(wanted);
    randombytes_buf(&secret, sizeof secret);
    limits_init(&doorman->limits, per_address, connections, secret);
    doorman->gateway.sun_family = AF_UNIX;
    snprintf(doorman->gateway.sun_path, sizeof doorman->gateway.sun_path, "%s", argv[2]);
    doorman->visits = calloc((size_t)connections, sizeof *doorman->visits);
    doorman->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (doorman->visits == NULL || doorman->epoll < 0 ||
        !watch(doorman, CONTROL_FD, TOKEN_CONTROL, EPOLLIN) ||
        !watch(doorman, doorman->listener, TOKEN_LISTEN, EPOLLIN)) {
        return bg_error_set(err, BG_E_SYSTEM, "prepare the doorman: %s", strerror(errno));
    }
    if (connections < wanted) {
        control_send(CONTROL_FD, "lowered %d %d", connections, wanted);
    }
    return BG_OK;
}

/* The gateway ends before the doorman: what it sent last is passed on, and the other sides have a
 * moment to read it. */
static void drain(struct doorman *doorman)
{
    const int64_t until_ns = now_ns() + DRAIN_NS;

    (void)epoll_ctl(doorman->epoll, EPOLL_CTL_DEL, doorman->listener, NULL);
    (void)epoll_ctl(doorman->epoll, EPOLL_CTL_DEL, CONTROL_FD, NULL);
    while (doorman->limits.open > 0 && now_ns() < until_ns) {
        play_round(doorman, SWEEP_MS / 10);
    }
}

static void close_doorman(struct doorman *doorman)
{
    for (int i = 0; doorman->visits != NULL && i < doorman->limits.connections; i++) {
        if (doorman->visits[i].is_open) {
            end_visit(doorman, &doorman->visits[i]);
        }
    }
    free(doorman->visits);
}

int doorman_main(int argc, char **argv)
{
    static struct doorman doorman = {.epoll = -1, .listener = -1};
    struct bg_error err = {.text = ""};
    char bound[TCP_LISTEN_TEXT];
    int type = 0;
    socklen_t size = sizeof type;

    if (argc != 5 || getsockopt(CONTROL_FD, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
        type != SOCK_SEQPACKET) {
        fprintf(stderr, "%s: a part of 'bgref tournament', which starts it\n", DOORMAN_NAME);
        return EXIT_MISUSE;
    }
    close_descriptors_from(CONTROL_FD + 1);
    signal(SIGPIPE, SIG_IGN);
    if (sodium_init() < 0 || open_doorman(&doorman, argv, bound, &err) != BG_OK) {
        control_send(CONTROL_FD, "failed %s", err.text);
        return EXIT_MISUSE;
    }
    confine_child(DOORMAN_NAME);
    control_send(CONTROL_FD, "bound %s", bound);
    while (!doorman.is_over) {
        play_round(&doorman, doorman.ending > 0 || doorman.is_paused ? SWEEP_MS : -1);
    }
    drain(&doorman);
    close_doorman(&doorman);
    return EXIT_DONE;
}

void doorman_address_of(char out[DOORMAN_ADDRESS], int fd)
{
    struct sockaddr_un peer = {.sun_family = AF_UNSPEC};
    socklen_t size = sizeof peer;
    int length = 0, at = 0;

    snprintf(out, DOORMAN_ADDRESS, "?");
    if (getpeername(fd, (struct sockaddr *)&peer, &size) == 0 && peer.sun_family == AF_UNIX &&
        size > offsetof(struct sockaddr_un, sun_path) + 1) {
        length = (int)(size - offsetof(struct sockaddr_un, sun_path)) - 1;
        if (length < (int)sizeof peer.sun_path &&
            sscanf(peer.sun_path + 1, "bgref-door-%*d-%*u-%n", &at) == 0 && at > 0) {
            snprintf(out, DOORMAN_ADDRESS, "%.*s", length - at, peer.sun_path + 1 + at);
        }
    }
}
