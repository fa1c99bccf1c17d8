/* One function of the system for all forms of an address (getaddrinfo), so that IPv6, names and "*"
 * need no reading of ours; the port has to be a number, as a service's name would depend on
 * /etc/services.
 *
 * A socket that a service manager has opened is compared with the host's file
 * (tcp_listen_check): addresses as IPv6 with IPv4 mapped into it, because a manager usually
 * listens on [::] for both where the file says 0.0.0.0. */
#define _GNU_SOURCE
#include "tcp_listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/plain.h"

static const char SCHEME[] = "tcp://";

bool tcp_address_cut(char host[TCP_ADDRESS_HOST], const char **port, const char *endpoint)
{
    const char *from = endpoint + strlen(SCHEME), *colon = strrchr(endpoint, ':');
    size_t length;
    int number;

    if (strncmp(endpoint, SCHEME, strlen(SCHEME)) != 0 || colon < from) {
        return false;
    }
    length = (size_t)(colon - from);
    /* The last colon is the port's, those within brackets are the address's. */
    if (length >= 2 && from[0] == '[' && colon[-1] == ']') {
        from++;
        length -= 2;
    }
    snprintf(host, TCP_ADDRESS_HOST, "%.*s", (int)length, from);
    *port = colon + 1;
    /* The system would take a larger port's remainder. */
    return length > 0 && length < TCP_ADDRESS_HOST &&
           int_read(&number, colon + 1, 0, 65535, NULL) == BG_OK;
}

/* Returns the socket, or -1 with errno. */
static int listen_to(const struct addrinfo *at, int waiting)
{
    const int yes = 1, no = 0;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error;

    /* SO_REUSEADDR: the next doorman listens while connections of the last one are in TIME_WAIT.
     * IPV6_V6ONLY off: [::] takes IPv4 too, whatever net.ipv6.bindv6only says. */
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        (at->ai_family != AF_INET6 ||
         setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) == 0) &&
        bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, waiting) == 0) {
        return fd;
    }
    error = errno;
    if (fd >= 0) {
        close(fd);
    }
    /* close() may have set another. */
    errno = error;
    return -1;
}

static bool write_bound(char bound[TCP_LISTEN_TEXT], int fd)
{
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    char host[NI_MAXHOST], port[NI_MAXSERV];

    if (getsockname(fd, (struct sockaddr *)&own, &size) != 0 ||
        getnameinfo((const struct sockaddr *)&own, size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        return false;
    }
    snprintf(bound, TCP_LISTEN_TEXT, own.ss_family == AF_INET6 ? "%s[%.150s]:%s" : "%s%.150s:%s",
             SCHEME, host, port);
    return true;
}

/* Its listening queue is the other program's. */
static enum bg_status take_given(int *out, char bound[TCP_LISTEN_TEXT], struct bg_error *err)
{
    int flags = fcntl(TCP_LISTEN_FD, F_GETFL);

    /* A manager gives blocking sockets; a connection that ends between epoll and accept would
     * then stop this process. */
    if (flags < 0 || fcntl(TCP_LISTEN_FD, F_SETFL, flags | O_NONBLOCK) != 0 ||
        fcntl(TCP_LISTEN_FD, F_SETFD, FD_CLOEXEC) != 0 || !write_bound(bound, TCP_LISTEN_FD)) {
        return bg_error_set(err, BG_E_CONFIG, "the socket that is given: %s", strerror(errno));
    }
    *out = TCP_LISTEN_FD;
    return BG_OK;
}

static enum bg_status resolve(struct addrinfo **found, const char *endpoint, struct bg_error *err)
{
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC,
                                    .ai_socktype = SOCK_STREAM,
                                    .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    char host[TCP_ADDRESS_HOST];
    const char *port = "";
    int error;

    *found = NULL;
    if (!tcp_address_cut(host, &port, endpoint)) {
        return bg_error_set(err, BG_E_CONFIG, "%.160s is not an address like tcp://0.0.0.0:5555",
                            endpoint);
    }
    error = getaddrinfo(strcmp(host, "*") == 0 ? NULL : host, port, &wanted, found);
    return error == 0 ? BG_OK
                      : bg_error_set(err, BG_E_CONFIG, "%.160s: %s", endpoint, gai_strerror(error));
}

/* ------------------------------------------------------------------ a socket of another program */

struct where {
    in_port_t port;
    bool is_any;               /* all addresses */
    unsigned char address[16]; /* IPv6, or IPv4 in IPv6 */
};

static bool read_where(struct where *out, const struct sockaddr *at)
{
    static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    static const unsigned char none[16];
    size_t begin = 0;

    memset(out, 0, sizeof *out);
    if (at->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const void *)at;

        memcpy(out->address, mapped, sizeof mapped);
        memcpy(out->address + sizeof mapped, &four->sin_addr, sizeof four->sin_addr);
        out->port = ntohs(four->sin_port);
        begin = sizeof mapped;
    } else if (at->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const void *)at;

        memcpy(out->address, &six->sin6_addr, sizeof six->sin6_addr);
        out->port = ntohs(six->sin6_port);
    } else {
        return false;
    }
    out->is_any = memcmp(out->address + begin, none, sizeof none - begin) == 0;
    return true;
}

