/* rtbench - decision round trips between one referee process and N engine
 * processes, over several transports.  tests/bench/run names the options used.
 *
 * zmq: libzmq on both sides. zmtp: the referee speaks ZMTP itself over a Unix socket, engines are
 * on libzmq. link: both sides use their own ZMTP, engines on a blocking socket as in the SDK's
 * client.
 *
 * The referee keeps W messages outstanding per engine connection; a message
 * carries B decisions.  One "round trip" is request out, reply back, checked.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
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

enum transport { T_UNIX, T_SEQ, T_PIPE, T_ZMQ, T_ZMTP, T_LINK };
enum pattern { P_REQREP, P_DEALER, P_ROUTER, P_PAIR };
enum waitmode { W_BLOCK, W_POLL, W_BUSY, W_FD };

static struct {
    enum transport transport;
    enum pattern pattern;
    enum waitmode wait, cwait;
    const char *endpoint;
    bool curve, pb, zerocopy, pin_same, pin_split, header, threads, arena, sharded;
    int clients, window, batch, drain, io_threads, req_bytes, rep_bytes, ctx_shards;
    double secs, warm;
} opt = {
    .transport = T_UNIX,
    .pattern = P_ROUTER,
    .wait = W_POLL,
    .cwait = W_BLOCK,
    .endpoint = "ipc",
    .clients = 1,
    .window = 1,
    .batch = 1,
    .drain = 1 << 30,
    .io_threads = 1,
    .req_bytes = 120,
    .rep_bytes = 40,
    .secs = 1.0,
    .warm = 0.2,
};

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
    (void)d;
    (void)p;
}
static __thread struct arena the_arena;
static __thread ProtobufCAllocator arena_if;
static ProtobufCAllocator *alloc_begin(void)
{
    if (!opt.arena)
        return NULL;
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
    if (!opt.pb) {
        size_t n = (size_t)opt.req_bytes * (size_t)opt.batch;
        memcpy(out, &slot, 4);
        memcpy(out + 4, &seq, 4);
        memset(out + 8, (int)(seq & 0xff), n - 8);
        return n;
    }
    if (opt.batch == 1) {
        Bench__Decision d;
        int32_t pts[26];
        uint8_t key[16], dice[2];
        fill_decision(&d, pts, key, dice, slot, seq);
        return bench__decision__pack(&d, out);
    }
    static Bench__Decision *ds;
    static Bench__Decision **dp;
    static int32_t(*pts)[26];
    static uint8_t(*key)[16], (*dice)[2];
    if (!ds) {
        size_t b = (size_t)opt.batch;
        ds = calloc(b, sizeof *ds);
        dp = calloc(b, sizeof *dp);
        pts = calloc(b, sizeof *pts);
        key = calloc(b, sizeof *key);
        dice = calloc(b, sizeof *dice);
    }
    for (int i = 0; i < opt.batch; i++) {
        fill_decision(&ds[i], pts[i], key[i], dice[i], slot, seq + (uint32_t)i);
        dp[i] = &ds[i];
    }
    Bench__DecisionBatch m = BENCH__DECISION_BATCH__INIT;
    m.n_items = (size_t)opt.batch;
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
    if (!opt.pb) {
        if (n == (size_t)opt.rep_bytes * (size_t)opt.batch)
            memcpy(&slot, in, 4);
        return slot;
    }
    ProtobufCAllocator *al = alloc_begin();
    if (opt.batch == 1) {
        Bench__Choice *c = bench__choice__unpack(al, n, in);
        if (c && choice_ok(c))
            slot = (uint32_t)(c->request_id >> 24);
        if (c && !al)
            bench__choice__free_unpacked(c, al);
        return slot;
    }
    Bench__ChoiceBatch *m = bench__choice_batch__unpack(al, n, in);
    if (m && m->n_items == (size_t)opt.batch) {
        slot = (uint32_t)(m->items[0]->request_id >> 24);
        for (size_t i = 0; i < m->n_items; i++)
            if (!choice_ok(m->items[i]))
                slot = UINT32_MAX;
    }
    if (m && !al)
        bench__choice_batch__free_unpacked(m, al);
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
    if (!opt.pb) {
        size_t r = (size_t)opt.rep_bytes * (size_t)opt.batch;
        memset(out, 0x11, r);
        memcpy(out, in, 8);
        return r;
    }
    ProtobufCAllocator *al = alloc_begin();
    if (opt.batch == 1) {
        Bench__Decision *d = bench__decision__unpack(al, n, in);
        CHECK(d && d->n_points == 26, "engine: bad request");
        Bench__Choice c;
        uint32_t path[8];
        choose(d, &c, path);
        size_t r = bench__choice__pack(&c, out);
        if (!al)
            bench__decision__free_unpacked(d, al);
        return r;
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
    size_t len = bench__choice_batch__pack(&r, out);
    if (!al)
        bench__decision_batch__free_unpacked(m, al);
    return len;
}

/* ---- shared bookkeeping -------------------------------------------------- */
static uint64_t *sent_at;  /* per slot */
static uint32_t *sent_seq; /* per slot */
static uint64_t done_msgs, measured_msgs;
static uint64_t t_start, t_warm, t_end;
static size_t max_req, max_rep;

