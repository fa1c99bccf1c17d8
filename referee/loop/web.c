#include "web.h"

#include <assert.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/library.h"
#include "base/memory.h"

#define LIFE_NS INT64_C(5000000000)
#define MS_NS   INT64_C(1000000)
#define REST_NS (50 * MS_NS)

/* libmicrohttpd accepts several connections before it looks at those that are to be closed; at its
 * own limit it would listen no more, and new peers would wait for old ones. */
enum { MOST = WEB_CONNECTIONS + 64, POOL_BYTES = 8192 /* of a connection: most is for a head */ };

/* libmicrohttpd is not linked, but loaded with the first pages: only `bgref host` has some, and
 * Debian's library brings GnuTLS and ten more, for TLS that is not spoken here. Loading them took
 * 3.7 of the 12.0 million instructions of `bgref --version`, libzmq and what it brings 3.3; without
 * both it has 1.9 (valgrind --tool=callgrind, 2026-11-29, Debian 12), and a third of the time. */
#define FUNCTIONS(X)                                                                               \
    X(add_response_header)                                                                         \
    X(create_response_from_buffer)                                                                 \
    X(destroy_response)                                                                            \
    X(get_connection_info)                                                                         \
    X(get_daemon_info)                                                                             \
    X(get_reason_phrase_for)                                                                       \
    X(get_timeout)                                                                                 \
    X(lookup_connection_value)                                                                     \
    X(queue_response)                                                                              \
    X(run)                                                                                         \
    X(start_daemon)                                                                                \
    X(stop_daemon)
#define POINTER(name) __typeof__(MHD_##name) *(name);
#define NAME(name)    "MHD_" #name,

static struct {
    FUNCTIONS(POINTER)
} mhd;

static const char *const names[] = {FUNCTIONS(NAME)};

struct web_peer {
    uint64_t since; /* 0: free */
    int fd;         /* lent; -1: it is being closed */
};

struct web {
    struct loop *loop;
    struct MHD_Daemon *daemon;
    int epoll_fd; /* the daemon's; readable when one of its descriptors is */
    web_fn fn;
    void *user;
    struct web_peer peers[MOST];
    uint64_t came; /* ever */
    bool has_closed;
};

/* ------------------------------------------------------------------ the answer */

/* A page may load what this server has and nothing else, runs no script that stands in it, and is
 * shown in no other page. */
static const char *const headers[][2] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
};

static struct MHD_Response *make_answer(const struct web *web, struct MHD_Connection *connection,
                                        const char *path, int *status)
{
    const char *host = mhd.lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const char *type = "text/plain; charset=utf-8";
    const struct web_request request = {path, host == NULL ? "" : host};
    struct MHD_Response *answer;
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);

    if (*status == MHD_HTTP_OK) {
        *status = web->fn(web->user, &request, out, &type);
    }
    if (*status >= MHD_HTTP_BAD_REQUEST && ftell(out) == 0) {
        fprintf(out, "%s\n", mhd.get_reason_phrase_for((unsigned)*status));
    }
    memory_stream_close(out);
    answer = mhd.create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
    if (answer == NULL) {
        memory_none(size);
    }
    mhd.add_response_header(answer, "Content-Type", type);
    mhd.add_response_header(answer, "Cache-Control", "no-store");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        mhd.add_response_header(answer, headers[i][0], headers[i][1]);
    }
    mhd.add_response_header(answer, "Connection", "close");
    return answer;
}

/* Answers when the head is there: of a body nothing is read. libmicrohttpd sets the parameters. */
static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *body,
                                  size_t *body_size, void **context)
{
    const bool reads = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    int status = reads ? MHD_HTTP_OK : MHD_HTTP_METHOD_NOT_ALLOWED;
    struct MHD_Response *answer = make_answer(user, connection, path, &status);
    enum MHD_Result result;

    (void)version, (void)body, (void)body_size, (void)context;
    if (!reads) {
        mhd.add_response_header(answer, "Allow", "GET, HEAD");
    }
    result = mhd.queue_response(connection, (unsigned)status, answer);
    mhd.destroy_response(answer);
    return result;
}

/* ------------------------------------------------------------------ connections */

/* libmicrohttpd closes it when it sees the end. Its own time limit counts from the last byte, so
 * one byte a second would hold a connection for ever. */
static void cut(struct web_peer *peer)
{
    (void)shutdown(peer->fd, SHUT_RDWR);
    peer->fd = -1;
}

static void on_late(void *user, int64_t now_ns)
{
    (void)now_ns;
    cut(user);
}

/* Returns a free place; of too many connections the oldest one makes room. */
static struct web_peer *free_place(struct web *web)
{
    struct web_peer *place = NULL, *oldest = NULL;
    int count = 0;

    for (int i = 0; i < MOST; i++) {
        struct web_peer *peer = &web->peers[i];

        if (peer->since == 0) {
            place = peer;
        } else if (peer->fd >= 0) {
            count++;
            oldest = oldest == NULL || peer->since < oldest->since ? peer : oldest;
        }
    }
    if (count >= WEB_CONNECTIONS) {
        loop_forget(web->loop, oldest);
        cut(oldest);
    }
    assert(place != NULL); /* MOST is libmicrohttpd's limit, too */
    return place;
}

static void on_connection(void *user, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    struct web *web = user;
    struct web_peer *peer = *context;

    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        loop_forget(web->loop, peer);
        peer->since = 0;
        web->has_closed = true;
        return;
    }
    peer = free_place(web);
    *context = peer;
    peer->since = ++web->came;
    peer->fd = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    loop_after(web->loop, LIFE_NS, on_late, peer);
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

/* After a connection at its limit libmicrohttpd listens again only in the next run. Where the
 * system has no descriptor for its only connection it does not pause at all: its epoll descriptor
 * stays readable, and would turn the loop without end. */
static void on_ready(void *user)
{
    struct web *web = user;
    MHD_UNSIGNED_LONG_LONG wait_ms = 0;
    bool is_short;

    web->has_closed = false;
    errno = 0;
    (void)mhd.run(web->daemon);
    is_short = errno == EMFILE || errno == ENFILE;
    loop_forget(web->loop, web);
    if (is_short) {
        loop_unwatch(web->loop, web->epoll_fd);
        loop_after(web->loop, REST_NS, on_more, web);
    } else if (web->has_closed || mhd.get_timeout(web->daemon, &wait_ms) == MHD_YES) {
        loop_after(web->loop, (int64_t)wait_ms * MS_NS, on_more, web);
    }
}

enum bg_status web_start(struct web **out, struct loop *loop, int fd, web_fn fn, void *user,
                         struct bg_error *err)
{
    enum bg_status status =
        library_load(&mhd, names, sizeof names / sizeof *names, "libmicrohttpd.so.12", err);
    struct web *web;

    if (status != BG_OK) {
        close(fd);
        return status;
    }
    web = memory_zeroed(1, sizeof *web);
    *web = (struct web){.loop = loop, .fn = fn, .user = user};
    web->daemon = mhd.start_daemon(
        MHD_USE_EPOLL, 0, NULL, NULL, on_request, web, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)POOL_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, web, MHD_OPTION_END);
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
        mhd.stop_daemon(web->daemon); /* calls on_connection */
        loop_forget(web->loop, web);
        free(web);
    }
}
