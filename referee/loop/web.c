#include "web_inside.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/library.h"
#include "base/memory.h"

#define HEAD_NS  (5 * WEB_S_NS)
#define SWEEP_NS WEB_S_NS
#define MS_NS    INT64_C(1000000)
#define REST_NS  (50 * MS_NS)

/* libmicrohttpd accepts several connections before it looks at those that are to be closed; at its
 * own limit it would listen no more, and new peers would wait for old ones. */
enum { SPARE = 64, POOL_BYTES = 8192 /* of a connection: most is for a head */ };

#define NAME(name) "MHD_" #name,

struct web_functions mhd;

static const char *const names[] = {WEB_FUNCTIONS(NAME)};

/* ------------------------------------------------------------------ connections */

/* libmicrohttpd closes it when it sees the end. Its own time limit counts from the last byte, so
 * one byte a second would hold a connection for ever. */
void web_cut(struct web_peer *peer)
{
    if (peer->fd < 0) {
        return;
    }
    (void)shutdown(peer->fd, SHUT_RDWR);
    peer->fd = -1;
    if (peer->stream.channel != NULL) {
        web_stream_leave(peer);
    } else {
        TAILQ_REMOVE(&peer->web->pages, peer, place);
        peer->web->counts.pages--;
    }
}

/* An IPv4 address, or the first 64 bits of an IPv6 address, as one owner has all the rest of it. */
static uint64_t address_of(const char *text)
{
    uint8_t bytes[16];
    uint64_t key = 0;

    if (inet_pton(AF_INET, text, bytes) == 1) {
        memcpy((uint8_t *)&key + 2, bytes, 4);
        return key | 0xffff;
    }
    if (inet_pton(AF_INET6, text, bytes) == 1) {
        static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

        if (memcmp(bytes, mapped, sizeof mapped) == 0) {
            memcpy((uint8_t *)&key + 2, bytes + sizeof mapped, 4);
            return key | 0xffff;
        }
        memcpy(&key, bytes, sizeof key);
    }
    return key;
}

bool web_admit(struct web_peer *peer, const char *from)
{
    struct web *web = peer->web;
    const struct web_peer *other;
    int count = 0;

    peer->address = web->settings.per_address > 0 ? address_of(from) : 0;
    if (peer->address != 0) {
        struct web_neighbours *bucket =
            &web->addresses[(peer->address * UINT64_C(0x9e3779b97f4a7c15)) >> 54];

        for (other = LIST_FIRST(bucket); other != NULL; other = LIST_NEXT(other, near)) {
            count += other->address == peer->address;
            if (count >= web->settings.per_address) {
                break;
            }
        }
        LIST_INSERT_HEAD(bucket, peer, near);
        web->counts.refused_address += count >= web->settings.per_address;
    }
    return count < web->settings.per_address || peer->address == 0;
}

static void write_address(char out[WEB_FROM], const struct sockaddr *address)
{
    const struct in6_addr *six =
        address == NULL || address->sa_family != AF_INET6
            ? NULL
            : &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;

    out[0] = '\0';
    if (address != NULL && address->sa_family == AF_INET) {
        (void)inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr,
                        out, WEB_FROM);
    } else if (six != NULL && IN6_IS_ADDR_V4MAPPED(six)) {
        /* A socket for both families; 127.0.0.1 is this machine there, too. */
        (void)inet_ntop(AF_INET, &six->s6_addr[12], out, WEB_FROM);
    } else if (six != NULL) {
        (void)inet_ntop(AF_INET6, six, out, WEB_FROM);
    }
}

static void look_at_times(void *user, int64_t now_ns)
{
    struct web *web = *(struct web **)user;
    struct web_peer *peer, *after;

    for (peer = TAILQ_FIRST(&web->pages); peer != NULL; peer = after) {
        after = TAILQ_NEXT(peer, place);
        if (peer->due_ns <= now_ns) {
            web_cut(peer);
        }
    }
    web_channels_sweep(web, now_ns);
    web->is_sweeping = web->peers > 0;
    if (web->is_sweeping) {
        loop_after(web->loop, SWEEP_NS, look_at_times, user);
    }
}

