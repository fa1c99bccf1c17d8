/* rtbench - decision round trips between one referee process and N engine processes.
 *
 * Usage: rtbench [-t zmq|zmtp|link] [-n ENGINES] [-b DECISIONS] [-s SECONDS]
 *
 * zmq: libzmq on both sides, one ROUTER. zmtp: the referee speaks ZMTP itself over a Unix socket,
 * engines are on libzmq. link: both sides use their own ZMTP, engines on a blocking socket as in
 * the SDK's client.
 *
 * One message per engine is on its way at once, and has DECISIONS decisions. A round trip is one
 * decision sent, and its answer back and checked. Prints, of the time after WARM_SECONDS: decisions
 * a second; the median and the 99 % time of a message in microseconds; the referee's CPU a decision
 * in microseconds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "decision.pb-c.h"

enum transport { T_ZMQ, T_ZMTP, T_LINK };

#define WARM_SECONDS 0.2

static struct {
    enum transport transport;
    int clients, batch;
    double secs;
} opt = {.clients = 1, .batch = 1, .secs = 1.0};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "rtbench: %s: %s\n", what, zmq_strerror(errno));
    _exit(1);
}
#define CHECK(c, what)                                                                             \
    do {                                                                                           \
        if (!(c))                                                                                  \
            die(what);                                                                             \
    } while (0)

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- latency histogram: 32 linear steps per power of two ---------------- */
static uint32_t hist[64 * 32];
static unsigned hist_slot(uint64_t v)
{
    if (v < 32)
        return (unsigned)v;
    unsigned e = 63u - (unsigned)__builtin_clzll(v);
    return (e - 4) * 32 + (unsigned)((v >> (e - 5)) & 31);
}
static uint64_t hist_value(unsigned s)
{
    if (s < 32)
        return s;
    unsigned e = s / 32 + 4;
    return (uint64_t)(32 + s % 32) << (e - 5);
}
static double hist_pct(uint64_t total, double p)
{
    uint64_t want = (uint64_t)((double)total * p), seen = 0;
    for (unsigned i = 0; i < 64 * 32; i++)
        if ((seen += hist[i]) > want)
            return (double)hist_value(i) / 1000.0;
    return 0;
}

/* ---- bump allocator for protobuf-c -------------------------------------- */
struct arena {
    uint8_t *base;
    size_t used, cap;
};
static void *arena_alloc(void *d, size_t n)
{
    struct arena *a = d;
    size_t at = (a->used + 15) & ~(size_t)15;
    if (at + n > a->cap)
        return NULL;
    a->used = at + n;
    return a->base + at;
}
static void arena_free(void *d, void *p)
{
}
static struct arena the_arena;
static ProtobufCAllocator arena_if;
static ProtobufCAllocator *alloc_begin(void)
{
    if (!the_arena.base) {
        the_arena.cap = 1 << 20;
        the_arena.base = malloc(the_arena.cap);
        arena_if = (ProtobufCAllocator){arena_alloc, arena_free, &the_arena};
    }
    the_arena.used = 0;
    return &arena_if;
}

/* ---- payloads ----------------------------------------------------------- */
static void fill_decision(Bench__Decision *d, int32_t *points, uint8_t *key, uint8_t *dice,
                          uint32_t slot, uint32_t seq)
{
    static const int32_t start[26] = {0, -2, 0, 0, 0,  0, 5,  0, 3, 0, 0, 0, -5,
                                      5, 0,  0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0};
    bench__decision__init(d);
    memcpy(points, start, sizeof start);
    points[1 + seq % 24] ^= 1;
    memset(key, 0x5a, 16);
    memcpy(key, &slot, 4);
    memcpy(key + 4, &seq, 4);
    dice[0] = (uint8_t)(1 + seq % 6);
    dice[1] = (uint8_t)(1 + seq / 6 % 6);
    d->request_id = ((uint64_t)slot << 24) | (seq & 0xffffff);
    d->match_key = (ProtobufCBinaryData){16, key};
    d->game_no = 7;
    d->ply = seq & 127;
    d->kind = 1;
    d->n_points = 26;
    d->points = points;
    d->dice = (ProtobufCBinaryData){2, dice};
    d->cube_log2 = 1;
    d->cube_owner = -1;
    d->score_self = 3;
    d->score_opp = 5;
    d->match_length = 13;
    d->clock_self_us = 118000000 - (seq & 0xffff);
    d->clock_opp_us = 117000000;
    d->position_id = (char *)"4HPwATDgc/ABMA";
    d->seed = 0x9e3779b97f4a7c15u * (seq + 1u);
}