static bool is_there(const struct where *own, const struct where *wanted)
{
    return (own->port == wanted->port || wanted->port == 0) &&
           ((own->is_any && wanted->is_any) ||
            memcmp(own->address, wanted->address, sizeof own->address) == 0);
}

enum bg_status tcp_listen_check(int fd, const char *name, const char *endpoint,
                                struct bg_error *err)
{
    struct sockaddr_storage at = {.ss_family = AF_UNSPEC};
    socklen_t size = sizeof at;
    struct addrinfo *found;
    struct where own, wanted;
    char bound[TCP_LISTEN_TEXT];
    bool fits = false;
    enum bg_status status;

    if (getsockname(fd, (struct sockaddr *)&at, &size) != 0 ||
        !read_where(&own, (const struct sockaddr *)&at) || !write_bound(bound, fd)) {
        return bg_error_set(err, BG_E_CONFIG,
                            "the service manager's socket '%s' is not one of TCP; its unit needs "
                            "ListenStream=PORT",
                            name);
    }
    status = resolve(&found, endpoint, err);
    for (const struct addrinfo *item = found; item != NULL && status == BG_OK;
         item = item->ai_next) {
        fits = fits || (read_where(&wanted, item->ai_addr) && is_there(&own, &wanted));
    }
    if (found != NULL) {
        freeaddrinfo(found);
    }
    return status != BG_OK || fits
               ? status
               : bg_error_set(err, BG_E_CONFIG,
                              "the service manager's socket '%s' listens at %.160s, but the host's "
                              "file says %.160s; make them the same",
                              name, bound, endpoint);
}

/* ------------------------------------------------------------------ listening */

enum bg_status tcp_listen(int *out, char bound[TCP_LISTEN_TEXT], const char *endpoint, int waiting,
                          struct bg_error *err)
{
    struct addrinfo *found;
    int error, fd;
    enum bg_status status;

    if (strcmp(endpoint, TCP_LISTEN_GIVEN) == 0) {
        return take_given(out, bound, err);
    }
    status = resolve(&found, endpoint, err);
    if (status != BG_OK) {
        return status;
    }
    fd = listen_to(found, waiting);
    error = errno;
    freeaddrinfo(found);
    if (fd < 0) {
        return bg_error_set(err, BG_E_CONFIG, "%.160s: %s%s", endpoint, strerror(error),
                            error == EADDRINUSE ? "; choose another port (0: a free one)" : "");
    }
    if (!write_bound(bound, fd)) {
        close(fd);
        return bg_error_set(err, BG_E_CONFIG, "%.160s: its number is not known", endpoint);
    }
    *out = fd;
    return BG_OK;
}