static void welcome(struct web *web, struct web_peer *peer)
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(peer->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    bool is_proxy;

    peer->fd = info->connect_fd;
    info = mhd.get_connection_info(peer->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    write_address(peer->from, info->client_addr);
    peer->due_ns = loop_now(web->loop) + HEAD_NS;
    TAILQ_INSERT_TAIL(&web->pages, peer, place);
    web->counts.pages++;
    web->peers++;
    if (web->counts.pages > web->settings.pages) {
        web_cut(TAILQ_FIRST(&web->pages));
    }
    is_proxy = web->settings.proxy != NULL && cidr_has_text(&web->proxy, peer->from);
    if (!is_proxy && !web_admit(peer, peer->from)) {
        web_cut(peer);
    }
    if (!web->is_sweeping) {
        web->is_sweeping = true;
        loop_after(web->loop, SWEEP_NS, look_at_times, &web->sweep);
    }
}

static void on_connection(void *user, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    struct web *web = user;
    struct web_peer *peer = *context;

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        peer = memory_zeroed(1, sizeof *peer);
        *context = peer;
        peer->web = web;
        peer->connection = connection;
        welcome(web, peer);
        return;
    }
    peer->stream.waits = false; /* it is gone: nothing is to be resumed */
    web_cut(peer);
    if (peer->address != 0) {
        LIST_REMOVE(peer, near);
    }
    web->peers--;
    web->has_closed = true;
    free(peer->query);
    free(peer->body);
    free(peer);
}

/* ------------------------------------------------------------------ the loop */

static void on_ready(void *user);

static void on_more(void *user, int64_t now_ns)
{
    struct web *web = user;

    (void)now_ns;
    loop_unwatch(web->loop, web->epoll_fd);
    (void)loop_watch(web->loop, web->epoll_fd, on_ready, web, NULL);
    on_ready(user);
}

void web_wake(struct web *web)
{
    if (!web->is_woken) {
        web->is_woken = true;
        loop_after(web->loop, 0, on_more, web);
    }
}

/* After a connection at its limit libmicrohttpd listens again only in the next run. Where the
 * system has no descriptor for its only connection it does not pause at all: its epoll descriptor
 * stays readable, and would turn the loop without end. */
static void on_ready(void *user)
{
    struct web *web = user;
    MHD_UNSIGNED_LONG_LONG wait_ms = 0;
    bool is_short;

    web_channels_give(web);
    web->has_closed = false;
    web->is_woken = false;
    errno = 0;
    (void)mhd.run(web->daemon);
    is_short = errno == EMFILE || errno == ENFILE;
    loop_forget(web->loop, web);
    if (is_short) {
        loop_unwatch(web->loop, web->epoll_fd);
        loop_after(web->loop, REST_NS, on_more, web);
    } else if (web->has_closed || web->is_woken ||
               mhd.get_timeout(web->daemon, &wait_ms) == MHD_YES) {
        loop_after(web->loop, (int64_t)wait_ms * MS_NS, on_more, web);
    }
}

static struct web *new_web(struct loop *loop, const struct web_settings *settings)
{
    struct web *web = memory_zeroed(1, sizeof *web);

    web->loop = loop;
    web->settings = *settings;
    web->sweep = web;
    if (settings->proxy != NULL) {
        web->proxy = *settings->proxy;
    }
    if (settings->pages == 0) {
        web->settings.pages = WEB_CONNECTIONS;
    }
    TAILQ_INIT(&web->pages);
    TAILQ_INIT(&web->channels);
    return web;
}

enum bg_status web_start(struct web **out, struct loop *loop, int fd,
                         const struct web_settings *settings, struct bg_error *err)
{
    enum bg_status status =
        library_load(&mhd, names, sizeof names / sizeof *names, "libmicrohttpd.so.12", err);
    struct web *web;

    if (status != BG_OK) {
        close(fd);
        return status;
    }
    web = new_web(loop, settings);
    web->daemon = mhd.start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, web_on_request, web,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(web->settings.pages + settings->spectators + SPARE),
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, web, MHD_OPTION_URI_LOG_CALLBACK, web_on_line,
        web, MHD_OPTION_END);
    if (web->daemon == NULL) {
        free(web);
        return bg_error_set(err, BG_E_SYSTEM, "libmicrohttpd does not start: %s", strerror(errno));
    }
    web->epoll_fd = mhd.get_daemon_info(web->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    status = loop_watch(loop, web->epoll_fd, on_ready, web, err);
    if (status == BG_OK) {
        *out = web;
        web = NULL;
    }
    web_stop(web);
    return status;
}

void web_stop(struct web *web)
{
    if (web != NULL) {
        loop_unwatch(web->loop, web->epoll_fd);
        web_channels_stop(web);
        mhd.stop_daemon(web->daemon); /* calls on_connection */
        loop_forget(web->loop, web);
        loop_forget(web->loop, &web->sweep);
        free(web);
    }
}

const struct web_counts *web_counts(const struct web *web)
{
    return &web->counts;
}