static size_t make_request(uint32_t slot, uint32_t seq, uint8_t *out)
{
    static Bench__Decision *ds;
    static Bench__Decision **dp;
    static int32_t(*pts)[26];
    static uint8_t(*key)[16], (*dice)[2];
    size_t b = (size_t)opt.batch;
    if (!ds) {
        ds = calloc(b, sizeof *ds);
        dp = calloc(b, sizeof *dp);
        pts = calloc(b, sizeof *pts);
        key = calloc(b, sizeof *key);
        dice = calloc(b, sizeof *dice);
    }
    for (size_t i = 0; i < b; i++) {
        fill_decision(&ds[i], pts[i], key[i], dice[i], slot, seq + (uint32_t)i);
        dp[i] = &ds[i];
    }
    if (b == 1)
        return bench__decision__pack(&ds[0], out);
    Bench__DecisionBatch m = BENCH__DECISION_BATCH__INIT;
    m.n_items = b;
    m.items = dp;
    return bench__decision_batch__pack(&m, out);
}

static bool choice_ok(const Bench__Choice *c)
{
    return c->match_key.len == 16 && c->n_path <= 8 && c->n_path > 0;
}

/* returns the slot number, or UINT32_MAX if the reply is wrong */
static uint32_t check_reply(const uint8_t *in, size_t n)
{
    uint32_t slot = UINT32_MAX;
    ProtobufCAllocator *al = alloc_begin();
    if (opt.batch == 1) {
        Bench__Choice *c = bench__choice__unpack(al, n, in);
        if (c && choice_ok(c))
            slot = (uint32_t)(c->request_id >> 24);
        return slot;
    }
    Bench__ChoiceBatch *m = bench__choice_batch__unpack(al, n, in);
    if (m && m->n_items == (size_t)opt.batch) {
        slot = (uint32_t)(m->items[0]->request_id >> 24);
        for (size_t i = 0; i < m->n_items; i++)
            if (!choice_ok(m->items[i]))
                slot = UINT32_MAX;
    }
    return slot;
}

static void choose(const Bench__Decision *d, Bench__Choice *c, uint32_t *path)
{
    bench__choice__init(c);
    for (int i = 0; i < 8; i++)
        path[i] = (uint32_t)(d->points[(i * 3) % (int)d->n_points] + 13) & 31;
    c->request_id = d->request_id;
    c->match_key = d->match_key;
    c->n_path = 8;
    c->path = path;
    c->equity_millis = -123;
    c->think_us = 0;
}

static size_t engine_answer(const uint8_t *in, size_t n, uint8_t *out)
{
    ProtobufCAllocator *al = alloc_begin();
    if (opt.batch == 1) {
        Bench__Decision *d = bench__decision__unpack(al, n, in);
        CHECK(d && d->n_points == 26, "engine: bad request");
        Bench__Choice c;
        uint32_t path[8];
        choose(d, &c, path);
        return bench__choice__pack(&c, out);
    }
    Bench__DecisionBatch *m = bench__decision_batch__unpack(al, n, in);
    CHECK(m, "engine: bad batch");
    size_t b = m->n_items;
    Bench__Choice c[b], *cp[b];
    uint32_t path[b][8];
    for (size_t i = 0; i < b; i++) {
        choose(m->items[i], &c[i], path[i]);
        cp[i] = &c[i];
    }
    Bench__ChoiceBatch r = BENCH__CHOICE_BATCH__INIT;
    r.n_items = b;
    r.items = cp;
    return bench__choice_batch__pack(&r, out);
}

/* ---- shared bookkeeping -------------------------------------------------- */
static uint64_t *sent_at;  /* per slot */
static uint32_t *sent_seq; /* per slot */
static uint64_t done_msgs, measured_msgs;
static uint64_t t_start, t_warm, t_end;
static size_t message_max;

static bool account(uint32_t slot) /* true while the run continues */
{
    CHECK(slot < (uint32_t)opt.clients, "bad reply");
    uint64_t t = now_ns();
    done_msgs++;
    if (t >= t_warm) {
        measured_msgs++;
        hist[hist_slot(t - sent_at[slot])]++;
    }
    return t < t_end;
}
static size_t next_request(uint32_t slot, uint8_t *out)
{
    size_t n = make_request(slot, sent_seq[slot]++, out);
    sent_at[slot] = now_ns();
    return n;
}
static void clock_start(void)
{
    t_start = now_ns();
    t_warm = t_start + (uint64_t)(WARM_SECONDS * 1e9);
    t_end = t_warm + (uint64_t)(opt.secs * 1e9);
}

