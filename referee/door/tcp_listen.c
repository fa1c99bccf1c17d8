#define _GNU_SOURCE
#include "tcp_listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tcp_address.h"

static const char SCHEME[] = "tcp://";

/* Returns the socket, or -1 with errno. */
static int listen_to(const struct addrinfo *at, int waiting)
{
    const int yes = 1, no = 0;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error;

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

enum bg_status tcp_listen(int *out, char bound[TCP_LISTEN_TEXT], const char *endpoint, int waiting,
                          struct bg_error *err)
{
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC,
                                    .ai_socktype = SOCK_STREAM,
                                    .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char host[TCP_ADDRESS_HOST];
    const char *port = "";
    int error, fd;

    if (!tcp_address_cut(host, &port, endpoint)) {
        return bg_error_set(err, BG_E_CONFIG, "%.160s is not an address like tcp://0.0.0.0:5555",
                            endpoint);
    }
    error = getaddrinfo(strcmp(host, "*") == 0 ? NULL : host, port, &wanted, &found);
    if (error != 0) {
        return bg_error_set(err, BG_E_CONFIG, "%.160s: %s", endpoint, gai_strerror(error));
    }
    fd = listen_to(found, waiting);
    error = errno;
    freeaddrinfo(found);
    if (fd < 0) {
        return bg_error_set(err, BG_E_CONFIG, "%.160s: %s", endpoint, strerror(error));
    }
    if (!write_bound(bound, fd)) {
        close(fd);
        return bg_error_set(err, BG_E_CONFIG, "%.160s: its number is not known", endpoint);
    }
    *out = fd;
    return BG_OK;
}