static bool account(uint32_t slot) /* true while the run continues */
{
    CHECK(slot < (uint32_t)(opt.clients * opt.window), "bad reply");
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
    t_warm = t_start + (uint64_t)(opt.warm * 1e9);
    t_end = t_warm + (uint64_t)(opt.secs * 1e9);
}

static void pin(int cpu)
{
    cpu_set_t s;
    CPU_ZERO(&s);
    CPU_SET(cpu, &s);
    sched_setaffinity(0, sizeof s, &s);
}

/* ---- byte-stream transports ---------------------------------------------- */
enum framing { F_LEN32, F_ZMTP, F_NONE };
static size_t frame_head(enum framing f, uint8_t *p, size_t n)
{
    if (f == F_LEN32) {
        uint32_t l = (uint32_t)n;
        memcpy(p, &l, 4);
        return 4;
    }
    if (f == F_NONE)
        return 0;
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
static size_t frame_parse(enum framing f, const uint8_t *p, size_t have, size_t *n)
{
    if (f == F_NONE) {
        *n = have;
        return 0;
    }
    if (f == F_LEN32) {
        uint32_t l;
        if (have < 4)
            return 0;
        memcpy(&l, p, 4);
        *n = l;
        return have >= 4 + (size_t)l ? 4 : 0;
    }
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
    int rfd, wfd;
    uint8_t *in, *out;
    size_t have, outn;
};
static size_t cap_in, cap_out;

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

static enum framing framing_of_transport(void)
{
    return opt.transport == T_SEQ                               ? F_NONE
           : opt.transport == T_ZMTP || opt.transport == T_LINK ? F_ZMTP
                                                                : F_LEN32;
}

static void stream_engine(int rfd, int wfd)
{
    uint8_t *in = malloc(cap_in), *out = malloc(cap_out);
    enum framing f = framing_of_transport();
    size_t have = 0;
    if (opt.cwait == W_BUSY)
        fcntl(rfd, F_SETFL, O_NONBLOCK);
    for (;;) {
        ssize_t r = read(rfd, in + have, cap_in - have);
        if (r < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (r <= 0)
            break;
        have += (size_t)r;
        size_t at = 0, outn = 0;
        if (f == F_NONE) {
            outn = engine_answer(in, have, out);
            at = have;
        } else {
            size_t n, h;
            while ((h = frame_parse(f, in + at, have - at, &n))) {
                uint8_t head[16];
                size_t k = engine_answer(in + at + h, n, out + outn + 9);
                size_t space = frame_head(f, head, k);
                memmove(out + outn + space, out + outn + 9, k);
                memcpy(out + outn, head, space);
                outn += k + space;
                at += h + n;
            }
        }
        memmove(in, in + at, have - at);
        have -= at;
        if (outn)
            write_all(wfd, out, outn);
    }
}

static void conn_push(struct conn *c, enum framing f, uint32_t slot)
{
    uint8_t *p = c->out + c->outn, tmp[16];
    if (f == F_LEN32) {
        size_t n = next_request(slot, p + 4);
        frame_head(f, p, n);
        c->outn += n + 4;
    } else if (f == F_NONE) {
        c->outn += next_request(slot, p);
    } else {
        size_t n = next_request(slot, p + 9);
        size_t h = frame_head(f, tmp, n);
        if (h != 9)
            memmove(p + h, p + 9, n);
        memcpy(p, tmp, h);
        c->outn += h + n;
    }
}

static void stream_referee(struct conn *cs)
{
    enum framing f = framing_of_transport();
    bool blocking = opt.wait == W_BLOCK && opt.clients == 1;
    int ep = epoll_create1(0);
    for (int i = 0; i < opt.clients; i++) {
        cs[i].in = malloc(cap_in);
        cs[i].out = malloc(cap_out);
        if (!blocking)
            fcntl(cs[i].rfd, F_SETFL, O_NONBLOCK);
        struct epoll_event ev = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        CHECK(epoll_ctl(ep, EPOLL_CTL_ADD, cs[i].rfd, &ev) == 0, "epoll_ctl");
    }
    clock_start();
    for (int i = 0; i < opt.clients; i++) {
        for (int w = 0; w < opt.window; w++) {
            conn_push(&cs[i], f, (uint32_t)(i * opt.window + w));
            if (f == F_NONE) {
                write_all(cs[i].wfd, cs[i].out, cs[i].outn);
                cs[i].outn = 0;
            }
        }
        if (cs[i].outn)
            write_all(cs[i].wfd, cs[i].out, cs[i].outn);
        cs[i].outn = 0;
    }
    bool go = true;
    struct epoll_event evs[256];
    while (go) {
        int n = 1;
        if (blocking || (opt.clients == 1 && opt.wait == W_BUSY))
            evs[0].data.u32 = 0;
        else
            n = epoll_wait(ep, evs, 256, opt.wait == W_BUSY ? 0 : -1);
        for (int e = 0; e < n && go; e++) {
            struct conn *c = &cs[evs[e].data.u32];
            ssize_t r = read(c->rfd, c->in + c->have, cap_in - c->have);
            if (r < 0 && (errno == EAGAIN || errno == EINTR))
                continue;
            CHECK(r > 0, "referee read");
            c->have += (size_t)r;
            size_t at = 0;
            if (f == F_NONE) {
                uint32_t s = check_reply(c->in, c->have);
                go = account(s);
                conn_push(c, f, s);
                at = c->have;
            } else {
                size_t len, h;
                while ((h = frame_parse(f, c->in + at, c->have - at, &len))) {
                    uint32_t s = check_reply(c->in + at + h, len);
                    go &= account(s);
                    conn_push(c, f, s);
                    at += h + len;
                }
            }
            memmove(c->in, c->in + at, c->have - at);
            c->have -= at;
            if (c->outn)
                write_all(c->wfd, c->out, c->outn);
            c->outn = 0;
        }
    }
}

/* ---- ZeroMQ --------------------------------------------------------------- */
static char addr[128];
static char srv_pub[41], srv_sec[41], cli_pub[41], cli_sec[41];

static void *make_socket(void *ctx, int type, bool server)
{
    void *s = zmq_socket(ctx, type);
    CHECK(s, "zmq_socket");
    int zero = 0, hwm = 0, iv = 5;
    zmq_setsockopt(s, ZMQ_LINGER, &zero, sizeof zero);
    zmq_setsockopt(s, ZMQ_SNDHWM, &hwm, sizeof hwm);
    zmq_setsockopt(s, ZMQ_RCVHWM, &hwm, sizeof hwm);
    zmq_setsockopt(s, ZMQ_RECONNECT_IVL, &iv, sizeof iv);
    if (opt.curve && server) {
        int one = 1;
        zmq_setsockopt(s, ZMQ_CURVE_SERVER, &one, sizeof one);
        zmq_setsockopt(s, ZMQ_CURVE_SECRETKEY, srv_sec, 41);
    } else if (opt.curve) {
        zmq_setsockopt(s, ZMQ_CURVE_SERVERKEY, srv_pub, 41);
        zmq_setsockopt(s, ZMQ_CURVE_PUBLICKEY, cli_pub, 41);
        zmq_setsockopt(s, ZMQ_CURVE_SECRETKEY, cli_sec, 41);
    }
    return s;
}

static void noop_free(void *d, void *h)
{
    (void)d;
    (void)h;
}
static void zsend(void *s, uint8_t *buf, size_t n, int flags)
{
    if (opt.zerocopy) {
        zmq_msg_t m;
        zmq_msg_init_data(&m, buf, n, noop_free, NULL);
        CHECK(zmq_msg_send(&m, s, flags) >= 0, "zmq_msg_send");
    } else {
        CHECK(zmq_send(s, buf, n, flags) >= 0, "zmq_send");
    }
}

static bool wait_readable(void *s, enum waitmode w)
{
    if (w == W_POLL) {
        zmq_pollitem_t it = {s, 0, ZMQ_POLLIN, 0};
        return zmq_poll(&it, 1, -1) > 0;
    }
    return true;
}

static void zmq_engine(void *ctx, int index)
{
    int type = opt.pattern == P_REQREP ? ZMQ_REP : opt.pattern == P_PAIR ? ZMQ_PAIR : ZMQ_DEALER;
    void *s = make_socket(ctx, type, false);
    char where[160];
    if (opt.pattern == P_DEALER || opt.pattern == P_PAIR)
        snprintf(where, sizeof where, addr, index);
    else
        snprintf(where, sizeof where, addr, 0);
    uint32_t id = 0x01000000u | (uint32_t)index;
    if (type == ZMQ_DEALER)
        zmq_setsockopt(s, ZMQ_ROUTING_ID, &id, 4);
    CHECK(zmq_connect(s, where) == 0, "zmq_connect");
    uint8_t *out = malloc(max_rep + 64);
    if (type != ZMQ_REP)
        CHECK(zmq_send(s, "hi", 2, 0) == 2, "hello");
    int flags = opt.cwait == W_BLOCK ? 0 : ZMQ_DONTWAIT;
    for (;;) {
        zmq_msg_t m;
        zmq_msg_init(&m);
        if (zmq_msg_recv(&m, s, flags) < 0) {
            if (errno == EAGAIN) {
                wait_readable(s, opt.cwait);
                continue;
            }
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
        if (opt.zerocopy) {
            zmq_msg_t z;
            zmq_msg_init_size(&z, r);
            memcpy(zmq_msg_data(&z), out, r);
            CHECK(zmq_msg_send(&z, s, 0) >= 0, "engine send");
        } else
            CHECK(zmq_send(s, out, r, 0) >= 0, "engine send");
    }
    zmq_close(s);
    free(out);
}

static void *zctx(void)
{
    void *c = zmq_ctx_new();
    zmq_ctx_set(c, ZMQ_IO_THREADS, opt.io_threads);
    zmq_ctx_set(c, ZMQ_MAX_SOCKETS, 4096);
    return c;
}

static void router_referee(void *ctx)
{
    void *s = make_socket(ctx, ZMQ_ROUTER, true);
    int backlog = 1024, one = 1;
    zmq_setsockopt(s, ZMQ_BACKLOG, &backlog, sizeof backlog);
    zmq_setsockopt(s, ZMQ_ROUTER_MANDATORY, &one, sizeof one);
    char where[160];
    snprintf(where, sizeof where, addr, 0);
    CHECK(zmq_bind(s, where) == 0, "zmq_bind");
    uint32_t *ids = calloc((size_t)opt.clients, 4);
    for (int i = 0; i < opt.clients; i++) {
        uint8_t b[8];
        CHECK(zmq_recv(s, &ids[i], 4, 0) == 4, "hello id");
        CHECK(zmq_recv(s, b, 8, 0) == 2, "hello body");
    }
    size_t slots = (size_t)(opt.clients * opt.window);
    uint8_t *out = malloc(opt.zerocopy ? slots * (max_req + 64) : max_req + 64);
    size_t stride = opt.zerocopy ? max_req + 64 : 0;
    clock_start();
    for (size_t k = 0; k < slots; k++) {
        CHECK(zmq_send(s, &ids[k / (size_t)opt.window], 4, ZMQ_SNDMORE) == 4, "send id");
        zsend(s, out + k * stride, next_request((uint32_t)k, out + k * stride), 0);
    }
    bool go = true;
    int flags = opt.wait == W_BLOCK ? 0 : ZMQ_DONTWAIT;
    while (go) {
        if (opt.wait == W_POLL)
            wait_readable(s, W_POLL);
        for (int d = 0; d < opt.drain && go; d++) {
            zmq_msg_t idm, m;
            zmq_msg_init(&idm);
            if (zmq_msg_recv(&idm, s, flags) < 0) {
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
            zsend(s, out + slot * stride, next_request(slot, out + slot * stride), 0);
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

/* one socket per engine: REQ, DEALER or PAIR, zmq_poll over all of them */
static void many_referee(void *ctx)
{
    int type = opt.pattern == P_REQREP ? ZMQ_REQ : opt.pattern == P_PAIR ? ZMQ_PAIR : ZMQ_DEALER;
    zmq_pollitem_t *it = calloc((size_t)opt.clients, sizeof *it);
    for (int i = 0; i < opt.clients; i++) {
        char where[160];
        snprintf(where, sizeof where, addr, i);
        it[i] = (zmq_pollitem_t){make_socket(ctx, type, true), 0, ZMQ_POLLIN, 0};
        CHECK(zmq_bind(it[i].socket, where) == 0, "zmq_bind");
    }
    for (int i = 0; i < opt.clients && type != ZMQ_REQ; i++) {
        uint8_t b[8];
        CHECK(zmq_recv(it[i].socket, b, 8, 0) == 2, "hello");
    }
    if (type == ZMQ_REQ)
        usleep(200000);
    size_t slots = (size_t)(opt.clients * opt.window);
    uint8_t *out = malloc(opt.zerocopy ? slots * (max_req + 64) : max_req + 64);
    size_t stride = opt.zerocopy ? max_req + 64 : 0;
    clock_start();
    for (size_t k = 0; k < slots; k++)
        zsend(it[k / (size_t)opt.window].socket, out + k * stride,
              next_request((uint32_t)k, out + k * stride), 0);
    bool go = true;
    int flags = opt.wait == W_BLOCK && opt.clients == 1 ? 0 : ZMQ_DONTWAIT;
    while (go) {
        if (flags && opt.wait != W_BUSY)
            zmq_poll(it, opt.clients, -1);
        for (int i = 0; i < opt.clients && go; i++) {
            if (flags && opt.wait != W_BUSY && !(it[i].revents & ZMQ_POLLIN))
                continue;
            for (int d = 0; d < opt.drain && go; d++) {
                zmq_msg_t m;
                zmq_msg_init(&m);
                if (zmq_msg_recv(&m, it[i].socket, flags) < 0) {
                    if (errno == EAGAIN || errno == EINTR)
                        break;
                    die("referee recv");
                }
                uint32_t slot = check_reply(zmq_msg_data(&m), zmq_msg_size(&m));
                zmq_msg_close(&m);
                go = account(slot);
                zsend(it[i].socket, out + slot * stride, next_request(slot, out + slot * stride),
                      0);
                if (type == ZMQ_REQ)
                    break;
            }
        }
    }
    /* receive what is still under way, then send stop to every engine */
    for (int i = 0; i < opt.clients; i++) {
        int to = 1000, linger = 2000;
        zmq_setsockopt(it[i].socket, ZMQ_RCVTIMEO, &to, sizeof to);
        for (int w = 0; w < opt.window; w++) {
            zmq_msg_t m;
            zmq_msg_init(&m);
            zmq_msg_recv(&m, it[i].socket, 0);
            zmq_msg_close(&m);
        }
        zmq_send(it[i].socket, "q", 1, 0);
        zmq_setsockopt(it[i].socket, ZMQ_LINGER, &linger, sizeof linger);
        zmq_close(it[i].socket);
    }
    free(it);
    free(out);
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

static void *thread_engine(void *arg)
{
    static void *shared;
    static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mu);
    if (!shared)
        shared = zctx();
    pthread_mutex_unlock(&mu);
    zmq_engine(shared, (int)(intptr_t)arg);
    return NULL;
}

static long peak_rss_kb(void) /* ru_maxrss would include the parent's memory from before exec */
{
    char line[200];
    long kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %ld", &kb) == 1)
            break;
    if (f)
        fclose(f);
    return kb;
}

static double tv(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int pick(const char *v, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(v, names[i]))
            return i;
    fprintf(stderr, "rtbench: bad value '%s'\n", v);
    exit(2);
}

int main(int argc, char **argv)
{
    static const char *const ts[] = {"unix", "seqpacket", "pipe", "zmq", "zmtp", "link", NULL};
    static const char *const ps[] = {"reqrep", "dealer", "router", "pair", NULL};
    static const char *const ws[] = {"block", "poll", "busy", NULL};
    enum { O_CURVE = 256, O_PB, O_ZC, O_SAME, O_SPLIT, O_HDR, O_THREADS, O_ARENA };
    static const struct option lo[] = {
        {"transport", 1, 0, 't'},     {"pattern", 1, 0, 'p'},       {"endpoint", 1, 0, 'e'},
        {"wait", 1, 0, 'w'},          {"engine-wait", 1, 0, 'W'},   {"clients", 1, 0, 'n'},
        {"window", 1, 0, 'k'},        {"batch", 1, 0, 'b'},         {"drain", 1, 0, 'd'},
        {"io-threads", 1, 0, 'i'},    {"secs", 1, 0, 's'},          {"warm", 1, 0, 'u'},
        {"curve", 0, 0, O_CURVE},     {"pb", 0, 0, O_PB},           {"zerocopy", 0, 0, O_ZC},
        {"pin-same", 0, 0, O_SAME},   {"pin-split", 0, 0, O_SPLIT}, {"header", 0, 0, O_HDR},
        {"threads", 0, 0, O_THREADS}, {"arena", 0, 0, O_ARENA},     {0, 0, 0, 0}};
    for (int c; (c = getopt_long(argc, argv, "t:p:e:w:W:n:k:b:d:i:s:u:", lo, NULL)) != -1;)
        switch (c) {
        case 't':
            opt.transport = (enum transport)pick(optarg, ts);
            break;
        case 'p':
            opt.pattern = (enum pattern)pick(optarg, ps);
            break;
        case 'e':
            opt.endpoint = optarg;
            break;
        case 'w':
            opt.wait = (enum waitmode)pick(optarg, ws);
            break;
        case 'W':
            opt.cwait = (enum waitmode)pick(optarg, ws);
            break;
        case 'n':
            opt.clients = atoi(optarg);
            break;
        case 'k':
            opt.window = atoi(optarg);
            break;
        case 'b':
            opt.batch = atoi(optarg);
            break;
        case 'd':
            opt.drain = atoi(optarg);
            break;
        case 'i':
            opt.io_threads = atoi(optarg);
            break;
        case 's':
            opt.secs = atof(optarg);
            break;
        case 'u':
            opt.warm = atof(optarg);
            break;
        case O_CURVE:
            opt.curve = true;
            break;
        case O_PB:
            opt.pb = true;
            break;
        case O_ZC:
            opt.zerocopy = true;
            break;
        case O_SAME:
            opt.pin_same = true;
            break;
        case O_SPLIT:
            opt.pin_split = true;
            break;
        case O_HDR:
            opt.header = true;
            break;
        case O_THREADS:
            opt.threads = true;
            break;
        case O_ARENA:
            opt.arena = true;
            break;
        default:
            return 2;
        }
    if (opt.header)
        puts("rt_per_s msg_per_s p50_us p99_us ref_cpu_us/rt eng_cpu_us/rt ref_nvcsw/rt "
             "ref_rss_kb eng_rss_kb wall_s");
    max_req = 300 * (size_t)opt.batch;
    max_rep = 120 * (size_t)opt.batch;
    cap_in = cap_out = (max_req + 16) * (size_t)opt.window * 2 + 65536;
    size_t slots = (size_t)(opt.clients * opt.window);
    sent_at = calloc(slots, sizeof *sent_at);
    sent_seq = calloc(slots, sizeof *sent_seq);
    if (opt.curve) {
        zmq_curve_keypair(srv_pub, srv_sec);
        zmq_curve_keypair(cli_pub, cli_sec);
    }

    bool stream = opt.transport != T_ZMQ && opt.transport != T_ZMTP;
    char path[64];
    const char *tmp = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.40s/rtbench-%d", tmp ? tmp : P_tmpdir, (int)getpid());
    if (!strcmp(opt.endpoint, "tcp")) {
        int base = 20000 + (int)(getpid() % 20000);
        if (opt.pattern == P_ROUTER || opt.pattern == P_REQREP)
            snprintf(addr, sizeof addr, "tcp://127.0.0.1:%d%%.0d", base);
        else { /* one port per engine */
            if (opt.clients > 1) {
                fprintf(stderr, "dealer/pair over tcp: one engine only\n");
                return 2;
            }
            snprintf(addr, sizeof addr, "tcp://127.0.0.1:%d%%.0d", base);
        }
    } else
        snprintf(addr, sizeof addr, "ipc://%s-%%d", path);

    int lfd = -1;
    if (opt.transport == T_ZMTP) {
        struct sockaddr_un sa = {.sun_family = AF_UNIX};
        snprintf(sa.sun_path, sizeof sa.sun_path, "%s-0", path);
        lfd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        CHECK(bind(lfd, (struct sockaddr *)&sa, sizeof sa) == 0 && listen(lfd, 1024) == 0,
              "listen");
    }
    struct conn *cs = calloc((size_t)opt.clients, sizeof *cs);
    pid_t *pids = calloc((size_t)opt.clients, sizeof *pids);
    int nproc = opt.threads ? 1 : opt.clients;
    if (opt.pin_same || opt.pin_split)
        pin(0);
    for (int i = 0; i < nproc; i++) {
        int a[2] = {-1, -1}, b[2] = {-1, -1};
        if (opt.transport == T_PIPE) {
            CHECK(pipe(a) == 0 && pipe(b) == 0, "pipe");
        } else if (stream) {
            CHECK(socketpair(AF_UNIX, opt.transport == T_SEQ ? SOCK_SEQPACKET : SOCK_STREAM, 0,
                             a) == 0,
                  "socketpair");
        }
        pids[i] = fork();
        CHECK(pids[i] >= 0, "fork");
        if (pids[i] == 0) {
            if (opt.pin_split)
                pin(1);
            if (stream) {
                for (int j = 0; j < i; j++) {
                    close(cs[j].rfd);
                    if (cs[j].wfd != cs[j].rfd)
                        close(cs[j].wfd);
                }
                if (opt.transport == T_PIPE) {
                    close(a[1]);
                    close(b[0]);
                    stream_engine(a[0], b[1]);
                } else {
                    close(a[0]);
                    stream_engine(a[1], a[1]);
                }
            } else if (opt.threads) {
                pthread_t th[opt.clients];
                for (int j = 0; j < opt.clients; j++)
                    pthread_create(&th[j], NULL, thread_engine, (void *)(intptr_t)j);
                for (int j = 0; j < opt.clients; j++)
                    pthread_join(th[j], NULL);
            } else {
                void *ctx = zctx();
                zmq_engine(ctx, i);
            }
            _exit(0);
        }
        if (opt.transport == T_PIPE) {
            close(a[0]);
            close(b[1]);
            cs[i].rfd = b[0];
            cs[i].wfd = a[1];
        } else if (stream) {
            close(a[1]);
            cs[i].rfd = cs[i].wfd = a[0];
        }
    }
    signal(SIGPIPE, SIG_IGN);

    struct rusage r0, r1, rc;
    struct timespec th0, th1;
    if (opt.transport == T_ZMTP) {
        for (int i = 0; i < opt.clients; i++) {
            cs[i].rfd = cs[i].wfd = accept(lfd, NULL, NULL);
            CHECK(cs[i].rfd >= 0, "accept");
            zmtp_accept(cs[i].rfd);
        }
    }
    getrusage(RUSAGE_SELF, &r0);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &th0);
    if (stream || opt.transport == T_ZMTP) {
        stream_referee(cs);
        getrusage(RUSAGE_SELF, &r1);
        for (int i = 0; i < opt.clients; i++) {
            if (opt.transport == T_ZMTP)
                write_all(cs[i].wfd, (const uint8_t *)"\0\1q", 3);
            close(cs[i].rfd);
            if (cs[i].wfd != cs[i].rfd)
                close(cs[i].wfd);
        }
        if (opt.transport == T_ZMTP)
            for (int i = 0; i < opt.clients; i++)
                kill(pids[i], SIGKILL);
    } else {
        void *ctx = zctx();
        if (opt.pattern == P_ROUTER)
            router_referee(ctx);
        else
            many_referee(ctx);
        getrusage(RUSAGE_SELF, &r1);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &th1);
    double wall = (double)(now_ns() - t_warm) / 1e9;
    if (wall > opt.secs * 1.5)
        wall = opt.secs;
    for (int i = 0; i < nproc; i++) {
        int st;
        for (int tries = 0; waitpid(pids[i], &st, WNOHANG) == 0; tries++) {
            if (tries > 2000)
                kill(pids[i], SIGKILL);
            usleep(1000);
        }
    }
    getrusage(RUSAGE_CHILDREN, &rc);
    double dec = (double)done_msgs * opt.batch;
    double ref_cpu = tv(r1.ru_utime) + tv(r1.ru_stime) - tv(r0.ru_utime) - tv(r0.ru_stime);
    double eng_cpu = tv(rc.ru_utime) + tv(rc.ru_stime);
    double meas = opt.secs;
    printf("%.0f %.0f %.1f %.1f %.3f %.3f %.3f %ld %ld %.2f\n",
           (double)measured_msgs * opt.batch / meas, (double)measured_msgs / meas,
           hist_pct(measured_msgs, 0.50), hist_pct(measured_msgs, 0.99), ref_cpu / dec * 1e6,
           eng_cpu / dec * 1e6, (double)(r1.ru_nvcsw - r0.ru_nvcsw) / dec, peak_rss_kb(),
           rc.ru_maxrss, wall);
    if (getenv("RTBENCH_SPLIT"))
        fprintf(
            stderr, "referee application thread alone: %.3f us/rt\n",
            ((double)(th1.tv_sec - th0.tv_sec) * 1e6 + (double)(th1.tv_nsec - th0.tv_nsec) / 1e3) /
                dec);
    char rm[200];
    for (int i = 0; i < opt.clients && !stream; i++) {
        snprintf(rm, sizeof rm, "%s-%d", path, i);
        unlink(rm);
    }
    return 0;
}