/* ---- frames of ZMTP ---------------------------------------------------------- */
static size_t frame_head(uint8_t *p, size_t n)
{
    if (n < 256) {
        p[0] = 0;
        p[1] = (uint8_t)n;
        return 2;
    }
    p[0] = 2;
    for (int i = 0; i < 8; i++)
        p[1 + i] = (uint8_t)((uint64_t)n >> (56 - 8 * i));
    return 9;
}
/* returns the bytes of the frame head, 0 if incomplete; *n: the body length */
static size_t frame_parse(const uint8_t *p, size_t have, size_t *n)
{
    if (have < 2)
        return 0;
    if (!(p[0] & 2)) {
        *n = p[1];
        return have >= 2 + *n ? 2 : 0;
    }
    if (have < 9)
        return 0;
    uint64_t l = 0;
    for (int i = 0; i < 8; i++)
        l = l << 8 | p[1 + i];
    *n = (size_t)l;
    return have >= 9 + *n ? 9 : 0;
}

struct conn {
    int fd;
    uint8_t *in, *out;
    size_t have, outn;
};
static size_t cap;

static void write_all(int fd, const uint8_t *p, size_t n)
{
    while (n) {
        ssize_t w = write(fd, p, n);
        if (w < 0) {
            if (errno == EINTR)
                continue;
            if (errno == EAGAIN) {
                struct pollfd q = {fd, POLLOUT, 0};
                poll(&q, 1, -1);
                continue;
            }
            die("write");
        }
        p += w;
        n -= (size_t)w;
    }
}

/* Appends a frame whose body of n bytes is at p + 9; returns its length. */
static size_t frame_close(uint8_t *p, size_t n)
{
    uint8_t head[9];
    size_t h = frame_head(head, n);
    if (h != 9)
        memmove(p + h, p + 9, n);
    memcpy(p, head, h);
    return h + n;
}

static void stream_engine(int fd)
{
    uint8_t *in = malloc(cap), *out = malloc(cap);
    size_t have = 0;
    for (;;) {
        ssize_t r = read(fd, in + have, cap - have);
        if (r < 0 && errno == EINTR)
            continue;
        if (r <= 0)
            break;
        have += (size_t)r;
        size_t at = 0, outn = 0, n, h;
        while ((h = frame_parse(in + at, have - at, &n))) {
            outn += frame_close(out + outn, engine_answer(in + at + h, n, out + outn + 9));
            at += h + n;
        }
        memmove(in, in + at, have - at);
        have -= at;
        if (outn)
            write_all(fd, out, outn);
    }
}

static void conn_push(struct conn *c, uint32_t slot)
{
    uint8_t *p = c->out + c->outn;
    c->outn += frame_close(p, next_request(slot, p + 9));
}

static void conn_flush(struct conn *c)
{
    write_all(c->fd, c->out, c->outn);
    c->outn = 0;
}

static void stream_referee(struct conn *cs)
{
    int ep = epoll_create1(0);
    for (int i = 0; i < opt.clients; i++) {
        cs[i].in = malloc(cap);
        cs[i].out = malloc(cap);
        fcntl(cs[i].fd, F_SETFL, O_NONBLOCK);
        struct epoll_event ev = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        CHECK(epoll_ctl(ep, EPOLL_CTL_ADD, cs[i].fd, &ev) == 0, "epoll_ctl");
    }
    clock_start();
    for (int i = 0; i < opt.clients; i++) {
        conn_push(&cs[i], (uint32_t)i);
        conn_flush(&cs[i]);
    }
    bool go = true;
    struct epoll_event evs[256];
    while (go) {
        int n = epoll_wait(ep, evs, 256, -1);
        for (int e = 0; e < n && go; e++) {
            struct conn *c = &cs[evs[e].data.u32];
            ssize_t r = read(c->fd, c->in + c->have, cap - c->have);
            if (r < 0 && (errno == EAGAIN || errno == EINTR))
                continue;
            CHECK(r > 0, "referee read");
            c->have += (size_t)r;
            size_t at = 0, len, h;
            while ((h = frame_parse(c->in + at, c->have - at, &len))) {
                uint32_t s = check_reply(c->in + at + h, len);
                go &= account(s);
                conn_push(c, s);
                at += h + len;
            }
            memmove(c->in, c->in + at, c->have - at);
            c->have -= at;
            conn_flush(c);
        }
    }
}

/* ---- ZeroMQ --------------------------------------------------------------- */
static char path[64], addr[80];

static void *make_socket(void *ctx, int type)
{
    void *s = zmq_socket(ctx, type);
    CHECK(s, "zmq_socket");
    int zero = 0, hwm = 0, iv = 5;
    zmq_setsockopt(s, ZMQ_LINGER, &zero, sizeof zero);
    zmq_setsockopt(s, ZMQ_SNDHWM, &hwm, sizeof hwm);
    zmq_setsockopt(s, ZMQ_RCVHWM, &hwm, sizeof hwm);
    zmq_setsockopt(s, ZMQ_RECONNECT_IVL, &iv, sizeof iv);
    return s;
}

static void zmq_engine(void *ctx, int index)
{
    void *s = make_socket(ctx, ZMQ_DEALER);
    uint32_t id = 0x01000000u | (uint32_t)index;
    zmq_setsockopt(s, ZMQ_ROUTING_ID, &id, 4);
    CHECK(zmq_connect(s, addr) == 0, "zmq_connect");
    uint8_t *out = malloc(message_max);
    CHECK(zmq_send(s, "hi", 2, 0) == 2, "hello");
    for (;;) {
        zmq_msg_t m;
        zmq_msg_init(&m);
        if (zmq_msg_recv(&m, s, 0) < 0) {
            if (errno == EINTR)
                continue;
            die("engine recv");
        }
        size_t n = zmq_msg_size(&m);
        if (n == 1) {
            zmq_msg_close(&m);
            break;
        }
        size_t r = engine_answer(zmq_msg_data(&m), n, out);
        zmq_msg_close(&m);
        CHECK(zmq_send(s, out, r, 0) >= 0, "engine send");
    }
    zmq_close(s);
    free(out);
}

static void *zctx(void)
{
    void *c = zmq_ctx_new();
    zmq_ctx_set(c, ZMQ_MAX_SOCKETS, 4096);
    return c;
}

static void router_referee(void *ctx)
{
    void *s = make_socket(ctx, ZMQ_ROUTER);
    int backlog = 1024, one = 1;
    zmq_setsockopt(s, ZMQ_BACKLOG, &backlog, sizeof backlog);
    zmq_setsockopt(s, ZMQ_ROUTER_MANDATORY, &one, sizeof one);
    CHECK(zmq_bind(s, addr) == 0, "zmq_bind");
    uint32_t *ids = calloc((size_t)opt.clients, 4);
    for (int i = 0; i < opt.clients; i++) {
        uint8_t b[8];
        CHECK(zmq_recv(s, &ids[i], 4, 0) == 4, "hello id");
        CHECK(zmq_recv(s, b, 8, 0) == 2, "hello body");
    }
    uint8_t *out = malloc(message_max);
    clock_start();
    for (int i = 0; i < opt.clients; i++) {
        CHECK(zmq_send(s, &ids[i], 4, ZMQ_SNDMORE) == 4, "send id");
        CHECK(zmq_send(s, out, next_request((uint32_t)i, out), 0) >= 0, "send");
    }
    bool go = true;
    while (go) {
        zmq_pollitem_t it = {s, 0, ZMQ_POLLIN, 0};
        zmq_poll(&it, 1, -1);
        while (go) {
            zmq_msg_t idm, m;
            zmq_msg_init(&idm);
            if (zmq_msg_recv(&idm, s, ZMQ_DONTWAIT) < 0) {
                if (errno == EAGAIN || errno == EINTR)
                    break;
                die("referee recv");
            }
            zmq_msg_init(&m);
            CHECK(zmq_msg_recv(&m, s, 0) >= 0, "referee body");
            uint32_t slot = check_reply(zmq_msg_data(&m), zmq_msg_size(&m));
            zmq_msg_close(&m);
            go = account(slot);
            CHECK(zmq_msg_send(&idm, s, ZMQ_SNDMORE) == 4, "id back");
            CHECK(zmq_send(s, out, next_request(slot, out), 0) >= 0, "send");
        }
    }
    for (int i = 0; i < opt.clients; i++) {
        zmq_send(s, &ids[i], 4, ZMQ_SNDMORE);
        zmq_send(s, "q", 1, 0);
    }
    int linger = 2000;
    zmq_setsockopt(s, ZMQ_LINGER, &linger, sizeof linger);
    zmq_close(s);
    free(out);
    free(ids);
}

/* ---- ZMTP 3.0 NULL, hand-written on the referee's side --------------------- */
static void read_full(int fd, uint8_t *p, size_t n)
{
    while (n) {
        ssize_t r = read(fd, p, n);
        CHECK(r > 0, "zmtp handshake read");
        p += r;
        n -= (size_t)r;
    }
}
static void zmtp_accept(int fd)
{
    uint8_t g[64] = {0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0, 'N', 'U', 'L', 'L'}, peer[300];
    write_all(fd, g, 64);
    read_full(fd, peer, 64);
    static const uint8_t ready[] = "\x04\x1c\x05READY\x0bSocket-Type\0\0\0\x06ROUTER";
    write_all(fd, ready, 2 + 0x1c);
    read_full(fd, peer, 2);
    size_t n = peer[1];
    read_full(fd, peer, n); /* the peer's READY */
    read_full(fd, peer, 2);
    CHECK(peer[0] == 0 && peer[1] == 2, "zmtp hello");
    read_full(fd, peer, 2);
}

/* ---- the run ------------------------------------------------------------------ */
static int listen_here(void)
{
    struct sockaddr_un sa = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    strcpy(sa.sun_path, path);
    CHECK(bind(fd, (struct sockaddr *)&sa, sizeof sa) == 0 && listen(fd, 1024) == 0, "listen");
    return fd;
}

static pid_t start_engine(struct conn *cs, int i)
{
    int pair[2] = {-1, -1};
    if (opt.transport == T_LINK)
        CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
    pid_t pid = fork();
    CHECK(pid >= 0, "fork");
    if (pid == 0) {
        if (opt.transport == T_LINK) {
            for (int j = 0; j < i; j++) /* or the other engines would not see the referee's end */
                close(cs[j].fd);
            close(pair[0]);
            stream_engine(pair[1]);
        } else {
            zmq_engine(zctx(), i);
        }
        _exit(0);
    }
    if (opt.transport == T_LINK) {
        close(pair[1]);
        cs[i].fd = pair[0];
    }
    return pid;
}

static void read_options(int argc, char **argv)
{
    static const char *const names[] = {"zmq", "zmtp", "link"};
    for (int c; (c = getopt(argc, argv, "t:n:b:s:")) != -1;) {
        if (c == 't') {
            while (opt.transport <= T_LINK && strcmp(optarg, names[opt.transport]) != 0)
                opt.transport++;
        } else if (c == 'n') {
            opt.clients = atoi(optarg);
        } else if (c == 'b') {
            opt.batch = atoi(optarg);
        } else if (c == 's') {
            opt.secs = atof(optarg);
        }
        if (c == '?' || opt.transport > T_LINK) {
            fprintf(stderr, "rtbench: -t zmq|zmtp|link -n ENGINES -b DECISIONS -s SECONDS\n");
            exit(2);
        }
    }
}

static double cpu_us(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1e6 +
           (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
    const char *tmp = getenv("TMPDIR");
    read_options(argc, argv);
    message_max = 300 * (size_t)opt.batch + 64;
    cap = 2 * message_max + 65536;
    sent_at = calloc((size_t)opt.clients, sizeof *sent_at);
    sent_seq = calloc((size_t)opt.clients, sizeof *sent_seq);
    snprintf(path, sizeof path, "%.40s/rtbench-%d", tmp ? tmp : P_tmpdir, (int)getpid());
    snprintf(addr, sizeof addr, "ipc://%s", path);

    int lfd = opt.transport == T_ZMTP ? listen_here() : -1;
    struct conn *cs = calloc((size_t)opt.clients, sizeof *cs);
    pid_t *pids = calloc((size_t)opt.clients, sizeof *pids);
    for (int i = 0; i < opt.clients; i++)
        pids[i] = start_engine(cs, i);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < opt.clients && opt.transport == T_ZMTP; i++) {
        cs[i].fd = accept(lfd, NULL, NULL);
        CHECK(cs[i].fd >= 0, "accept");
        zmtp_accept(cs[i].fd);
    }
    double used = cpu_us();
    if (opt.transport == T_ZMQ)
        router_referee(zctx());
    else
        stream_referee(cs);
    used = cpu_us() - used;
    for (int i = 0; i < opt.clients; i++) {
        if (opt.transport == T_LINK)
            close(cs[i].fd);
        else if (opt.transport == T_ZMTP)
            kill(pids[i], SIGKILL);
    }
    for (int i = 0; i < opt.clients; i++)
        waitpid(pids[i], NULL, 0);
    printf("%.0f %.1f %.1f %.3f\n", (double)measured_msgs * opt.batch / opt.secs,
           hist_pct(measured_msgs, 0.50), hist_pct(measured_msgs, 0.99),
           used / ((double)done_msgs * opt.batch));
    unlink(path);
    return 0;
}
